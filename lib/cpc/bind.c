/* Binding: from requests to counters of an LWP, and samples of them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <libcpc.h>
#include "cpc/cpc.h"
#include "cpc/cpu.h"
#include "cpc/lwp.h"
#include "cpc/own.h"
#include "cpc/strict.h"
#include "itanium2/assign.h"
#include "table/assign.h"

enum { MAX_REQUESTS = 64 }; /* as many as there can be counters */

/* "A, B and C": the requests whose bits are set. */
static void name_clash(const struct requests *r, uint64_t clash, char *buf, size_t size)
{
	size_t len = 0;

	buf[0] = '\0';
	for (unsigned i = 0; clash && len < size; i++, clash >>= 1) {
		if (!(clash & 1))
			continue;
		const char *sep = len == 0 ? "" : clash >> 1 ? ", " : " and ";
		const int n = snprintf(buf + len, size - len, "%s%s", sep,
				       r->req[r->counted[i]].name);

		len += n > 0 ? (size_t)n : 0;
	}
}

/*
 * UltraSPARC's and SPARC64's counters have one mode for all (cpc(3CPC),
 * CPC_CONFLICTING_REQS).
 */
static int check_modes(cpc_t *cpc, const char *fn, const struct requests *r)
{
	if (!cpc->scope.cpu || !cpc->scope.cpu->samemode)
		return 0;
	for (unsigned i = 1; i < r->ncounted; i++) {
		const struct request *first = &r->req[r->counted[0]];
		const struct request *q = &r->req[r->counted[i]];

		if (q->flags != first->flags) {
			errno = EINVAL;
			cpc_report(cpc, fn, CPC_CONFLICTING_REQS,
				   "%s: %s and %s must count the same modes on %s",
				   cpc_subcode_text(CPC_CONFLICTING_REQS), first->name,
				   q->name, cpc->scope.cpu->title);
			return -1;
		}
	}
	return 0;
}

/* What requests can use of the processor whose rules hold. */
static void ask_of(const struct requests *r, struct assign_request *ask)
{
	for (unsigned i = 0; i < r->ncounted; i++) {
		const struct request *q = &r->req[r->counted[i]];
		const struct event *own = q->event.own;

		ask[i] = (struct assign_request){.can = q->can,
						 .nneeds = own ? own->nneeds : 0,
						 .needs = own ? own->needs : NULL};
	}
}

/* The resources that requests could take, each. */
static uint64_t resources(const struct assign_request *ask, uint64_t requests)
{
	uint64_t res = 0;

	for (unsigned i = 0; requests; i++, requests >>= 1)
		for (unsigned k = 0; requests & 1 && k < ask[i].nneeds; k++)
			if (ask[i].needs[k].pics & ask[i].can)
				res |= UINT64_C(1) << ask[i].needs[k].res;
	return res;
}

/* "need the same ESCR (CRU2)", or "" if it is not for want of these that they clash. */
static void name_resources(const struct evtab *cpu, const struct assign_request *ask,
			   uint64_t clash, char *buf, size_t size)
{
	const uint64_t res = resources(ask, clash);
	const int many = __builtin_popcountll(res) > 1;
	int len;

	buf[0] = '\0';
	if (!res || __builtin_popcountll(res) >= __builtin_popcountll(clash))
		return;
	len = snprintf(buf, size, "need the same %s%s",
		       strcmp(cpu->res[__builtin_ctzll(res)].kind, "escr") == 0
			       ? "ESCR"
			       : cpu->res[__builtin_ctzll(res)].kind,
		       many ? "s" : "");
	for (uint64_t left = res; left && (size_t)len < size; left &= left - 1)
		len += snprintf(buf + len, size - (size_t)len, "%s%s",
				left == res ? " (" : ", ",
				cpu->res[__builtin_ctzll(left)].name);
	if ((size_t)len < size)
		snprintf(buf + len, size - (size_t)len, ")");
}

/* Counters as the processor's own rules give them (events/gen/events.awk: dispatch). */
static int assign_by_rules(cpc_t *cpc, const char *fn, struct requests *r)
{
	struct itanium2_event_wanted w[MAX_REQUESTS];
	unsigned pic[MAX_REQUESTS];
	char words[4 * CPC_MAX_EVENT_LEN];

	for (unsigned i = 0; i < r->ncounted; i++) {
		const struct request *q = &r->req[r->counted[i]];

		w[i] = (struct itanium2_event_wanted){q->name, q->event.own, q->can};
	}
	if (itanium2_assign(w, r->ncounted, pic, words, sizeof words) == -1) {
		cpc_report(cpc, fn, CPC_RESOURCE_UNAVAIL, "%s: %s",
			   cpc_subcode_text(CPC_RESOURCE_UNAVAIL), words);
		return -1;
	}
	for (unsigned i = 0; i < r->ncounted; i++)
		r->req[r->counted[i]].pic = pic[i];
	return 0;
}

/* The first that fit. */
static int assign_any(cpc_t *cpc, const char *fn, struct requests *r)
{
	struct assign_request ask[MAX_REQUESTS];
	struct assign_result choice[MAX_REQUESTS];
	char names[CPC_MAX_EVENT_LEN], res[CPC_MAX_EVENT_LEN];
	uint64_t clash;

	ask_of(r, ask);
	if (assign_pics(ask, r->ncounted, choice, &clash) == -1) {
		name_clash(r, clash, names, sizeof names);
		name_resources(cpc->scope.cpu, ask, clash, res, sizeof res);
		cpc_report(cpc, fn, CPC_RESOURCE_UNAVAIL, "%s: %s %s",
			   cpc_subcode_text(CPC_RESOURCE_UNAVAIL), names,
			   *res ? res : "cannot be counted together");
		return -1;
	}
	for (unsigned i = 0; i < r->ncounted; i++)
		r->req[r->counted[i]].pic = choice[i].pic;
	return 0;
}

static int assign(cpc_t *cpc, const char *fn, struct requests *r)
{
	const struct evtab *cpu = cpc->scope.cpu;

	if (r->n == 0 || r->n > MAX_REQUESTS) {
		errno = EINVAL;
		return -1;
	}
	if (check_modes(cpc, fn, r) == -1)
		return -1;
	if ((cpu && cpu->dispatch ? assign_by_rules : assign_any)(cpc, fn, r) == -1)
		return -1;
	r->assigned = 1;
	return 0;
}

int bind_check(cpc_t *cpc, const char *fn, cpc_set_t *set)
{
	return set->reqs->assigned ? 0 : assign(cpc, fn, set->reqs);
}

int bind_check_plain(cpc_t *cpc, const char *fn, cpc_set_t *set)
{
	for (unsigned i = 0; i < set->reqs->n; i++)
		if (set->reqs->req[i].flags & (CPC_OVF_NOTIFY_EMT | CPC_HW_SMPL)) {
			errno = ENOTSUP;
			cpc_report(
				cpc, fn, CPC_REQ_INVALID_FLAGS,
				"%s: %s: only sets of the calling LWP signal overflow or "
				"take records",
				cpc_subcode_text(CPC_REQ_INVALID_FLAGS),
				set->reqs->req[i].name);
			return -1;
		}
	return 0;
}

void bind_undo(cpc_set_t *set)
{
	if (set->to == BOUND_LWP)
		lwp_unbind(set);
	else if (set->to == BOUND_CPU)
		cpu_unbind(set);
	set->cpc->scope.ops->unbind(set->group);
	set->group = NULL;
	__atomic_store_n(&set->to, UNBOUND, __ATOMIC_RELAXED);
}

static int bind_target(cpc_t *cpc, const char *fn, cpc_set_t *set,
		       const struct target *target)
{
	const struct requests *r = set->reqs;
	struct why why;

	if (bind_check(cpc, fn, set) == -1 || bind_check_plain(cpc, fn, set) == -1)
		return -1;
	bind_undo(set);
	if (strict_lwp_bind(cpc, fn, &set->generation) == -1)
		return -1;
	set->group = cpc->scope.ops->bind(cpc->scope.engine, target, r->sel, r->ncounted,
					  &why);
	if (set->group) {
		set->to = BOUND_PCTX;
		return 0;
	}
	if (errno != ESRCH)
		cpc_report(cpc, fn, CPC_REFUSED, "%s", why.text);
	return -1;
}

int cpc_bind_pctx(cpc_t *cpc, pctx_t *pctx, id_t lwpid, cpc_set_t *set, uint_t flags)
{
	if (!cpc || !pctx || !set || set->cpc != cpc ||
	    (flags & ~(uint_t)CPC_BIND_TREE)) {
		errno = EINVAL;
		return -1;
	}
	const struct target target = {
		.tid = pctx_tid(pctx, lwpid),
		.tree = (flags & CPC_BIND_TREE) != 0,
	};
	if (target.tid == -1)
		return -1;
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_pctx", set, &target);
	cpc_unlock(cpc);
	return rc;
}

int cpc_bind_child(cpc_t *cpc, pid_t pid, cpc_set_t *set, uint_t flags)
{
	const struct target target = {
		.tid = pid,
		.tree = (flags & CPC_BIND_TREE) != 0,
		.on_exec = (flags & CPC_BIND_EXEC) != 0,
	};

	if (!cpc || pid <= 0 || !set || set->cpc != cpc ||
	    flags & ~(uint_t)(CPC_BIND_TREE | CPC_BIND_EXEC)) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	const int rc = bind_target(cpc, "cpc_bind_child", set, &target);
	cpc_unlock(cpc);
	return rc;
}

/* The one more is that of a CPU that is taken (libcpc_strict.h). */
uint_t cpc_set_descriptors(cpc_t *cpc, const cpc_set_t *set)
{
	if (!cpc || !set || set->cpc != cpc) {
		errno = EINVAL;
		return 0;
	}
	const struct engine_ops *ops = cpc->scope.ops;
	const struct requests *r = set->reqs;

	return (ops->descriptors ? ops->descriptors(r->sel, r->ncounted) : 0) +
	       (cpc->strict.on != 0);
}

int cpc_unbind(cpc_t *cpc, cpc_set_t *set)
{
	int rc = -1;

	if (!cpc || !set || set->cpc != cpc) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	if (set->to == UNBOUND) {
		errno = EINVAL;
	} else {
		if (!lwp_unbind_heir(set))
			bind_undo(set);
		rc = 0;
	}
	cpc_unlock(cpc);
	return rc;
}

/* A set of a controlled LWP. */
static int pctx_sample(const cpc_set_t *set, cpc_buf_t *buf)
{
	if (strict_lwp_valid(set->cpc, set->generation) == -1)
		return -1;
	return set->cpc->scope.ops->read(set->group, buf->val, &buf->hrtime, &buf->on);
}

int cpc_set_sample(cpc_t *cpc, cpc_set_t *set, cpc_buf_t *buf)
{
	if (!cpc || !set || !buf || set->cpc != cpc || buf->cpc != cpc ||
	    !buf_fits(buf, set->reqs)) {
		errno = EINVAL;
		return -1;
	}
	/* Another LWP may unbind a set that this one has inherited. */
	const enum bound_to to = __atomic_load_n(&set->to, __ATOMIC_RELAXED);
	if (to == UNBOUND) {
		errno = EINVAL;
		return -1;
	}
	buf_take(buf, set->reqs);
	if (to == BOUND_LWP)
		return context_sample(set, buf);
	if ((to == BOUND_CPU ? cpu_sample(set, buf) : pctx_sample(set, buf)) == -1)
		return -1;
	for (unsigned i = 0; i < buf->n; i++)
		buf->preset[i] = set->reqs->req[i].preset;
	return 0;
}
