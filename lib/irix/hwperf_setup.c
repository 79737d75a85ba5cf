#include "irix/hwperf_setup.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpc/cpc.h"
#include "cpc/value.h"
#include "irix/event.h"

/* Headers before Linux 5.8 lack it. */
#ifndef CAP_PERFMON
#define CAP_PERFMON 38
#endif

enum { MAX_SIGNAL = 64, ALL_MODES = 15 };

/* hwperf_spec is event << 5 | interrupt << 4 | modes (r10k_evcntrs(5)). */
static unsigned spec_of(const hwperf_profevctrarg_t *arg, unsigned i)
{
	return (uint16_t)arg->hwp_evctrargs.hwp_evctrl[i].hwperf_spec;
}

static unsigned modes_of(const hwperf_profevctrarg_t *arg, unsigned i)
{
	return spec_of(arg, i) & ALL_MODES;
}

static unsigned event_of(const hwperf_profevctrarg_t *arg, unsigned i)
{
	return spec_of(arg, i) >> 5;
}

static const struct {
	const char *name, *cpu;
} rules[] = {
	[HWPERF_R10000] = {"r10000", "r10000"},
	[HWPERF_R12000] = {"r12000", "r12000"},
	[HWPERF_R12000_FREE] = {"r12000-free", "r12000"},
};

enum hwperf_rule hwperf_rule_default(void)
{
	const char *name = getenv("CPC_HWPERF_RULE");

	for (unsigned i = 0; name && i < sizeof rules / sizeof rules[0]; i++)
		if (strcmp(name, rules[i].name) == 0)
			return (enum hwperf_rule)i;
	return HWPERF_R10000;
}

int hwperf_arg_is_system(const hwperf_profevctrarg_t *arg)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (modes_of(arg, i) & HWPERF_CNTEN_K)
			return 1;
	return 0;
}

int hwperf_arg_has_threshold(const hwperf_profevctrarg_t *arg)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (spec_of(arg, i) && arg->hwp_ovflw_freq[i] > 0)
			return 1;
	return 0;
}

int hwperf_is_privileged(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {{0}};

	if (geteuid() == 0)
		return 1;
	if (syscall(SYS_capget, &header, data) == -1)
		return 0;
	const uint64_t caps = (uint64_t)data[1].effective << 32 | data[0].effective;
	return (caps >> CAP_PERFMON | caps >> CAP_SYS_ADMIN) & 1;
}

/* Returns the event that the control register of an index selects, or -1. */
static int selected(const hwperf_profevctrarg_t *arg, unsigned i, enum hwperf_rule rule)
{
	const unsigned ev = event_of(arg, i);

	if (rule == HWPERF_R12000_FREE)
		return ev < HWPERF_EVENTMAX ? (int)ev : -1;
	return ev == i % HWPERF_CNTEVENTMAX ? (int)i : -1;
}

static const char *given_name(const struct hwperf_names *names, unsigned i)
{
	return names ? names->name[i] : NULL;
}

static int check_event(const hwperf_profevctrarg_t *arg, unsigned i,
		       enum hwperf_rule rule, const struct hwperf_names *names)
{
	const unsigned modes = modes_of(arg, i);

	if (!(modes & (HWPERF_CNTEN_U | HWPERF_CNTEN_K)) || modes & HWPERF_CNTEN_S)
		return -1;
	return given_name(names, i) || selected(arg, i, rule) >= 0 ? 0 : -1;
}

int hwperf_arg_check(const hwperf_profevctrarg_t *arg, enum hwperf_rule rule,
		     const struct hwperf_names *names)
{
	unsigned n = 0, bad = 0, modes = 0;

	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++) {
		modes |= modes_of(arg, i);
		bad |= arg->hwp_ovflw_freq[i] < 0;
		if (!spec_of(arg, i))
			continue;
		n++;
		bad |= check_event(arg, i, rule, names) == -1;
	}
	if (modes & (HWPERF_CNTEN_K | HWPERF_CNTEN_S) && !hwperf_is_privileged()) {
		errno = EPERM;
		return -1;
	}
	if (n && !bad && arg->hwp_ovflw_sig >= 0 && arg->hwp_ovflw_sig <= MAX_SIGNAL)
		return 0;
	errno = EINVAL;
	return -1;
}

/* The errno says enough: nothing is printed. */
static void no_message(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn;
	(void)subcode;
	(void)fmt;
	(void)ap;
}

static int add_event(struct hwperf_setup *s, struct hwperf_pair *pair, unsigned i,
		     const char *name)
{
	const unsigned modes = modes_of(&s->arg, i);
	const uint_t flags = (modes & HWPERF_CNTEN_U ? CPC_COUNT_USER : 0) |
			     (modes & HWPERF_CNTEN_K ? CPC_COUNT_SYSTEM : 0);

	if (!pair->set)
		pair->set = cpc_set_create(s->cpc);
	if (!pair->set ||
	    cpc_set_add_request(s->cpc, pair->set, name, 0, flags, 0, NULL) == -1)
		return -1;
	pair->index[pair->n++] = i;
	return 0;
}

/* The events of a counter, from index first on, go to the pairs in their order. */
static int add_counter(struct hwperf_setup *s, unsigned first, enum hwperf_rule rule,
		       const struct hwperf_names *names)
{
	unsigned n = 0;

	for (unsigned i = first; i < first + HWPERF_CNTEVENTMAX; i++) {
		const char *cpu = rules[rule].cpu;
		char name[64];

		if (!spec_of(&s->arg, i))
			continue;
		if (!given_name(names, i))
			snprintf(name, sizeof name, "%s::%s", cpu,
				 irix_event_name(cpu, selected(&s->arg, i, rule)));
		if (add_event(s, &s->pair[n++], i,
			      given_name(names, i) ? given_name(names, i) : name) == -1)
			return -1;
	}
	if (n > s->n)
		s->n = n;
	return 0;
}

struct hwperf_setup *hwperf_setup_open(const hwperf_profevctrarg_t *arg,
				       enum hwperf_rule rule,
				       const struct hwperf_names *names)
{
	if (hwperf_arg_check(arg, rule, names) == -1)
		return NULL;
	struct hwperf_setup *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->refs = 1;
	s->arg = *arg;
	s->cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, NULL);
	if (s->cpc && cpc_seterrhndlr(s->cpc, no_message) == 0 &&
	    add_counter(s, 0, rule, names) == 0 &&
	    add_counter(s, HWPERF_CNT1BASE, rule, names) == 0)
		return s;
	hwperf_setup_drop(s);
	return NULL;
}

/* Returns the name of the event of an index, or "". */
static const char *event_name(const struct hwperf_setup *s, unsigned index)
{
	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = 0; k < s->pair[i].n; k++)
			if (s->pair[i].index[k] == index)
				return s->pair[i].set->reqs->req[k].name;
	return "";
}

int hwperf_setup_agree(const struct hwperf_setup *a, const struct hwperf_setup *b,
		       unsigned index)
{
	return spec_of(&a->arg, index) == spec_of(&b->arg, index) &&
	       strcmp(event_name(a, index), event_name(b, index)) == 0;
}

struct hwperf_setup *hwperf_setup_keep(struct hwperf_setup *s)
{
	if (s)
		s->refs++;
	return s;
}

void hwperf_setup_drop(struct hwperf_setup *s)
{
	const int e = errno;

	if (s && --s->refs == 0) {
		if (s->cpc)
			cpc_close(s->cpc);
		free(s);
	}
	errno = e;
}

void hwperf_values_counters(const hwperf_values_t *values, hwperf_cntr_t *counters)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		counters->hwp_evctr[i] = values->hwp_value[i].hwv_value;
}

void hwperf_values_subtract(hwperf_values_t *from, const hwperf_values_t *values)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++) {
		hwperf_value_t *to = &from->hwp_value[i];
		const hwperf_value_t *v = &values->hwp_value[i];

		to->hwv_value -= v->hwv_value;
		to->hwv_count -= v->hwv_count;
		to->hwv_enabled -= v->hwv_enabled;
		to->hwv_running -= v->hwv_running;
	}
}

static void add_value(hwperf_value_t *to, const hwperf_value_t *from)
{
	to->hwv_value += from->hwv_value;
	to->hwv_count += from->hwv_count;
	to->hwv_enabled += from->hwv_enabled;
	to->hwv_running += from->hwv_running;
	if (to->hwv_class < from->hwv_class)
		to->hwv_class = from->hwv_class;
}

void hwperf_pair_add(const struct hwperf_pair *pair, const struct count *count,
		     hwperf_values_t *values)
{
	const struct requests *r = pair->set->reqs;

	for (unsigned k = 0; k < pair->n; k++) {
		const cpc_value_t value =
			value_of(&count[k], r->ops->class(r->req[k].sel), 0);
		const hwperf_value_t v = {.hwv_value = value.value,
					  .hwv_count = value.count,
					  .hwv_enabled = value.enabled,
					  .hwv_running = value.running,
					  .hwv_class = (int)value.quality};
		add_value(&values->hwp_value[pair->index[k]], &v);
	}
}

void hwperf_values_add(hwperf_values_t *to, const hwperf_values_t *from)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		add_value(&to->hwp_value[i], &from->hwp_value[i]);
}
