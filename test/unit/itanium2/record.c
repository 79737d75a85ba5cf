#include <itanium2_record.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CACHE PFMLIB_ITA2_EAR_CACHE_MODE
#define TLB   PFMLIB_ITA2_EAR_TLB_MODE
#define ALAT  PFMLIB_ITA2_EAR_ALAT_MODE

#define CODE UINT64_C(0x4000000000001220)
#define DATA UINT64_C(0x6000000000012345)

/* Values of PMD17: slot 2 of the bundle at CODE, slot 1 of the next one, not valid. */
#define INSN	(CODE | 0x8 | 2)
#define INSN_BN (CODE | 0x8 | 0x4 | 1)
#define NO_INSN (CODE | 2)

static const struct {
	int line;
	pfmlib_ita2_ear_mode_t mode;
	uint64_t pmd0, pmd1;
	struct ita2_iear_record want;
} iear[] = {
	{__LINE__, CACHE, CODE | 1, 35, {.valid = 1, .addr = CODE, .latency = 35}},
	{__LINE__,
	 CACHE,
	 CODE | 0x1c | 1,
	 0x1fff,
	 {.valid = 1, .addr = CODE, .latency = 4095, .overflow = 1}},
	{__LINE__, CACHE, CODE, 35, {0}},
	{__LINE__, TLB, CODE | 1, 99, {.valid = 1, .addr = CODE, .level = ITA2_TLB_L2}},
	{__LINE__, TLB, CODE | 2, 99, {.valid = 1, .addr = CODE, .level = ITA2_TLB_VHPT}},
	{__LINE__,
	 TLB,
	 CODE | 3,
	 99,
	 {.valid = 1, .addr = CODE, .level = ITA2_TLB_SOFTWARE}},
	{__LINE__, TLB, CODE, 99, {0}},
};

static void test_iear(void **state)
{
	struct ita2_iear_record r;

	(void)state;
	for (size_t c = 0; c < sizeof(iear) / sizeof(*iear); c++) {
		memset(&r, 0xa5, sizeof(r));
		assert_int_equal(
			ita2_decode_iear(iear[c].mode, iear[c].pmd0, iear[c].pmd1, &r),
			PFMLIB_SUCCESS);
		if (r.valid != iear[c].want.valid || r.addr != iear[c].want.addr ||
		    r.latency != iear[c].want.latency ||
		    r.overflow != iear[c].want.overflow || r.level != iear[c].want.level)
			fail_msg("line %d", iear[c].line);
	}
	assert_int_equal(ita2_decode_iear(ALAT, CODE, 0, &r), PFMLIB_ERR_INVAL);
	assert_int_equal(ita2_decode_iear(CACHE, CODE, 0, NULL), PFMLIB_ERR_INVAL);
}

static const struct {
	int line;
	pfmlib_ita2_ear_mode_t mode;
	uint64_t pmd2, pmd3, pmd17;
	struct ita2_dear_record want;
} dear[] = {
	{__LINE__,
	 CACHE,
	 DATA,
	 1 << 14 | 200,
	 INSN,
	 {1, DATA, 200, 0, ITA2_TLB_NONE, 1, CODE | 2}},
	{__LINE__,
	 CACHE,
	 DATA,
	 1 << 14 | 0x3fff,
	 INSN_BN,
	 {1, DATA, 8191, 1, ITA2_TLB_NONE, 1, (CODE + 16) | 1}},
	{__LINE__,
	 CACHE,
	 DATA,
	 1 << 14 | 7,
	 NO_INSN,
	 {1, DATA, 7, 0, ITA2_TLB_NONE, 0, 0}},
	{__LINE__, CACHE, DATA, 200, INSN, {0, 0, 0, 0, ITA2_TLB_NONE, 1, CODE | 2}},
	{__LINE__,
	 TLB,
	 DATA,
	 1 << 14 | 200,
	 INSN,
	 {1, DATA, 0, 0, ITA2_TLB_L2, 1, CODE | 2}},
	{__LINE__, TLB, DATA, 2 << 14, INSN, {1, DATA, 0, 0, ITA2_TLB_VHPT, 1, CODE | 2}},
	{__LINE__,
	 TLB,
	 DATA,
	 3 << 14,
	 INSN,
	 {1, DATA, 0, 0, ITA2_TLB_SOFTWARE, 1, CODE | 2}},
	{__LINE__, ALAT, DATA, 0, INSN, {1, 0, 0, 0, ITA2_TLB_NONE, 1, CODE | 2}},
	{__LINE__, ALAT, DATA, 1 << 14, NO_INSN, {0}},
};

static void test_dear(void **state)
{
	struct ita2_dear_record r;

	(void)state;
	for (size_t c = 0; c < sizeof(dear) / sizeof(*dear); c++) {
		const struct ita2_dear_record *w = &dear[c].want;

		memset(&r, 0xa5, sizeof(r));
		assert_int_equal(ita2_decode_dear(dear[c].mode, dear[c].pmd2,
						  dear[c].pmd3, dear[c].pmd17, &r),
				 PFMLIB_SUCCESS);
		if (r.valid != w->valid || r.addr != w->addr || r.latency != w->latency ||
		    r.overflow != w->overflow || r.level != w->level ||
		    r.insn_valid != w->insn_valid || r.insn != w->insn)
			fail_msg("line %d", dear[c].line);
	}
	assert_int_equal(ita2_decode_dear((pfmlib_ita2_ear_mode_t)3, 0, 0, 0, &r),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(ita2_decode_dear(CACHE, 0, 0, 0, NULL), PFMLIB_ERR_INVAL);
}

/* Values of PMD8-15: a branch at CODE in a slot, and its target. */
#define BRANCH(slot) (CODE | (slot) << 2 | 1)
#define MISSED(slot) (CODE | (slot) << 2 | 3)
#define TARGET	     (CODE | 2)
/* The bits of entry k in PMD16. */
#define B1(k)	    (UINT64_C(1) << (4 + 4 * (k)))
#define BRUFLUSH(k) (UINT64_C(2) << (4 + 4 * (k)))

static const struct {
	int line;
	uint64_t pmd[8], pmd16;
	unsigned n;
	struct ita2_btb_entry want[8];
} btb[] = {
	{__LINE__, {0}, 0, 0, {{0}}},
	{__LINE__,
	 {BRANCH(2), TARGET, BRANCH(3)},
	 3 | BRUFLUSH(0) | BRUFLUSH(1),
	 3,
	 {{1, 1, CODE | 2, 1, ITA2_BTB_BE_FAILURE},
	  {1, 0, CODE, 0, ITA2_BTB_SUCCESS},
	  {1, 1, CODE, 0, ITA2_BTB_SUCCESS}}},
	{__LINE__,
	 {MISSED(0), CODE | 4},
	 2 | B1(0) | BRUFLUSH(0),
	 2,
	 {{1, 1, CODE + 16, 1, ITA2_BTB_FE_FAILURE}, {0}}},
	/* full: the entry to be written next is the oldest */
	{__LINE__,
	 {BRANCH(0), TARGET, BRANCH(0), TARGET, BRANCH(0), TARGET, BRANCH(1), TARGET},
	 6 | 8 | B1(6),
	 8,
	 {{1, 1, (CODE + 16) | 1, 1, ITA2_BTB_SUCCESS},
	  {1, 0, CODE, 0, ITA2_BTB_SUCCESS},
	  {1, 1, CODE, 1, ITA2_BTB_SUCCESS},
	  {1, 0, CODE, 0, ITA2_BTB_SUCCESS},
	  {1, 1, CODE, 1, ITA2_BTB_SUCCESS},
	  {1, 0, CODE, 0, ITA2_BTB_SUCCESS},
	  {1, 1, CODE, 1, ITA2_BTB_SUCCESS},
	  {1, 0, CODE, 0, ITA2_BTB_SUCCESS}}},
};

static void test_btb(void **state)
{
	struct ita2_btb_entry e[8];
	unsigned n;

	(void)state;
	for (size_t c = 0; c < sizeof(btb) / sizeof(*btb); c++) {
		assert_int_equal(ita2_decode_btb(btb[c].pmd, btb[c].pmd16, e, &n),
				 PFMLIB_SUCCESS);
		assert_int_equal(n, btb[c].n);
		for (unsigned i = 0; i < n; i++) {
			const struct ita2_btb_entry *w = &btb[c].want[i];

			if (e[i].valid != w->valid || e[i].is_branch != w->is_branch ||
			    e[i].addr != w->addr || e[i].taken != w->taken ||
			    e[i].outcome != w->outcome)
				fail_msg("line %d, entry %u", btb[c].line, i);
		}
	}
	assert_int_equal(ita2_decode_btb(NULL, 0, e, &n), PFMLIB_ERR_INVAL);
	assert_int_equal(ita2_decode_btb(btb[0].pmd, 0, NULL, &n), PFMLIB_ERR_INVAL);
	assert_int_equal(ita2_decode_btb(btb[0].pmd, 0, e, NULL), PFMLIB_ERR_INVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_iear),
		cmocka_unit_test(test_dear),
		cmocka_unit_test(test_btb),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
