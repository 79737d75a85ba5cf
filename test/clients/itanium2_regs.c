/*
 * itanium2_regs: a client of libpfm 3 that takes a register apart with the unions of its
 * header, as programs do that read the event address registers and the branch trace
 * buffer of an Itanium 2.
 *
 * itanium2_regs dear EVENT PMD2 PMD3 PMD17: the setting of the D-EAR and its record
 * itanium2_regs btb PMD16 PMD8...: the setting of the branch trace buffer and its entries
 */
#include <perfmon/pfmlib_itanium2.h>

#include <stdio.h>
#include <stdlib.h>

static pfmlib_input_param_t inp;
static pfmlib_output_param_t outp;

/* Returns the value of PMCn that counts an event in user mode; exits if that fails. */
static pfm_ita2_pmc_reg_t programmed(const char *event, unsigned n)
{
	pfm_ita2_pmc_reg_t reg;

	inp.pfp_event_count = 1;
	inp.pfp_dfl_plm = PFM_PLM3;
	if (pfm_initialize() != PFMLIB_SUCCESS ||
	    pfm_find_full_event(event, &inp.pfp_events[0]) != PFMLIB_SUCCESS ||
	    pfm_dispatch_events(&inp, NULL, &outp, NULL) != PFMLIB_SUCCESS)
		exit(2);
	for (unsigned i = 0; i < outp.pfp_pmc_count; i++)
		if (outp.pfp_pmcs[i].reg_num == n) {
			reg.pmc_val = (unsigned long)outp.pfp_pmcs[i].reg_value;
			return reg;
		}
	exit(3);
}

static pfm_ita2_pmd_reg_t pmd(const char *text)
{
	pfm_ita2_pmd_reg_t reg;

	reg.pmd_val = strtoul(text, NULL, 0);
	return reg;
}

static void print_dear(char **arg)
{
	const pfm_ita2_pmc_reg_t pmc = programmed(arg[0], 11);
	const pfm_ita2_pmd_reg_t d2 = pmd(arg[1]), d3 = pmd(arg[2]), d17 = pmd(arg[3]);
	const unsigned long iaddr = d17.pmd17_ita2_reg.dear_iaddr;
	const unsigned long bundle = (iaddr + d17.pmd17_ita2_reg.dear_bn) << 4;

	printf("PMC11 plm=%lu mode=%lu umask=%lu\n",
	       (unsigned long)pmc.pmc11_ita2_reg.dear_plm,
	       (unsigned long)pmc.pmc11_ita2_reg.dear_mode,
	       (unsigned long)pmc.pmc11_ita2_reg.dear_umask);
	printf("data 0x%lx latency %lu%s stat %lu\n", d2.pmd2_ita2_reg.dear_daddr,
	       (unsigned long)d3.pmd3_ita2_reg.dear_latency,
	       d3.pmd3_ita2_reg.dear_overflow ? "+" : "",
	       (unsigned long)d3.pmd3_ita2_reg.dear_stat);
	if (d17.pmd17_ita2_reg.dear_vl)
		printf("code 0x%lx slot %lu\n", bundle,
		       (unsigned long)d17.pmd17_ita2_reg.dear_slot);
}

static void print_branch(pfm_ita2_pmd_reg_t reg, unsigned long b1, unsigned long bruflush)
{
	const unsigned long addr = reg.pmd8_15_ita2_reg.btb_addr;

	if (!reg.pmd8_15_ita2_reg.btb_b && !reg.pmd8_15_ita2_reg.btb_mp)
		printf("invalid\n");
	else if (!reg.pmd8_15_ita2_reg.btb_b)
		printf("to 0x%lx\n", addr << 4);
	else
		printf("from 0x%lx slot %lu %s\n", (addr + b1) << 4,
		       (unsigned long)reg.pmd8_15_ita2_reg.btb_slot,
		       reg.pmd8_15_ita2_reg.btb_mp ? "FE failure"
		       : bruflush		   ? "BE failure"
						   : "success");
}

static void print_btb(int n, char **arg)
{
	const pfm_ita2_pmc_reg_t pmc = programmed("BRANCH_EVENT", 12);
	const pfm_ita2_pmd_reg_t index = pmd(arg[0]);
	const int full = (int)index.pmd16_ita2_reg.btb_full;
	const int next = (int)index.pmd16_ita2_reg.btb_bbi;

	printf("PMC12 plm=%lu ds=%lu tm=%lu ptm=%lu ppm=%lu brt=%lu\n",
	       (unsigned long)pmc.pmc12_ita2_reg.btb_plm,
	       (unsigned long)pmc.pmc12_ita2_reg.btb_ds,
	       (unsigned long)pmc.pmc12_ita2_reg.btb_tm,
	       (unsigned long)pmc.pmc12_ita2_reg.btb_ptm,
	       (unsigned long)pmc.pmc12_ita2_reg.btb_ppm,
	       (unsigned long)pmc.pmc12_ita2_reg.btb_brt);
	for (int i = 0; i < (full ? PMU_ITA2_NUM_BTB : next); i++) {
		const int k = full ? (next + i) % PMU_ITA2_NUM_BTB : i;
		/* The fields of entry k have the same layout as those of entry 0. */
		pfm_ita2_pmd_reg_t ext = index;

		ext.pmd_val >>= 4 * k;
		if (k + 1 < n)
			print_branch(pmd(arg[1 + k]), ext.pmd16_ita2_reg.btb_pmd8_b1,
				     ext.pmd16_ita2_reg.btb_pmd8_bruflush);
	}
}

int main(int argc, char **argv)
{
	if (argc == 6 && argv[1][0] == 'd')
		print_dear(argv + 2);
	else if (argc > 2 && argv[1][0] == 'b')
		print_btb(argc - 2, argv + 2);
	else
		return 1;
	return 0;
}
