/* The modes that an evsel counts in: user, system, hypervisor. */
#ifndef ENGINE_KERNEL_MODES_H
#define ENGINE_KERNEL_MODES_H

#include "engine/engine.h"
#include "engine/kernel/evsel.h"

/* Set the exclude bits of ev so that it counts in the modes of flags only. */
void kernel_modes_set(struct kernel_event *ev, unsigned flags);

/* Does ev happen in system mode only, whatever mode the program is in? */
int kernel_modes_only_kernel(const struct kernel_event *ev);

/*
 * Mark s as an event of the kernel, and let it count in all modes unless flags has no mode.
 */
void kernel_modes_set_all(struct evsel *s, unsigned flags);

/* Does every kernel take exclude bits for this kind of event? */
int kernel_modes_always_work(const struct kernel_event *ev);

/*
 * Find exclude bits with which s opens: those it has, else fewer of them. Returns -1 with
 * the errno of env->opens(); s is then unchanged, or has the bits that errno is about.
 */
int kernel_modes_settle(const struct select_env *env, struct evsel *s, struct why *why);

/*
 * Set the note of s to how, and say there if modes are counted together, which also makes
 * the class of s worse. An empty note is NULL. Returns -1 with ENOMEM.
 */
int kernel_modes_describe(struct evsel *s, const char *how, struct why *why);

#endif
