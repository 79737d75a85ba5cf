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

/*
 * Begin a use in user mode. Returns 0; or -1 with EBUSY (the counters are used in system
 * mode), EACCES (CPC_STRICT=1, and the file cannot be used) or ENOMEM, EMFILE, ENFILE.
 */
int hwperf_share_user(void);

/* End one use in user mode. Keeps errno. */
void hwperf_share_user_end(void);

/*
 * Begin the use in system mode. Returns 0; or -1 with EBUSY: system mode is used already,
 * or, without force, user mode is used. With force the uses in user mode are lost.
 * Other errors as of hwperf_share_user().
 */
int hwperf_share_system(int force);

/* End the use in system mode, if this process has it. Keeps errno. */
void hwperf_share_system_end(void);

/* Returns 1 if this process uses the counters in system mode. */
int hwperf_share_is_system(void);

/*
 * Returns how often system mode was acquired by force: a use in user mode is lost if the
 * number has changed since it began.
 */
uint64_t hwperf_share_losses(void);

/*
 * With CPC_STRICT=1, publish the generation of a process, which other processes can read;
 * 0 removes the process. A process that cannot be published is only known to this one.
 */
void hwperf_share_publish(pid_t pid, uint64_t born, int generation);

/* Returns the generation that another process has published, or 0. */
int hwperf_share_generation(pid_t pid, uint64_t born);

/* In a child of fork(2), which has none of the uses of its parent. */
void hwperf_share_forked(void);

#endif
