/*
 * What a set counts on CPUs, and in cgroups on CPUs, while the caller stays where it is.
 * A set can count in hundreds of places at the same time, each of which has a struct
 * cpc_remote; cpc_bind_cpu(3) needs a copy of the set for each CPU. The memory of a place
 * is small, because samples of many places take time mostly for memory that is not in the
 * caches.
 */
#ifndef CPC_REMOTE_H
#define CPC_REMOTE_H

#include <libcpc.h>
#include "engine/engine.h"

/* A place in which a set counts, and the last sample there. */
struct cpc_remote;

/*
 * Return a place for sets of up to n requests, in which nothing is bound; or NULL with
 * ENOMEM. The caller frees it with cpc_remote_free() before the session is closed.
 */
struct cpc_remote *cpc_remote_new(unsigned n);

/* Unbind what is bound in r, and free r. NULL is allowed. */
void cpc_remote_free(cpc_t *cpc, struct cpc_remote *r);

/*
 * Count a set on a CPU; or, if cgroup is not NULL, what runs there in the cgroup, which
 * is not needed after the call. What was bound in r before is unbound. The set must not
 * change, and not be destroyed, while it is bound.
 *
 * In a cgroup a value that was never enabled is 0, of its best class: the cgroup did not
 * run on the CPU. A CPU that goes offline is not noticed there: the values stop.
 *
 * Returns 0; or -1 with EINVAL if the set has more requests than r has room for, is
 * empty, or is not a set of this session; or with an errno of cpc_bind_cpu(3) after a
 * message.
 */
int cpc_remote_bind(cpc_t *cpc, struct cpc_remote *r, cpc_set_t *set,
		    const struct engine_cgroup *cgroup, int cpu);

/* Stop counting. errno is kept. */
void cpc_remote_unbind(cpc_t *cpc, struct cpc_remote *r);

/*
 * Sample the set that is bound in r: fill value[] with what its requests have counted
 * since the sample before, or since the bind, without their presets, and *on with the ns
 * for which the set has counted in that time. The caller reads the clock, which takes
 * about as long as all else here, as often as needed. Returns 0; or -1 with an errno of
 * cpc_set_sample(3), and the next sample includes the time of this one.
 */
int cpc_remote_sample(cpc_t *cpc, struct cpc_remote *r, const cpc_set_t *set,
		      cpc_value_t *value, uint64_t *on);

/*
 * Fill value[] with what the requests of the set have counted since the bind. The next
 * sample is the same as without this call. Returns as cpc_remote_sample().
 */
int cpc_remote_peek(cpc_t *cpc, const struct cpc_remote *r, const cpc_set_t *set,
		    cpc_value_t *value);

/* Return the cycles of the time-stamp counter in so many ns. */
uint64_t cpc_remote_cycles(cpc_t *cpc, uint64_t on);

/*
 * Ask the processor to load memory into its caches while the kernel reads the counters
 * of another place. The set is sampled in next, and later in after. The memory of the
 * engine for next is loaded, and after itself, which has the address of the engine's
 * memory for it. Both can be NULL.
 */
void cpc_remote_prefetch(const cpc_set_t *set, const struct cpc_remote *next,
			 const struct cpc_remote *after);

#endif
