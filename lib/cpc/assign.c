#include "cpc/assign.h"

#include <errno.h>
#include <string.h>

#include <opencpc.h>
#include "base/say.h"
#include "cpc/bind.h"
#include "cpc/session.h"
#include "itanium2/assign.h"
#include "table/assign.h"

enum { MAX_REQUESTS = 64 }; /* the most counters that a processor can have */

/* Requests that are counted at the same time: n indices in req. */
struct together {
	struct request *req;
	unsigned n;
	const unsigned *index;
};

static struct request *request_of(const struct together *r, unsigned i)
{
	return &r->req[r->index[i]];
}

static const char *name_of(const void *together, unsigned i)
{
	return request_of(together, i)->name;
}

/*
 * All counters of an UltraSPARC or SPARC64 count the same modes (cpc(3CPC),
 * CPC_CONFLICTING_REQS).
 */
static int check_modes(cpc_t *cpc, const char *fn, const struct together *r)
{
	if (!cpc->scope.cpu || !cpc->scope.cpu->samemode)
		return 0;
	for (unsigned i = 1; i < r->n; i++) {
		const struct request *first = request_of(r, 0);
		const struct request *q = request_of(r, i);

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

/* Describe to assign_pics() which counters each request can use. */
static void describe(const struct together *r, struct assign_request *req)
{
	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = request_of(r, i);
		const struct event *own = q->event.own;

		req[i] = (struct assign_request){.can = q->can,
						 .nneeds = own ? own->nneeds : 0,
						 .needs = own ? own->needs : NULL};
	}
}

/* Returns the resources that these requests could use. */
static uint64_t resources(const struct assign_request *req, uint64_t requests)
{
	uint64_t res = 0;

	for (unsigned i = 0; requests; i++, requests >>= 1)
		for (unsigned k = 0; requests & 1 && k < req[i].nneeds; k++)
			if (req[i].needs[k].pics & req[i].can)
				res |= UINT64_C(1) << req[i].needs[k].res;
	return res;
}

/*
 * Write "need the same ESCR (CRU2)" if the requests outnumber the resources that they
 * could use; else write "".
 */
static void name_resources(const struct evtab *cpu, const struct assign_request *req,
			   uint64_t clash, char *buf, size_t size)
{
	const uint64_t res = resources(req, clash);
	const int many = __builtin_popcountll(res) > 1;

	buf[0] = '\0';
	if (!res || __builtin_popcountll(res) >= __builtin_popcountll(clash))
		return;
	const char *kind = cpu->res[__builtin_ctzll(res)].kind;
	say_add(buf, size, "need the same %s%s",
		strcmp(kind, "escr") == 0 ? "ESCR" : kind, many ? "s" : "");
	for (uint64_t left = res; left; left &= left - 1)
		say_add(buf, size, "%s%s", left == res ? " (" : ", ",
			cpu->res[__builtin_ctzll(left)].name);
	say_add(buf, size, ")");
}

/* Assign counters by the rules of the processor (events/gen/events.awk: dispatch). */
static int assign_by_rules(cpc_t *cpc, const char *fn, const struct together *r)
{
	struct itanium2_wanted_event w[MAX_REQUESTS];
	unsigned pic[MAX_REQUESTS];
	char words[4 * CPC_MAX_EVENT_LEN];

	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = request_of(r, i);

		w[i] = (struct itanium2_wanted_event){q->name, q->event.own, q->can};
	}
	if (itanium2_assign(w, r->n, pic, words, sizeof words) == -1) {
		cpc_report(cpc, fn, CPC_RESOURCE_UNAVAIL, "%s: %s",
			   cpc_subcode_text(CPC_RESOURCE_UNAVAIL), words);
		return -1;
	}
	for (unsigned i = 0; i < r->n; i++)
		request_of(r, i)->pic = pic[i];
	return 0;
}

/* Assign the first counters that fit. */
static int assign_any(cpc_t *cpc, const char *fn, const struct together *r)
{
	struct assign_request req[MAX_REQUESTS];
	struct assign_result choice[MAX_REQUESTS];
	char names[CPC_MAX_EVENT_LEN], res[CPC_MAX_EVENT_LEN];
	uint64_t clash;

	describe(r, req);
	if (assign_pics(req, r->n, choice, &clash) == -1) {
		names[0] = '\0';
		say_set(names, sizeof names, clash, name_of, r);
		name_resources(cpc->scope.cpu, req, clash, res, sizeof res);
		cpc_report(cpc, fn, CPC_RESOURCE_UNAVAIL, "%s: %s %s",
			   cpc_subcode_text(CPC_RESOURCE_UNAVAIL), names,
			   *res ? res : "cannot be counted together");
		return -1;
	}
	for (unsigned i = 0; i < r->n; i++)
		request_of(r, i)->pic = choice[i].pic;
	return 0;
}

static int both_want(cpc_t *cpc, const char *fn, const struct request *a,
		     const struct request *b)
{
	char names[CPC_MAX_EVENT_LEN] = "";

	say_add(names, sizeof names, "%s and %s", a->name, b->name);
	errno = EINVAL;
	cpc_report(cpc, fn, CPC_RESOURCE_UNAVAIL, "%s: %s cannot be counted together",
		   cpc_subcode_text(CPC_RESOURCE_UNAVAIL), names);
	return -1;
}

/* Without a processor all counters are alike. Requests with picnum take theirs first. */
static int assign_alike(cpc_t *cpc, const char *fn, const struct together *r)
{
	const struct request *user[ENGINE_MOST_PICS] = {NULL};
	unsigned pic = 0;

	for (unsigned i = 0; i < r->n; i++) {
		const struct request *q = request_of(r, i);

		if (q->placed && user[q->pic])
			return both_want(cpc, fn, user[q->pic], q);
		if (q->placed)
			user[q->pic] = q;
	}
	for (unsigned i = 0; i < r->n; i++) {
		struct request *q = request_of(r, i);

		if (q->placed)
			continue;
		while (user[pic])
			pic++;
		q->pic = pic++;
	}
	return 0;
}

/* Assign counters to requests that are counted at the same time. */
static int assign_together(cpc_t *cpc, const char *fn, const struct together *r)
{
	const struct evtab *cpu = cpc->scope.cpu;

	if (check_modes(cpc, fn, r) == -1)
		return -1;
	return (!cpu		? assign_alike
		: cpu->dispatch ? assign_by_rules
				: assign_any)(cpc, fn, r);
}

/* Can requests be counted at the same time? Then they have counters. */
static int try_together(cpc_t *cpc, const char *fn, const struct together *r)
{
	struct withheld *const handler = cpc->withheld, message;

	if (r->n > cpc_npic(cpc))
		return 0;
	cpc->withheld = &message;
	const int rc = assign_together(cpc, fn, r);
	cpc->withheld = handler;
	return rc == 0;
}

/* Find the requests before counted[k] that have a turn, and add that request. */
static struct together in_turn(const struct requests *r, unsigned k, unsigned turn,
			       unsigned *index)
{
	struct together t = {r->req, 0, index};

	for (unsigned i = 0; i < k; i++)
		if (r->turn[i] == turn)
			index[t.n++] = r->counted[i];
	index[t.n++] = r->counted[k];
	return t;
}

/* Each request joins the first turn that can take it, or begins a turn. */
static int assign_turns(cpc_t *cpc, const char *fn, struct requests *r)
{
	unsigned index[ENGINE_MOST_PICS];

	r->turns = 0;
	for (unsigned k = 0; k < r->ncounted; k++) {
		unsigned turn = 0;
		struct together t = in_turn(r, k, turn, index);

		while (!try_together(cpc, fn, &t)) {
			if (t.n == 1)
				return assign_together(cpc, fn, &t);
			t = in_turn(r, k, ++turn, index);
		}
		r->turn[k] = (unsigned char)turn;
		if (turn == r->turns)
			r->turns++;
	}
	return 0;
}

static int too_many(cpc_t *cpc, const char *fn, unsigned n, unsigned npic)
{
	errno = EINVAL;
	cpc_report(cpc, fn, CPC_RESOURCE_UNAVAIL,
		   "%s: the set has %u requests, and there are %u counters",
		   cpc_subcode_text(CPC_RESOURCE_UNAVAIL), n, npic);
	return -1;
}

/* The most requests of a set, which the counters or the engine allow. */
static unsigned most_requests(cpc_t *cpc, const struct requests *r)
{
	if (r->flags & CPC_SET_MULTIPLEX)
		return cpc->scope.ops->npic(cpc->scope.engine);
	return cpc->scope.cpu ? MAX_REQUESTS : cpc_npic(cpc);
}

static int assign(cpc_t *cpc, const char *fn, struct requests *r)
{
	const struct together all = {r->req, r->ncounted, r->counted};

	if (r->n == 0) {
		errno = EINVAL;
		return -1;
	}
	if (r->ncounted > most_requests(cpc, r))
		return too_many(cpc, fn, r->ncounted, most_requests(cpc, r));
	r->turns = 1;
	if (r->flags & CPC_SET_MULTIPLEX
		    ? bind_check_turns(cpc, fn, r) == -1 || assign_turns(cpc, fn, r) == -1
		    : assign_together(cpc, fn, &all) == -1)
		return -1;
	r->assigned = 1;
	return 0;
}

int assign_counters(cpc_t *cpc, const char *fn, cpc_set_t *set)
{
	return set->reqs->assigned ? 0 : assign(cpc, fn, set->reqs);
}
