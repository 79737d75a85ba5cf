#include "engine/kernel/pfm.h"

#include <errno.h>
#include <perfmon/pfmlib_perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/why.h"

enum { NO_CPU = -1 };

/* A name as libpfm4 encodes it. */
struct encoded {
	struct perf_event_attr attr;
	int cpu; /* of the modifier cpu=, or NO_CPU */
	int id;	 /* libpfm4's index of the event */
};

/*
 * Returns libpfm4's error code. Unless full is NULL, *full gets the event's full name,
 * which the caller frees.
 */
static int encode_full(const char *name, int plm, struct encoded *e, char **full)
{
	pfm_perf_encode_arg_t arg = {.attr = &e->attr, .size = sizeof(arg), .fstr = full};

	memset(e, 0, sizeof(*e));
	/* libpfm4 would find the line break an invalid parameter. */
	if (strchr(name, '\n'))
		return PFM_ERR_NOTFOUND;
	const int init = pfm_initialize();
	if (init != PFM_SUCCESS)
		return init;
	const int rc = pfm_get_os_event_encoding(name, plm, PFM_OS_PERF_EVENT_EXT, &arg);
	e->cpu = arg.cpu;
	e->id = arg.idx;
	return rc;
}

/* Does this machine have the event's PMU? LIBPFM_ENCODE_INACTIVE admits other PMUs. */
static int is_here(const struct encoded *e)
{
	pfm_event_info_t ev = {.size = sizeof(ev)};
	pfm_pmu_info_t pmu = {.size = sizeof(pmu)};

	return pfm_get_event_info(e->id, PFM_OS_PERF_EVENT_EXT, &ev) != PFM_SUCCESS ||
	       pfm_get_pmu_info(ev.pmu, &pmu) != PFM_SUCCESS || pmu.is_present;
}

static int encode(const char *name, int plm, struct encoded *e)
{
	return encode_full(name, plm, e, NULL);
}

static int is_missing(int rc)
{
	return rc == PFM_ERR_NOTFOUND || rc == PFM_ERR_NOTSUPP || rc == PFM_ERR_NOINIT;
}

int kernel_pfm_knows(const char *name)
{
	struct encoded e;

	return !is_missing(encode(name, PFM_PLM3, &e));
}

/* Returns why a modifier of the event is not supported, or NULL if all are. */
static const char *unsupported(const struct encoded *e)
{
	if (e->attr.sample_period)
		return "modifiers period and freq are for sampling, not for "
		       "counting; leave them out";
	if (e->attr.pinned || e->attr.exclusive)
		return "modifiers pinned and excl are not supported; leave them out";
	if (e->cpu != NO_CPU)
		return "modifier cpu is not supported: LWPs are counted on every "
		       "CPU; leave it out";
	return NULL;
}

/*
 * Call fn for each PMU that libpfm4 knows until fn returns nonzero. Returns whether it
 * did. The field is_present marks the PMUs of this machine.
 */
static int each_pmu(void *arg, int (*fn)(void *arg, const pfm_pmu_info_t *pmu))
{
	if (pfm_initialize() != PFM_SUCCESS)
		return 0;
	for (int i = PFM_PMU_NONE; i < PFM_PMU_MAX; i++) {
		pfm_pmu_info_t pmu = {.size = sizeof(pmu)};

		if (pfm_get_pmu_info((pfm_pmu_t)i, &pmu) == PFM_SUCCESS && fn(arg, &pmu))
			return 1;
	}
	return 0;
}

struct title {
	char *buf;
	size_t size;
};

static int title_of_core(void *arg, const pfm_pmu_info_t *pmu)
{
	const struct title *t = arg;

	if (!pmu->is_present || pmu->type != PFM_PMU_TYPE_CORE)
		return 0;
	snprintf(t->buf, t->size, "%s (%s)", pmu->desc, pmu->name);
	return 1;
}

/* A name [PMU::]EVENT[:...] that is looked for among the PMUs of other processors. */
struct foreign {
	const char *pmu, *event;
	size_t npmu, nevent;
	char found[64]; /* the PMU that has the event */
};

static int is_word(const char *word, const char *text, size_t len)
{
	return strlen(word) == len && strncasecmp(word, text, len) == 0;
}

static int has_event(void *arg, const pfm_pmu_info_t *pmu)
{
	struct foreign *f = arg;

	if (pmu->is_present || pmu->type != PFM_PMU_TYPE_CORE ||
	    (f->pmu && !is_word(pmu->name, f->pmu, f->npmu)))
		return 0;
	for (int id = pmu->first_event; id >= 0; id = pfm_get_event_next(id)) {
		pfm_event_info_t ev = {.size = sizeof(ev)};

		if (pfm_get_event_info(id, PFM_OS_PERF_EVENT_EXT, &ev) == PFM_SUCCESS &&
		    is_word(ev.name, f->event, f->nevent)) {
			snprintf(f->found, sizeof(f->found), "%s", pmu->name);
			return 1;
		}
	}
	return 0;
}

static int find_foreign(const char *name, struct foreign *f)
{
	const char *sep = strstr(name, "::");

	*f = (struct foreign){.event = name};
	if (sep) {
		f->pmu = name;
		f->npmu = (size_t)(sep - name);
		f->event = sep + 2;
	}
	f->nevent = strcspn(f->event, ":");
	return f->nevent && each_pmu(f, has_event);
}

int kernel_pfm_foreign(const char *name, struct why *why)
{
	struct foreign f;
	char pmu[160];

	if (!find_foreign(name, &f))
		return 0;
	kernel_pfm_pmu(pmu, sizeof(pmu));
	if (!*pmu)
		why_refuse(why, ENOENT,
			   "%s: libpfm4 knows this event of other processors (%s), but "
			   "does not know this processor; count instructions, cycles, an "
			   "event number, or a name of the form pmu/event/",
			   name, f.found);
	else if (f.pmu)
		why_refuse(why, ENOENT,
			   "%s: this event is of %s, but this processor is %s", name,
			   f.found, pmu);
	return f.pmu || !*pmu;
}

/* Refuse a name for an error code of libpfm4. */
static int refuse(const char *name, int rc, struct why *why)
{
	if (is_missing(rc))
		return why_refuse(why, ENOENT, "%s: not an event of this machine", name);
	if (rc == PFM_ERR_NOMEM)
		return why_refuse(why, ENOMEM, "%s: %s", name, pfm_strerror(rc));
	return why_refuse(why, EINVAL, "%s: %s (libpfm4)", name, pfm_strerror(rc));
}

/* The modes CPC_COUNT_* as privilege levels of libpfm4. */
static int levels(unsigned flags)
{
	return (flags & CPC_COUNT_USER ? PFM_PLM3 : 0) |
	       (flags & CPC_COUNT_SYSTEM ? PFM_PLM0 : 0);
}

int kernel_pfm_encode(const char *name, unsigned flags, struct kernel_event *ev,
		      struct why *why)
{
	struct encoded e;

	const int rc = encode(name, levels(flags), &e);
	if (rc != PFM_SUCCESS)
		return refuse(name, rc, why);
	const char *text = unsupported(&e);
	if (text)
		return why_refuse(why, EINVAL, "%s: %s", name, text);
	*ev = (struct kernel_event){
		.type = e.attr.type,
		.bp_type = e.attr.bp_type,
		.config = {e.attr.config, e.attr.config1, e.attr.config2},
		.exclude_user = e.attr.exclude_user,
		.exclude_kernel = e.attr.exclude_kernel,
		.exclude_hv = e.attr.exclude_kernel, /* a hypervisor is system mode */
		.exclude_host = e.attr.exclude_host,
		.exclude_guest = e.attr.exclude_guest,
		.precise = e.attr.precise_ip,
		.foreign = !is_here(&e),
	};
	return 0;
}

char *kernel_pfm_full(const char *name, unsigned flags)
{
	char *full = NULL;
	struct encoded e;

	if (encode_full(name, levels(flags), &e, &full) == PFM_SUCCESS)
		return full;
	free(full);
	return NULL;
}

/* The caller's function for each event of a list, and its argument. */
struct walk {
	void *arg;
	void (*fn)(void *arg, const char *name, const char *title);
};

/* Report a name that can be encoded; software events are in a table of their own. */
static void report(const struct walk *w, const char *name, const char *title)
{
	struct encoded e;

	if (encode(name, PFM_PLM3, &e) == PFM_SUCCESS &&
	    e.attr.type != PERF_TYPE_SOFTWARE)
		w->fn(w->arg, name, title);
}

static void walk_umasks(const struct walk *w, int id, const pfm_event_info_t *ev)
{
	for (int i = 0; i < ev->nattrs; i++) {
		pfm_event_attr_info_t info = {.size = sizeof(info)};
		char name[512];

		if (pfm_get_event_attr_info(id, i, PFM_OS_PERF_EVENT_EXT, &info) ||
		    info.type != PFM_ATTR_UMASK)
			continue;
		if (snprintf(name, sizeof(name), "%s:%s", ev->name, info.name) <
		    (int)sizeof(name))
			report(w, name, info.desc);
	}
}

static void walk_pmu(const struct walk *w, const pfm_pmu_info_t *pmu)
{
	for (int id = pmu->first_event; id >= 0; id = pfm_get_event_next(id)) {
		pfm_event_info_t ev = {.size = sizeof(ev)};

		if (pfm_get_event_info(id, PFM_OS_PERF_EVENT_EXT, &ev))
			continue;
		report(w, ev.name, ev.desc);
		walk_umasks(w, id, &ev);
	}
}

static int walk_if_present(void *arg, const pfm_pmu_info_t *pmu)
{
	if (pmu->is_present)
		walk_pmu(arg, pmu);
	return 0;
}

void kernel_pfm_walk(void *arg,
		     void (*fn)(void *arg, const char *name, const char *title))
{
	struct walk w = {arg, fn};

	each_pmu(&w, walk_if_present);
}

void kernel_pfm_pmu(char *buf, size_t size)
{
	struct title t = {buf, size};

	*buf = '\0';
	each_pmu(&t, title_of_core);
}
