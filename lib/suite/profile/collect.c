#include "suite/profile/collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/bytes.h"
#include "suite/profile/metric.h"

enum { UNKNOWN = -1, LEFT_OUT = -2 };

/* The state of a walk over the records of a ring. */
struct walk {
	struct profile *p;
	struct tally *codes;
	const struct profile_options *o;
	size_t input;
	const struct recording_ring *ring;
	struct recording_view view;
	uint64_t index;	      /* of the record */
	uint64_t last_marker; /* index after the last marker */
	uint64_t parts;	      /* of the time: number of records */
	uint64_t begin, end;  /* timestamps of PROFILE_TIME; equal: there are none */
	int metric[256];      /* of each id, or UNKNOWN, LEFT_OUT */
	uint64_t weight[256], records[256];
	int error;
};

/* Find the metric of an id when its first record comes. */
static int find_metric(struct walk *w, uint8_t id)
{
	const struct recording *r = w->p->input[w->input].recording;
	const struct metric_key key = metric_of_record(r, &w->view.block, id);

	w->metric[id] = LEFT_OUT;
	w->weight[id] = key.interval ? key.interval : 1;
	if (metric_selected(w->o->event, &key)) {
		const int m = metric_find(w->p, &key);

		if (m == -1)
			w->error = errno;
		else
			w->metric[id] = m;
	}
	return w->metric[id];
}

static void add_branch(struct walk *w, const lwp_record_t *r, uint64_t weight,
		       unsigned metric)
{
	uint64_t *sum = tally_at(
		&w->p->branch,
		(uint64_t[]){profile_key(metric, w->input, 0), r->ip, r->data2}, 3, 5);
	const int known = (r->flags & LWP_BRE_PRV) != 0;

	sum[0] += weight;
	sum[1] += 1;
	sum[2] += (r->flags & LWP_BRE_TKN) != 0;
	sum[3] += (uint64_t)known;
	sum[4] += known && !(r->flags & LWP_BRE_PRD);
}

/* Return which of the PROFILE_TIMES equal parts of the time a record is in. */
static unsigned part_of_time(const struct walk *w, const lwp_record_t *r)
{
	if (w->end > w->begin)
		return (unsigned)((double)(r->timestamp - w->begin) /
				  (double)(w->end - w->begin) * (PROFILE_TIMES - 1));
	return (unsigned)(w->index * PROFILE_TIMES / w->parts);
}

static void add_miss(struct walk *w, const lwp_record_t *r, uint64_t weight,
		     unsigned metric)
{
	struct profile *p = w->p;
	const uint32_t tid = (uint32_t)w->ring->tid;
	uint64_t *sum;

	if (w->o->details & PROFILE_LATENCY) {
		const uint64_t key = profile_key(metric, 0, LWP_DME_SRC(r->flags));

		sum = tally_at(&p->latency, (uint64_t[]){key, r->data1}, 2, 2);
		sum[0] += weight;
		sum[1] += 1;
	}
	if (!(r->flags & LWP_DME_DAV))
		return;
	if (w->o->details & PROFILE_DATA) {
		const uint64_t key = profile_key(metric, w->input, 0);

		sum = tally_at(&p->data, (uint64_t[]){key, r->data2, tid, r->ip}, 4, 3);
		sum[0] += weight;
		sum[1] += 1;
		sum[2] += r->data1;
	}
	if (w->o->details & PROFILE_TIME) {
		const uint64_t page = r->data2 & ~(uint64_t)(PROFILE_PAGE - 1);

		sum = tally_at(&p->time,
			       (uint64_t[]){profile_key(metric, w->input, 0), page,
					    part_of_time(w, r)},
			       3, 1);
		sum[0] += weight;
	}
}

/* Each record has two values, which are counted apart. */
static void add_value(struct walk *w, const lwp_record_t *r, uint64_t weight,
		      unsigned metric)
{
	const uint64_t value[] = {r->data2, r->data1};

	for (uint64_t field = 0; field < 2; field++) {
		const uint64_t key = profile_key(metric, w->input, r->flags);
		uint64_t *sum =
			tally_at(&w->p->lwpval,
				 (uint64_t[]){key, r->ip, field, value[field]}, 4, 2);

		sum[0] += weight;
		sum[1] += 1;
	}
}

static void add_marker(struct walk *w, const lwp_record_t *r, unsigned metric)
{
	struct profile *p = w->p;

	if (array_grow(&p->marker, p->nmarker, sizeof *p->marker) == -1) {
		w->error = ENOMEM;
		return;
	}
	p->marker[p->nmarker++] =
		(struct profile_marker){.input = (uint32_t)w->input,
					.metric = metric,
					.tid = w->ring->tid,
					.index = w->index,
					.since = w->index - w->last_marker,
					.record = *r};
	w->last_marker = w->index + 1;
}

static void add_details(struct walk *w, const lwp_record_t *r, uint64_t weight,
			unsigned metric)
{
	const unsigned details = w->o->details;

	if (details & PROFILE_CORES) {
		uint64_t *sum =
			tally_at(&w->p->core,
				 (uint64_t[]){profile_key(metric, 0, 0), r->core}, 2, 2);
		sum[0] += weight;
		sum[1] += 1;
	}
	if (r->id == LWP_EVENT_BRE && details & PROFILE_BRANCHES)
		add_branch(w, r, weight, metric);
	if (r->id == LWP_EVENT_DME)
		add_miss(w, r, weight, metric);
	if (r->id == LWP_EVENT_VAL && details & PROFILE_VALUES)
		add_value(w, r, weight, metric);
	if (r->id == LWP_EVENT_INS && details & PROFILE_MARKERS)
		add_marker(w, r, metric);
}

/* Returns whether records of an id have details that are requested. */
static int has_details(unsigned details, uint8_t id)
{
	static const unsigned of_id[256] = {
		[LWP_EVENT_VAL] = PROFILE_VALUES,
		[LWP_EVENT_BRE] = PROFILE_BRANCHES,
		[LWP_EVENT_DME] = PROFILE_LATENCY | PROFILE_DATA | PROFILE_TIME,
		[LWP_EVENT_INS] = PROFILE_MARKERS,
	};

	return (details & (of_id[id] | PROFILE_CORES)) != 0;
}

static int keep(const struct walk *w, const uint8_t *slot)
{
	lwp_record_t r;

	lwp_record_decode(&r, slot);
	return w->o->keep(w->o->arg, w->input, &r, w->ring->tid);
}

static inline void add_record(struct walk *w, const uint8_t *slot)
{
	const uint8_t id = slot[0];
	const int known = w->metric[id];
	const int metric = known == UNKNOWN && id ? find_metric(w, id) : known;

	if (metric < 0 || (w->o->keep && !keep(w, slot))) {
		w->p->invalid += id == 0;
		return;
	}
	const uint64_t key = collect_key((unsigned)metric, w->input);
	const uint64_t ip = bytes_get64(slot + 8);
	uint64_t *sum = tally_at(w->codes, (uint64_t[]){ip, key}, 2, 2);

	sum[0] += w->weight[id];
	sum[1] += 1;
	w->records[id]++;
	if (has_details(w->o->details, id)) {
		lwp_record_t r;

		lwp_record_decode(&r, slot);
		add_details(w, &r, w->weight[id], (unsigned)metric);
	}
}

/* Add what the walk has counted by id to the metrics and to the thread. */
static void end_walk(struct walk *w)
{
	for (unsigned id = 1; id < 256; id++) {
		const uint64_t value = w->records[id] * w->weight[id];

		if (!w->records[id])
			continue;
		const unsigned m = (unsigned)w->metric[id];
		uint64_t *sum = tally_at(
			&w->p->thread,
			(uint64_t[]){profile_key(m, w->input, 0), (uint32_t)w->ring->tid},
			2, 2);

		sum[0] += value;
		sum[1] += w->records[id];
		w->p->metric[m].total += value;
		w->p->metric[m].records += w->records[id];
		w->p->records += w->records[id];
	}
}

/* Widen begin and end to the timestamps of the data cache misses of a ring. */
static void find_times(const lwp_ring_t *ring, uint64_t *begin, uint64_t *end)
{
	const uint32_t count = lwp_ring_count(ring);

	for (uint32_t i = 0, n; i < count; i += n) {
		const uint8_t *slot = lwp_ring_slot(ring, i, &n);

		if (!slot)
			return;
		for (uint32_t k = 0; k < n; k++, slot += ring->event_size) {
			const uint64_t t = bytes_get64(slot + 24);

			if (slot[0] != LWP_EVENT_DME)
				continue;
			*begin = t < *begin ? t : *begin;
			*end = t > *end ? t : *end;
		}
	}
}

/* Set whether the misses have timestamps, and the first and the last. */
static void find_all_times(struct profile *p, uint64_t *begin, uint64_t *end)
{
	*begin = UINT64_MAX;
	*end = 0;
	for (size_t i = 0; i < p->ninput; i++) {
		const struct recording *r = p->input[i].recording;

		for (size_t k = 0; k < r->nring; k++) {
			struct recording_view v;

			if (recording_view(r, &r->ring[k], &v) == 0)
				find_times(&v.ring, begin, end);
		}
	}
	/* A record without a timestamp has 0 there. */
	p->has_time = *begin != 0 && *begin < *end;
	if (!p->has_time)
		*begin = *end = 0;
}

/* Slots whose bytes are missing are at the end of the ring, or all. */
static int walk_ring(struct walk *w)
{
	const lwp_ring_t *ring = &w->view.ring;
	const uint32_t count = lwp_ring_count(ring);

	for (unsigned id = 0; id < 256; id++)
		w->metric[id] = id ? UNKNOWN : LEFT_OUT;
	w->parts = count;
	w->p->missed += ring->missed;
	for (uint32_t n; w->index < count;) {
		const uint8_t *slot = lwp_ring_slot(ring, (uint32_t)w->index, &n);

		if (!slot) {
			w->p->absent++;
			w->index++;
			continue;
		}
		for (; n > 0; n--, w->index++, slot += ring->event_size)
			add_record(w, slot);
	}
	end_walk(w);
	return w->error;
}

static int add_records(struct profile *p, struct tally *codes,
		       const struct profile_options *o)
{
	uint64_t begin = 0, end = 0;

	if (o->details & PROFILE_TIME)
		find_all_times(p, &begin, &end);
	for (size_t i = 0; i < p->ninput; i++) {
		const struct recording *r = p->input[i].recording;

		for (size_t k = 0; k < r->nring; k++) {
			struct walk w = {.p = p,
					 .codes = codes,
					 .o = o,
					 .input = i,
					 .begin = begin,
					 .end = end,
					 .ring = &r->ring[k]};

			if (recording_view(r, w.ring, &w.view) == -1)
				continue;
			errno = walk_ring(&w);
			if (errno)
				return -1;
		}
	}
	return 0;
}

static int add_counts(struct profile *p, size_t input, struct tally *codes,
		      const struct profile_options *o)
{
	const struct recording *r = p->input[input].recording;
	uint32_t event = UINT32_MAX;
	int m = LEFT_OUT;

	for (size_t i = 0; i < r->ncount; i++) {
		const struct recording_count *c = &r->count[i];

		if (c->event >= r->nevent || c->count == 0)
			continue;
		if (c->event != event) {
			const struct metric_key key = metric_of_counts(r, c->event);

			event = c->event;
			m = metric_selected(o->event, &key) ? metric_find(p, &key)
							    : LEFT_OUT;
			if (m == -1)
				return -1;
		}
		if (m == LEFT_OUT)
			continue;
		*tally_at(codes, (uint64_t[]){c->ip, collect_key((unsigned)m, input)}, 2,
			  2) += c->count;
		p->metric[m].total += c->count;
	}
	return 0;
}

int collect(struct profile *p, struct tally *codes, const struct profile_options *o)
{
	for (size_t i = 0; i < p->ninput && !o->records; i++)
		if (add_counts(p, i, codes, o) == -1)
			return -1;
	if (add_records(p, codes, o) == -1)
		return -1;
	metric_cover(p);
	return 0;
}
