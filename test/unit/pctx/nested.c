/*
 * Calls of libpctx in its own handlers, in any order: pctx_run(3) cannot be nested, and
 * what a handler releases or kills is still used until the handler has returned.
 */
#include <libpctx.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness.h"

static const char refusal[] =
	"called in a handler of pctx_run, which controls all processes; "
	"to control a child, call pctx_follow in the fork handler";

/* What the handlers do, and where. */
static struct {
	pctx_t *root;
	const char *where; /* the name of a handler */
	int (*act)(pctx_t *pctx);
	unsigned acts, wrong;
} todo;

static int do_it(const char *where, pctx_t *pctx)
{
	if (strcmp(where, todo.where) == 0) {
		todo.acts++;
		todo.wrong += todo.act(pctx) != 0;
	}
	return 0;
}

static int init(pctx_t *p, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid, (void)lwpid, (void)arg;
	return do_it("init", p);
}

static int create_lwp(pctx_t *p, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid, (void)lwpid, (void)arg;
	return do_it("create", p);
}

static int fini(pctx_t *p, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid, (void)lwpid, (void)arg;
	return do_it("fini", p);
}

static int lwp_exit(pctx_t *p, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid, (void)lwpid, (void)arg;
	return do_it("lwp_exit", p);
}

static int exec(pctx_t *p, pid_t pid, id_t lwpid, char *cmd, void *arg)
{
	(void)pid, (void)lwpid, (void)cmd, (void)arg;
	return do_it("exec", p);
}

static void fork_before(pctx_t *p, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	(void)pid, (void)lwpid, (void)child;
	do_it("fork", p);
	pctx_follow(p, arg);
	do_it("fork", p);
}

static void exit_process(pctx_t *p, pid_t pid, id_t lwpid, int status, void *arg)
{
	(void)pid, (void)lwpid, (void)status, (void)arg;
	do_it("exit", p);
}

static int tick(pctx_t *p, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid, (void)lwpid, (void)arg;
	return do_it("tick", p);
}

/* Returns 0 if the call fn of the library has failed with EBUSY and said why. */
static int is_busy(const char *fn, int failed)
{
	const size_t len = strlen(fn);
	const int bad = !failed || errno != EBUSY || strncmp(message, fn, len) != 0 ||
			strcmp(message + len, refusal) != 0;

	*message = '\0';
	return bad;
}

static int runs(pctx_t *p)
{
	return is_busy("run: ", pctx_run(p, 0, 0, NULL) == -1);
}

static int runs_root(pctx_t *p)
{
	(void)p;
	return is_busy("run: ", pctx_run(todo.root, 0, 0, NULL) == -1);
}

static int waits(pctx_t *p)
{
	int status;

	(void)p;
	return is_busy("wait: ", pctx_wait(todo.root, &status) == -1);
}

static int captures(pctx_t *p)
{
	return is_busy("capture: ", !pctx_capture(pctx_pid(p), NULL, 0, keep_message));
}

static int creates(pctx_t *p)
{
	char *const argv[] = {(char[]){"true"}, NULL};

	(void)p;
	return is_busy("create: ", !pctx_create("true", argv, NULL, 0, keep_message));
}

static int releases(pctx_t *p)
{
	pctx_release(p);
	return pctx_pid(p) <= 0;
}

static int releases_root(pctx_t *p)
{
	pctx_release(todo.root);
	return pctx_pid(p) <= 0;
}

static int releases_twice_and_runs(pctx_t *p)
{
	pctx_release(todo.root);
	pctx_release(p);
	pctx_release(p);
	return runs(p);
}

static int kills(pctx_t *p)
{
	pctx_kill(p);
	return pctx_pid(p) <= 0;
}

static int kills_and_releases_root(pctx_t *p)
{
	pctx_kill(todo.root);
	pctx_release(todo.root);
	pctx_kill(p);
	return pctx_pid(p) <= 0;
}

static void release_lwp(pctx_t *p, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid, (void)lwpid, (void)arg;
	pctx_release(p);
	pctx_release(todo.root);
}

static int releases_in_a_walk(pctx_t *p)
{
	pctx_walk_lwps(todo.root, release_lwp);
	return pctx_pid(p) <= 0;
}

static const char *const places[] = {"init", "create", "fini", "lwp_exit",
				     "exec", "fork",   "exit", "tick"};
static const struct {
	int (*act)(pctx_t *pctx);
	int ends; /* the run may end early, or the program be killed */
} acts[] = {
	{runs, 0},
	{runs_root, 0},
	{waits, 0},
	{captures, 0},
	{creates, 0},
	{releases, 1},
	{releases_root, 1},
	{releases_twice_and_runs, 1},
	{kills, 1},
	{kills_and_releases_root, 1},
	{releases_in_a_walk, 1},
};
/* Programs whose processes all end by themselves, also when one of them is killed. */
static const char *const words[] = {"threads_joined", "forks_on", "spawns",
				    "thread_execs"};

static unsigned try(const char *word, const char *place, size_t act)
{
	struct seen *s = seen_new(1);
	int status = 0;

	alarm(DEADLINE_S);
	todo.root = create(word, s);
	todo.where = place;
	todo.act = acts[act].act;
	todo.acts = todo.wrong = 0;
	assert_non_null(todo.root);
	pctx_set_events(todo.root, PCTX_SYSC_EXEC_EVENT, exec, PCTX_SYSC_FORK_EVENT,
			fork_before, PCTX_SYSC_EXIT_EVENT, exit_process,
			PCTX_SYSC_LWP_CREATE_EVENT, create_lwp, PCTX_INIT_LWP_EVENT, init,
			PCTX_FINI_LWP_EVENT, fini, PCTX_SYSC_LWP_EXIT_EVENT, lwp_exit,
			PCTX_NULL_EVENT);
	const int r = pctx_run(todo.root, 1, 0, tick);
	const int e = errno;
	if (todo.wrong || (r && (!acts[act].ends || e != ECANCELED)))
		fail_msg("%s: act %zu in %s: %d, errno %d, %u of %u wrong, '%s'", word,
			 act, place, r, e, todo.wrong, todo.acts, message);
	/* The handle is still valid, once. */
	assert_int_equal(pctx_wait(todo.root, &status), 0);
	pctx_release(todo.root);
	pctx_release(todo.root);
	errno = 0;
	assert_int_equal(pctx_run(todo.root, 0, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	pctx_kill(todo.root);
	seen_free(s);
	return todo.acts;
}

static void calls_in_handlers(void **state)
{
	(void)state;
	for (size_t act = 0; act < sizeof acts / sizeof acts[0]; act++)
		for (size_t at = 0; at < sizeof places / sizeof places[0]; at++) {
			unsigned done = 0;

			for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
				done += try(words[i], places[at], act);
			/* A program may be over before its first tick. */
			assert_true(done > 0 || strcmp(places[at], "tick") == 0);
		}
	alarm(0);
}

/* The copy of a handle in a child of fork(2) can be freed, and harms no process. */
static void a_child_frees_its_copy(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("exit3", s);

	(void)state;
	for (int kill_it = 0; kill_it < 2; kill_it++) {
		const pid_t pid = fork();

		if (pid == 0) {
			check(pctx_run(pctx, 0, 0, NULL) == -1 && errno == ESRCH);
			if (kill_it)
				pctx_kill(pctx);
			else
				pctx_release(pctx);
			_exit(0);
		}
		assert_int_equal(status_of(pid), 0);
	}
	set_events(pctx);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	assert_string_equal(s->log, "0:init1 0:fini1 0:exit1=0x300 ");
	pctx_release(pctx);
	seen_free(s);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(calls_in_handlers, nothing_left),
		cmocka_unit_test_teardown(a_child_frees_its_copy, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
