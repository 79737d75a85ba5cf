#include "living.h"

#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdlib.h>

static int compare_procs(const void *a, const void *b)
{
	const struct living_proc *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int compare_lwps(const void *a, const void *b)
{
	const struct living_lwp *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

struct living_proc *living_find_proc(const struct living *l, pid_t pid)
{
	const struct living_proc key = {.pid = pid};
	void *node = tfind(&key, &l->procs, compare_procs);

	return node ? *(struct living_proc **)node : NULL;
}

struct living_lwp *living_find_lwp(const struct living *l, pid_t tid)
{
	const struct living_lwp key = {.tid = tid};
	void *node = tfind(&key, &l->lwps, compare_lwps);

	return node ? *(struct living_lwp **)node : NULL;
}

void living_free_bufs(const struct living *l, cpc_buf_t **buf)
{
	for (unsigned i = 0; buf && i < l->nsets; i++)
		if (buf[i])
			cpc_buf_destroy(l->cpc, buf[i]);
}

int living_make_bufs(const struct living *l, cpc_buf_t **buf)
{
	for (unsigned i = 0; i < l->nsets; i++) {
		buf[i] = cpc_buf_create(l->cpc, l->set[i]);
		if (!buf[i])
			return -1;
	}
	return 0;
}

struct living_lwp *living_add_lwp(struct living *l, struct living_proc *p, pid_t tid)
{
	struct living_lwp *w = calloc(1, sizeof *w + l->nsets * sizeof w->previous[0]);

	if (!w)
		return NULL;
	w->tid = tid;
	w->id = p->born + 1;
	w->proc = p;
	if (!tsearch(w, &l->lwps, compare_lwps)) {
		free(w);
		return NULL;
	}
	p->born++;
	ring_add(&p->lwps, &w->link);
	return w;
}

/* Add a process without an LWP. */
static struct living_proc *add_proc(struct living *l, pid_t pid)
{
	struct living_proc *p = calloc(1, sizeof *p + l->nsets * sizeof p->total[0]);

	if (!p)
		return NULL;
	p->pid = pid;
	ring_init(&p->lwps);
	if (living_make_bufs(l, p->total) == -1 ||
	    !tsearch(p, &l->procs, compare_procs)) {
		living_free_bufs(l, p->total);
		free(p);
		return NULL;
	}
	ring_add(&l->all, &p->link);
	l->nprocs++;
	return p;
}

struct living_lwp *living_add_proc(struct living *l, pid_t pid)
{
	struct living_proc *p = add_proc(l, pid);
	struct living_lwp *w = p ? living_add_lwp(l, p, pid) : NULL;

	if (p && !w)
		living_drop_proc(l, p);
	return w;
}

void living_drop_proc(struct living *l, struct living_proc *p)
{
	tdelete(p, &l->procs, compare_procs);
	ring_drop(&p->link);
	living_drop_first(l, p);
	living_free_bufs(l, p->total);
	free(p);
	l->nprocs--;
}

void living_drop_lwp(struct living *l, struct living_lwp *w)
{
	tdelete(w, &l->lwps, compare_lwps);
	ring_drop(&w->link);
	living_free_bufs(l, w->previous);
	free(w);
}

void living_kill(const struct living *l)
{
	for (const struct ring *r = l->all.next; r != &l->all; r = r->next)
		kill(((const struct living_proc *)r)->pid, SIGKILL);
}

int living_is_any_alive(const struct living *l)
{
	for (const struct ring *r = l->all.next; r != &l->all; r = r->next)
		if (kill(((const struct living_proc *)r)->pid, 0) == 0 || errno != ESRCH)
			return 1;
	return 0;
}

pid_t living_first(const struct living *l)
{
	return l->nprocs ? ((const struct living_proc *)l->all.next)->pid : 0;
}

int living_rename(struct living *l, struct living_lwp *w, pid_t tid)
{
	tdelete(w, &l->lwps, compare_lwps);
	w->tid = tid;
	return tsearch(w, &l->lwps, compare_lwps) ? 0 : -1;
}

static cpc_buf_t **copy_bufs(const struct living *l, cpc_buf_t *const *from)
{
	cpc_buf_t **buf = calloc(l->nsets + 1, sizeof(cpc_buf_t *));

	if (buf && living_make_bufs(l, buf) == -1) {
		living_free_bufs(l, buf);
		free(buf);
		return NULL;
	}
	for (unsigned i = 0; buf && i < l->nsets; i++)
		cpc_buf_copy(l->cpc, buf[i], from[i]);
	return buf;
}

int living_keep_first(struct living *l, struct living_lwp *w, cpc_buf_t *const *buf)
{
	w->final = copy_bufs(l, buf);
	if (!w->final)
		return -1;
	tdelete(w, &l->lwps, compare_lwps);
	ring_drop(&w->link);
	w->proc->first = w;
	return 0;
}

void living_drop_first(const struct living *l, struct living_proc *p)
{
	if (!p->first)
		return;
	living_free_bufs(l, p->first->final);
	living_free_bufs(l, p->first->previous);
	free(p->first->final);
	free(p->first);
	p->first = NULL;
}

void living_begin(struct living *l, cpc_t *cpc, unsigned nsets, cpc_set_t *const *set)
{
	*l = (struct living){.cpc = cpc, .nsets = nsets, .set = set};
	ring_init(&l->all);
}

void living_end(struct living *l)
{
	while (l->lwps)
		living_drop_lwp(l, *(struct living_lwp **)l->lwps);
	while (l->procs)
		living_drop_proc(l, *(struct living_proc **)l->procs);
}
