/*
 * The counters of processes in user mode. The calls lock the library (base/lock.h) and
 * return as hwperf_ioctl() does.
 */
#ifndef IRIX_HWPERF_PROCESS_H
#define IRIX_HWPERF_PROCESS_H

#include <hwperf.h>

int hwperf_process_start(int handle, const hwperf_profevctrarg_t *arg);

/* As hwperf_process_start(); the thresholds send signo, not the signal of arg. */
int hwperf_process_start_for(int handle, const hwperf_profevctrarg_t *arg, int signo);
int hwperf_process_modify(int handle, const hwperf_profevctrarg_t *arg);
int hwperf_process_values(int handle, hwperf_values_t *values);
int hwperf_process_control(int handle, hwperf_eventctrl_t *ctrl);
int hwperf_process_release(int handle);
int hwperf_process_save(int handle);
int hwperf_process_rule(int handle, int rule);
int hwperf_process_name(int handle, const hwperf_evname_t *name);

/*
 * The commands on a handle that has acquired system mode are about all CPUs, until the
 * handle starts counters in user mode. hwperf_process_set_system() returns 0; or -1 with
 * errno of hwperf_ioctl().
 */
int hwperf_process_set_system(int handle);
int hwperf_process_is_system(int handle);

/*
 * All processes that this process counts lose their counters, and their generations
 * rise: to be called after hwperf_share_system() with force. The caller holds the lock.
 */
void hwperf_process_lose_all(void);

#endif
