/*
 * The processes that this process counts in user mode: the control block that IRIX keeps
 * in the u-area of each process. hwperf_table.c defines hwperf_open(), too. The callers
 * hold the lock of the library (base/lock.h).
 */
#ifndef IRIX_HWPERF_TABLE_H
#define IRIX_HWPERF_TABLE_H

#include <stdint.h>
#include <sys/types.h>

#include "irix/hwperf_counters.h"

struct hwperf_process {
	struct hwperf_process *next;
	pid_t tid, pid; /* the LWP that is counted, and its process */
	uint64_t born;	/* start time of the LWP (proc(5), stat field 22) */
	int dir;	/* its folder of /proc */
	dev_t dev; /* device and inode of the folder: all its handles have the same */
	ino_t ino;
	enum hwperf_rule rule;	   /* of the next start */
	struct hwperf_names names; /* of the next start */
	uint32_t renamed;	   /* bit n: the next start gives index n another event */
	int generation;		   /* 0: it was never counted */
	hwperf_profevctrarg_t arg; /* what is counted, or was */
	struct hwperf_counters counters;
	/*
	 * In the block of an LWP of this process: counters of the programs that its
	 * children and their children execute, however these were created. In the block
	 * of a child of fork(2): counters of the child's share of these programs.
	 */
	struct hwperf_counters programs;
	uint64_t since; /* when programs was opened, in clock ticks since boot, as born */
	/*
	 * process_waited_usage(): in the block of an LWP of this process when programs
	 * was opened; in the block of a child when the child was last known to live.
	 */
	uint64_t waited;
	int signo;	     /* the signal of thresholds, of its own or of this library */
	uint64_t losses;     /* hwperf_share_losses() at the start, or HWPERF_NO_LOSSES */
	hwperf_values_t sum; /* counts of closed counters, and of children */
	/* The LWP of this process that gets the counts when the process ends; 0: none. */
	pid_t heir;
	int saved;  /* PIOCSAVECCNTRS was used for this child */
	int system; /* its handle has acquired system mode (irix/hwperf_system.h) */
	/* Some counts of children are missing from sum. */
	int incomplete;
};

/*
 * Returns the process of a handle, or NULL: it has no block (EINVAL), or the handle is
 * not of hwperf_open() (EBADF).
 */
struct hwperf_process *hwperf_table_find(int handle);

/*
 * Returns the process of a handle, with a new block if it has none; or NULL with EBADF,
 * ESRCH, ENOMEM, EMFILE or ENFILE.
 */
struct hwperf_process *hwperf_table_get(int handle);

/* Returns the block of an LWP of this process, or NULL. */
struct hwperf_process *hwperf_table_of(pid_t tid);

/* The first block; the others follow by next. */
struct hwperf_process *hwperf_table_first(void);

/*
 * Let no LWP get the counts of the present children of p. Returns 1 if p has children
 * that are counted, else 0.
 */
int hwperf_table_disown(const struct hwperf_process *p);

/*
 * Close the counters of a process and free its block. If p is an LWP of this process, no
 * LWP gets the counts of its children: another LWP may have the same id later.
 */
void hwperf_table_drop(struct hwperf_process *p);

/* A process lives until its last LWP has ended, also if its first LWP has ended. */
enum hwperf_life { HWPERF_LIVES, HWPERF_ZOMBIE, HWPERF_REAPED };
enum hwperf_life hwperf_table_life(const struct hwperf_process *p);

/*
 * Read the ids and the start time of the process of a handle. Returns 0; or -1 with EBADF
 * or ESRCH.
 */
int hwperf_table_identify(int handle, pid_t *tid, pid_t *pid, uint64_t *born);

#endif
