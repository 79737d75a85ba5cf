/* pfm_dispatch_events() of libpfm 3: lib/include/perfmon/pfmlib_itanium2.h. */
#include <perfmon/pfmlib_itanium2.h>

#include "itanium2/features.h"
#include "itanium2/groups.h"
#include "itanium2/library.h"
#include "itanium2/ranges.h"
#include "itanium2/registers.h"

/* The arguments that every processor's part wants checked. */
static int check(const pfmlib_input_param_t *in, const pfmlib_output_param_t *out)
{
	if (!in || !out || in->pfp_dfl_plm == 0 || in->pfp_event_count >= PFMLIB_MAX_PMCS)
		return PFMLIB_ERR_INVAL;
	if (in->pfp_event_count > PMU_ITA2_NUM_COUNTERS)
		return PFMLIB_ERR_NOASSIGN;
	for (unsigned i = 0; i < in->pfp_event_count; i++) {
		if (in->pfp_events[i].event >= ita2_tab->n)
			return PFMLIB_ERR_INVAL;
		if (in->pfp_events[i].num_masks)
			return PFMLIB_ERR_UMASK;
	}
	return PFMLIB_SUCCESS;
}

/* Can each event be restricted as all will be? */
static int qualifiers(const struct ita2_dispatch *job)
{
	const pfmlib_ita2_input_param_t *mod = job->mod;
	unsigned wanted = 0;

	if (mod->pfp_ita2_irange.rr_used)
		wanted |= ITA2_HAS_IARR;
	if (mod->pfp_ita2_drange.rr_used)
		wanted |= ITA2_HAS_DARR;
	if (mod->pfp_ita2_pmc8.opcm_used || mod->pfp_ita2_pmc9.opcm_used)
		wanted |= ITA2_HAS_OPCM;
	for (unsigned i = 0; i < job->n; i++)
		if (!(mod->pfp_ita2_counters[i].flags &
		      PFMLIB_ITA2_FL_EVT_NO_QUALCHECK) &&
		    wanted & ~job->ev[i].has)
			return PFMLIB_ERR_FEATCOMB;
	return PFMLIB_SUCCESS;
}

/* Ranges have a privilege level too, and it must be that of all events. */
static int levels(const struct ita2_dispatch *job)
{
	if (!job->mod->pfp_ita2_irange.rr_used && !job->mod->pfp_ita2_drange.rr_used)
		return PFMLIB_SUCCESS;
	for (unsigned i = 0; i < job->n; i++)
		if (ita2_dispatch_plm(job, job->in->pfp_events[i].plm) !=
		    job->in->pfp_dfl_plm)
			return PFMLIB_ERR_FEATCOMB;
	return PFMLIB_SUCCESS;
}

/* The value of event i's PMC. */
static uint64_t counter(const struct ita2_dispatch *job, unsigned i)
{
	const pfmlib_ita2_counter_t *c = &job->mod->pfp_ita2_counters[i];
	const struct ita2_event *e = &job->ev[i];
	const int ear = (e->has & (ITA2_HAS_IEAR | ITA2_HAS_DEAR)) != 0;
	const struct bits_field *f = ita2_counter_layout.field;
	uint64_t reg = 0;

	reg = bits_field_put(&f[ITA2_CTR_PLM], reg,
			     ita2_dispatch_plm(job, job->in->pfp_events[i].plm));
	reg = bits_field_put(&f[ITA2_CTR_OI], reg, 1);
	reg = bits_field_put(&f[ITA2_CTR_PM], reg,
			     (uint64_t)ita2_dispatch_systemwide(job));
	reg = bits_field_put(&f[ITA2_CTR_ES], reg, e->code);
	/* That of an EAR event is for its own PMC. */
	reg = bits_field_put(&f[ITA2_CTR_UMASK], reg, ear ? 0 : e->umask);
	reg = bits_field_put(&f[ITA2_CTR_THRES], reg, c->thres);
	return bits_field_put(&f[ITA2_CTR_ISM], reg, (uint64_t)c->ism);
}

static int counters(struct ita2_dispatch *job)
{
	static const int error[] = {
		[ITA2_NO_CLASH] = PFMLIB_SUCCESS,
		[ITA2_CLASH_SET] = PFMLIB_ERR_EVTSET,
		[ITA2_CLASH_UMASK] = PFMLIB_ERR_NOASSIGN,
		[ITA2_CLASH_CANCEL] = PFMLIB_ERR_INVAL,
	};
	struct assign_request ask[PMU_ITA2_NUM_COUNTERS];
	struct assign_result choice[PMU_ITA2_NUM_COUNTERS];
	unsigned pair[2];
	uint64_t clash;
	const int ret = error[ita2_clash(job->ev, job->n, pair)];

	if (ret != PFMLIB_SUCCESS)
		return ret;
	ita2_counters_for(job->ev, job->n, ask);
	for (unsigned i = 0; i < job->n; i++)
		ask[i].can &= ~(uint64_t)job->in->pfp_unavail_pmcs.bits[0];
	if (assign_pics(ask, job->n, choice, &clash) == -1)
		return PFMLIB_ERR_NOASSIGN;
	for (unsigned i = 0; i < job->n; i++) {
		ita2_dispatch_pmc(job, choice[i].pic, counter(job, i));
		ita2_dispatch_pmds(job, choice[i].pic, choice[i].pic);
	}
	return PFMLIB_SUCCESS;
}

static int opcode(struct ita2_dispatch *job)
{
	return job->has_mod ? ita2_opcode(job) : PFMLIB_SUCCESS;
}

static int run(struct ita2_dispatch *job)
{
	/* Their order is that of the registers, and of what is found to be wrong. */
	static int (*const stage[])(struct ita2_dispatch * job) = {
		counters,    ita2_iear,	  ita2_dear, ita2_irange,
		ita2_drange, ita2_ranges, opcode,    ita2_btb,
	};
	int ret = qualifiers(job);

	if (ret == PFMLIB_SUCCESS)
		ret = levels(job);
	for (unsigned i = 0; ret == PFMLIB_SUCCESS && i < sizeof(stage) / sizeof(*stage);
	     i++)
		ret = stage[i](job);
	return ret;
}

int pfm_dispatch_events(pfmlib_input_param_t *inp, void *mod_in,
			pfmlib_output_param_t *outp, void *mod_out)
{
	static const pfmlib_ita2_input_param_t nothing;
	const pfmlib_ita2_input_param_t *mod = mod_in;
	const enum ita2_pmu pmu = ita2_pmu();

	if (pmu == ITA2_NONE)
		return PFMLIB_ERR_NOINIT;
	const int ret = check(inp, outp);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	*outp = (pfmlib_output_param_t){0};
	if (mod_out && !mod)
		return PFMLIB_ERR_INVAL;
	struct ita2_dispatch job = {
		.in = inp,
		.mod = mod ? mod : &nothing,
		.has_mod = mod != NULL,
		.out = outp,
		.mod_out = mod_out,
		.n = inp->pfp_event_count,
		.exact_fine = pmu == ITA2_FORCED,
	};

	if (job.mod_out)
		*job.mod_out = (pfmlib_ita2_output_param_t){0};
	for (unsigned i = 0; i < job.n; i++)
		ita2_event_at(inp->pfp_events[i].event, &job.ev[i]);
	return run(&job);
}
