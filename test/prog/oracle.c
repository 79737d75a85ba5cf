/*
 * oracle MODE [N]: a program whose threads each call hit() a known number of times.
 *
 * An execution breakpoint on hit() must count exactly these calls. Every thread appends a
 * line "pid tid hits" to the file that $ORACLE names, before it ends or executes another
 * program. `oracle address` prints the address of hit(), which is the same in every
 * process as the program is static.
 */
#include "hit.h"

#include <err.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char **self; /* argv, for the modes that execute the program again */
static pthread_barrier_t gate;
static sem_t reported;

/* The number of hits of thread i: 1 to 13, different for neighbours. */
static unsigned hits_of(long i)
{
	return (unsigned)i * 7 % 13 + 1;
}

static void *one_thread(void *arg)
{
	hit_and_report(hits_of((intptr_t)arg));
	return NULL;
}

static void *gated_thread(void *arg)
{
	pthread_barrier_wait(&gate);
	return one_thread(arg);
}

/* Hits in small portions over many milliseconds, so that ticks fall between them. */
static void *slow_thread(void *arg)
{
	const unsigned n = 100 + hits_of((intptr_t)arg);
	for (unsigned i = 0; i < n; i++) {
		hits(1);
		for (volatile int k = 0; k < 100000; k++)
			;
		if (i % 8 == 0)
			usleep(500);
	}
	hit_report(n);
	return NULL;
}

/* A thread that ends only with its process. */
static void *parked_thread(void *arg)
{
	one_thread(arg);
	sem_post(&reported);
	while (pause() < 0)
		;
	return NULL;
}

static void *slow_parked_thread(void *arg)
{
	slow_thread(arg);
	while (pause() < 0)
		;
	return NULL;
}

static void *forking_thread(void *arg)
{
	const pid_t pid = fork();
	if (pid == 0) {
		hit_and_report(2);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		err(1, "fork");
	return one_thread(arg);
}

static pthread_t start(void *(*body)(void *), long i)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	pthread_t t;
	errno = pthread_create(&t, &attr, body, (void *)(intptr_t)i);
	if (errno)
		err(1, "thread %ld", i);
	pthread_attr_destroy(&attr);
	return t;
}

static void together(long n, void *(*body)(void *))
{
	pthread_t *t = calloc(n + 1, sizeof(*t));
	if (!t)
		err(1, "threads");
	for (long i = 0; i < n; i++)
		t[i] = start(body, i);
	if (body == gated_thread)
		pthread_barrier_wait(&gate);
	for (long i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
	hit_and_report(hits_of(n));
}

static void mode_seq(long n)
{
	for (long i = 0; i < n; i++)
		pthread_join(start(one_thread, i), NULL);
	hit_and_report(hits_of(n));
}

static void mode_live(long n)
{
	pthread_barrier_init(&gate, NULL, n + 1);
	together(n, gated_thread);
}

static void mode_burst(long n)
{
	together(n, one_thread);
}

static void mode_comp(long n)
{
	together(n, slow_thread);
}

/* Creates threads one after another. */
static void *creating_thread(void *arg)
{
	const long n = (intptr_t)arg;

	for (long i = 0; i < n; i++)
		pthread_join(start(one_thread, i), NULL);
	hit_and_report(hits_of(n));
	return NULL;
}

/* n threads by 8 threads, which create them at the same time. */
static void mode_creators(long n)
{
	pthread_t creator[8];

	for (int i = 0; i < 8; i++)
		creator[i] = start(creating_thread, n / 8);
	for (int i = 0; i < 8; i++)
		pthread_join(creator[i], NULL);
	hit_and_report(hits_of(n));
}

static void mode_tforks(long n)
{
	together(n, forking_thread);
}

static void mode_one(long n)
{
	hit_and_report(hits_of(n));
}

/* Threads that report their hits, then sleep until SIGTERM ends the process. */
static void mode_hold(long n)
{
	sigset_t term;
	sigemptyset(&term);
	sigaddset(&term, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &term, NULL);
	for (long i = 0; i < n; i++)
		start(slow_parked_thread, i);
	slow_thread((void *)(intptr_t)n);
	int sig;
	sigwait(&term, &sig);
}

static void mode_forks(long n)
{
	for (long i = 0; i < n; i++) {
		const pid_t pid = fork();
		if (pid == 0) {
			hit_and_report(hits_of(i));
			_exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			err(1, "fork %ld", i);
	}
	hit_and_report(hits_of(n));
}

/* Children created with flags of clone(2); they end before their creator goes on. */
static void clone_children(unsigned long flags, long n)
{
	for (long i = 0; i < n; i++) {
		int end[2];
		char none;

		if (pipe(end) == -1)
			err(1, "pipe");
		const long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
		if (pid == 0) {
			hit_and_report(hits_of(i));
			_exit(0);
		}
		close(end[1]);
		if (pid < 0 || read(end[0], &none, 1) != 0)
			err(1, "clone %ld", i);
		close(end[0]);
	}
	hit_and_report(hits_of(n));
}

/* n processes that die by SIGKILL, with a thread that has ended and one that sleeps. */
static void mode_kill(long n)
{
	for (long i = 0; i < n; i++) {
		const pid_t pid = fork();

		if (pid == 0) {
			start(parked_thread, i);
			sem_wait(&reported);
			pthread_join(start(one_thread, i + 1), NULL);
			hit_and_report(hits_of(i + 2));
			raise(SIGKILL);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			err(1, "fork %ld", i);
	}
	hit_and_report(hits_of(n));
}

static void mode_untraced(long n)
{
	clone_children(CLONE_UNTRACED, n);
}

/* The children are children of this process's parent. */
static void mode_siblings(long n)
{
	clone_children(CLONE_PARENT, n);
}

/*
 * created is a pipe that all processes of the tree inherit. A process reads its end when
 * the last process has been created.
 */
static void tree(long n, const int created[2])
{
	pid_t pid = -1;
	char none;

	for (int i = 0; i < 3 && n > 0 && pid != 0; i++) {
		pid = fork();
		if (pid < 0)
			err(1, "fork");
	}
	if (n > 0 && pid == 0) {
		tree(n - 1, created);
		_exit(0);
	}
	close(created[1]);
	if (read(created[0], &none, 1) != 0)
		err(1, "read");
	hit_and_report(hits_of(n));
	while (wait(NULL) > 0 || errno == EINTR)
		;
}

/* n levels of three children each, all at the same time. */
static void mode_tree(long n)
{
	int created[2];

	if (pipe(created) == -1)
		err(1, "pipe");
	tree(n, created);
}

/* Executes this program again. */
static void exec_self(const char *mode, long n)
{
	char number[24];
	snprintf(number, sizeof(number), "%ld", n);
	execl("/proc/self/exe", self[0], mode, number, (char *)NULL);
	err(1, "exec");
}

static void mode_exec(long n)
{
	for (long i = 0; i < n; i++) {
		const pid_t pid = fork();
		if (pid == 0) {
			hit_and_report(3);
			exec_self("one", i);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			err(1, "fork %ld", i);
	}
	hit_and_report(hits_of(n));
}

static void vfork_once(void)
{
	const pid_t pid = vfork();
	if (pid == 0) {
		hit_and_report(4);
		execl("/proc/self/exe", self[0], "one", "5", (char *)NULL);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		err(1, "vfork");
}

static void mode_vfork(long n)
{
	for (long i = 0; i < n; i++)
		vfork_once();
	hit_and_report(hits_of(n));
}

/* The process executes itself n times. */
static void mode_chain(long n)
{
	hit_and_report(hits_of(n));
	if (n > 0)
		exec_self("chain", n - 1);
}

static void *executing_thread(void *arg)
{
	const long n = (intptr_t)arg;
	sem_wait(&reported);
	sem_wait(&reported);
	hit_and_report(5);
	exec_self("nlexec", n - 1);
	return NULL;
}

/* A thread that is not the first executes the program, while two other threads sleep. */
static void mode_nlexec(long n)
{
	if (n == 0) {
		hit_and_report(3);
		return;
	}
	start(parked_thread, n);
	start(executing_thread, n);
	parked_thread((void *)(intptr_t)(n + 1));
}

static void *survivor(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	hit_and_report(7);
	exit(0);
}

/* The first thread ends before the second. */
static void mode_leaderexit(long n)
{
	static pthread_t first;
	first = pthread_self();
	start(survivor, (intptr_t)&first);
	hit_and_report(hits_of(n));
	pthread_exit(NULL);
}

static void *headless_survivor(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	hit_and_report(7);
	while (pause() < 0)
		;
	return NULL;
}

/* The first thread ends; the second sleeps, and ignores SIGINT. */
static void mode_headless(long n)
{
	static pthread_t first;
	signal(SIGINT, SIG_IGN);
	first = pthread_self();
	start(headless_survivor, (intptr_t)&first);
	hit_and_report(hits_of(n));
	pthread_exit(NULL);
}

static void on_signal(int sig)
{
	(void)sig;
	hits(1);
}

/*
 * n hits, one every millisecond on a fixed schedule: a hit that is late does not delay
 * the next, so the rate is known whatever else runs.
 */
static void mode_beat(long n)
{
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	for (long i = 0; i < n; i++) {
		at.tv_nsec += 1000000;
		at.tv_sec += at.tv_nsec / 1000000000;
		at.tv_nsec %= 1000000000;
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		hits(1);
	}
	hit_report(n);
}

/* The handler of n signals calls hit(). */
static void mode_signals(long n)
{
	signal(SIGUSR1, on_signal);
	for (long i = 0; i < n; i++)
		raise(SIGUSR1);
	hit_report(n);
}

/* Dies by a signal while another thread sleeps. */
static void mode_crash(long n)
{
	start(parked_thread, n);
	sem_wait(&reported);
	hit_and_report(6);
	abort();
}

/* A filter that kills the process if it counts or traces, and then threads as of seq. */
static void mode_seccomp(long n)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ptrace, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
	};
	const struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter))
		err(1, "seccomp");
	mode_seq(n);
}

static const struct {
	const char *name;
	void (*run)(long n);
} mode[] = {
	{"one", mode_one},	     {"seq", mode_seq},
	{"live", mode_live},	     {"burst", mode_burst},
	{"comp", mode_comp},	     {"hold", mode_hold},
	{"forks", mode_forks},	     {"tforks", mode_tforks},
	{"tree", mode_tree},	     {"exec", mode_exec},
	{"vfork", mode_vfork},	     {"chain", mode_chain},
	{"nlexec", mode_nlexec},     {"leaderexit", mode_leaderexit},
	{"signals", mode_signals},   {"crash", mode_crash},
	{"untraced", mode_untraced}, {"siblings", mode_siblings},
	{"beat", mode_beat},	     {"seccomp", mode_seccomp},
	{"kill", mode_kill},	     {"creators", mode_creators},
	{"headless", mode_headless},
};

int main(int argc, char **argv)
{
	alarm(300); /* the program ends even if the test does not end it */
	if (argc == 2 && strcmp(argv[1], "address") == 0) {
		hit_print_address();
		return 0;
	}
	self = argv;
	sem_init(&reported, 0, 0);
	for (size_t i = 0; argc > 1 && i < sizeof(mode) / sizeof(mode[0]); i++)
		if (strcmp(argv[1], mode[i].name) == 0) {
			mode[i].run(argc > 2 ? atol(argv[2]) : 8);
			return 0;
		}
	fprintf(stderr, "usage: oracle MODE [N]\n");
	return 2;
}
