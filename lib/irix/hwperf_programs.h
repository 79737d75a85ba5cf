/*
 * The programs that the children of a counted LWP execute. Only fork(2) lets this library
 * count a child by itself (irix/hwperf_children.h). Children of vfork(2), posix_spawn(3),
 * system(3), popen(3) and clone(2) are counted by events that they inherit, which begin
 * at the child's execve(2); so do the programs of children of fork(2), which are left out
 * of the sum until the parent waits for the child.
 *
 * The callers hold the lock of the library (base/lock.h).
 */
#ifndef IRIX_HWPERF_PROGRAMS_H
#define IRIX_HWPERF_PROGRAMS_H

#include "irix/hwperf_table.h"

/*
 * Open the counters of p, and, if p is an LWP of this process whose programs are not
 * counted yet, counters of the programs of its future children. If the programs cannot be
 * counted, the counts of p become incomplete as soon as a child has been waited for.
 * Returns 0, or -1 with errno of the engine's bind().
 */
int hwperf_programs_begin(struct hwperf_process *p, struct hwperf_setup *setup,
			  const struct hwperf_target *t);

/* Add the counts so far to values. Makes p incomplete if they are not known. */
void hwperf_programs_add(struct hwperf_process *p, hwperf_values_t *values);

/* Add the counts to the sum of p, and end. Does nothing if they have not begun. */
void hwperf_programs_end(struct hwperf_process *p);

/*
 * Leave the programs of a child, which has not executed any, out of the counts of its
 * parent p. Returns 0, also if p counts no programs; or -1 with errno of the engine's
 * bind().
 */
int hwperf_programs_leave_out(const struct hwperf_process *p,
			      struct hwperf_process *child);

/*
 * Returns 1 if p counts a child of this process already, because the child was created
 * after hwperf_programs_begin() and has executed a program.
 */
int hwperf_programs_include(const struct hwperf_process *p, pid_t child, uint64_t born);

/*
 * Subtract the counts of the programs of a child, if they were left out, from the sum of
 * p. To be called before the block of the child is freed.
 */
void hwperf_programs_forget(struct hwperf_process *p, struct hwperf_process *child);

#endif
