/* Binding of evsels to a target, and the messages about refusals of the kernel. */
#ifndef ENGINE_KERNEL_BIND_H
#define ENGINE_KERNEL_BIND_H

#include "engine/engine.h"
#include "engine/kernel/group.h"
#include "engine/kernel/plan.h"
#include "engine/kernel/pmu.h"
#include "engine/kernel/sysfs.h"

/* The machine that a session counts on. Its properties are looked up at first use. */
struct kernel_host {
	struct kernel_env env;
	int counters; /* use kernel_host_has_counters() */
	int ncores;   /* use kernel_host_cores() */
	struct kernel_core core[KERNEL_SYSFS_CORES];
	struct kernel_plans plans;
	struct kernel_pmus pmus;
};

/* *host must be all zero. */
void kernel_host_init(struct kernel_host *host, const struct kernel_env *env);
void kernel_host_free(struct kernel_host *host); /* frees the members of host */

/* Fill host->core[] with the core PMUs of the machine; returns their number. */
unsigned kernel_host_cores(struct kernel_host *host);

/* Does the machine have hardware counters? */
int kernel_host_has_counters(struct kernel_host *host);

/*
 * Explain in *why why the kernel refused evsel s on target t. errno must be the kernel's;
 * it is kept, or changed to fit the explanation. parts: descriptors that t needs in all.
 * Does nothing if why is NULL.
 */
void kernel_bind_refuse(struct kernel_host *host, const struct evsel *s,
			const struct kernel_failure *f, const struct target *t,
			unsigned parts, struct why *why);

/*
 * Open s on target t and close it again. Returns 0, or -1 with errno and *why, unless why
 * is NULL.
 */
int kernel_bind_try(struct kernel_host *host, const struct evsel *s,
		    const struct target *t, struct why *why);

/*
 * Open s on the first CPU that has its PMU, of those that the caller may run on, and
 * close it again. Returns 0, or -1 with errno and *why, unless why is NULL.
 */
int kernel_bind_try_cpus(struct kernel_host *host, const struct evsel *s,
			 struct why *why);

/* These are bind(), read() and unbind() of struct engine_ops. */
struct group *kernel_bind_open(struct kernel_host *host, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why);
int kernel_bind_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on);
void kernel_bind_close(struct group *g);

#endif
