/*
 * The PMCs and PMDs of an Itanium 2 as unions of their value and their fields, after
 * libpfm 3; <perfmon/pfmlib_itanium2.h> includes this header. A program stores reg_value
 * of a pfmlib_reg_t, or what it has read from a PMD, in pmc_val or pmd_val, and reads the
 * fields; or the other way round. gcc computes with a field of C in the width of the
 * field, so that a shift to the left loses bits; a program stores the field in an
 * unsigned long first. ita2_decode_dear() and its like (itanium2_record.h) combine the
 * fields into addresses and branches.
 *
 * The names of the unions and of pmc_val are libpfm 3's. Each struct has the numbers of
 * its registers in its name. Each field has the prefix of the feature in the members of
 * pfmlib_ita2_input_param_t or in pfm_ita2_support_*(), and the name that the manual of
 * the processor gives it. Fields without a name are ignored or reserved, and 0 unless
 * pfm_dispatch_events() sets them. Source: Intel Itanium 2 Processor Reference Manual
 * (251110), chapter on performance monitoring.
 */
#ifndef PFMLIB_ITANIUM2_REGS_H
#define PFMLIB_ITANIUM2_REGS_H

typedef union {
	unsigned long pmc_val; /* the value of the register */

	/* A counter. pmc_ism is a pfmlib_ita2_ism_t. */
	struct {
		unsigned long pmc_plm : 4; /* bit n: count in privilege level n */
		unsigned long pmc_ev : 1;  /* an overflow is visible outside */
		unsigned long pmc_oi : 1;  /* an overflow interrupts */
		unsigned long pmc_pm : 1;  /* only privileged code can access it */
		unsigned long : 1;
		unsigned long pmc_es : 8; /* code of the event */
		unsigned long pmc_umask : 4;
		unsigned long pmc_thres : 3;
		unsigned long pmc_enable : 1; /* only in PMC4; for the kernel */
		unsigned long pmc_ism : 2;
		unsigned long : 38;
	} pmc4_7_ita2_reg;

	/* An opcode matcher: compares the bits of instructions that are 0 in the mask. */
	struct {
		unsigned long opcm_ig_ad : 1; /* ignore the code ranges */
		unsigned long opcm_inv : 1;   /* match outside of the code range */
		unsigned long opcm_one : 1;   /* must be 1 */
		unsigned long opcm_mask : 27;
		unsigned long : 3;
		unsigned long opcm_match : 27;
		unsigned long opcm_b : 1; /* match in slots of these types: branch */
		unsigned long opcm_f : 1; /* floating point */
		unsigned long opcm_i : 1; /* integer */
		unsigned long opcm_m : 1; /* memory */
	} pmc8_9_ita2_reg;

	/* The I-EAR in cache mode: iear_ct is 1. */
	struct {
		unsigned long iear_plm : 4;
		unsigned long iear_pm : 1;
		unsigned long iear_umask : 8;
		unsigned long iear_ct : 1;
		unsigned long iear_ism : 2;
		unsigned long : 48;
	} pmc10_cache_ita2_reg;

	/* The I-EAR in TLB mode: iear_ct is 0. */
	struct {
		unsigned long iear_plm : 4;
		unsigned long iear_pm : 1;
		unsigned long iear_umask : 7;
		unsigned long iear_ct : 2;
		unsigned long iear_ism : 2;
		unsigned long : 48;
	} pmc10_tlb_ita2_reg;

	/* The D-EAR. dear_mode is a pfmlib_ita2_ear_mode_t. */
	struct {
		unsigned long dear_plm : 4;
		unsigned long : 2;
		unsigned long dear_pm : 1;
		unsigned long dear_mode : 2;
		unsigned long : 7;
		unsigned long dear_umask : 4;
		unsigned long : 4;
		unsigned long dear_ism : 2;
		unsigned long : 38;
	} pmc11_ita2_reg;

	/* The branch trace buffer; values as in pfmlib_ita2_btb_t. */
	struct {
		unsigned long btb_plm : 4;
		unsigned long : 2;
		unsigned long btb_pm : 1;
		unsigned long btb_ds : 1;
		unsigned long btb_tm : 2;
		unsigned long btb_ptm : 2;
		unsigned long btb_ppm : 2;
		unsigned long btb_brt : 2;
		unsigned long : 48;
	} pmc12_ita2_reg;

	/* What the pairs of debug registers restrict; ena_dbrpN: pair N is used. */
	struct {
		unsigned long : 3;
		unsigned long darr_cfg_dbrp0 : 2;
		unsigned long : 6;
		unsigned long darr_cfg_dbrp1 : 2;
		unsigned long : 6;
		unsigned long darr_cfg_dbrp2 : 2;
		unsigned long : 6;
		unsigned long darr_cfg_dbrp3 : 2;
		unsigned long : 16;
		unsigned long darr_ena_dbrp0 : 1;
		unsigned long darr_ena_dbrp1 : 1;
		unsigned long darr_ena_dbrp2 : 1;
		unsigned long darr_ena_dbrp3 : 1;
		unsigned long : 15;
	} pmc13_ita2_reg;

	/* Code ranges: 0 means that the pair is used; iarr_fine: fine mode. */
	struct {
		unsigned long : 1;
		unsigned long iarr_ibrp0 : 1;
		unsigned long : 2;
		unsigned long iarr_ibrp1 : 1;
		unsigned long : 2;
		unsigned long iarr_ibrp2 : 1;
		unsigned long : 2;
		unsigned long iarr_ibrp3 : 1;
		unsigned long : 2;
		unsigned long iarr_fine : 1;
		unsigned long : 50;
	} pmc14_ita2_reg;

	/* Opcode matchers: 0 means that the pair is bound to the matcher. */
	struct {
		unsigned long opcm_ibrp0_pmc8 : 1;
		unsigned long opcm_ibrp1_pmc9 : 1;
		unsigned long opcm_ibrp2_pmc8 : 1;
		unsigned long opcm_ibrp3_pmc9 : 1;
		unsigned long : 60;
	} pmc15_ita2_reg;
} pfm_ita2_pmc_reg_t;

typedef union {
	unsigned long pmd_val; /* the value of the register */

	/*
	 * The I-EAR. iear_stat is 0 if the record is not valid; in TLB mode it says
	 * where the translation was found: 1 second-level TLB, 2 VHPT walker, 3 software.
	 * The address of the fetch is iear_iaddr * 32, its latency is in cycles.
	 */
	struct {
		unsigned long iear_stat : 2;
		unsigned long : 3;
		unsigned long iear_iaddr : 59;
	} pmd0_ita2_reg;
	struct {
		unsigned long iear_latency : 12;
		unsigned long iear_overflow : 1; /* the latency was greater */
		unsigned long : 51;
	} pmd1_ita2_reg;

	/*
	 * The D-EAR: the address of the data, the latency in cycles, and the status, as
	 * of the I-EAR. The instruction is in slot dear_slot of the bundle at (dear_iaddr
	 * + dear_bn) * 16, if dear_vl is 1.
	 */
	struct {
		unsigned long dear_daddr;
	} pmd2_ita2_reg;
	struct {
		unsigned long dear_latency : 13;
		unsigned long dear_overflow : 1;
		unsigned long dear_stat : 2;
		unsigned long : 48;
	} pmd3_ita2_reg;
	struct {
		unsigned long dear_slot : 2;
		unsigned long dear_bn : 1;
		unsigned long dear_vl : 1;
		unsigned long dear_iaddr : 60;
	} pmd17_ita2_reg;

	/*
	 * An entry of the branch trace buffer, if btb_ds of PMC12 is 0. btb_b: a branch,
	 * in slot btb_slot (3: not taken) of the bundle at (btb_addr + b1 of PMD16) * 16;
	 * else its target, at btb_addr * 16. btb_mp: the branch was mispredicted. With
	 * neither, the entry is not valid.
	 */
	struct {
		unsigned long btb_b : 1;
		unsigned long btb_mp : 1;
		unsigned long btb_slot : 2;
		unsigned long btb_addr : 60;
	} pmd8_15_ita2_reg;

	/* An entry if btb_ds is 1: parts of the address, and of the prediction. */
	struct {
		unsigned long btb_b : 1;
		unsigned long btb_mp : 1;
		unsigned long btb_slot : 2;
		unsigned long btb_loaddr : 37;
		unsigned long btb_pred : 20;
		unsigned long btb_hiaddr : 3;
	} pmd8_15_ds_ita2_reg;

	/*
	 * The index of the branch trace buffer: the entry to be written next, and whether
	 * all entries were written, so that this entry is the oldest. Of each entry: b1,
	 * which is added to the address, and whether the back end flushed the pipeline,
	 * because the branch was mispredicted.
	 */
	struct {
		unsigned long btb_bbi : 3;
		unsigned long btb_full : 1;
		unsigned long btb_pmd8_b1 : 1;
		unsigned long btb_pmd8_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd9_b1 : 1;
		unsigned long btb_pmd9_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd10_b1 : 1;
		unsigned long btb_pmd10_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd11_b1 : 1;
		unsigned long btb_pmd11_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd12_b1 : 1;
		unsigned long btb_pmd12_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd13_b1 : 1;
		unsigned long btb_pmd13_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd14_b1 : 1;
		unsigned long btb_pmd14_bruflush : 1;
		unsigned long : 2;
		unsigned long btb_pmd15_b1 : 1;
		unsigned long btb_pmd15_bruflush : 1;
		unsigned long : 30;
	} pmd16_ita2_reg;
} pfm_ita2_pmd_reg_t;

#endif
