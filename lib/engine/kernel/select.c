#include "engine/kernel/select.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/kernel/breakpoint.h"
#include "engine/kernel/listed.h"
#include "engine/kernel/own.h"
#include "engine/kernel/pfm.h"
#include "engine/kernel/refusal.h"
#include "engine/kernel/tracepoint.h"
#include "engine/why.h"
#include "table/table.h"

/* A whole number, base 0: an event by the processor's own number. */
static int is_number(const char *name, uint64_t *val)
{
	char *end;

	if (!isdigit((unsigned char)*name))
		return 0;
	errno = 0;
	*val = strtoull(name, &end, 0);
	return !*end && !errno;
}

static int is_in_table(const char *name)
{
	for (unsigned i = 0; evtabs[i]; i++)
		if (evtab_name(evtabs[i], name))
			return 1;
	return 0;
}

/*
 * Has a name of libpfm4's form a meaning as a tracepoint alone? One whose group is there
 * goes before events of other processors, one that only looks so does not.
 */
static int is_tracepoint(const char *root, const char *name)
{
	const enum trace_found seen = kernel_tracepoint_look(root, name);

	return seen != TRACE_NONE && !kernel_pfm_knows(name) &&
	       (seen == TRACE_GROUP ||
		(!is_in_table(name) && !kernel_pfm_foreign(name, NULL)));
}

int kernel_select_knows(const char *root, const char *name)
{
	uint64_t v;

	/* Names of other processors are known too, for a better refusal; tables come first. */
	return kernel_breakpoint_is(name) || kernel_sysfs_is(name) ||
	       is_number(name, &v) || kernel_own_find(name, &v) ||
	       kernel_pfm_knows(name) ||
	       (!is_in_table(name) && kernel_pfm_foreign(name, NULL)) ||
	       is_tracepoint(root, name);
}

static void set_modes(struct kernel_event *ev, unsigned flags)
{
	ev->exclude_user = !(flags & CPC_COUNT_USER);
	ev->exclude_kernel = !(flags & CPC_COUNT_SYSTEM);
	ev->exclude_hv = ev->exclude_kernel;
}

/*
 * With exclude_kernel these would count nothing, for ever: they happen, or the kernel
 * notes them, in system mode alone.
 */
static int happens_in_kernel(const struct kernel_event *ev)
{
	if (ev->type == PERF_TYPE_TRACEPOINT)
		return 1;
	return ev->type == PERF_TYPE_SOFTWARE &&
	       (ev->config[0] == PERF_COUNT_SW_CONTEXT_SWITCHES ||
		ev->config[0] == PERF_COUNT_SW_CPU_MIGRATIONS ||
		ev->config[0] == PERF_COUNT_SW_CGROUP_SWITCHES);
}

/* Count an event of the kernel whatever mode was asked; asking for no mode stays 0. */
static void open_modes(struct evsel *s, unsigned flags)
{
	s->kernel_only = 1;
	if (flags & (CPC_COUNT_USER | CPC_COUNT_SYSTEM))
		for (unsigned i = 0; i < s->n; i++)
			set_modes(&s->ev[i], CPC_COUNT_USER | CPC_COUNT_SYSTEM);
}

/* These kinds always take exclude bits; of the others it must be tried. */
static int takes_modes(const struct kernel_event *ev)
{
	return ev->type == PERF_TYPE_SOFTWARE || ev->type == PERF_TYPE_TRACEPOINT ||
	       ev->type == PERF_TYPE_BREAKPOINT;
}

/* Exclude less; hv alone, or nothing any more. Returns whether that changed anything. */
static int exclude_less(struct evsel *s, int hv_alone)
{
	int changed = 0;

	for (unsigned i = 0; i < s->n; i++) {
		struct kernel_event *ev = &s->ev[i];
		if (takes_modes(ev))
			continue;
		changed |= ev->exclude_hv;
		ev->exclude_hv = 0;
		if (hv_alone)
			continue;
		changed |= ev->exclude_user || ev->exclude_kernel;
		ev->exclude_user = ev->exclude_kernel = 0;
	}
	return changed;
}

static int is_refusal_of_modes(void)
{
	return errno == EINVAL || errno == EOPNOTSUPP;
}

/*
 * Some PMUs refuse exclude_hv, some every exclude bit (perf_event_open(2)): find what
 * they take. 0 if *s can be opened; -1 with the errno of what *s then is, as asked if
 * excluding less does not help.
 */
static int settle_modes(const struct select_env *place, struct evsel *s, struct why *why)
{
	if (place->opens(place->arg, s, why) == 0)
		return 0;
	if (!is_refusal_of_modes())
		return -1;
	const int err = errno;
	const struct evsel asked = *s;
	struct why other;
	if (exclude_less(s, 1) && place->opens(place->arg, s, &other) == 0)
		return 0;
	if (exclude_less(s, 0)) {
		s->together = 1;
		if (place->opens(place->arg, s, &other) == 0)
			return 0;
		if (!is_refusal_of_modes()) {
			*why = other;
			return -1;
		}
	}
	*s = asked;
	errno = err;
	return -1;
}

/*
 * On hybrid machines the kernel's generic events count on one kind of core, unless the
 * upper half of config names the PMU: then one part for each kind, as cores differ in
 * nothing else here (perf_event_open(2), PERF_PMU_TYPE_SHIFT).
 */
static void spread_cores(const struct select_env *place, struct evsel *s)
{
	int generic = 0;

	for (unsigned i = 0; i < s->n; i++)
		generic |= s->ev[i].type == PERF_TYPE_HARDWARE ||
			   s->ev[i].type == PERF_TYPE_HW_CACHE;
	if (!generic || place->ncores < 2)
		return;
	const unsigned terms = s->n;
	for (unsigned c = 0; c < place->ncores; c++)
		for (unsigned i = 0; i < terms; i++) {
			const struct kernel_event *ev = &s->ev[i];
			if (ev->type != PERF_TYPE_HARDWARE &&
			    ev->type != PERF_TYPE_HW_CACHE)
				continue;
			struct kernel_event *to = c ? &s->ev[s->n++] : &s->ev[i];
			*to = *ev;
			to->core = c;
			to->config[0] = (ev->config[0] & UINT32_MAX) |
					(uint64_t)place->core[c].type
						<< PERF_PMU_TYPE_SHIFT;
		}
}

/*
 * "HOW", "HOW, modes together" or NULL into s->note; worsens the class where modes are
 * mixed.
 */
static int describe(struct evsel *s, const char *how, struct why *why)
{
	static const char mixed[] = "user and system mode together";

	if (s->together)
		s->class = CPC_APPROXIMATE;
	if (!*how && !s->together)
		return 0;
	if (asprintf(&s->note, "%s%s%s", how, *how && s->together ? ", " : "",
		     s->together ? mixed : "") < 0) {
		s->note = NULL;
		return why_refuse(why, ENOMEM, "%s: %s", s->name, strerror(ENOMEM));
	}
	return 0;
}

/* Which PMU's fields can be set for the event; 0 if none. NULL: the architecture's. */
static int fields_of(const struct select_env *place, const struct engine_request *ask,
		     const struct kernel_event *ev, const char **pmu, char *buf,
		     size_t size)
{
	*pmu = place->ncores ? place->core[0].name : NULL;
	if (kernel_sysfs_is(ask->name)) {
		kernel_sysfs_pmu(ask->name, buf, size);
		*pmu = buf;
		return 1;
	}
	for (unsigned c = 0; c < place->ncores; c++)
		if (ev->type == place->core[c].type) {
			*pmu = place->core[c].name;
			return 1;
		}
	return ev->type == PERF_TYPE_RAW;
}

static int set_attrs(const struct select_env *place, const struct engine_request *ask,
		     struct kernel_event *ev, struct why *why)
{
	char buf[64];
	const char *pmu;

	if (!ask->nattrs)
		return 0;
	if (!fields_of(place, ask, ev, &pmu, buf, sizeof(buf)))
		return why_refuse(why, EINVAL,
				  "%s: attribute '%s' means nothing for it: it is not "
				  "programmed by the fields of a PMU",
				  ask->name, ask->attrs[0].ca_name);
	for (unsigned i = 0; i < ask->nattrs; i++)
		if (kernel_sysfs_set(place->root, pmu, ask->attrs[i].ca_name,
				     ask->attrs[i].ca_val, ev, why))
			return -1;
	return 0;
}

/*
 * libpfm4 knows the processor's model, but not what this one has of it: an event that it
 * lacks would open and stay 0. term: what ev is in libpfm4's words.
 */
static int check_listed(const struct select_env *place, const char *name,
			const char *term, const struct kernel_event *ev, struct why *why)
{
	if (!kernel_listed_lacks(place->root, place->core, place->ncores, ev))
		return 0;
	return why_refuse(why, ENOENT,
			  "%s: this processor lacks %s: its PMU (%s) does not list event "
			  "0x%llx, and would count nothing; choose another",
			  name, term, place->core[0].name,
			  (unsigned long long)ev->config[0]);
}

static int encode_named(const struct select_env *place, const struct engine_request *ask,
			struct kernel_event *ev, struct why *why)
{
	if (kernel_pfm_encode(ask->name, ask->flags, ev, why) == 0 && !ev->foreign)
		return check_listed(place, ask->name, "it", ev, why);
	if (ev->foreign)
		why_refuse(why, ENOENT, "%s: not an event of this machine", ask->name);
	if (errno == ENOENT)
		kernel_pfm_foreign(ask->name, why);
	return -1;
}

/* By a number. What does not fit into the fields of the PMU, the kernel would cut off. */
static int encode_number(const struct select_env *place, const char *name,
			 uint64_t number, struct kernel_event *ev, struct why *why)
{
	const char *pmu = place->ncores ? place->core[0].name : NULL;

	*ev = (struct kernel_event){.type = PERF_TYPE_RAW, .config = {number}};
	if (!pmu || !(number & ~kernel_sysfs_bits(place->root, pmu)))
		return 0;
	return why_refuse(why, EINVAL, "%s: the fields of PMU %s do not hold this number",
			  name, pmu);
}

/* One of the engine's own names. */
static int encode_own(const struct select_env *place, const struct engine_request *ask,
		      struct kernel_event *ev, char *unit, size_t size, struct why *why)
{
	uint64_t v;

	if (kernel_breakpoint_is(ask->name)) {
		if (kernel_breakpoint_parse(ask->name, ev, why))
			return -1;
	} else if (kernel_sysfs_is(ask->name)) {
		if (kernel_sysfs_encode(place->root, ask->name, ev, unit, size, why))
			return -1;
	} else if (is_number(ask->name, &v)) {
		if (encode_number(place, ask->name, v, ev, why))
			return -1;
	} else if (kernel_own_find(ask->name, &v)) {
		*ev = (struct kernel_event){.type = PERF_TYPE_SOFTWARE, .config = {v}};
	} else if (is_tracepoint(place->root, ask->name)) {
		if (kernel_tracepoint_encode(place->root, ask->name, ev, why))
			return -1;
	} else {
		return encode_named(place, ask, ev, why);
	}
	set_modes(ev, ask->flags);
	return 0;
}

static int select_own(const struct select_env *place, const struct engine_request *ask,
		      struct evsel *s, struct why *why)
{
	char unit[160] = "", how[192] = "";
	struct why later;

	s->n = 1;
	if (encode_own(place, ask, &s->ev[0], unit, sizeof(unit), why) ||
	    set_attrs(place, ask, &s->ev[0], why))
		return -1;
	if (happens_in_kernel(&s->ev[0]))
		open_modes(s, ask->flags);
	spread_cores(place, s);
	/* A refusal is not this function's affair: probe and bind will meet it again. */
	if (!takes_modes(&s->ev[0]))
		settle_modes(place, s, &later);
	if (*unit)
		snprintf(how, sizeof(how), "in units of %s", unit);
	return describe(s, how, why);
}

/*
 * Try one candidate. -1 with errno; *opened tells whether it was the kernel or the PMU
 * that refused.
 */
static int try_candidate(const struct select_env *place, const struct engine_request *ask,
			 const struct kernel_candidate *c, struct evsel *s, int *opened,
			 struct why *why)
{
	*opened = 0;
	s->factor = c->factor;
	s->class = c->approximate ? CPC_APPROXIMATE : CPC_EXACT;
	for (s->n = 0; s->n < c->n; s->n++)
		if (kernel_pfm_encode(c->term[s->n], ask->flags, &s->ev[s->n], why) ||
		    s->ev[s->n].foreign)
			return -1;
	*opened = 1;
	for (unsigned i = 0; i < c->n; i++)
		if (check_listed(place, ask->name, c->term[i], &s->ev[i], why))
			return -1;
	if (ask->row->mode == MODE_KERNEL)
		open_modes(s, ask->flags);
	spread_cores(place, s);
	s->together = 0;
	return settle_modes(place, s, why);
}

/* These say that the machine cannot, not that the caller may not. */
static int may_try_next(int err)
{
	return err == ENOENT || err == EINVAL || err == EOPNOTSUPP || err == ENODEV;
}

/* With what the table says of how today's machines differ. */
static int describe_mapped(struct evsel *s, const struct event *row,
			   const char *candidate, struct why *why)
{
	const struct evcol *note = evtab_col(row, "hostnote");
	char how[2 * KERNEL_MAP_LEN];

	if (note)
		snprintf(how, sizeof(how), "as %s (%s)", candidate, note->text);
	else
		snprintf(how, sizeof(how), "as %s", candidate);
	return describe(s, how, why);
}

/*
 * The first candidate that encodes and opens; else the reason why the first that
 * encodes did not.
 */
static int select_mapped(const struct select_env *place, const struct engine_request *ask,
			 struct evsel *s, struct why *why)
{
	const char *list = ask->row->host;
	struct kernel_candidate c;
	int rc, opened, refused = 0;

	while ((rc = kernel_candidates_next(list, &list, &c)) > 0) {
		struct why this;
		if (try_candidate(place, ask, &c, s, &opened, &this) == 0) {
			return describe_mapped(s, ask->row, c.text, why);
		}
		const int err = errno;
		if (opened && !refused) {
			refused = err;
			*why = this;
		}
		if (opened && !may_try_next(err)) {
			*why = this;
			errno = err;
			return -1;
		}
	}
	if (rc < 0)
		return why_refuse(why, EINVAL, "%s: bad list of candidates: %s",
				  ask->name, list);
	if (!refused)
		return why_refuse(why, ENOENT,
				  "%s: no event of this processor counts it (tried %s)",
				  ask->name, ask->row->host);
	errno = refused;
	return -1;
}

static int select_row(const struct select_env *place, const struct engine_request *ask,
		      struct evsel *s, struct why *why)
{
	const struct evcol *sw = evtab_col(ask->row, "sw");

	if (ask->nattrs && sw)
		return why_refuse(why, EINVAL,
				  "%s: attribute '%s' means nothing for a software event",
				  ask->name, ask->attrs[0].ca_name);
	if (ask->nattrs && ask->tab && evtab_attr(ask->tab, ask->attrs[0].ca_name))
		return why_attributes(ask, why);
	if (ask->nattrs)
		return why_refuse(why, EINVAL,
				  "%s: attribute '%s' means nothing for what this "
				  "machine counts it by",
				  ask->name, ask->attrs[0].ca_name);
	if (sw) {
		s->n = 1;
		s->ev[0] = (struct kernel_event){.type = PERF_TYPE_SOFTWARE,
						 .config = {sw->num}};
		set_modes(&s->ev[0], ask->flags);
		if (ask->row->mode == MODE_KERNEL)
			open_modes(s, ask->flags);
		return 0;
	}
	if (!ask->row->host || strcmp(ask->row->host, "-") == 0)
		return why_refuse(why, ENOENT,
				  "%s: no processor of today counts it%s%s%s", ask->name,
				  ask->row->title ? " (" : "",
				  ask->row->title ? ask->row->title : "",
				  ask->row->title ? ")" : "");
	return select_mapped(place, ask, s, why);
}

struct evsel *kernel_select(const struct select_env *place,
			    const struct engine_request *ask, struct why *why)
{
	struct evsel *s = calloc(1, sizeof(*s));

	if (s)
		s->name = strdup(ask->name);
	if (!s || !s->name) {
		why_refuse(why, ENOMEM, "%s: %s", ask->name, strerror(ENOMEM));
		kernel_select_free(s);
		errno = ENOMEM;
		return NULL;
	}
	s->factor = 1;
	s->class = CPC_EXACT;
	const int rc = ask->row ? select_row(place, ask, s, why)
				: select_own(place, ask, s, why);
	if (rc) {
		const int err = errno;
		kernel_select_free(s);
		errno = err;
		return NULL;
	}
	return s;
}

void kernel_select_free(struct evsel *s)
{
	if (!s)
		return;
	free(s->name);
	free(s->note);
	free(s);
}
