#include "lives.h"

#include <errno.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/ring.h"
#include "pctx/name.h"

struct proc {
	pid_t pid;
	id_t born;	    /* LWPs, of which the last has this number */
	struct ring lwps;   /* head of those that live */
	struct name name;   /* of LWP 1, also after its end */
	cpc_buf_t *total[]; /* of each set, over the LWPs that have ended */
};

struct lwp {
	struct ring link; /* in the ring of its process */
	pid_t tid;
	id_t id;
	struct proc *proc;
	struct name name;
	int ticked;	       /* previous has values */
	cpc_buf_t *previous[]; /* of each set, at the last tick; NULL before the first */
};

static int compare_procs(const void *a, const void *b)
{
	const struct proc *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static int compare_lwps(const void *a, const void *b)
{
	const struct lwp *x = a, *y = b;

	return (x->tid > y->tid) - (x->tid < y->tid);
}

static struct proc *find_proc(const struct lives *l, pid_t pid)
{
	const struct proc key = {.pid = pid};
	void *node = tfind(&key, &l->procs, compare_procs);

	return node ? *(struct proc **)node : NULL;
}

static struct lwp *find_lwp(const struct lives *l, pid_t tid)
{
	const struct lwp key = {.tid = tid};
	void *node = tfind(&key, &l->lwps, compare_lwps);

	return node ? *(struct lwp **)node : NULL;
}

static void free_bufs(const struct lives *l, cpc_buf_t **buf)
{
	for (unsigned i = 0; buf && i < l->nsets; i++)
		if (buf[i])
			cpc_buf_destroy(l->cpc, buf[i]);
}

/* Returns -1 with ENOMEM. */
static int make_bufs(const struct lives *l, cpc_buf_t **buf)
{
	for (unsigned i = 0; i < l->nsets; i++) {
		buf[i] = cpc_buf_create(l->cpc, l->set[i]);
		if (!buf[i])
			return -1;
	}
	return 0;
}

static void set_name(struct name *name, const char *text)
{
	snprintf(name->text, sizeof name->text, "%s", text);
}

static void free_proc(struct lives *l, struct proc *p)
{
	tdelete(p, &l->procs, compare_procs);
	free_bufs(l, p->total);
	free(p);
	l->nprocs--;
}

static void free_lwp(struct lives *l, struct lwp *w)
{
	tdelete(w, &l->lwps, compare_lwps);
	ring_drop(&w->link);
	free_bufs(l, w->previous);
	free(w);
}

static void out_of_memory(struct lives *l)
{
	l->failed = "no memory available";
}

static struct proc *new_proc(struct lives *l, pid_t pid)
{
	struct proc *p = calloc(1, sizeof *p + l->nsets * sizeof p->total[0]);

	if (!p)
		return NULL;
	p->pid = pid;
	ring_init(&p->lwps);
	if (make_bufs(l, p->total) == -1 || !tsearch(p, &l->procs, compare_procs)) {
		free_bufs(l, p->total);
		free(p);
		return NULL;
	}
	l->nprocs++;
	return p;
}

static struct lwp *new_lwp(struct lives *l, struct proc *p, pid_t tid)
{
	struct lwp *w = calloc(1, sizeof *w + l->nsets * sizeof w->previous[0]);

	if (!w)
		return NULL;
	w->tid = tid;
	w->id = ++p->born;
	w->proc = p;
	if (!tsearch(w, &l->lwps, compare_lwps)) {
		free(w);
		return NULL;
	}
	ring_add(&p->lwps, &w->link);
	return w;
}

static void put(struct lives *l, const struct row *row)
{
	struct row copy = *row;

	copy.ns = row->ns > l->recording->start ? row->ns - l->recording->start : 0;
	recording_add(l->recording, &copy);
}

/* A row of an LWP without values. */
static struct row row_of(const struct lwp *w, const struct cpc_life *life)
{
	return (struct row){.ns = life->ns,
			    .pid = w->proc->pid,
			    .tid = w->tid,
			    .lwp = w->id,
			    .name = *w->name.text ? w->name.text : NULL};
}

/*
 * Print the row for each set; buf NULL: all values are 0. A command that could not be
 * executed has no row.
 */
static void put_values(struct lives *l, struct row row, const char *word,
		       cpc_buf_t *const *buf)
{
	if (!l->begun)
		return;
	row.kind = ROW_VALUES;
	row.word = word;
	for (unsigned i = 0; i < l->nsets; i++) {
		if (!buf && i > 0)
			return;
		row.index = i;
		row.set = l->show[i];
		row.value = l->value;
		if (!buf)
			cpc_buf_zero(l->cpc, l->total[i]);
		for (unsigned k = 0; k < row.set->n; k++)
			cpc_buf_value(l->cpc, buf ? buf[i] : l->total[i], (int)k,
				      &l->value[k]);
		if (l->o->tick)
			row.tick = cpc_buf_tick(l->cpc, buf ? buf[i] : l->total[i]);
		put(l, &row);
		notes_add(l->notes, i, l->value);
	}
}

static void put_birth(struct lives *l, const struct lwp *w, const struct cpc_life *life)
{
	if (l->o->verbose)
		put_values(l, row_of(w, life), "init_lwp", NULL);
	if (w->id != 1)
		put_values(l, row_of(w, life), "lwp_create", NULL);
}

static void put_fork(struct lives *l, const struct lwp *parent,
		     const struct cpc_life *life)
{
	struct row row = row_of(parent, life);

	row.kind = ROW_FORK;
	row.child = life->pid;
	put(l, &row);
}

/* The kernel may also report births in untracked processes: these are left out. */
static void take_birth(struct lives *l, const struct cpc_life *life)
{
	const struct lwp *parent = find_lwp(l, life->parent_tid);
	const int is_fork = life->tid == life->pid && parent;
	struct proc *p = find_proc(l, life->pid);

	if (!find_proc(l, life->parent_pid))
		return;
	if (is_fork)
		put_fork(l, parent, life);
	if (is_fork && l->o->follow_fork)
		p = new_proc(l, life->pid);
	else if (!p)
		return;
	struct lwp *w = p ? new_lwp(l, p, life->tid) : NULL;
	if (!w) {
		out_of_memory(l);
		return;
	}
	if (parent)
		w->name = parent->name;
	if (w->id == 1)
		p->name = w->name;
	put_birth(l, w, life);
}

static void take_name(struct lives *l, const struct cpc_life *life)
{
	struct lwp *w = find_lwp(l, life->tid);

	if (!w || !life->name)
		return;
	set_name(&w->name, life->name);
	if (w->id == 1)
		w->proc->name = w->name;
}

/*
 * An LWP that executes a program and is not the first takes the place of the first. All
 * others have ended.
 */
static int become_first(struct lives *l, struct proc *p)
{
	struct lwp *w = (struct lwp *)p->lwps.next;

	tdelete(w, &l->lwps, compare_lwps);
	w->tid = p->pid;
	w->id = 1;
	return tsearch(w, &l->lwps, compare_lwps) ? 0 : -1;
}

/* Add what an LWP has counted to its process and to all that have ended. */
static void add_values(struct lives *l, struct proc *p, const struct cpc_life *life)
{
	for (unsigned i = 0; i < l->nsets; i++) {
		cpc_buf_add(l->cpc, p->total[i], p->total[i], life->buf[i]);
		cpc_buf_add(l->cpc, l->sum[i], l->sum[i], life->buf[i]);
	}
}

/* Put what the process has counted until its exec. */
static void end_program(struct lives *l, struct proc *p, const struct lwp *w,
			const struct cpc_life *life)
{
	add_values(l, p, life);
	if (l->o->threads || l->o->verbose)
		put_values(l, row_of(w, life), "fini_lwp", life->buf);
	put_values(l, row_of(w, life), "exec", p->total);
}

/* Begin to count the program that the process has executed, or leave the process. */
static void begin_program(struct lives *l, struct proc *p, struct lwp *w,
			  const struct cpc_life *life)
{
	if (!l->o->follow_exec) {
		l->left |= p->pid == l->root;
		free_lwp(l, w);
		free_proc(l, p);
		return;
	}
	for (unsigned i = 0; i < l->nsets; i++)
		cpc_buf_zero(l->cpc, p->total[i]);
	for (unsigned i = 0; w->ticked && i < l->nsets; i++)
		cpc_buf_zero(l->cpc, w->previous[i]);
	p->born = 1;
	put_birth(l, w, life);
}

/* Without values the counts of the process go on. */
static void take_exec(struct lives *l, const struct cpc_life *life)
{
	struct proc *p = find_proc(l, life->pid);

	if (!p)
		return;
	if (!find_lwp(l, life->tid) && become_first(l, p) == -1) {
		out_of_memory(l);
		return;
	}
	struct lwp *w = find_lwp(l, life->tid);
	take_name(l, life);
	/* The first program of the command has no row. */
	if (p->pid == l->root && !l->begun) {
		l->begun = 1;
		put_birth(l, w, life);
		return;
	}
	if (life->buf)
		end_program(l, p, w, life);
	/* A table of threads has the values of all programs of a thread. */
	else if (!l->o->threads || !l->o->follow_exec)
		l->executed = p->pid;
	struct row row = row_of(w, life);
	row.kind = ROW_EXEC;
	row.cmd = life->args ? life->args : life->name;
	put(l, &row);
	if (life->buf)
		begin_program(l, p, w, life);
}

static void put_exit(struct lives *l, struct proc *p, const struct cpc_life *life)
{
	const struct row row = {.ns = life->ns,
				.pid = p->pid,
				.tid = p->pid,
				.lwp = 1,
				.name = *p->name.text ? p->name.text : NULL};

	put_values(l, row, "exit", p->total);
}

static void take_end(struct lives *l, const struct cpc_life *life)
{
	struct lwp *w = find_lwp(l, life->tid);

	if (!w) {
		l->unborn += l->o->follow_fork || find_proc(l, life->pid);
		return;
	}
	struct proc *p = w->proc;
	take_name(l, life);
	add_values(l, p, life);
	if (l->o->threads || l->o->verbose)
		put_values(l, row_of(w, life), "fini_lwp", life->buf);
	if (w->id != 1)
		put_values(l, row_of(w, life), "lwp_exit", life->buf);
	free_lwp(l, w);
	if (p->lwps.next != &p->lwps)
		return;
	put_exit(l, p, life);
	free_proc(l, p);
}

/* The row has what the LWP has counted since its last tick. */
static void take_tick(struct lives *l, const struct cpc_life *life)
{
	struct lwp *w = find_lwp(l, life->tid);

	if (!w)
		return;
	if (!w->ticked && make_bufs(l, w->previous) == -1) {
		out_of_memory(l);
		return;
	}
	w->ticked = 1;
	take_name(l, life);
	for (unsigned i = 0; i < l->nsets; i++) {
		cpc_buf_sub(l->cpc, l->total[i], life->buf[i], w->previous[i]);
		cpc_buf_copy(l->cpc, w->previous[i], life->buf[i]);
	}
	put_values(l, row_of(w, life), "tick", l->total);
}

static void take(void *lives, const struct cpc_life *life)
{
	static void (*const taker[])(struct lives * l, const struct cpc_life *life) = {
		[LIFE_BIRTH] = take_birth, [LIFE_NAME] = take_name,
		[LIFE_EXEC] = take_exec,   [LIFE_END] = take_end,
		[LIFE_TICK] = take_tick,
	};

	taker[life->kind](lives, life);
}

void lives_read(struct lives *l, struct cpc_lifetimes *from, int all)
{
	lifetimes_read(from, all, l, take);
	recording_flush(l->recording);
}

void lives_tick(struct lives *l, struct cpc_lifetimes *from)
{
	if (lifetimes_living(from, l, take) == -1)
		l->failed = "the counts of LWPs that live cannot be read";
	recording_flush(l->recording);
}

int lives_begin(struct lives *l, pid_t root)
{
	unsigned largest = 0;

	for (unsigned i = 0; i < l->nsets; i++)
		largest = l->show[i]->n > largest ? l->show[i]->n : largest;
	l->root = root;
	l->value = calloc(largest + 1, sizeof *l->value);
	l->sum = calloc(l->nsets + 1, sizeof(cpc_buf_t *));
	l->total = calloc(l->nsets + 1, sizeof(cpc_buf_t *));
	if (!l->value || !l->sum || !l->total || make_bufs(l, l->sum) == -1 ||
	    make_bufs(l, l->total) == -1)
		return -1;
	struct proc *p = new_proc(l, root);
	return p && new_lwp(l, p, root) ? 0 : -1;
}

int lives_are_over(const struct lives *l)
{
	return l->o->follow_fork ? l->nprocs == 0 : !find_proc(l, l->root);
}

static void look_for(const void *node, VISIT when, void *found)
{
	const struct proc *p = *(struct proc *const *)node;

	if (when == postorder || when == leaf)
		*(int *)found |= kill(p->pid, 0) == 0 || errno != ESRCH;
}

int lives_can_go_on(const struct lives *l)
{
	int found = 0;

	if (l->o->follow_fork)
		twalk_r(l->procs, look_for, &found);
	return found;
}

/* Make total of a set what is not in sum. Returns whether there is something. */
static int subtract(const struct lives *l, unsigned set)
{
	int any = 0;

	cpc_buf_sub(l->cpc, l->total[set], l->total[set], l->sum[set]);
	for (unsigned k = 0; k < l->show[set]->n; k++) {
		cpc_value_t *v = &l->value[k];

		cpc_buf_value(l->cpc, l->total[set], (int)k, v);
		any |= v->quality != CPC_UNAVAILABLE && v->count != 0;
	}
	return any;
}

int lives_put_rest(struct lives *l, struct cpc_lifetimes *from, int final)
{
	int any = 0;

	if (lifetimes_total(from, l->total) == -1)
		return -1;
	for (unsigned i = 0; i < l->nsets; i++) {
		if (!subtract(l, i))
			continue;
		any = 1;
		put(l, &(struct row){.kind = ROW_VALUES,
				     .ns = clock_ns(),
				     .pid = l->root,
				     .word = "rest",
				     .index = i,
				     .set = l->show[i],
				     .value = l->value});
		if (final)
			notes_add(l->notes, i, l->value);
	}
	recording_flush(l->recording);
	return any;
}

void lives_end(struct lives *l)
{
	while (l->lwps)
		free_lwp(l, *(struct lwp **)l->lwps);
	while (l->procs)
		free_proc(l, *(struct proc **)l->procs);
	free_bufs(l, l->sum);
	free_bufs(l, l->total);
	free(l->sum);
	free(l->total);
	free(l->value);
	*l = (struct lives){0};
}
