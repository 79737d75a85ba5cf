/*
 * The lives of LWPs as the kernel records them. When an LWP ends that has inherited an
 * event with inherit_stat, the kernel writes the LWP's value of the event into a ring:
 * rows of each LWP at the cost of inherited totals.
 */
#ifndef ENGINE_KERNEL_LIFETIMES_H
#define ENGINE_KERNEL_LIFETIMES_H

#include "engine/lifetimes.h"

struct kernel_host;

/* These are the operations of struct engine_lifetimes. */
struct lifetimes *kernel_lifetimes_open(struct kernel_host *host, pid_t holder,
					const struct evsel *const *sel, unsigned n,
					struct why *why);
void kernel_lifetimes_close(struct lifetimes *l);
void kernel_lifetimes_read(struct lifetimes *l, int all, void *arg,
			   void (*fn)(void *arg, const struct engine_life *life));
int kernel_lifetimes_total(struct lifetimes *l, struct count *val);
uint64_t kernel_lifetimes_lost(const struct lifetimes *l);

/*
 * The same by BPF programs (programs.c; engine/bpf/tasks.h): the events are opened on all
 * CPUs, and what a CPU counts belongs to the LWP that it runs.
 */
int kernel_programs_check(struct why *why);
struct lifetimes *kernel_programs_open(struct kernel_host *host,
				       const struct engine_tree *tree,
				       const struct evsel *const *sel, unsigned n,
				       struct why *why);
void kernel_programs_close(struct lifetimes *l);
void kernel_programs_read(struct lifetimes *l, int all, void *arg,
			  void (*fn)(void *arg, const struct engine_life *life));
int kernel_programs_living(struct lifetimes *l, void *arg,
			   void (*fn)(void *arg, const struct engine_life *life));
int kernel_programs_total(struct lifetimes *l, struct count *val);
uint64_t kernel_programs_lost(const struct lifetimes *l);
const char *kernel_programs_why_absent(const struct lifetimes *l);

#endif
