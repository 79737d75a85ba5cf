#include "table/assign.h"

#include <errno.h>

enum { MAX = 64, NOBODY = -1 };

/*
 * What nobody has yet: bits of counters, of resources, and of the counters that must not
 * stay so.
 */
struct spare {
	uint64_t pics, res, lead;
};

static struct spare everything(const struct assign_request *ask, uint64_t requests)
{
	struct spare s = {UINT64_MAX, UINT64_MAX, 0};

	for (; requests; requests &= requests - 1)
		s.lead |= ask[__builtin_ctzll(requests)].lead;
	return s;
}

/* Give request i a counter; whoever has it must find another. Each is tried once. */
static int augment(const uint64_t *can, int i, int *owner, uint64_t *tried)
{
	uint64_t left;

	while ((left = can[i] & ~*tried)) {
		const int pic = __builtin_ctzll(left);

		*tried |= UINT64_C(1) << pic;
		if (owner[pic] == NOBODY || augment(can, owner[pic], owner, tried)) {
			owner[pic] = i;
			return 1;
		}
	}
	return 0;
}

/* Can all have one of their own? Bipartite matching by augmenting paths. */
static int matches(const uint64_t *can, uint64_t requests)
{
	int owner[MAX];

	for (unsigned pic = 0; pic < MAX; pic++)
		owner[pic] = NOBODY;
	for (; requests; requests &= requests - 1) {
		uint64_t tried = 0;

		if (!augment(can, __builtin_ctzll(requests), owner, &tried))
			return 0;
	}
	return 1;
}

/* The counters that a request can still have. */
static uint64_t pics_of(const struct assign_request *a, const struct spare *s)
{
	uint64_t pics = a->nneeds ? 0 : UINT64_MAX;

	for (unsigned k = 0; k < a->nneeds; k++)
		if (s->res >> a->needs[k].res & 1)
			pics |= a->needs[k].pics;
	return pics & a->can & s->pics & ~(s->lead & ~a->lead);
}

/* The resources that a request can still have, on one of these counters. */
static uint64_t res_of(const struct assign_request *a, const struct spare *s,
		       uint64_t pics)
{
	uint64_t res = 0;

	for (unsigned k = 0; k < a->nneeds; k++)
		if (a->needs[k].pics & a->can & pics)
			res |= UINT64_C(1) << a->needs[k].res;
	return res & s->res;
}

static struct spare without(const struct spare *s, unsigned pic, uint64_t res)
{
	const uint64_t others = ~(UINT64_C(1) << pic);

	return (struct spare){s->pics & others, s->res & ~res, s->lead & others};
}

/*
 * Can all counters that must not stay free have a request of their own? Where they can,
 * and all requests can have counters, one assignment does both (Mendelsohn and Dulmage,
 * 1958).
 */
static int leads(const uint64_t *pics, uint64_t requests, uint64_t lead)
{
	uint64_t who[MAX] = {0};

	for (uint64_t pic = lead; pic; pic &= pic - 1)
		for (uint64_t left = requests; left; left &= left - 1)
			if (pics[__builtin_ctzll(left)] & pic & -pic)
				who[__builtin_ctzll(pic)] |= left & -left;
	return matches(who, lead);
}

static int feasible(const struct assign_request *ask, uint64_t requests,
		    const struct spare *s);

/* Try all that request i can have, with the others in mind. */
static int place(const struct assign_request *ask, uint64_t requests,
		 const struct spare *s, unsigned i)
{
	for (uint64_t pics = pics_of(&ask[i], s); pics; pics &= pics - 1) {
		uint64_t res = res_of(&ask[i], s, pics & -pics);

		for (; res; res &= res - 1) {
			const struct spare rest =
				without(s, (unsigned)__builtin_ctzll(pics), res & -res);

			if (feasible(ask, requests & ~(UINT64_C(1) << i), &rest))
				return 1;
		}
	}
	return 0;
}

/*
 * Can these requests be counted together? Those that need counters alone are matched;
 * those that need more are placed one by one, the one with the least counters left first,
 * as long as counters and resources, each by themselves, are enough for all.
 */
static int feasible(const struct assign_request *ask, uint64_t requests,
		    const struct spare *s)
{
	uint64_t pics[MAX], res[MAX], needy = 0;
	unsigned first = 0, least = MAX + 1;

	for (uint64_t left = requests; left; left &= left - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(left);

		pics[i] = pics_of(&ask[i], s);
		res[i] = res_of(&ask[i], s, pics[i]);
		if (!ask[i].nneeds)
			continue;
		needy |= left & -left;
		if ((unsigned)__builtin_popcountll(pics[i]) < least) {
			least = (unsigned)__builtin_popcountll(pics[i]);
			first = i;
		}
	}
	return matches(pics, requests) && matches(res, needy) &&
	       (!s->lead || leads(pics, requests, s->lead)) &&
	       (!needy || place(ask, requests, s, first));
}

/*
 * What is infeasible without a request does not need it. One pass is enough: fewer
 * requests never clash where more do not. (Where there are leads they may; what stays
 * does clash, but perhaps not all of it is to blame.)
 */
static uint64_t smallest_clash(const struct assign_request *ask, uint64_t requests)
{
	for (uint64_t left = requests; left;) {
		const uint64_t last = UINT64_C(1) << (MAX - 1 - __builtin_clzll(left));
		const struct spare s = everything(ask, requests & ~last);

		left &= ~last;
		if (!feasible(ask, requests & ~last, &s))
			requests &= ~last;
	}
	return requests;
}

/* The first choice of request i that leaves enough for the rest; it exists. */
static void choose(const struct assign_request *ask, unsigned i, uint64_t rest,
		   struct spare *s, struct assign_result *choice)
{
	for (uint64_t pics = pics_of(&ask[i], s); pics; pics &= pics - 1) {
		const unsigned pic = (unsigned)__builtin_ctzll(pics);
		uint64_t res = res_of(&ask[i], s, pics & -pics);

		do {
			const struct spare left = without(s, pic, res & -res);

			*choice = (struct assign_result){
				pic, res ? (unsigned)__builtin_ctzll(res) : 0};
			if (feasible(ask, rest, &left)) {
				*s = left;
				return;
			}
			res &= res - 1;
		} while (res);
	}
}

int assign_pics(const struct assign_request *ask, unsigned n,
		struct assign_result *choice, uint64_t *clash)
{
	uint64_t requests = n ? UINT64_MAX >> (n < MAX ? MAX - n : 0) : 0;
	struct spare s = n > MAX ? (struct spare){0} : everything(ask, requests);

	if (n > MAX || !feasible(ask, requests, &s)) {
		*clash = n > MAX ? 0 : smallest_clash(ask, requests);
		errno = EINVAL;
		return -1;
	}
	for (unsigned i = 0; i < n; i++) {
		requests &= ~(UINT64_C(1) << i);
		choose(ask, i, requests, &s, &choice[i]);
	}
	return 0;
}
