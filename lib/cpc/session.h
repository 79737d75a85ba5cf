/* Sessions: their references, their lock, and their messages. */
#ifndef CPC_SESSION_H
#define CPC_SESSION_H

#include "cpc/cpc.h"

/* Add and drop a reference; the last drop closes the engine and frees the session. */
cpc_t *cpc_keep(cpc_t *cpc);
void cpc_drop(cpc_t *cpc);

/* Lock a session. The lock is recursive: the error handler runs under it. */
void cpc_lock(cpc_t *cpc);
void cpc_unlock(cpc_t *cpc);

/* The text that libcpc(3LIB) has for a subcode. */
const char *cpc_subcode_text(int subcode);

/* Pass a message to the session's error handler. errno is kept. */
void cpc_report(cpc_t *cpc, const char *fn, int subcode, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

#endif
