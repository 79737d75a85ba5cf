#include "cpc/buf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "cpc/sampling.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/value.h"

enum { LINE = 64 }; /* bytes of a cache line of most processors */

static struct pool bufs = {.size = sizeof(cpc_buf_t)};

static void destroy(struct owned *o)
{
	cpc_buf_t *buf = (cpc_buf_t *)o;

	cpc_buf_destroy(buf->cpc, buf);
}

/* Free what buf owns, and buf. */
static void buf_free(cpc_buf_t *buf)
{
	smpl_recs_free(buf->smpl, buf->n);
	requests_drop(buf->reqs);
	free(buf->val);
	pool_put(&bufs, buf);
}

/*
 * The values begin at a cache line, since copying values that lie across two pages takes
 * several times as long. An empty set has a buf, too.
 */
static int allocate(cpc_buf_t *buf, const struct requests *r)
{
	const size_t size = (r->n + 1) * (sizeof *buf->val + sizeof *buf->preset);
	const size_t lines = (size + LINE - 1) / LINE;
	int ok;

	buf->val = aligned_alloc(LINE, lines * LINE);
	if (!buf->val)
		return -1;
	memset(buf->val, 0, lines * LINE);
	buf->preset = (uint64_t *)&buf->val[r->n];
	buf->smpl = smpl_recs_new(r, &ok);
	return ok ? 0 : -1;
}

cpc_buf_t *cpc_buf_create(cpc_t *cpc, cpc_set_t *set)
{
	if (!set_is_of(cpc, set))
		return NULL;
	cpc_buf_t *buf = pool_get(&bufs);
	if (!buf)
		return NULL;
	buf->owned.destroy = destroy;
	buf->cpc = cpc;
	buf->reqs = requests_keep(set->reqs);
	buf->n = set->reqs->n;
	if (allocate(buf, set->reqs) == -1) {
		const int e = errno;

		buf_free(buf);
		errno = e;
		return NULL;
	}
	cpc_lock(cpc);
	ring_add(&cpc->owned, &buf->owned.link);
	cpc_unlock(cpc);
	return buf;
}

int cpc_buf_destroy(cpc_t *cpc, cpc_buf_t *buf)
{
	if (!buf_is_of(cpc, buf))
		return -1;
	cpc_lock(cpc);
	ring_drop(&buf->owned.link);
	cpc_unlock(cpc);
	buf_free(buf);
	return 0;
}

int buf_fits(const cpc_buf_t *buf, const struct requests *r)
{
	return buf->n == r->n && (buf->reqs == r || smpl_recs_fit(buf, r));
}

void buf_take(cpc_buf_t *buf, struct requests *r)
{
	if (buf->reqs == r)
		return;
	requests_keep(r);
	requests_drop(buf->reqs);
	buf->reqs = r;
}

void buf_set_presets(cpc_buf_t *buf, const struct requests *r)
{
	for (unsigned i = 0; i < buf->n; i++)
		buf->preset[i] = r->req[i].preset;
}

static inline int takes_records(const cpc_buf_t *buf, unsigned index)
{
	return buf->smpl && buf->smpl[index].max > 0;
}

/*
 * Returns 1 if buf has a request of this index which takes records (records is 1) or
 * counts (records is 0); else 0 with EINVAL.
 */
static inline int in_range(const cpc_t *cpc, const cpc_buf_t *buf, int index, int records)
{
	if (!buf_is_of(cpc, buf))
		return 0;
	if ((unsigned)index < buf->n && takes_records(buf, (unsigned)index) == records)
		return 1;
	errno = EINVAL;
	return 0;
}

int cpc_buf_value(cpc_t *cpc, const cpc_buf_t *buf, int index, cpc_value_t *val)
{
	if (!in_range(cpc, buf, index, 0))
		return -1;
	const struct requests *r = buf->reqs;

	*val = value_of(&buf->val[index], r->ops->class(r->req[index].sel),
			buf->preset[index]);
	return 0;
}

const char *cpc_class_name(cpc_class_t class)
{
	static const char *const name[] = {
		[CPC_EXACT] = "exact",	       [CPC_SIMULATED] = "simulated",
		[CPC_SCALED] = "scaled",       [CPC_APPROXIMATE] = "approximate",
		[CPC_ESTIMATED] = "estimated", [CPC_UNAVAILABLE] = "unavailable",
	};

	return name[class];
}

int cpc_buf_get(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t *val)
{
	if (!in_range(cpc, buf, index, 0))
		return -1;
	const struct count *c = &buf->val[index];
	*val = buf->preset[index] + (value_is_partial(c) ? value_scaled(c) : c->count);
	return 0;
}

int cpc_buf_set(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t val)
{
	if (!in_range(cpc, buf, index, 0))
		return -1;
	buf->val[index] = (struct count){.count = val};
	buf->preset[index] = 0;
	return 0;
}

hrtime_t cpc_buf_hrtime(cpc_t *cpc, cpc_buf_t *buf)
{
	return buf_is_of(cpc, buf) ? buf->hrtime : 0;
}

uint64_t cpc_buf_tick(cpc_t *cpc, cpc_buf_t *buf)
{
	return buf_is_of(cpc, buf) ? cpc->scope.ops->cycles(cpc->scope.engine, buf->on)
				   : 0;
}

/* Records belong to the time since the sample before: differences and sums have none. */
static void forget_records(cpc_buf_t *buf)
{
	for (unsigned i = 0; buf->smpl && i < buf->n; i++) {
		buf->smpl[i].n = 0;
		buf->smpl[i].lost = 0;
	}
}

static int has_counted(const struct count *c)
{
	return !c->absent && c->enabled > 0;
}

/*
 * Returns 1 if a result has no value. A difference needs both operands; a sum takes the
 * operands whose target has the event, if the event was counted there.
 */
static int is_absent(const struct count *a, const struct count *b, uint64_t sign)
{
	return (a->absent || b->absent) &&
	       (sign != 1 || (!has_counted(a) && !has_counted(b)));
}

/* Compute a + sign * b, modulo 2^64. */
static void combine(const cpc_t *cpc, cpc_buf_t *ds, const cpc_buf_t *a,
		    const cpc_buf_t *b, uint64_t sign)
{
	if (!buf_is_of(cpc, ds) || !buf_is_of(cpc, a) || !buf_is_of(cpc, b) ||
	    !buf_fits(ds, a->reqs) || !buf_fits(ds, b->reqs))
		return;
	forget_records(ds);
	for (unsigned i = 0; i < ds->n; i++) {
		ds->val[i] = (struct count){
			.count = a->val[i].count + sign * b->val[i].count,
			.enabled = a->val[i].enabled + sign * b->val[i].enabled,
			.running = a->val[i].running + sign * b->val[i].running,
			.approximate = a->val[i].approximate | b->val[i].approximate,
			.absent = is_absent(&a->val[i], &b->val[i], sign),
		};
		ds->preset[i] = a->preset[i] + sign * b->preset[i];
	}
	buf_take(ds, a->reqs);
	ds->on = a->on + sign * b->on;
	ds->hrtime = a->hrtime > b->hrtime ? a->hrtime : b->hrtime;
}

void cpc_buf_sub(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b)
{
	combine(cpc, ds, a, b, UINT64_MAX);
}

void cpc_buf_add(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b)
{
	combine(cpc, ds, a, b, 1);
}

static void copy_records(cpc_buf_t *ds, const cpc_buf_t *src)
{
	for (unsigned i = 0; ds->smpl && i < ds->n; i++) {
		const struct smpl_recs *from = &src->smpl[i];

		ds->smpl[i].n = from->n;
		ds->smpl[i].lost = from->lost;
		if (from->n)
			memmove(ds->smpl[i].rec, from->rec,
				from->n * ENGINE_NITEMS * sizeof *from->rec);
	}
}

void cpc_buf_copy(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *src)
{
	if (!buf_is_of(cpc, ds) || !buf_is_of(cpc, src) || !buf_fits(ds, src->reqs))
		return;
	copy_records(ds, src);
	ds->hrtime = src->hrtime;
	ds->on = src->on;
	memmove(ds->val, src->val, ds->n * sizeof ds->val[0]);
	memmove(ds->preset, src->preset, ds->n * sizeof ds->preset[0]);
	buf_take(ds, src->reqs);
}

void cpc_buf_zero(cpc_t *cpc, cpc_buf_t *buf)
{
	if (!buf_is_of(cpc, buf))
		return;
	forget_records(buf);
	buf->hrtime = 0;
	buf->on = 0;
	memset(buf->val, 0, buf->n * sizeof buf->val[0]);
	memset(buf->preset, 0, buf->n * sizeof buf->preset[0]);
}

/* Returns a record, or NULL with EINVAL. */
static uint64_t *find_record(const cpc_t *cpc, const cpc_buf_t *buf, int index,
			     uint_t record)
{
	if (!in_range(cpc, buf, index, 1))
		return NULL;
	if (record < buf->smpl[index].n)
		return &buf->smpl[index].rec[(size_t)record * ENGINE_NITEMS];
	errno = EINVAL;
	return NULL;
}

uint64_t *cpc_buf_smpl_get_record(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record)
{
	return find_record(cpc, buf, index, record);
}

int cpc_buf_smpl_get_item(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record, int item,
			  uint64_t *val)
{
	const uint64_t *rec = find_record(cpc, buf, index, record);

	if (!rec)
		return -1;
	if (!val || item < 0 || item >= ENGINE_NITEMS ||
	    !(buf->reqs->req[index].items >> item & 1)) {
		errno = EINVAL;
		return -1;
	}
	*val = rec[item];
	return 0;
}

int cpc_buf_smpl_rec_count(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t *count)
{
	if (!in_range(cpc, buf, index, 1))
		return -1;
	*count = buf->smpl[index].n;
	return 0;
}

int cpc_buf_smpl_lost(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t *lost)
{
	if (!in_range(cpc, buf, index, 1))
		return -1;
	*lost = buf->smpl[index].lost;
	return 0;
}
