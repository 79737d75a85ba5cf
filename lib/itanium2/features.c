#include "itanium2/features.h"

#include <stddef.h>
#include <string.h>

#include "itanium2/registers.h"

unsigned ita2_dispatch_plm(const struct ita2_dispatch *job, unsigned plm)
{
	return plm ? plm : job->in->pfp_dfl_plm;
}

int ita2_dispatch_systemwide(const struct ita2_dispatch *job)
{
	return (job->in->pfp_flags & PFMLIB_PFP_SYSTEMWIDE) != 0;
}

const struct ita2_event *ita2_dispatch_event(const struct ita2_dispatch *job,
					     unsigned has)
{
	for (unsigned i = 0; i < job->n; i++)
		if (job->ev[i].has & has)
			return &job->ev[i];
	return NULL;
}

unsigned ita2_dispatch_count(const struct ita2_dispatch *job, unsigned has)
{
	unsigned count = 0;

	for (unsigned i = 0; i < job->n; i++)
		count += (job->ev[i].has & has) != 0;
	return count;
}

pfmlib_reg_t ita2_dispatch_reg(unsigned n, uint64_t value)
{
	return (pfmlib_reg_t){
		.reg_value = value, .reg_addr = n, .reg_num = n, .reg_alt_addr = n};
}

int ita2_dispatch_pmc(struct ita2_dispatch *job, unsigned pmc, uint64_t value)
{
	if (pfm_regmask_isset(&job->in->pfp_unavail_pmcs, pmc))
		return PFMLIB_ERR_NOASSIGN;
	job->out->pfp_pmcs[job->out->pfp_pmc_count++] = ita2_dispatch_reg(pmc, value);
	return PFMLIB_SUCCESS;
}

void ita2_dispatch_pmds(struct ita2_dispatch *job, unsigned first, unsigned last)
{
	for (unsigned n = first; n <= last; n++)
		job->out->pfp_pmds[job->out->pfp_pmd_count++] = ita2_dispatch_reg(n, 0);
}

/*
 * What an EAR is to do; ear_used is 0 if nothing. An event says mode and unit mask; its
 * own privilege level is of its counter alone.
 */
static pfmlib_ita2_ear_t ear_of(const struct ita2_dispatch *job,
				const pfmlib_ita2_ear_t *asked, unsigned has)
{
	const struct ita2_event *e = ita2_dispatch_event(job, has);
	pfmlib_ita2_ear_t ear = {0};

	if (asked->ear_used)
		ear = *asked;
	else if (e)
		ear = (pfmlib_ita2_ear_t){
			.ear_used = 1,
			.ear_mode = (pfmlib_ita2_ear_mode_t)e->ear_mode,
			.ear_umask = e->umask,
		};
	ear.ear_plm = ita2_dispatch_plm(job, ear.ear_plm);
	return ear;
}

int ita2_iear(struct ita2_dispatch *job)
{
	const pfmlib_ita2_ear_t ear =
		ear_of(job, &job->mod->pfp_ita2_iear, ITA2_HAS_IEAR);
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
			     (uint64_t)ita2_dispatch_systemwide(job));
	reg = bits_field_put(&f[ITA2_IEAR_UMASK], reg, ear.ear_umask);
	reg = bits_field_put(&f[ITA2_IEAR_CT], reg, (uint64_t)cache);
	reg = bits_field_put(&f[ITA2_IEAR_ISM], reg, (uint64_t)ear.ear_ism);
	const int ret = ita2_dispatch_pmc(job, 10, reg);

	if (ret == PFMLIB_SUCCESS)
		ita2_dispatch_pmds(job, 0, 1);
	return ret;
}

int ita2_dear(struct ita2_dispatch *job)
{
	const pfmlib_ita2_ear_t ear =
		ear_of(job, &job->mod->pfp_ita2_dear, ITA2_HAS_DEAR);
	const struct bits_field *f = ita2_dear_layout.field;
	uint64_t reg = 0;

	if (!ear.ear_used)
		return PFMLIB_SUCCESS;
	if ((unsigned)ear.ear_mode > PFMLIB_ITA2_EAR_ALAT_MODE)
		return PFMLIB_ERR_INVAL;
	reg = bits_field_put(&f[ITA2_DEAR_PLM], reg, ear.ear_plm);
	reg = bits_field_put(&f[ITA2_DEAR_PM], reg,
			     (uint64_t)ita2_dispatch_systemwide(job));
	reg = bits_field_put(&f[ITA2_DEAR_MODE], reg, (uint64_t)ear.ear_mode);
	reg = bits_field_put(&f[ITA2_DEAR_UMASK], reg, ear.ear_umask);
	reg = bits_field_put(&f[ITA2_DEAR_ISM], reg, (uint64_t)ear.ear_ism);
	const int ret = ita2_dispatch_pmc(job, 11, reg);

	if (ret == PFMLIB_SUCCESS) {
		ita2_dispatch_pmds(job, 2, 3);
		ita2_dispatch_pmds(job, 17, 17);
	}
	return ret;
}

int ita2_dear_excludes_btb(const struct ita2_dispatch *job)
{
	const pfmlib_ita2_ear_t *ear = &job->mod->pfp_ita2_dear;

	if (ear->ear_used && ear->ear_mode != PFMLIB_ITA2_EAR_CACHE_MODE)
		return 1;
	for (unsigned i = 0; i < job->n; i++)
		if (job->ev[i].has & ITA2_HAS_DEAR &&
		    job->ev[i].ear_mode != PFMLIB_ITA2_EAR_CACHE_MODE)
			return 1;
	return 0;
}

/* A matcher that lets everything through, as after a reset. */
#define ANY_OPCODE UINT64_C(0xffffffff3fffffff)
/* No pair of code ranges is bound to a matcher. */
#define UNBOUND UINT64_C(0xffffffff)

/* Events that count what one pair of code ranges and one matcher let through. */
static const struct {
	const char *name;
	unsigned pmc, bit; /* of PMC15 */
} tagged[] = {
	{"IA64_TAGGED_INST_RETIRED_IBRP0_PMC8", 8, 0},
	{"IA64_TAGGED_INST_RETIRED_IBRP1_PMC9", 9, 1},
	{"IA64_TAGGED_INST_RETIRED_IBRP2_PMC8", 8, 2},
	{"IA64_TAGGED_INST_RETIRED_IBRP3_PMC9", 9, 3},
};
enum { TAGGED = sizeof(tagged) / sizeof(*tagged) };

static uint64_t matcher(uint64_t reg, int ranges, int inverted)
{
	const struct bits_field *f = ita2_opcm_layout.field;

	reg = bits_field_put(&f[ITA2_OPCM_IG_AD], reg, !ranges);
	reg = bits_field_put(&f[ITA2_OPCM_INV], reg, (uint64_t)(ranges && inverted));
	return bits_field_put(&f[ITA2_OPCM_ONE], reg, 1);
}

/* The tagged events that are in the job, as bits of PMC15. */
static unsigned tags(const struct ita2_dispatch *job)
{
	unsigned bits = 0;

	for (unsigned i = 0; i < job->n; i++)
		for (unsigned t = 0; job->ev[i].has & ITA2_HAS_RETIRED && t < TAGGED; t++)
			if (strcmp(job->ev[i].row->name, tagged[t].name) == 0)
				bits |= 1U << tagged[t].bit;
	return bits;
}

/*
 * A matcher in use is bound to those of its two pairs whose events are there, or to both
 * if none is.
 */
static uint64_t pmc15(const struct ita2_dispatch *job, unsigned pmc, uint64_t reg)
{
	const unsigned there = tags(job);
	unsigned pairs = 0;

	for (unsigned t = 0; t < TAGGED; t++)
		if (tagged[t].pmc == pmc)
			pairs |= 1U << tagged[t].bit;
	return reg & ~(uint64_t)(there & pairs ? there & pairs : pairs);
}

int ita2_opcode(struct ita2_dispatch *job)
{
	const pfmlib_ita2_opcm_t *pmc8 = &job->mod->pfp_ita2_pmc8;
	const pfmlib_ita2_opcm_t *pmc9 = &job->mod->pfp_ita2_pmc9;
	const pfmlib_ita2_input_rr_t *rr = &job->mod->pfp_ita2_irange;
	uint64_t bound = UNBOUND;

	if (pmc8->opcm_used || rr->rr_used) {
		const uint64_t base = pmc8->opcm_used ? pmc8->pmc_val : ANY_OPCODE;
		const int ret = ita2_dispatch_pmc(
			job, 8,
			matcher(base, rr->rr_used, rr->rr_flags & PFMLIB_ITA2_RR_INV));

		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	if (pmc8->opcm_used)
		bound = pmc15(job, 8, bound);
	if (pmc9->opcm_used) {
		if (ita2_dispatch_count(job, ITA2_HAS_RETIRED) != job->n)
			return PFMLIB_ERR_FEATCOMB;
		const int ret = ita2_dispatch_pmc(job, 9, matcher(pmc9->pmc_val, 0, 0));

		if (ret != PFMLIB_SUCCESS)
			return ret;
		bound = pmc15(job, 9, bound);
	}
	return ita2_dispatch_pmc(job, 15, bound);
}

/* Every branch: what the event alone asks for. brt is 0 there, which is all types. */
static const pfmlib_ita2_btb_t every = {
	.btb_used = 1, .btb_tm = 3, .btb_ptm = 3, .btb_ppm = 3};

static uint64_t pmc12(const struct ita2_dispatch *job, const pfmlib_ita2_btb_t *btb)
{
	const struct bits_field *f = ita2_btb_layout.field;
	uint64_t reg = 0;

	reg = bits_field_put(&f[ITA2_BTB_PLM], reg, ita2_dispatch_plm(job, btb->btb_plm));
	reg = bits_field_put(&f[ITA2_BTB_PM], reg,
			     (uint64_t)ita2_dispatch_systemwide(job));
	reg = bits_field_put(&f[ITA2_BTB_DS], reg, btb->btb_ds);
	reg = bits_field_put(&f[ITA2_BTB_TM], reg, btb->btb_tm);
	reg = bits_field_put(&f[ITA2_BTB_PTM], reg, btb->btb_ptm);
	reg = bits_field_put(&f[ITA2_BTB_PPM], reg, btb->btb_ppm);
	return bits_field_put(&f[ITA2_BTB_BRT], reg, btb->btb_brt);
}

int ita2_btb(struct ita2_dispatch *job)
{
	const pfmlib_ita2_btb_t *asked = &job->mod->pfp_ita2_btb;
	const int used = asked->btb_used || ita2_dispatch_event(job, ITA2_HAS_BTB);
	const int off = ita2_dear_excludes_btb(job);

	if (!used)
		return off ? ita2_dispatch_pmc(job, 12, 0) : PFMLIB_SUCCESS;
	const uint64_t reg = pmc12(job, asked->btb_used ? asked : &every);

	if (off && reg)
		return PFMLIB_ERR_EVTINCOMP;
	const int ret = ita2_dispatch_pmc(job, 12, reg);

	if (ret == PFMLIB_SUCCESS)
		ita2_dispatch_pmds(job, 8, 16);
	return ret;
}
