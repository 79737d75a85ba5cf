#include "cpc/lifetimes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/buf.h"
#include "cpc/session.h"
#include "cpc/set.h"

struct cpc_lifetimes {
	cpc_t *cpc;
	const struct engine_lifetimes *ops;
	struct lifetimes *lives; /* of the engine */
	unsigned n;		 /* sets */
	cpc_set_t *const *set;
	cpc_buf_t **buf;	  /* [n] */
	const struct evsel **sel; /* of all sets, one after another */
	struct count *total;	  /* of all evsels */
	/* the caller's, of lifetimes_read() */
	void *arg;
	void (*fn)(void *arg, const struct cpc_life *life);
};

/* Move the values of all evsels into the bufs of their sets. */
static void fill(const struct cpc_lifetimes *l, const struct count *val, int64_t ns,
		 cpc_buf_t *const *buf)
{
	for (unsigned i = 0; i < l->n; i++) {
		struct requests *r = l->set[i]->reqs;

		buf_take(buf[i], r);
		memcpy(buf[i]->val, val, r->ncounted * sizeof *val);
		buf[i]->hrtime = ns;
		buf[i]->on = r->ncounted ? val->enabled : 0;
		buf_set_presets(buf[i], r);
		val += r->ncounted;
	}
}

/* Assign counters to all sets, and list their evsels. Returns how many, or -1. */
static int prepare(struct cpc_lifetimes *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++) {
		if (assign_counters(l->cpc, "lifetimes_open", l->set[i]) == -1 ||
		    bind_check_plain(l->cpc, "lifetimes_open", l->set[i]) == -1)
			return -1;
		l->buf[i] = cpc_buf_create(l->cpc, l->set[i]);
		if (!l->buf[i])
			return -1;
		n += l->set[i]->reqs->ncounted;
	}
	l->sel = calloc(n + 1, sizeof *l->sel);
	l->total = calloc(n + 1, sizeof *l->total);
	if (!l->sel || !l->total)
		return -1;
	n = 0;
	for (unsigned i = 0; i < l->n; i++)
		for (unsigned k = 0; k < l->set[i]->reqs->ncounted; k++)
			l->sel[n++] = l->set[i]->reqs->sel[k];
	return (int)n;
}

static int open_locked(struct cpc_lifetimes *l, const struct engine_tree *tree)
{
	struct why why;
	const int n = prepare(l);

	if (n == -1)
		return -1;
	l->lives = l->ops->open(l->cpc->scope.engine, tree, l->sel, (unsigned)n, &why);
	if (!l->lives)
		cpc_report(l->cpc, "lifetimes_open", CPC_REFUSED, "%s", why.text);
	return l->lives ? 0 : -1;
}

/* Returns NULL with ENOTSUP. */
static const struct engine_lifetimes *ops_of(const cpc_t *cpc, enum lifetimes_by by)
{
	const struct engine_ops *all = cpc->scope.ops;
	const struct engine_lifetimes *ops =
		by == LIFETIMES_BY_BPF ? all->bpf_lifetimes : all->lifetimes;

	if (!ops)
		errno = ENOTSUP;
	return ops;
}

int lifetimes_check(cpc_t *cpc, enum lifetimes_by by)
{
	const struct engine_lifetimes *ops = ops_of(cpc, by);
	struct why why;

	if (!ops)
		return -1;
	if (!ops->check || ops->check(&why) == 0)
		return 0;
	cpc_lock(cpc);
	cpc_report(cpc, "lifetimes_check", CPC_REFUSED, "%s", why.text);
	cpc_unlock(cpc);
	return -1;
}

struct cpc_lifetimes *lifetimes_open(cpc_t *cpc, enum lifetimes_by by,
				     const struct engine_tree *tree, unsigned n,
				     cpc_set_t *const *set)
{
	const struct engine_lifetimes *ops = ops_of(cpc, by);

	if (!ops)
		return NULL;
	struct cpc_lifetimes *l = calloc(1, sizeof *l);
	if (!l)
		return NULL;
	*l = (struct cpc_lifetimes){.cpc = cpc, .ops = ops, .n = n, .set = set};
	l->buf = calloc(n + 1, sizeof(cpc_buf_t *));
	cpc_lock(cpc);
	const int rc = l->buf ? open_locked(l, tree) : -1;
	cpc_unlock(cpc);
	if (rc == 0)
		return l;
	lifetimes_close(l);
	return NULL;
}

/* Keeps errno. */
void lifetimes_close(struct cpc_lifetimes *l)
{
	const int e = errno;

	if (!l)
		return;
	l->ops->close(l->lives);
	for (unsigned i = 0; l->buf && i < l->n; i++)
		if (l->buf[i])
			cpc_buf_destroy(l->cpc, l->buf[i]);
	free(l->buf);
	free(l->sel);
	free(l->total);
	free(l);
	errno = e;
}

static void pass(void *arg, const struct engine_life *life)
{
	const struct cpc_lifetimes *l = arg;

	if (life->val)
		fill(l, life->val, life->ns, l->buf);
	l->fn(l->arg, &(struct cpc_life){.kind = life->kind,
					 .ns = life->ns,
					 .pid = life->pid,
					 .tid = life->tid,
					 .parent_pid = life->parent_pid,
					 .parent_tid = life->parent_tid,
					 .parent_sleeps = life->parent_sleeps,
					 .name = life->name,
					 .args = life->args,
					 .buf = life->val ? l->buf : NULL});
}

void lifetimes_read(struct cpc_lifetimes *l, int all, void *arg,
		    void (*fn)(void *arg, const struct cpc_life *life))
{
	l->arg = arg;
	l->fn = fn;
	l->ops->read(l->lives, all, l, pass);
}

int lifetimes_living(struct cpc_lifetimes *l, void *arg,
		     void (*fn)(void *arg, const struct cpc_life *life))
{
	l->arg = arg;
	l->fn = fn;
	if (l->ops->living)
		return l->ops->living(l->lives, l, pass);
	errno = ENOTSUP;
	return -1;
}

const char lifetimes_no_end[] =
	"this kernel does not record what an LWP has counted when the LWP ends";

struct sought {
	pid_t tid;
	int found;
};

static void look(void *arg, const struct engine_life *life)
{
	struct sought *s = arg;

	s->found |= life->kind == LIFE_END && life->tid == s->tid;
}

int lifetimes_engine_has_end(const struct engine_lifetimes *ops, struct lifetimes *l,
			     pid_t tid)
{
	struct sought s = {.tid = tid};

	ops->read(l, 1, &s, look);
	return s.found;
}

int lifetimes_has_end(struct cpc_lifetimes *l, pid_t tid)
{
	return lifetimes_engine_has_end(l->ops, l->lives, tid);
}

uint64_t lifetimes_lost(const struct cpc_lifetimes *l)
{
	return l->ops->lost(l->lives);
}

const char *lifetimes_why_absent(const struct cpc_lifetimes *l)
{
	return l->ops->why_absent ? l->ops->why_absent(l->lives) : NULL;
}

int lifetimes_total(struct cpc_lifetimes *l, cpc_buf_t *const *buf)
{
	const int64_t ns = clock_ns();

	if (l->ops->total(l->lives, l->total) == -1)
		return -1;
	fill(l, l->total, ns, buf);
	return 0;
}
