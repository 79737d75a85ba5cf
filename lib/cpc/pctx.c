/* Binds of sets to LWPs of other processes. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <libpctx.h>
#include <opencpc.h>
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/buf.h"
#include "cpc/place.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/status.h"
#include "engine/why.h"
#include "pctx/control.h"
#include "pctx/stopcount.h"

/* The binding of a set to an LWP of another process. */
struct pctx_binding {
	struct binding binding; /* first */
	struct group *group;
	uint64_t generation; /* for strict_lwp_valid() */
	/*
	 * The stops of the LWP for its tracer, and how many there were at the bind; NULL:
	 * the set counts no switches.
	 */
	struct stopcount *stops;
	uint64_t base;
};

static uint64_t stops_of(const struct pctx_binding *b)
{
	return b->stops ? stopcount_read(b->stops) : 0;
}

static int counts_switches(const struct requests *r, unsigned i)
{
	return r->ops->source && r->ops->source(r->sel[i]) == SOURCE_SWITCHES;
}

/*
 * Takes the stops for the tracer off the counts of switches. What is left is what the LWP
 * did, but an LWP that stops for its tracer while it would have waited waits less often.
 */
static void leave_out_stops(const cpc_set_t *set, struct count *val, uint64_t stops)
{
	const struct requests *r = set->reqs;

	for (unsigned i = 0; i < r->ncounted; i++)
		if (counts_switches(r, i)) {
			val[i].count -= val[i].count < stops ? val[i].count : stops;
			val[i].approximate = stops > 0;
		}
}

/* Reads until the LWP has made no stop meanwhile, so that each stop is in both counts. */
static int read_group(const cpc_set_t *set, const struct pctx_binding *b, cpc_buf_t *buf)
{
	const struct scope *scope = &set->cpc->scope;
	uint64_t stops = stops_of(b), before;

	do {
		before = stops;
		if (scope->ops->read(b->group, buf->val, &buf->hrtime, &buf->on) == -1)
			return -1;
		stops = stops_of(b);
	} while (stops != before);
	if (b->stops)
		leave_out_stops(set, buf->val, stops - b->base);
	return 0;
}

static int sample(cpc_set_t *set, cpc_buf_t *buf)
{
	const struct pctx_binding *b = (struct pctx_binding *)set->bindings.next;

	if (strict_lwp_valid(&set->cpc->strict, b->generation) == -1 ||
	    read_group(set, b, buf) == -1)
		return -1;
	buf_set_presets(buf, set->reqs);
	return 0;
}

static void unbind(struct binding *binding)
{
	struct pctx_binding *b = (struct pctx_binding *)binding;

	binding_drop(binding);
	binding->set->cpc->scope.ops->unbind(b->group);
	stopcount_drop(b->stops);
	free(b);
}

static const struct binding_ops to_pctx = {.sample = sample, .unbind = unbind};

/* The LWP may have ended (ESRCH), which is no reason for a message. */
static int open_group(cpc_t *cpc, const char *fn, const struct requests *r,
		      const struct target *target, struct pctx_binding *b)
{
	struct why why;

	if (strict_lwp_bind(&cpc->strict, &b->generation, &why) == 0)
		b->group = cpc->scope.ops->bind(cpc->scope.engine, target, r->sel,
						r->ncounted, &why);
	if (b->group)
		return 0;
	if (errno != ESRCH)
		cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
	return -1;
}

static int has_switches(const struct requests *r)
{
	for (unsigned i = 0; i < r->ncounted; i++)
		if (counts_switches(r, i))
			return 1;
	return 0;
}

/*
 * Does what open_group() does, and again until no stop of the LWP falls between the count
 * of stops and the bind.
 */
static int open_between_stops(cpc_t *cpc, const char *fn, const struct requests *r,
			      const struct target *target, struct pctx_binding *b)
{
	struct target t = *target;

	t.turn = requests_turns(r);
	do {
		if (b->group)
			cpc->scope.ops->unbind(b->group);
		b->group = NULL;
		b->base = stops_of(b);
		if (open_group(cpc, fn, r, &t, b) == -1)
			return -1;
	} while (stops_of(b) != b->base);
	return 0;
}

/*
 * stops: of the LWP, or NULL if its stops are not taken off. The binding takes it over.
 */
static int bind_target(cpc_t *cpc, const char *fn, cpc_set_t *set,
		       const struct target *target, struct stopcount *stops)
{
	struct pctx_binding *b = NULL;

	if (assign_counters(cpc, fn, set) == -1 || bind_check_plain(cpc, fn, set) == -1)
		goto fail;
	set_unbind(set);
	b = calloc(1, sizeof *b);
	if (!b)
		goto fail;
	b->stops = stops;
	if (open_between_stops(cpc, fn, set->reqs, target, b) == -1)
		goto fail;
	binding_add(&b->binding, set, &to_pctx);
	return 0;
fail:;
	const int e = errno;
	stopcount_drop(stops);
	free(b);
	errno = e;
	return -1;
}

int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags)
{
	if (!set_is_of(cpc, set) || !pctx || (flags & ~(uint_t)CPC_BIND_TREE)) {
		errno = EINVAL;
		return -1;
	}
	const struct target target = {
		.tid = pctx_tid(pctx, lwpid),
		.pid = pctx_pid(pctx),
		.tree = (flags & CPC_BIND_TREE) != 0,
	};
	if (target.tid == -1)
		return -1;
	struct stopcount *stops = NULL;
	if (!target.tree && has_switches(set->reqs)) {
		stops = lwp_stopcount(pctx, lwpid);
		if (!stops)
			return -1;
	}
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_pctx", set, &target, stops);
	cpc_unlock(cpc);
	return rc;
}

int cpc_bind_child(cpc_t *cpc, pid_t pid, cpc_set_t *set, uint_t flags)
{
	const struct target target = {
		.tid = pid,
		.pid = pid,
		.tree = (flags & CPC_BIND_TREE) != 0,
		.on_exec = (flags & CPC_BIND_EXEC) != 0,
	};

	if (!set_is_of(cpc, set) || pid <= 0 ||
	    flags & ~(uint_t)(CPC_BIND_TREE | CPC_BIND_EXEC)) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_child", set, &target, NULL);
	cpc_unlock(cpc);
	return rc;
}

/* The simulator counts other LWPs for commands, but not for the program itself. */
static int check_counts_others(cpc_t *cpc, const char *fn)
{
	struct why why;
	const int rc =
		cpc->scope.ops != &engine_sim
			? status_check_self(cpc, &why)
			: why_refuse(&why, ENOTSUP,
				     "a simulated program cannot count another of "
				     "its LWPs; let that LWP call cpc_bind_curlwp");

	if (rc == -1)
		cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
	return rc;
}

int cpc_bind_tid(cpc_t *cpc, pid_t tid, cpc_set_t *set, uint_t flags)
{
	static const char fn[] = "cpc_bind_tid";
	const struct target target = {.tid = tid, .pid = getpid()};

	if (!set_is_of(cpc, set) || tid <= 0 || flags) {
		errno = EINVAL;
		return -1;
	}
	/* Only an LWP of this process can be sent a signal so (tgkill(2)). */
	if (tgkill(target.pid, tid, 0) == -1)
		return -1;
	cpc_lock(cpc);
	const int rc = check_counts_others(cpc, fn) == -1
			       ? -1
			       : bind_target(cpc, fn, set, &target, NULL);
	cpc_unlock(cpc);
	return rc;
}

/* Returns the index among the requests that are counted, or -1. */
static int counted_index(const struct requests *r, unsigned index)
{
	for (unsigned i = 0; i < r->ncounted; i++)
		if (r->counted[i] == index)
			return (int)i;
	return -1;
}

int cpc_place(cpc_t *cpc, cpc_set_t *set, unsigned index,
	      const struct engine_place *place)
{
	const int i = set_is_of(cpc, set) && set->bound == &to_pctx
			      ? counted_index(set->reqs, index)
			      : -1;
	struct why why;

	if (i == -1 || !cpc->scope.ops->place) {
		errno = EINVAL;
		return -1;
	}
	const struct pctx_binding *b = (struct pctx_binding *)set->bindings.next;
	cpc_lock(cpc);
	const int rc = cpc->scope.ops->place(b->group, set->reqs->sel[i], (unsigned)i,
					     place, &why);
	cpc_unlock(cpc);
	if (rc == -1)
		cpc_report(cpc, "cpc_place", CPC_REFUSED, "%s", why.text);
	return rc;
}
