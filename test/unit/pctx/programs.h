/*
 * The programs that the tests of libpctx control: the test program itself, started again
 * with a word as its argument. None ends by exit(3), because LeakSanitizer does not work
 * in a traced process.
 */
#ifndef PCTX_PROGRAMS_H
#define PCTX_PROGRAMS_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char self[] = "/proc/self/exe";

static inline void check(int ok)
{
	if (!ok)
		_exit(99);
}

static inline void run_self(const char *word)
{
	execl(self, "again", word, (char *)NULL);
	_exit(98);
}

static inline void *nothing(void *arg)
{
	return arg;
}

static inline void *park(void *arg)
{
	for (;;)
		pause();
	return arg;
}

static inline int exit3(void)
{
	return 3;
}

static inline int parked(void)
{
	park(NULL);
	return 0;
}

static inline int status_of(pid_t pid)
{
	int st;

	while (waitpid(pid, &st, 0) == -1)
		check(errno == EINTR);
	return st;
}

/* The parent must see the status of its child, followed or not. */
static inline int forks(void)
{
	const pid_t pid = fork();

	if (pid == 0)
		_exit(7);
	return WEXITSTATUS(status_of(pid));
}

static inline int spawns(void)
{
	const pid_t pid = vfork();

	if (pid == 0)
		run_self("exit3");
	return WEXITSTATUS(status_of(pid)) + 1;
}

static inline int execs(void)
{
	run_self("exit3");
	return 1;
}

static inline void *exec_thread(void *arg)
{
	run_self("exit3");
	return arg;
}

static inline int thread_execs(void)
{
	pthread_t t;

	check(pthread_create(&t, NULL, exec_thread, NULL) == 0);
	return parked();
}

static inline void *after_leader(void *arg)
{
	char path[64], text[512] = "", state = 'R';

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid());
	while (state != 'Z') {
		FILE *f = fopen(path, "re");

		check(f && fgets(text, sizeof text, f) &&
		      sscanf(text, "%*d (%*[^)]) %c", &state) == 1);
		fclose(f);
		sched_yield();
	}
	syscall(SYS_exit, 0);
	return arg;
}

static inline int leader_first(void)
{
	pthread_t t;

	check(pthread_create(&t, NULL, after_leader, NULL) == 0);
	syscall(SYS_exit, 0);
	return 1;
}

enum { THREADS = 50, STARTED = THREADS / 2 };

/* How many threads of threads_at_end() have run; a thread is reported before it runs. */
static unsigned started;

static inline void *start(void *parks)
{
	__atomic_fetch_add(&started, 1, __ATOMIC_SEQ_CST);
	return parks ? park(NULL) : NULL;
}

/*
 * The threads are not joined: when the process ends, some have ended, some live and some
 * are just created. At least STARTED have run by then; the process may end before the
 * first instruction of the rest.
 */
static inline int threads_at_end(void)
{
	pthread_t t;

	for (int i = 0; i < THREADS; i++)
		check(pthread_create(&t, NULL, start, i & 1 ? NULL : &t) == 0);
	while (__atomic_load_n(&started, __ATOMIC_SEQ_CST) < STARTED)
		sched_yield();
	return 5;
}

static inline int threads_killed(void)
{
	threads_at_end();
	kill(getpid(), SIGKILL);
	return parked();
}

static inline int threads_joined(void)
{
	pthread_t t[THREADS];

	for (int i = 0; i < THREADS; i++)
		check(pthread_create(&t[i], NULL, nothing, NULL) == 0);
	for (int i = 0; i < THREADS; i++)
		check(pthread_join(t[i], NULL) == 0);
	return 6;
}

/* A parent sees its child stop and continue, as a shell does for job control. */
static inline int stops(void)
{
	const pid_t pid = fork();
	int st;

	if (pid == 0) {
		raise(SIGSTOP);
		_exit(11);
	}
	check(waitpid(pid, &st, WUNTRACED) == pid && WIFSTOPPED(st) &&
	      WSTOPSIG(st) == SIGSTOP);
	check(kill(pid, SIGCONT) == 0);
	check(waitpid(pid, &st, WCONTINUED) == pid);
	if (WIFCONTINUED(st))
		st = status_of(pid);
	return WEXITSTATUS(st);
}

static volatile sig_atomic_t caught;

static void catch (int sig)
{
	(void)sig;
	caught++;
}

static inline int signals(void)
{
	check(signal(SIGUSR1, catch) != SIG_ERR && signal(SIGTRAP, catch) != SIG_ERR);
	for (int i = 0; i < 50; i++)
		check(raise(SIGUSR1) == 0 && raise(SIGTRAP) == 0);
	return caught;
}

enum { BRANCHES = 4, CHILDREN = 25, GRANDCHILDREN = 19 };

static inline void children(int n, void (*fn)(void))
{
	for (int i = 0; i < n; i++) {
		const pid_t pid = fork();

		check(pid != -1);
		if (pid == 0) {
			if (fn)
				fn();
			_exit(0);
		}
	}
	for (int i = 0; i < n; i++)
		check(status_of(-1) == 0);
}

static inline void grandchildren(void)
{
	children(GRANDCHILDREN, NULL);
}

static inline void *branch(void *arg)
{
	pid_t pid[CHILDREN];

	for (int i = 0; i < CHILDREN; i++) {
		pid[i] = fork();
		check(pid[i] != -1);
		if (pid[i] == 0) {
			grandchildren();
			_exit(0);
		}
	}
	for (int i = 0; i < CHILDREN; i++)
		check(status_of(pid[i]) == 0);
	return arg;
}

/*
 * BRANCHES * CHILDREN * (1 + GRANDCHILDREN) = 2000 processes, forked by many threads at
 * once.
 */
static inline int tree(void)
{
	pthread_t t[BRANCHES];

	for (int i = 0; i < BRANCHES; i++)
		check(pthread_create(&t[i], NULL, branch, NULL) == 0);
	for (int i = 0; i < BRANCHES; i++)
		check(pthread_join(t[i], NULL) == 0);
	return 0;
}

/* Forks all the time, so that a detach comes during a fork. */
static inline int forks_on(void)
{
	for (int i = 0; i < 60; i++)
		children(1, NULL);
	return 0;
}

/* Executes 30 times, each time by a thread other than the first, beside other threads. */
static inline void *exec_again(void *arg)
{
	char left[16];
	const char *now = getenv("LEFT");

	snprintf(left, sizeof left, "%d", (now ? atoi(now) : 30) - 1);
	check(setenv("LEFT", left, 1) == 0);
	run_self(atoi(left) ? "execs_on" : "no_more");
	return arg;
}

static inline int execs_on(void)
{
	pthread_t t;

	for (int i = 0; i < 3; i++)
		check(pthread_create(&t, NULL, i == 2 ? exec_again : park, NULL) == 0);
	return parked();
}

static inline int no_more(void)
{
	return 0;
}

static inline void *creator(void *arg)
{
	for (int i = 0; i < 150; i++) {
		pthread_t t;

		check(pthread_create(&t, NULL, nothing, NULL) == 0 &&
		      pthread_join(t, NULL) == 0);
	}
	return arg;
}

/* Threads that create threads all the time. */
static inline int creators(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		check(pthread_create(&t[i], NULL, creator, NULL) == 0);
	for (int i = 0; i < 3; i++)
		check(pthread_join(t[i], NULL) == 0);
	return 4;
}

static inline int exec_setid(void)
{
	execl(getenv("SETID"), "setid", "exit3", (char *)NULL);
	return 98;
}

static const struct {
	const char *word;
	int (*run)(void);
} programs[] = {
	{"exit3", exit3},
	{"parked", parked},
	{"forks", forks},
	{"spawns", spawns},
	{"execs", execs},
	{"thread_execs", thread_execs},
	{"leader_first", leader_first},
	{"threads_at_end", threads_at_end},
	{"threads_killed", threads_killed},
	{"threads_joined", threads_joined},
	{"stops", stops},
	{"signals", signals},
	{"tree", tree},
	{"forks_on", forks_on},
	{"execs_on", execs_on},
	{"no_more", no_more},
	{"creators", creators},
	{"exec_setid", exec_setid},
};

#endif
