/*
 * -s: a thread on each CPU that runs whenever nothing else does, so that the idle loop of
 * the kernel does not. Source: cpustat(1M), -s
 */
#ifndef CPUSTAT_SOAKER_H
#define CPUSTAT_SOAKER_H

struct soaker;

/* None runs yet. NULL: ENOMEM. */
struct soaker *soaker_new(void);

/* Ends the threads. NULL is allowed. */
void soaker_free(struct soaker *s);

/* A thread for this CPU too, unless there is one. -1: as pthread_create(3); it was told. */
int soaker_add(struct soaker *s, int cpu);

/* The CPU is gone: so is its thread. */
void soaker_drop(struct soaker *s, int cpu);

/* Let all run, or wait. */
void soaker_run(struct soaker *s, int on);

#endif
