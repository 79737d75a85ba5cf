#include "itanium2/features.h"

#include <stddef.h>

unsigned ita2_job_plm(const struct ita2_job *job, unsigned plm)
{
	return plm ? plm : job->in->pfp_dfl_plm;
}

int ita2_job_systemwide(const struct ita2_job *job)
{
	return (job->in->pfp_flags & PFMLIB_PFP_SYSTEMWIDE) != 0;
}

const struct ita2_event *ita2_job_event(const struct ita2_job *job, unsigned has)
{
	for (unsigned i = 0; i < job->n; i++)
		if (job->ev[i].has & has)
			return &job->ev[i];
	return NULL;
}

unsigned ita2_job_count(const struct ita2_job *job, unsigned has)
{
	unsigned count = 0;

	for (unsigned i = 0; i < job->n; i++)
		count += (job->ev[i].has & has) != 0;
	return count;
}

pfmlib_reg_t ita2_job_reg(unsigned n, uint64_t value)
{
	return (pfmlib_reg_t){
		.reg_value = value, .reg_addr = n, .reg_num = n, .reg_alt_addr = n};
}

int ita2_job_pmc(struct ita2_job *job, unsigned pmc, uint64_t value)
{
	if (pfm_regmask_isset(&job->in->pfp_unavail_pmcs, pmc))
		return PFMLIB_ERR_NOASSIGN;
	job->out->pfp_pmcs[job->out->pfp_pmc_count++] = ita2_job_reg(pmc, value);
	return PFMLIB_SUCCESS;
}

void ita2_job_pmds(struct ita2_job *job, unsigned first, unsigned last)
{
	for (unsigned n = first; n <= last; n++)
		job->out->pfp_pmds[job->out->pfp_pmd_count++] = ita2_job_reg(n, 0);
}
