#include "region/thread.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

struct region_thread *region_thread_new(struct region_events *events)
{
	struct region_thread *t = calloc(1, sizeof *t + events->n * sizeof t->now[0]);

	if (!t)
		return NULL;
	t->events = events;
	t->ops = events->set->reqs->ops;
	t->tid = gettid();
	ring_init(&t->link);
	if (open_counters(t) == 0)
		return t;
	const int e = errno;
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
	for (unsigned i = 0; i < t->room; i++)
		free(t->call[i]);
	for (unsigned i = 0; i < t->nregions; i++)
		free(t->region[i]);
	free(t->call);
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

static struct region_name *add_name(struct region_names *names, const char *text)
{
	const size_t size = strlen(text) + 1;
	struct region_name **grown =
		realloc(names->name, (names->n + 1) * sizeof *names->name);

	if (!grown)
		return NULL;
	names->name = grown;
	struct region_name *name = malloc(sizeof *name + size);
	if (!name)
		return NULL;
	name->order = names->n;
	memcpy(name->text, text, size);
	names->name[names->n++] = name;
	return name;
}

/*
 * Returns the name with this text, which is added if it is new; or NULL with ENOMEM. The
 * lock is held.
 */
static const struct region_name *find_name(struct region_names *names, const char *text)
{
	for (unsigned i = 0; i < names->n; i++)
		if (strcmp(names->name[i]->text, text) == 0)
			return names->name[i];
	return add_name(names, text);
}

static struct region *add_region(struct region_thread *t, const char *text)
{
	struct region **grown = realloc(t->region, (t->nregions + 1) * sizeof *t->region);

	if (!grown)
		return NULL;
	t->region = grown;
	struct region *r =
		calloc(1, sizeof *r + REGION_NSUMS * t->events->n * sizeof r->sum[0]);
	if (!r)
		return NULL;
	r->name = find_name(&t->events->names, text);
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

/*
 * Callers mostly pass the same string each time, but its bytes may have changed, and the
 * same name may be at several addresses.
 */
static struct region *find(struct region_thread *t, const char *text)
{
	const uintptr_t address = (uintptr_t)text;
	struct region **hint =
		&t->hint[(address ^ address >> 6 ^ address >> 12) % REGION_HINTS];

	if (*hint && strcmp((*hint)->name->text, text) == 0)
		return *hint;
	struct region *r = find_or_add(t, text);
	if (r)
		*hint = r;
	return r;
}

static int add_room(struct region_thread *t)
{
	const unsigned n = t->events->n;

	/* A child of fork(2) must not find the array while it moves. */
	lock_hold();
	struct region_call **grown = realloc(t->call, (t->room + 1) * sizeof *t->call);
	if (grown)
		t->call = grown;
	lock_release();
	if (!grown)
		return -1;
	struct region_call *c =
		calloc(1, sizeof *c + n * sizeof c->start[0] + n * sizeof c->inner[0]);
	if (!c)
		return -1;
	c->inner = (struct region_sum *)&c->start[n];
	t->call[t->room++] = c;
	return 0;
}

static int read_counters(struct region_thread *t, struct count *to)
{
	uint64_t on;

	if (t->group)
		return t->ops->read(t->group, to, NULL, &on);
	errno = EAGAIN;
	return -1;
}

int region_thread_begin(struct region_thread *t, const char *name)
{
	struct region *r = find(t, name);

	if (!r || (t->nopen == t->room && add_room(t) == -1))
		return -1;
	struct region_call *c = t->call[t->nopen];
	c->region = r;
	c->given = name;
	/* The counters are read last, so that the region has little of this call. */
	if (read_counters(t, c->start) == -1)
		return -1;
	t->nopen++;
	set_depth(r, r->depth + 1);
	return 0;
}

static void add_sum(struct region_sum *to, const struct region_sum *s)
{
	add(&to->count, s->count);
	if (s->lost)
		add(&to->lost, s->lost);
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

static struct region_sum difference(const struct count *now, const struct count *start)
{
	return (struct region_sum){now->count - start->count,
				   (now->enabled - now->running) -
					   (start->enabled - start->running)};
}

/* End the call of a region that began last, at the counts in t->now. */
static void end_call(struct region_thread *t)
{
	struct region_call *c = t->call[--t->nopen];
	struct region_call *outer = t->nopen ? t->call[t->nopen - 1] : NULL;
	struct region *r = c->region;
	const unsigned n = t->events->n;
	const uint64_t enabled = t->now[0].enabled - c->start[0].enabled;

	set_depth(r, r->depth - 1);
	for (unsigned i = 0; i < n; i++) {
		const struct region_sum s = difference(&t->now[i], &c->start[i]);

		add_sum(&r->sum[REGION_ALL * n + i], &s);
		if (r->depth)
			add_sum(&r->sum[REGION_REPEATED * n + i], &s);
		if (outer)
			add_sum(&outer->inner[i], &s);
	}
	add(&r->enabled[REGION_ALL], enabled);
	if (r->depth)
		add(&r->enabled[REGION_REPEATED], enabled);
	if (outer) {
		outer->inner_enabled += enabled;
		outer->is_outer = 1;
	}
	if (c->is_outer)
		add_inner(c, n);
	add(&r->calls, 1);
}

/*
 * Has the region that began last this name? Most callers pass the same string as before,
 * which need not be compared.
 */
static int is_last(const struct region_thread *t, const char *name)
{
	const struct region_call *last = t->nopen ? t->call[t->nopen - 1] : NULL;

	return last &&
	       (last->given == name || strcmp(last->region->name->text, name) == 0);
}

int region_thread_end(struct region_thread *t, const char *name)
{
	/* The counters are read first, so that the region has little of this call. */
	if (read_counters(t, t->now) == -1)
		return -1;
	if (!is_last(t, name)) {
		errno = EINVAL;
		return -1;
	}
	end_call(t);
	return 0;
}

void region_thread_cut(struct region_thread *t)
{
	const int e = errno;

	if (t->nopen && read_counters(t, t->now) == 0)
		while (t->nopen) {
			add(&t->call[t->nopen - 1]->region->cut, 1);
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
	for (unsigned i = 0; i < t->nopen; i++) {
		memcpy(t->call[i]->start, t->now, n * sizeof t->now[0]);
		memset(t->call[i]->inner, 0, n * sizeof t->call[i]->inner[0]);
		t->call[i]->inner_enabled = 0;
		t->call[i]->is_outer = 0;
	}
	return 0;
}
