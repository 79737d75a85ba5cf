#include "suite/explain/itanium2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "itanium2/registers.h"
#include "suite/explain/itanium2_request.h"
#include "suite/explain/registers.h"

enum { MAX_EVENTS = 64 };

/* What goes in and comes out: too much for a stack. */
struct dispatch {
	pfmlib_input_param_t in;
	pfmlib_ita2_input_param_t mod_in;
	pfmlib_output_param_t out;
	pfmlib_ita2_output_param_t mod_out;
};

static void add(struct explain_items *to, const char *kind, const pfmlib_reg_t *r,
		const struct bits_layout *layout)
{
	static const struct bits_field none[] = {{0}};
	char name[24];

	snprintf(name, sizeof name, "%s%u", kind, r->reg_num);
	explain_reg(to, name, layout ? layout->field : none, r->reg_value);
}

static void add_name(struct explain_items *to, const char *kind, unsigned num)
{
	char name[24];

	snprintf(name, sizeof name, "%s%u", kind, num);
	explain_add(to, name);
}

/* What the registers take in beyond the ranges, in bytes. */
static void add_ranges(struct explain_items *to, const char *attr,
		       const pfmlib_ita2_input_rr_t *in,
		       const pfmlib_ita2_output_rr_t *out)
{
	for (unsigned i = 0; in->rr_used && i < 4 && in->rr_limits[i].rr_end; i++) {
		char name[24];

		snprintf(name, sizeof name, "%s %u", attr, i + 1);
		struct explain_item *it = explain_add(to, name);
		if (!it)
			return;
		explain_field(it, "start", in->rr_limits[i].rr_start, NULL);
		explain_field(it, "end", in->rr_limits[i].rr_end, NULL);
		explain_field(it, "before", out->rr_infos[i].rr_soff, NULL);
		explain_field(it, "after", out->rr_infos[i].rr_eoff, NULL);
	}
}

static void add_debug(struct explain_items *to, const char *kind,
		      const pfmlib_ita2_output_rr_t *rr)
{
	for (unsigned i = 0; i < rr->rr_nbr_used; i++)
		add(to, kind, &rr->rr_br[i], ita2_debug_layout(rr->rr_br[i].reg_num));
}

/* The first of each are the counters, in the order of the events. */
static void tell(const struct dispatch *d, struct explain_set *set, unsigned n)
{
	for (unsigned i = 0; i < d->out.pfp_pmc_count; i++) {
		const pfmlib_reg_t *r = &d->out.pfp_pmcs[i];
		struct explain_items *to = i < n ? &set->req[i].items : &set->shared;

		add(to, "PMC", r, ita2_pmc_layout(r->reg_num, r->reg_value));
		if (i < n) {
			set->req[i].pic = (int)r->reg_num;
			add_name(to, "PMD", r->reg_num);
		}
	}
	for (unsigned i = n; i < d->out.pfp_pmd_count; i++)
		add_name(&set->shared, "PMD", d->out.pfp_pmds[i].reg_num);
	add_debug(&set->shared, "IBR", &d->mod_out.pfp_ita2_irange);
	add_debug(&set->shared, "DBR", &d->mod_out.pfp_ita2_drange);
	add_ranges(&set->shared, "irange", &d->mod_in.pfp_ita2_irange,
		   &d->mod_out.pfp_ita2_irange);
	add_ranges(&set->shared, "drange", &d->mod_in.pfp_ita2_drange,
		   &d->mod_out.pfp_ita2_drange);
}

static void ask_of(const struct requests *r, struct spec_req *req)
{
	for (unsigned i = 0; i < r->n; i++)
		req[i] = (struct spec_req){
			.event = r->req[i].name,
			.pic = r->req[i].pic,
			.pics = UINT64_C(1) << r->req[i].pic,
			.flags = r->req[i].flags,
			.nattrs = r->req[i].nattrs,
			.attrs = r->req[i].attrs,
		};
}

/* An attribute of the set, which every request has. */
static int wants_fine(const struct spec_req *req)
{
	for (unsigned k = 0; k < req->nattrs; k++)
		if (strcmp(req->attrs[k].ca_name, "fine") == 0)
			return req->attrs[k].ca_val != 0;
	return 0;
}

static int dispatch(struct dispatch *d, const struct spec_req *req, unsigned n,
		    unsigned flags, char *why, size_t size)
{
	const int more = itanium2_request(req, n, flags, &d->in, &d->mod_in, why, size);

	if (more == -1)
		return -1;
	const int rc = pfm_initialize();
	const int code = rc ? rc
			    : pfm_dispatch_events(&d->in, more ? &d->mod_in : NULL,
						  &d->out, more ? &d->mod_out : NULL);
	if (code == PFMLIB_SUCCESS && n > 0 && wants_fine(&req[0]) &&
	    !pfm_ita2_irange_is_fine(&d->out, &d->mod_out)) {
		snprintf(
			why, size,
			"fine: start and end of each irange must be in one page of 4 KB");
		return -1;
	}
	if (code == PFMLIB_SUCCESS)
		return 0;
	explain_ita2_why(code, &d->in, &d->mod_in, req, why, size);
	return -1;
}

int explain_itanium2(const struct requests *r, int cpus, struct explain_set *set,
		     char *why, size_t size)
{
	struct dispatch *d = calloc(1, sizeof *d);
	struct spec_req req[MAX_EVENTS];

	if (!d) {
		snprintf(why, size, "no memory available");
		return -1;
	}
	ask_of(r, req);
	const int rc =
		dispatch(d, req, r->n, cpus ? PFMLIB_PFP_SYSTEMWIDE : 0, why, size);
	if (rc == 0)
		tell(d, set, r->n);
	free(d);
	return rc;
}

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
