/*
 * The layouts of the PMCs, PMDs and debug registers of an Itanium 2, as tables of fields.
 */
#ifndef ITANIUM2_REGISTERS_H
#define ITANIUM2_REGISTERS_H

#include <stdint.h>

#include "base/bits.h"

/* The fields of each register, as indices into bits_layout.field. */
enum ita2_counter_field {
	ITA2_CTR_PLM,
	ITA2_CTR_EV,
	ITA2_CTR_OI,
	ITA2_CTR_PM,
	ITA2_CTR_ES,
	ITA2_CTR_UMASK,
	ITA2_CTR_THRES,
	ITA2_CTR_ENABLE,
	ITA2_CTR_ISM
};
enum ita2_opcm_field {
	ITA2_OPCM_IG_AD,
	ITA2_OPCM_INV,
	ITA2_OPCM_ONE,
	ITA2_OPCM_MASK,
	ITA2_OPCM_MATCH,
	ITA2_OPCM_B,
	ITA2_OPCM_F,
	ITA2_OPCM_I,
	ITA2_OPCM_M
};
enum ita2_iear_field {
	ITA2_IEAR_PLM,
	ITA2_IEAR_PM,
	ITA2_IEAR_UMASK,
	ITA2_IEAR_CT,
	ITA2_IEAR_ISM
};
enum ita2_dear_field {
	ITA2_DEAR_PLM,
	ITA2_DEAR_PM,
	ITA2_DEAR_MODE,
	ITA2_DEAR_UMASK,
	ITA2_DEAR_ISM
};
enum ita2_btb_field {
	ITA2_BTB_PLM,
	ITA2_BTB_PM,
	ITA2_BTB_DS,
	ITA2_BTB_TM,
	ITA2_BTB_PTM,
	ITA2_BTB_PPM,
	ITA2_BTB_BRT
};
/* For pair n of debug registers: CFG_DBRP0 + n, ENA_DBRP0 + n, IBRP0 + n. */
enum ita2_pmc13_field { ITA2_CFG_DBRP0, ITA2_ENA_DBRP0 = 4 };
enum ita2_pmc14_field { ITA2_IBRP0, ITA2_FINE = 4 };
enum ita2_debug_field { ITA2_DEBUG_MASK, ITA2_DEBUG_PLM };
enum ita2_pmd0_field { ITA2_PMD0_STAT, ITA2_PMD0_IADDR };
enum ita2_pmd1_field { ITA2_PMD1_LATENCY, ITA2_PMD1_OVERFLOW };
enum ita2_pmd3_field { ITA2_PMD3_LATENCY, ITA2_PMD3_OVERFLOW, ITA2_PMD3_STAT };
enum ita2_pmd8_field { ITA2_PMD8_B, ITA2_PMD8_MP, ITA2_PMD8_SLOT, ITA2_PMD8_ADDR };
/* For entry k of the branch trace buffer: B1 + 2k, BRUFLUSH + 2k. */
enum ita2_pmd16_field { ITA2_PMD16_BBI, ITA2_PMD16_FULL, ITA2_PMD16_B1 };
enum { ITA2_PMD16_BRUFLUSH = ITA2_PMD16_B1 + 1 };
enum ita2_pmd17_field { ITA2_PMD17_SLOT, ITA2_PMD17_BN, ITA2_PMD17_VL, ITA2_PMD17_IADDR };

/* Address bits that a mask can ignore; higher address bits are always compared. */
enum { ITA2_DEBUG_BITS = 56 };

extern const struct bits_layout ita2_counter_layout, ita2_opcm_layout,
	ita2_iear_cache_layout, ita2_iear_tlb_layout, ita2_dear_layout, ita2_btb_layout,
	ita2_pmc13_layout, ita2_pmc14_layout, ita2_pmc15_layout;
extern const struct bits_layout ita2_debug_mask_layout, ita2_debug_addr_layout;
extern const struct bits_layout ita2_pmd0_layout, ita2_pmd1_layout, ita2_pmd3_layout,
	ita2_pmd8_layout, ita2_pmd16_layout, ita2_pmd17_layout;

/* Return NULL if there is no such register. The layout of PMC10 depends on its value. */
const struct bits_layout *ita2_pmc_layout(unsigned n, uint64_t value);
/* The layout of IBRn and DBRn. */
const struct bits_layout *ita2_debug_layout(unsigned n);

#endif
