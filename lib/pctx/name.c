#include "pctx/name.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pctx/args.h"
#include "pctx/table.h"

static void read_name(const struct lwp *l, struct name *name)
{
	comm_read(l->proc->pid, l->tid, name);
}

void pctx_keep_names(pctx_t *pctx)
{
	if (!pctx_is_handle(pctx))
		return;
	pctx->t->names = 1;
	name_executed(pctx);
}

static int ends(const siginfo_t *info)
{
	return info->si_code == CLD_EXITED || info->si_code == CLD_KILLED ||
	       info->si_code == CLD_DUMPED;
}

/*
 * The second wait must not block: the LWP that stopped can have been killed meanwhile,
 * and its end is perhaps reported only after those of others.
 */
pid_t name_wait(struct tracer *t, int *status)
{
	siginfo_t info;

	if (!t->names)
		return wake_wait(&t->wake, status);
	const pid_t tid = wake_peek(&t->wake, &info);
	if (tid == -1)
		return -1;
	struct lwp *l = ends(&info) ? lwp_find(t, tid) : NULL;
	if (l && l->state == LWP_LIVE && !l->proc->detaching)
		read_name(l, &l->name);
	if (waitpid(tid, status, __WALL | WNOHANG) == tid)
		return tid;
	errno = EINTR;
	return -1;
}

/* Returns whether a process runs the launcher or another program of its folder. */
static int runs_beside_launcher(const struct __pctx *p)
{
	const char *const launcher = p->t->launcher;
	char link[64], path[PATH_MAX];

	if (!launcher)
		return 0;
	snprintf(link, sizeof link, "/proc/%d/exe", (int)p->pid);
	const ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	const char *const slash = strrchr(path, '/');
	return slash && strrchr(launcher, '/') - launcher == slash - path &&
	       memcmp(path, launcher, (size_t)(slash - path)) == 0;
}

/* Until the launched program has its name, the process has that of the launcher. */
void name_executed(struct __pctx *p)
{
	if (p->t->names)
		p->launcher.known = 0;
	if (p->t->names && p->first && runs_beside_launcher(p))
		read_name(p->first, &p->launcher);
}

const char *pctx_name(pctx_t *pctx, id_t lwpid, struct name *name)
{
	struct lwp *l = pctx ? lwp_by_number(pctx, lwpid) : NULL;

	if (!l)
		return NULL;
	if (l->ended)
		*name = l->name;
	else
		read_name(l, name);
	if (name->known && pctx->launcher.known &&
	    strcmp(name->text, pctx->launcher.text) == 0)
		name->known = args_read_launched(pctx->pid, name->text, NAME_SIZE) > 0;
	return name->known ? name->text : NULL;
}
