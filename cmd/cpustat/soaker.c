#include "soaker.h"

#include <err.h>
#include <errno.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum state { WAIT, SPIN, END };

struct spinner {
	struct spinner *next;
	struct soaker *soaker;
	int cpu;
	uint32_t end; /* nonzero ends the thread */
	pthread_t thread;
};

struct soaker {
	uint32_t state; /* enum state of all threads; a futex */
	struct spinner *first;
};

/* The thread spins in user mode, which a set of system mode only does not count. */
static void *spin(void *arg)
{
	const struct sched_param none = {0};
	const struct spinner *p = arg;
	uint32_t *state = &p->soaker->state;

	sched_setscheduler(0, SCHED_IDLE, &none);
	while (!__atomic_load_n(&p->end, __ATOMIC_RELAXED)) {
		switch (__atomic_load_n(state, __ATOMIC_RELAXED)) {
		case END:
			return NULL;
		case WAIT:
			syscall(SYS_futex, state, FUTEX_WAIT_PRIVATE, WAIT, NULL, NULL,
				0);
		}
	}
	return NULL;
}

/*
 * Start a thread that is bound to its CPU, yields to all other threads (SCHED_IDLE in
 * sched(7)), and receives no signal.
 */
static int start(struct spinner *p)
{
	const size_t size = CPU_ALLOC_SIZE(p->cpu + 1);
	cpu_set_t *cpus = CPU_ALLOC(p->cpu + 1);
	pthread_attr_t attr;
	sigset_t all, before;

	if (!cpus)
		return ENOMEM;
	CPU_ZERO_S(size, cpus);
	CPU_SET_S((size_t)p->cpu, size, cpus);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
	pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setaffinity_np(&attr, size, cpus);
	pthread_attr_setschedpolicy(&attr, SCHED_OTHER);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int rc = pthread_create(&p->thread, &attr, spin, p);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attr);
	CPU_FREE(cpus);
	return rc;
}

struct soaker *soaker_new(void)
{
	return calloc(1, sizeof(struct soaker));
}

static void set_state(struct soaker *s, enum state state)
{
	__atomic_store_n(&s->state, state, __ATOMIC_RELAXED);
	syscall(SYS_futex, &s->state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void soaker_run(struct soaker *s, int on)
{
	set_state(s, on ? SPIN : WAIT);
}

int soaker_add(struct soaker *s, int cpu)
{
	for (const struct spinner *p = s->first; p; p = p->next)
		if (p->cpu == cpu)
			return 0;
	struct spinner *p = calloc(1, sizeof *p);
	int e = ENOMEM;
	if (p) {
		*p = (struct spinner){s->first, s, cpu, 0, 0};
		e = start(p);
	}
	if (e == 0) {
		s->first = p;
		return 0;
	}
	free(p);
	errno = e;
	warn("couldn't start soaker thread on cpu%d", cpu);
	return -1;
}

/*
 * Take a thread out of SCHED_IDLE. It must run once more to end, and on a busy CPU an
 * idle thread may wait many seconds for that. The kernel refuses this without
 * CAP_SYS_NICE or a matching RLIMIT_NICE (getrlimit(2)); then we wait.
 */
static void hurry(const struct spinner *p)
{
	const struct sched_param none = {0};

	pthread_setschedparam(p->thread, SCHED_OTHER, &none);
}

static void join(struct spinner *p)
{
	pthread_join(p->thread, NULL);
	free(p);
}

/* All threads spin while one ends, so that this thread sees its flag. */
void soaker_drop(struct soaker *s, int cpu)
{
	const enum state before = s->state;

	for (struct spinner **link = &s->first; *link; link = &(*link)->next)
		if ((*link)->cpu == cpu) {
			struct spinner *p = *link;
			*link = p->next;
			hurry(p);
			__atomic_store_n(&p->end, 1, __ATOMIC_RELAXED);
			set_state(s, SPIN);
			join(p);
			set_state(s, before);
			return;
		}
}

void soaker_free(struct soaker *s)
{
	if (!s)
		return;
	for (const struct spinner *p = s->first; p; p = p->next)
		hurry(p);
	set_state(s, END);
	while (s->first) {
		struct spinner *p = s->first;
		s->first = p->next;
		join(p);
	}
	free(s);
}
