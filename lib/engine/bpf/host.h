/* What BPF programs need to know of this machine, and whether it can run them. */
#ifndef ENGINE_BPF_HOST_H
#define ENGINE_BPF_HOST_H

#include "engine/bpf/life.h"
#include "engine/engine.h"

/*
 * Can this build and this kernel load programs, and may the caller? Returns 0, or -1 with
 * *why and errno: ENOTSUP, or EPERM without CAP_BPF.
 */
int bpf_host_check(struct why *why);

/* Returns the number of CPUs that the machine can have: maps have a value for each. */
unsigned bpf_host_cpus(void);

/* Returns how many LWPs can have ids at a time, or 0 if this cannot be read. */
unsigned long bpf_host_ids(void);

/* Fill the offsets of *c. Returns -1 with ENOTSUP and *why. */
int bpf_host_offsets(struct bpf_config *c, struct why *why);

#endif
