#include "itanium2/features.h"

#include <stddef.h>
#include <string.h>

#include "itanium2/registers.h"

unsigned ita2_dispatch_plm(const struct ita2_dispatch *d, unsigned plm)
{
	return plm ? plm : d->in->pfp_dfl_plm;
}

int ita2_dispatch_systemwide(const struct ita2_dispatch *d)
{
	return (d->in->pfp_flags & PFMLIB_PFP_SYSTEMWIDE) != 0;
}

const struct ita2_event *ita2_dispatch_event(const struct ita2_dispatch *d, unsigned has)
{
	for (unsigned i = 0; i < d->n; i++)
		if (d->ev[i].has & has)
			return &d->ev[i];
	return NULL;
}

unsigned ita2_dispatch_count(const struct ita2_dispatch *d, unsigned has)
{
	unsigned count = 0;

	for (unsigned i = 0; i < d->n; i++)
		count += (d->ev[i].has & has) != 0;
	return count;
}

pfmlib_reg_t ita2_dispatch_reg(unsigned n, uint64_t value)
{
	return (pfmlib_reg_t){
		.reg_value = value, .reg_addr = n, .reg_num = n, .reg_alt_addr = n};
}

int ita2_dispatch_pmc(struct ita2_dispatch *d, unsigned pmc, uint64_t value)
{
	if (pfm_regmask_isset(&d->in->pfp_unavail_pmcs, pmc))
		return PFMLIB_ERR_NOASSIGN;
	d->out->pfp_pmcs[d->out->pfp_pmc_count++] = ita2_dispatch_reg(pmc, value);
	return PFMLIB_SUCCESS;
}

void ita2_dispatch_pmds(struct ita2_dispatch *d, unsigned first, unsigned last)
{
	for (unsigned n = first; n <= last; n++)
		d->out->pfp_pmds[d->out->pfp_pmd_count++] = ita2_dispatch_reg(n, 0);
}

/*
 * Returns how to use an EAR: as the caller wants or, else, with the mode and unit mask of
 * the first event that has a bit of has (its privilege levels apply only to its counter).
 * ear_used is 0 if neither uses the EAR.
 */
static pfmlib_ita2_ear_t settle_ear(const struct ita2_dispatch *d,
				    const pfmlib_ita2_ear_t *wanted, unsigned has)
{
	const struct ita2_event *e = ita2_dispatch_event(d, has);
	pfmlib_ita2_ear_t ear = {0};

	if (wanted->ear_used)
		ear = *wanted;
	else if (e)
		ear = (pfmlib_ita2_ear_t){
			.ear_used = 1,
			.ear_mode = (pfmlib_ita2_ear_mode_t)e->ear_mode,
			.ear_umask = e->umask,
		};
	ear.ear_plm = ita2_dispatch_plm(d, ear.ear_plm);
	return ear;
}

int ita2_iear(struct ita2_dispatch *d)
{
	const pfmlib_ita2_ear_t ear =
		settle_ear(d, &d->mod->pfp_ita2_iear, ITA2_HAS_IEAR);
	const int cache = ear.ear_mode == PFMLIB_ITA2_EAR_CACHE_MODE;
	const struct bits_field *f =
		cache ? ita2_iear_cache_layout.field : ita2_iear_tlb_layout.field;
	uint64_t reg = 0;

	if (!ear.ear_used)
		return PFMLIB_SUCCESS;
	if (!cache && ear.ear_mode != PFMLIB_ITA2_EAR_TLB_MODE)
		return PFMLIB_ERR_INVAL;
	reg = bits_field_put(&f[ITA2_IEAR_PLM], reg, ear.ear_plm);
	reg = bits_field_put(&f[ITA2_IEAR_PM], reg,
			     (uint64_t)ita2_dispatch_systemwide(d));
	reg = bits_field_put(&f[ITA2_IEAR_UMASK], reg, ear.ear_umask);
	reg = bits_field_put(&f[ITA2_IEAR_CT], reg, (uint64_t)cache);
	reg = bits_field_put(&f[ITA2_IEAR_ISM], reg, (uint64_t)ear.ear_ism);
	const int ret = ita2_dispatch_pmc(d, 10, reg);

	if (ret == PFMLIB_SUCCESS)
		ita2_dispatch_pmds(d, 0, 1);
	return ret;
}

int ita2_dear(struct ita2_dispatch *d)
{
	const pfmlib_ita2_ear_t ear =
		settle_ear(d, &d->mod->pfp_ita2_dear, ITA2_HAS_DEAR);
	const struct bits_field *f = ita2_dear_layout.field;
	uint64_t reg = 0;

	if (!ear.ear_used)
		return PFMLIB_SUCCESS;
	if ((unsigned)ear.ear_mode > PFMLIB_ITA2_EAR_ALAT_MODE)
		return PFMLIB_ERR_INVAL;
	reg = bits_field_put(&f[ITA2_DEAR_PLM], reg, ear.ear_plm);
	reg = bits_field_put(&f[ITA2_DEAR_PM], reg,
			     (uint64_t)ita2_dispatch_systemwide(d));
	reg = bits_field_put(&f[ITA2_DEAR_MODE], reg, (uint64_t)ear.ear_mode);
	reg = bits_field_put(&f[ITA2_DEAR_UMASK], reg, ear.ear_umask);
	reg = bits_field_put(&f[ITA2_DEAR_ISM], reg, (uint64_t)ear.ear_ism);
	const int ret = ita2_dispatch_pmc(d, 11, reg);

	if (ret == PFMLIB_SUCCESS) {
		ita2_dispatch_pmds(d, 2, 3);
		ita2_dispatch_pmds(d, 17, 17);
	}
	return ret;
}

int ita2_dear_excludes_btb(const struct ita2_dispatch *d)
{
	const pfmlib_ita2_ear_t *ear = &d->mod->pfp_ita2_dear;

	if (ear->ear_used && ear->ear_mode != PFMLIB_ITA2_EAR_CACHE_MODE)
		return 1;
	for (unsigned i = 0; i < d->n; i++)
		if (d->ev[i].has & ITA2_HAS_DEAR &&
		    d->ev[i].ear_mode != PFMLIB_ITA2_EAR_CACHE_MODE)
			return 1;
	return 0;
}

/* A matcher that matches every opcode: its value after a reset. */
#define ANY_OPCODE UINT64_C(0xffffffff3fffffff)
/* PMC15: no pair of instruction debug registers is bound to a matcher. */
#define UNBOUND UINT64_C(0xffffffff)

/*
 * Each of these events counts the instructions that match one pair of debug registers and
 * one opcode matcher.
 */
static const struct {
	const char *name;
	unsigned pmc; /* of the matcher */
	unsigned bit; /* of PMC15; 0 binds the pair to the matcher */
} tagged[] = {
	{"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", 8, 0},
	{"IA64_TAGGED_INST_RETIRED_IBRP1_PMC9", 9, 1},
	{"IA64_TAGGED_INST_RETIRED_IBRP2_PMC8", 8, 2},
	{"IA64_TAGGED_INST_RETIRED_IBRP3_PMC9", 9, 3},
};
enum { TAGGED = sizeof(tagged) / sizeof(*tagged) };

static uint64_t matcher_value(uint64_t reg, int ranges, int inverted)
{
	const struct bits_field *f = ita2_opcm_layout.field;

	reg = bits_field_put(&f[ITA2_OPCM_IG_AD], reg, !ranges);
	reg = bits_field_put(&f[ITA2_OPCM_INV], reg, (uint64_t)(ranges && inverted));
	return bits_field_put(&f[ITA2_OPCM_ONE], reg, 1);
}

/* Returns the bits of PMC15 whose tagged events are counted. */
static unsigned tagged_bits(const struct ita2_dispatch *d)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < d->n; i++)
		for (unsigned t = 0; d->ev[i].has & ITA2_HAS_RETIRED && t < TAGGED; t++)
			if (strcmp(d->ev[i].row->name, tagged[t].name) == 0)
				bits |= 1U << tagged[t].bit;
	return bits;
}

/*
 * Binds a matcher, in the value reg of PMC15, to those of its two pairs whose tagged
 * events are counted, or to both if neither is.
 */
static uint64_t bind_matcher(const struct ita2_dispatch *d, unsigned pmc, uint64_t reg)
{
	const unsigned counted = tagged_bits(d);
	unsigned pairs = 0;

	for (unsigned t = 0; t < TAGGED; t++)
		if (tagged[t].pmc == pmc)
			pairs |= 1U << tagged[t].bit;
	return reg & ~(uint64_t)(counted & pairs ? counted & pairs : pairs);
}

int ita2_opcode(struct ita2_dispatch *d)
{
	const pfmlib_ita2_opcm_t *pmc8 = &d->mod->pfp_ita2_pmc8;
	const pfmlib_ita2_opcm_t *pmc9 = &d->mod->pfp_ita2_pmc9;
	const pfmlib_ita2_input_rr_t *rr = &d->mod->pfp_ita2_irange;
	uint64_t bound = UNBOUND;

	if (pmc8->opcm_used || rr->rr_used) {
		const uint64_t base = pmc8->opcm_used ? pmc8->pmc_val : ANY_OPCODE;
		const int ret = ita2_dispatch_pmc(
			d, 8,
			matcher_value(base, rr->rr_used,
				      rr->rr_flags & PFMLIB_ITA2_RR_INV));

		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	if (pmc8->opcm_used)
		bound = bind_matcher(d, 8, bound);
	if (pmc9->opcm_used) {
		if (ita2_dispatch_count(d, ITA2_HAS_RETIRED) != d->n)
			return PFMLIB_ERR_FEATCOMB;
		const int ret =
			ita2_dispatch_pmc(d, 9, matcher_value(pmc9->pmc_val, 0, 0));

		if (ret != PFMLIB_SUCCESS)
			return ret;
		bound = bind_matcher(d, 9, bound);
	}
	return ita2_dispatch_pmc(d, 15, bound);
}

/* Records every branch: used for an event without btb_used. btb_brt 0: all types. */
static const pfmlib_ita2_btb_t all_branches = {
	.btb_used = 1, .btb_tm = 3, .btb_ptm = 3, .btb_ppm = 3};

static uint64_t pmc12_value(const struct ita2_dispatch *d, const pfmlib_ita2_btb_t *btb)
{
	const struct bits_field *f = ita2_btb_layout.field;
	uint64_t reg = 0;

	reg = bits_field_put(&f[ITA2_BTB_PLM], reg, ita2_dispatch_plm(d, btb->btb_plm));
	reg = bits_field_put(&f[ITA2_BTB_PM], reg, (uint64_t)ita2_dispatch_systemwide(d));
	reg = bits_field_put(&f[ITA2_BTB_DS], reg, btb->btb_ds);
	reg = bits_field_put(&f[ITA2_BTB_TM], reg, btb->btb_tm);
	reg = bits_field_put(&f[ITA2_BTB_PTM], reg, btb->btb_ptm);
	reg = bits_field_put(&f[ITA2_BTB_PPM], reg, btb->btb_ppm);
	return bits_field_put(&f[ITA2_BTB_BRT], reg, btb->btb_brt);
}

int ita2_btb(struct ita2_dispatch *d)
{
	const pfmlib_ita2_btb_t *wanted = &d->mod->pfp_ita2_btb;
	const int used = wanted->btb_used || ita2_dispatch_event(d, ITA2_HAS_BTB);
	const int off = ita2_dear_excludes_btb(d);

	if (!used)
		return off ? ita2_dispatch_pmc(d, 12, 0) : PFMLIB_SUCCESS;
	const uint64_t reg = pmc12_value(d, wanted->btb_used ? wanted : &all_branches);

	if (off && reg)
		return PFMLIB_ERR_EVTINCOMP;
	const int ret = ita2_dispatch_pmc(d, 12, reg);

	if (ret == PFMLIB_SUCCESS)
		ita2_dispatch_pmds(d, 8, 16);
	return ret;
}
