#include <itanium2_record.h>

#include <stddef.h>

#include "itanium2/registers.h"

/* log2 of the bytes that the address fields count in. */
enum { IADDR_SHIFT = 5, BUNDLE_SHIFT = 4 };

enum { NO_SLOT = 3 }; /* PMD8-15: the branch was not taken */

int ita2_decode_iear(pfmlib_ita2_ear_mode_t mode, uint64_t pmd0, uint64_t pmd1,
		     struct ita2_iear_record *rec)
{
	const uint64_t stat =
		bits_field_get(&ita2_pmd0_layout.field[ITA2_PMD0_STAT], pmd0);
	const struct bits_field *f = ita2_pmd1_layout.field;

	if (!rec ||
	    (mode != PFMLIB_ITA2_EAR_CACHE_MODE && mode != PFMLIB_ITA2_EAR_TLB_MODE))
		return PFMLIB_ERR_INVAL;
	*rec = (struct ita2_iear_record){0};
	if (stat == 0)
		return PFMLIB_SUCCESS;
	rec->valid = 1;
	rec->addr = bits_field_get(&ita2_pmd0_layout.field[ITA2_PMD0_IADDR], pmd0)
		    << IADDR_SHIFT;
	if (mode == PFMLIB_ITA2_EAR_TLB_MODE) {
		rec->level = (enum ita2_tlb_level)stat;
		return PFMLIB_SUCCESS;
	}
	rec->latency = (unsigned)bits_field_get(&f[ITA2_PMD1_LATENCY], pmd1);
	rec->overflow = (int)bits_field_get(&f[ITA2_PMD1_OVERFLOW], pmd1);
	return PFMLIB_SUCCESS;
}

/* Decodes the instruction of a D-EAR record, which may be in the bundle after iaddr. */
static void decode_instruction(uint64_t pmd17, struct ita2_dear_record *rec)
{
	const struct bits_field *f = ita2_pmd17_layout.field;

	if (!bits_field_get(&f[ITA2_PMD17_VL], pmd17))
		return;
	rec->insn_valid = 1;
	rec->insn = (bits_field_get(&f[ITA2_PMD17_IADDR], pmd17) +
		     bits_field_get(&f[ITA2_PMD17_BN], pmd17))
			    << BUNDLE_SHIFT |
		    bits_field_get(&f[ITA2_PMD17_SLOT], pmd17);
}

int ita2_decode_dear(pfmlib_ita2_ear_mode_t mode, uint64_t pmd2, uint64_t pmd3,
		     uint64_t pmd17, struct ita2_dear_record *rec)
{
	const struct bits_field *f = ita2_pmd3_layout.field;
	const uint64_t stat = bits_field_get(&f[ITA2_PMD3_STAT], pmd3);

	if (!rec || (unsigned)mode > PFMLIB_ITA2_EAR_ALAT_MODE)
		return PFMLIB_ERR_INVAL;
	*rec = (struct ita2_dear_record){0};
	decode_instruction(pmd17, rec);
	/* A record in ALAT mode consists only of its instruction. */
	rec->valid = mode == PFMLIB_ITA2_EAR_ALAT_MODE ? rec->insn_valid : stat != 0;
	if (!rec->valid || mode == PFMLIB_ITA2_EAR_ALAT_MODE)
		return PFMLIB_SUCCESS;
	rec->addr = pmd2;
	if (mode == PFMLIB_ITA2_EAR_TLB_MODE) {
		rec->level = (enum ita2_tlb_level)stat;
		return PFMLIB_SUCCESS;
	}
	rec->latency = (unsigned)bits_field_get(&f[ITA2_PMD3_LATENCY], pmd3);
	rec->overflow = (int)bits_field_get(&f[ITA2_PMD3_OVERFLOW], pmd3);
	return PFMLIB_SUCCESS;
}

static struct ita2_btb_entry decode_entry(uint64_t reg, int b1, int bruflush)
{
	const struct bits_field *f = ita2_pmd8_layout.field;
	const int b = (int)bits_field_get(&f[ITA2_PMD8_B], reg);
	const int mp = (int)bits_field_get(&f[ITA2_PMD8_MP], reg);
	const uint64_t slot = bits_field_get(&f[ITA2_PMD8_SLOT], reg);
	const uint64_t addr = bits_field_get(&f[ITA2_PMD8_ADDR], reg);
	struct ita2_btb_entry e = {.valid = b || mp, .is_branch = b};

	if (!e.valid)
		return e;
	if (!b) {
		e.addr = addr << BUNDLE_SHIFT;
		return e;
	}
	e.taken = slot != NO_SLOT;
	e.addr = (addr + (uint64_t)b1) << BUNDLE_SHIFT | (e.taken ? slot : 0);
	if (mp)
		e.outcome = ITA2_BTB_FE_FAILURE;
	else if (bruflush)
		e.outcome = ITA2_BTB_BE_FAILURE;
	return e;
}

int ita2_decode_btb(const uint64_t pmd8_15[PMU_ITA2_NUM_BTB], uint64_t pmd16,
		    struct ita2_btb_entry entry[PMU_ITA2_NUM_BTB], unsigned *n)
{
	const struct bits_field *f = ita2_pmd16_layout.field;

	if (!pmd8_15 || !entry || !n)
		return PFMLIB_ERR_INVAL;
	const unsigned next = (unsigned)bits_field_get(&f[ITA2_PMD16_BBI], pmd16);
	const int full = (int)bits_field_get(&f[ITA2_PMD16_FULL], pmd16);

	/* If the buffer is full, the entry to be written next is the oldest. */
	*n = full ? PMU_ITA2_NUM_BTB : next;
	for (unsigned i = 0; i < *n; i++) {
		const unsigned k = full ? (next + i) % PMU_ITA2_NUM_BTB : i;

		entry[i] = decode_entry(
			pmd8_15[k], (int)bits_field_get(&f[ITA2_PMD16_B1 + 2 * k], pmd16),
			(int)bits_field_get(&f[ITA2_PMD16_BRUFLUSH + 2 * k], pmd16));
	}
	return PFMLIB_SUCCESS;
}
