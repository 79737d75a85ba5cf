/*
 * follow [-n] EVENT COMMAND...: a client of libpctx and libcpc that prints "pid LWP
 * count" when an LWP has ended. It follows the processes that are forked by
 * pctx_follow(3), or with -n as in Solaris: the fork handler calls pctx_run(3) for the
 * child. It ends with the status of the command.
 */
#include <libcpc.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static cpc_t *cpc;
static cpc_set_t *model;
static cpc_buf_t *buf;
static int nested;

static void message(const char *fn, const char *fmt, va_list ap)
{
	fprintf(stderr, "follow: %s: ", fn);
	vfprintf(stderr, fmt, ap);
}

static int init_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	cpc_set_t *set = cpc_set_dup(cpc, model);

	(void)pid, (void)arg;
	if (!set || cpc_bind_pctx(cpc, pctx, lwpid, set, 0) == -1) {
		perror("follow: bind");
		return -1;
	}
	*pctx_lwp_data(pctx, lwpid) = set;
	return 0;
}

static int fini_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	cpc_set_t *set = (cpc_set_t *)*pctx_lwp_data(pctx, lwpid);
	uint64_t count;

	(void)arg;
	if (cpc_set_sample(cpc, set, buf) == -1 || cpc_buf_get(cpc, buf, 0, &count) == -1)
		perror("follow: sample");
	else
		printf("%d %d %llu\n", (int)pid, (int)lwpid, (unsigned long long)count);
	return cpc_set_destroy(cpc, set);
}

static int exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *command, void *arg)
{
	(void)pctx, (void)pid, (void)lwpid, (void)command, (void)arg;
	return 0;
}

static void set_handlers(pctx_t *pctx);

static void forked(pctx_t *child, pid_t pid, id_t lwpid, pid_t child_pid, void *arg)
{
	(void)pid, (void)lwpid;
	if (!nested) {
		pctx_follow(child, arg);
		return;
	}
	set_handlers(child);
	if (pctx_run(child, 0, 0, NULL) == -1)
		fprintf(stderr, "follow: %d: %s\n", (int)child_pid, strerror(errno));
}

static void set_handlers(pctx_t *pctx)
{
	pctx_set_events(pctx, PCTX_SYSC_FORK_EVENT, forked, PCTX_SYSC_EXEC_EVENT, exec,
			PCTX_INIT_LWP_EVENT, init_lwp, PCTX_FINI_LWP_EVENT, fini_lwp,
			PCTX_NULL_EVENT);
}

int main(int argc, char **argv)
{
	int status;

	nested = argc > 1 && strcmp(argv[1], "-n") == 0;
	argv += 1 + nested;
	if (argc < 3 + nested)
		return 125;
	cpc = cpc_open(CPC_VER_CURRENT);
	model = cpc_set_create(cpc);
	if (cpc_set_add_request(cpc, model, argv[0], 0, CPC_COUNT_USER, 0, NULL) == -1)
		return 125;
	buf = cpc_buf_create(cpc, model);
	pctx_t *pctx = pctx_create(argv[1], argv + 1, NULL, 1, message);
	if (!pctx)
		return 125;
	set_handlers(pctx);
	if (pctx_run(pctx, 0, 0, NULL) == -1 || pctx_wait(pctx, &status) == -1)
		return 125;
	pctx_release(pctx);
	cpc_close(cpc);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
