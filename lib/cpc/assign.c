#include "cpc/assign.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cpc/session.h"
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

int assign_counters(cpc_t *cpc, const char *fn, cpc_set_t *set)
{
	return set->reqs->assigned ? 0 : assign(cpc, fn, set->reqs);
}
