#include "table/assign.h"

#include <errno.h>

enum { MAX = 64, NOBODY = -1 };

/* The counters and resources that are not assigned yet; bit n: number n. */
struct free_counters {
	uint64_t pics, res;
	uint64_t must_use; /* counters that must not stay free */
};

static struct free_counters all_free(const struct assign_request *req, uint64_t requests)
{
	struct free_counters all = {UINT64_MAX, UINT64_MAX, 0};

	for (; requests; requests &= requests - 1)
		all.must_use |= req[__builtin_ctzll(requests)].must_use;
	return all;
}

/*
 * Give request i a counter of can[i]; a request that owns the counter already must then
 * find another counter. Each counter is tried once. Returns whether all have a counter.
 */
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

/* Can each request i have a counter of can[i]? Bipartite matching by augmenting paths. */
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

/* The counters that request a can still get. */
static uint64_t pics_of(const struct assign_request *a, const struct free_counters *avail)
{
	uint64_t pics = a->nneeds ? 0 : UINT64_MAX;

	for (unsigned k = 0; k < a->nneeds; k++)
		if (avail->res >> a->needs[k].res & 1)
			pics |= a->needs[k].pics;
	return pics & a->can & avail->pics & ~(avail->must_use & ~a->must_use);
}

/* The resources that request a can still get on one of these counters. */
static uint64_t res_of(const struct assign_request *a, const struct free_counters *avail,
		       uint64_t pics)
{
	uint64_t res = 0;

	for (unsigned k = 0; k < a->nneeds; k++)
		if (a->needs[k].pics & a->can & pics)
			res |= UINT64_C(1) << a->needs[k].res;
	return res & avail->res;
}

static struct free_counters without(const struct free_counters *avail, unsigned pic,
				    uint64_t res)
{
	const uint64_t other_pics = ~(UINT64_C(1) << pic);

	return (struct free_counters){avail->pics & other_pics, avail->res & ~res,
				      avail->must_use & other_pics};
}

/*
 * Can each counter that must not stay free get a request of its own? If so, and if all
 * requests can get counters, one assignment does both (Mendelsohn and Dulmage, 1958).
 */
static int can_use_all(const uint64_t *pics, uint64_t requests, uint64_t must_use)
{
	uint64_t users[MAX] = {0};

	for (uint64_t pic = must_use; pic; pic &= pic - 1)
		for (uint64_t left = requests; left; left &= left - 1)
			if (pics[__builtin_ctzll(left)] & pic & -pic)
				users[__builtin_ctzll(pic)] |= left & -left;
	return matches(users, must_use);
}

static int feasible(const struct assign_request *req, uint64_t requests,
		    const struct free_counters *avail);

/* Try each counter and resource that request i can get, if the rest stays feasible. */
static int place_one(const struct assign_request *req, uint64_t requests,
		     const struct free_counters *avail, unsigned i)
{
	for (uint64_t pics = pics_of(&req[i], avail); pics; pics &= pics - 1) {
		uint64_t res = res_of(&req[i], avail, pics & -pics);

		for (; res; res &= res - 1) {
			const struct free_counters rest = without(
				avail, (unsigned)__builtin_ctzll(pics), res & -res);

			if (feasible(req, requests & ~(UINT64_C(1) << i), &rest))
				return 1;
		}
	}
	return 0;
}

/*
 * Can these requests be counted together? Requests that need only counters are matched.
 * Requests that also need resources are placed one by one, first the request with the
 * fewest free counters, as long as the counters, and the resources, can be matched.
 */
static int feasible(const struct assign_request *req, uint64_t requests,
		    const struct free_counters *avail)
{
	uint64_t pics[MAX], res[MAX], needy = 0;
	unsigned first = 0, least = MAX + 1;

	for (uint64_t left = requests; left; left &= left - 1) {
		const unsigned i = (unsigned)__builtin_ctzll(left);

		pics[i] = pics_of(&req[i], avail);
		res[i] = res_of(&req[i], avail, pics[i]);
		if (!req[i].nneeds)
			continue;
		needy |= left & -left;
		if ((unsigned)__builtin_popcountll(pics[i]) < least) {
			least = (unsigned)__builtin_popcountll(pics[i]);
			first = i;
		}
	}
	return matches(pics, requests) && matches(res, needy) &&
	       (!avail->must_use || can_use_all(pics, requests, avail->must_use)) &&
	       (!needy || place_one(req, requests, avail, first));
}

/*
 * A request is left out if the requests without it still clash. One pass is enough,
 * because fewer requests never clash where more do not. (With must_use they may: then the
 * requests that remain clash, but perhaps do so without one of them too.)
 */
static uint64_t smallest_clash(const struct assign_request *req, uint64_t requests)
{
	for (uint64_t left = requests; left;) {
		const uint64_t last = UINT64_C(1) << (MAX - 1 - __builtin_clzll(left));
		const struct free_counters all = all_free(req, requests & ~last);

		left &= ~last;
		if (!feasible(req, requests & ~last, &all))
			requests &= ~last;
	}
	return requests;
}

/* Give request i the first counter and resource that leave enough for the rest. */
static void place_first(const struct assign_request *req, unsigned i, uint64_t rest,
			struct free_counters *avail, struct assign_result *result)
{
	for (uint64_t pics = pics_of(&req[i], avail); pics; pics &= pics - 1) {
		const unsigned pic = (unsigned)__builtin_ctzll(pics);
		uint64_t res = res_of(&req[i], avail, pics & -pics);

		do {
			const struct free_counters left = without(avail, pic, res & -res);

			*result = (struct assign_result){
				pic, res ? (unsigned)__builtin_ctzll(res) : 0};
			if (feasible(req, rest, &left)) {
				*avail = left;
				return;
			}
			res &= res - 1;
		} while (res);
	}
}

int assign_pics(const struct assign_request *req, unsigned n,
		struct assign_result *result, uint64_t *clash)
{
	uint64_t requests = n ? UINT64_MAX >> (n < MAX ? MAX - n : 0) : 0;
	struct free_counters avail =
		n > MAX ? (struct free_counters){0} : all_free(req, requests);

	if (n > MAX || !feasible(req, requests, &avail)) {
		*clash = n > MAX ? 0 : smallest_clash(req, requests);
		errno = EINVAL;
		return -1;
	}
	for (unsigned i = 0; i < n; i++) {
		requests &= ~(UINT64_C(1) << i);
		place_first(req, i, requests, &avail, &result[i]);
	}
	return 0;
}
