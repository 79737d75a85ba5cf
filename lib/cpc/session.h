/* Sessions: their references, their lock, and their messages. */
#ifndef CPC_SESSION_H
#define CPC_SESSION_H

#include <errno.h>

#include "cpc/cpc.h"
#include "engine/by_code.h"

/*
 * Check a session that the program passes. Returns 1, or 0 with EINVAL if cpc is NULL or
 * was closed. A closed session can still be read (base/pool.h).
 */
static inline int session_is_open(const cpc_t *cpc)
{
	if (cpc && __atomic_load_n(&cpc->open, __ATOMIC_RELAXED))
		return 1;
	errno = EINVAL;
	return 0;
}

/*
 * Let a session, which has no events yet, simulate the machine that the user chose, if
 * any (struct engine_machine). The strings must live as long as the session. Returns 0;
 * or -1 with ENOTSUP or ENOMEM after a message.
 */
int session_machine(cpc_t *cpc, const struct engine_machine *m);

/*
 * Count the next programs of cpc_command() also by instruction (on: 1), or not any more.
 * Returns 0, or -1 with ENOTSUP if the engine counts totals only.
 */
int session_set_by_code(cpc_t *cpc, int on);

/*
 * Call this when such a program has ended. It calls fn for each process image of the
 * program, with what the requests of the sets have counted there; the caller passes the
 * sets that it passed to cpc_command(). An event of the image has the index of its
 * request in the list of the requests of all sets. Returns what
 * read() of struct engine_by_code returns.
 */
int session_read_by_code(cpc_t *cpc, unsigned nsets, cpc_set_t *const *sets, void *arg,
			 int (*fn)(void *arg, const struct engine_image *image));

/* Add and drop a reference; the last drop closes the engine and frees the session. */
cpc_t *cpc_keep(cpc_t *cpc);
void cpc_drop(cpc_t *cpc);

/*
 * Lock a session, and with it all others. The lock is recursive: the error handler runs
 * under it. fork(2) waits for the lock.
 */
void cpc_lock(cpc_t *cpc);
void cpc_unlock(cpc_t *cpc);

/* The text that libcpc(3LIB) has for a subcode. */
const char *cpc_subcode_text(int subcode);

/* Pass a message to the session's error handler. errno is kept. */
void cpc_report(cpc_t *cpc, const char *fn, int subcode, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
