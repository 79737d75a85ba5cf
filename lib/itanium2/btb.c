#include "itanium2/btb.h"

#include "itanium2/ear.h"
#include "itanium2/registers.h"

/* Every branch: what the event alone asks for. brt is 0 there, which is all types. */
static const pfmlib_ita2_btb_t every = {
	.btb_used = 1, .btb_tm = 3, .btb_ptm = 3, .btb_ppm = 3};

static uint64_t pmc12(const struct ita2_job *job, const pfmlib_ita2_btb_t *btb)
{
	const struct reg_field *f = ita2_btb_layout.field;
	uint64_t reg = 0;

	reg = reg_field_put(&f[ITA2_BTB_PLM], reg, ita2_job_plm(job, btb->btb_plm));
	reg = reg_field_put(&f[ITA2_BTB_PM], reg, (uint64_t)ita2_job_systemwide(job));
	reg = reg_field_put(&f[ITA2_BTB_DS], reg, btb->btb_ds);
	reg = reg_field_put(&f[ITA2_BTB_TM], reg, btb->btb_tm);
	reg = reg_field_put(&f[ITA2_BTB_PTM], reg, btb->btb_ptm);
	reg = reg_field_put(&f[ITA2_BTB_PPM], reg, btb->btb_ppm);
	return reg_field_put(&f[ITA2_BTB_BRT], reg, btb->btb_brt);
}

int ita2_btb(struct ita2_job *job)
{
	const pfmlib_ita2_btb_t *asked = &job->mod->pfp_ita2_btb;
	const int used = asked->btb_used || ita2_job_event(job, ITA2_HAS_BTB);
	const int off = ita2_dear_excludes_btb(job);

	if (!used)
		return off ? ita2_job_pmc(job, 12, 0) : PFMLIB_SUCCESS;
	const uint64_t reg = pmc12(job, asked->btb_used ? asked : &every);

	if (off && reg)
		return PFMLIB_ERR_EVTINCOMP;
	const int ret = ita2_job_pmc(job, 12, reg);

	if (ret == PFMLIB_SUCCESS)
		ita2_job_pmds(job, 8, 16);
	return ret;
}
