#include "irix/hwperf_programs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"
#include "base/procfs.h"
#include "engine/engine.h"

/*
 * PF_FORKNOEXEC of the kernel, in field 9 of /proc/PID/stat (proc(5)): the process has
 * not executed a program.
 */
enum { FORKED_NO_EXEC = 0x40 };

static uint64_t ticks_since_boot(void)
{
	const uint64_t hz = (uint64_t)sysconf(_SC_CLK_TCK);
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * hz + (uint64_t)now.tv_nsec * hz / 1000000000;
}

static int open_programs(struct hwperf_process *p, struct hwperf_setup *setup)
{
	const struct hwperf_target t = {
		.tid = p->tid, .pid = p->pid, .tree = 1, .on_exec = 1};

	return hwperf_counters_open(&p->programs, setup, &t);
}

/* Returns 1 if p is the parent whose counts leave out the programs of child. */
static int is_left_out(const struct hwperf_process *p, const struct hwperf_process *child)
{
	return child != p && child->heir == p->tid && child->programs.setup;
}

static void read_programs(struct hwperf_process *p, const struct hwperf_process *of,
			  hwperf_values_t *values)
{
	if (hwperf_counters_read(&of->programs, values) == -1)
		p->incomplete = 1;
}

/*
 * Add the counts of the programs of child to part, which will be subtracted from the
 * counts of all programs. All programs are read later, so that no difference is negative.
 * While a program of the child runs, it counts between both reads, so that the difference
 * is an estimate.
 */
static void read_part(struct hwperf_process *p, const struct hwperf_process *child,
		      hwperf_values_t *part)
{
	hwperf_values_t v = {0};
	const int lives = hwperf_table_life(child) == HWPERF_LIVES;

	read_programs(p, child, &v);
	for (unsigned i = 0; lives && i < HWPERF_EVENTMAX; i++)
		if (v.hwp_value[i].hwv_count && part->hwp_value[i].hwv_class == CPC_EXACT)
			part->hwp_value[i].hwv_class = CPC_ESTIMATED;
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		v.hwp_value[i].hwv_class = CPC_EXACT;
	hwperf_values_add(part, &v);
}

void hwperf_programs_add(struct hwperf_process *p, hwperf_values_t *values)
{
	hwperf_values_t all = {0}, part = {0};

	if (!p->programs.setup) {
		p->incomplete |= p->counters.setup && p->pid == getpid() &&
				 p->waited != process_waited_usage();
		return;
	}
	for (struct hwperf_process *c = hwperf_table_first(); c; c = c->next)
		if (is_left_out(p, c))
			read_part(p, c, &part);
	read_programs(p, p, &all);
	hwperf_values_subtract(&all, &part);
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (all.hwp_value[i].hwv_class < part.hwp_value[i].hwv_class)
			all.hwp_value[i].hwv_class = part.hwp_value[i].hwv_class;
	hwperf_values_add(values, &all);
}

void hwperf_programs_end(struct hwperf_process *p)
{
	hwperf_programs_add(p, &p->sum);
	if (!p->programs.setup)
		return;
	for (struct hwperf_process *c = hwperf_table_first(); c; c = c->next)
		if (is_left_out(p, c))
			hwperf_counters_close(&c->programs);
	hwperf_counters_close(&p->programs);
}

/*
 * Touch memory that the calls up to a read will use, on the stack and on the heap, so
 * that they have no page faults, which may be counted.
 */
static void rehearse(struct hwperf_process *p)
{
	hwperf_values_t unused[8] = {0};
	void *heap = malloc(sizeof unused);

	if (heap)
		explicit_bzero(heap, sizeof unused);
	free(heap);
	if (p->programs.setup)
		hwperf_programs_add(p, &unused[0]);
}

/* The counters of p are opened last, so that they do not count the work of this call. */
int hwperf_programs_begin(struct hwperf_process *p, struct hwperf_setup *setup,
			  const struct hwperf_target *t)
{
	const int begins = p->pid == getpid() && !p->programs.setup;

	if (begins) {
		p->waited = process_waited_usage();
		p->since = ticks_since_boot();
		if (!engine_inside())
			open_programs(p, setup);
		rehearse(p);
	}
	int rc = hwperf_counters_open(&p->counters, setup, t);
	if (rc == -1 && begins && p->programs.setup) {
		hwperf_counters_close(&p->programs);
		rc = hwperf_counters_open(&p->counters, setup, t);
	}
	return rc;
}

int hwperf_programs_leave_out(const struct hwperf_process *p,
			      struct hwperf_process *child)
{
	return p->programs.setup ? open_programs(child, p->programs.setup) : 0;
}

int hwperf_programs_include(const struct hwperf_process *p, pid_t child, uint64_t born)
{
	unsigned flags = 0;

	return p->programs.setup && born >= p->since &&
	       procfs_state(child, &flags) != '?' && !(flags & FORKED_NO_EXEC);
}

void hwperf_programs_forget(struct hwperf_process *p, struct hwperf_process *child)
{
	hwperf_values_t part = {0};

	if (!is_left_out(p, child))
		return;
	read_programs(p, child, &part);
	hwperf_values_subtract(&p->sum, &part);
}
