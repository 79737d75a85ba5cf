/* Tests of pctx_watch(): stops for signals, system calls and ends. */
#include "pctx/watch.h"

#include <errno.h>

#include "harness.h"

/* What a watcher saw and does. */
struct watched {
	int status; /* of the program */
	unsigned signals, ends, calls, forks, lost;
	int swaps; /* the signal becomes another one, of a fault */
	int calls_wanted;
};

static int on_signal(pctx_t *pctx, pid_t pid, id_t lwpid, int sig, void *arg)
{
	const siginfo_t fault = {
		.si_signo = SIGSEGV, .si_code = SEGV_MAPERR, .si_addr = (void *)64};
	struct watched *w = arg;
	siginfo_t info;

	(void)pid;
	assert_int_equal(pctx_signal(pctx_tid(pctx, lwpid), &info), 0);
	assert_int_equal(info.si_signo, sig);
	w->signals++;
	if (!w->swaps)
		return 0;
	assert_int_equal(pctx_unblock(pctx_tid(pctx, lwpid), SIGSEGV), 0);
	assert_int_equal(pctx_set_signal(pctx_tid(pctx, lwpid), &fault), 0);
	return SIGSEGV;
}

static void on_ending(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct user_regs_struct r;
	struct watched *w = arg;
	char text[16] = "";

	w->ends++;
	w->lost += !procfs_text(pid, "maps", text, sizeof text) || !*text;
	if (pctx_registers(pctx_tid(pctx, lwpid), &r) == -1 ||
	    pctx_set_registers(pctx_tid(pctx, lwpid), &r) == -1)
		w->lost++;
}

static void on_forked(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	(void)pctx;
	(void)lwpid;
	assert_int_equal(procfs_origin(child), pid);
	((struct watched *)arg)->forks++;
}

static void on_call(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	(void)pctx;
	(void)pid;
	(void)lwpid;
	((struct watched *)arg)->calls++;
}

static int watch_init(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid;
	pctx_watch_calls(pctx, lwpid, ((struct watched *)arg)->calls_wanted);
	return 0;
}

static void keep_status(pctx_t *pctx, pid_t pid, id_t lwpid, int status, void *arg)
{
	(void)pctx;
	(void)pid;
	(void)lwpid;
	((struct watched *)arg)->status = status;
}

static void follow_fork(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	(void)pid;
	(void)lwpid;
	(void)child;
	pctx_follow(pctx, arg);
}

static int follow_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *cmd, void *arg)
{
	(void)pctx;
	(void)pid;
	(void)lwpid;
	(void)cmd;
	(void)arg;
	return 0;
}

static const struct pctx_watch watch = {
	.signal = on_signal, .ending = on_ending, .forked = on_forked, .call = on_call};

/* Runs a shell's commands. */
static void run_shell(const char *commands, struct watched *w)
{
	char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, strdup(commands), NULL};
	pctx_t *pctx = pctx_create("sh", argv, w, 0, keep_message);

	assert_non_null(pctx);
	assert_int_equal(pctx_set_events(pctx, PCTX_INIT_LWP_EVENT, watch_init,
					 PCTX_SYSC_EXIT_EVENT, keep_status,
					 PCTX_SYSC_FORK_EVENT, follow_fork,
					 PCTX_SYSC_EXEC_EVENT, follow_exec,
					 PCTX_NULL_EVENT),
			 0);
	assert_int_equal(pctx_watch(pctx, &watch), 0);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	pctx_release(pctx);
	free(argv[2]);
}

static void signal_stops(void **state)
{
	struct watched w = {0};

	(void)state;
	run_shell("kill -TERM $$; exit 7", &w);
	assert_int_equal(w.signals, 1);
	assert_int_equal(WEXITSTATUS(w.status), 7);
	w = (struct watched){.swaps = 1};
	run_shell("kill -TERM $$; exit 7", &w);
	assert_true(WIFSIGNALED(w.status));
	assert_int_equal(WTERMSIG(w.status), SIGSEGV);
}

/* Ends by exit and by SIGKILL, also of children, with their memory. */
static void end_stops(void **state)
{
	struct watched w = {0};

	(void)state;
	run_shell("exit 3", &w);
	assert_int_equal(w.ends, 1);
	assert_int_equal(w.lost + w.calls, 0);
	w = (struct watched){0};
	run_shell("(exit 1); (kill -KILL $(exec sh -c 'echo $PPID')); kill -KILL $$", &w);
	assert_true(w.ends >= 3);
	assert_int_equal(w.forks + 1, w.ends);
	assert_int_equal(w.lost, 0);
	assert_int_equal(WTERMSIG(w.status), SIGKILL);
}

static void call_stops(void **state)
{
	struct watched w = {.calls_wanted = 1};

	(void)state;
	run_shell("cd /; cd /", &w);
	/* chdir(2) twice, each with a begin and an end. */
	assert_true(w.calls >= 4);
	assert_int_equal(w.status, 0);
	assert_int_equal(pctx_watch(NULL, &watch), -1);
	assert_int_equal(errno, EINVAL);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(signal_stops, nothing_left),
		cmocka_unit_test_teardown(end_stops, nothing_left),
		cmocka_unit_test_teardown(call_stops, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
