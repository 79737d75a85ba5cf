#include "suite/explain/itanium2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "itanium2/registers.h"
#include "suite/explain/itanium2_request.h"
#include "suite/explain/registers.h"

enum { MAX_EVENTS = 64 };

/* The arguments of pfm_dispatch_events(), too large for a stack. */
struct dispatch_args {
	pfmlib_input_param_t in;
	pfmlib_ita2_input_param_t mod_in;
	pfmlib_output_param_t out;
	pfmlib_ita2_output_param_t mod_out;
};

static void add_register(struct explain_items *to, const char *kind,
			 const pfmlib_reg_t *r, const struct bits_layout *layout)
{
	static const struct bits_field none[] = {{0}};
	char name[24];

	snprintf(name, sizeof name, "%s%u", kind, r->reg_num);
	explain_add_register(to, name, layout ? layout->field : none, r->reg_value);
}

static void add_name(struct explain_items *to, const char *kind, unsigned num)
{
	char name[24];

	snprintf(name, sizeof name, "%s%u", kind, num);
	explain_add_item(to, name);
}

/* Adds each range, with the bytes before and after it that the registers include. */
static void add_ranges(struct explain_items *to, const char *attr,
		       const pfmlib_ita2_input_rr_t *in,
		       const pfmlib_ita2_output_rr_t *out)
{
	for (unsigned i = 0; in->rr_used && i < 4 && in->rr_limits[i].rr_end; i++) {
		char name[24];

		snprintf(name, sizeof name, "%s %u", attr, i + 1);
		struct explain_item *it = explain_add_item(to, name);
		if (!it)
			return;
		explain_add_field(it, "start", in->rr_limits[i].rr_start, NULL);
		explain_add_field(it, "end", in->rr_limits[i].rr_end, NULL);
		explain_add_field(it, "before", out->rr_infos[i].rr_soff, NULL);
		explain_add_field(it, "after", out->rr_infos[i].rr_eoff, NULL);
	}
}

static void add_debug(struct explain_items *to, const char *kind,
		      const pfmlib_ita2_output_rr_t *rr)
{
	for (unsigned i = 0; i < rr->rr_nbr_used; i++)
		add_register(to, kind, &rr->rr_br[i],
			     ita2_debug_layout(rr->rr_br[i].reg_num));
}

/* Stores the registers. The first n PMCs and PMDs are the counters of the n events. */
static void store_registers(const struct dispatch_args *d, struct explain_set *set,
			    unsigned n)
{
	for (unsigned i = 0; i < d->out.pfp_pmc_count; i++) {
		const pfmlib_reg_t *r = &d->out.pfp_pmcs[i];
		struct explain_items *to = i < n ? &set->req[i].items : &set->shared;

		add_register(to, "PMC", r, ita2_pmc_layout(r->reg_num, r->reg_value));
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

static void fill_requests(const struct requests *r, struct spec_req *req)
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

/* Returns 1 for attribute fine=1, which every request of a set has or none. */
static int wants_fine(const struct spec_req *req)
{
	for (unsigned k = 0; k < req->nattrs; k++)
		if (strcmp(req->attrs[k].ca_name, "fine") == 0)
			return req->attrs[k].ca_val != 0;
	return 0;
}

/* Event select of IA64_INST_RETIRED and of all events that PMC9 can restrict. */
enum { INST_RETIRED = 8 };

/* The arguments that pfm_dispatch_events() refused, and their requests. */
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

/* Returns which restriction event i does not support, or NULL. */
static const char *restriction_error(const struct refused *r, unsigned i)
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
		return "has privilege levels of its own, but ranges apply to one choice "
		       "of levels only";
	if (r->mod->pfp_ita2_pmc9.opcm_used && !is_retired(event))
		return "is not IA64_INST_RETIRED, the only event that opcm9 can restrict";
	return NULL;
}

static int unfit_message(const struct refused *r, char *why, size_t size)
{
	for (unsigned i = 0; i < r->in->pfp_event_count; i++) {
		const char *rule = restriction_error(r, i);

		if (rule) {
			snprintf(why, size, "%s %s", r->req[i].event, rule);
			return 1;
		}
	}
	return 0;
}

/*
 * Returns 1 if all events count retired instructions: only these use several pairs of
 * registers.
 */
static int all_retired(const struct refused *r)
{
	for (unsigned i = 0; i < r->in->pfp_event_count; i++)
		if (!is_retired(r->in->pfp_events[i].event))
			return 0;
	return 1;
}

/* Why the restrictions exclude each other, although each event supports them. */
static const char *conflict_text(const struct refused *r)
{
	return has_opcodes(r) && all_retired(r)
		       ? "irange and opcode matchers: opcm8 works with pairs 0 and 2 "
			 "of the debug registers, opcm9 with 1 and 3, but the ranges use "
			 "others"
		       : "irange: events of instruction prefetches can be restricted to "
			 "code only if the other events are IA64_INST_RETIRED";
}

static int is_dear_without_cache(unsigned event)
{
	return pfm_ita2_is_dear_tlb(event) || pfm_ita2_is_dear_alat(event);
}

/*
 * Returns the first event for which is() is true, or attrs if an attribute is the reason.
 */
static const char *user_of(const struct refused *r, int (*is)(unsigned event),
			   const char *attrs)
{
	for (unsigned i = 0; i < r->in->pfp_event_count; i++)
		if (is(r->in->pfp_events[i].event))
			return r->req[i].event;
	return attrs;
}

/* The parser guarantees that ranges end after their start. */
static const char *error_text(const struct refused *r, int code)
{
	switch (code) {
	case PFMLIB_ERR_FEATCOMB:
		return conflict_text(r);
	case PFMLIB_ERR_IRRINVAL:
		return "irange: each pair of debug registers that the ranges use needs "
		       "its event: IA64_INST_RETIRED for pair 0, "
		       "IA64_TAGGED_INST_RETIRED_IBRPn for pair n";
	case PFMLIB_ERR_IRRTOOBIG:
		return "irange: the range is too large for one pair of debug registers";
	case PFMLIB_ERR_IRRALIGN:
		return "irange: start and end must be multiples of 16, the size of a "
		       "bundle";
	case PFMLIB_ERR_IRRTOOMANY:
		return all_retired(r) ? "irange: the four pairs of instruction debug "
					"registers cannot cover these ranges"
				      : "irange: too many ranges: events other than "
					"IA64_INST_RETIRED allow at most one, or two in "
					"fine mode";
	case PFMLIB_ERR_DRRTOOMANY:
		return "drange: the four pairs of data debug registers cannot cover "
		       "these ranges";
	default:
		return pfm_strerror(code);
	}
}

static void error_message(int code, const pfmlib_input_param_t *in,
			  const pfmlib_ita2_input_param_t *mod,
			  const struct spec_req *req, char *why, size_t size)
{
	const struct refused r = {in, mod, req};

	if (code == PFMLIB_ERR_FEATCOMB && unfit_message(&r, why, size))
		return;
	if (code == PFMLIB_ERR_EVTINCOMP)
		snprintf(why, size,
			 "%s and %s: the data EAR in TLB or ALAT mode and the branch "
			 "trace buffer cannot be used together",
			 user_of(&r, is_dear_without_cache, "dear_mode"),
			 user_of(&r, pfm_ita2_is_btb, "btb_*"));
	else
		snprintf(why, size, "%s", error_text(&r, code));
}

static int dispatch(struct dispatch_args *d, const struct spec_req *req, unsigned n,
		    unsigned flags, char *why, size_t size)
{
	const int has_mod =
		itanium2_request(req, n, flags, &d->in, &d->mod_in, why, size);

	if (has_mod == -1)
		return -1;
	const int rc = pfm_initialize();
	const int code = rc ? rc
			    : pfm_dispatch_events(&d->in, has_mod ? &d->mod_in : NULL,
						  &d->out, has_mod ? &d->mod_out : NULL);
	if (code == PFMLIB_SUCCESS && n > 0 && wants_fine(&req[0]) &&
	    !pfm_ita2_irange_is_fine(&d->out, &d->mod_out)) {
		snprintf(
			why, size,
			"fine: start and end of each irange must be in one page of 4 KB");
		return -1;
	}
	if (code == PFMLIB_SUCCESS)
		return 0;
	error_message(code, &d->in, &d->mod_in, req, why, size);
	return -1;
}

int explain_itanium2(const struct requests *r, int cpus, struct explain_set *set,
		     char *why, size_t size)
{
	struct dispatch_args *d = calloc(1, sizeof *d);
	struct spec_req req[MAX_EVENTS];

	if (!d) {
		snprintf(why, size, "no memory available");
		return -1;
	}
	fill_requests(r, req);
	const int rc =
		dispatch(d, req, r->n, cpus ? PFMLIB_PFP_SYSTEMWIDE : 0, why, size);
	if (rc == 0)
		store_registers(d, set, r->n);
	free(d);
	return rc;
}
