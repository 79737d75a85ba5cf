/* Bufs: samples and what can be computed from them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "libcpc.h"
#include "libcpc_impl.h"

cpc_buf_t *cpc_buf_create(cpc_t *cpc, cpc_set_t *set)
{
	if (set->cpc != cpc) {
		errno = EINVAL;
		return NULL;
	}
	const size_t n = set->reqs->n;
	cpc_buf_t *buf =
		calloc(1, sizeof *buf + n * (sizeof buf->val[0] + sizeof *buf->preset));
	if (!buf)
		return NULL;
	buf->cpc = cpc;
	buf->reqs = requests_keep(set->reqs);
	buf->n = set->reqs->n;
	buf->preset = (uint64_t *)&buf->val[n];
	link_add(&cpc->bufs, &buf->link);
	return buf;
}

int cpc_buf_destroy(cpc_t *cpc, cpc_buf_t *buf)
{
	if (buf->cpc != cpc) {
		errno = EINVAL;
		return -1;
	}
	link_drop(&buf->link);
	requests_drop(buf->reqs);
	free(buf);
	return 0;
}

void buf_take(cpc_buf_t *buf, struct requests *r)
{
	requests_keep(r);
	requests_drop(buf->reqs);
	buf->reqs = r;
}

static int in_range(const cpc_buf_t *buf, int index)
{
	if (index >= 0 && (unsigned)index < buf->n)
		return 1;
	errno = EINVAL;
	return 0;
}

/* count * enabled / running, without overflow on the way. */
static uint64_t scale(const struct count *c)
{
	if (c->running == 0 || c->running >= c->enabled)
		return c->count;
	return (uint64_t)((unsigned __int128)c->count * c->enabled / c->running);
}

/*
 * An event that was enabled and never running was not counted at all: its 0 is no value.
 */
int cpc_buf_value(cpc_t *cpc, const cpc_buf_t *buf, int index, cpc_value_t *val)
{
	(void)cpc;
	if (!in_range(buf, index))
		return -1;
	const struct count *c = &buf->val[index];
	const struct requests *r = buf->reqs;
	cpc_class_t class = r->ops->class(r->req[index].sel);
	if (c->enabled > 0 && c->running == 0)
		class = CPC_UNAVAILABLE;
	else if (c->running < c->enabled && class < CPC_SCALED)
		class = CPC_SCALED;
	*val = (cpc_value_t){
		.value = buf->preset[index] + scale(c),
		.count = buf->preset[index] + c->count,
		.enabled = c->enabled,
		.running = c->running,
		.class = class,
	};
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
	(void)cpc;
	if (!in_range(buf, index))
		return -1;
	*val = buf->preset[index] + scale(&buf->val[index]);
	return 0;
}

int cpc_buf_set(cpc_t *cpc, cpc_buf_t *buf, int index, uint64_t val)
{
	(void)cpc;
	if (!in_range(buf, index))
		return -1;
	buf->val[index] = (struct count){.count = val};
	buf->preset[index] = 0;
	return 0;
}

hrtime_t cpc_buf_hrtime(cpc_t *cpc, cpc_buf_t *buf)
{
	(void)cpc;
	return buf->hrtime;
}

uint64_t cpc_buf_tick(cpc_t *cpc, cpc_buf_t *buf)
{
	return cpc->scope.ops->cycles(cpc->scope.engine, buf->on);
}

/* a + sign * b, modulo 2^64. */
static void combine(cpc_buf_t *ds, const cpc_buf_t *a, const cpc_buf_t *b, uint64_t sign)
{
	if (ds->n != a->n || ds->n != b->n)
		return;
	for (unsigned i = 0; i < ds->n; i++) {
		ds->val[i] = (struct count){
			.count = a->val[i].count + sign * b->val[i].count,
			.enabled = a->val[i].enabled + sign * b->val[i].enabled,
			.running = a->val[i].running + sign * b->val[i].running,
		};
		ds->preset[i] = a->preset[i] + sign * b->preset[i];
	}
	buf_take(ds, a->reqs);
	ds->on = a->on + sign * b->on;
	ds->hrtime = a->hrtime > b->hrtime ? a->hrtime : b->hrtime;
}

void cpc_buf_sub(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b)
{
	(void)cpc;
	combine(ds, a, b, UINT64_MAX);
}

void cpc_buf_add(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *a, cpc_buf_t *b)
{
	(void)cpc;
	combine(ds, a, b, 1);
}

void cpc_buf_copy(cpc_t *cpc, cpc_buf_t *ds, cpc_buf_t *src)
{
	(void)cpc;
	if (ds->n != src->n)
		return;
	ds->hrtime = src->hrtime;
	ds->on = src->on;
	memmove(ds->val, src->val, ds->n * sizeof ds->val[0]);
	memmove(ds->preset, src->preset, ds->n * sizeof ds->preset[0]);
	buf_take(ds, src->reqs);
}

void cpc_buf_zero(cpc_t *cpc, cpc_buf_t *buf)
{
	(void)cpc;
	buf->hrtime = 0;
	buf->on = 0;
	memset(buf->val, 0, buf->n * sizeof buf->val[0]);
	memset(buf->preset, 0, buf->n * sizeof buf->preset[0]);
}
