#include "tracker.h"

#include "common/whole.h"
#include "engine/breakpoint.h"

int tracker_looks_names_up(const struct sets *sets)
{
	for (unsigned s = 0; s < sets->n; s++)
		for (unsigned i = 0; i < sets->member[s].show.n; i++)
			if (breakpoint_is_named(sets->member[s].show.event[i]))
				return 1;
	return 0;
}

/* Returns what BPF programs cannot do in samples of LWPs that live, or NULL. */
static const char *need_in_samples(const struct options *o, const struct sets *sets,
				   int terminal)
{
	if (!o->msec)
		return NULL;
	if (o->samples)
		return "-N needs a tracer, which releases a process after its samples";
	if (o->threads && terminal)
		return "a table that is shown again and again needs a tracer";
	if (sets->n > 1)
		return "several sets take turns in samples, which needs a tracer; give "
		       "-T 0";
	return NULL;
}

const char *tracker_obstacle(const struct options *o, cpc_t *cpc, const struct sets *sets,
			     enum lifetimes_by by, int terminal)
{
	if (o->pid)
		return "a process that already runs (-p) needs a tracer";
	if (o->chart)
		return "a chart needs a tracer";
	const char *why =
		whole_obstacle(cpc, tracker_looks_names_up(sets), o->argv[0], by);
	if (why)
		return why;
	if (by == LIFETIMES_BY_BPF)
		return need_in_samples(o, sets, terminal);
	if (o->msec && (!o->threads || terminal))
		return "the records have no samples of LWPs that live; give -T 0";
	if (o->tick)
		return "the records have no cycles of the time-stamp counter (-t)";
	return NULL;
}

/*
 * The values at an exec are not in the records. A table of threads has them in no row of
 * their own, as long as the programs that children execute are to be counted too.
 */
static int suit_records(const struct options *o)
{
	return o->threads && (o->follow_exec || !o->follow_fork);
}

/*
 * BPF programs cost more than a tracer at the start of a run, and less at each birth.
 * Without -f they do not learn that a process sleeps in vfork(2), and samples would have
 * it. The option -D prints messages of the tracer.
 */
static int suit_bpf(const struct options *o, const struct sets *sets)
{
	return sets_suit_cpus(sets) && !o->debug &&
	       (o->threads || o->follow_fork || !o->msec);
}

int tracker_wanted(const struct options *o, const struct sets *sets, enum lifetimes_by by)
{
	if (o->tracker != TRACKER_AUTO)
		return o->tracker != TRACKER_PTRACE;
	return by == LIFETIMES_BY_BPF ? suit_bpf(o, sets) : suit_records(o);
}
