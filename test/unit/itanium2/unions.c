#include <perfmon/pfmlib_itanium2.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "itanium2/registers.h"

/* Returns the bits of one field of a layout; fails if there is no such field. */
static uint64_t field_bits(const struct bits_layout *l, const char *name)
{
	const uint64_t bits = bits_put(l, 0, name, UINT64_MAX);

	if (bits == 0)
		fail_msg("no field %s", name);
	return bits;
}

/* Returns the bits of all fields of a layout. */
static uint64_t layout_bits(const struct bits_layout *l)
{
	uint64_t bits = 0;

	for (const struct bits_field *f = l->field; f->name; f++)
		bits |= bits_field_put(f, 0, UINT64_MAX);
	return bits;
}

/*
 * Sets a field of a register in its union: the value then has the bits of this field in
 * the layout of the register. prefix is what the union's name has before the layout's.
 */
#define FIELD(type, val, reg, prefix, field, layout)                            \
	do {                                                                    \
		type u;                                                         \
                                                                                \
		memset(&u.reg, 0, sizeof(u.reg));                               \
		u.reg.prefix##field--;                                          \
		if (u.val != field_bits(layout, #field))                        \
			fail_msg("line %d: " #reg "." #prefix #field ": 0x%lx", \
				 __LINE__, u.val);                              \
		seen |= u.val;                                                  \
	} while (0)
#define PMC(reg, prefix, field, layout) \
	FIELD(pfm_ita2_pmc_reg_t, pmc_val, reg, prefix, field, &(layout))
#define PMD(reg, prefix, field, layout) \
	FIELD(pfm_ita2_pmd_reg_t, pmd_val, reg, prefix, field, &(layout))

/* All fields of a layout were checked. */
#define WHOLE(layout)                                     \
	do {                                              \
		assert_true(seen == layout_bits(layout)); \
		seen = 0;                                 \
	} while (0)

static void test_counters(void **state)
{
	uint64_t seen = 0;

	(void)state;
	PMC(pmc4_7_ita2_reg, pmc_, plm, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, ev, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, oi, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, pm, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, es, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, umask, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, thres, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, enable, ita2_counter_layout);
	PMC(pmc4_7_ita2_reg, pmc_, ism, ita2_counter_layout);
	WHOLE(&ita2_counter_layout);
}

static void test_opcode_matchers(void **state)
{
	uint64_t seen = 0;

	(void)state;
	PMC(pmc8_9_ita2_reg, opcm_, ig_ad, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, inv, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, one, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, mask, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, match, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, b, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, f, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, i, ita2_opcm_layout);
	PMC(pmc8_9_ita2_reg, opcm_, m, ita2_opcm_layout);
	WHOLE(&ita2_opcm_layout);
	PMC(pmc15_ita2_reg, opcm_, ibrp0_pmc8, ita2_pmc15_layout);
	PMC(pmc15_ita2_reg, opcm_, ibrp1_pmc9, ita2_pmc15_layout);
	PMC(pmc15_ita2_reg, opcm_, ibrp2_pmc8, ita2_pmc15_layout);
	PMC(pmc15_ita2_reg, opcm_, ibrp3_pmc9, ita2_pmc15_layout);
	WHOLE(&ita2_pmc15_layout);
}

static void test_address_registers(void **state)
{
	uint64_t seen = 0;

	(void)state;
	PMC(pmc10_cache_ita2_reg, iear_, plm, ita2_iear_cache_layout);
	PMC(pmc10_cache_ita2_reg, iear_, pm, ita2_iear_cache_layout);
	PMC(pmc10_cache_ita2_reg, iear_, umask, ita2_iear_cache_layout);
	PMC(pmc10_cache_ita2_reg, iear_, ct, ita2_iear_cache_layout);
	PMC(pmc10_cache_ita2_reg, iear_, ism, ita2_iear_cache_layout);
	WHOLE(&ita2_iear_cache_layout);
	PMC(pmc10_tlb_ita2_reg, iear_, plm, ita2_iear_tlb_layout);
	PMC(pmc10_tlb_ita2_reg, iear_, pm, ita2_iear_tlb_layout);
	PMC(pmc10_tlb_ita2_reg, iear_, umask, ita2_iear_tlb_layout);
	PMC(pmc10_tlb_ita2_reg, iear_, ct, ita2_iear_tlb_layout);
	PMC(pmc10_tlb_ita2_reg, iear_, ism, ita2_iear_tlb_layout);
	WHOLE(&ita2_iear_tlb_layout);
	PMC(pmc11_ita2_reg, dear_, plm, ita2_dear_layout);
	PMC(pmc11_ita2_reg, dear_, pm, ita2_dear_layout);
	PMC(pmc11_ita2_reg, dear_, mode, ita2_dear_layout);
	PMC(pmc11_ita2_reg, dear_, umask, ita2_dear_layout);
	PMC(pmc11_ita2_reg, dear_, ism, ita2_dear_layout);
	WHOLE(&ita2_dear_layout);
}

static void test_address_records(void **state)
{
	const pfm_ita2_pmd_reg_t data = {.pmd_val = 0x123456789abcdef0};
	uint64_t seen = 0;

	(void)state;
	PMD(pmd0_ita2_reg, iear_, stat, ita2_pmd0_layout);
	PMD(pmd0_ita2_reg, iear_, iaddr, ita2_pmd0_layout);
	WHOLE(&ita2_pmd0_layout);
	PMD(pmd1_ita2_reg, iear_, latency, ita2_pmd1_layout);
	PMD(pmd1_ita2_reg, iear_, overflow, ita2_pmd1_layout);
	WHOLE(&ita2_pmd1_layout);
	assert_true(data.pmd2_ita2_reg.dear_daddr == data.pmd_val);
	PMD(pmd3_ita2_reg, dear_, latency, ita2_pmd3_layout);
	PMD(pmd3_ita2_reg, dear_, overflow, ita2_pmd3_layout);
	PMD(pmd3_ita2_reg, dear_, stat, ita2_pmd3_layout);
	WHOLE(&ita2_pmd3_layout);
	PMD(pmd17_ita2_reg, dear_, slot, ita2_pmd17_layout);
	PMD(pmd17_ita2_reg, dear_, bn, ita2_pmd17_layout);
	PMD(pmd17_ita2_reg, dear_, vl, ita2_pmd17_layout);
	PMD(pmd17_ita2_reg, dear_, iaddr, ita2_pmd17_layout);
	WHOLE(&ita2_pmd17_layout);
}

static void test_branches(void **state)
{
	uint64_t seen = 0;

	(void)state;
	PMC(pmc12_ita2_reg, btb_, plm, ita2_btb_layout);
	PMC(pmc12_ita2_reg, btb_, pm, ita2_btb_layout);
	PMC(pmc12_ita2_reg, btb_, ds, ita2_btb_layout);
	PMC(pmc12_ita2_reg, btb_, tm, ita2_btb_layout);
	PMC(pmc12_ita2_reg, btb_, ptm, ita2_btb_layout);
	PMC(pmc12_ita2_reg, btb_, ppm, ita2_btb_layout);
	PMC(pmc12_ita2_reg, btb_, brt, ita2_btb_layout);
	WHOLE(&ita2_btb_layout);
	PMD(pmd8_15_ita2_reg, btb_, b, ita2_pmd8_layout);
	PMD(pmd8_15_ita2_reg, btb_, mp, ita2_pmd8_layout);
	PMD(pmd8_15_ita2_reg, btb_, slot, ita2_pmd8_layout);
	PMD(pmd8_15_ita2_reg, btb_, addr, ita2_pmd8_layout);
	WHOLE(&ita2_pmd8_layout);
#define ENTRY(n)                                                   \
	PMD(pmd16_ita2_reg, btb_, pmd##n##_b1, ita2_pmd16_layout); \
	PMD(pmd16_ita2_reg, btb_, pmd##n##_bruflush, ita2_pmd16_layout)
	PMD(pmd16_ita2_reg, btb_, bbi, ita2_pmd16_layout);
	PMD(pmd16_ita2_reg, btb_, full, ita2_pmd16_layout);
	ENTRY(8);
	ENTRY(9);
	ENTRY(10);
	ENTRY(11);
	ENTRY(12);
	ENTRY(13);
	ENTRY(14);
	ENTRY(15);
	WHOLE(&ita2_pmd16_layout);
}

/* The library does not decode predictions: the bits are those of the manual. */
static void test_predictions(void **state)
{
	const struct bits_layout ds = {(const struct bits_field[]){
		{"b", 0, 1},
		{"mp", 1, 1},
		{"slot", 2, 2},
		{"loaddr", 4, 37},
		{"pred", 41, 20},
		{"hiaddr", 61, 3},
		{0},
	}};
	uint64_t seen = 0;

	(void)state;
	PMD(pmd8_15_ds_ita2_reg, btb_, b, ds);
	PMD(pmd8_15_ds_ita2_reg, btb_, mp, ds);
	PMD(pmd8_15_ds_ita2_reg, btb_, slot, ds);
	PMD(pmd8_15_ds_ita2_reg, btb_, loaddr, ds);
	PMD(pmd8_15_ds_ita2_reg, btb_, pred, ds);
	PMD(pmd8_15_ds_ita2_reg, btb_, hiaddr, ds);
	WHOLE(&ds);
}

static void test_ranges(void **state)
{
	uint64_t seen = 0;

	(void)state;
	PMC(pmc13_ita2_reg, darr_, cfg_dbrp0, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, cfg_dbrp1, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, cfg_dbrp2, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, cfg_dbrp3, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, ena_dbrp0, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, ena_dbrp1, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, ena_dbrp2, ita2_pmc13_layout);
	PMC(pmc13_ita2_reg, darr_, ena_dbrp3, ita2_pmc13_layout);
	WHOLE(&ita2_pmc13_layout);
	PMC(pmc14_ita2_reg, iarr_, ibrp0, ita2_pmc14_layout);
	PMC(pmc14_ita2_reg, iarr_, ibrp1, ita2_pmc14_layout);
	PMC(pmc14_ita2_reg, iarr_, ibrp2, ita2_pmc14_layout);
	PMC(pmc14_ita2_reg, iarr_, ibrp3, ita2_pmc14_layout);
	PMC(pmc14_ita2_reg, iarr_, fine, ita2_pmc14_layout);
	WHOLE(&ita2_pmc14_layout);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_opcode_matchers),
		cmocka_unit_test(test_address_registers),
		cmocka_unit_test(test_address_records),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_predictions),
		cmocka_unit_test(test_ranges),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
