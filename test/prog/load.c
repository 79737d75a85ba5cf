/* load MODE [N]: work of a known kind, to measure the costs of counting. */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t gate;
static volatile uint64_t sink;

static void some_work(uint64_t s)
{
	for (int i = 0; i < 1000; i++)
		s = s * 6364136223846793005UL + 1;
	sink = s;
}

static void *short_thread(void *arg)
{
	some_work((uintptr_t)arg);
	return NULL;
}

static void *gated_thread(void *arg)
{
	pthread_barrier_wait(&gate);
	return arg;
}

static pthread_t start(void *(*body)(void *), void *arg, size_t stack)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	if (stack)
		pthread_attr_setstacksize(&attr, stack);
	pthread_t t;
	errno = pthread_create(&t, &attr, body, arg);
	if (errno)
		err(1, "thread");
	pthread_attr_destroy(&attr);
	return t;
}

/* n threads, one after another. */
static void seq(long n)
{
	for (long i = 0; i < n; i++)
		pthread_join(start(short_thread, (void *)(uintptr_t)i, 0), NULL);
}

static void together(long n, void *(*body)(void *), void *arg)
{
	pthread_t *t = calloc(n + 1, sizeof(*t));
	if (!t)
		err(1, "threads");
	for (long i = 0; i < n; i++)
		t[i] = start(body, arg, 65536);
	if (body == gated_thread)
		pthread_barrier_wait(&gate);
	for (long i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	free(t);
}

/* n threads that all exist at the same time. */
static void live(long n)
{
	pthread_barrier_init(&gate, NULL, n + 1);
	together(n, gated_thread, NULL);
}

static void *creating_thread(void *arg)
{
	for (uintptr_t i = 0; i < (uintptr_t)arg; i++)
		pthread_join(start(short_thread, arg, 65536), NULL);
	return NULL;
}

/* n threads that 8 others create, each of them one after another. */
static void creators(long n)
{
	together(8, creating_thread, (void *)(uintptr_t)(n / 8));
}

static void count_signal(int sig)
{
	(void)sig;
	sink++;
}

/* n signals that the program sends itself. */
static void signals(long n)
{
	signal(SIGUSR1, count_signal);
	for (long i = 0; i < n; i++)
		raise(SIGUSR1);
}

static void reap(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		err(1, "fork");
}

/* n children, one after another. */
static void forks(long n)
{
	for (long i = 0; i < n; i++) {
		const pid_t pid = fork();
		if (pid == 0) {
			some_work(i);
			_exit(0);
		}
		reap(pid);
	}
}

/* n children, one after another, that execute the program $LOAD_EXEC. */
static void execs(long n)
{
	const char *file = getenv("LOAD_EXEC");
	if (!file)
		errx(2, "LOAD_EXEC is not set");
	for (long i = 0; i < n; i++) {
		const pid_t pid = fork();
		if (pid == 0) {
			execl(file, file, (char *)NULL);
			_exit(127);
		}
		reap(pid);
	}
}

static int ping[2], pong[2]; /* pipes */

/* Passes a byte on n times. */
static void pass_on(int from, int to, long n)
{
	for (char c = 0; n > 0; n--)
		if (read(from, &c, 1) != 1 || write(to, &c, 1) != 1)
			err(1, "pipe");
}

static void *pong_thread(void *arg)
{
	pass_on(ping[0], pong[1], (intptr_t)arg);
	return NULL;
}

/* n switches between two threads on one processor. */
static void switches(long n)
{
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one) || pipe(ping) || pipe(pong))
		err(1, "switch");
	const long turns = n / 2;
	pthread_t t = start(pong_thread, (void *)(intptr_t)turns, 0);
	if (write(ping[1], "", 1) != 1)
		err(1, "pipe");
	pass_on(pong[0], ping[1], turns);
	pthread_join(t, NULL);
}

static void *compute_thread(void *arg)
{
	uint64_t s = 88172645463325252;
	for (uint64_t i = 0; i < (uintptr_t)arg; i++) {
		s ^= s << 13;
		s ^= s >> 7;
		s ^= s << 17;
	}
	sink = s;
	return NULL;
}

/* 8 threads of n million steps each. */
static void compute(long n)
{
	together(8, compute_thread, (void *)(uintptr_t)(n * 1000000));
}

/*
 * n page faults, one every millisecond on a fixed schedule, and no others: all other
 * memory is locked, as a machine may page out a sleeping program.
 */
static void faults(long n)
{
	if (mlockall(MCL_CURRENT))
		err(1, "mlockall");
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			  -1, 0);
	if (page == MAP_FAILED)
		err(1, "memory");
	struct timespec at;
	clock_gettime(CLOCK_MONOTONIC, &at);
	for (long i = 0; i < n; i++) {
		at.tv_nsec += 1000000;
		if (at.tv_nsec >= 1000000000) {
			at.tv_nsec -= 1000000000;
			at.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
		*page = 1;
		madvise(page, 4096, MADV_DONTNEED);
	}
}

static const struct {
	const char *name;
	void (*run)(long n);
	long n; /* default */
} mode[] = {
	{"seq", seq, 2000},
	{"live", live, 2000},
	{"creators", creators, 10000},
	{"signals", signals, 20000},
	{"forks", forks, 2000},
	{"execs", execs, 300},
	{"switches", switches, 40000},
	{"compute", compute, 180},
	{"faults", faults, 1000},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(mode) / sizeof(mode[0]); i++)
		if (strcmp(argv[1], mode[i].name) == 0) {
			mode[i].run(argc > 2 ? atol(argv[2]) : mode[i].n);
			return 0;
		}
	fprintf(stderr, "usage: load MODE [N]\n");
	return 2;
}
