#include "engine/kernel/own.h"

#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "engine/breakpoint.h"
#include "engine/kernel/breakpoint.h"
#include "engine/kernel/listed.h"
#include "engine/kernel/modes.h"
#include "engine/kernel/pfm.h"
#include "engine/kernel/sysfs.h"
#include "engine/kernel/tracepoint.h"
#include "engine/why.h"
#include "table/table.h"

/* The software events of the kernel, as perf-list(1) names them. */
static const struct {
	const char *name;
	uint64_t config;
} software[] = {
	{"alignment-faults", PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"cgroup-switches", PERF_COUNT_SW_CGROUP_SWITCHES},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-clock", PERF_COUNT_SW_CPU_CLOCK},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"cs", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"emulation-faults", PERF_COUNT_SW_EMULATION_FAULTS},
	{"faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"major-faults", PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
	{"minor-faults", PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK},
};

/* Ignores case. Returns 1 with the number of the event, 0 if name is no such event. */
static int find_software(const char *name, uint64_t *config)
{
	for (size_t i = 0; i < sizeof(software) / sizeof(software[0]); i++)
		if (strcasecmp(name, software[i].name) == 0) {
			*config = software[i].config;
			return 1;
		}
	return 0;
}

/* A whole number (strtoull(3), base 0) stands for the event with that raw number. */
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
 * Names of tracepoints look like names of libpfm4, whose events of this machine come
 * first. Events of tables and of other processors come next, unless tracefs has the
 * tracepoint's group.
 */
static int is_tracepoint(const char *root, const char *name)
{
	const enum trace_found seen = kernel_tracepoint_find(root, name);

	return seen != TRACE_NONE && !kernel_pfm_knows(name) &&
	       (seen == TRACE_GROUP ||
		(!is_in_table(name) && !kernel_pfm_foreign(name, NULL)));
}

int kernel_own_knows(const char *root, const char *name)
{
	uint64_t v;

	/* Encoding refuses events of other processors with a better message. */
	return breakpoint_is(name) || kernel_sysfs_is(name) || is_number(name, &v) ||
	       find_software(name, &v) || kernel_pfm_knows(name) ||
	       (!is_in_table(name) && kernel_pfm_foreign(name, NULL)) ||
	       is_tracepoint(root, name);
}

/*
 * libpfm4 knows the events of the processor's model, but a processor may implement fewer:
 * an event that it does not implement would open and stay 0.
 */
int kernel_own_check_listed(const struct select_env *env, const char *name,
			    const char *term, const struct kernel_event *ev,
			    struct why *why)
{
	if (!kernel_listed_lacks(env->root, env->core, env->ncores, ev))
		return 0;
	return why_refuse(why, ENOENT,
			  "%s: this processor lacks %s: its PMU (%s) does not list event "
			  "0x%llx, which would count nothing; choose another event",
			  name, term, env->core[0].name,
			  (unsigned long long)ev->config[0]);
}

static int encode_named(const struct select_env *env, const struct engine_request *req,
			struct kernel_event *ev, struct why *why)
{
	if (kernel_pfm_encode(req->name, req->flags, ev, why) == 0 && !ev->foreign)
		return kernel_own_check_listed(env, req->name, "this event", ev, why);
	if (ev->foreign)
		why_refuse(why, ENOENT, "%s: not an event of this machine", req->name);
	if (errno == ENOENT)
		kernel_pfm_foreign(req->name, why);
	return -1;
}

/* The kernel would cut off bits that do not fit in the fields of the PMU. */
static int encode_number(const struct select_env *env, const char *name, uint64_t number,
			 struct kernel_event *ev, struct why *why)
{
	const char *pmu = env->ncores ? env->core[0].name : NULL;

	*ev = (struct kernel_event){.type = PERF_TYPE_RAW, .config = {number}};
	if (!pmu || !(number & ~kernel_sysfs_bits(env->root, pmu)))
		return 0;
	return why_refuse(why, EINVAL, "%s: the fields of PMU %s do not hold this number",
			  name, pmu);
}

/*
 * Find the PMU whose fields attributes set in ev; NULL: x86's architectural fields.
 * Returns 0 if attributes cannot set fields of ev.
 */
static int find_pmu(const struct select_env *env, const struct engine_request *req,
		    const struct kernel_event *ev, const char **pmu, char *buf,
		    size_t size)
{
	*pmu = env->ncores ? env->core[0].name : NULL;
	if (kernel_sysfs_is(req->name)) {
		kernel_sysfs_pmu(req->name, buf, size);
		*pmu = buf;
		return 1;
	}
	for (unsigned c = 0; c < env->ncores; c++)
		if (ev->type == env->core[c].type) {
			*pmu = env->core[c].name;
			return 1;
		}
	return ev->type == PERF_TYPE_RAW;
}

static int set_attrs(const struct select_env *env, const struct engine_request *req,
		     struct kernel_event *ev, struct why *why)
{
	char buf[64];
	const char *pmu;

	if (!req->nattrs)
		return 0;
	if (!find_pmu(env, req, ev, &pmu, buf, sizeof(buf)))
		return why_refuse(why, EINVAL,
				  "%s: attribute '%s' cannot be set: this event is not "
				  "programmed by the fields of a PMU",
				  req->name, req->attrs[0].ca_name);
	for (unsigned i = 0; i < req->nattrs; i++)
		if (kernel_sysfs_set(env->root, pmu, req->attrs[i].ca_name,
				     req->attrs[i].ca_val, ev, why))
			return -1;
	return 0;
}

static int encode(const struct select_env *env, const struct engine_request *req,
		  struct kernel_event *ev, char *unit, size_t size, struct why *why)
{
	uint64_t v;

	if (breakpoint_is(req->name)) {
		if (kernel_breakpoint_parse(req->name, ev, why))
			return -1;
	} else if (kernel_sysfs_is(req->name)) {
		if (kernel_sysfs_encode(env->root, req->name, ev, unit, size, why))
			return -1;
	} else if (is_number(req->name, &v)) {
		if (encode_number(env, req->name, v, ev, why))
			return -1;
	} else if (find_software(req->name, &v)) {
		*ev = (struct kernel_event){.type = PERF_TYPE_SOFTWARE, .config = {v}};
	} else if (is_tracepoint(env->root, req->name)) {
		if (kernel_tracepoint_encode(env->root, req->name, ev, why))
			return -1;
	} else {
		return encode_named(env, req, ev, why);
	}
	kernel_modes_set(ev, req->flags);
	return 0;
}

int kernel_own_encode(const struct select_env *env, const struct engine_request *req,
		      struct kernel_event *ev, char *unit, size_t size, struct why *why)
{
	if (encode(env, req, ev, unit, size, why))
		return -1;
	return set_attrs(env, req, ev, why);
}
