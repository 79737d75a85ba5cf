#include "suite/explain/itanium2_request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cpc/names.h"
#include "itanium2/events.h"
#include "table/table.h"

enum { PLM_KERNEL = PFM_PLM0, PLM_USER = PFM_PLM3 };

/* A set while it is being read. */
struct ask {
	const struct spec_req *req;
	unsigned n;
	pfmlib_input_param_t *in;
	pfmlib_ita2_input_param_t *mod;
	char *err;
	size_t size;
	int used; /* something is in mod */
};

/* Always -1. */
__attribute__((format(printf, 2, 3))) static int refuse(const struct ask *a,
							const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(a->err, a->size, fmt, ap);
	va_end(ap);
	errno = EINVAL;
	return -1;
}

/* Value number k of an attribute of a request, or NULL. */
static const uint64_t *nth(const struct spec_req *r, const char *name, unsigned k)
{
	for (unsigned i = 0; i < r->nattrs; i++)
		if (strcmp(r->attrs[i].ca_name, name) == 0 && k-- == 0)
			return &r->attrs[i].ca_val;
	return NULL;
}

static uint64_t value(const struct spec_req *r, const char *name, uint64_t otherwise)
{
	const uint64_t *v = nth(r, name, 0);

	return v ? *v : otherwise;
}

/* The first request that has an attribute, or NULL. */
static const struct spec_req *owner(const struct ask *a, const char *name)
{
	for (unsigned i = 0; i < a->n; i++)
		if (nth(&a->req[i], name, 0))
			return &a->req[i];
	return NULL;
}

/* An attribute of the set. */
static uint64_t set_value(const struct ask *a, const char *name, uint64_t otherwise)
{
	const struct spec_req *r = owner(a, name);

	return r ? value(r, name, otherwise) : otherwise;
}

static int check_attr(const struct ask *a, const struct spec_req *r,
		      const cpc_attr_t *attr)
{
	const struct evattr *is = evtab_attr(ita2_tab, attr->ca_name);
	const unsigned each = is && is->form == FORM_RANGE ? 2 : 1;
	unsigned n = 0;

	if (!is)
		return refuse(a, "%s: the %s has no attribute '%s'", r->event,
			      ita2_tab->title, attr->ca_name);
	if (attr->ca_val > is->max)
		return refuse(a, "%s: %s is at most %llu", r->event, attr->ca_name,
			      (unsigned long long)is->max);
	while (nth(r, is->name, n))
		n++;
	if (n % each || n > each * is->times)
		return refuse(a, "%s: wrong number of values of %s", r->event, is->name);
	return 0;
}

/* All that have an attribute of the set have the same of it. */
static int check_same(const struct ask *a, const struct spec_req *r, const char *name)
{
	const struct spec_req *first = owner(a, name);
	const uint64_t *x, *y;
	unsigned k = 0;

	if (!evtab_attr(ita2_tab, name)->of_set)
		return 0;
	do {
		x = nth(first, name, k);
		y = nth(r, name, k++);
	} while (x && y && *x == *y);
	return x || y ? refuse(a, "%s is of the whole set: %s and %s have not the same",
			       name, first->event, r->event)
		      : 0;
}

static int check_attrs(const struct ask *a)
{
	for (unsigned i = 0; i < a->n; i++) {
		const struct spec_req *r = &a->req[i];

		for (unsigned k = 0; k < r->nattrs; k++)
			if (check_attr(a, r, &r->attrs[k]) == -1 ||
			    check_same(a, r, r->attrs[k].ca_name) == -1)
				return -1;
	}
	return 0;
}

/* What a request is of, by name or number. -1: there is no such event. */
static int event_of(const struct spec_req *r, struct ita2_event *ev)
{
	struct resolved m;

	if (resolve_in(ita2_tab, r->event, &m) == -1)
		return -1;
	ita2_event_of(m.own, ev);
	return 0;
}

/* Privilege levels: bit n is level n. */
static unsigned levels(const struct spec_req *r)
{
	const unsigned modes = (r->flags & CPC_COUNT_USER ? PLM_USER : 0) |
			       (r->flags & CPC_COUNT_SYSTEM ? PLM_KERNEL : 0);
	const uint64_t plm = value(r, "plm", 0);

	return plm ? (unsigned)plm : modes;
}

/* What an event has for itself, whatever the counter. */
static int take_event(struct ask *a, unsigned i)
{
	const struct spec_req *r = &a->req[i];
	const uint64_t thres = value(r, "thres", 0);
	struct ita2_event ev;

	if (event_of(r, &ev) == -1)
		return refuse(a, "the %s has no event '%s'", ita2_tab->title, r->event);
	if (!levels(r))
		return refuse(a, "%s: it is to be counted in no mode", r->event);
	if (thres && thres >= ev.maxincr)
		return refuse(a, "%s: thres is below %u, the most it grows in a cycle",
			      r->event, ev.maxincr);
	a->in->pfp_events[i].event = (unsigned)(ev.row - ita2_tab->ev);
	if (levels(r) != a->in->pfp_dfl_plm)
		a->in->pfp_events[i].plm = levels(r);
	if (i < PMU_ITA2_NUM_COUNTERS) {
		pfmlib_ita2_counter_t *c = &a->mod->pfp_ita2_counters[i];

		c->thres = (unsigned)thres;
		c->ism = (pfmlib_ita2_ism_t)value(r, "ism", PFMLIB_ITA2_ISM_BOTH);
		c->flags = value(r, "noqual", 0) ? PFMLIB_ITA2_FL_EVT_NO_QUALCHECK : 0;
		a->used |= c->thres || c->ism || c->flags;
	}
	return 0;
}

static int take_events(struct ask *a)
{
	if (a->n >= PFMLIB_MAX_PMCS)
		return refuse(a, "%u events are too many", a->n);
	a->in->pfp_event_count = a->n;
	a->in->pfp_dfl_plm = a->n ? levels(&a->req[0]) : PLM_USER;
	for (unsigned i = 0; i < a->n; i++)
		if (take_event(a, i) == -1)
			return -1;
	return 0;
}

/*
 * Leave no counters but those that requests have: then what ascends is the first
 * assignment, which is the one that is dispatched.
 */
static void keep_counters(const struct ask *a)
{
	uint64_t pics = 0;

	for (unsigned i = 0; i < a->n; i++) {
		if (a->req[i].pics != UINT64_C(1) << a->req[i].pic)
			return;
		pics |= a->req[i].pics;
	}
	for (unsigned c = 0; a->n && c < PMU_ITA2_NUM_COUNTERS; c++)
		if (!(pics >> (PMU_ITA2_FIRST_COUNTER + c) & 1))
			pfm_regmask_set(&a->in->pfp_unavail_pmcs,
					PMU_ITA2_FIRST_COUNTER + c);
}

static void take_opcode(struct ask *a, const char *name, pfmlib_ita2_opcm_t *opcm)
{
	opcm->opcm_used = owner(a, name) != NULL;
	opcm->pmc_val = set_value(a, name, 0);
	a->used |= opcm->opcm_used;
}

static void take_ranges(struct ask *a, const char *name, pfmlib_ita2_input_rr_t *rr)
{
	const struct spec_req *r = owner(a, name);

	for (unsigned k = 0; r && nth(r, name, 2 * k); k++)
		rr->rr_limits[k] =
			(pfmlib_ita2_input_rr_desc_t){.rr_start = *nth(r, name, 2 * k),
						      .rr_end = *nth(r, name, 2 * k + 1)};
	rr->rr_used = r != NULL;
	a->used |= rr->rr_used;
}

static int take_range_flags(struct ask *a)
{
	static const struct {
		const char *name;
		uint64_t value; /* with which it sets the flag */
		unsigned flag;
	} flags[] = {{"inv", 1, PFMLIB_ITA2_RR_INV},
		     {"fine", 0, PFMLIB_ITA2_RR_NO_FINE_MODE}};
	pfmlib_ita2_input_rr_t *rr = &a->mod->pfp_ita2_irange;

	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (!owner(a, flags[i].name))
			continue;
		if (!rr->rr_used)
			return refuse(
				a, "%s is about a range of code, and there is no irange",
				flags[i].name);
		if (set_value(a, flags[i].name, 0) == flags[i].value)
			rr->rr_flags |= flags[i].flag;
	}
	return 0;
}

/* Is any of these attributes there? */
static int any(const struct ask *a, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (owner(a, names[i]))
			return 1;
	return 0;
}

/* The one request whose event has this (ITA2_HAS_*), or NULL. -1: there are more. */
static int only_one(const struct ask *a, unsigned has, const char *what,
		    const struct spec_req **one, struct ita2_event *its)
{
	*one = NULL;
	for (unsigned i = 0; i < a->n; i++) {
		struct ita2_event ev;

		if (event_of(&a->req[i], &ev) == -1 || !(ev.has & has))
			continue;
		if (*one)
			return refuse(a, "%s and %s both take %s, which is there once",
				      (*one)->event, a->req[i].event, what);
		*one = &a->req[i];
		*its = ev;
	}
	return 0;
}

/* Does its event's register want other levels than the default? */
static unsigned other_levels(const struct ask *a, const struct spec_req *r)
{
	return r && levels(r) != a->in->pfp_dfl_plm ? levels(r) : 0;
}

/* names: of mode, umask, ism, plm; has: what its events have. */
static int take_ear(struct ask *a, const char *const names[4], unsigned has,
		    const char *what, pfmlib_ita2_ear_t *ear)
{
	const struct spec_req *r;
	pfmlib_ita2_ear_t is = {0};

	struct ita2_event ev;

	if (only_one(a, has, what, &r, &ev) == -1)
		return -1;
	if (r) {
		is.ear_mode = (pfmlib_ita2_ear_mode_t)ev.ear_mode;
		is.ear_umask = ev.umask;
		is.ear_ism = (pfmlib_ita2_ism_t)value(r, "ism", PFMLIB_ITA2_ISM_BOTH);
		is.ear_plm = other_levels(a, r);
	}
	if (!any(a, names, 4) && !is.ear_ism && !is.ear_plm)
		return 0;
	is.ear_used = 1;
	is.ear_mode = (pfmlib_ita2_ear_mode_t)set_value(a, names[0], is.ear_mode);
	is.ear_umask = set_value(a, names[1], is.ear_umask);
	is.ear_ism = (pfmlib_ita2_ism_t)set_value(a, names[2], is.ear_ism);
	is.ear_plm = (unsigned)set_value(a, names[3], is.ear_plm);
	*ear = is;
	a->used = 1;
	return 0;
}

static int take_ears(struct ask *a)
{
	static const char *const iear[] = {"iear_mode", "iear_umask", "iear_ism",
					   "iear_plm"};
	static const char *const dear[] = {"dear_mode", "dear_umask", "dear_ism",
					   "dear_plm"};

	return take_ear(a, iear, ITA2_HAS_IEAR, "the instruction EAR",
			&a->mod->pfp_ita2_iear) == -1 ||
			       take_ear(a, dear, ITA2_HAS_DEAR, "the data EAR",
					&a->mod->pfp_ita2_dear) == -1
		       ? -1
		       : 0;
}

/* Without attributes all branches are recorded. */
static int take_btb(struct ask *a)
{
	enum { ALL = 3 };
	static const char *const names[] = {"btb_tm",  "btb_ptm", "btb_ppm",
					    "btb_brt", "btb_ds",  "btb_plm"};
	const struct spec_req *r;
	struct ita2_event ev;

	if (only_one(a, ITA2_HAS_BTB, "the branch trace buffer", &r, &ev) == -1)
		return -1;
	if (!any(a, names, sizeof names / sizeof *names) && !other_levels(a, r))
		return 0;
	a->used = 1;
	a->mod->pfp_ita2_btb = (pfmlib_ita2_btb_t){
		.btb_used = 1,
		.btb_ds = (unsigned char)set_value(a, "btb_ds", 0),
		.btb_tm = (unsigned char)set_value(a, "btb_tm", ALL),
		.btb_ptm = (unsigned char)set_value(a, "btb_ptm", ALL),
		.btb_ppm = (unsigned char)set_value(a, "btb_ppm", ALL),
		.btb_brt = (unsigned char)set_value(a, "btb_brt", 0),
		.btb_plm = (unsigned)set_value(a, "btb_plm", other_levels(a, r)),
	};
	return 0;
}

int itanium2_request(const struct spec_req *req, unsigned n, unsigned flags,
		     pfmlib_input_param_t *in, pfmlib_ita2_input_param_t *mod, char *err,
		     size_t size)
{
	struct ask a = {
		.req = req, .n = n, .in = in, .mod = mod, .err = err, .size = size};

	memset(in, 0, sizeof *in);
	memset(mod, 0, sizeof *mod);
	in->pfp_flags = flags;
	if (check_attrs(&a) == -1 || take_events(&a) == -1)
		return -1;
	keep_counters(&a);
	take_opcode(&a, "opcm8", &mod->pfp_ita2_pmc8);
	take_opcode(&a, "opcm9", &mod->pfp_ita2_pmc9);
	take_ranges(&a, "irange", &mod->pfp_ita2_irange);
	take_ranges(&a, "drange", &mod->pfp_ita2_drange);
	if (take_range_flags(&a) == -1 || take_ears(&a) == -1 || take_btb(&a) == -1)
		return -1;
	return a.used;
}
