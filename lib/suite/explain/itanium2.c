#include "suite/explain/itanium2.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "itanium2/registers.h"
#include "suite/explain/itanium2_request.h"
#include "suite/explain/itanium2_why.h"
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
		const struct reg_layout *layout)
{
	static const struct reg_field none[] = {{0}};
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
	const int more = itanium2_ask(req, n, flags, &d->in, &d->mod_in, why, size);

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
