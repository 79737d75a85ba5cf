/*
 * What sets count on CPUs, and in cgroups on CPUs, while the caller stays where it is. A
 * set can count in hundreds of places at the same time; cpc_bind_cpu(3) needs a copy of
 * the set for each CPU. The places are in one table, since samples of many places take
 * time mostly for memory that is not in the caches.
 */
#ifndef CPC_REMOTE_H
#define CPC_REMOTE_H

#include <libcpc.h>
#include "engine/engine.h"

/* A table of places, each with the set that counts there and its last sample. */
struct cpc_remotes;

/*
 * Return a table without a place, for sets of up to width requests; or NULL with ENOMEM.
 * The caller frees it with cpc_remotes_free() before the session is closed.
 */
struct cpc_remotes *cpc_remotes_new(unsigned width);

/* Unbind what is bound in the places, and free r. NULL is allowed. */
void cpc_remotes_free(cpc_t *cpc, struct cpc_remotes *r);

/*
 * Insert a place, in which nothing is bound, before place at, or at the end if there is
 * no such place. The numbers of the places behind it grow by one. Returns -1 with ENOMEM.
 */
int cpc_remotes_insert(struct cpc_remotes *r, unsigned at);

/* Unbind what is bound in a place, and remove it from the table. errno is kept. */
void cpc_remotes_remove(cpc_t *cpc, struct cpc_remotes *r, unsigned at);

/*
 * In place at, count a set on a CPU; or, if cgroup is not NULL, what runs there in the
 * cgroup, which is not needed after the call. What was bound in the place before is
 * unbound. The set must not change, and not be destroyed, while it is bound.
 *
 * In a cgroup a value that was never enabled is 0, of its best class: the cgroup did not
 * run on the CPU. A CPU that goes offline is not noticed there: the values stop.
 *
 * Returns 0; or -1 with EINVAL if the set has more requests than r has room for, is
 * empty, or is not a set of this session; or with an errno of cpc_bind_cpu(3) after a
 * message.
 */
int cpc_remotes_bind(cpc_t *cpc, struct cpc_remotes *r, unsigned at, cpc_set_t *set,
		     const struct engine_cgroup *cgroup, int cpu);

/* Stop counting in a place. errno is kept. */
void cpc_remotes_unbind(cpc_t *cpc, struct cpc_remotes *r, unsigned at);

/* At most so many places are sampled by one call of the engine, at almost one time. */
enum { CPC_REMOTES_TOGETHER = 32 };

/*
 * Sample a set in n places from at on, in each of which the set is bound. The values of
 * place at + k begin at value[k * width]: what the requests have counted since the sample
 * before, or since the bind, without their presets. on[k] are the ns for which the set
 * has counted there in that time. The caller reads the clock, which takes a good part of
 * the time of a place, as often as needed.
 *
 * Returns how many places were sampled. If they are less than n, errno is one of
 * cpc_set_sample(3) and says why the next place cannot be sampled; its next sample
 * includes the time of this one.
 */
unsigned cpc_remotes_sample(cpc_t *cpc, struct cpc_remotes *r, unsigned at, unsigned n,
			    const cpc_set_t *set, cpc_value_t *value, uint64_t *on);

/*
 * Fill value[] with what the requests of the set have counted in a place since the bind.
 * The next sample is the same as without this call. Returns -1 with an errno of
 * cpc_set_sample(3).
 */
int cpc_remotes_peek(cpc_t *cpc, const struct cpc_remotes *r, unsigned at,
		     const cpc_set_t *set, cpc_value_t *value);

/* Return the cycles of the time-stamp counter in so many ns. */
uint64_t cpc_remotes_cycles(cpc_t *cpc, uint64_t on);

#endif
