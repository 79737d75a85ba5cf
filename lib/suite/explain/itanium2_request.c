#include "suite/explain/itanium2_request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cpc/names.h"
#include "itanium2/events.h"
#include "table/table.h"

enum { PLM_KERNEL = PFM_PLM0, PLM_USER = PFM_PLM3 };

/* The requests of a set, and the arguments that are made of them. */
struct reader {
	const struct spec_req *req;
	unsigned n;
	pfmlib_input_param_t *in;
	pfmlib_ita2_input_param_t *mod;
	char *err;
	size_t size;
	int used; /* 1: *mod has a nonzero member */
};

/* Writes an error. Returns -1 with EINVAL. */
__attribute__((format(printf, 2, 3))) static int reject(const struct reader *rd,
							const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(rd->err, rd->size, fmt, ap);
	va_end(ap);
	errno = EINVAL;
	return -1;
}

/* Returns value number k, from 0, of an attribute of a request, or NULL. */
static const uint64_t *nth_value(const struct spec_req *r, const char *name, unsigned k)
{
	for (unsigned i = 0; i < r->nattrs; i++)
		if (strcmp(r->attrs[i].ca_name, name) == 0 && k-- == 0)
			return &r->attrs[i].ca_val;
	return NULL;
}

static uint64_t attr_value(const struct spec_req *r, const char *name, uint64_t otherwise)
{
	const uint64_t *v = nth_value(r, name, 0);

	return v ? *v : otherwise;
}

/* Returns the first request that has an attribute, or NULL. */
static const struct spec_req *first_with(const struct reader *rd, const char *name)
{
	for (unsigned i = 0; i < rd->n; i++)
		if (nth_value(&rd->req[i], name, 0))
			return &rd->req[i];
	return NULL;
}

/* Returns the value of an attribute that applies to the whole set. */
static uint64_t set_value(const struct reader *rd, const char *name, uint64_t otherwise)
{
	const struct spec_req *r = first_with(rd, name);

	return r ? attr_value(r, name, otherwise) : otherwise;
}

static int check_attr(const struct reader *rd, const struct spec_req *r,
		      const cpc_attr_t *attr)
{
	const struct evattr *known = evtab_attr(ita2_tab, attr->ca_name);
	const unsigned each = known && known->form == FORM_RANGE ? 2 : 1;
	unsigned n = 0;

	if (!known)
		return reject(rd, "%s: the %s has no attribute '%s'", r->event,
			      ita2_tab->title, attr->ca_name);
	if (attr->ca_val > known->max)
		return reject(rd, "%s: %s must be at most %llu", r->event, attr->ca_name,
			      (unsigned long long)known->max);
	while (nth_value(r, known->name, n))
		n++;
	if (n % each || n > each * known->times)
		return reject(rd, "%s: wrong number of values for %s", r->event,
			      known->name);
	return 0;
}

/* Checks that an attribute of the whole set has the same values in all its requests. */
static int check_same(const struct reader *rd, const struct spec_req *r, const char *name)
{
	const struct spec_req *first = first_with(rd, name);
	const uint64_t *x, *y;
	unsigned k = 0;

	if (!evtab_attr(ita2_tab, name)->of_set)
		return 0;
	do {
		x = nth_value(first, name, k);
		y = nth_value(r, name, k++);
	} while (x && y && *x == *y);
	return x || y ? reject(rd,
			       "%s applies to the whole set: %s and %s must have the "
			       "same value",
			       name, first->event, r->event)
		      : 0;
}

static int check_attrs(const struct reader *rd)
{
	for (unsigned i = 0; i < rd->n; i++) {
		const struct spec_req *r = &rd->req[i];

		for (unsigned k = 0; k < r->nattrs; k++)
			if (check_attr(rd, r, &r->attrs[k]) == -1 ||
			    check_same(rd, r, r->attrs[k].ca_name) == -1)
				return -1;
	}
	return 0;
}

/* Finds the event of a request by name or number. Returns -1 if it does not exist. */
static int find_event(const struct spec_req *r, struct ita2_event *ev)
{
	struct resolved m;

	if (resolve_in(ita2_tab, r->event, &m) == -1)
		return -1;
	ita2_event_of(m.own, ev);
	return 0;
}

/* Returns the privilege levels of a request; bit n: level n. */
static unsigned privilege_levels(const struct spec_req *r)
{
	const unsigned modes = (r->flags & CPC_COUNT_USER ? PLM_USER : 0) |
			       (r->flags & CPC_COUNT_SYSTEM ? PLM_KERNEL : 0);
	const uint64_t plm = attr_value(r, "plm", 0);

	return plm ? (unsigned)plm : modes;
}

/* Reads the attributes that an event has on any counter. */
static int read_event(struct reader *rd, unsigned i)
{
	const struct spec_req *r = &rd->req[i];
	const uint64_t thres = attr_value(r, "thres", 0);
	struct ita2_event ev;

	if (find_event(r, &ev) == -1)
		return reject(rd, "the %s has no event '%s'", ita2_tab->title, r->event);
	if (!privilege_levels(r))
		return reject(rd, "%s: neither user nor system mode is to be counted",
			      r->event);
	if (thres && thres >= ev.maxincr)
		return reject(rd,
			      "%s: thres must be below %u, the most it counts in a cycle",
			      r->event, ev.maxincr);
	rd->in->pfp_events[i].event = (unsigned)(ev.row - ita2_tab->ev);
	if (privilege_levels(r) != rd->in->pfp_dfl_plm)
		rd->in->pfp_events[i].plm = privilege_levels(r);
	if (i < PMU_ITA2_NUM_COUNTERS) {
		pfmlib_ita2_counter_t *c = &rd->mod->pfp_ita2_counters[i];

		c->thres = (unsigned)thres;
		c->ism = (pfmlib_ita2_ism_t)attr_value(r, "ism", PFMLIB_ITA2_ISM_BOTH);
		c->flags =
			attr_value(r, "noqual", 0) ? PFMLIB_ITA2_FL_EVT_NO_QUALCHECK : 0;
		rd->used |= c->thres || c->ism || c->flags;
	}
	return 0;
}

static int read_events(struct reader *rd)
{
	if (rd->n >= PFMLIB_MAX_PMCS)
		return reject(rd, "%u events are too many", rd->n);
	rd->in->pfp_event_count = rd->n;
	rd->in->pfp_dfl_plm = rd->n ? privilege_levels(&rd->req[0]) : PLM_USER;
	for (unsigned i = 0; i < rd->n; i++)
		if (read_event(rd, i) == -1)
			return -1;
	return 0;
}

/*
 * If every request has its counter, excludes all other counters: then the first
 * assignment, which pfm_dispatch_events() chooses, is that of the requests, whose
 * counters ascend.
 */
static void exclude_other_counters(const struct reader *rd)
{
	uint64_t pics = 0;

	for (unsigned i = 0; i < rd->n; i++) {
		if (rd->req[i].pics != UINT64_C(1) << rd->req[i].pic)
			return;
		pics |= rd->req[i].pics;
	}
	for (unsigned c = 0; rd->n && c < PMU_ITA2_NUM_COUNTERS; c++)
		if (!(pics >> (PMU_ITA2_FIRST_COUNTER + c) & 1))
			pfm_regmask_set(&rd->in->pfp_unavail_pmcs,
					PMU_ITA2_FIRST_COUNTER + c);
}

static void read_opcode(struct reader *rd, const char *name, pfmlib_ita2_opcm_t *opcm)
{
	opcm->opcm_used = first_with(rd, name) != NULL;
	opcm->pmc_val = set_value(rd, name, 0);
	rd->used |= opcm->opcm_used;
}

static void read_ranges(struct reader *rd, const char *name, pfmlib_ita2_input_rr_t *rr)
{
	const struct spec_req *r = first_with(rd, name);

	for (unsigned k = 0; r && nth_value(r, name, 2 * k); k++)
		rr->rr_limits[k] = (pfmlib_ita2_input_rr_desc_t){
			.rr_start = *nth_value(r, name, 2 * k),
			.rr_end = *nth_value(r, name, 2 * k + 1)};
	rr->rr_used = r != NULL;
	rd->used |= rr->rr_used;
}

static int read_range_flags(struct reader *rd)
{
	static const struct {
		const char *name;
		uint64_t value; /* that sets the flag */
		unsigned flag;
	} flags[] = {{"inv", 1, PFMLIB_ITA2_RR_INV},
		     {"fine", 0, PFMLIB_ITA2_RR_NO_FINE_MODE}};
	pfmlib_ita2_input_rr_t *rr = &rd->mod->pfp_ita2_irange;

	for (unsigned i = 0; i < sizeof flags / sizeof *flags; i++) {
		if (!first_with(rd, flags[i].name))
			continue;
		if (!rr->rr_used)
			return reject(
				rd,
				"%s applies to a range of code, but no irange is given",
				flags[i].name);
		if (set_value(rd, flags[i].name, 0) == flags[i].value)
			rr->rr_flags |= flags[i].flag;
	}
	return 0;
}

/* Returns 1 if a request has one of these attributes. */
static int any_of(const struct reader *rd, const char *const *names, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (first_with(rd, names[i]))
			return 1;
	return 0;
}

/*
 * Finds the request whose event has one of the bits has (ITA2_HAS_*), or NULL, and its
 * event. Returns -1 if there are several; unit is what they would share.
 */
static int find_single(const struct reader *rd, unsigned has, const char *unit,
		       const struct spec_req **single, struct ita2_event *event)
{
	*single = NULL;
	for (unsigned i = 0; i < rd->n; i++) {
		struct ita2_event ev;

		if (find_event(&rd->req[i], &ev) == -1 || !(ev.has & has))
			continue;
		if (*single)
			return reject(rd,
				      "%s and %s both use %s, of which the processor has "
				      "only one",
				      (*single)->event, rd->req[i].event, unit);
		*single = &rd->req[i];
		*event = ev;
	}
	return 0;
}

/* Returns the levels of a request for the register of its EAR or BTB; 0: the default. */
static unsigned register_levels(const struct reader *rd, const struct spec_req *r)
{
	return r && privilege_levels(r) != rd->in->pfp_dfl_plm ? privilege_levels(r) : 0;
}

/*
 * Reads the settings of an EAR. names are the attributes for mode, umask, ism and plm;
 * has is the ITA2_HAS_* of its events.
 */
static int read_ear(struct reader *rd, const char *const names[4], unsigned has,
		    const char *unit, pfmlib_ita2_ear_t *ear)
{
	const struct spec_req *r;
	pfmlib_ita2_ear_t wanted = {0};
	struct ita2_event ev;

	if (find_single(rd, has, unit, &r, &ev) == -1)
		return -1;
	if (r) {
		wanted.ear_mode = (pfmlib_ita2_ear_mode_t)ev.ear_mode;
		wanted.ear_umask = ev.umask;
		wanted.ear_ism =
			(pfmlib_ita2_ism_t)attr_value(r, "ism", PFMLIB_ITA2_ISM_BOTH);
		wanted.ear_plm = register_levels(rd, r);
	}
	if (!any_of(rd, names, 4) && !wanted.ear_ism && !wanted.ear_plm)
		return 0;
	wanted.ear_used = 1;
	wanted.ear_mode =
		(pfmlib_ita2_ear_mode_t)set_value(rd, names[0], wanted.ear_mode);
	wanted.ear_umask = set_value(rd, names[1], wanted.ear_umask);
	wanted.ear_ism = (pfmlib_ita2_ism_t)set_value(rd, names[2], wanted.ear_ism);
	wanted.ear_plm = (unsigned)set_value(rd, names[3], wanted.ear_plm);
	*ear = wanted;
	rd->used = 1;
	return 0;
}

static int read_ears(struct reader *rd)
{
	static const char *const iear[] = {"iear_mode", "iear_umask", "iear_ism",
					   "iear_plm"};
	static const char *const dear[] = {"dear_mode", "dear_umask", "dear_ism",
					   "dear_plm"};

	return read_ear(rd, iear, ITA2_HAS_IEAR, "the instruction EAR",
			&rd->mod->pfp_ita2_iear) == -1 ||
			       read_ear(rd, dear, ITA2_HAS_DEAR, "the data EAR",
					&rd->mod->pfp_ita2_dear) == -1
		       ? -1
		       : 0;
}

/*
 * Reads the settings of the branch trace buffer, which by default records all branches.
 */
static int read_btb(struct reader *rd)
{
	enum { ALL = 3 };
	static const char *const names[] = {"btb_tm",  "btb_ptm", "btb_ppm",
					    "btb_brt", "btb_ds",  "btb_plm"};
	const struct spec_req *r;
	struct ita2_event ev;

	if (find_single(rd, ITA2_HAS_BTB, "the branch trace buffer", &r, &ev) == -1)
		return -1;
	if (!any_of(rd, names, sizeof names / sizeof *names) && !register_levels(rd, r))
		return 0;
	rd->used = 1;
	rd->mod->pfp_ita2_btb = (pfmlib_ita2_btb_t){
		.btb_used = 1,
		.btb_ds = (unsigned char)set_value(rd, "btb_ds", 0),
		.btb_tm = (unsigned char)set_value(rd, "btb_tm", ALL),
		.btb_ptm = (unsigned char)set_value(rd, "btb_ptm", ALL),
		.btb_ppm = (unsigned char)set_value(rd, "btb_ppm", ALL),
		.btb_brt = (unsigned char)set_value(rd, "btb_brt", 0),
		.btb_plm = (unsigned)set_value(rd, "btb_plm", register_levels(rd, r)),
	};
	return 0;
}

int itanium2_request(const struct spec_req *req, unsigned n, unsigned flags,
		     pfmlib_input_param_t *in, pfmlib_ita2_input_param_t *mod, char *err,
		     size_t size)
{
	struct reader rd = {
		.req = req, .n = n, .in = in, .mod = mod, .err = err, .size = size};

	memset(in, 0, sizeof *in);
	memset(mod, 0, sizeof *mod);
	in->pfp_flags = flags;
	if (check_attrs(&rd) == -1 || read_events(&rd) == -1)
		return -1;
	exclude_other_counters(&rd);
	read_opcode(&rd, "opcm8", &mod->pfp_ita2_pmc8);
	read_opcode(&rd, "opcm9", &mod->pfp_ita2_pmc9);
	read_ranges(&rd, "irange", &mod->pfp_ita2_irange);
	read_ranges(&rd, "drange", &mod->pfp_ita2_drange);
	if (read_range_flags(&rd) == -1 || read_ears(&rd) == -1 || read_btb(&rd) == -1)
		return -1;
	return rd.used;
}
