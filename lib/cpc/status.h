/*
 * Whether an engine can count an event, and how: the one answer that requests, walks,
 * lists of events and cpc_event_status() give.
 */
#ifndef CPC_STATUS_H
#define CPC_STATUS_H

#include "cpc/cpc.h"

/* The attempt to count an event with an engine. */
struct status_trial {
	const struct engine_ops *ops;
	struct evsel *sel; /* NULL: the event could not be encoded */
	int err;	   /* 0: the event can be counted; else an errno, for why */
	struct why why;
};

/*
 * Check whether an event of this name needs cpc_place(), which only some sessions call.
 * Returns 0; or -1 with EINVAL and *why if the session does not.
 */
int status_check_place(const cpc_t *cpc, const char *name, struct why *why);

/*
 * Translate a request as encode() of struct engine_ops does, and refuse events that the
 * machine does not have for whatever target (ENOENT) or that need cpc_place() (EINVAL).
 * ops and engine are those of the session, or others that are tried in its place.
 */
struct evsel *status_encode(const cpc_t *cpc, const struct engine_ops *ops,
			    struct engine *engine, const struct engine_request *req,
			    struct why *why);

/*
 * Refuse to count a simulated program by the kernel, which would count the simulator.
 * Returns 0, or -1 with ENOTSUP and *why.
 */
int status_check_self(const cpc_t *cpc, struct why *why);

/*
 * Try to count an event: on the caller, or, if cpus is not 0, on some CPU. The caller
 * ends the trial, whose err says whether the event can be counted.
 */
void status_try(struct status_trial *t, const cpc_t *cpc, const struct engine_ops *ops,
		struct engine *engine, const struct engine_request *req, int cpus);
void status_end(struct status_trial *t);

/*
 * Returns 1 if err says that memory or descriptors ran out: with more of them the event
 * might be countable.
 */
int status_is_shortage(int err);

/*
 * Find what a name refers to. Returns 0; or -1 with EINVAL after writing into what, which
 * has size bytes, why the name refers to nothing, for CPC_INVALID_EVENT.
 */
int status_resolve(const cpc_t *cpc, const char *event, struct resolved *m, char *what,
		   size_t size);

#endif
