#include "table/assign.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MAX = 64 };

#define FULL UINT64_MAX

/* assign_pics() for requests that need only counters. */
static int assign(const uint64_t *can, unsigned n, unsigned *pic, uint64_t *clash)
{
	struct assign_request req[MAX + 1] = {0};
	struct assign_result result[MAX + 1];

	for (unsigned i = 0; i < n; i++)
		req[i] = (struct assign_request){.can = can[i]};
	const int ret = assign_pics(req, n, result, clash);
	for (unsigned i = 0; ret == 0 && i < n; i++)
		pic[i] = result[i].pic;
	return ret;
}

static const struct {
	int line;
	unsigned n;
	uint64_t can[6];
	unsigned pic[6];
	uint64_t clash; /* 0: pic is expected */
} cases[] = {
	{__LINE__, 0, {0}, {0}, 0},
	{__LINE__, 1, {1}, {0}, 0},
	{__LINE__, 1, {UINT64_C(1) << 63}, {63}, 0},
	{__LINE__, 2, {3, 3}, {0, 1}, 0},
	{__LINE__, 2, {3, 1}, {1, 0}, 0},
	{__LINE__, 3, {7, 3, 1}, {2, 1, 0}, 0},
	{__LINE__, 3, {6, 7, 5}, {1, 0, 2}, 0},
	{__LINE__, 4, {0xc, 0x6, 0x3, 0x9}, {2, 1, 0, 3}, 0},
	{__LINE__, 6, {FULL, FULL, FULL, FULL, FULL, 1}, {1, 2, 3, 4, 5, 0}, 0},
	{__LINE__, 1, {0}, {0}, 1},
	{__LINE__, 3, {1, 0, 1}, {0}, 2},
	{__LINE__, 2, {1, 1}, {0}, 3},
	{__LINE__, 3, {1, 2, 1}, {0}, 5},
	{__LINE__, 3, {1, 2, 2}, {0}, 6},
	{__LINE__, 4, {8, 3, 3, 3}, {0}, 0xe},
	{__LINE__, 6, {0x30, 1, 0x30, 2, 0x30, 4}, {0}, 0x15},
};

static void test_table(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		unsigned pic[6] = {0};
		uint64_t clash = 0;

		errno = 0;
		const int ret = assign(cases[c].can, cases[c].n, pic, &clash);
		const int bad = cases[c].clash ? !ret || errno != EINVAL : ret;

		const int wrong = memcmp(pic, cases[c].pic, sizeof(pic));

		if (bad || wrong || clash != cases[c].clash)
			fail_msg("line %d: %d, clash %#llx, pic %u %u %u %u %u %u",
				 cases[c].line, ret, (unsigned long long)clash, pic[0],
				 pic[1], pic[2], pic[3], pic[4], pic[5]);
	}
}

static void test_too_many(void **state)
{
	uint64_t can[MAX + 1], clash = 1;
	unsigned pic[MAX + 1];

	(void)state;
	for (unsigned i = 0; i <= MAX; i++)
		can[i] = FULL;
	errno = 0;
	assert_int_equal(assign(can, MAX + 1, pic, &clash), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(clash, 0);
}

/*
 * Requests for which a plain search would take years: request i can use all counters up
 * to 63 - i (one assignment exists); 64 requests for 63 counters; 62 requests that can
 * use all counters, then two requests that can use only one and the same.
 */
static void test_big(void **state)
{
	uint64_t can[MAX], clash = 0;
	unsigned pic[MAX];

	(void)state;
	for (unsigned i = 0; i < MAX; i++)
		can[i] = FULL >> i;
	assert_int_equal(assign(can, MAX, pic, &clash), 0);
	for (unsigned i = 0; i < MAX; i++)
		assert_int_equal(pic[i], MAX - 1 - i);

	for (unsigned i = 0; i < MAX; i++)
		can[i] = FULL >> 1;
	assert_int_equal(assign(can, MAX, pic, &clash), -1);
	assert_true(clash == FULL);

	for (unsigned i = 0; i < MAX; i++)
		can[i] = i < MAX - 2 ? FULL : 1;
	assert_int_equal(assign(can, MAX, pic, &clash), -1);
	assert_true(clash == UINT64_C(3) << 62);
}

/* Find the first assignment in lexicographic order by trying all of them. */
static int search(const uint64_t *can, unsigned n, uint64_t set, unsigned i,
		  uint64_t used, unsigned *pic)
{
	if (i == n)
		return 1;
	if (!(set >> i & 1))
		return search(can, n, set, i + 1, used, pic);
	for (pic[i] = 0; pic[i] < MAX; pic[i]++) {
		const uint64_t bit = UINT64_C(1) << pic[i];

		if (can[i] & ~used & bit && search(can, n, set, i + 1, used | bit, pic))
			return 1;
	}
	return 0;
}

static uint64_t xorshift(uint64_t *x)
{
	*x ^= *x << 13;
	*x ^= *x >> 7;
	*x ^= *x << 17;
	return *x;
}

/* Is clash infeasible, and feasible without any one of its requests? */
static int minimal(const uint64_t *can, unsigned n, uint64_t clash)
{
	unsigned pic[MAX];

	if (!clash || clash >> n || search(can, n, clash, 0, 0, pic))
		return 0;
	for (uint64_t left = clash; left; left &= left - 1)
		if (!search(can, n, clash & ~(left & -left), 0, 0, pic))
			return 0;
	return 1;
}

static void test_against_search(void **state)
{
	uint64_t x = 0x9e3779b97f4a7c15;
	unsigned yes = 0, no = 0;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		const unsigned n = 1 + xorshift(&x) % 6, npic = 1 + xorshift(&x) % 6;
		uint64_t can[6], clash = 0;
		unsigned pic[6] = {0}, want[6] = {0};

		for (unsigned i = 0; i < n; i++)
			can[i] = xorshift(&x) & xorshift(&x) >> 8 * (round & 1) &
				 ((UINT64_C(1) << npic) - 1);

		const int ok = !assign(can, n, pic, &clash);
		if (ok != search(can, n, FULL, 0, 0, want))
			fail_msg("round %d: feasible %d is wrong", round, ok);
		if (ok && memcmp(pic, want, n * sizeof(*pic)))
			fail_msg("round %d: not the first assignment", round);
		if (!ok && !minimal(can, n, clash))
			fail_msg("round %d: clash %#llx is not minimal", round,
				 (unsigned long long)clash);
		yes += ok;
		no += !ok;
	}
	/* Neither answer is rare among the random cases. */
	assert_true(yes > 10000 && no > 10000);
}

/* The most resources that a random request needs, and the most requests. */
enum { NEEDS = 3, REQUESTS = 5 };

/* Does each counter of must_use go to a request that has its bit, and to no other? */
static int must_use_holds(const struct assign_request *req, unsigned n, uint64_t set,
			  const struct assign_result *c)
{
	uint64_t must_use = 0, used = 0;

	for (unsigned i = 0; i < n; i++)
		must_use |= set >> i & 1 ? req[i].must_use : 0;
	for (unsigned i = 0; i < n; i++) {
		const uint64_t pic = set >> i & 1 ? UINT64_C(1) << c[i].pic : 0;

		if (must_use & pic & ~req[i].must_use)
			return 0;
		used |= pic;
	}
	return !(must_use & ~used);
}

/* Try all counters and resources for request i and later ones, in lexicographic order. */
static int search_all(const struct assign_request *req, unsigned n, uint64_t set,
		      unsigned i, uint64_t pics, uint64_t res, struct assign_result *c)
{
	if (i == n)
		return must_use_holds(req, n, set, c);
	if (!(set >> i & 1))
		return search_all(req, n, set, i + 1, pics, res, c);
	for (unsigned pic = 0; pic < 8; pic++)
		for (unsigned r = 0; r < 8; r++) {
			int serves = !req[i].nneeds && r == 0;

			for (unsigned k = 0; k < req[i].nneeds; k++)
				serves |= req[i].needs[k].res == r && !(res >> r & 1) &&
					  req[i].needs[k].pics >> pic & 1;
			if (!serves || !(req[i].can & ~pics & UINT64_C(1) << pic))
				continue;
			c[i] = (struct assign_result){pic, r};
			if (search_all(req, n, set, i + 1, pics | UINT64_C(1) << pic,
				       req[i].nneeds ? res | UINT64_C(1) << r : res, c))
				return 1;
		}
	return 0;
}

static int minimal_of_all(const struct assign_request *req, unsigned n, uint64_t clash)
{
	struct assign_result c[REQUESTS];

	if (!clash || clash >> n || search_all(req, n, clash, 0, 0, 0, c))
		return 0;
	for (uint64_t left = clash; left; left &= left - 1)
		if (!search_all(req, n, clash & ~(left & -left), 0, 0, 0, c))
			return 0;
	return 1;
}

static int is_same(const struct assign_result *a, const struct assign_result *b,
		   unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (a[i].pic != b[i].pic || a[i].res != b[i].res)
			return 0;
	return 1;
}

/* One request in four needs only a counter. */
static void random_request(uint64_t *x, struct assign_request *req, struct evneed *need)
{
	const uint64_t pics = (UINT64_C(1) << (1 + xorshift(x) % 6)) - 1;

	*req = (struct assign_request){.can = xorshift(x) & pics,
				       .nneeds = (unsigned)(xorshift(x) % (NEEDS + 1)),
				       .needs = need};
	for (unsigned k = 0; k < req->nneeds; k++)
		need[k] = (struct evneed){(unsigned)(xorshift(x) % 5),
					  xorshift(x) >> 8 & pics};
}

static void test_needs_against_search(void **state)
{
	uint64_t x = 0x2545f4914f6cdd1d;
	unsigned yes = 0, no = 0;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		const unsigned n = 1 + (unsigned)(xorshift(&x) % REQUESTS);
		struct evneed need[REQUESTS][NEEDS];
		struct assign_request req[REQUESTS];
		struct assign_result got[REQUESTS], want[REQUESTS];
		uint64_t clash = 0;

		for (unsigned i = 0; i < n; i++)
			random_request(&x, &req[i], need[i]);
		const int ok = !assign_pics(req, n, got, &clash);
		if (ok != search_all(req, n, FULL, 0, 0, 0, want))
			fail_msg("round %d: feasible %d is wrong", round, ok);
		if (ok && !is_same(got, want, n))
			fail_msg("round %d: not the first assignment", round);
		if (!ok && !minimal_of_all(req, n, clash))
			fail_msg("round %d: clash %#llx is not minimal", round,
				 (unsigned long long)clash);
		yes += ok;
		no += !ok;
	}
	assert_true(yes > 10000 && no > 10000);
}

/* Requests with must_use, with needs and without. */
static void test_must_use_against_search(void **state)
{
	uint64_t x = 0xd1342543de82ef95;
	unsigned yes = 0, no = 0;

	(void)state;
	for (int round = 0; round < 100000; round++) {
		const unsigned n = 1 + (unsigned)(xorshift(&x) % REQUESTS);
		const uint64_t must_use = UINT64_C(1) << xorshift(&x) % 6;
		struct evneed need[REQUESTS][NEEDS];
		struct assign_request req[REQUESTS];
		struct assign_result got[REQUESTS], want[REQUESTS];
		uint64_t clash = 0;

		for (unsigned i = 0; i < n; i++) {
			random_request(&x, &req[i], need[i]);
			if (round % 2)
				req[i].nneeds = 0;
			if (xorshift(&x) % 2)
				req[i].must_use = must_use | UINT64_C(1)
								     << xorshift(&x) % 6;
		}
		const int ok = !assign_pics(req, n, got, &clash);

		if (ok != search_all(req, n, FULL, 0, 0, 0, want))
			fail_msg("round %d: feasible %d is wrong", round, ok);
		if (ok && !is_same(got, want, n))
			fail_msg("round %d: not the first assignment", round);
		if (!ok &&
		    (!clash || clash >> n || search_all(req, n, clash, 0, 0, 0, want)))
			fail_msg("round %d: %#llx does not clash", round,
				 (unsigned long long)clash);
		yes += ok;
		no += !ok;
	}
	assert_true(yes > 10000 && no > 10000);
}

/* A request for an event of table p4, on counter pic, or on any counter (-1). */
static struct assign_request p4_request(const char *event, int pic)
{
	const struct event *ev = evtab_name(evtab_find("p4"), event);

	return (struct assign_request){
		.can = pic < 0 ? ev->pics : UINT64_C(1) << pic,
		.nneeds = ev->nneeds,
		.needs = ev->needs,
	};
}

/*
 * Can events a and b be counted on counters pa and pb? By the documents: the counters
 * differ, and there are two different ESCRs, each of which selects its event and drives
 * its counter (lines escr and column escr= of events/p4.events).
 */
static int p4_pair_fits(const struct event *a, unsigned pa, const struct event *b,
			unsigned pb)
{
	const struct evtab *t = evtab_find("p4");

	if (pa == pb)
		return 0;
	for (unsigned i = 0; i < t->nres; i++)
		for (unsigned k = 0; k < t->nres; k++) {
			const struct evres *x = &t->res[i], *y = &t->res[k];

			if (i != k && strcmp(x->kind, "escr") == 0 &&
			    strcmp(y->kind, "escr") == 0 &&
			    strstr(evtab_col(a, "escr")->text, x->name) &&
			    strstr(evtab_col(b, "escr")->text, y->name) &&
			    evtab_rescol(x, "pic")->num >> pa & 1 &&
			    evtab_rescol(y, "pic")->num >> pb & 1)
				return 1;
		}
	return 0;
}

/* All pairs of events on all pairs of their counters. */
static void test_pentium4_pairs(void **state)
{
	const struct evtab *t = evtab_find("p4");
	unsigned yes = 0, no = 0;

	(void)state;
	for (unsigned i = 0; i < t->n; i++)
		for (unsigned k = 0; k < t->n; k++)
			for (uint64_t pa = t->ev[i].pics; pa; pa &= pa - 1)
				for (uint64_t pb = t->ev[k].pics; pb; pb &= pb - 1) {
					const int a = __builtin_ctzll(pa),
						  b = __builtin_ctzll(pb);
					const struct assign_request req[] = {
						p4_request(t->ev[i].name, a),
						p4_request(t->ev[k].name, b)};
					struct assign_result c[2];
					uint64_t clash;
					const int ok = !assign_pics(req, 2, c, &clash);

					if (ok != p4_pair_fits(&t->ev[i], (unsigned)a,
							       &t->ev[k], (unsigned)b))
						fail_msg("%s on %d, %s on %d: %d",
							 t->ev[i].name, a, t->ev[k].name,
							 b, ok);
					yes += ok;
					no += !ok;
				}
	assert_true(yes > 10000 && no > 1000);
}

/*
 * The NOTES of cpc_bind_curlwp(3CPC): branch_retired on counters 12 and 13 needs
 * CRU_ESCR2 twice. A first fit would fail for x87_assist on any counter, which must leave
 * CRU2 to branch_retired on counter 12.
 */
static void test_pentium4(void **state)
{
	const struct assign_request clash12_13[] = {p4_request("branch_retired", 12),
						    p4_request("branch_retired", 13)};
	const struct assign_request fit12_14[] = {p4_request("branch_retired", 12),
						  p4_request("branch_retired", 14)};
	const struct assign_request leaves[] = {p4_request("x87_assist", -1),
						p4_request("branch_retired", 12)};
	const struct assign_request three[] = {
		p4_request("global_power_events", -1), p4_request("branch_retired", -1),
		p4_request("machine_clear", -1), p4_request("x87_assist", -1)};
	struct assign_result c[4];
	uint64_t clash = 0;

	(void)state;
	assert_int_equal(assign_pics(clash12_13, 2, c, &clash), -1);
	assert_int_equal(clash, 3);
	assert_int_equal(assign_pics(fit12_14, 2, c, &clash), 0);
	assert_string_equal(evtab_find("p4")->res[c[0].res].name, "CRU2");
	assert_string_equal(evtab_find("p4")->res[c[1].res].name, "CRU3");
	assert_int_equal(assign_pics(leaves, 2, c, &clash), 0);
	assert_int_equal(c[0].pic, 14);
	assert_string_equal(evtab_find("p4")->res[c[0].res].name, "CRU3");
	assert_int_equal(assign_pics(three, 4, c, &clash), -1);
	assert_int_equal(clash, 0xe);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_big),
		cmocka_unit_test(test_against_search),
		cmocka_unit_test(test_needs_against_search),
		cmocka_unit_test(test_must_use_against_search),
		cmocka_unit_test(test_pentium4_pairs),
		cmocka_unit_test(test_pentium4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
