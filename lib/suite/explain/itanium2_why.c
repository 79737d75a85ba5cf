#include "suite/explain/itanium2_why.h"

#include <stdio.h>

/* Event select of IA64_INST_RETIRED and all that PMC9 can match. */
enum { INST_RETIRED = 8 };

/* What it was that was refused. */
struct refused {
	const pfmlib_input_param_t *in;
	const pfmlib_ita2_input_param_t *mod;
	const struct spec_req *req;
};

static int has_ranges(const struct refused *r)
{
	return r->mod->pfp_ita2_irange.rr_used || r->mod->pfp_ita2_drange.rr_used;
}

static int has_opcodes(const struct refused *r)
{
	return r->mod->pfp_ita2_pmc8.opcm_used || r->mod->pfp_ita2_pmc9.opcm_used;
}

static int is_retired(unsigned event)
{
	int code;

	return pfm_get_event_code(event, &code) == PFMLIB_SUCCESS && code == INST_RETIRED;
}

/* NULL: event i can be restricted by all that is asked for. */
static const char *unfit(const struct refused *r, unsigned i)
{
	const unsigned event = r->in->pfp_events[i].event;
	const unsigned plm = r->in->pfp_events[i].plm;

	if (!(r->mod->pfp_ita2_counters[i].flags & PFMLIB_ITA2_FL_EVT_NO_QUALCHECK)) {
		if (r->mod->pfp_ita2_irange.rr_used && !pfm_ita2_support_iarr(event))
			return "cannot be restricted to ranges of code (irange)";
		if (r->mod->pfp_ita2_drange.rr_used && !pfm_ita2_support_darr(event))
			return "cannot be restricted to ranges of data (drange)";
		if (has_opcodes(r) && !pfm_ita2_support_opcm(event))
			return "cannot be restricted to opcodes (opcm8, opcm9)";
	}
	if (has_ranges(r) && plm && plm != r->in->pfp_dfl_plm)
		return "has privilege levels of its own, and ranges hold for one choice of "
		       "levels alone";
	if (r->mod->pfp_ita2_pmc9.opcm_used && !is_retired(event))
		return "is no IA64_INST_RETIRED, and opcm9 matches for these alone";
	return NULL;
}

static int say_unfit(const struct refused *r, char *why, size_t size)
{
	for (unsigned i = 0; i < r->in->pfp_event_count; i++) {
		const char *rule = unfit(r, i);

		if (rule) {
			snprintf(why, size, "%s %s", r->req[i].event, rule);
			return 1;
		}
	}
	return 0;
}

/* Do all events count retired instructions? Others cannot tell pairs of registers apart. */
static int all_retired(const struct refused *r)
{
	for (unsigned i = 0; i < r->in->pfp_event_count; i++)
		if (!is_retired(r->in->pfp_events[i].event))
			return 0;
	return 1;
}

/* Every event takes what is asked for, but it does not go together. */
static const char *exclusive(const struct refused *r)
{
	return has_opcodes(r) && all_retired(r)
		       ? "irange and opcode matchers: opcm8 goes with pairs 0 and 2 of the "
			 "debug registers, opcm9 with 1 and 3, and the ranges take others"
		       : "irange: events of instruction prefetches can be restricted to "
			 "code by themselves alone, or beside IA64_INST_RETIRED";
}

static int is_dear_without_cache(unsigned event)
{
	return pfm_ita2_is_dear_tlb(event) || pfm_ita2_is_dear_alat(event);
}

/* The first event of a kind, or the attributes that ask for it. */
static const char *who(const struct refused *r, int (*is)(unsigned event),
		       const char *attrs)
{
	for (unsigned i = 0; i < r->in->pfp_event_count; i++)
		if (is(r->in->pfp_events[i].event))
			return r->req[i].event;
	return attrs;
}

/* The parser has seen to it that ranges end behind their start. */
static const char *sentence(const struct refused *r, int code)
{
	switch (code) {
	case PFMLIB_ERR_FEATCOMB:
		return exclusive(r);
	case PFMLIB_ERR_IRRINVAL:
		return all_retired(r)
			       ? "irange: each pair of debug registers that the "
				 "ranges take needs its event: IA64_INST_RETIRED "
				 "for pair 0, IA64_TAGGED_INST_RETIRED_IBRPn for "
				 "pair n"
			       : "irange: no block that one pair of debug registers "
				 "can have holds the range";
	case PFMLIB_ERR_IRRALIGN:
		return "irange: code begins and ends at bundles, multiples of 16";
	case PFMLIB_ERR_IRRTOOMANY:
		return "irange: the four pairs of instruction debug registers cannot cover "
		       "these ranges";
	case PFMLIB_ERR_DRRTOOMANY:
		return "drange: the four pairs of data debug registers cannot cover these "
		       "ranges";
	case PFMLIB_ERR_NOASSIGN:
		return "the events do not fit counters 4 to 7 together";
	default:
		return pfm_strerror(code);
	}
}

void explain_ita2_why(int code, const pfmlib_input_param_t *in,
		      const pfmlib_ita2_input_param_t *mod, const struct spec_req *req,
		      char *why, size_t size)
{
	const struct refused r = {in, mod, req};

	if (code == PFMLIB_ERR_FEATCOMB && say_unfit(&r, why, size))
		return;
	if (code == PFMLIB_ERR_EVTINCOMP)
		snprintf(
			why, size,
			"%s and %s: the data EAR in TLB or ALAT mode and the branch trace "
			"buffer cannot be used together",
			who(&r, is_dear_without_cache, "dear_mode"),
			who(&r, pfm_ita2_is_btb, "btb_*"));
	else
		snprintf(why, size, "%s", sentence(&r, code));
}
