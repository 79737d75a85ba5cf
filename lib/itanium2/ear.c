#include "itanium2/ear.h"

#include "itanium2/registers.h"

/*
 * What an EAR is to do; ear_used is 0 if nothing. An event says mode and unit mask; its
 * own privilege level is of its counter alone.
 */
static pfmlib_ita2_ear_t ear_of(const struct ita2_job *job,
				const pfmlib_ita2_ear_t *asked, unsigned has)
{
	const struct ita2_event *e = ita2_job_event(job, has);
	pfmlib_ita2_ear_t ear = {0};

	if (asked->ear_used)
		ear = *asked;
	else if (e)
		ear = (pfmlib_ita2_ear_t){
			.ear_used = 1,
			.ear_mode = (pfmlib_ita2_ear_mode_t)e->ear_mode,
			.ear_umask = e->umask,
		};
	ear.ear_plm = ita2_job_plm(job, ear.ear_plm);
	return ear;
}

int ita2_iear(struct ita2_job *job)
{
	const pfmlib_ita2_ear_t ear =
		ear_of(job, &job->mod->pfp_ita2_iear, ITA2_HAS_IEAR);
	const int cache = ear.ear_mode == PFMLIB_ITA2_EAR_CACHE_MODE;
	const struct reg_field *f =
		cache ? ita2_iear_cache_layout.field : ita2_iear_tlb_layout.field;
	uint64_t reg = 0;

	if (!ear.ear_used)
		return PFMLIB_SUCCESS;
	if (!cache && ear.ear_mode != PFMLIB_ITA2_EAR_TLB_MODE)
		return PFMLIB_ERR_INVAL;
	reg = reg_field_put(&f[ITA2_IEAR_PLM], reg, ear.ear_plm);
	reg = reg_field_put(&f[ITA2_IEAR_PM], reg, (uint64_t)ita2_job_systemwide(job));
	reg = reg_field_put(&f[ITA2_IEAR_UMASK], reg, ear.ear_umask);
	reg = reg_field_put(&f[ITA2_IEAR_CT], reg, (uint64_t)cache);
	reg = reg_field_put(&f[ITA2_IEAR_ISM], reg, (uint64_t)ear.ear_ism);
	const int ret = ita2_job_pmc(job, 10, reg);

	if (ret == PFMLIB_SUCCESS)
		ita2_job_pmds(job, 0, 1);
	return ret;
}

int ita2_dear(struct ita2_job *job)
{
	const pfmlib_ita2_ear_t ear =
		ear_of(job, &job->mod->pfp_ita2_dear, ITA2_HAS_DEAR);
	const struct reg_field *f = ita2_dear_layout.field;
	uint64_t reg = 0;

	if (!ear.ear_used)
		return PFMLIB_SUCCESS;
	if ((unsigned)ear.ear_mode > PFMLIB_ITA2_EAR_ALAT_MODE)
		return PFMLIB_ERR_INVAL;
	reg = reg_field_put(&f[ITA2_DEAR_PLM], reg, ear.ear_plm);
	reg = reg_field_put(&f[ITA2_DEAR_PM], reg, (uint64_t)ita2_job_systemwide(job));
	reg = reg_field_put(&f[ITA2_DEAR_MODE], reg, (uint64_t)ear.ear_mode);
	reg = reg_field_put(&f[ITA2_DEAR_UMASK], reg, ear.ear_umask);
	reg = reg_field_put(&f[ITA2_DEAR_ISM], reg, (uint64_t)ear.ear_ism);
	const int ret = ita2_job_pmc(job, 11, reg);

	if (ret == PFMLIB_SUCCESS) {
		ita2_job_pmds(job, 2, 3);
		ita2_job_pmds(job, 17, 17);
	}
	return ret;
}

int ita2_dear_excludes_btb(const struct ita2_job *job)
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
