#include "check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/procfs.h"
#include "common/message.h"
#include "engine/breakpoint.h"

/*
 * An LWP runs at most this long, in ns, while its counters and those of the tree are
 * started and stopped one after the other.
 */
enum { LWP_NS = 50000 };

/* A difference of times is reported above this part of the whole, 0.1 %. */
enum { TIME_PART = 1000 };

struct copy {
	struct track *track;
	cpc_set_t *set;
	unsigned from;	 /* index of the set that is copied */
	int breakpoints; /* breakpoints are copied too */
	int failed;
};

/* The stops for cputrack change the counts of the scheduler, also of context switches. */
static int can_check(const struct copy *copy, enum source source)
{
	switch (source) {
	case SOURCE_CLOCK:
	case SOURCE_SOFTWARE:
		return 1;
	case SOURCE_BREAKPOINT:
		return copy->breakpoints;
	default:
		return 0;
	}
}

static enum check_kind kind_of(enum source source, uint_t flags)
{
	if (source == SOURCE_CLOCK)
		return CHECK_TIME;
	return source == SOURCE_SOFTWARE && flags & CPC_COUNT_SYSTEM ? CHECK_FAULTS
								     : CHECK_COUNT;
}

static int add_event(struct track *t, cpc_set_t *set, const char *event, uint_t flags,
		     struct checked checked)
{
	struct check *c = &t->check;

	if (array_grow(&c->event, c->n, sizeof *c->event) == -1)
		return -1;
	if (cpc_set_add_request(t->cpc, set, event, 0, flags, 0, NULL) == -1)
		return -1;
	c->event[c->n++] = checked;
	return 0;
}

/* cpc_walk_requests() begins with the newest request. */
static void copy_request(void *arg, int index, const char *event, uint64_t preset,
			 uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	struct copy *copy = arg;

	(void)preset;
	(void)nattrs;
	(void)attrs;
	const struct sets_member *from = &copy->track->sets->member[copy->from];
	const enum source source = sets_source(from, (unsigned)index);

	if (copy->failed || !can_check(copy, source) || breakpoint_is_named(event))
		return;
	flags &= CPC_COUNT_USER | CPC_COUNT_SYSTEM;
	const struct checked checked = {.set = copy->from,
					.index = (unsigned)index,
					.kind = kind_of(source, flags)};
	copy->failed = add_event(copy->track, copy->set, event, flags, checked);
}

/* Returns the set of the events that can be checked, or NULL. */
static cpc_set_t *make_set(struct track *t, int breakpoints)
{
	struct copy copy = {.track = t, .breakpoints = breakpoints};

	copy.set = cpc_set_create(t->cpc);
	for (unsigned i = t->sets->n; copy.set && i-- > 0;) {
		copy.from = i;
		cpc_walk_requests(t->cpc, t->sets->member[i].set, &copy, copy_request);
	}
	/* The check compares only the time on a processor, which each event has. */
	if (copy.set && t->check.n == 0 && !copy.failed)
		copy.failed =
			add_event(t, copy.set, "task-clock", CPC_COUNT_USER,
				  (struct checked){.kind = CHECK_TIME, .witness = 1});
	if (copy.set && copy.failed) {
		cpc_set_destroy(t->cpc, copy.set);
		return NULL;
	}
	return copy.set;
}

/* Breakpoints are left out if the processor has too few for the LWPs and the check. */
void check_start(struct track *t, pctx_t *pctx, id_t lwpid)
{
	struct check *c = &t->check;

	message_capture_begin();
	for (int breakpoints = 1; breakpoints >= 0; breakpoints--) {
		c->set = make_set(t, breakpoints);
		if (c->set &&
		    cpc_bind_pctx(t->cpc, pctx, lwpid, c->set, CPC_BIND_TREE) == 0)
			break;
		check_cancel(t);
	}
	message_capture_end();
}

void check_birth(struct track *t, pid_t tid)
{
	t->check.births++;
	if (t->check.set)
		t->check.unattached += procfs_run_time(tid);
}

void check_add(struct track *t, const struct counted_lwp *l)
{
	cpc_value_t v;

	for (unsigned i = 0; t->check.set && i < t->check.n; i++) {
		struct checked *e = &t->check.event[i];

		if (!l->set[e->set].total.sampled ||
		    cpc_buf_value(t->cpc, l->set[e->set].total.buf, (int)e->index, &v))
			continue;
		e->count += v.count;
		e->enabled += v.enabled;
	}
}

void check_cancel(struct track *t)
{
	if (t->check.set)
		cpc_set_destroy(t->cpc, t->check.set);
	free(t->check.event);
	t->check = (struct check){0};
}

/*
 * Returns how much more than the LWPs the tree can have although no LWP was missed.
 */
static uint64_t allowed(const struct check *c, const struct checked *e, uint64_t tree)
{
	const uint64_t lwps = c->unattached + (c->births + 1) * (uint64_t)LWP_NS;

	if (e->kind == CHECK_TIME)
		return lwps > tree / TIME_PART ? lwps : tree / TIME_PART;
	return e->kind == CHECK_FAULTS ? c->births : 0;
}

static unsigned released(const struct track *t)
{
	unsigned n = 0;

	for (const struct ring *r = t->procs.next; r != &t->procs; r = r->next)
		n += !((const struct counted_proc *)r)->left;
	return n;
}

static void report(const struct track *t, const struct checked *e, uint64_t tree,
		   uint64_t more, int missed)
{
	const unsigned n = released(t);
	char where[128] = "new LWPs before cputrack attached to them";

	if (missed && n)
		snprintf(where, sizeof where, "%u process%s released before the end", n,
			 n == 1 ? " that was" : "es that were");
	else if (missed)
		snprintf(where, sizeof where,
			 "processes or threads that were not traced, as their creator "
			 "was killed, or created them with CLONE_UNTRACED");
	message_notef("%s: the kernel counted %" PRIu64 "%s in the whole tree, %" PRIu64
		      " more than in the LWPs (%.3g %%), in %s",
		      e->kind == CHECK_TIME ? "time on a processor"
					    : t->shown[e->set]->event[e->index],
		      tree, e->kind == CHECK_TIME ? " ns" : "", more,
		      100.0 * (double)more / (double)tree, where);
}

/* Returns what the tree has counted, to be destroyed, or NULL. */
static cpc_buf_t *read_tree(const struct track *t)
{
	cpc_set_t *set = t->check.set;
	cpc_buf_t *buf = set ? cpc_buf_create(t->cpc, set) : NULL;

	if (!buf || cpc_set_sample(t->cpc, set, buf) == 0)
		return buf;
	cpc_buf_destroy(t->cpc, buf);
	return NULL;
}

/*
 * The tree's count can be smaller than the sum: at the exec of a set-id program the
 * kernel removes the inherited events too. The time on a processor is compared by the
 * ns enabled, which every event has.
 */
static int compare(const struct track *t, const struct checked *e, const cpc_value_t *v)
{
	const int time = e->kind == CHECK_TIME;
	const uint64_t tree = time ? v->enabled : v->count;
	const uint64_t sum = time ? e->enabled : e->count;

	if (tree <= sum)
		return 0;
	const int missed = tree - sum > allowed(&t->check, e, tree);
	if (missed || t->options->debug)
		report(t, e, tree, tree - sum, missed);
	return missed;
}

int check_end(struct track *t)
{
	const struct check *c = &t->check;
	cpc_buf_t *buf = read_tree(t);
	int any = released(t) > 0;
	cpc_value_t v;

	/* The events are in the order of the walk, the newest first. */
	for (unsigned i = c->n; buf && i-- > 0;)
		if (cpc_buf_value(t->cpc, buf, (int)i, &v) == 0)
			any |= compare(t, &c->event[i], &v);
	if (buf)
		cpc_buf_destroy(t->cpc, buf);
	check_cancel(t);
	return any;
}

int check_rest(const struct track *t, unsigned set, cpc_value_t *value)
{
	const struct check *c = &t->check;
	cpc_buf_t *buf = read_tree(t);
	int found = 0;
	cpc_value_t v;

	for (unsigned i = 0; i < t->shown[set]->n; i++)
		value[i] = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	for (unsigned i = 0; buf && i < c->n; i++) {
		const struct checked *e = &c->event[i];

		if (e->witness || e->set != set ||
		    cpc_buf_value(t->cpc, buf, (int)i, &v) == -1 || v.count < e->count)
			continue;
		v.count -= e->count;
		v.value = v.count;
		v.enabled -= e->enabled;
		v.running = v.enabled;
		value[e->index] = v;
		found = 1;
	}
	if (buf)
		cpc_buf_destroy(t->cpc, buf);
	return found;
}
