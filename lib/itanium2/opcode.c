#include "itanium2/opcode.h"

#include <string.h>

#include "itanium2/registers.h"

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
	const struct reg_field *f = ita2_opcm_layout.field;

	reg = reg_field_put(&f[ITA2_OPCM_IG_AD], reg, !ranges);
	reg = reg_field_put(&f[ITA2_OPCM_INV], reg, (uint64_t)(ranges && inverted));
	return reg_field_put(&f[ITA2_OPCM_ONE], reg, 1);
}

/* The tagged events that are in the job, as bits of PMC15. */
static unsigned tags(const struct ita2_job *job)
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
static uint64_t pmc15(const struct ita2_job *job, unsigned pmc, uint64_t reg)
{
	const unsigned there = tags(job);
	unsigned pairs = 0;

	for (unsigned t = 0; t < TAGGED; t++)
		if (tagged[t].pmc == pmc)
			pairs |= 1U << tagged[t].bit;
	return reg & ~(uint64_t)(there & pairs ? there & pairs : pairs);
}

int ita2_opcode(struct ita2_job *job)
{
	const pfmlib_ita2_opcm_t *pmc8 = &job->mod->pfp_ita2_pmc8;
	const pfmlib_ita2_opcm_t *pmc9 = &job->mod->pfp_ita2_pmc9;
	const pfmlib_ita2_input_rr_t *rr = &job->mod->pfp_ita2_irange;
	uint64_t bound = UNBOUND;

	if (pmc8->opcm_used || rr->rr_used) {
		const uint64_t base = pmc8->opcm_used ? pmc8->pmc_val : ANY_OPCODE;
		const int ret = ita2_job_pmc(
			job, 8,
			matcher(base, rr->rr_used, rr->rr_flags & PFMLIB_ITA2_RR_INV));

		if (ret != PFMLIB_SUCCESS)
			return ret;
	}
	if (pmc8->opcm_used)
		bound = pmc15(job, 8, bound);
	if (pmc9->opcm_used) {
		if (ita2_job_count(job, ITA2_HAS_RETIRED) != job->n)
			return PFMLIB_ERR_FEATCOMB;
		const int ret = ita2_job_pmc(job, 9, matcher(pmc9->pmc_val, 0, 0));

		if (ret != PFMLIB_SUCCESS)
			return ret;
		bound = pmc15(job, 9, bound);
	}
	return ita2_job_pmc(job, 15, bound);
}
