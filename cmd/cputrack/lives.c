#include "lives.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"

static void set_name(struct living_lwp *w, const char *name)
{
	snprintf(w->name.text, sizeof w->name.text, "%s", name);
	if (w->id == 1)
		w->proc->name = w->name;
}

static void out_of_memory(struct lives *l)
{
	l->failed = "no memory available";
}

static void put(struct lives *l, const struct row *row)
{
	struct row copy = *row;

	copy.ns = row->ns > l->recording->start ? row->ns - l->recording->start : 0;
	recording_add(l->recording, &copy);
}

/* A row of an LWP without values. */
static struct row row_of(const struct living_lwp *w, const struct cpc_life *life)
{
	return (struct row){.ns = life->ns,
			    .pid = w->proc->pid,
			    .tid = w->tid,
			    .lwp = w->id,
			    .name = *w->name.text ? w->name.text : NULL};
}

/*
 * Print the row for each of the first n sets; buf NULL: all values are 0. A command that
 * could not be executed has no row.
 */
static void put_sets(struct lives *l, struct row row, const char *word,
		     cpc_buf_t *const *buf, unsigned n)
{
	row.kind = ROW_VALUES;
	row.word = word;
	for (unsigned i = 0; l->begun && i < n; i++) {
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
		if (!l->provisional)
			notes_add(l->notes, i, l->value);
	}
}

/* A row without counts is of the first set. */
static void put_values(struct lives *l, struct row row, const char *word,
		       cpc_buf_t *const *buf)
{
	put_sets(l, row, word, buf, buf ? l->nsets : 1);
}

/* A table of threads takes each set from these rows; for people they are a detail. */
static void put_fini(struct lives *l, struct row row, cpc_buf_t *const *buf)
{
	if (l->o->threads || l->o->verbose)
		put_sets(l, row, "fini_lwp", buf, l->o->threads ? l->nsets : 1);
}

/* Put the rows of an LWP that ends before its process does. */
static void put_end(struct lives *l, const struct living_lwp *w,
		    const struct cpc_life *life, cpc_buf_t *const *buf)
{
	put_fini(l, row_of(w, life), buf);
	put_values(l, row_of(w, life), "lwp_exit", buf);
}

static void put_birth(struct lives *l, const struct living_lwp *w,
		      const struct cpc_life *life)
{
	if (l->o->verbose)
		put_values(l, row_of(w, life), "init_lwp", NULL);
	if (w->id != 1)
		put_values(l, row_of(w, life), "lwp_create", NULL);
}

static void put_fork(struct lives *l, const struct living_lwp *parent,
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
	struct living_lwp *parent = living_find_lwp(&l->living, life->parent_tid);
	const int is_fork = life->tid == life->pid && parent;
	struct living_proc *const p = living_find_proc(&l->living, life->pid);

	if (!living_find_proc(&l->living, life->parent_pid))
		return;
	/* An LWP begins with the name of its creator. */
	if (parent && life->name)
		set_name(parent, life->name);
	if (is_fork)
		put_fork(l, parent, life);
	if (!p && !(is_fork && l->o->follow_fork))
		return;
	struct living_lwp *w = p ? living_add_lwp(&l->living, p, life->tid)
				 : living_add_proc(&l->living, life->pid);
	if (!w) {
		out_of_memory(l);
		return;
	}
	if (parent)
		w->name = parent->name;
	if (w->id == 1)
		w->proc->name = w->name;
	if (is_fork && life->parent_sleeps) {
		w->proc->sleeper = parent->tid;
		parent->asleep = 1;
	}
	put_birth(l, w, life);
}

/* The process executes a program or ends: wake the LWP that sleeps until then. */
static void wake(const struct lives *l, struct living_proc *p)
{
	struct living_lwp *w =
		p->sleeper ? living_find_lwp(&l->living, p->sleeper) : NULL;

	if (w)
		w->asleep = 0;
	p->sleeper = 0;
}

static void take_name(struct lives *l, const struct cpc_life *life)
{
	struct living_lwp *w = living_find_lwp(&l->living, life->tid);

	if (w && life->name)
		set_name(w, life->name);
}

/*
 * Return the LWP that has executed a program, or NULL if memory runs out. All others of
 * its process have ended, and the LWP has the id of the first.
 */
static struct living_lwp *find_executed(struct lives *l, struct living_proc *p,
					const struct cpc_life *life)
{
	struct living_lwp *w = living_find_lwp(&l->living, life->tid);

	if (w)
		return w;
	w = (struct living_lwp *)p->lwps.next;
	return living_rename(&l->living, w, p->pid) == 0 ? w : NULL;
}

/* Add what an LWP has counted to the values of its process, or to those in rows. */
static void add_values(const struct lives *l, cpc_buf_t **to, cpc_buf_t *const *buf)
{
	for (unsigned i = 0; i < l->nsets; i++)
		cpc_buf_add(l->cpc, to[i], to[i], buf[i]);
}

/*
 * Put what the process has counted until its exec, if that is known. The first LWP has
 * ended if it is not the one that has executed the program, which becomes the first.
 */
static void end_program(struct lives *l, struct living_proc *p, struct living_lwp *w,
			const struct cpc_life *life)
{
	if (p->first) {
		add_values(l, l->sum, p->first->final);
		put_end(l, p->first, life, p->first->final);
	}
	living_drop_first(&l->living, p);
	if (life->buf) {
		add_values(l, p->total, life->buf);
		add_values(l, l->sum, life->buf);
		put_fini(l, row_of(w, life), life->buf);
	}
	w->id = 1;
	p->name = w->name;
	if (life->buf)
		put_values(l, row_of(w, life), "exec", p->total);
}

/* Begin to count the program that the process has executed, or leave the process. */
static void begin_program(struct lives *l, struct living_proc *p, struct living_lwp *w,
			  const struct cpc_life *life)
{
	if (!l->o->follow_exec) {
		l->left |= p->pid == l->root;
		living_drop_lwp(&l->living, w);
		living_drop_proc(&l->living, p);
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
	struct living_proc *p = living_find_proc(&l->living, life->pid);
	struct living_lwp *w = p ? find_executed(l, p, life) : NULL;

	if (p && !w)
		out_of_memory(l);
	if (!w)
		return;
	take_name(l, life);
	wake(l, p);
	/* The first program of the command has no row. */
	if (p->pid == l->root && !l->begun) {
		l->begun = 1;
		put_birth(l, w, life);
		return;
	}
	end_program(l, p, w, life);
	/* A table of threads has the values of all programs of a thread. */
	if (!life->buf && (!l->o->threads || !l->o->follow_exec))
		l->executed = p->pid;
	struct row row = row_of(w, life);
	row.kind = ROW_EXEC;
	row.cmd = life->args ? life->args : life->name;
	put(l, &row);
	if (life->buf)
		begin_program(l, p, w, life);
}

static void put_exit(struct lives *l, struct living_proc *p, const struct cpc_life *life)
{
	const struct row row = {.ns = life->ns,
				.pid = p->pid,
				.tid = p->pid,
				.lwp = 1,
				.name = *p->name.text ? p->name.text : NULL};

	put_values(l, row, "exit", p->total);
}

/* The last LWP of a process has ended. */
static void end_process(struct lives *l, struct living_proc *p,
			const struct cpc_life *life)
{
	if (p->first) {
		add_values(l, l->sum, p->first->final);
		put_fini(l, row_of(p->first, life), p->first->final);
	}
	put_exit(l, p, life);
	wake(l, p);
	living_drop_proc(&l->living, p);
}

/*
 * A tracer reports the end of LWP 1 when its process ends. So the rows of an LWP 1 that
 * ends before others of its process are put after theirs.
 */
static void take_end(struct lives *l, const struct cpc_life *life)
{
	struct living_lwp *w = living_find_lwp(&l->living, life->tid);

	if (!w) {
		l->unborn += l->o->follow_fork || living_find_proc(&l->living, life->pid);
		return;
	}
	struct living_proc *p = w->proc;
	const int is_last = w->link.next == w->link.prev;
	take_name(l, life);
	add_values(l, p->total, life->buf);
	if (w->id == 1 && !is_last && !l->detached &&
	    living_keep_first(&l->living, w, life->buf) == 0)
		return;
	add_values(l, l->sum, life->buf);
	if (w->id == 1)
		put_fini(l, row_of(w, life), life->buf);
	else
		put_end(l, w, life, life->buf);
	living_drop_lwp(&l->living, w);
	if (is_last)
		end_process(l, p, life);
}

/* The row has what the LWP has counted since its last tick. */
static void put_tick(struct lives *l, struct living_lwp *w, const struct cpc_life *life,
		     cpc_buf_t *const *buf)
{
	if (!w->ticked && living_make_bufs(&l->living, w->previous) == -1) {
		out_of_memory(l);
		return;
	}
	w->ticked = 1;
	for (unsigned i = 0; i < l->nsets; i++) {
		cpc_buf_sub(l->cpc, l->total[i], buf[i], w->previous[i]);
		cpc_buf_copy(l->cpc, w->previous[i], buf[i]);
	}
	put_values(l, row_of(w, life), "tick", l->total);
}

/* Returns LWP 1 of the process if it has ended and w is the first of those that live. */
static struct living_lwp *ended_before(const struct living_lwp *w)
{
	return w->link.prev == &w->proc->lwps ? w->proc->first : NULL;
}

/* An LWP that sleeps in vfork(2) has no ticks, as on Solaris. */
static void take_tick(struct lives *l, const struct cpc_life *life)
{
	struct living_lwp *w = living_find_lwp(&l->living, life->tid);
	struct living_lwp *first = w ? ended_before(w) : NULL;

	if (!w)
		return;
	take_name(l, life);
	if (first)
		put_tick(l, first, life, first->final);
	if (!w->asleep)
		put_tick(l, w, life, life->buf);
}

/* LWPs before w in its process may have ended, which is not reported yet. */
static void take_detached(void *lives, const struct cpc_life *life)
{
	struct lives *l = lives;
	struct living_lwp *w = living_find_lwp(&l->living, life->tid);

	if (!w)
		return;
	const struct living_lwp *first =
		l->provisional ? ended_before(w) : w->proc->first;
	take_name(l, life);
	if (first)
		put_values(l, row_of(first, life), "detach", first->final);
	put_values(l, row_of(w, life), "detach", life->buf);
	w->detached = !l->provisional;
	if (!w->detached)
		return;
	if (first)
		add_values(l, l->sum, first->final);
	living_drop_first(&l->living, w->proc);
	add_values(l, l->sum, life->buf);
}

/* Has the LWP its last row, or none because nothing is counted any more? */
static int is_detached(const struct lives *l, pid_t tid)
{
	const struct living_lwp *w = living_find_lwp(&l->living, tid);

	return !w || w->detached;
}

static void take(void *lives, const struct cpc_life *life)
{
	static void (*const taker[])(struct lives * l, const struct cpc_life *life) = {
		[LIFE_BIRTH] = take_birth, [LIFE_NAME] = take_name,
		[LIFE_EXEC] = take_exec,   [LIFE_END] = take_end,
		[LIFE_TICK] = take_tick,
	};

	const struct lives *l = lives;
	if (l->detached && (life->kind != LIFE_END || is_detached(l, life->tid)))
		return;
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
	living_begin(&l->living, l->cpc, l->nsets, l->set);
	l->value = calloc(largest + 1, sizeof *l->value);
	l->sum = calloc(l->nsets + 1, sizeof(cpc_buf_t *));
	l->total = calloc(l->nsets + 1, sizeof(cpc_buf_t *));
	if (!l->value || !l->sum || !l->total ||
	    living_make_bufs(&l->living, l->sum) == -1 ||
	    living_make_bufs(&l->living, l->total) == -1)
		return -1;
	return living_add_proc(&l->living, root) ? 0 : -1;
}

void lives_put_unbegun(struct lives *l)
{
	const struct row row = {
		.ns = clock_ns(), .pid = l->root, .tid = l->root, .lwp = 1};

	l->begun = 1;
	if (l->o->verbose)
		put_values(l, row, "init_lwp", NULL);
	put_fini(l, row, NULL);
	put_values(l, row, "exit", NULL);
	recording_flush(l->recording);
}

int lives_are_over(const struct lives *l)
{
	return l->o->follow_fork ? l->living.nprocs == 0
				 : !living_find_proc(&l->living, l->root);
}

int lives_can_go_on(const struct lives *l)
{
	return l->o->follow_fork && living_is_any_alive(&l->living);
}

/* Make total of a set what is not in sum. Returns whether there is something. */
static int subtract(const struct lives *l, unsigned set)
{
	int any = 0;

	cpc_buf_sub(l->cpc, l->total[set], l->total[set], l->sum[set]);
	for (unsigned k = 0; k < l->show[set]->n; k++) {
		cpc_buf_value(l->cpc, l->total[set], (int)k, &l->value[k]);
		any |= l->value[k].quality != CPC_UNAVAILABLE && l->value[k].count != 0;
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

int lives_put_detached(struct lives *l, struct cpc_lifetimes *from, int final)
{
	l->provisional = !final;
	const int rc = lifetimes_living(from, l, take_detached);
	l->provisional = 0;
	recording_flush(l->recording);
	if (rc == -1)
		return lives_put_rest(l, from, final);
	l->detached = final;
	if (final)
		lives_read(l, from, 1);
	return 0;
}

void lives_end(struct lives *l)
{
	living_end(&l->living);
	living_free_bufs(&l->living, l->sum);
	living_free_bufs(&l->living, l->total);
	free(l->sum);
	free(l->total);
	free(l->value);
	*l = (struct lives){0};
}
