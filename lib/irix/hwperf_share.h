/*
 * The exclusion of user and system mode. The counters are used in user mode by any number
 * of processes, or in system mode by one. Within this process the rule always holds; with
 * CPC_STRICT=1 also between all processes of the user, by the file opencpc.hwperf in
 * $XDG_RUNTIME_DIR or in /run. Source: r10k_evcntrs(5), Operation Modes.
 *
 * The callers hold the lock of the library (base/lock.h).
 */
#ifndef IRIX_HWPERF_SHARE_H
#define IRIX_HWPERF_SHARE_H

#include <stdint.h>
#include <sys/types.h>

#include <hwperf.h>

/*
 * Begin a use in user mode. Returns 0; or -1 with EBUSY (the counters are used in system
 * mode), EACCES (CPC_STRICT=1, and the file cannot be used) or ENOMEM, EMFILE, ENFILE.
 */
int hwperf_share_user(void);

/* End one use in user mode. Keeps errno. */
void hwperf_share_user_end(void);

/*
 * Begin the use in system mode. Returns 0; or -1 with EBUSY: system mode is used already,
 * or, without force, user mode is used. With force the uses in user mode are lost, and
 * the caller ends those of this process (irix/hwperf_process.h). Other errors as of
 * hwperf_share_user().
 */
int hwperf_share_system(int force);

/* End the use in system mode, if this process has it. Keeps errno. */
void hwperf_share_system_end(void);

/*
 * Returns how often system mode was acquired by force: a use in user mode is lost if the
 * number has changed since it began.
 */
uint64_t hwperf_share_losses(void);

/*
 * The number of losses of a process that is not counted. hwperf_share_losses() never
 * returns it.
 */
#define HWPERF_NO_LOSSES UINT64_MAX

/* To be called in a child of fork(2): forget the uses of the parent, and its file. */
void hwperf_share_forked(void);

/* What other processes can read about a process with CPC_STRICT=1. */
struct hwperf_public {
	pid_t pid;
	int generation;	 /* 0: none */
	uint64_t born;	 /* start time of the process (proc(5), stat field 22) */
	uint64_t losses; /* hwperf_share_losses() at the start, or HWPERF_NO_LOSSES */
	hwperf_eventctrl_t ctrl;
	hwperf_values_t values; /* as the process that counts has read them last */
};

/*
 * With CPC_STRICT=1, let other processes read p; an entry of the same process is
 * replaced. If the file has no room for p, only this process knows it.
 */
void hwperf_share_publish(const struct hwperf_public *p);

/*
 * Fill *p for the process p->pid that was started at p->born. Returns 0, or -1 with
 * EINVAL if no process has published it.
 */
int hwperf_share_find(struct hwperf_public *p);

#endif
