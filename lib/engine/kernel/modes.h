/* The modes in which an evsel counts: user, system, hypervisor. */
#ifndef ENGINE_KERNEL_MODES_H
#define ENGINE_KERNEL_MODES_H

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

/* Let ev count only in the modes of flags (CPC_COUNT_USER, CPC_COUNT_SYSTEM). */
void kernel_modes_set(struct kernel_event *ev, unsigned flags);

/* Does ev happen in system mode only? */
int kernel_modes_only_kernel(const struct kernel_event *ev);

/* Mark s as an event of the kernel; count it in all modes, unless flags names no mode. */
void kernel_modes_set_all(struct evsel *s, unsigned flags);

/* Returns the modes in which s is counted: CPC_COUNT_USER, CPC_COUNT_SYSTEM. */
unsigned kernel_modes_of(const struct evsel *s);

/*
 * Clear as few exclude bits of s as its PMU requires. Returns 0 if s opens, else -1 with
 * errno and *why of env->opens().
 */
int kernel_modes_settle(const struct select_env *env, struct evsel *s, struct why *why);

/*
 * Set the note of s to how and, if modes are counted together, say so in the note and
 * make the class approximate. An empty note is NULL. Returns -1 with ENOMEM.
 */
int kernel_modes_describe(struct evsel *s, const char *how, struct why *why);

#endif
