#include "irix/hwperf_process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/process.h"
#include "base/procfs.h"
#include "engine/engine.h"
#include "irix/hwperf_children.h"
#include "irix/hwperf_end.h"
#include "irix/hwperf_programs.h"
#include "irix/hwperf_share.h"
#include "irix/hwperf_table.h"

static int refuse(int err)
{
	errno = err;
	return -1;
}

static int is_own(const struct hwperf_process *p)
{
	return p->pid == getpid();
}

static int is_counting(const struct hwperf_process *p)
{
	return p->counters.setup != NULL;
}

/* Stop a process that has lost its counters to system mode; it is not started again. */
static void check_lost(struct hwperf_process *p)
{
	if (!is_counting(p) || p->losses == hwperf_share_losses())
		return;
	hwperf_end_count(p);
	p->generation++;
}

void hwperf_process_lose_all(void)
{
	for (struct hwperf_process *p = hwperf_table_first(); p; p = p->next)
		check_lost(p);
}

static void publish(const struct hwperf_process *p, const hwperf_values_t *values)
{
	const struct hwperf_public entry = {.pid = p->tid,
					    .generation = p->generation,
					    .born = p->born,
					    .losses = p->losses,
					    .ctrl = p->arg.hwp_evctrargs,
					    .values = *values};

	hwperf_share_publish(&entry);
}

/* Another process counts with its children, since this process cannot wait for them. */
static int open_counters(struct hwperf_process *p, struct hwperf_setup *setup)
{
	const int tree = !is_own(p) && !engine_inside() &&
			 !(p->signo && hwperf_arg_has_threshold(&setup->arg));
	const struct hwperf_target t = {
		.tid = p->tid, .pid = p->pid, .tree = tree, .signo = p->signo};

	return hwperf_programs_begin(p, setup, &t);
}

/*
 * Choose the LWP that gets the counts when p ends: for a child of this process the first
 * LWP, unless that LWP counts the child's program already. Returns 0, or -1 with errno.
 */
static int find_heir(struct hwperf_process *p)
{
	const struct hwperf_process *first = hwperf_table_of(getpid());

	if (p->heir || is_own(p) || procfs_status(p->pid, "PPid:", 1) != getpid())
		return 0;
	if (first && hwperf_programs_include(first, p->pid, p->born))
		return 0;
	if (first && p->born >= first->since && hwperf_programs_leave_out(first, p) == -1)
		return -1;
	p->waited = process_waited_usage();
	p->heir = getpid();
	return 0;
}

/* Kernel mode is system mode, which belongs to irix/hwperf_system.h. */
static struct hwperf_setup *open_user_setup(const struct hwperf_process *p,
					    const hwperf_profevctrarg_t *arg)
{
	struct hwperf_setup *setup = hwperf_setup_open(arg, p->rule, &p->names);

	if (!setup || !hwperf_arg_is_system(arg))
		return setup;
	hwperf_setup_drop(setup);
	errno = EINVAL;
	return NULL;
}

/* Opens the counters last, so that they count the return of this library alone. */
static int begin(struct hwperf_process *p, struct hwperf_setup *setup,
		 const hwperf_profevctrarg_t *arg, int signo)
{
	memset(&p->sum, 0, sizeof p->sum);
	p->incomplete = p->system = 0;
	p->renamed = 0;
	p->arg = *arg;
	p->signo = signo;
	p->losses = hwperf_share_losses();
	p->generation++;
	publish(p, &p->sum);
	return find_heir(p) == -1 ? -1 : open_counters(p, setup);
}

/* Undo a start that has failed: the process keeps the counts of its last start. */
static void restore(struct hwperf_process *p, const struct hwperf_process *before)
{
	const int e = errno;

	if (!before->heir) {
		hwperf_counters_close(&p->programs);
		p->heir = 0;
	}
	p->sum = before->sum;
	p->incomplete = before->incomplete;
	p->system = before->system;
	p->renamed = before->renamed;
	p->arg = before->arg;
	p->signo = before->signo;
	p->losses = HWPERF_NO_LOSSES;
	p->generation = before->generation;
	publish(p, &p->sum);
	errno = e;
}

static int start(struct hwperf_process *p, const hwperf_profevctrarg_t *arg, int signo)
{
	struct hwperf_setup *setup = open_user_setup(p, arg);

	if (!setup)
		return -1;
	struct hwperf_process before = *p;
	before.generation += is_counting(p);
	hwperf_end_count(p);
	before.sum = p->sum;
	before.incomplete = p->incomplete;
	int rc = hwperf_share_user();
	if (rc == 0) {
		before.incomplete |= hwperf_table_disown(p);
		rc = begin(p, setup, arg, signo);
		if (rc == -1)
			hwperf_share_user_end();
	}
	if (rc == -1)
		restore(p, &before);
	hwperf_setup_drop(setup);
	return rc == 0 ? p->generation : -1;
}

int hwperf_process_start_for(int handle, const hwperf_profevctrarg_t *arg, int signo)
{
	const int err = lock_prepare() ? ENOMEM : hwperf_children_prepare();

	if (err)
		return refuse(err);
	lock_hold();
	hwperf_end_reaped(0);
	struct hwperf_process *p = hwperf_table_get(handle);
	const int rc = p ? start(p, arg, signo) : -1;
	lock_release();
	return rc;
}

int hwperf_process_start(int handle, const hwperf_profevctrarg_t *arg)
{
	return hwperf_process_start_for(handle, arg, arg->hwp_ovflw_sig);
}

/* The counts of events that are counted as before stay. */
static void forget_changed(struct hwperf_process *p, const hwperf_profevctrarg_t *arg)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (p->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec !=
			    arg->hwp_evctrargs.hwp_evctrl[i].hwperf_spec ||
		    p->renamed >> i & 1)
			memset(&p->sum.hwp_value[i], 0, sizeof p->sum.hwp_value[i]);
	p->renamed = 0;
}

static int agree(const struct hwperf_setup *a, const struct hwperf_setup *b)
{
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (!hwperf_setup_agree(a, b, i))
			return 0;
	return 1;
}

/* Running programs keep their counters if the set-up next has the same events. */
static void close_for(struct hwperf_process *p, const struct hwperf_setup *next)
{
	if (hwperf_counters_read(&p->counters, &p->sum) == -1)
		p->incomplete = 1;
	if (is_own(p) && !(p->programs.setup && agree(p->programs.setup, next)))
		hwperf_programs_end(p);
	hwperf_counters_close(&p->counters);
}

/* Open the former counters again; if that fails, the process has lost its counters. */
static void reopen(struct hwperf_process *p, struct hwperf_setup *before, int signo)
{
	const int e = errno;

	p->signo = signo;
	if (open_counters(p, before) == -1) {
		hwperf_end_use(p);
		p->generation++;
		publish(p, &p->sum);
	}
	errno = e;
}

static int modify(struct hwperf_process *p, const hwperf_profevctrarg_t *arg)
{
	struct hwperf_setup *setup = open_user_setup(p, arg);

	if (!setup)
		return -1;
	struct hwperf_setup *before = hwperf_setup_keep(p->counters.setup);
	close_for(p, setup);
	const int signo = p->signo;
	p->signo = arg->hwp_ovflw_sig;
	int rc = open_counters(p, setup);
	if (rc == 0) {
		forget_changed(p, arg);
		p->arg = *arg;
		p->generation++;
		publish(p, &p->sum);
		rc = p->generation;
	} else {
		reopen(p, before, signo);
	}
	hwperf_setup_drop(before);
	hwperf_setup_drop(setup);
	return rc;
}

int hwperf_process_modify(int handle, const hwperf_profevctrarg_t *arg)
{
	lock_hold();
	struct hwperf_process *p = hwperf_table_find(handle);
	if (p)
		check_lost(p);
	const int rc = !p ? -1 : is_counting(p) ? modify(p, arg) : refuse(EINVAL);
	lock_release();
	return rc;
}

static int read_all(struct hwperf_process *p, hwperf_values_t *values)
{
	hwperf_values_t now = {0};

	if (!p->generation)
		return refuse(EINVAL);
	if (hwperf_counters_read(&p->counters, &now) == -1)
		return -1;
	check_lost(p);
	hwperf_children_settle(p);
	*values = p->sum;
	if (is_counting(p)) {
		hwperf_values_add(values, &now);
		hwperf_programs_add(p, values);
	}
	for (unsigned i = 0; p->incomplete && i < HWPERF_EVENTMAX; i++)
		if (p->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec)
			values->hwp_value[i].hwv_class = CPC_UNAVAILABLE;
	publish(p, values);
	return p->generation;
}

/* Find what another process has published about the process of a handle. */
static int find_public(int handle, struct hwperf_public *public)
{
	pid_t pid;

	if (hwperf_table_identify(handle, &public->pid, &pid, &public->born) == -1 ||
	    hwperf_share_find(public) == -1)
		return -1;
	return public->generation + (public->losses != HWPERF_NO_LOSSES &&
				     public->losses != hwperf_share_losses());
}

/* Gets what another process has published at its last read, which is no longer exact. */
static int public_values(int handle, hwperf_values_t *values)
{
	struct hwperf_public public;
	const int generation = find_public(handle, &public);

	if (generation == -1)
		return -1;
	*values = public.values;
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (public.ctrl.hwp_evctrl[i].hwperf_spec &&
		    values->hwp_value[i].hwv_class < CPC_ESTIMATED)
			values->hwp_value[i].hwv_class = CPC_ESTIMATED;
	return generation;
}

int hwperf_process_values(int handle, hwperf_values_t *values)
{
	lock_hold();
	struct hwperf_process *p = hwperf_table_find(handle);
	const int rc = p		 ? read_all(p, values)
		       : errno == EINVAL ? public_values(handle, values)
					 : -1;
	lock_release();
	return rc;
}

static int control(struct hwperf_process *p, hwperf_eventctrl_t *ctrl)
{
	if (!p->generation)
		return refuse(EINVAL);
	check_lost(p);
	*ctrl = p->arg.hwp_evctrargs;
	return p->generation;
}

static int public_control(int handle, hwperf_eventctrl_t *ctrl)
{
	struct hwperf_public public;
	const int generation = find_public(handle, &public);

	if (generation != -1)
		*ctrl = public.ctrl;
	return generation;
}

int hwperf_process_control(int handle, hwperf_eventctrl_t *ctrl)
{
	lock_hold();
	struct hwperf_process *p = hwperf_table_find(handle);
	const int rc = p		 ? control(p, ctrl)
		       : errno == EINVAL ? public_control(handle, ctrl)
					 : -1;
	lock_release();
	return rc;
}

int hwperf_process_release(int handle)
{
	int rc = -1;

	lock_hold();
	struct hwperf_process *p = hwperf_table_find(handle);
	if (p && is_counting(p)) {
		check_lost(p);
		hwperf_end_count(p);
		publish(p, &p->sum);
		rc = 0;
	} else if (p) {
		errno = EINVAL;
	}
	lock_release();
	return rc;
}

/* The parent gets a block although it may not be counted itself. */
static struct hwperf_process *own_block(void)
{
	struct hwperf_process *p = hwperf_table_of(getpid());
	const int handle = p ? -1 : hwperf_open(getpid());

	if (handle == -1)
		return p;
	p = hwperf_table_get(handle);
	close(handle);
	return p;
}

static int save(struct hwperf_process *child)
{
	if (child->pid == getpid() || !child->generation)
		return refuse(EINVAL);
	if (procfs_status(child->pid, "PPid:", 1) != getpid())
		return refuse(EINVAL);
	struct hwperf_process *p = own_block();
	if (!p)
		return -1;
	if (!child->heir && hwperf_programs_include(p, child->pid, child->born))
		return 0;
	if (!p->generation) {
		p->arg = child->arg;
		p->generation = 1;
	}
	if (!child->heir)
		child->heir = p->tid;
	child->saved = 1;
	return 0;
}

/*
 * For a process without a block: returns 0 if the process is a child whose counts the
 * parent has already; or -1 with EINVAL if not, or with errno of hwperf_table_identify().
 */
static int save_program(int handle)
{
	const struct hwperf_process *first = hwperf_table_of(getpid());
	pid_t tid, pid;
	uint64_t born;

	if (hwperf_table_identify(handle, &tid, &pid, &born) == -1)
		return -1;
	return first && procfs_status(pid, "PPid:", 1) == getpid() &&
			       hwperf_programs_include(first, pid, born)
		       ? 0
		       : refuse(EINVAL);
}

int hwperf_process_save(int handle)
{
	lock_hold();
	struct hwperf_process *p = hwperf_table_find(handle);
	const int rc = p ? save(p) : errno == EINVAL ? save_program(handle) : -1;
	lock_release();
	return rc;
}

int hwperf_process_rule(int handle, int rule)
{
	if (rule < HWPERF_R10000 || rule > HWPERF_R12000_FREE)
		return refuse(EINVAL);
	lock_hold();
	struct hwperf_process *p = hwperf_table_get(handle);
	if (p && (int)p->rule != rule) {
		p->rule = (enum hwperf_rule)rule;
		p->renamed = UINT32_MAX;
	}
	lock_release();
	return p ? 0 : -1;
}

int hwperf_process_name(int handle, const hwperf_evname_t *name)
{
	if (name->hwn_index < 0 || name->hwn_index >= HWPERF_EVENTMAX)
		return refuse(EINVAL);
	char *copy = name->hwn_name ? strdup(name->hwn_name) : NULL;
	if (name->hwn_name && !copy)
		return -1;
	lock_hold();
	struct hwperf_process *p = hwperf_table_get(handle);
	if (p) {
		free(p->names.name[name->hwn_index]);
		p->names.name[name->hwn_index] = copy;
		p->renamed |= UINT32_C(1) << name->hwn_index;
	} else {
		free(copy);
	}
	lock_release();
	return p ? 0 : -1;
}

int hwperf_process_set_system(int handle)
{
	lock_hold();
	struct hwperf_process *p = hwperf_table_get(handle);
	if (p)
		p->system = 1;
	lock_release();
	return p ? 0 : -1;
}

int hwperf_process_is_system(int handle)
{
	lock_hold();
	const struct hwperf_process *p = hwperf_table_find(handle);
	const int is = p && p->system;
	lock_release();
	return is;
}
