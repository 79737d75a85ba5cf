/*
 * The number of times that an LWP has stopped for its tracer. Each such stop is a context
 * switch of the LWP, which the LWP does not have without a tracer.
 */
#ifndef PCTX_STOPCOUNT_H
#define PCTX_STOPCOUNT_H

#include <stdint.h>
#include <sys/types.h>

struct stopcount;

/*
 * Returns the count of the LWP with this tid, which begins with 0, or NULL with ENOMEM.
 * stopcount_keep() adds a user of the count and returns s; each user calls
 * stopcount_drop() once, and the last of these calls frees the count.
 */
struct stopcount *stopcount_new(pid_t tid);
struct stopcount *stopcount_keep(struct stopcount *s);
void stopcount_drop(struct stopcount *s); /* NULL is allowed */

/*
 * Returns the number of stops so far. A stop that was not reported yet is included; then
 * the LWP is off the processor when the call returns. To be called by the tracer.
 */
uint64_t stopcount_read(const struct stopcount *s);

/*
 * For libpctx: the LWP has reported a stop, by this event and signal; it has another tid;
 * it has ended, or is not traced any more. NULL is allowed.
 */
void stopcount_add(struct stopcount *s, int event, int sig);
void stopcount_rename(struct stopcount *s, pid_t tid);
void stopcount_end(struct stopcount *s);

#endif
