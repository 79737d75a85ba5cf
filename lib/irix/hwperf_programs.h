/*
 * The programs that the children of a counted LWP execute. Only after fork(2) this
 * library can count a child by itself (irix/hwperf_children.h). Children of vfork(2),
 * posix_spawn(3), system(3), popen(3) and clone(2) inherit events that begin to count at
 * the child's execve(2). Children of fork(2) inherit these events too; their counts are
 * left out of the parent's until the parent has waited for the child.
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

/*
 * Add the counts of the programs so far to values. If the programs could not be counted
 * and a child has been waited for, or a read fails, sets p->incomplete.
 */
void hwperf_programs_add(struct hwperf_process *p, hwperf_values_t *values);

/*
 * Add the counts of the programs to p->sum as hwperf_programs_add() does, and close the
 * counters of the programs.
 */
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
 * Subtract the counts of a child's programs, if they are left out, from p->sum. To be
 * called before the block of the child is freed, as the events that the child has
 * inherited from p then are no longer left out.
 */
void hwperf_programs_forget(struct hwperf_process *p, struct hwperf_process *child);

#endif
