/*
 * The counters of all CPUs, in system mode: at most one use in this process, and with
 * CPC_STRICT=1 one of the user (irix/hwperf_share.h). The calls lock the library
 * (base/lock.h).
 */
#ifndef IRIX_HWPERF_SYSTEM_H
#define IRIX_HWPERF_SYSTEM_H

#include <hwperf.h>

/*
 * Count the events of arg on all CPUs; force: processes in user mode lose their counters.
 * Returns a positive generation number; or -1 with EBUSY (system mode is used, or user
 * mode without force), EPERM, EINVAL (no event in kernel mode; or as of
 * hwperf_arg_check()), or errno of cpc_bind_cpu(3).
 */
int hwperf_system_start(const hwperf_profevctrarg_t *arg, int force);

/*
 * Read the sums of all CPUs. Return the generation number; or -1 with EINVAL: not in use.
 */
int hwperf_system_values(hwperf_values_t *values);
int hwperf_system_control(hwperf_eventctrl_t *ctrl);

/*
 * Read the values of a CPU. Returns as above, or 0: the CPU was not online when the
 * counters were acquired.
 */
int hwperf_system_cpu_values(int cpu, hwperf_values_t *values);

/* Count other events. Returns the generation number, which has risen; or -1. */
int hwperf_system_modify(const hwperf_profevctrarg_t *arg);

/* Stop counting; the sums can still be read. Returns 0; or -1 with EINVAL or EPERM. */
int hwperf_system_release(void);

/*
 * Choose a rule, or the name of an event, for the next start or modification. Return 0,
 * or -1 with EINVAL or ENOMEM.
 */
int hwperf_system_rule(int rule);
int hwperf_system_name(const hwperf_evname_t *name);

#endif
