#include "pctx/table.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pool.h"
#include "pctx/stopcount.h"

enum { FIRST_BUCKETS = 64 }; /* a power of 2 */

/* The handles: t is NULL in one that was freed. */
static struct pool handles = {.size = sizeof(struct __pctx)};

/* The tracers of a thread. Only the thread itself can use them. */
static _Thread_local struct tracer *newest;

static struct lwp **bucket_of(const struct tracer *t, pid_t tid)
{
	return &t->bucket[((unsigned)tid * 2654435761u >> 7) & (t->nbuckets - 1)];
}

struct tracer *tracer_new(int created, int verbose, pctx_errfn_t *errfn)
{
	struct tracer *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->nbuckets = FIRST_BUCKETS;
	t->bucket = calloc(t->nbuckets, sizeof *t->bucket);
	if (!t->bucket) {
		free(t);
		return NULL;
	}
	t->created = created;
	t->verbose = verbose;
	t->errfn = errfn;
	t->thread = gettid();
	t->older = newest;
	newest = t;
	return t;
}

int pctx_is_handle(const struct __pctx *p)
{
	for (const struct tracer *t = p && p->t ? newest : NULL; t; t = t->older)
		if (p->t == t)
			return 1;
	return 0;
}

/* A child of fork(2) has copies of the tracers, but traces nothing. */
int tracer_is_busy(void)
{
	const pid_t thread = gettid();

	for (const struct tracer *t = newest; t; t = t->older)
		if (t->busy && t->thread == thread)
			return 1;
	return 0;
}

int tracer_is_only(const struct tracer *t)
{
	return newest == t && !t->older;
}

void tracer_free(struct tracer *t)
{
	if (!t)
		return;
	while (t->first)
		proc_drop(t->first);
	for (unsigned i = 0; i < t->nbuckets; i++)
		while (t->bucket[i])
			lwp_drop(t, t->bucket[i]);
	for (struct tracer **at = &newest; *at; at = &(*at)->older)
		if (*at == t) {
			*at = t->older;
			break;
		}
	free(t->bucket);
	if (t->root)
		pool_put(&handles, t->root);
	free(t->launcher);
	free(t);
}

struct __pctx *proc_new(struct tracer *t, pid_t pid, const struct __pctx *parent)
{
	struct __pctx *p = pool_get(&handles);

	if (!p)
		return NULL;
	p->t = t;
	p->pid = pid;
	if (parent) {
		p->arg = parent->arg;
		p->h = parent->h;
	}
	p->prev = t->last;
	*(t->last ? &t->last->next : &t->first) = p;
	t->last = p;
	return p;
}

int proc_listed(const struct __pctx *p)
{
	return p->prev || p->t->first == p;
}

/* The LWPs that p has announced will be detached at their first stop. */
static void disown_announced(const struct __pctx *p)
{
	const struct tracer *t = p->t;

	for (unsigned i = 0; i < t->nbuckets && t->nunborn; i++)
		for (struct lwp *l = t->bucket[i]; l; l = l->chain)
			if (l->state == LWP_ANNOUNCED && l->proc == p)
				l->proc = NULL;
}

void proc_drop(struct __pctx *p)
{
	struct tracer *t = p->t;

	while (p->first)
		lwp_drop(t, p->first);
	disown_announced(p);
	if (proc_listed(p)) {
		*(p->prev ? &p->prev->next : &t->first) = p->next;
		*(p->next ? &p->next->prev : &t->last) = p->prev;
		p->next = p->prev = NULL;
	}
	if (p != t->root)
		pool_put(&handles, p);
}

struct lwp *lwp_find(const struct tracer *t, pid_t tid)
{
	struct lwp *l = *bucket_of(t, tid);

	while (l && l->tid != tid)
		l = l->chain;
	return l;
}

/* Handlers mostly look up the LWP that they are called for, which is the cursor. */
struct lwp *lwp_by_number(struct __pctx *p, id_t id)
{
	if (p->cursor && p->cursor->id == id)
		return p->cursor;
	for (struct lwp *l = p->first; l; l = l->next)
		if (l->id == id)
			return p->cursor = l;
	return NULL;
}

static void hash_insert(struct tracer *t, struct lwp *l)
{
	struct lwp **b = bucket_of(t, l->tid);

	l->chain = *b;
	*b = l;
}

static void hash_remove(struct tracer *t, struct lwp *l)
{
	struct lwp **b = bucket_of(t, l->tid);

	while (*b != l)
		b = &(*b)->chain;
	*b = l->chain;
}

/* If memory is short, the table keeps its size and its chains get longer. */
static void grow(struct tracer *t)
{
	struct lwp **old = t->bucket;
	const unsigned n = t->nbuckets;
	struct lwp **bucket = calloc(2 * n, sizeof *bucket);

	if (!bucket)
		return;
	t->bucket = bucket;
	t->nbuckets = 2 * n;
	for (unsigned i = 0; i < n; i++)
		for (struct lwp *l = old[i], *next; l; l = next) {
			next = l->chain;
			hash_insert(t, l);
		}
	free(old);
}

struct lwp *lwp_new(struct tracer *t, pid_t tid, enum lwp_state state)
{
	struct lwp *l = calloc(1, sizeof *l);

	if (!l)
		return NULL;
	if (t->nlwps >= t->nbuckets)
		grow(t);
	l->tid = tid;
	l->state = state;
	hash_insert(t, l);
	t->nlwps++;
	t->nunborn++;
	return l;
}

void lwp_assign_number(struct lwp *l, struct __pctx *p)
{
	l->id = ++p->last_id;
}

void lwp_join(struct lwp *l, struct __pctx *p)
{
	p->t->nunborn--;
	l->state = LWP_LIVE;
	l->proc = p;
	if (!l->id)
		lwp_assign_number(l, p);
	for (l->prev = p->last; l->prev && l->prev->id > l->id; l->prev = l->prev->prev)
		;
	l->next = l->prev ? l->prev->next : p->first;
	*(l->prev ? &l->prev->next : &p->first) = l;
	*(l->next ? &l->next->prev : &p->last) = l;
	p->cursor = l;
}

void lwp_rename(struct tracer *t, struct lwp *l, pid_t tid)
{
	hash_remove(t, l);
	l->tid = tid;
	hash_insert(t, l);
	stopcount_rename(l->stops, tid);
}

void lwp_drop(struct tracer *t, struct lwp *l)
{
	struct __pctx *p = l->proc;

	if (l->state == LWP_LIVE) {
		*(l->prev ? &l->prev->next : &p->first) = l->next;
		*(l->next ? &l->next->prev : &p->last) = l->prev;
		if (p->cursor == l)
			p->cursor = NULL;
	} else {
		t->nunborn--;
	}
	hash_remove(t, l);
	t->nlwps--;
	stopcount_end(l->stops);
	stopcount_drop(l->stops);
	free(l);
}
