/*
 * System mode (r10k_evcntrs(5), Operation Modes). IRIX has one global control block; here
 * it is the process's that has acquired the counters, since nothing else lives as long.
 */
#include "irix/hwperf_system.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "base/lock.h"
#include "irix/hwperf_children.h"
#include "irix/hwperf_cpu.h"
#include "irix/hwperf_end.h"
#include "irix/hwperf_process.h"
#include "irix/hwperf_setup.h"
#include "irix/hwperf_share.h"
#include "irix/hwperf_table.h"

/* lock_hold() protects this state. */
static struct {
	pid_t owner; /* the process that has acquired the counters; 0: no process has */
	struct hwperf_setup *setup; /* NULL: not in use */
	int generation;
	uint32_t events; /* of the last set-up; bit n: event n is counted */
	unsigned ncpus;
	struct hwperf_cpu *cpu; /* ncpus, also after the release */
	int has_rule;
	enum hwperf_rule rule;
	struct hwperf_names names;
	uint32_t renamed; /* bit n: index n is of another event than in the set-up */
} state;

static int refuse(int err)
{
	errno = err;
	return -1;
}

static enum hwperf_rule rule_in_use(void)
{
	return state.has_rule ? state.rule : hwperf_rule_default();
}

static void close_all(void)
{
	for (unsigned i = 0; i < state.ncpus; i++)
		hwperf_cpu_close(&state.cpu[i], state.setup);
}

static void release_all(void)
{
	for (unsigned i = 0; i < state.ncpus; i++)
		hwperf_cpu_release(&state.cpu[i]);
}

/* Stop using the counters. Their counts stay. */
static void end_use(void)
{
	const int e = errno;

	if (state.setup)
		close_all();
	release_all();
	hwperf_setup_drop(state.setup);
	state.setup = NULL;
	errno = e;
}

/* A child of fork(2) does not use the counters of its parent, which go on. */
static void forget_parent(void)
{
	if (!state.owner || state.owner == getpid())
		return;
	end_use();
	free(state.cpu);
	state.cpu = NULL;
	state.ncpus = 0;
	state.owner = 0;
	state.generation = 0;
}

/* Takes the lock at the beginning of a command. Returns 0, or -1 with ENOMEM. */
static int enter(void)
{
	const int err = lock_prepare() ? ENOMEM : hwperf_children_prepare();

	if (err)
		return refuse(err);
	lock_hold();
	forget_parent();
	return 0;
}

/* Releases the lock at the end of a command. Returns rc, the result of the command. */
static int leave(int rc)
{
	lock_release();
	return rc;
}

/* A threshold with a signal is refused: no process could get the signals of a CPU. */
static int check(const hwperf_profevctrarg_t *arg)
{
	if (!hwperf_is_privileged())
		return refuse(EPERM);
	if (hwperf_arg_check(arg, rule_in_use(), &state.names) == -1)
		return -1;
	if (!hwperf_arg_is_system(arg))
		return refuse(EINVAL);
	return arg->hwp_ovflw_sig && hwperf_arg_has_threshold(arg) ? refuse(ENOTSUP) : 0;
}

static uint32_t events_of(const hwperf_profevctrarg_t *arg)
{
	uint32_t events = 0;

	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (arg->hwp_evctrargs.hwp_evctrl[i].hwperf_spec)
			events |= UINT32_C(1) << i;
	return events;
}

static int list_online(struct cpulist *l)
{
	if (cpulist_read(l, "", "online") == 0 && l->n > 0)
		return 0;
	cpulist_free(l);
	return cpulist_allowed(l);
}

/* Return the online CPUs, *n of them, without counts; or NULL with errno. */
static struct hwperf_cpu *make_cpus(unsigned *n)
{
	struct cpulist l = {0};

	*n = 0;
	if (list_online(&l) == -1)
		return NULL;
	struct hwperf_cpu *cpu = calloc(l.n + 1, sizeof *cpu);
	for (unsigned i = 0; cpu && i < l.n; i++)
		hwperf_cpu_init(&cpu[i], l.cpu[i]);
	if (cpu)
		*n = l.n;
	cpulist_free(&l);
	return cpu;
}

/*
 * Open the counters of all CPUs. A CPU without these events is left out, and one that
 * went offline is opened when it is back.
 */
static int open_all(const struct hwperf_setup *s)
{
	unsigned found = 0;

	for (unsigned i = 0; i < state.ncpus; i++) {
		if (hwperf_cpu_open(&state.cpu[i], s) == 0)
			found++;
		else if (errno != ENOENT && errno != ENODEV)
			return -1;
	}
	return found ? 0 : refuse(ENOENT);
}

static void use(struct hwperf_setup *s)
{
	state.setup = s;
	state.events = events_of(&s->arg);
	state.renamed = 0;
	state.generation++;
}

/*
 * Begin to use the counters. They are opened before system mode is acquired, so that no
 * process loses its counters for a set-up that this machine cannot count. If that fails,
 * s is dropped, and the CPUs have the counts of the last use again.
 */
static int acquire(struct hwperf_setup *s, int force)
{
	struct hwperf_cpu *const before = state.cpu;
	const unsigned nbefore = state.ncpus;

	state.cpu = make_cpus(&state.ncpus);
	state.setup = s;
	if (state.cpu && open_all(s) == 0 && hwperf_share_system(force) == 0) {
		free(before);
		return 0;
	}
	end_use();
	free(state.cpu);
	state.cpu = before;
	state.ncpus = nbefore;
	return -1;
}

static int start(const hwperf_profevctrarg_t *arg, int force)
{
	if (check(arg) == -1)
		return -1;
	if (state.setup)
		return refuse(EBUSY);
	hwperf_end_reaped(1);
	struct hwperf_setup *s = hwperf_setup_open(arg, rule_in_use(), &state.names);
	if (!s)
		return -1;
	if (acquire(s, force) == -1)
		return -1;
	hwperf_process_lose_all();
	state.owner = getpid();
	use(s);
	return state.generation;
}

int hwperf_system_start(const hwperf_profevctrarg_t *arg, int force)
{
	return enter() == -1 ? -1 : leave(start(arg, force));
}

static int read_all(void)
{
	for (unsigned i = 0; state.setup && i < state.ncpus; i++)
		if (hwperf_cpu_read(&state.cpu[i], state.setup) == -1)
			return -1;
	return 0;
}

/* An event that was not enabled on any CPU, for however short a time, has no value. */
static void mark_absent(hwperf_values_t *values)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (state.events >> i & 1 && !values->hwp_value[i].hwv_enabled)
			values->hwp_value[i].hwv_class = CPC_UNAVAILABLE;
}

static int sum_values(hwperf_values_t *values)
{
	if (!state.generation)
		return refuse(EINVAL);
	if (read_all() == -1)
		return -1;
	memset(values, 0, sizeof *values);
	for (unsigned i = 0; i < state.ncpus; i++)
		hwperf_cpu_add(&state.cpu[i], state.events, values);
	mark_absent(values);
	return state.generation;
}

int hwperf_system_values(hwperf_values_t *values)
{
	return enter() == -1 ? -1 : leave(sum_values(values));
}

static int values_of(int id, hwperf_values_t *values)
{
	if (!state.generation)
		return refuse(EINVAL);
	for (unsigned i = 0; i < state.ncpus; i++) {
		if (state.cpu[i].id != id)
			continue;
		if (state.setup && hwperf_cpu_read(&state.cpu[i], state.setup) == -1)
			return -1;
		memset(values, 0, sizeof *values);
		hwperf_cpu_add(&state.cpu[i], state.events, values);
		mark_absent(values);
		return state.generation;
	}
	return 0;
}

int hwperf_system_cpu_values(int cpu, hwperf_values_t *values)
{
	return enter() == -1 ? -1 : leave(values_of(cpu, values));
}

static int control(hwperf_eventctrl_t *ctrl)
{
	if (!state.setup)
		return refuse(EINVAL);
	*ctrl = state.setup->arg.hwp_evctrargs;
	return state.generation;
}

int hwperf_system_control(hwperf_eventctrl_t *ctrl)
{
	return enter() == -1 ? -1 : leave(control(ctrl));
}

/* Only the counts of events that are counted as before stay. */
static void forget_changed(const struct hwperf_setup *s)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++) {
		if (s->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec ==
			    state.setup->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec &&
		    !(state.renamed >> i & 1))
			continue;
		for (unsigned k = 0; k < state.ncpus; k++)
			memset(&state.cpu[k].before.hwp_value[i], 0,
			       sizeof state.cpu[k].before.hwp_value[i]);
	}
}

/*
 * The counters are closed before others are opened: both at once could be more than the
 * processor has. If the others cannot be opened, the former are opened again.
 */
static int replace(struct hwperf_setup *s)
{
	if (read_all() == -1)
		return -1;
	close_all();
	if (open_all(s) == -1) {
		const int e = errno;

		for (unsigned i = 0; i < state.ncpus; i++)
			hwperf_cpu_close(&state.cpu[i], s);
		open_all(state.setup);
		errno = e;
		return -1;
	}
	forget_changed(s);
	hwperf_setup_drop(state.setup);
	use(s);
	return state.generation;
}

static int modify(const hwperf_profevctrarg_t *arg)
{
	if (!hwperf_is_privileged())
		return refuse(EPERM);
	if (!state.setup)
		return refuse(EINVAL);
	if (check(arg) == -1)
		return -1;
	struct hwperf_setup *s = hwperf_setup_open(arg, rule_in_use(), &state.names);
	if (!s)
		return -1;
	const int rc = replace(s);
	if (rc == -1)
		hwperf_setup_drop(s);
	return rc;
}

int hwperf_system_modify(const hwperf_profevctrarg_t *arg)
{
	return enter() == -1 ? -1 : leave(modify(arg));
}

static int release(void)
{
	if (!hwperf_is_privileged())
		return refuse(EPERM);
	if (!state.setup)
		return refuse(EINVAL);
	const int rc = read_all();
	end_use();
	hwperf_share_system_end();
	return rc;
}

int hwperf_system_release(void)
{
	return enter() == -1 ? -1 : leave(release());
}

int hwperf_system_rule(int rule)
{
	if (rule < HWPERF_R10000 || rule > HWPERF_R12000_FREE)
		return refuse(EINVAL);
	if (enter() == -1)
		return -1;
	if (rule_in_use() != (enum hwperf_rule)rule)
		state.renamed = UINT32_MAX;
	state.rule = (enum hwperf_rule)rule;
	state.has_rule = 1;
	return leave(0);
}

int hwperf_system_name(const hwperf_evname_t *name)
{
	if (name->hwn_index < 0 || name->hwn_index >= HWPERF_EVENTMAX)
		return refuse(EINVAL);
	char *copy = name->hwn_name ? strdup(name->hwn_name) : NULL;
	if (name->hwn_name && !copy)
		return -1;
	if (enter() == -1) {
		free(copy);
		return -1;
	}
	free(state.names.name[name->hwn_index]);
	state.names.name[name->hwn_index] = copy;
	state.renamed |= UINT32_C(1) << name->hwn_index;
	return leave(0);
}
