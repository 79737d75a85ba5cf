/* The options that choose records. */
#ifndef LWPREC_FILTERS_H
#define LWPREC_FILTERS_H

#include <lwp.h>
#include "inputs.h"

struct filter_range {
	uint64_t low, high; /* both are included */
};

/* The values of these options; all zeros at first: all records match. */
struct filters {
	int active; /* some filter for records is given */
	int has_event, has_core, has_ip, has_address, has_latency, has_source, has_tid;
	uint8_t event[32], core[32]; /* sets of bits */
	uint8_t source;		     /* likewise */
	uint8_t needs;		     /* an event, or 0: other events do not match */
	uint16_t set, clear;	     /* bits of the flags */
	struct filter_range ip, address, latency;
	const char *symbol, *module; /* patterns of fnmatch(3), or NULL */
	unsigned ntid;
	pid_t *tid;
};

/*
 * Handle c, which options_read() returned. Returns 1, or 0 if c is none of these options.
 * Exits if the argument is wrong.
 */
int filter_option(struct filters *f, const struct options_command *command, int c);
void filters_free(struct filters *f);

/*
 * Return whether a record, by a thread (0: not known), matches all filters except symbol
 * and module.
 */
int filters_match(const struct filters *f, const lwp_record_t *r, pid_t tid);

/* Return whether a function in a module matches; both can be NULL: not known. */
int filters_match_names(const struct filters *f, const char *function,
			const char *module);

#endif
