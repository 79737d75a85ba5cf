/* The options that choose records. */
#ifndef LWPREC_FILTERS_H
#define LWPREC_FILTERS_H

#include <lwp.h>
#include "inputs.h"

/* The values of the options below; a subcommand numbers its own from FILTER_END. */
enum {
	FILTER_ADDRESS = INPUT_END,
	FILTER_CORE,
	FILTER_EVENT,
	FILTER_FLAGS,
	FILTER_IP,
	FILTER_LATENCY,
	FILTER_MODULE,
	FILTER_SOURCE,
	FILTER_SYMBOL,
	FILTER_TID,
	FILTER_END
};

/* The entries in a subcommand's array of long options. */
/* clang-format off */
#define FILTER_OPTIONS \
	{"address", required_argument, NULL, FILTER_ADDRESS}, \
	{"core", required_argument, NULL, FILTER_CORE}, \
	{"event", required_argument, NULL, FILTER_EVENT}, \
	{"flags", required_argument, NULL, FILTER_FLAGS}, \
	{"ip", required_argument, NULL, FILTER_IP}, \
	{"latency", required_argument, NULL, FILTER_LATENCY}, \
	{"module", required_argument, NULL, FILTER_MODULE}, \
	{"source", required_argument, NULL, FILTER_SOURCE}, \
	{"symbol", required_argument, NULL, FILTER_SYMBOL}, \
	{"tid", required_argument, NULL, FILTER_TID}
/* clang-format on */

/* The lines about them in the usage text. */
/* clang-format off */
#define FILTER_USAGE \
	"\t--address=LOW-HIGH  misses whose data has an address in this range\n" \
	"\t--core=LIST     records of these cores\n" \
	"\t--event=LIST    records of these events: val, ire, bre, dme, cnh, rnh, ins\n" \
	"\t                or ids\n" \
	"\t--flags=LIST    branches that are taken or not-taken, predicted or\n" \
	"\t                mispredicted, fused; or records that have these bits\n" \
	"\t--ip=LOW-HIGH   records of instructions in this range of addresses\n" \
	"\t--latency=LOW-HIGH  misses that took this many cycles\n" \
	"\t--module=NAME   records of instructions in this file (a name or pattern)\n" \
	"\t--source=LIST   misses that were served by l3, remote, dram, other, none\n" \
	"\t--symbol=NAME   records of this function, which may be a pattern\n" \
	"\t--tid=LIST      records of these threads\n"
/* clang-format on */

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
 * Handle c, which options_next() returned. Returns 1, or 0 if c is none of
 * FILTER_OPTIONS. Exits if the argument is wrong.
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
