/*
 * What an hwperf_profevctrarg_t asks for: which events are counted, and in which modes.
 * The events are made ready to be bound.
 */
#ifndef IRIX_HWPERF_SETUP_H
#define IRIX_HWPERF_SETUP_H

#include <hwperf.h>
#include <libcpc.h>

/* The names of events that are not the processor's (PIOCSETEVNAME); NULL: it is. */
struct hwperf_names {
	char *name[HWPERF_EVENTMAX];
};

/* The events of one user. A zeroed struct is empty. */
struct hwperf_setup {
	hwperf_profevctrarg_t arg;
	cpc_t *cpc; /* NULL: empty */
	/* one set of one request for each event; NULL: the event is not counted */
	cpc_set_t *set[HWPERF_EVENTMAX];
};

/*
 * Returns the rule of CPC_HWPERF_RULE in the environment: "r10000", "r12000" or
 * "r12000-free"; r10000 if there is none or another.
 */
enum hwperf_rule hwperf_rule_default(void);

/* Returns 1 if an event of arg is counted in kernel mode. */
int hwperf_arg_is_system(const hwperf_profevctrarg_t *arg);

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
 * a signal, has no effect. An event
 * with a name is not checked against the rule; names may be NULL.
 */
int hwperf_arg_check(const hwperf_profevctrarg_t *arg, enum hwperf_rule rule,
		     const struct hwperf_names *names);

/*
 * Open a session with a set for each event of arg, which is checked first.
 * Returns 0; or -1 with errno of hwperf_arg_check(), or
 * of cpc_set_add_request(3) if this machine cannot count an event, and *s is empty.
 */
int hwperf_setup_open(struct hwperf_setup *s, const hwperf_profevctrarg_t *arg,
		      enum hwperf_rule rule, const struct hwperf_names *names);

/* Close the session, and with it the binds of its sets; *s is empty. Keeps errno. */
void hwperf_setup_close(struct hwperf_setup *s);

#endif
