#include "cpc/sampling.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/session.h"
#include "cpc/set.h"

enum {
	/* fills 4 MB of each buf */
	MAX_NRECS = 65536,
	/* the field ldlat of Intel PMUs has 16 bits (SDM, MSR_PEBS_LD_LAT) */
	MAX_LATENCY = 65535,
};

/* A request that takes records, and the source of its records. */
struct taker {
	unsigned index;
	struct smpl_source *src;
	uint64_t preset;
};

struct smpl {
	const struct engine_ops *ops;
	unsigned n;
	int no_counters;
	struct taker at[];
};

/* The names of the items, by enum engine_item; libcpc.h documents them. */
static const char *const items[ENGINE_NITEMS] = {
	[ITEM_PC] = "pc",	    [ITEM_TID] = "tid",
	[ITEM_TIME] = "time",	    [ITEM_ADDR] = "addr",
	[ITEM_CPU] = "cpu",	    [ITEM_PERIOD] = "period",
	[ITEM_LATENCY] = "latency", [ITEM_DATA_SRC] = "data_src",
};

uint_t cpc_smpl_npic(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return 0;
	const struct engine_ops *ops = cpc->scope.ops;
	if (!ops->records)
		return 0;
	cpc_lock(cpc);
	const unsigned npic = ops->records->npic(cpc->scope.engine);
	cpc_unlock(cpc);
	return npic;
}

const char *cpc_smpl_iname(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return NULL;
	const struct engine_ops *ops = cpc->scope.ops;

	return ops->records ? ops->records->iname(cpc->scope.engine) : "No sampling";
}

uint_t cpc_caps(cpc_t *cpc)
{
	const uint_t overflow = CPC_CAP_OVERFLOW_INTERRUPT | CPC_CAP_OVERFLOW_PRECISE;
	const uint_t smpl = CPC_CAP_SMPL | CPC_CAP_OVERFLOW_SMPL;

	if (!session_is_open(cpc))
		return 0;
	return (cpc->scope.ops->owns ? overflow : 0) | (cpc_smpl_npic(cpc) ? smpl : 0);
}

uint_t cpc_get_smpl_max_rec_count(cpc_t *cpc)
{
	return cpc_smpl_npic(cpc) ? MAX_NRECS : 0;
}

void cpc_walk_smpl_recitems(cpc_t *cpc, void *arg,
			    void (*action)(void *arg, const char *name, int rec_idx))
{
	if (!cpc_smpl_npic(cpc))
		return;
	for (int i = 0; i < ENGINE_NITEMS; i++)
		action(arg, items[i], i);
}

void cpc_walk_smpl_recitems_req(cpc_t *cpc, cpc_set_t *set, int index, void *arg,
				void (*action)(void *arg, cpc_set_t *set, int index,
					       const char *name, int rec_idx))
{
	if (!set_is_of(cpc, set) || index < 0 || (unsigned)index >= set->reqs->n ||
	    !(set->reqs->req[index].flags & CPC_HW_SMPL)) {
		errno = EINVAL;
		return;
	}
	for (int i = 0; i < ENGINE_NITEMS; i++)
		if (set->reqs->req[index].items >> i & 1)
			action(arg, set, index, items[i], i);
}

static const char nrecs[] = "smpl_nrecs", latency[] = "ld_lat_threshold";

void smpl_walk_attrs(void *arg, void (*action)(void *arg, const char *attr))
{
	action(arg, nrecs);
	action(arg, latency);
}

int smpl_is_attr(const char *name)
{
	return strcmp(name, nrecs) == 0 || strcmp(name, latency) == 0;
}

int smpl_take_attr(struct smpl_params *params, const cpc_attr_t *attr)
{
	const int is_nrecs = strcmp(attr->ca_name, nrecs) == 0;

	if (attr->ca_val < 1 || attr->ca_val > (is_nrecs ? MAX_NRECS : MAX_LATENCY))
		return CPC_ATTRIBUTE_OUT_OF_RANGE;
	*(is_nrecs ? &params->nrecs : &params->latency) = (unsigned)attr->ca_val;
	return 0;
}

static int refuse(cpc_t *cpc, const char *fn, int subcode, const char *what)
{
	errno = EINVAL;
	cpc_report(cpc, fn, subcode, "%s: %s", cpc_subcode_text(subcode), what);
	return -1;
}

int smpl_check_picnum(cpc_t *cpc, uint64_t pic)
{
	return pic < cpc_smpl_npic(cpc)
		       ? 0
		       : refuse(cpc, "cpc_set_add_request", CPC_INVALID_PICNUM,
				"there is no such sampling counter");
}

int smpl_encode(cpc_t *cpc, const char *fn, struct request *q,
		const struct engine_request *req, const struct smpl_params *params)
{
	const struct engine_ops *ops = cpc->scope.ops;
	const uint64_t period = -q->preset;
	struct why why;

	if (!ops->records) {
		errno = ENOTSUP;
		cpc_report(cpc, fn, CPC_REFUSED, "%s: the engine takes no records",
			   req->name);
		return -1;
	}
	if (!params->nrecs)
		return refuse(cpc, fn, CPC_INVALID_ATTRIBUTE,
			      "smpl_nrecs must be given with CPC_HW_SMPL");
	if (period < 1 || period > INT64_MAX)
		return refuse(cpc, fn, CPC_ATTRIBUTE_OUT_OF_RANGE,
			      "the preset must be 2^64 - period");
	q->sel = ops->records->encode(cpc->scope.engine, req, params->latency, &why);
	if (q->sel)
		q->items = ops->records->probe(cpc->scope.engine, q->sel, &why);
	if (q->items) {
		q->nrecs = params->nrecs;
		return 0;
	}
	cpc_report(cpc, fn,
		   params->latency && !q->sel && errno == EINVAL ? CPC_INVALID_ATTRIBUTE
								 : CPC_REFUSED,
		   "%s", why.text);
	return -1;
}

int smpl_can(cpc_t *cpc, const struct engine_request *req)
{
	const struct engine_ops *ops = cpc->scope.ops;
	struct why why;

	if (!ops->records)
		return 0;
	struct evsel *sel = ops->records->encode(cpc->scope.engine, req, 0, &why);
	const int can = sel && ops->records->probe(cpc->scope.engine, sel, &why);

	ops->drop(sel);
	return can;
}

static int open_taker(cpc_t *cpc, const struct requests *r, unsigned index, int signo,
		      struct taker *t, struct why *why)
{
	const struct request *q = &r->req[index];
	const struct engine_sampling how = {
		.period = -q->preset,
		.nrecs = q->nrecs,
		.signo = q->flags & CPC_OVF_NOTIFY_EMT ? signo : 0,
	};

	*t = (struct taker){.index = index, .preset = q->preset};
	t->src = r->ops->records->open(cpc->scope.engine, q->sel, &how, why);
	return t->src ? 0 : -1;
}

int smpl_bind(cpc_t *cpc, const struct requests *r, int signo, struct smpl **s,
	      struct why *why)
{
	*s = NULL;
	if (r->n == r->ncounted)
		return 0;
	struct smpl *new =
		calloc(1, sizeof *new + (r->n - r->ncounted) * sizeof new->at[0]);
	if (!new) {
		strcpy(why->text, "no memory for sampling");
		return -1;
	}
	new->ops = r->ops;
	new->no_counters = r->ncounted == 0;
	for (unsigned i = 0; i < r->n; i++) {
		if (!(r->req[i].flags & CPC_HW_SMPL))
			continue;
		if (open_taker(cpc, r, i, signo, &new->at[new->n], why) == -1) {
			const int e = errno;

			smpl_unbind(new);
			errno = e;
			return -1;
		}
		new->n++;
	}
	*s = new;
	return 0;
}

void smpl_unbind(struct smpl *s)
{
	for (unsigned i = 0; s && i < s->n; i++)
		s->ops->records->close(s->at[i].src);
	free(s);
}

int smpl_owns(const struct smpl *s, int fd)
{
	for (unsigned i = 0; s && i < s->n; i++)
		if (s->ops->records->owns(s->at[i].src, fd))
			return 1;
	return 0;
}

int smpl_freeze(struct smpl *s)
{
	for (unsigned i = 0; s && i < s->n; i++)
		if (s->ops->records->freeze(s->at[i].src) == -1)
			return -1;
	return 0;
}

int smpl_thaw(struct smpl *s)
{
	for (unsigned i = 0; s && i < s->n; i++)
		if (s->ops->records->thaw(s->at[i].src) == -1)
			return -1;
	return 0;
}

int smpl_restart(struct smpl *s, const uint64_t *preset)
{
	for (unsigned i = 0; s && i < s->n; i++) {
		struct taker *t = &s->at[i];

		if (preset[t->index] == t->preset)
			continue;
		if (s->ops->records->period(t->src, -preset[t->index]) == -1)
			return -1;
		t->preset = preset[t->index];
	}
	return 0;
}

int smpl_drain(struct smpl *s, cpc_buf_t *buf)
{
	struct smpl_state state = {0};

	for (unsigned i = 0; s && i < s->n; i++) {
		struct smpl_recs *recs = &buf->smpl[s->at[i].index];
		const int n =
			s->ops->records->read(s->at[i].src, recs->rec, recs->max, &state);

		recs->n = n < 0 ? 0 : (unsigned)n;
		if (n < 0)
			return -1;
		recs->lost = state.lost;
	}
	if (s && s->no_counters) {
		buf->hrtime = state.ns;
		buf->on = state.on;
	}
	return 0;
}

struct smpl_recs *smpl_recs_new(const struct requests *r, int *ok)
{
	*ok = 1;
	if (r->n == r->ncounted)
		return NULL;
	struct smpl_recs *recs = calloc(r->n, sizeof *recs);
	*ok = recs != NULL;
	for (unsigned i = 0; *ok && i < r->n; i++) {
		recs[i].max = r->req[i].nrecs;
		if (recs[i].max)
			recs[i].rec =
				calloc(recs[i].max, ENGINE_NITEMS * sizeof(uint64_t));
		*ok = !recs[i].max || recs[i].rec;
	}
	if (*ok)
		return recs;
	smpl_recs_free(recs, r->n);
	return NULL;
}

void smpl_recs_free(struct smpl_recs *recs, unsigned n)
{
	for (unsigned i = 0; recs && i < n; i++)
		free(recs[i].rec);
	free(recs);
}

int smpl_recs_fit(const cpc_buf_t *buf, const struct requests *r)
{
	if (!buf->smpl)
		return r->n == r->ncounted;
	for (unsigned i = 0; i < r->n; i++)
		if (buf->smpl[i].max != r->req[i].nrecs)
			return 0;
	return 1;
}
