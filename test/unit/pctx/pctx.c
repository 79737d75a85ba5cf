/*
 * Tests of libpctx. The controlled programs are this one, started with a word:
 * programs.h.
 */
#include <libpctx.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/procfs.h"
#include "programs.h"
#include "seen.h"

enum { DEADLINE_S = 20 };

static int64_t now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * INT64_C(1000) + ts.tv_nsec / 1000000;
}

/* Reads the state letter, or 0, and the tracer's pid from /proc/PID/status. */
static char state_of(pid_t pid, long *tracer)
{
	char path[64], line[256], state = 0;

	*tracer = -1;
	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof line, f)) {
		sscanf(line, "State: %c", &state);
		sscanf(line, "TracerPid: %ld", tracer);
	}
	if (f)
		fclose(f);
	return state;
}

/* Waits until a process is in this state and traced or not; fails after the deadline. */
static void await_state(pid_t pid, char state, int traced)
{
	const int64_t end = now_ms() + DEADLINE_S * 1000;
	long tracer;

	for (;;) {
		const char now = state_of(pid, &tracer);

		if (now == state && (tracer > 0) == traced)
			return;
		if (now_ms() > end)
			fail_msg("pid %d: state %c, tracer %ld, not %c", (int)pid,
				 now ? now : '-', tracer, state);
		sched_yield();
	}
}

/* Processes left by a failed test must not disturb the next one. */
static void kill_children(void)
{
	char path[64];
	int pid;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	FILE *f = fopen(path, "re");
	while (f && fscanf(f, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (f)
		fclose(f);
	while (waitpid(-1, NULL, __WALL) != -1 || errno == EINTR)
		;
}

/* This process is the subreaper of all processes that tests start: none may be left. */
static int nothing_left(void **state)
{
	const int64_t end = now_ms() + DEADLINE_S * 1000 / 4;
	pid_t pid;
	int st;

	(void)state;
	setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
	while ((pid = waitpid(-1, &st, WNOHANG | __WALL)) != -1 && now_ms() < end)
		sched_yield();
	if (pid == -1 && errno == ECHILD)
		return 0;
	print_message("processes are left\n");
	kill_children();
	return -1;
}

static const struct {
	int line;
	const char *word;
	int follow;
	const char *log;
} cases[] = {
	{__LINE__, "exit3", 0, "0:init1 0:fini1 0:exit1=0x300 "},
	{__LINE__, "forks", 0, "0:init1 0:fork1 0:fini1 0:exit1=0x700 "},
	{__LINE__, "forks", 1,
	 "0:init1 0:fork1 1:init1 1:fini1 1:exit1=0x700 0:fini1 0:exit1=0x700 "},
	{__LINE__, "spawns", 0, "0:init1 0:fork1 0:fini1 0:exit1=0x400 "},
	{__LINE__, "spawns", 1,
	 "0:init1 0:fork1 1:init1 1:fini1 1:exec1 'again exit3' 1:init1 1:fini1 1:exit1=0x300 "
	 "0:fini1 0:exit1=0x400 "},
	{__LINE__, "execs", 0,
	 "0:init1 0:fini1 0:exec1 'again exit3' 0:init1 0:fini1 0:exit1=0x300 "},
	{__LINE__, "thread_execs", 0,
	 "0:init1 0:init2 0:create2 0:fini1 0:gone1 0:fini2 0:exec1 'again exit3' 0:init1 0:fini1 "
	 "0:exit1=0x300 "},
	{__LINE__, "leader_first", 0,
	 "0:init1 0:init2 0:create2 0:fini2 0:gone2 0:fini1 0:exit1=0 "},
	{__LINE__, "signals", 0, "0:init1 0:fini1 0:exit1=0x6400 "},
	{__LINE__, "stops", 0, "0:init1 0:fork1 0:fini1 0:exit1=0xb00 "},
	{__LINE__, "stops", 1,
	 "0:init1 0:fork1 1:init1 1:fini1 1:exit1=0xb00 0:fini1 0:exit1=0xb00 "},
};

static void calls_handlers_in_order(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct seen *s = seen_new(cases[i].follow);
		pctx_t *pctx = create(cases[i].word, s);

		assert_non_null(pctx);
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		if (r || s->bad_calls || *message || strcmp(s->log, cases[i].log) != 0)
			fail_msg("line %d: %d, %u bad calls, '%s': %s", cases[i].line, r,
				 s->bad_calls, message, s->log);
		errno = 0;
		assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
		assert_int_equal(errno, ESRCH);
		pctx_release(pctx);
		seen_free(s);
	}
}

/* LWPs are created and end in any order; each is reported once and in the right order. */
static const struct {
	int line;
	const char *word;
	unsigned procs, min_lwps, max_lwps;
	int status;
} crowds[] = {
	{__LINE__, "threads_joined", 1, 1 + THREADS, 1 + THREADS, 0x600},
	{__LINE__, "threads_at_end", 1, 1 + STARTED, 1 + THREADS, 0x500},
	{__LINE__, "threads_killed", 1, 1 + STARTED, 1 + THREADS, SIGKILL},
	{__LINE__, "creators", 1, 1 + 3 * 151, 1 + 3 * 151, 0x400},
	{__LINE__, "tree", 1 + BRANCHES *CHILDREN *(1 + GRANDCHILDREN),
	 1 + BRANCHES *(1 + CHILDREN * (1 + GRANDCHILDREN)),
	 1 + BRANCHES *(1 + CHILDREN * (1 + GRANDCHILDREN)), 0},
};

static void reports_many_lwps_once(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof crowds / sizeof crowds[0]; i++) {
		struct seen *s = seen_new(1);
		pctx_t *pctx = create(crowds[i].word, s);

		assert_non_null(pctx);
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		unsigned bad = 0;
		for (unsigned k = 0; k < s->nprocs; k++)
			bad += !s->proc[k].ended || s->proc[k].status != crowds[i].status;
		if (r || s->bad_calls || *message || bad ||
		    s->nprocs != crowds[i].procs || s->inits < crowds[i].min_lwps ||
		    s->inits > crowds[i].max_lwps || s->finis != s->inits)
			fail_msg(
				"line %d: %d, %u bad calls, '%s', %u processes (%u bad), %u + %u LWPs",
				crowds[i].line, r, s->bad_calls, message, s->nprocs, bad,
				s->inits, s->finis);
		pctx_release(pctx);
		seen_free(s);
	}
}

/*
 * Without an exec handler an exec ends the tracking; an exec handler that returns nonzero
 * does too, and the run fails. The program runs on.
 */
static void exec_ends_tracking(void **state)
{
	(void)state;
	for (int handled = 0; handled < 2; handled++) {
		struct seen *s = seen_new(0);
		pctx_t *pctx = create("execs", s);
		int status = -1;

		set_events(pctx);
		s->exec_result = 1;
		if (!handled)
			pctx_set_events(pctx, PCTX_SYSC_EXEC_EVENT, NULL,
					PCTX_NULL_EVENT);
		errno = 0;
		assert_int_equal(pctx_run(pctx, 0, 0, NULL), handled ? -1 : 0);
		assert_int_equal(errno, handled ? ECANCELED : 0);
		assert_string_equal(s->log,
				    handled ? "0:init1 0:fini1 0:exec1 'again exit3' "
					    : "0:init1 0:fini1 ");
		assert_int_equal(pctx_wait(pctx, &status), 0);
		assert_int_equal(status, 0x300);
		status = -1;
		assert_int_equal(pctx_wait(pctx, &status), 0);
		assert_int_equal(status, 0x300);
		pctx_release(pctx);
		seen_free(s);
	}
}

static void ignore_message(const char *fn, const char *fmt, va_list ap)
{
	(void)fn;
	(void)fmt;
	(void)ap;
}

/*
 * env(1) is a launcher: it executes the program that comes after its options. Both execs
 * are reported as one exec of the program. An exec without a launcher is reported as
 * usual.
 */
static void behind_a_launcher(void **state)
{
	static const struct {
		int line;
		const char *script, *log;
	} launched[] = {
		{__LINE__, "exit 3", "0:init1 0:fini1 0:exit1=0x300 "},
		{__LINE__, "exec /usr/bin/env -uX sh -c 'exit 4'",
		 "0:init1 0:fini1 0:exec1 'sh -c exit 4' 0:init1 0:fini1 0:exit1=0x400 "},
		{__LINE__, "exec /usr/bin/env -- sh -c 'exec sh -c \"exit 5\"'",
		 "0:init1 0:fini1 0:exec1 'sh -c exec sh -c \"exit 5\"' 0:init1 0:fini1 "
		 "0:exec1 'sh -c exit 5' 0:init1 0:fini1 0:exit1=0x500 "},
		{__LINE__, "/usr/bin/env sh -c 'exit 6'; exit 7",
		 "0:init1 0:fork1 1:init1 1:fini1 1:exec1 'sh -c exit 6' 1:init1 1:fini1 "
		 "1:exit1=0x600 0:fini1 0:exit1=0x700 "},
	};
	char env[] = "/usr/bin/env", options[] = "--", sh[] = "sh", c[] = "-c";

	(void)state;
	for (size_t i = 0; i < sizeof launched / sizeof launched[0]; i++) {
		char *const argv[] = {env, options, sh, c, (char *)launched[i].script,
				      NULL};
		struct seen *s = seen_new(1);
		pctx_t *pctx = pctx_create_behind(argv, s, 0, NULL);

		assert_non_null(pctx);
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		if (r || s->bad_calls || strcmp(s->log, launched[i].log) != 0)
			fail_msg("line %d: %d, '%s'", launched[i].line, r, s->log);
		pctx_release(pctx);
		seen_free(s);
	}
}

/* pctx_create_behind() fails if the launcher is missing or cannot start the program. */
static void refuses_launchers(void **state)
{
	char none[] = "/nonexistent/launcher", env[] = "/usr/bin/env",
	     program[] = "/nonexistent/program";
	char *const nowhere[] = {none, program, NULL},
		    *const lost[] = {env, program, NULL}, *const empty[] = {NULL};

	(void)state;
	errno = 0;
	assert_null(pctx_create_behind(nowhere, NULL, 0, ignore_message));
	assert_int_equal(errno, ENOENT);
	assert_null(pctx_create_behind(lost, NULL, 0, ignore_message));
	assert_null(pctx_create_behind(empty, NULL, 0, ignore_message));
	assert_int_equal(errno, EINVAL);
}

/*
 * A failing init_lwp at the start leaves the process stopped; a failing lwp_create
 * detaches it.
 */
static void failing_handlers_end_runs(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("threads_joined", s);
	int status = -1;

	(void)state;
	set_events(pctx);
	s->init_result = 1;
	errno = 0;
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
	assert_int_equal(errno, ECANCELED);
	await_state(pctx_pid(pctx), 't', 1);
	memset(s->proc, 0, sizeof *s->proc);
	s->nprocs = 0;
	s->init_result = 0;
	*pctx_lwp_data(pctx, 1) = NULL;
	s->create_result = 1;
	errno = 0;
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), -1);
	assert_int_equal(errno, ECANCELED);
	assert_int_equal(s->bad_calls, 0);
	assert_int_equal(pctx_wait(pctx, &status), 0);
	assert_int_equal(status, 0x600);
	pctx_release(pctx);
	seen_free(s);
}

/* After the last sample the process is detached and runs on. */
static void detaches_after_samples(void **state)
{
	(void)state;
	for (int captured = 0; captured < 2; captured++) {
		struct seen *s = seen_new(0);
		pid_t pid = captured ? fork() : 0;
		if (captured && pid == 0)
			_exit(parked());
		pctx_t *pctx = captured ? pctx_capture(pid, s, 0, keep_message)
					: create("parked", s);

		assert_non_null(pctx);
		pid = pctx_pid(pctx);
		set_events(pctx);
		const int64_t from = now_ms();
		assert_int_equal(pctx_run(pctx, 10, 3, on_tick), 0);
		assert_true(now_ms() - from >= 29);
		/* A late tick is skipped and counts, except the last. */
		assert_in_range(s->ticks, 1, 3);
		assert_true(s->ticks + pctx_skipped(pctx) >= 3);
		assert_int_equal(s->bad_calls, 0);
		assert_string_equal(s->log, "0:init1 ");
		await_state(pid, 'S', 0);
		pctx_release(pctx);
		await_state(pid, 'S', 0);
		assert_int_equal(kill(pid, SIGTERM), 0);
		assert_int_equal(status_of(pid), SIGTERM);
		seen_free(s);
	}
}

static void failing_tick_detaches(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("parked", s);
	const pid_t pid = pctx_pid(pctx);

	(void)state;
	s->tick_result = 1;
	errno = 0;
	assert_int_equal(pctx_run(pctx, 1, 0, on_tick), -1);
	assert_int_equal(errno, ECANCELED);
	assert_int_equal(s->ticks, 1);
	await_state(pid, 'S', 0);
	pctx_release(pctx);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(status_of(pid), SIGTERM);
	seen_free(s);
}

enum { LATE_MS = 5 };

/* The first tick lasts until at least LATE_MS deadlines of 1 ms are over. */
static int on_late_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	const struct seen *s = arg;
	const int64_t end = now_ms() + LATE_MS + 1;

	while (s->ticks == 0 && now_ms() < end)
		sched_yield();
	return on_tick(pctx, pid, lwpid, arg);
}

/* Deadlines that a tick misses are counted, also as samples; the last sample is taken. */
static void late_ticks_are_counted(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("parked", s);
	const pid_t pid = pctx_pid(pctx);

	(void)state;
	assert_int_equal(pctx_run(pctx, 1, LATE_MS, on_late_tick), 0);
	assert_int_equal(s->ticks, 2);
	assert_true(pctx_skipped(pctx) >= LATE_MS);
	assert_int_equal(s->bad_calls, 0);
	pctx_release(pctx);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(status_of(pid), SIGTERM);
	seen_free(s);
}

static pctx_t *volatile to_stop;

static void on_alarm(int sig)
{
	(void)sig;
	pctx_stop(to_stop);
}

/* A signal handler calls pctx_stop() once, ms from now. */
static void stop_in(pctx_t *pctx, int ms)
{
	const struct itimerval it = {
		.it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};
	const struct sigaction sa = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

	to_stop = pctx;
	assert_int_equal(sigaction(SIGALRM, &sa, NULL), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &it, NULL), 0);
}

static void pctx_stop_interrupts(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("parked", s);
	const pid_t pid = pctx_pid(pctx);
	int status = -1;

	(void)state;
	for (int i = 0; i < 3; i++) {
		errno = 0;
		if (i == 2)
			pctx_stop(pctx);
		else
			stop_in(pctx, 10);
		assert_int_equal(pctx_run(pctx, i ? 3600000 : 0, 0, on_tick), -1);
		assert_int_equal(errno, EINTR);
		await_state(pid, 'S', 1);
		assert_int_equal(pctx_tid(pctx, 1), pid);
	}
	stop_in(pctx, 10);
	errno = 0;
	assert_int_equal(pctx_wait(pctx, &status), -1);
	assert_int_equal(errno, EINTR);
	/* The stop is done: the next call is not stopped. */
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(pctx_wait(pctx, &status), 0);
	assert_int_equal(status, SIGKILL);
	pctx_release(pctx);
	seen_free(s);
}

/*
 * A process may fork or execute while it is detached: nothing stays stopped or is killed.
 */
static void detaches_at_any_time(void **state)
{
	(void)state;
	for (int i = 0; i < 80; i++) {
		struct seen *s = seen_new(i & 1);
		pctx_t *pctx = create(i & 2 ? "execs_on" : "forks_on", s);
		int status = -1;

		set_events(pctx);
		stop_in(pctx, DEADLINE_S * 1000);
		if (pctx_run(pctx, 1 + (unsigned)i / 4 % 10, 1, on_tick) == -1)
			fail_msg("run %d: it is not detached", i);
		if (pctx_wait(pctx, &status) == -1)
			fail_msg("run %d: it does not run on", i);
		assert_int_equal(status, 0);
		setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
		pctx_release(pctx);
		seen_free(s);
	}
}

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

static void refused(int line, pctx_t *pctx, int err, const char *text)
{
	const int e = errno;

	if (pctx || e != err || strcmp(message, text) != 0)
		fail_msg("line %d: errno %d, '%s', not '%s'", line, e, message, text);
	*message = '\0';
}

static void refuses_programs(void **state)
{
	char dir[] = "/tmp/libpctx-test.XXXXXX", path[64], text[128];
	char *const argv[] = {(char[]){"x"}, NULL};

	(void)state;
	assert_non_null(mkdtemp(dir));
	/* An unsearchable folder in PATH would give another error. */
	char *const folders = strdup(getenv("PATH"));
	setenv("PATH", dir, 1);
	errno = 0;
	refused(__LINE__,
		pctx_create("no-such-program-here", argv, NULL, 0, keep_message), ENOENT,
		"create: cannot find program 'no-such-program-here'");
	setenv("PATH", folders, 1);
	free(folders);
	snprintf(path, sizeof path, "%s/file", dir);
	close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	snprintf(text, sizeof text,
		 "create: cannot execute program '%s': Permission denied", path);
	refused(__LINE__, pctx_create(path, argv, NULL, 0, keep_message), EACCES, text);
	snprintf(text, sizeof text,
		 "create: cannot execute program '%s': Permission denied", dir);
	refused(__LINE__, pctx_create(dir, argv, NULL, 0, keep_message), EACCES, text);
	unlink(path);
	snprintf(path, sizeof path, "%s/file/below", dir);
	close(open(strndupa(path, strlen(path) - 6), O_WRONLY | O_CREAT | O_CLOEXEC,
		   0644));
	snprintf(text, sizeof text, "create: cannot find program '%s'", path);
	refused(__LINE__, pctx_create(path, argv, NULL, 0, keep_message), ENOTDIR, text);
	path[strlen(path) - 6] = '\0';
	unlink(path);
	rmdir(dir);
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
	snprintf(
		text, sizeof text,
		"capture: thread %d of pid %d is already being traced by 'other tracer' (pid %d)",
		(int)tid, (int)pid, (int)other);
	/* Threads attached before the failure stay attached until the caller ends. */
	const pid_t caller = fork();
	if (caller == 0) {
		check(!pctx_capture(pid, NULL, 0, keep_message) && errno == EPERM &&
		      strcmp(message, text) == 0);
		_exit(0);
	}
	assert_int_equal(status_of(caller), 0);
	kill(other, SIGKILL);
	kill(pid, SIGKILL);
	status_of(other);
	status_of(pid);

	pid = two_threads(go[1], 1);
	assert_int_equal(read(go[0], &tid, sizeof tid), sizeof tid);
	unsigned flags;
	for (time_t end = time(NULL) + DEADLINE_S; procfs_state(pid, &flags) != 'Z';)
		assert_true(time(NULL) < end);
	snprintf(
		text, sizeof text,
		"capture: pid %d cannot be captured: its first thread has ended, other threads "
		"still run",
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

/* Makes a copy of this program. */
static void copy_self(const char *to, mode_t mode)
{
	const int in = open(self, O_RDONLY | O_CLOEXEC);
	const int out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	char buf[65536];

	assert_true(in != -1 && out != -1);
	for (ssize_t n; (n = read(in, buf, sizeof buf)) > 0;)
		assert_int_equal(write(out, buf, (size_t)n), n);
	assert_int_equal(fchmod(out, mode), 0);
	close(in);
	close(out);
}

/* Runs in a process of user nobody. Returns 0, or the number of the check that failed. */
static int as_nobody(const char *copy, const char *setid, const char *unreadable)
{
	char *argv[] = {(char[]){"program"}, (char[]){"exec_setid"}, NULL};
	char text[256];

	/*
	 * A process that has given up root is not dumpable and cannot be traced:
	 * ptrace(2).
	 */
	if (setgroups(0, NULL) || setgid(65534) || setuid(65534) ||
	    prctl(PR_SET_DUMPABLE, 1))
		return 1;
	setenv("SETID", setid, 1);
	snprintf(text, sizeof text,
		 "create: cannot trace set-id or unreadable program '%s'", setid);
	errno = 0;
	if (pctx_create(setid, argv, NULL, 0, keep_message) || errno != EPERM ||
	    strcmp(message, text) != 0)
		return 2;
	snprintf(text, sizeof text,
		 "create: cannot trace set-id or unreadable program '%s'", unreadable);
	errno = 0;
	if (pctx_create(unreadable, argv, NULL, 0, keep_message) || errno != EPERM ||
	    strcmp(message, text) != 0)
		return 3;
	struct seen *s = seen_new(0);
	pctx_t *pctx = pctx_create(copy, argv, s, 0, keep_message);
	if (!pctx)
		return 4;
	set_events(pctx);
	snprintf(text, sizeof text, "run: %d: execed a program that cannot be tracked",
		 (int)pctx_pid(pctx));
	errno = 0;
	if (pctx_run(pctx, 0, 0, NULL) != -1 || errno != ECANCELED ||
	    strcmp(message, text) != 0 ||
	    strcmp(s->log, "0:init1 0:fini1 0:exec1 'setid exit3' ") != 0)
		return 5;
	pctx_release(pctx);
	seen_free(s);
	/* The parent belongs to root. */
	snprintf(
		text, sizeof text,
		"capture: pid %d: permission denied: the process belongs to another user or is set-id; "
		"tracing it needs CAP_SYS_PTRACE (root)",
		(int)getppid());
	if (access("/proc/sys/kernel/yama", F_OK) == 0)
		return 0;
	errno = 0;
	if (pctx_capture(getppid(), NULL, 0, keep_message) || errno != EPERM ||
	    strcmp(message, text) != 0)
		return 6;
	return 0;
}

static void refuses_setid(void **state)
{
	char dir[] = "/tmp/libpctx-test.XXXXXX", path[3][64];
	static const mode_t mode[3] = {0755, 04755, 0711};
	struct statvfs fs;

	(void)state;
	if (geteuid() != 0 || statvfs("/tmp", &fs) == -1 ||
	    (fs.f_flag & (ST_NOSUID | ST_NOEXEC))) {
		print_message("needs root, and a /tmp that takes set-id programs\n");
		skip();
	}
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chmod(dir, 0755), 0);
	for (int i = 0; i < 3; i++) {
		snprintf(path[i], sizeof path[i], "%s/%d", dir, i);
		copy_self(path[i], mode[i]);
	}
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(as_nobody(path[0], path[1], path[2]));
	const int st = status_of(pid);
	for (int i = 0; i < 3; i++)
		unlink(path[i]);
	rmdir(dir);
	assert_int_equal(st, 0);
}

static void checks_arguments(void **state)
{
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("exit3", s);
	int status;

	(void)state;
	errno = 0;
	assert_int_equal(pctx_set_events(pctx, 99, on_init, PCTX_NULL_EVENT), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(message, "set_events: unknown event type 63");
	errno = 0;
	assert_int_equal(pctx_tid(pctx, 2), -1);
	assert_int_equal(errno, ESRCH);
	errno = 0;
	assert_null(pctx_lwp_data(pctx, 0));
	assert_int_equal(errno, ESRCH);
	assert_int_equal(pctx_tid(pctx, 1), pctx_pid(pctx));
	await_state(pctx_pid(pctx), 't', 1);
	/* The program has not run yet; after pctx_release() it runs. */
	const pid_t pid = pctx_pid(pctx);
	pctx_release(pctx);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0x300);
	pctx_release(NULL);
	seen_free(s);
}

/* NULL arguments fail with EINVAL or do nothing. */
static void refuses_null(void **state)
{
	char *const argv[] = {(char *)"true", NULL};
	int status;

	(void)state;
	errno = 0;
	assert_null(pctx_create(NULL, argv, NULL, 0, keep_message));
	assert_int_equal(errno, EINVAL);
	assert_null(pctx_create("true", NULL, NULL, 0, keep_message));
	errno = 0;
	assert_int_equal(pctx_run(NULL, 0, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_set_events(NULL, PCTX_NULL_EVENT), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(pctx_wait(NULL, &status), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(pctx_pid(NULL), -1);
	assert_int_equal(pctx_tid(NULL, 1), -1);
	assert_null(pctx_lwp_data(NULL, 1));
	assert_int_equal(pctx_skipped(NULL), 0);
	pctx_walk_lwps(NULL, NULL);
	pctx_follow(NULL, NULL);
	pctx_stop(NULL);
	pctx_kill(NULL);
	struct seen *s = seen_new(0);
	pctx_t *pctx = create("exit3", s);
	errno = 0;
	assert_int_equal(pctx_run(pctx, 1, 0, NULL), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	pctx_release(pctx);
	seen_free(s);
}

static void *origin_of_thread(void *arg)
{
	*(pid_t *)arg = procfs_origin(gettid());
	return NULL;
}

/* The origin of a thread is its process; the origin of a process is its parent. */
static void origins(void **state)
{
	pthread_t t;
	pid_t origin = 0;

	(void)state;
	assert_int_equal(pthread_create(&t, NULL, origin_of_thread, &origin), 0);
	assert_int_equal(pthread_join(t, NULL), 0);
	assert_int_equal(origin, getpid());
	assert_int_equal(procfs_origin(getpid()), getppid());
	assert_int_equal(procfs_origin(INT32_MAX), -1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(calls_handlers_in_order, nothing_left),
		cmocka_unit_test_teardown(reports_many_lwps_once, nothing_left),
		cmocka_unit_test_teardown(exec_ends_tracking, nothing_left),
		cmocka_unit_test_teardown(behind_a_launcher, nothing_left),
		cmocka_unit_test_teardown(refuses_launchers, nothing_left),
		cmocka_unit_test_teardown(failing_handlers_end_runs, nothing_left),
		cmocka_unit_test_teardown(detaches_after_samples, nothing_left),
		cmocka_unit_test_teardown(late_ticks_are_counted, nothing_left),
		cmocka_unit_test_teardown(failing_tick_detaches, nothing_left),
		cmocka_unit_test_teardown(pctx_stop_interrupts, nothing_left),
		cmocka_unit_test_teardown(detaches_at_any_time, nothing_left),
		cmocka_unit_test_teardown(captures_all_threads, nothing_left),
		cmocka_unit_test_teardown(refuses_programs, nothing_left),
		cmocka_unit_test_teardown(refuses_processes, nothing_left),
		cmocka_unit_test_teardown(refuses_processes_in_part, nothing_left),
		cmocka_unit_test_teardown(refuses_setid, nothing_left),
		cmocka_unit_test_teardown(checks_arguments, nothing_left),
		cmocka_unit_test_teardown(refuses_null, nothing_left),
		cmocka_unit_test_teardown(origins, nothing_left),
	};

	for (size_t i = 0; argc > 1 && i < sizeof programs / sizeof programs[0]; i++)
		if (strcmp(argv[1], programs[i].word) == 0) {
			alarm(3 * DEADLINE_S);
			_exit(programs[i].run());
		}
	setvbuf(stdout, NULL, _IONBF, 0);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
