/* Binds of sets to cgroups, which the commands use. */
#ifndef CPC_CGROUP_H
#define CPC_CGROUP_H

#include <libcpc.h>
#include "engine/engine.h"

/*
 * Bind a set to what runs on a CPU in a cgroup, as cpc_bind_cpu(3) with CPC_FLAGS_REMOTE
 * binds it to the CPU. cgroup is not needed after the call. A value that was never
 * enabled is 0, of its best class: the cgroup did not run on the CPU. A CPU that goes
 * offline is not noticed: the values stop.
 *
 * Returns 0; or -1 with EINVAL, or with an errno of cpc_bind_cpu(3) after a message.
 */
int cpc_bind_cgroup(cpc_t *cpc, const struct engine_cgroup *cgroup, int cpu,
		    cpc_set_t *set);

#endif
