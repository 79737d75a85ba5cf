/* Tests of pctx_capture(3CPC). */
#include <libpctx.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/procfs.h"
#include "harness.h"

/* Memory that a process to be captured and the test share. */
struct shared {
	int started;  /* how many creating threads run */
	int captured; /* set by the test */
	int created;  /* threads created since the capture */
};

enum { CREATORS = 3, THREADS_EACH = 60 };

static void *create_threads(void *arg)
{
	struct shared *sh = arg;

	__atomic_fetch_add(&sh->started, 1, __ATOMIC_SEQ_CST);
	for (int left = THREADS_EACH; left > 0;) {
		pthread_t t;
		const int captured = __atomic_load_n(&sh->captured, __ATOMIC_SEQ_CST);

		check(pthread_create(&t, NULL, nothing, NULL) == 0 &&
		      pthread_join(t, NULL) == 0);
		left -= captured;
		__atomic_fetch_add(&sh->created, captured, __ATOMIC_SEQ_CST);
	}
	return NULL;
}

static void capture_me(struct shared *sh)
{
	pthread_t t, parked_one;

	check(pthread_create(&parked_one, NULL, park, NULL) == 0);
	for (int i = 1; i < CREATORS; i++)
		check(pthread_create(&t, NULL, create_threads, sh) == 0);
	create_threads(sh);
	/* The process may end only when the other threads have created theirs. */
	while (__atomic_load_n(&sh->created, __ATOMIC_SEQ_CST) < CREATORS * THREADS_EACH)
		sched_yield();
	_exit(4);
}

/*
 * A process whose threads create threads can be captured at any time. No thread is
 * missed, and the process runs undisturbed.
 */
static void captures_all_threads(void **state)
{
	const int prot = PROT_READ | PROT_WRITE;

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct seen *s = seen_new(0);
		struct shared *sh =
			mmap(NULL, sizeof *sh, prot, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		assert_ptr_not_equal(sh, MAP_FAILED);
		const pid_t pid = fork();
		if (pid == 0)
			capture_me(sh);
		while (__atomic_load_n(&sh->started, __ATOMIC_SEQ_CST) < CREATORS)
			sched_yield();
		pctx_t *pctx = pctx_capture(pid, s, 0, keep_message);
		if (!pctx)
			fail_msg("%s", message);
		__atomic_store_n(&sh->captured, 1, __ATOMIC_SEQ_CST);
		set_events(pctx);
		assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
		assert_int_equal(s->bad_calls, 0);
		assert_int_equal(s->nprocs, 1);
		assert_int_equal(s->finis, s->inits);
		if (s->inits < 1 + CREATORS + CREATORS * THREADS_EACH)
			fail_msg("run %d: %u LWPs", i, s->inits);
		assert_int_equal(s->proc[0].status, 0x400);
		pctx_release(pctx);
		seen_free(s);
		munmap(sh, sizeof *sh);
	}
}

/*
 * Starts a process of two threads, which writes the tid of the second to a pipe. leave:
 * the first thread ends.
 */
static pid_t two_threads(int to, int leave)
{
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	pthread_t t;
	pid_t tid = 0;
	check(pthread_create(&t, NULL, park, NULL) == 0);
	DIR *d = opendir("/proc/self/task");
	for (struct dirent *e; (e = readdir(d));)
		if (atoi(e->d_name) != getpid() && atoi(e->d_name) > 0)
			tid = atoi(e->d_name);
	check(write(to, &tid, sizeof tid) == sizeof tid);
	if (leave)
		pthread_exit(NULL);
	_exit(parked());
}

static void refuses_processes_in_part(void **state)
{
	char text[256];
	pid_t tid;
	int go[2];
	char c;

	(void)state;
	assert_int_equal(pipe(go), 0);
	pid_t pid = two_threads(go[1], 0);
	assert_int_equal(read(go[0], &tid, sizeof tid), sizeof tid);
	const pid_t other = fork();
	if (other == 0) {
		prctl(PR_SET_NAME, "other tracer");
		check(ptrace(PTRACE_SEIZE, tid, 0, 0) == 0 && write(go[1], "", 1) == 1);
		parked();
	}
	assert_int_equal(read(go[0], &c, 1), 1);
	snprintf(text, sizeof text,
		 "capture: thread %d of pid %d is already being traced by 'other tracer' "
		 "(pid %d)",
		 (int)tid, (int)pid, (int)other);
	refused(__LINE__, pctx_capture(pid, NULL, 0, keep_message), EPERM, text);
	/* The first thread, which was attached before the failure, is released. */
	await_state(pid, 'S', 0);
	kill(other, SIGKILL);
	kill(pid, SIGKILL);
	status_of(other);
	status_of(pid);

	pid = two_threads(go[1], 1);
	assert_int_equal(read(go[0], &tid, sizeof tid), sizeof tid);
	unsigned flags;
	for (time_t end = time(NULL) + DEADLINE_S; procfs_state(pid, &flags) != 'Z';)
		assert_true(time(NULL) < end);
	snprintf(text, sizeof text,
		 "capture: pid %d cannot be captured: its first thread has ended, other "
		 "threads still run",
		 (int)pid);
	refused(__LINE__, pctx_capture(pid, NULL, 0, keep_message), ESRCH, text);
	kill(pid, SIGKILL);
	status_of(pid);
	close(go[0]);
	close(go[1]);
}

static void refuses_processes(void **state)
{
	char text[256];
	int go[2], st;
	char c;

	(void)state;
	refused(__LINE__, pctx_capture(getpid(), NULL, 0, keep_message), EINVAL,
		"capture: cannot capture self!");

	pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &(siginfo_t){0}, WEXITED | WNOWAIT), 0);
	snprintf(text, sizeof text, "capture: pid %d is a zombie", (int)pid);
	refused(__LINE__, pctx_capture(pid, NULL, 0, keep_message), ESRCH, text);
	assert_int_equal(waitpid(pid, &st, 0), pid);
	snprintf(text, sizeof text, "capture: pid %d doesn't exist", (int)pid);
	refused(__LINE__, pctx_capture(pid, NULL, 0, keep_message), ESRCH, text);

	assert_int_equal(pipe(go), 0);
	pid = two_threads(go[1], 0);
	pid_t tid = 0;
	assert_int_equal(read(go[0], &tid, sizeof tid), sizeof tid);
	assert_true(tid > 0);
	snprintf(text, sizeof text, "capture: pid %d is a thread of process %d", (int)tid,
		 (int)pid);
	refused(__LINE__, pctx_capture(tid, NULL, 0, keep_message), ESRCH, text);

	const pid_t other = fork();
	if (other == 0) {
		prctl(PR_SET_NAME, "other tracer");
		check(pctx_capture(pid, NULL, 0, NULL) != NULL &&
		      write(go[1], "", 1) == 1);
		parked();
	}
	assert_int_equal(read(go[0], &c, 1), 1);
	snprintf(text, sizeof text,
		 "capture: pid %d is already being traced by 'other tracer' (pid %d)",
		 (int)pid, (int)other);
	refused(__LINE__, pctx_capture(pid, NULL, 0, keep_message), EPERM, text);
	kill(other, SIGKILL);
	kill(pid, SIGKILL);
	status_of(other);
	status_of(pid);
	close(go[0]);
	close(go[1]);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(captures_all_threads, nothing_left),
		cmocka_unit_test_teardown(refuses_processes, nothing_left),
		cmocka_unit_test_teardown(refuses_processes_in_part, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
