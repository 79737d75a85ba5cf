/*
 * The set-up of counters: the events and modes that an hwperf_profevctrarg_t requests,
 * ready to be bound.
 */
#ifndef IRIX_HWPERF_SETUP_H
#define IRIX_HWPERF_SETUP_H

#include <hwperf.h>
#include <libcpc.h>

struct count;

/*
 * For each index the name of the event that PIOCSETEVNAME has chosen, or NULL: the event
 * of the processor is counted.
 */
struct hwperf_names {
	char *name[HWPERF_EVENTMAX];
};

/* An event of each counter at most, which are counted at the same time. */
struct hwperf_pair {
	cpc_set_t *set;
	unsigned n;	   /* requests of the set: 1 or 2 */
	unsigned index[2]; /* of each request: the index of its event */
};

/* The events of a process or of all CPUs. The callers hold the lock of the library. */
struct hwperf_setup {
	unsigned refs; /* references to this set-up */
	hwperf_profevctrarg_t arg;
	cpc_t *cpc;
	unsigned n; /* pairs, which take turns if the machine cannot count all at once */
	struct hwperf_pair pair[HWPERF_CNTEVENTMAX];
};

/*
 * Returns the rule of CPC_HWPERF_RULE in the environment: "r10000", "r12000" or
 * "r12000-free"; r10000 if there is none or another.
 */
enum hwperf_rule hwperf_rule_default(void);

/* Returns 1 if an event of arg is counted in kernel mode. */
int hwperf_arg_is_system(const hwperf_profevctrarg_t *arg);

/* Returns 1 if an event of arg has a threshold. */
int hwperf_arg_has_threshold(const hwperf_profevctrarg_t *arg);

/*
 * Returns 1 if the caller may use kernel mode: it is root, or has CAP_PERFMON or
 * CAP_SYS_ADMIN.
 */
int hwperf_is_privileged(void);

/*
 * Check an arg. Returns 0; or -1 with EPERM (supervisor or kernel mode without
 * privilege), or EINVAL: no event, supervisor mode, an event without a mode or in EXL
 * mode alone, an hwp_ev that the rule does not allow for its index, a negative threshold
 * or a signal outside of 0 to 64. A threshold of an event that is not counted, or without
 * a signal, has no effect. An event with a name is not checked against the rule; names
 * may be NULL.
 */
int hwperf_arg_check(const hwperf_profevctrarg_t *arg, enum hwperf_rule rule,
		     const struct hwperf_names *names);

/*
 * Open a session with the events of arg, which is checked first. Returns the set-up with
 * one reference; or NULL with errno of hwperf_arg_check(), or of cpc_set_add_request(3)
 * if this machine cannot count an event.
 */
struct hwperf_setup *hwperf_setup_open(const hwperf_profevctrarg_t *arg,
				       enum hwperf_rule rule,
				       const struct hwperf_names *names);

/* Returns 1 if both set-ups count the same event in the same modes under an index. */
int hwperf_setup_agree(const struct hwperf_setup *a, const struct hwperf_setup *b,
		       unsigned index);

/*
 * Add a reference, and drop one; the last drop closes the session. NULL is allowed. Keep
 * errno.
 */
struct hwperf_setup *hwperf_setup_keep(struct hwperf_setup *s);
void hwperf_setup_drop(struct hwperf_setup *s);

/*
 * Add the counts of a pair, as its engine has read them, to the values of its events.
 * Values are sums of scaled counts.
 */
void hwperf_pair_add(const struct hwperf_pair *pair, const struct count *count,
		     hwperf_values_t *values);

/* Copy the value of each index, without its class, to counters. */
void hwperf_values_counters(const hwperf_values_t *values, hwperf_cntr_t *counters);

/*
 * Subtract values from those in from, whose classes stay. A difference may be negative,
 * modulo 2^64.
 */
void hwperf_values_subtract(hwperf_values_t *from, const hwperf_values_t *values);

/* Add the values in from to those in to. The worse class of both becomes the class. */
void hwperf_values_add(hwperf_values_t *to, const hwperf_values_t *from);

#endif
