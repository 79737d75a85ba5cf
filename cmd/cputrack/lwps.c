#include "lwps.h"

#include <errno.h>
#include <stdlib.h>

void lwps_buf_free(cpc_t *cpc, cpc_buf_t *buf)
{
	if (buf)
		cpc_buf_destroy(cpc, buf);
}

void lwps_free(struct track *t, struct counted_lwp *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < t->sets->n; i++) {
		lwps_buf_free(t->cpc, l->set[i].total.buf);
		lwps_buf_free(t->cpc, l->set[i].previous);
		if (l->set[i].set)
			cpc_set_destroy(t->cpc, l->set[i].set);
	}
	ring_drop(&l->link);
	free(l);
}

struct counted_lwp *lwps_new(struct track *t)
{
	struct counted_lwp *l = calloc(1, sizeof *l + t->sets->n * sizeof l->set[0]);

	if (!l)
		return NULL;
	ring_add(&t->lwps, &l->link);
	return l;
}

void lwps_proc_free(struct counted_proc *p)
{
	for (unsigned i = 0; i < p->track->sets->n; i++)
		lwps_buf_free(p->track->cpc, p->total[i].buf);
	ring_drop(&p->link);
	free(p);
}

struct counted_proc *lwps_proc_new(struct track *t, pctx_t *pctx, pid_t pid)
{
	struct counted_proc *p = calloc(1, sizeof *p + t->sets->n * sizeof p->total[0]);

	if (!p)
		return NULL;
	p->track = t;
	p->pctx = pctx;
	p->pid = pid;
	ring_add(&t->procs, &p->link);
	for (unsigned i = 0; i < t->sets->n; i++) {
		p->total[i].buf = cpc_buf_create(t->cpc, t->sets->member[i].set);
		if (!p->total[i].buf) {
			lwps_proc_free(p);
			return NULL;
		}
	}
	return p;
}

struct counted_lwp *lwps_find(pctx_t *pctx, id_t lwpid)
{
	void **data = pctx_lwp_data(pctx, lwpid);

	return data ? *data : NULL;
}

/* Copies a set for an LWP when the set is bound for the first time. */
static int copy_set(const struct track *t, struct counted_set *s, cpc_set_t *set)
{
	s->set = cpc_set_dup(t->cpc, set);
	s->previous = cpc_buf_create(t->cpc, set);
	s->total.buf = cpc_buf_create(t->cpc, set);
	return s->set && s->previous && s->total.buf ? 0 : -1;
}

static int bind_set(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l,
		    unsigned i)
{
	struct counted_set *s = &l->set[i];

	if (!s->set && copy_set(t, s, t->sets->member[i].set) == -1)
		return -1;
	cpc_buf_zero(t->cpc, s->previous);
	s->bound = cpc_bind_pctx(t->cpc, pctx, lwpid, s->set, 0) == 0;
	if (!s->bound)
		return errno == ESRCH ? 0 : -1;
	return named_bound(t->named, pctx_pid(pctx), i, s->set);
}

int lwps_bind_first(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l)
{
	for (unsigned i = 0; i < t->sets->n; i++)
		if ((i == l->current || t->turns[i].early) &&
		    bind_set(t, pctx, lwpid, l, i) == -1)
			return -1;
	return 0;
}

int lwps_bind_next(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l)
{
	lwps_unbind(t, l);
	named_settle(t->named, pctx_pid(pctx));
	l->current = (l->current + 1) % t->sets->n;
	return bind_set(t, pctx, lwpid, l, l->current);
}

void lwps_unbind(struct track *t, struct counted_lwp *l)
{
	for (unsigned i = 0; i < t->sets->n; i++) {
		if (l->set[i].bound)
			cpc_unbind(t->cpc, l->set[i].set);
		l->set[i].bound = 0;
	}
}

static int sample_set(struct track *t, struct counted_lwp *l, unsigned i)
{
	struct counted_set *s = &l->set[i];
	cpc_buf_t *now = t->now[i], *delta = t->delta[i];

	if (cpc_set_sample(t->cpc, s->set, now) == -1)
		return -1;
	cpc_buf_sub(t->cpc, delta, now, s->previous);
	cpc_buf_copy(t->cpc, s->previous, now);
	cpc_buf_add(t->cpc, s->total.buf, s->total.buf, delta);
	s->total.sampled = 1;
	t->turns[i].counted = 1;
	return 0;
}

int lwps_sample(struct track *t, struct counted_lwp *l)
{
	for (unsigned i = 0; i < t->sets->n; i++)
		if (l->set[i].bound && sample_set(t, l, i) == -1)
			return -1;
	return 0;
}

int lwps_peek(struct track *t, const struct counted_lwp *l, unsigned set)
{
	const struct counted_set *s = &l->set[set];
	cpc_buf_t *now = t->now[set], *sum = t->delta[set];

	if (!s->bound) {
		if (s->total.sampled)
			cpc_buf_copy(t->cpc, sum, s->total.buf);
		return s->total.sampled ? 0 : -1;
	}
	if (cpc_set_sample(t->cpc, s->set, now) == -1)
		return -1;
	cpc_buf_sub(t->cpc, sum, now, s->previous);
	cpc_buf_add(t->cpc, sum, sum, s->total.buf);
	return 0;
}
