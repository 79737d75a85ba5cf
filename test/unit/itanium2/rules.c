/*
 * The rules of pfm_dispatch_events(): examples with known answers, where our answer
 * differs from libpfm 3's, and random input, whose answers must satisfy check.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "check.h"
#include "itanium2/cover.h"
#include "itanium2/groups.h"

static struct ita2_call call, again;

static unsigned event(const char *name)
{
	unsigned idx = 0;

	if (pfm_find_event(name, &idx) != PFMLIB_SUCCESS)
		fail_msg("%s", name);
	return idx;
}

/* Begins a call with events, up to the first NULL, in user mode. */
static void begin(const char *const name[4])
{
	memset(&call, 0, sizeof(call));
	call.in.pfp_dfl_plm = PFM_PLM3;
	for (unsigned i = 0; i < 4 && name[i]; i++) {
		call.in.pfp_events[i].event = event(name[i]);
		call.in.pfp_event_count = i + 1;
	}
}

static uint64_t pmc(unsigned n)
{
	const pfmlib_reg_t *r = check_pmc(&call, n);

	if (!r)
		fail_msg("no PMC%u", n);
	return r->reg_value;
}

static const struct {
	int line;
	const char *name[4];
	unsigned flags;
	int rc;
	unsigned pmc[4]; /* of each event, then others; 0 ends the list */
	uint64_t value[4];
} plain[] = {
	{__LINE__, {"CPU_CYCLES"}, 0, 0, {4}, {0x1228}},
	{__LINE__, {"CPU_CYCLES"}, PFMLIB_PFP_SYSTEMWIDE, 0, {4}, {0x1268}},
	{__LINE__, {"LOADS_RETIRED"}, 0, 0, {5}, {0xcd28}},
	{__LINE__, {"DATA_EAR_CACHE_LAT4"}, 0, 0, {4, 11}, {0xc828, 0x8}},
	{__LINE__, {"DATA_EAR_TLB_ALL"}, 0, 0, {4, 11, 12}, {0xc828, 0xe0088, 0}},
	{__LINE__, {"L1I_EAR_CACHE_LAT8"}, 0, 0, {4, 10}, {0x4328, 0x3fc8}},
	{__LINE__, {"L1I_EAR_TLB_ALL"}, 0, 0, {4, 10}, {0x4328, 0xe8}},
	{__LINE__, {"BRANCH_EVENT"}, 0, 0, {4, 12}, {0x1128, 0x3f08}},
	{__LINE__,
	 {"CPU_CYCLES", "CPU_CYCLES", "L2_REFERENCES"},
	 0,
	 0,
	 {5, 6, 4},
	 {0x1228, 0x1228, 0xb128}},
	{__LINE__,
	 {"L1D_READ_MISSES_ALL", "LOADS_RETIRED"},
	 0,
	 PFMLIB_ERR_EVTSET,
	 {0},
	 {0}},
	{__LINE__,
	 {"L2_L3ACCESS_CANCEL_ANY", "L2_L3ACCESS_CANCEL_DFETCH"},
	 0,
	 PFMLIB_ERR_NOASSIGN,
	 {0},
	 {0}},
	{__LINE__,
	 {"L2_OZQ_CANCELS0_ANY", "L2_OZQ_CANCELS0_ANY"},
	 0,
	 PFMLIB_ERR_INVAL,
	 {0},
	 {0}},
	/* an event with a unit mask must precede one without */
	{__LINE__,
	 {"L2_BYPASS_L2_DATA1", "L2_BYPASS_L2_DATA2"},
	 0,
	 PFMLIB_ERR_NOASSIGN,
	 {0},
	 {0}},
	{__LINE__,
	 {"L2_BYPASS_L2_DATA2", "L2_BYPASS_L2_DATA1"},
	 0,
	 0,
	 {4, 5},
	 {0x1b828, 0xb828}},
	{__LINE__, {"BRANCH_EVENT", "DATA_EAR_ALAT"}, 0, PFMLIB_ERR_EVTINCOMP, {0}, {0}},
};

static void test_plain(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(plain) / sizeof(*plain); c++) {
		begin(plain[c].name);
		call.in.pfp_flags = plain[c].flags;
		ita2_call(&call, 0);
		if (call.rc != plain[c].rc)
			fail_msg("line %d: %d", plain[c].line, call.rc);
		for (unsigned i = 0; i < 4 && plain[c].pmc[i]; i++)
			if (call.out.pfp_pmcs[i].reg_num != plain[c].pmc[i] ||
			    call.out.pfp_pmcs[i].reg_value != plain[c].value[i])
				fail_msg("line %d: PMC%u is %#llx", plain[c].line,
					 call.out.pfp_pmcs[i].reg_num,
					 call.out.pfp_pmcs[i].reg_value);
	}
}

/* Ours: libpfm 3 does not check for NULL. */
static void test_null(void **state)
{
	(void)state;
	begin((const char *const[4]){"CPU_CYCLES"});
	assert_int_equal(pfm_dispatch_events(NULL, &call.mod, &call.out, NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_dispatch_events(&call.in, &call.mod, NULL, &call.mod_out),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_dispatch_events(NULL, NULL, &call.out, NULL),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_dispatch_events(&call.in, NULL, NULL, NULL),
			 PFMLIB_ERR_INVAL);
}

/* Begins a call with ranges of code for retired instructions. */
static void begin_code(unsigned n, const uint64_t limit[][2])
{
	begin((const char *const[4]){"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8",
				     "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9",
				     "IA64_TAGGED_INST_RETIRED_IBRP2_PMC8",
				     "IA64_TAGGED_INST_RETIRED_IBRP3_PMC9"});
	call.has_mod = call.has_mod_out = 1;
	call.mod.pfp_ita2_irange.rr_used = 1;
	for (unsigned i = 0; i < n; i++) {
		call.mod.pfp_ita2_irange.rr_limits[i].rr_start = limit[i][0];
		call.mod.pfp_ita2_irange.rr_limits[i].rr_end = limit[i][1];
	}
}

/*
 * Ours: masks of 56 bits, and offsets of both ranges; the registers are pfmon's example.
 */
static void test_fine(void **state)
{
	const pfmlib_ita2_output_rr_t *out = &call.mod_out.pfp_ita2_irange;

	(void)state;
	begin_code(2, (const uint64_t[][2]){{0x1000, 0x1590}, {0x4000, 0x4100}});
	ita2_call(&call, 0xff);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(out->rr_nbr_used, 8);
	assert_int_equal(out->rr_br[0].reg_value, 0x1000);
	assert_int_equal(out->rr_br[1].reg_value, 0x08fffffffffff000);
	assert_int_equal(out->rr_br[2].reg_num, 4);
	assert_int_equal(out->rr_br[2].reg_value, 0x1590);
	assert_int_equal(out->rr_infos[0].rr_soff, 0);
	assert_int_equal(out->rr_infos[0].rr_eoff, 0x10);
	assert_int_equal(out->rr_infos[1].rr_soff, 0);
	assert_int_equal(out->rr_infos[1].rr_eoff, 0);
	/* Unused members are 0, whatever was in the structure. */
	assert_int_equal(call.mod_out.pfp_ita2_drange.rr_nbr_used, 0);
	assert_int_equal(call.mod_out.reserved[5], 0);
	/* Pages that differ only above bit 31 are different pages. */
	begin_code(1, (const uint64_t[][2]){{0x1000, 0x100001100}});
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(pfm_ita2_irange_is_fine(&call.out, &call.mod_out), 0);
}

static void test_forced(void **state)
{
	const pfmlib_ita2_output_rr_t *out = &call.mod_out.pfp_ita2_irange;

	(void)state;
	assert_int_equal(pfm_force_pmu(PFMLIB_ITANIUM2_PMU), PFMLIB_SUCCESS);
	begin_code(1, (const uint64_t[][2]){{0x1010, 0x1590}});
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(out->rr_br[0].reg_value, 0x1010);
	assert_int_equal(out->rr_br[2].reg_value, 0x1580);
	assert_int_equal(out->rr_infos[0].rr_soff, 0);
	assert_int_equal(out->rr_infos[0].rr_eoff, 0);
	/* After pfm_initialize() ranges end at boundaries of two bundles. */
	assert_int_equal(pfm_initialize(), PFMLIB_SUCCESS);
	ita2_call(&call, 0);
	assert_int_equal(out->rr_br[0].reg_value, 0x1000);
	assert_int_equal(out->rr_br[2].reg_value, 0x1590);
	assert_int_equal(out->rr_infos[0].rr_soff, 0x10);
	assert_int_equal(out->rr_infos[0].rr_eoff, 0x10);
}

/* Code ranges of other events use one pair; the offsets are those of its block. */
static void test_one_pair(void **state)
{
	const pfmlib_ita2_output_rr_t *out = &call.mod_out.pfp_ita2_irange;

	(void)state;
	begin_code(1, (const uint64_t[][2]){{0x1ff0, 0x2010}});
	call.in.pfp_event_count = 1;
	call.in.pfp_events[0].event = event("NOPS_RETIRED");
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(out->rr_nbr_used, 2);
	assert_int_equal(out->rr_infos[0].rr_soff, 0x1ff0);
	assert_int_equal(out->rr_infos[0].rr_eoff, 0x1ff0);
	assert_int_equal(pmc(14), 0xdb4);
	assert_int_equal(pmc(13), 0x2078fefefeee);
	assert_int_equal(pmc(8), 0xffffffff3ffffffc);
	/* The mask ends at bit 55, so that a pair cannot cover two regions. */
	begin_code(1, (const uint64_t[][2]){{0x1ffffffffffffff0, 0x2000000000000010}});
	call.in.pfp_event_count = 1;
	call.in.pfp_events[0].event = event("NOPS_RETIRED");
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_ERR_IRRTOOBIG);
}

/* A block at the end of the address space. */
static void test_last_block(void **state)
{
	const pfmlib_ita2_output_rr_t *out = &call.mod_out.pfp_ita2_irange;

	(void)state;
	begin_code(1, (const uint64_t[][2]){{UINT64_C(0xffffffffffffe000),
					     UINT64_C(0xfffffffffffffff0)}});
	call.in.pfp_event_count = 1;
	call.in.pfp_events[0].event = event("NOPS_RETIRED");
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(out->rr_infos[0].rr_soff, 0);
	assert_int_equal(out->rr_infos[0].rr_eoff, 0x10);
}

/* The branch trace buffer and the D-EAR exclude each other only if both are used. */
static void test_exclusion(void **state)
{
	(void)state;
	begin((const char *const[4]){"BRANCH_EVENT"});
	call.has_mod = 1;
	call.mod.pfp_ita2_dear.ear_mode = PFMLIB_ITA2_EAR_TLB_MODE;
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(pmc(12), 0x3f08);
	call.mod.pfp_ita2_dear.ear_used = 1;
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_ERR_EVTINCOMP);
	/* A PMC12 of 0 turns the buffer off. */
	call.mod.pfp_ita2_btb.btb_used = 1;
	call.in.pfp_dfl_plm = 16;
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(pmc(12), 0);
}

/* Ranges of which libpfm 3 leaves a part out with its last pair, and others. */
static const struct {
	int line;
	uint64_t start, end;
	unsigned n; /* pairs */
	struct ita2_block want[4];
} covers[] = {
	{__LINE__, 0x1000, 0x2000, 4, {{0x1000, 12}}},
	{__LINE__, 0x1000, 0x2000, 1, {{0x1000, 12}}},
	{__LINE__, 0x1fff, 0x2001, 4, {{0x2000, 0}, {0x1fff, 0}}},
	{__LINE__, 0x1000, 0x1001, 1, {{0x1000, 0}}},
	/* one pair; libpfm 3 starts its block at 0x1000 and leaves 0x1800 out */
	{__LINE__, 0x1000, 0x1801, 1, {{0x1000, 12}}},
	{__LINE__, 0x1800, 0x2001, 1, {{0x0, 14}}},
	{__LINE__, 0x800000, 0x6000000, 1, {{0x0, 27}}},
	/* two pairs; both ends are outside of the largest block */
	{__LINE__, 0x34644, 0x38168, 2, {{0x34000, 14}, {0x38000, 9}}},
	/* the ends of the address space, and of what a mask can cover */
	{__LINE__, UINT64_MAX - 1, UINT64_MAX, 1, {{UINT64_MAX - 1, 0}}},
	{__LINE__, 0, UINT64_C(1) << 56, 1, {{0, 56}}},
	{__LINE__, 0, UINT64_C(1) << 57, 1, {{0}}},
	{__LINE__, 0, UINT64_MAX, 4, {{0}}},
	{__LINE__, 0x1000, 0x2000, 0, {{0}}},
};

static void test_cover(void **state)
{
	(void)state;
	for (size_t c = 0; c < sizeof(covers) / sizeof(*covers); c++) {
		struct ita2_block b[4];
		unsigned want = 0;
		const unsigned n =
			ita2_cover(covers[c].start, covers[c].end, covers[c].n, b);

		while (want < 4 &&
		       (covers[c].want[want].addr || covers[c].want[want].log2))
			want++;
		if (n != want)
			fail_msg("line %d: %u blocks", covers[c].line, n);
		for (unsigned i = 0; i < n; i++)
			if (b[i].addr != covers[c].want[i].addr ||
			    b[i].log2 != covers[c].want[i].log2)
				fail_msg("line %d: %#llx, %u", covers[c].line,
					 (unsigned long long)b[i].addr, b[i].log2);
	}
}

/* Blocks cover each range in 6 bits completely, with each number of pairs. */
static void test_cover_all(void **state)
{
	enum { LAST = 64 };

	(void)state;
	for (uint64_t start = 0; start < LAST; start++)
		for (uint64_t end = start + 1; end <= LAST; end++)
			for (unsigned n = 1; n <= 4; n++) {
				struct ita2_block b[4];
				const unsigned used = ita2_cover(start, end, n, b);

				assert_in_range(used, 1, n);
				for (uint64_t a = start; a < end; a++) {
					unsigned k = 0;

					while (k < used && (b[k].addr ^ a) >> b[k].log2)
						k++;
					if (k == used)
						fail_msg("%u in [%u, %u) by %u",
							 (unsigned)a, (unsigned)start,
							 (unsigned)end, n);
				}
			}
}

/* The pairs that the first range leaves are too few for the second. */
static void test_too_many(void **state)
{
	const pfmlib_ita2_output_rr_t *out = &call.mod_out.pfp_ita2_drange;
	pfmlib_ita2_input_rr_t *in = &call.mod.pfp_ita2_drange;

	(void)state;
	begin((const char *const[4]){"LOADS_RETIRED"});
	call.has_mod = call.has_mod_out = 1;
	in->rr_used = 1;
	in->rr_limits[0] = (pfmlib_ita2_input_rr_desc_t){0, 0x1001, 0x100f};
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_SUCCESS);
	assert_int_equal(out->rr_nbr_used, 8);
	in->rr_limits[1] = (pfmlib_ita2_input_rr_desc_t){0, 0x2000, 0x3000};
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_ERR_DRRTOOMANY);
	/* One pair remains, and no block is large enough. */
	in->rr_limits[0] = (pfmlib_ita2_input_rr_desc_t){0, 0x1001, 0x1007};
	in->rr_limits[1].rr_start = UINT64_C(0x1ffffffffffff000);
	in->rr_limits[1].rr_end = UINT64_C(0x2000000000001000);
	in->rr_limits[2] = (pfmlib_ita2_input_rr_desc_t){0, 0x2000, 0x3000};
	ita2_call(&call, 0);
	assert_int_equal(call.rc, PFMLIB_ERR_DRRTOOMANY);
}

static void test_clash(void **state)
{
	struct ita2_event ev[3];
	struct assign_request req[2];
	unsigned pair[2];

	(void)state;
	ita2_event_at(event("CPU_CYCLES"), &ev[0]);
	ita2_event_at(event("L1D_READ_MISSES_ALL"), &ev[1]);
	ita2_event_at(event("LOADS_RETIRED"), &ev[2]);
	assert_int_equal(ita2_clash(ev, 2, pair), ITA2_NO_CLASH);
	assert_int_equal(ita2_clash(ev, 3, pair), ITA2_CLASH_SET);
	assert_int_equal(pair[0], 1);
	assert_int_equal(pair[1], 2);
	assert_int_equal(ita2_event_at(ita2_tab->n, &ev[0]), -1);
	/*
	 * Counter 4 sets the unit mask of both events: an event with mask 0 cannot be
	 * there.
	 */
	ita2_event_at(event("L2_BYPASS_L2_DATA2"), &ev[0]);
	ita2_event_at(event("L2_BYPASS_L2_DATA1"), &ev[1]);
	assert_int_equal(ita2_clash(ev, 2, pair), ITA2_NO_CLASH);
	ita2_counters_for(ev, 2, req);
	assert_int_equal(req[0].can, 0xf0);
	assert_int_equal(req[1].can, 0xe0);
	assert_int_equal(req[1].must_use, 0x10);
}

/* xorshift64*: the same random numbers on every machine. */
static uint64_t seed;

static uint64_t number(void)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return seed * UINT64_C(2685821657736338717);
}

static unsigned below(unsigned n)
{
	return (unsigned)(number() >> 33) % n;
}

/* Returns 1 in one of n cases. */
static int once_in(unsigned n)
{
	return below(n) == 0;
}

/* Makes random ranges: in a page, anywhere, of any size; some are invalid. */
static void random_ranges(pfmlib_ita2_input_rr_t *rr, int code)
{
	const unsigned n = once_in(3) ? below(5) : 1;

	rr->rr_used = 1;
	rr->rr_flags = below(4);
	for (unsigned i = 0; i < n; i++) {
		pfmlib_ita2_input_rr_desc_t *d = &rr->rr_limits[i];

		d->rr_plm = once_in(3) ? below(16) : 0;
		d->rr_start = number() >> below(60);
		d->rr_end = d->rr_start +
			    (number() >> (once_in(4) ? below(64) : 50 + below(14)));
		if (once_in(3))
			d->rr_end = (d->rr_start | 0xfff) & ~below(0x800);
		if (code && !once_in(20)) {
			d->rr_start &= ~UINT64_C(15);
			d->rr_end = (d->rr_end & ~UINT64_C(15)) + (once_in(2) ? 0 : 16);
		}
	}
}

static void random_mod(pfmlib_ita2_input_param_t *m, int ranges)
{
	for (unsigned i = 0; i < 4; i++)
		m->pfp_ita2_counters[i] = (pfmlib_ita2_counter_t){
			!once_in(4), below(10), (pfmlib_ita2_ism_t)below(4)};
	m->pfp_ita2_pmc8 = (pfmlib_ita2_opcm_t){once_in(3), number()};
	m->pfp_ita2_pmc9 = (pfmlib_ita2_opcm_t){once_in(6), number()};
	m->pfp_ita2_iear =
		(pfmlib_ita2_ear_t){once_in(4), (pfmlib_ita2_ear_mode_t)below(2),
				    (pfmlib_ita2_ism_t)below(3), below(16), number()};
	m->pfp_ita2_dear =
		(pfmlib_ita2_ear_t){once_in(4), (pfmlib_ita2_ear_mode_t)below(3),
				    (pfmlib_ita2_ism_t)below(3), below(16), number()};
	m->pfp_ita2_btb = (pfmlib_ita2_btb_t){once_in(4),
					      (unsigned char)below(256),
					      (unsigned char)below(256),
					      (unsigned char)below(256),
					      (unsigned char)below(256),
					      (unsigned char)below(256),
					      below(16)};
	if (ranges & 1)
		random_ranges(&m->pfp_ita2_drange, 0);
	if (ranges & 2)
		random_ranges(&m->pfp_ita2_irange, 1);
}

static void random_call(struct ita2_call *c)
{
	static const char *const retired[] = {"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8",
					      "IA64_TAGGED_INST_RETIRED_IBRP1_PMC9",
					      "IA64_TAGGED_INST_RETIRED_IBRP2_PMC8",
					      "IA64_TAGGED_INST_RETIRED_IBRP3_PMC9"};
	const int tagged = once_in(4), ranges = once_in(2) ? (int)below(4) : 0;

	memset(c, 0, sizeof(*c));
	c->in.pfp_dfl_plm = 1 + below(15);
	c->in.pfp_flags = below(2);
	c->in.pfp_event_count = below(5);
	for (unsigned i = 0; i < c->in.pfp_event_count; i++) {
		c->in.pfp_events[i].event = below(498);
		c->in.pfp_events[i].plm = once_in(4) ? below(16) : 0;
		/* Cache events are adjacent in the table. */
		if (once_in(3))
			c->in.pfp_events[i].event = 294 + below(140);
		if (tagged)
			c->in.pfp_events[i].event = event(retired[i]);
	}
	for (unsigned i = 0; once_in(6) && i < 3; i++)
		pfm_regmask_set(&c->in.pfp_unavail_pmcs, below(20));
	c->has_mod = ranges || once_in(2);
	c->has_mod_out = ranges || once_in(2);
	if (c->has_mod)
		random_mod(&c->mod, ranges);
}

static void test_random(void **state)
{
	const char *given = getenv("ITA2_SEED");
	unsigned good = 0, with_ranges = 0;

	(void)state;
	seed = given ? strtoull(given, NULL, 0) : 1;
	for (unsigned n = 0; n < 20000; n++) {
		const uint64_t before = seed;

		random_call(&call);
		const char *bad = ita2_check(&call, &again);

		if (bad)
			fail_msg("ITA2_SEED=%#llx: %s", (unsigned long long)before, bad);
		good += call.rc == PFMLIB_SUCCESS;
		with_ranges +=
			call.rc == PFMLIB_SUCCESS && (call.mod.pfp_ita2_irange.rr_used ||
						      call.mod.pfp_ita2_drange.rr_used);
	}
	/* Most calls must succeed, or the test would check nothing. */
	assert_true(good > 5000);
	assert_true(with_ranges > 500);
	print_message("%u answers, %u with ranges\n", good, with_ranges);
}

static int initialize(void **state)
{
	(void)state;
	return pfm_initialize();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),	  cmocka_unit_test(test_null),
		cmocka_unit_test(test_fine),	  cmocka_unit_test(test_forced),
		cmocka_unit_test(test_one_pair),  cmocka_unit_test(test_last_block),
		cmocka_unit_test(test_exclusion), cmocka_unit_test(test_cover),
		cmocka_unit_test(test_cover_all), cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_clash),	  cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, initialize, NULL);
}
