#include "itanium2/registers.h"

#include <stddef.h>

/*
 * Sources: Intel Itanium 2 Processor Reference Manual (251110), chapter on performance
 * monitoring; for the debug registers Itanium Architecture Software Developer's Manual,
 * volume 2. Bits that are in no field are ignored or reserved, and 0 unless stated.
 */

/* PMC4-7 */
const struct bits_layout ita2_counter_layout = {(const struct bits_field[]){
	[ITA2_CTR_PLM] = {"plm", 0, 4},
	[ITA2_CTR_EV] = {"ev", 4, 1},
	[ITA2_CTR_OI] = {"oi", 5, 1},
	[ITA2_CTR_PM] = {"pm", 6, 1},
	[ITA2_CTR_ES] = {"es", 8, 8},
	[ITA2_CTR_UMASK] = {"umask", 16, 4},
	[ITA2_CTR_THRES] = {"thres", 20, 3},
	[ITA2_CTR_ENABLE] = {"enable", 23, 1}, /* only in PMC4; for the kernel */
	[ITA2_CTR_ISM] = {"ism", 24, 2},
	{0},
}};

/* PMC8, PMC9 */
const struct bits_layout ita2_opcm_layout = {(const struct bits_field[]){
	[ITA2_OPCM_IG_AD] = {"ig_ad", 0, 1},
	[ITA2_OPCM_INV] = {"inv", 1, 1},
	[ITA2_OPCM_ONE] = {"one", 2, 1}, /* must be 1 */
	[ITA2_OPCM_MASK] = {"mask", 3, 27},
	[ITA2_OPCM_MATCH] = {"match", 33, 27},
	[ITA2_OPCM_B] = {"b", 60, 1},
	[ITA2_OPCM_F] = {"f", 61, 1},
	[ITA2_OPCM_I] = {"i", 62, 1},
	[ITA2_OPCM_M] = {"m", 63, 1},
	{0},
}};

/* PMC10: by its mode ct has 1 bit or 2, at the expense of umask. */
const struct bits_layout ita2_iear_cache_layout = {(const struct bits_field[]){
	[ITA2_IEAR_PLM] = {"plm", 0, 4},
	[ITA2_IEAR_PM] = {"pm", 4, 1},
	[ITA2_IEAR_UMASK] = {"umask", 5, 8},
	[ITA2_IEAR_CT] = {"ct", 13, 1},
	[ITA2_IEAR_ISM] = {"ism", 14, 2},
	{0},
}};
const struct bits_layout ita2_iear_tlb_layout = {(const struct bits_field[]){
	[ITA2_IEAR_PLM] = {"plm", 0, 4},
	[ITA2_IEAR_PM] = {"pm", 4, 1},
	[ITA2_IEAR_UMASK] = {"umask", 5, 7},
	[ITA2_IEAR_CT] = {"ct", 12, 2},
	[ITA2_IEAR_ISM] = {"ism", 14, 2},
	{0},
}};

/* PMC11 */
const struct bits_layout ita2_dear_layout = {(const struct bits_field[]){
	[ITA2_DEAR_PLM] = {"plm", 0, 4},
	[ITA2_DEAR_PM] = {"pm", 6, 1},
	[ITA2_DEAR_MODE] = {"mode", 7, 2},
	[ITA2_DEAR_UMASK] = {"umask", 16, 4},
	[ITA2_DEAR_ISM] = {"ism", 24, 2},
	{0},
}};

/* PMC12 */
const struct bits_layout ita2_btb_layout = {(const struct bits_field[]){
	[ITA2_BTB_PLM] = {"plm", 0, 4},
	[ITA2_BTB_PM] = {"pm", 6, 1},
	[ITA2_BTB_DS] = {"ds", 7, 1},
	[ITA2_BTB_TM] = {"tm", 8, 2},
	[ITA2_BTB_PTM] = {"ptm", 10, 2},
	[ITA2_BTB_PPM] = {"ppm", 12, 2},
	[ITA2_BTB_BRT] = {"brt", 14, 2},
	{0},
}};

/* PMC13: which pairs of debug registers restrict events to data or opcodes. */
const struct bits_layout ita2_pmc13_layout = {(const struct bits_field[]){
	[ITA2_CFG_DBRP0] = {"cfg_dbrp0", 3, 2},
	{"cfg_dbrp1", 11, 2},
	{"cfg_dbrp2", 19, 2},
	{"cfg_dbrp3", 27, 2},
	[ITA2_ENA_DBRP0] = {"ena_dbrp0", 45, 1},
	{"ena_dbrp1", 46, 1},
	{"ena_dbrp2", 47, 1},
	{"ena_dbrp3", 48, 1},
	{0},
}};

/* PMC14: code ranges; 0 means that the pair is used. */
const struct bits_layout ita2_pmc14_layout = {(const struct bits_field[]){
	[ITA2_IBRP0] = {"ibrp0", 1, 1},
	{"ibrp1", 4, 1},
	{"ibrp2", 7, 1},
	{"ibrp3", 10, 1},
	[ITA2_FINE] = {"fine", 13, 1},
	{0},
}};

/* PMC15: opcode matchers; 0 means that the pair is bound to the matcher. */
const struct bits_layout ita2_pmc15_layout = {(const struct bits_field[]){
	{"ibrp0_pmc8", 0, 1},
	{"ibrp1_pmc9", 1, 1},
	{"ibrp2_pmc8", 2, 1},
	{"ibrp3_pmc9", 3, 1},
	{0},
}};

const struct bits_layout ita2_debug_addr_layout = {(const struct bits_field[]){
	{"addr", 0, 64},
	{0},
}};
const struct bits_layout ita2_debug_mask_layout = {(const struct bits_field[]){
	[ITA2_DEBUG_MASK] = {"mask", 0, ITA2_DEBUG_BITS},
	[ITA2_DEBUG_PLM] = {"plm", 56, 4},
	{0},
}};

/* PMD0, PMD1: instruction EAR */
const struct bits_layout ita2_pmd0_layout = {(const struct bits_field[]){
	[ITA2_PMD0_STAT] = {"stat", 0, 2},
	[ITA2_PMD0_IADDR] = {"iaddr", 5, 59},
	{0},
}};
const struct bits_layout ita2_pmd1_layout = {(const struct bits_field[]){
	[ITA2_PMD1_LATENCY] = {"latency", 0, 12},
	[ITA2_PMD1_OVERFLOW] = {"overflow", 12, 1},
	{0},
}};

/* PMD3, PMD17: data EAR */
const struct bits_layout ita2_pmd3_layout = {(const struct bits_field[]){
	[ITA2_PMD3_LATENCY] = {"latency", 0, 13},
	[ITA2_PMD3_OVERFLOW] = {"overflow", 13, 1},
	[ITA2_PMD3_STAT] = {"stat", 14, 2},
	{0},
}};
const struct bits_layout ita2_pmd17_layout = {(const struct bits_field[]){
	[ITA2_PMD17_SLOT] = {"slot", 0, 2},
	[ITA2_PMD17_BN] = {"bn", 2, 1},
	[ITA2_PMD17_VL] = {"vl", 3, 1},
	[ITA2_PMD17_IADDR] = {"iaddr", 4, 60},
	{0},
}};

/* PMD8-15: an entry of the branch trace buffer */
const struct bits_layout ita2_pmd8_layout = {(const struct bits_field[]){
	[ITA2_PMD8_B] = {"b", 0, 1},
	[ITA2_PMD8_MP] = {"mp", 1, 1},
	[ITA2_PMD8_SLOT] = {"slot", 2, 2},
	[ITA2_PMD8_ADDR] = {"addr", 4, 60},
	{0},
}};

/* PMD16: index of the branch trace buffer, and more bits of each entry */
const struct bits_layout ita2_pmd16_layout = {(const struct bits_field[]){
	[ITA2_PMD16_BBI] = {"bbi", 0, 3},
	[ITA2_PMD16_FULL] = {"full", 3, 1},
	[ITA2_PMD16_B1] = {"pmd8_b1", 4, 1},
	[ITA2_PMD16_BRUFLUSH] = {"pmd8_bruflush", 5, 1},
	{"pmd9_b1", 8, 1},
	{"pmd9_bruflush", 9, 1},
	{"pmd10_b1", 12, 1},
	{"pmd10_bruflush", 13, 1},
	{"pmd11_b1", 16, 1},
	{"pmd11_bruflush", 17, 1},
	{"pmd12_b1", 20, 1},
	{"pmd12_bruflush", 21, 1},
	{"pmd13_b1", 24, 1},
	{"pmd13_bruflush", 25, 1},
	{"pmd14_b1", 28, 1},
	{"pmd14_bruflush", 29, 1},
	{"pmd15_b1", 32, 1},
	{"pmd15_bruflush", 33, 1},
	{0},
}};

const struct bits_layout *ita2_pmc_layout(unsigned n, uint64_t value)
{
	static const struct bits_layout *const layout[] = {
		NULL,
		NULL,
		NULL,
		NULL,
		&ita2_counter_layout,
		&ita2_counter_layout,
		&ita2_counter_layout,
		&ita2_counter_layout,
		&ita2_opcm_layout,
		&ita2_opcm_layout,
		&ita2_iear_tlb_layout,
		&ita2_dear_layout,
		&ita2_btb_layout,
		&ita2_pmc13_layout,
		&ita2_pmc14_layout,
		&ita2_pmc15_layout,
	};

	if (n >= sizeof(layout) / sizeof(*layout))
		return NULL;
	if (n == 10 && bits_field_get(&ita2_iear_cache_layout.field[ITA2_IEAR_CT], value))
		return &ita2_iear_cache_layout;
	return layout[n];
}

const struct bits_layout *ita2_debug_layout(unsigned n)
{
	if (n >= 8)
		return NULL;
	return n % 2 ? &ita2_debug_mask_layout : &ita2_debug_addr_layout;
}
