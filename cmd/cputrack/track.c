#include "track.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static int64_t since_start(const struct track *t, hrtime_t ns)
{
	return ns > t->start ? ns - t->start : 0;
}

/* A reader that went away, a full disk: the run is over. */
static void put(struct track *t, const struct row *row)
{
	out_line(t->out, row_line(&t->style, row));
	if (t->out->error)
		pctx_stop(t->pctx);
}

static void put_values(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
		       id_t lwp, unsigned set, cpc_buf_t *buf)
{
	const struct row_set *show = &t->sets->set[set].show;
	const hrtime_t taken = cpc_buf_hrtime(t->cpc, buf);

	for (unsigned i = 0; i < show->n; i++)
		cpc_buf_value(t->cpc, buf, (int)i, &t->value[i]);
	put(t, &(struct row){
		       .kind = ROW_VALUES,
		       .ns = since_start(t, taken ? taken : clock_ns()),
		       .pid = pid,
		       .tid = pctx_tid(pctx, lwp),
		       .lwp = lwp,
		       .word = word,
		       .tick = t->style.tick ? cpc_buf_tick(t->cpc, buf) : 0,
		       .index = set,
		       .set = show,
		       .value = t->value,
	       });
	notes_add(t->notes, set, t->value);
}

/* A row for each set that was ever sampled. */
static void put_totals(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
		       id_t lwp, const struct totals *total, size_t stride)
{
	for (unsigned i = 0; i < t->sets->n; i++) {
		if (total->sampled)
			put_values(t, word, pctx, pid, lwp, i, total->buf);
		total = (const struct totals *)((const char *)total + stride);
	}
}

static void lwp_totals(struct track *t, const char *word, pctx_t *pctx, pid_t pid,
		       id_t id, const struct lwp *l)
{
	put_totals(t, word, pctx, pid, id, &l->set[0].total, sizeof l->set[0]);
}

static void proc_totals(const struct proc *p, const char *word, pctx_t *pctx, id_t id)
{
	put_totals(p->track, word, pctx, p->pid, id, p->total, sizeof p->total[0]);
}

static void buf_drop(cpc_t *cpc, cpc_buf_t *buf)
{
	if (buf)
		cpc_buf_destroy(cpc, buf);
}

static void lwp_free(struct track *t, struct lwp *l)
{
	if (!l)
		return;
	for (unsigned i = 0; i < t->sets->n; i++) {
		buf_drop(t->cpc, l->set[i].total.buf);
		buf_drop(t->cpc, l->set[i].last);
		if (l->set[i].set)
			cpc_set_destroy(t->cpc, l->set[i].set);
	}
	ring_drop(&l->all);
	free(l);
}

static struct lwp *lwp_new(struct track *t)
{
	struct lwp *l = calloc(1, sizeof *l + t->sets->n * sizeof l->set[0]);

	if (!l)
		return NULL;
	ring_add(&t->lwps, &l->all);
	return l;
}

static void proc_free(struct proc *p)
{
	for (unsigned i = 0; i < p->track->sets->n; i++)
		buf_drop(p->track->cpc, p->total[i].buf);
	ring_drop(&p->all);
	free(p);
}

static struct proc *proc_new(struct track *t, pctx_t *pctx, pid_t pid)
{
	struct proc *p = calloc(1, sizeof *p + t->sets->n * sizeof p->total[0]);

	if (!p)
		return NULL;
	p->track = t;
	p->pctx = pctx;
	p->pid = pid;
	ring_add(&t->procs, &p->all);
	for (unsigned i = 0; i < t->sets->n; i++) {
		p->total[i].buf = cpc_buf_create(t->cpc, t->sets->set[i].set);
		if (!p->total[i].buf) {
			proc_free(p);
			return NULL;
		}
	}
	return p;
}

static struct lwp *lwp_data(pctx_t *pctx, id_t lwpid)
{
	void **data = pctx_lwp_data(pctx, lwpid);

	return data ? *data : NULL;
}

/* A set of an LWP's own, made when its turn comes for the first time. */
static int lwp_set_make(const struct track *t, struct lwp_set *s, cpc_set_t *set)
{
	s->set = cpc_set_dup(t->cpc, set);
	s->last = cpc_buf_create(t->cpc, set);
	s->total.buf = cpc_buf_create(t->cpc, set);
	return s->set && s->last && s->total.buf ? 0 : -1;
}

/* An LWP that has ended meanwhile is left unbound: nothing more can come of it. */
static int bind_current(struct track *t, pctx_t *pctx, id_t lwpid, struct lwp *l)
{
	struct lwp_set *s = &l->set[l->current];

	if (!s->set && lwp_set_make(t, s, t->sets->set[l->current].set) == -1)
		return -1;
	cpc_buf_zero(t->cpc, s->last);
	l->bound = cpc_bind_pctx(t->cpc, pctx, lwpid, s->set, 0) == 0;
	return l->bound || errno == ESRCH ? 0 : -1;
}

/*
 * Sample the current set; what came since the last sample is left in t->delta, and in the
 * totals.
 */
static int sample(struct track *t, struct lwp *l)
{
	struct lwp_set *s = &l->set[l->current];
	cpc_buf_t *now = t->now[l->current], *delta = t->delta[l->current];

	if (!s->set || cpc_set_sample(t->cpc, s->set, now) == -1)
		return -1;
	cpc_buf_sub(t->cpc, delta, now, s->last);
	cpc_buf_copy(t->cpc, s->last, now);
	cpc_buf_add(t->cpc, s->total.buf, s->total.buf, delta);
	s->total.sampled = 1;
	return 0;
}

/*
 * The first LWP can be counted: the run begins. Sets that take turns, or a program that
 * runs already, leave no total to compare the rows with.
 */
static void begin(struct track *t)
{
	if (!t->options->pid && t->sets->n == 1 && !cpc_engine_notice(t->cpc))
		check_begin(&t->check, t->cpc, t->pctx, 1, &t->sets->set[0],
			    t->options->debug);
	if (!t->options->no_title)
		out_line(t->out, row_title(&t->style, &t->sets->set[0].show));
	t->start = clock_ns();
	t->begun = 1;
}

/*
 * The other sets will be bound when their turn comes. That they can be is found out before
 * the program runs.
 */
static int try_sets(const struct track *t, pctx_t *pctx, id_t lwpid)
{
	for (unsigned i = 1; i < t->sets->n; i++) {
		cpc_set_t *set = t->sets->set[i].set;

		if (cpc_bind_pctx(t->cpc, pctx, lwpid, set, 0) == 0)
			cpc_unbind(t->cpc, set);
		else if (errno != ESRCH)
			return -1;
	}
	return 0;
}

static int on_init_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct proc *)arg)->track;
	struct lwp *l = lwp_new(t);
	void **data = pctx_lwp_data(pctx, lwpid);

	if (!l || !data) {
		warnx("%6d: init_lwp: out of memory", (int)pid);
		t->failed = 1;
		return -1;
	}
	*data = l;
	if (bind_current(t, pctx, lwpid, l) == -1 ||
	    (!t->begun && try_sets(t, pctx, lwpid) == -1)) {
		warnx("%6d: init_lwp: can't bind perf counters to lwp%d - %s", (int)pid,
		      (int)lwpid, strerror(errno));
		t->failed = 1;
		return -1;
	}
	if (!l->bound)
		return 0;
	if (!t->begun)
		begin(t);
	if (t->options->verbose && cpc_set_sample(t->cpc, l->set[0].set, t->now[0]) == 0)
		put_values(t, "init_lwp", pctx, pid, lwpid, 0, t->now[0]);
	return 0;
}

static int on_fini_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct proc *p = arg;
	struct track *t = p->track;
	struct lwp *l = lwp_data(pctx, lwpid);

	if (!l)
		return 0;
	if (l->bound && sample(t, l) == -1) {
		warnx("%6d: fini_lwp: lwp%d: can't access perf counters - %s", (int)pid,
		      (int)lwpid, strerror(errno));
		t->failed = 1;
		return -1;
	}
	if (t->options->verbose && l->set[l->current].total.sampled)
		put_values(t, "fini_lwp", pctx, pid, lwpid, l->current,
			   l->set[l->current].total.buf);
	for (unsigned i = 0; i < t->sets->n; i++)
		if (l->set[i].total.sampled) {
			cpc_buf_add(t->cpc, p->total[i].buf, p->total[i].buf,
				    l->set[i].total.buf);
			p->total[i].sampled = 1;
		}
	if (l->set[0].total.sampled)
		check_add(&t->check, t->cpc, l->set[0].total.buf);
	return 0;
}

static int on_lwp_create(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct proc *)arg)->track;

	cpc_buf_zero(t->cpc, t->now[0]);
	put_values(t, "lwp_create", pctx, pid, lwpid, 0, t->now[0]);
	return 0;
}

static int on_lwp_exit(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct proc *)arg)->track;
	struct lwp *l = lwp_data(pctx, lwpid);

	if (l)
		lwp_totals(t, "lwp_exit", pctx, pid, lwpid, l);
	lwp_free(t, l);
	return 0;
}

static int on_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct proc *)arg)->track;
	struct lwp *l = lwp_data(pctx, lwpid);

	if (!l || !l->bound)
		return 0;
	if (sample(t, l) == -1) {
		warnx("%6d: tick: lwp%d: can't access perf counter - %s", (int)pid,
		      (int)lwpid, strerror(errno));
		t->failed = 1;
		return -1;
	}
	put_values(t, "tick", pctx, pid, lwpid, l->current, t->delta[l->current]);
	if (t->sets->n == 1)
		return 0;
	cpc_unbind(t->cpc, l->set[l->current].set);
	l->current = (l->current + 1) % t->sets->n;
	if (bind_current(t, pctx, lwpid, l) == 0)
		return 0;
	warnx("%6d: tick: can't bind perf counters to lwp%d - %s", (int)pid, (int)lwpid,
	      strerror(errno));
	t->failed = 1;
	return -1;
}

static void on_fork(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	const struct proc *parent = arg;
	struct track *t = parent->track;

	put(t, &(struct row){
		       .kind = ROW_FORK,
		       .ns = since_start(t, clock_ns()),
		       .pid = pid,
		       .tid = pctx_tid(parent->pctx, lwpid),
		       .lwp = lwpid,
		       .child = child,
	       });
	struct proc *p = t->options->follow_fork ? proc_new(t, pctx, child) : NULL;
	if (p) {
		pctx_follow(pctx, p);
		return;
	}
	check_drop(&t->check, t->cpc);
	if (t->options->follow_fork) {
		warnx("cannot follow pid %d: out of memory", (int)child);
		t->failed = 1;
	}
}

static int on_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *cmd, void *arg)
{
	struct proc *p = arg;
	struct track *t = p->track;

	proc_totals(p, "exec", pctx, lwpid);
	put(t, &(struct row){
		       .kind = ROW_EXEC,
		       .ns = since_start(t, clock_ns()),
		       .pid = pid,
		       .tid = pid,
		       .lwp = lwpid,
		       .cmd = cmd,
	       });
	lwp_free(t, lwp_data(pctx, lwpid));
	if (!t->options->follow_exec) {
		t->exec_left |= pid == t->root;
		check_drop(&t->check, t->cpc);
		return -1;
	}
	for (unsigned i = 0; i < t->sets->n; i++) {
		cpc_buf_zero(t->cpc, p->total[i].buf);
		p->total[i].sampled = 0;
	}
	return 0;
}

static void on_exit_process(pctx_t *pctx, pid_t pid, id_t lwpid, int status, void *arg)
{
	struct proc *p = arg;
	struct track *t = p->track;

	proc_totals(p, "exit", pctx, lwpid);
	lwp_free(t, lwp_data(pctx, lwpid));
	proc_free(p);
	if (pid == t->root) {
		t->ended = 1;
		t->status = status;
	}
}

static void detach_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct proc *)arg)->track;
	struct lwp *l = lwp_data(pctx, lwpid);

	if (l && (!l->bound || sample(t, l) == 0))
		lwp_totals(t, "detach", pctx, pid, lwpid, l);
}

void track_detach(struct track *t)
{
	pctx_walk_lwps(t->pctx, detach_lwp);
}

int track_open(struct track *t, const struct options *o, cpc_t *cpc, struct sets *sets,
	       struct out *out)
{
	unsigned largest = 0;

	*t = (struct track){.options = o, .cpc = cpc, .sets = sets, .out = out};
	ring_init(&t->lwps);
	ring_init(&t->procs);
	t->style = (struct row_style){
		.format = o->suite.format,
		.pid = o->follow_fork,
		.tick = o->tick,
		.nsets = (int)sets->n,
	};
	t->now = calloc(sets->n, sizeof *t->now);
	t->delta = calloc(sets->n, sizeof *t->delta);
	const struct row_set **show = calloc(sets->n, sizeof *show);
	t->shown = show;
	if (!t->now || !t->delta || !show)
		return -1;
	for (unsigned i = 0; i < sets->n; i++) {
		show[i] = &sets->set[i].show;
		largest = show[i]->n > largest ? show[i]->n : largest;
		t->now[i] = cpc_buf_create(cpc, sets->set[i].set);
		t->delta[i] = cpc_buf_create(cpc, sets->set[i].set);
		if (!t->now[i] || !t->delta[i])
			return -1;
	}
	t->value = calloc(largest + 1, sizeof *t->value);
	t->notes = notes_new(show, sets->n);
	return t->value && t->notes ? 0 : -1;
}

void track_close(struct track *t)
{
	while (t->lwps.next != &t->lwps)
		lwp_free(t, (struct lwp *)t->lwps.next);
	while (t->procs.next != &t->procs)
		proc_free((struct proc *)t->procs.next);
	check_drop(&t->check, t->cpc);
	for (unsigned i = 0; i < t->sets->n; i++) {
		buf_drop(t->cpc, t->now ? t->now[i] : NULL);
		buf_drop(t->cpc, t->delta ? t->delta[i] : NULL);
	}
	free(t->now);
	free(t->delta);
	free(t->value);
	notes_free(t->notes);
	free(t->shown);
}

int track_adopt(struct track *t, pctx_t *pctx, pid_t pid)
{
	struct proc *p = proc_new(t, pctx, pid);

	if (!p)
		return -1;
	t->pctx = pctx;
	t->root = pid;
	pctx_follow(pctx, p);
	return pctx_set_events(
		pctx, PCTX_SYSC_EXEC_EVENT, on_exec, PCTX_SYSC_FORK_EVENT, on_fork,
		PCTX_SYSC_EXIT_EVENT, on_exit_process, PCTX_SYSC_LWP_CREATE_EVENT,
		on_lwp_create, PCTX_INIT_LWP_EVENT, on_init_lwp, PCTX_FINI_LWP_EVENT,
		on_fini_lwp, PCTX_SYSC_LWP_EXIT_EVENT, on_lwp_exit, PCTX_NULL_EVENT);
}

int track_run(struct track *t)
{
	const struct options *o = t->options;
	const int r = pctx_run(t->pctx, o->msec, o->samples, on_tick);

	if (r == 0 && t->ended && o->samples == 0)
		check_end(&t->check, t->cpc, &t->sets->set[0].show);
	return r;
}
