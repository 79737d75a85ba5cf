/*
 * -s: a thread on each CPU that runs whenever the CPU would be idle, so that a set of
 * system mode does not count the kernel's idle loop. Source: cpustat(1M), -s.
 */
#ifndef CPUSTAT_SOAKER_H
#define CPUSTAT_SOAKER_H

struct soaker;

/* Returns a soaker without threads, or NULL with ENOMEM. */
struct soaker *soaker_new(void);

/* End the threads and free the soaker. NULL is allowed. */
void soaker_free(struct soaker *s);

/*
 * Start the thread of a CPU, unless it has one. Returns -1 after a message, with errno of
 * pthread_create(3).
 */
int soaker_add(struct soaker *s, int cpu);

/* End the thread of a CPU that went away. */
void soaker_drop(struct soaker *s, int cpu);

/* Let all threads spin (on 1), or wait (on 0). */
void soaker_run(struct soaker *s, int on);

#endif
