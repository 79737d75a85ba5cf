#include "suite/cpus/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/cpus/sum.h"

int places_open(struct places *p, enum row_scope scope, int cgroups,
		const struct row_set *const *set, unsigned nsets)
{
	*p = (struct places){
		.scope = scope, .cgroups = cgroups, .nsets = nsets, .set = set};
	/* at least one element: calloc(3) of none may return NULL */
	p->first = calloc(nsets + 1, sizeof *p->first);
	for (unsigned s = 0; p->first && s < nsets; s++) {
		p->first[s] = p->ncounters;
		p->ncounters += set[s]->n;
	}
	return p->first ? 0 : -1;
}

static void place_free(struct place *place)
{
	free(place->cgroup);
	free(place->labels);
	free(place->total);
}

void places_close(struct places *p)
{
	for (unsigned i = 0; i < p->n; i++)
		place_free(&p->place[i]);
	free(p->place);
	free(p->first);
}

/* The cgroup is that of the sample, not a copy. */
static struct place place_of(enum row_scope scope, const struct cpu_sample *s)
{
	struct place p = {
		.cgroup = (char *)s->cgroup, .cpu = -1, .core = -1, .socket = -1};

	if (scope == ROW_CGROUPS)
		return p;
	p.socket = s->socket;
	if (scope != ROW_SOCKETS)
		p.core = s->core;
	if (scope == ROW_CPUS)
		p.cpu = s->cpu;
	return p;
}

/* CPUs are compared by number only: their core and socket may become known later. */
static int compare(const struct place *a, const struct place *b)
{
	const int order = a->cgroup ? strcmp(a->cgroup, b->cgroup) : 0;

	if (order)
		return order;
	if (a->cpu != b->cpu || a->cpu != -1)
		return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return a->socket < b->socket ? -1 : a->socket > b->socket;
}

/*
 * Return the index of a place, or where to insert it. Most samples come in the order of
 * the places: one is of the place of the sample before, or of the next place.
 */
static unsigned find_place(struct places *p, const struct place *place)
{
	unsigned low = 0, high = p->n;

	for (unsigned at = p->last; at < p->n && at < p->last + 2; at++)
		if (compare(&p->place[at], place) == 0)
			return p->last = at;
	while (low < high) {
		const unsigned mid = low + (high - low) / 2;
		if (compare(&p->place[mid], place) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return p->last = low;
}

static int place_own(struct place *place, unsigned ncounters)
{
	place->total = calloc(ncounters + 1, sizeof *place->total);
	if (!place->total)
		return -1;
	if (place->cgroup)
		place->cgroup = strdup(place->cgroup);
	return 0;
}

/* Add the place of a sample if it is new. */
static int add_place(struct places *p, const struct cpu_sample *s)
{
	struct place place = place_of(p->scope, s);
	const unsigned at = find_place(p, &place);

	if (at < p->n && compare(&p->place[at], &place) == 0)
		return 0;
	if (array_grow(&p->place, p->n, sizeof *p->place) == -1)
		return -1;
	if (place_own(&place, p->ncounters) == -1)
		return -1;
	if (s->cgroup && !place.cgroup) {
		free(place.total);
		return -1;
	}
	memmove(p->place + at + 1, p->place + at, (p->n - at) * sizeof *p->place);
	p->place[at] = place;
	p->n++;
	return 0;
}

static int add_places(struct places *p, const struct cpu_interval *i)
{
	for (unsigned s = 0; s < i->n; s++)
		if (add_place(p, &i->sample[s]) == -1)
			return -1;
	return 0;
}

/* Take the core and socket of a CPU if they have become known. */
static void learn(struct place *to, const struct place *place)
{
	if ((place->core == -1 || place->core == to->core) &&
	    (place->socket == -1 || place->socket == to->socket))
		return;
	if (place->core != -1)
		to->core = place->core;
	if (place->socket != -1)
		to->socket = place->socket;
	free(to->labels);
	to->labels = NULL;
}

static void add_sample(struct places *p, unsigned set, const struct cpu_sample *s)
{
	const struct place place = place_of(p->scope, s);
	struct place *to = &p->place[find_place(p, &place)];
	struct place_total *t = to->total + p->first[set];

	learn(to, &place);
	for (unsigned i = 0; i < p->set[set]->n; i++, t++) {
		const cpc_value_t *v = &s->value[i];
		t->samples++;
		if (v->quality == CPC_UNAVAILABLE) {
			t->missed += v->enabled;
			continue;
		}
		t->sum.value += v->value;
		t->sum.enabled += v->enabled;
		t->sum.running += v->running;
		t->cpus++;
	}
}

/*
 * The time of a core or socket is the mean of its CPUs, so that events / enabled is the
 * rate of all of them. The time of a cgroup is its time on all CPUs, and its value stands
 * for all of that. Times without a value would make events / enabled too small.
 */
static void add_total(struct place_total *t, int is_cgroup)
{
	const unsigned by = is_cgroup || !t->cpus ? 1 : t->cpus;

	if (is_cgroup && t->cpus && t->missed)
		cpu_view_extrapolate(&t->sum, t->missed);
	if (t->cpus && t->sum.quality != CPC_UNAVAILABLE) {
		t->value += t->sum.value;
		t->times.enabled += t->sum.enabled / by;
		t->times.running += t->sum.running / by;
		t->state = PLACE_COUNTED;
	} else if (t->state != PLACE_COUNTED) {
		t->state = PLACE_EMPTY;
	}
	t->sum = (cpc_value_t){0};
	t->missed = 0;
	t->cpus = 0;
	t->samples = 0;
}

/* Add the sums of the places that have been sampled. */
static void add_totals(struct places *p, const struct cpu_interval *i)
{
	for (unsigned s = 0; s < i->n; s++) {
		const struct place place = place_of(p->scope, &i->sample[s]);
		struct place *to = &p->place[find_place(p, &place)];
		struct place_total *t = to->total + p->first[i->set];

		for (unsigned k = 0; k < p->set[i->set]->n; k++)
			if (t[k].samples)
				add_total(&t[k], p->cgroups);
	}
}

void places_drop(struct places *p, const char *cgroup)
{
	for (unsigned i = 0; i < p->n; i++)
		if (strcmp(p->place[i].cgroup, cgroup) == 0)
			p->place[i].gone = 1;
}

static void remove_gone(struct places *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->n; i++)
		if (p->place[i].gone)
			place_free(&p->place[i]);
		else
			p->place[n++] = p->place[i];
	p->n = n;
}

/*
 * A value that was never enabled and is unavailable means that the CPU lacks the event.
 */
static void announce(struct places *p, unsigned set, const struct cpu_sample *s)
{
	const struct place place = place_of(p->scope, s);
	struct place_total *t = p->place[find_place(p, &place)].total + p->first[set];

	for (unsigned i = 0; i < p->set[set]->n; i++) {
		const cpc_value_t *v = &s->value[i];
		if (t[i].state == PLACE_UNKNOWN &&
		    (v->quality != CPC_UNAVAILABLE || v->enabled > 0))
			t[i].state = PLACE_ANNOUNCED;
	}
}

int places_announce(struct places *p, const struct cpu_interval *i)
{
	if (add_places(p, i) == -1)
		return -1;
	for (unsigned s = 0; s < i->n; s++)
		announce(p, i->set, &i->sample[s]);
	return 0;
}

int places_add(struct places *p, const struct cpu_interval *i)
{
	remove_gone(p);
	if (add_places(p, i) == -1)
		return -1;
	for (unsigned s = 0; s < i->n; s++)
		add_sample(p, i->set, &i->sample[s]);
	add_totals(p, i);
	return 0;
}
