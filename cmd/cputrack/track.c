#include "track.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "check.h"
#include "common/forward.h"
#include "common/message.h"
#include "lwps.h"
#include "pctx/name.h"
#include "pctx/watch.h"
#include "rows.h"

/*
 * Called when the first LWP is bound. The check needs a kernel that counts (no notice),
 * sets that are counted all the time, and a program that has not run yet.
 */
static void start(struct track *t)
{
	if (!t->options->pid && (t->sets->n == 1 || t->options->msec == 0) &&
	    !cpc_engine_notice(t->cpc))
		check_start(t, t->pctx, 1);
	t->start = clock_ns();
	recording_begin(t->recording, t->start, clock_unix_ns());
	t->started = 1;
}

/*
 * Binds and unbinds each set that waits for its turn, so that a set that cannot be bound
 * is reported before the program runs and not when the set's turn comes.
 */
static int try_sets(const struct track *t, pctx_t *pctx, id_t lwpid)
{
	for (unsigned i = 1; i < t->sets->n; i++) {
		cpc_set_t *set = t->sets->member[i].set;

		if (t->turns[i].early)
			continue;
		if (cpc_bind_pctx(t->cpc, pctx, lwpid, set, 0) == 0)
			cpc_unbind(t->cpc, set);
		else if (errno != ESRCH)
			return -1;
	}
	return 0;
}

/*
 * Prints the totals of an LWP and closes its descriptors, as it is not counted further.
 */
static void detach_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;
	struct counted_lwp *l = lwps_find(pctx, lwpid);

	if (!l)
		return;
	/* Before the start there is no title, and the program has not run. */
	if (t->started) {
		lwps_sample(t, l);
		rows_print_lwp(t, "detach", pctx, pid, lwpid, l);
		check_add(t, l);
	}
	lwps_free(t, l);
	*pctx_lwp_data(pctx, lwpid) = NULL;
}

static void detach_released(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	if (pctx == ((struct counted_proc *)arg)->track->releasing)
		detach_lwp(pctx, pid, lwpid, arg);
}

/* Counting of a process has failed; the caller's handler then releases it. */
static void give_up(struct track *t, pctx_t *pctx)
{
	t->failed = 1;
	t->releasing = pctx;
	pctx_walk_lwps(t->pctx, detach_released);
}

/*
 * Reports that a bind failed, unless the library has, which is silent if memory runs out.
 */
static void not_bound(pid_t pid, id_t lwpid, const char *event)
{
	if (!message_came())
		warn("%6d: %s: can't bind perf counters to lwp%d", (int)pid, event,
		     (int)lwpid);
}

/*
 * Reports that a new LWP cannot be counted, for the reason in errno. Only the first lack
 * of descriptors is reported.
 */
static void report_unbound(struct track *t, pid_t pid, id_t lwpid)
{
	const int starved = errno == EMFILE || errno == ENFILE;

	if (!t->starved || !starved) {
		message_print(message_capture_text());
		if (starved && t->started)
			warnx("%6d: init_lwp: this process is released and not counted "
			      "further, and so are others, without more messages",
			      (int)pid);
		else
			not_bound(pid, lwpid, "init_lwp");
	}
	t->starved |= starved;
}

/*
 * Reports a name that the first program does not have, unless another program may follow
 * that has the name. Returns 1 if the program must not run.
 */
static int refuse_name(struct track *t, pid_t pid)
{
	const char *event, *why;

	if (t->options->follow_exec || pid != t->root || t->refused)
		return t->refused;
	why = named_refusal(t->named, pid, &event);
	if (why)
		warnx("%s: %s", event, why);
	t->refused = why != NULL;
	return t->refused;
}

static int bind_new(struct track *t, pctx_t *pctx, id_t lwpid, struct counted_lwp *l)
{
	message_watch();
	message_capture_begin();
	int rc = named_begin(t->named, pctx, pctx_pid(pctx), lwpid);
	if (rc == 0)
		rc = lwps_bind_first(t, pctx, lwpid, l);
	if (rc == 0 && !t->started)
		rc = try_sets(t, pctx, lwpid);
	message_capture_end();
	return rc;
}

static int on_init_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;
	struct counted_lwp *l = lwps_new(t);
	void **data = pctx_lwp_data(pctx, lwpid);

	if (!l || !data) {
		warnx("%6d: init_lwp: out of memory", (int)pid);
		give_up(t, pctx);
		return -1;
	}
	*data = l;
	if (bind_new(t, pctx, lwpid, l) == -1) {
		report_unbound(t, pid, lwpid);
		give_up(t, pctx);
		return -1;
	}
	if (refuse_name(t, pid)) {
		give_up(t, pctx);
		return -1;
	}
	if (!l->set[0].bound)
		return 0;
	if (t->started)
		check_birth(t, pctx_tid(pctx, lwpid));
	else
		start(t);
	if (!t->options->verbose)
		return 0;
	if (cpc_set_sample(t->cpc, l->set[0].set, t->now[0]) == -1) {
		warnx("%6d: init_lwp: lwp%d: can't access perf counters - %s", (int)pid,
		      (int)lwpid, strerror(errno));
		t->failed = 1;
		return 0;
	}
	rows_print_values(t, "init_lwp", pctx, pid, lwpid, 0, t->now[0]);
	return 0;
}

static int on_fini_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct counted_proc *p = arg;
	struct track *t = p->track;
	struct counted_lwp *l = lwps_find(pctx, lwpid);

	if (!l)
		return 0;
	named_settle(t->named, pid);
	if (lwps_sample(t, l) == -1) {
		warnx("%6d: fini_lwp: lwp%d: can't access perf counters - %s", (int)pid,
		      (int)lwpid, strerror(errno));
		t->failed = 1;
		return -1;
	}
	if (t->options->threads)
		rows_print_lwp(t, "fini_lwp", pctx, pid, lwpid, l);
	else if (t->options->verbose && l->set[l->current].total.sampled)
		rows_print_values(t, "fini_lwp", pctx, pid, lwpid, l->current,
				  l->set[l->current].total.buf);
	for (unsigned i = 0; i < t->sets->n; i++)
		if (l->set[i].total.sampled) {
			cpc_buf_add(t->cpc, p->total[i].buf, p->total[i].buf,
				    l->set[i].total.buf);
			p->total[i].sampled = 1;
		}
	check_add(t, l);
	return 0;
}

static int on_lwp_create(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;

	cpc_buf_zero(t->cpc, t->now[0]);
	rows_print_values(t, "lwp_create", pctx, pid, lwpid, 0, t->now[0]);
	return 0;
}

static int on_lwp_exit(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;
	struct counted_lwp *l = lwps_find(pctx, lwpid);

	if (l)
		rows_print_lwp(t, "lwp_exit", pctx, pid, lwpid, l);
	lwps_free(t, l);
	return 0;
}

static int on_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;
	struct counted_lwp *l = lwps_find(pctx, lwpid);

	if (!l || !l->set[l->current].bound || named_is_pending(t->named, pid))
		return 0;
	if (lwps_sample(t, l) == -1) {
		warnx("%6d: tick: lwp%d: can't access perf counter - %s", (int)pid,
		      (int)lwpid, strerror(errno));
		give_up(t, pctx);
		return -1;
	}
	rows_print_tick(t, pctx, pid, lwpid, l->current);
	if (t->sets->n == 1)
		return 0;
	message_watch();
	if (lwps_bind_next(t, pctx, lwpid, l) == 0)
		return 0;
	not_bound(pid, lwpid, "tick");
	give_up(t, pctx);
	return -1;
}

static void on_fork(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	const struct counted_proc *parent = arg;
	struct track *t = parent->track;

	rows_print_fork(parent, lwpid, child);
	struct counted_proc *p =
		t->options->follow_fork ? lwps_proc_new(t, pctx, child) : NULL;
	if (p && named_fork(t->named, pid, child) == 0) {
		pctx_follow(pctx, p);
		return;
	}
	check_cancel(t);
	if (t->options->follow_fork) {
		warnx("cannot follow pid %d: out of memory", (int)child);
		t->failed = 1;
	}
}

static int on_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *cmd, void *arg)
{
	struct counted_proc *p = arg;
	struct track *t = p->track;

	rows_print_proc(p, "exec", pctx, lwpid);
	rows_print_exec(p, lwpid, cmd);
	lwps_free(t, lwps_find(pctx, lwpid));
	named_end(t->named, pid);
	if (!t->options->follow_exec) {
		t->exec_not_followed |= pid == t->root;
		p->left = 1;
		check_cancel(t);
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
	struct counted_proc *p = arg;
	struct track *t = p->track;

	rows_print_proc(p, "exit", pctx, lwpid);
	lwps_free(t, lwps_find(pctx, lwpid));
	lwps_proc_free(p);
	named_end(t->named, pid);
	if (pid == t->root) {
		t->ended = 1;
		t->status = status;
		forward_program_ended();
	}
}

/* The LWP is stopped, so that a program that must not run has done nothing yet. */
static void on_call(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;

	message_watch();
	if (named_call(t->named, pctx, pid, lwpid) == -1) {
		if (!message_came())
			warn("%6d: cannot look names up", (int)pid);
		t->failed = 1;
	}
	if (refuse_name(t, pid) || t->failed) {
		t->failed = 1;
		pctx_kill(t->pctx);
	}
}

void track_detach(struct track *t)
{
	pctx_walk_lwps(t->pctx, detach_lwp);
}

static void print_provisional(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct track *t = ((struct counted_proc *)arg)->track;
	const struct counted_lwp *l = lwps_find(pctx, lwpid);

	for (unsigned i = 0; l && i < t->sets->n; i++)
		if (lwps_peek(t, l, i) == 0)
			rows_print_values(t, "detach", pctx, pid, lwpid, i, t->delta[i]);
}

/*
 * Prints the rows that track_detach() would print; the next row takes their place.
 * Returns -1 if the output has failed.
 */
static int provisional(void *arg)
{
	struct track *t = arg;

	if (t->started && out_provisional_begin(t->out) == 0) {
		recording_provisional(t->recording);
		t->provisional = 1;
		pctx_walk_lwps(t->pctx, print_provisional);
		t->provisional = 0;
		recording_provisional_end(t->recording);
		out_provisional_end(t->out);
	}
	return t->out->error ? -1 : 0;
}

/*
 * A set that waits for its turn counts nothing in an LWP that ends before. So sets are
 * counted from the start of an LWP where this takes nothing from the first set: if there
 * are no turns, and otherwise if they need none of the machine's counters.
 */
static int may_count_early(const struct track *t, const struct sets_member *m)
{
	if (t->options->msec == 0 || cpc_engine_notice(t->cpc))
		return 1;
	for (unsigned i = 0; i < m->show.n; i++)
		if (cpc_event_takes_counter(t->cpc, m->show.event[i]))
			return 0;
	return 1;
}

struct row_style track_style(const struct options *o, const struct sets *sets)
{
	return (struct row_style){
		.format = o->shared.format,
		.pid = o->follow_fork,
		.tick = o->tick,
		.names = o->names,
		.nsets = (int)sets->n,
	};
}

int track_open(struct track *t, const struct options *o, cpc_t *cpc, struct sets *sets,
	       struct out *out, struct recording *recording)
{
	unsigned largest = 0;

	*t = (struct track){.options = o,
			    .cpc = cpc,
			    .sets = sets,
			    .out = out,
			    .recording = recording,
			    .names = o->names || o->chart || o->threads ||
				     o->shared.format != TEXT_PLAIN,
			    .style = track_style(o, sets)};
	ring_init(&t->lwps);
	ring_init(&t->procs);
	t->now = calloc(sets->n, sizeof *t->now);
	t->delta = calloc(sets->n, sizeof *t->delta);
	const struct row_set **show = calloc(sets->n, sizeof *show);
	t->shown = show;
	t->turns = calloc(sets->n, sizeof *t->turns);
	t->set = calloc(sets->n, sizeof *t->set);
	if (!t->now || !t->delta || !show || !t->turns || !t->set)
		return -1;
	for (unsigned i = 0; i < sets->n; i++) {
		t->turns[i].early = may_count_early(t, &sets->member[i]);
		show[i] = &sets->member[i].show;
		t->set[i] = sets->member[i].set;
		largest = show[i]->n > largest ? show[i]->n : largest;
		t->now[i] = cpc_buf_create(cpc, sets->member[i].set);
		t->delta[i] = cpc_buf_create(cpc, sets->member[i].set);
		if (!t->now[i] || !t->delta[i])
			return -1;
	}
	recording->run.nsets = sets->n;
	recording->run.set = show;
	t->value = calloc(largest + 1, sizeof *t->value);
	t->notes = notes_new(show, sets->n);
	if (!t->value || !t->notes)
		return -1;
	return named_open(&t->named, cpc, sets->n, t->set, o->pid != 0);
}

void track_close(struct track *t)
{
	while (t->lwps.next != &t->lwps)
		lwps_free(t, (struct counted_lwp *)t->lwps.next);
	while (t->procs.next != &t->procs)
		lwps_proc_free((struct counted_proc *)t->procs.next);
	check_cancel(t);
	for (unsigned i = 0; i < t->sets->n; i++) {
		lwps_buf_free(t->cpc, t->now ? t->now[i] : NULL);
		lwps_buf_free(t->cpc, t->delta ? t->delta[i] : NULL);
	}
	free(t->now);
	free(t->delta);
	free(t->value);
	notes_free(t->notes);
	free(t->shown);
	free(t->turns);
	named_free(t->named);
	free(t->set);
}

int track_adopt(struct track *t, pctx_t *pctx, pid_t pid)
{
	static const struct pctx_watch calls = {.call = on_call};
	struct counted_proc *p = lwps_proc_new(t, pctx, pid);

	if (!p || (t->named && !t->options->pid && pctx_watch(pctx, &calls) == -1))
		return -1;
	t->pctx = pctx;
	t->root = pid;
	/* A chart has no rows of the end of an LWP. */
	if (t->names && !t->options->chart)
		pctx_keep_names(pctx);
	pctx_follow(pctx, p);
	return pctx_set_events(
		pctx, PCTX_SYSC_EXEC_EVENT, on_exec, PCTX_SYSC_FORK_EVENT, on_fork,
		PCTX_SYSC_EXIT_EVENT, on_exit_process, PCTX_SYSC_LWP_CREATE_EVENT,
		on_lwp_create, PCTX_INIT_LWP_EVENT, on_init_lwp, PCTX_FINI_LWP_EVENT,
		on_fini_lwp, PCTX_SYSC_LWP_EXIT_EVENT, on_lwp_exit, PCTX_NULL_EVENT);
}

void track_compare(struct track *t)
{
	/* The processes were released because no row could be written. */
	if (t->out->error)
		return;
	if (t->starved && t->check.set)
		rows_print_rest(t);
	t->missed = check_end(t);
}

int track_run(struct track *t)
{
	const struct options *o = t->options;
	const int r = forward_run(t->pctx, o->msec, o->samples, on_tick, provisional, t);

	if (r == 0 && t->ended && o->samples == 0)
		track_compare(t);
	return r;
}
