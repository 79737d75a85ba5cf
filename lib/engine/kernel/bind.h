/* Opening and binding of evsels in a session, and the reasons why the kernel refuses. */
#ifndef ENGINE_KERNEL_BIND_H
#define ENGINE_KERNEL_BIND_H

#include "engine/engine.h"
#include "engine/kernel/group.h"
#include "engine/kernel/plan.h"
#include "engine/kernel/pmu.h"
#include "engine/kernel/sysfs.h"

/* The machine that a session counts on. What it has is looked up at first use. */
struct kernel_host {
	struct kernel_env env;
	int counters; /* use kernel_host_has_counters() */
	int ncores;   /* use kernel_host_cores() */
	struct kernel_core core[KERNEL_SYSFS_CORES];
	struct kernel_plans plans;
	struct kernel_pmus pmus;
};

void kernel_host_init(struct kernel_host *host, const struct kernel_env *env);
void kernel_host_free(struct kernel_host *host); /* frees what host holds, not host */

/* The number of core PMUs of the machine; core[] then has them. */
unsigned kernel_host_cores(struct kernel_host *host);

/* Does the machine have hardware counters? */
int kernel_host_has_counters(struct kernel_host *host);

/*
 * Fill *why with the reason why the kernel refused evsel s on target t, and set errno,
 * which must be the kernel's, to match. parts: how many descriptors t needs in all.
 */
void kernel_bind_refuse(struct kernel_host *host, const struct evsel *s,
			const struct kernel_failure *f, const struct target *t,
			unsigned parts, struct why *why);

/* Open s on a target and close it again. Returns 0, or -1 with errno and *why. */
int kernel_bind_try(struct kernel_host *host, const struct evsel *s,
		    const struct target *t, struct why *why);

/* bind(), read() and unbind() of struct engine_ops. */
struct group *kernel_bind_open(struct kernel_host *host, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why);
int kernel_bind_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on);
void kernel_bind_close(struct group *g);

#endif
