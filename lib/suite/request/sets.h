/* The event sets of a command's -c options, in the order of the options. */
#ifndef SUITE_REQUEST_SETS_H
#define SUITE_REQUEST_SETS_H

#include <stddef.h>

#include <libcpc.h>
#include "engine/engine.h"
#include "suite/row/row.h"

struct sets_member {
	cpc_set_t *set;	     /* is never bound: bind duplicates of the set */
	struct row_set show; /* how rows show the set */
};

struct sets {
	cpc_t *cpc;
	unsigned n;
	struct sets_member *member;
	int unknown; /* the last refused specification has a name that is not known */
};

/* Return a list without sets, which cpc must outlive, or NULL with ENOMEM. */
struct sets *sets_new(cpc_t *cpc);

/* Free the list and its sets, or do nothing for NULL. */
void sets_free(struct sets *sets);

/*
 * Parse an event specification and add its set. Returns -1 with EINVAL and a message of
 * one or more lines in err, which has size bytes; ENOMEM; or an errno of
 * cpc_set_add_request() if an event cannot be counted. In the last case the session's
 * error handler has received the message, and err is "".
 */
int sets_add(struct sets *sets, const char *spec, char *err, size_t size);

/*
 * Is it as good to count the sets on whole CPUs and to let programs of the kernel divide
 * the counts among LWPs, as to count them in each LWP? A counter of the processor would
 * also count the work of these programs in system mode, and a breakpoint would take a
 * debug register of each CPU.
 */
int sets_suit_cpus(const struct sets *sets);

/* Return the origin of the counts of the request with this index. */
enum source sets_source(const struct sets_member *member, unsigned index);

#endif
