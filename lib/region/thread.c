#include "region/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/lock.h"
#include "cpc/session.h"

static int open_counters(struct region_thread *t)
{
	const struct requests *r = t->events->set->reqs;
	const struct target self = {0};
	struct why why;

	t->group = t->ops->bind(t->events->cpc->scope.engine, &self, r->sel, r->ncounted,
				&why);
	if (t->group)
		return 0;
	cpc_report(t->events->cpc, "cpc_region_begin", CPC_REFUSED, "%s", why.text);
	return -1;
}

static __attribute__((noinline)) struct region_call *new_call(
	const struct region_thread *t, struct region_call *outer)
{
	const unsigned n = t->events->n;
	struct region_call *c =
		calloc(1, sizeof *c + n * sizeof c->start[0] + n * sizeof c->inner[0]);

	if (!c)
		return NULL;
	c->outer = outer;
	c->inner = (struct region_sum *)&c->start[n];
	return c;
}

struct region_thread *region_thread_new(struct region_events *events)
{
	struct region_thread *t = calloc(1, sizeof *t + events->n * sizeof t->now[0]);

	if (!t)
		return NULL;
	t->events = events;
	t->ops = events->set->reqs->ops;
	t->tid = gettid();
	ring_init(&t->link);
	t->outside = t->last = new_call(t, NULL);
	if (t->outside && open_counters(t) == 0)
		return t;
	const int e = errno;
	free(t->outside);
	free(t);
	errno = e;
	return NULL;
}

void region_thread_stop(struct region_thread *t)
{
	t->ops->unbind(t->group);
	t->group = NULL;
}

void region_thread_free(struct region_thread *t)
{
	if (!t)
		return;
	for (struct region_call *c = t->outside, *next; c; c = next) {
		next = c->spare;
		free(c);
	}
	for (unsigned i = 0; i < t->nregions; i++)
		free(t->region[i]);
	free(t->region);
	free(t);
}

/* The sums and depths of a thread are written by the thread and read by reports. */
static void add(uint64_t *to, uint64_t n)
{
	__atomic_store_n(to, *to + n, __ATOMIC_RELAXED);
}

static void set_depth(struct region *r, unsigned depth)
{
	__atomic_store_n(&r->depth, depth, __ATOMIC_RELAXED);
}

static struct region *add_region(struct region_thread *t, const char *text)
{
	if (array_grow(&t->region, t->nregions, sizeof *t->region) == -1)
		return NULL;
	struct region *r =
		calloc(1, sizeof *r + REGION_NSUMS * t->events->n * sizeof r->sum[0]);
	if (!r)
		return NULL;
	r->name = region_names_find(&t->events->names, text);
	if (!r->name) {
		free(r);
		return NULL;
	}
	t->region[t->nregions++] = r;
	return r;
}

static struct region *find_or_add(struct region_thread *t, const char *text)
{
	for (unsigned i = 0; i < t->nregions; i++)
		if (strcmp(t->region[i]->name->text, text) == 0)
			return t->region[i];
	lock_hold();
	struct region *r = add_region(t, text);
	lock_release();
	return r;
}

static __attribute__((noinline)) struct region *find_by_text(struct region_thread *t,
							     struct region_hint *hint,
							     const char *text)
{
	if (hint->region && strcmp(hint->region->name->text, text) == 0)
		return hint->region;
	struct region *r = find_or_add(t, text);
	if (r)
		*hint = (struct region_hint){r,
					     region_name_is_constant(text) ? text : NULL};
	return r;
}

/*
 * Callers mostly pass the same string each time, but its bytes may have changed unless it
 * is constant, and the same name may be at several addresses.
 */
static inline struct region *find(struct region_thread *t, const char *text)
{
	struct region_hint *hint = &t->hint[(uintptr_t)text / 8 % REGION_HINTS];

	return hint->constant == text ? hint->region : find_by_text(t, hint, text);
}

/* Returns the call for a region that begins now, or NULL with ENOMEM. */
static inline struct region_call *next_call(const struct region_thread *t)
{
	if (!t->last->spare)
		t->last->spare = new_call(t, t->last);
	return t->last->spare;
}

static inline int read_counters(struct region_thread *t, struct count *to)
{
	return t->ops->read(t->group, to, NULL, NULL);
}

static inline int begin_call(struct region_thread *t, const char *name)
{
	struct region *r = find(t, name);
	struct region_call *c = r ? next_call(t) : NULL;

	if (!c)
		return -1;
	c->region = r;
	c->given = name;
	/* The counters are read last, so that the region has little of this call. */
	if (read_counters(t, c->start))
		return -1;
	t->last = c;
	set_depth(r, r->depth + 1);
	return 0;
}

/*
 * A signal handler that interrupts a call must not use the thread, but may call fork(2).
 */
static inline void claim(struct region_thread *t)
{
	t->flags = REGION_BUSY;
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void release(struct region_thread *t)
{
	__atomic_signal_fence(__ATOMIC_SEQ_CST);
	t->flags &= ~(unsigned)REGION_BUSY;
}

int region_thread_begin(struct region_thread *t, const char *name)
{
	claim(t);
	const int rc = begin_call(t, name);
	release(t);
	return rc;
}

static void add_sum(struct region_sum *to, const struct region_sum *s)
{
	add(&to->count, s->count);
	if (s->lost)
		add(&to->lost, s->lost);
}

/* An event that has lost no time until now has also lost none since the start. */
static inline struct region_sum difference(const struct count *now,
					   const struct count *start)
{
	struct region_sum s = {.count = now->count - start->count};

	if (now->enabled != now->running)
		s.lost =
			(now->enabled - now->running) - (start->enabled - start->running);
	return s;
}

/* Add what regions inside a call have counted to its region. */
static void add_inner(struct region_call *c, unsigned n)
{
	add(&c->region->enabled[REGION_INNER], c->inner_enabled);
	for (unsigned i = 0; i < n; i++)
		add_sum(&c->region->sum[REGION_INNER * n + i], &c->inner[i]);
	memset(c->inner, 0, n * sizeof c->inner[0]);
	c->inner_enabled = 0;
	c->is_outer = 0;
}

/* Add a call inside another call of its region. */
static void add_repeated(const struct region_call *c, const struct count *now, unsigned n)
{
	struct region *r = c->region;

	add(&r->enabled[REGION_REPEATED], now[0].enabled - c->start[0].enabled);
	for (unsigned i = 0; i < n; i++) {
		const struct region_sum s = difference(&now[i], &c->start[i]);

		add_sum(&r->sum[REGION_REPEATED * n + i], &s);
	}
}

/* Add to the other sums of a call that is inside another one or outside of others. */
static __attribute__((noinline)) void add_nested(struct region_call *c,
						 const struct count *now, unsigned n)
{
	if (c->region->depth)
		add_repeated(c, now, n);
	if (c->is_outer)
		add_inner(c, n);
}

/*
 * End the call of a region that began last, at the counts in t->now. A call of this
 * function would add a tenth to what cpc_region_end(3) executes.
 */
static inline __attribute__((always_inline)) void end_call(struct region_thread *t)
{
	struct region_call *c = t->last, *outer = c->outer;
	struct region_sum *inner = outer->inner;
	struct region *r = c->region;
	const unsigned n = t->events->n;
	const uint64_t enabled = t->now[0].enabled - c->start[0].enabled;

	t->last = outer;
	add(&r->enabled[REGION_ALL], enabled);
	outer->inner_enabled += enabled;
	outer->is_outer = 1;
	for (unsigned i = 0; i < n; i++) {
		const struct region_sum s = difference(&t->now[i], &c->start[i]);

		add_sum(&r->sum[REGION_ALL * n + i], &s);
		add_sum(&inner[i], &s);
	}
	add(&r->calls, 1);
	set_depth(r, r->depth - 1);
	if (r->depth | c->is_outer)
		add_nested(c, t->now, n);
}

/*
 * Has the region that began last this name? Most callers pass the same string as before,
 * which need not be compared.
 */
static inline int is_last(const struct region_thread *t, const char *name)
{
	const struct region_call *c = t->last;

	return c->given == name ||
	       (c->region && strcmp(c->region->name->text, name) == 0);
}

int region_thread_end(struct region_thread *t, const char *name)
{
	claim(t);
	/* The counters are read first, so that the region has little of this call. */
	int rc = read_counters(t, t->now);
	if (rc == 0 && is_last(t, name)) {
		end_call(t);
	} else if (rc == 0) {
		errno = EINVAL;
		rc = -1;
	}
	release(t);
	return rc;
}

void region_thread_cut(struct region_thread *t)
{
	const int e = errno;

	if (t->last->region && t->group && read_counters(t, t->now) == 0)
		while (t->last->region) {
			add(&t->last->region->cut, 1);
			end_call(t);
		}
	errno = e;
}

int region_thread_restart(struct region_thread *t)
{
	const unsigned n = t->events->n;

	region_thread_stop(t);
	t->tid = gettid();
	for (unsigned i = 0; i < t->nregions; i++) {
		struct region *r = t->region[i];

		r->calls = r->cut = 0;
		memset(r->enabled, 0, sizeof r->enabled);
		memset(r->sum, 0, REGION_NSUMS * n * sizeof r->sum[0]);
	}
	if (open_counters(t) == -1 || read_counters(t, t->now) == -1)
		return -1;
	for (struct region_call *c = t->last; c; c = c->outer) {
		memcpy(c->start, t->now, n * sizeof t->now[0]);
		memset(c->inner, 0, n * sizeof c->inner[0]);
		c->inner_enabled = 0;
		c->is_outer = 0;
	}
	return 0;
}
