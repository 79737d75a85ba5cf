/* pfm_dispatch_events() of libpfm 3: see lib/include/perfmon/pfmlib_itanium2.h. */
#include <perfmon/pfmlib_itanium2.h>

#include "itanium2/features.h"
#include "itanium2/groups.h"
#include "itanium2/library.h"
#include "itanium2/ranges.h"
#include "itanium2/registers.h"

/* Checks the arguments as libpfm 3 does for every processor. Returns a PFMLIB_* code. */
static int check_arguments(const pfmlib_input_param_t *in,
			   const pfmlib_output_param_t *out)
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

/* Checks that each event supports the restrictions, which apply to all events. */
static int check_qualifiers(const struct ita2_dispatch *d)
{
	const pfmlib_ita2_input_param_t *mod = d->mod;
	unsigned needed = 0;

	if (mod->pfp_ita2_irange.rr_used)
		needed |= ITA2_HAS_IARR;
	if (mod->pfp_ita2_drange.rr_used)
		needed |= ITA2_HAS_DARR;
	if (mod->pfp_ita2_pmc8.opcm_used || mod->pfp_ita2_pmc9.opcm_used)
		needed |= ITA2_HAS_OPCM;
	for (unsigned i = 0; i < d->n; i++)
		if (!(mod->pfp_ita2_counters[i].flags &
		      PFMLIB_ITA2_FL_EVT_NO_QUALCHECK) &&
		    needed & ~d->ev[i].has)
			return PFMLIB_ERR_FEATCOMB;
	return PFMLIB_SUCCESS;
}

/* Ranges have privilege levels too: all events must have the default ones. */
static int check_levels(const struct ita2_dispatch *d)
{
	if (!d->mod->pfp_ita2_irange.rr_used && !d->mod->pfp_ita2_drange.rr_used)
		return PFMLIB_SUCCESS;
	for (unsigned i = 0; i < d->n; i++)
		if (ita2_dispatch_plm(d, d->in->pfp_events[i].plm) != d->in->pfp_dfl_plm)
			return PFMLIB_ERR_FEATCOMB;
	return PFMLIB_SUCCESS;
}

/* Returns the value of the PMC of event i. */
static uint64_t counter_value(const struct ita2_dispatch *d, unsigned i)
{
	const pfmlib_ita2_counter_t *c = &d->mod->pfp_ita2_counters[i];
	const struct ita2_event *e = &d->ev[i];
	const int ear = (e->has & (ITA2_HAS_IEAR | ITA2_HAS_DEAR)) != 0;
	const struct bits_field *f = ita2_counter_layout.field;
	uint64_t reg = 0;

	reg = bits_field_put(&f[ITA2_CTR_PLM], reg,
			     ita2_dispatch_plm(d, d->in->pfp_events[i].plm));
	reg = bits_field_put(&f[ITA2_CTR_OI], reg, 1);
	reg = bits_field_put(&f[ITA2_CTR_PM], reg, (uint64_t)ita2_dispatch_systemwide(d));
	reg = bits_field_put(&f[ITA2_CTR_ES], reg, e->code);
	/* The unit mask of an EAR event goes into PMC10 or PMC11. */
	reg = bits_field_put(&f[ITA2_CTR_UMASK], reg, ear ? 0 : e->umask);
	reg = bits_field_put(&f[ITA2_CTR_THRES], reg, c->thres);
	return bits_field_put(&f[ITA2_CTR_ISM], reg, (uint64_t)c->ism);
}

static int add_counters(struct ita2_dispatch *d)
{
	static const int error[] = {
		[ITA2_NO_CLASH] = PFMLIB_SUCCESS,
		[ITA2_CLASH_SET] = PFMLIB_ERR_EVTSET,
		[ITA2_CLASH_UMASK] = PFMLIB_ERR_NOASSIGN,
		[ITA2_CLASH_CANCEL] = PFMLIB_ERR_INVAL,
	};
	struct assign_request req[PMU_ITA2_NUM_COUNTERS];
	struct assign_result result[PMU_ITA2_NUM_COUNTERS];
	unsigned pair[2];
	uint64_t unassigned;
	const int ret = error[ita2_clash(d->ev, d->n, pair)];

	if (ret != PFMLIB_SUCCESS)
		return ret;
	ita2_counters_for(d->ev, d->n, req);
	for (unsigned i = 0; i < d->n; i++)
		req[i].can &= ~(uint64_t)d->in->pfp_unavail_pmcs.bits[0];
	if (assign_pics(req, d->n, result, &unassigned) == -1)
		return PFMLIB_ERR_NOASSIGN;
	for (unsigned i = 0; i < d->n; i++) {
		ita2_dispatch_pmc(d, result[i].pic, counter_value(d, i));
		ita2_dispatch_pmds(d, result[i].pic, result[i].pic);
	}
	return PFMLIB_SUCCESS;
}

static int opcode_matchers(struct ita2_dispatch *d)
{
	return d->has_mod ? ita2_opcode(d) : PFMLIB_SUCCESS;
}

static int run_stages(struct ita2_dispatch *d)
{
	/* In the order of the registers in the output, which decides the error too. */
	static int (*const stage[])(struct ita2_dispatch * d) = {
		add_counters, ita2_iear,   ita2_dear,	    ita2_irange,
		ita2_drange,  ita2_ranges, opcode_matchers, ita2_btb,
	};
	int ret = check_qualifiers(d);

	if (ret == PFMLIB_SUCCESS)
		ret = check_levels(d);
	for (unsigned i = 0; ret == PFMLIB_SUCCESS && i < sizeof(stage) / sizeof(*stage);
	     i++)
		ret = stage[i](d);
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
	const int ret = check_arguments(inp, outp);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	*outp = (pfmlib_output_param_t){0};
	if (mod_out && !mod)
		return PFMLIB_ERR_INVAL;
	struct ita2_dispatch d = {
		.in = inp,
		.mod = mod ? mod : &nothing,
		.has_mod = mod != NULL,
		.out = outp,
		.mod_out = mod_out,
		.n = inp->pfp_event_count,
		.exact_fine = pmu == ITA2_FORCED,
	};

	if (d.mod_out)
		*d.mod_out = (pfmlib_ita2_output_param_t){0};
	for (unsigned i = 0; i < d.n; i++)
		ita2_event_at(inp->pfp_events[i].event, &d.ev[i]);
	return run_stages(&d);
}
