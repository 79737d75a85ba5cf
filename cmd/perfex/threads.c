#include "threads.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <libpctx.h>
#include "base/clock.h"
#include "base/procfs.h"
#include "common/forward.h"
#include "common/message.h"
#include "common/status.h"
#include "pctx/watch.h"
#include "files.h"
#include "suite/named/named.h"
#include "tree.h"

/* An event of one thread. */
struct counted {
	cpc_set_t *set; /* NULL if the event is not counted */
	cpc_buf_t *buf;
};

struct thread {
	struct counted event[1]; /* [run->s->n] */
};

struct threads {
	struct run *run;
	pctx_t *pctx;
	pid_t pid;
	cpc_buf_t **sum;    /* [run->s->n]; of all threads that have ended */
	cpc_buf_t **so_far; /* [run->s->n]; of a provisional report: of all threads */
	struct files files;
	struct tree tree;
	struct named *named; /* breakpoints at names, or NULL */
	int untracked;	     /* a process executed a program that cannot be tracked */
	int started;	     /* a thread is being counted */
	int ended;	     /* the command has ended */
	int complete;	     /* all its processes have ended */
	int failed;	     /* a thread could not be counted */
	pctx_t *releasing;   /* the process that is released for this, or NULL */
	int status;	     /* of waitpid(2) */
};

static void thread_free(struct threads *t, struct thread *th)
{
	cpc_t *cpc = t->run->s->cpc;

	for (unsigned i = 0; th && i < t->run->s->n; i++) {
		if (th->event[i].buf)
			cpc_buf_destroy(cpc, th->event[i].buf);
		if (th->event[i].set)
			cpc_set_destroy(cpc, th->event[i].set);
	}
	free(th);
}

static struct thread *thread_new(struct threads *t)
{
	const struct set_list *s = t->run->s;
	struct thread *th = calloc(1, sizeof *th + s->n * sizeof th->event[0]);

	for (unsigned i = 0; th && i < s->n; i++) {
		if (!s->set[i])
			continue;
		th->event[i].set = cpc_set_dup(s->cpc, s->set[i]);
		th->event[i].buf = cpc_buf_create(s->cpc, s->set[i]);
		if (!th->event[i].set || !th->event[i].buf) {
			thread_free(t, th);
			return NULL;
		}
	}
	return th;
}

/*
 * Returns 0, or 1 if the thread has ended meanwhile, or -1 with errno if it cannot be
 * counted.
 */
static int bind_event(struct threads *t, pctx_t *pctx, id_t lwp, struct thread *th,
		      unsigned i)
{
	struct set_list *s = t->run->s;
	struct counted *c = &th->event[i];

	message_capture_begin();
	const int rc = cpc_bind_pctx(s->cpc, pctx, lwp, c->set, 0);
	const int e = errno;
	if (rc == -1) {
		cpc_set_destroy(s->cpc, c->set);
		c->set = NULL;
		errno = e;
	}
	/* An event that the first thread cannot count is not tried on the next ones. */
	if (set_list_bound(s, i, rc, e != ESRCH && !t->started) == 0)
		return c->set ? named_bound(t->named, pctx_pid(pctx), i, c->set) : 0;
	return e == ESRCH ? 1 : -1;
}

static void free_live(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	struct threads *t = arg;
	void **data = pctx_lwp_data(pctx, lwp);

	(void)pid;
	if (!data || (t->releasing && pctx != t->releasing))
		return;
	thread_free(t, *data);
	*data = NULL;
}

/* Closes the descriptors of a process that is released, so that others can be counted. */
static void give_up(struct threads *t, pctx_t *pctx)
{
	t->failed = 1;
	t->releasing = pctx;
	pctx_walk_lwps(t->pctx, free_live);
	t->releasing = NULL;
}

static int on_init_lwp(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	struct threads *t = arg;
	struct thread *th = thread_new(t);
	void **data = pctx_lwp_data(pctx, lwp);

	if (!th || !data) {
		warnx("pid %d: out of memory", (int)pid);
		thread_free(t, th);
		give_up(t, pctx);
		return -1;
	}
	*data = th;
	message_watch();
	if (named_begin(t->named, pctx, pid, lwp) == -1) {
		warn("pid %d: cannot look names up", (int)pid);
		give_up(t, pctx);
		return -1;
	}
	for (unsigned i = 0; i < t->run->s->n; i++) {
		if (!th->event[i].set)
			continue;
		const int rc = bind_event(t, pctx, lwp, th, i);
		if (rc == 1)
			return 0;
		if (rc == -1) {
			if (!message_came())
				warn("pid %d: cannot count thread %d", (int)pid,
				     (int)pctx_tid(pctx, lwp));
			give_up(t, pctx);
			return -1;
		}
	}
	if (t->started)
		tree_birth(&t->tree, pctx_tid(pctx, lwp));
	else
		tree_start(&t->tree, t->run->s, pctx, lwp);
	t->started = 1;
	return 0;
}

/* Report the counts of a thread and add them to the sum. */
static int account(struct threads *t, pctx_t *pctx, pid_t pid, id_t lwp)
{
	const struct set_list *s = t->run->s;
	void **data = pctx_lwp_data(pctx, lwp);
	struct thread *th = data ? *data : NULL;

	if (!th)
		return 0;
	named_settle(t->named, pid);
	for (unsigned i = 0; i < s->n; i++) {
		struct counted *c = &th->event[i];

		s->row[i].value = (cpc_value_t){.quality = CPC_UNAVAILABLE};
		if (!c->set)
			continue;
		if (cpc_set_sample(s->cpc, c->set, c->buf) == -1) {
			warn("cannot read the counts of thread %d",
			     (int)pctx_tid(pctx, lwp));
			t->failed = 1;
			return -1;
		}
		cpc_buf_value(s->cpc, c->buf, 0, &s->row[i].value);
		cpc_buf_add(s->cpc, t->sum[i], t->sum[i], c->buf);
	}
	if (t->run->o->mode == MODE_THREADS)
		files_put(&t->files, clock_ns(), pid, pctx_tid(pctx, lwp));
	if (t->run->out->error)
		pctx_stop(t->pctx);
	thread_free(t, th);
	*data = NULL;
	return 0;
}

static int on_fini_lwp(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	return account(arg, pctx, pid, lwp);
}

static void on_fork(pctx_t *pctx, pid_t pid, id_t lwp, pid_t child, void *arg)
{
	struct threads *t = arg;

	(void)lwp;
	if (named_fork(t->named, pid, child) == 0) {
		pctx_follow(pctx, arg);
		return;
	}
	warn("cannot follow pid %d", (int)child);
	t->failed = 1;
}

static void on_call(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	struct threads *t = arg;

	message_watch();
	if (named_call(t->named, pctx, pid, lwp) == 0)
		return;
	if (!message_came())
		warn("pid %d: cannot look names up", (int)pid);
	t->failed = 1;
	pctx_kill(t->pctx);
}

/* Without this handler libpctx would release the process at its exec. */
static int on_exec(pctx_t *pctx, pid_t pid, id_t lwp, char *cmd, void *arg)
{
	struct threads *t = arg;

	(void)pctx;
	(void)lwp;
	(void)cmd;
	named_end(t->named, pid);
	t->untracked |= procfs_exec_spoiled(pid) != NULL;
	return 0;
}

static void on_exit_process(pctx_t *pctx, pid_t pid, id_t lwp, int status, void *arg)
{
	struct threads *t = arg;

	(void)pctx;
	(void)lwp;
	named_end(t->named, pid);
	if (pid == t->pid) {
		t->ended = 1;
		t->status = status;
		forward_program_ended();
	}
}

static void account_live(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	account(arg, pctx, pid, lwp);
}

/* Return a buf for each event that can be counted, or NULL with ENOMEM. */
static cpc_buf_t **sums_new(const struct set_list *s)
{
	cpc_buf_t **sum = calloc(s->n, sizeof *sum);

	for (unsigned i = 0; sum && i < s->n; i++)
		if (s->set[i]) {
			sum[i] = cpc_buf_create(s->cpc, s->set[i]);
			if (!sum[i]) {
				free(sum);
				return NULL;
			}
		}
	return sum;
}

static void put_total(struct threads *t, cpc_buf_t *const *sum)
{
	const struct set_list *s = t->run->s;

	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i])
			cpc_buf_value(s->cpc, sum[i], 0, &s->row[i].value);
	if (t->untracked)
		set_list_incomplete(t->run->s,
				    "without set-id and unreadable programs, which "
				    "cannot be tracked");
	else if (t->complete && tree_missed(&t->tree, sum))
		set_list_incomplete(
			t->run->s,
			"without processes or threads that were not traced, their "
			"creator being killed or using CLONE_UNTRACED");
	run_report(t->run, IRIX_TOTAL, clock_ns(), t->pid, 0);
}

static void add_live(pctx_t *pctx, pid_t pid, id_t lwp, void *arg)
{
	struct threads *t = arg;
	cpc_t *cpc = t->run->s->cpc;
	void **data = pctx_lwp_data(pctx, lwp);
	const struct thread *th = data ? *data : NULL;

	(void)pid;
	for (unsigned i = 0; th && i < t->run->s->n; i++) {
		const struct counted *c = &th->event[i];

		if (c->set && cpc_set_sample(cpc, c->set, c->buf) == 0)
			cpc_buf_add(cpc, t->so_far[i], t->so_far[i], c->buf);
	}
}

static int provisional(void *arg)
{
	struct threads *t = arg;
	const struct set_list *s = t->run->s;

	if (!t->started || out_provisional_begin(t->run->out) == -1)
		return t->run->out->error ? -1 : 0;
	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i])
			cpc_buf_copy(s->cpc, t->so_far[i], t->sum[i]);
	pctx_walk_lwps(t->pctx, add_live);
	recording_provisional(&t->run->recording);
	put_total(t, t->so_far);
	recording_provisional_end(&t->run->recording);
	out_provisional_end(t->run->out);
	return t->run->out->error ? -1 : 0;
}

static int control(struct threads *t)
{
	static const struct pctx_watch calls = {.call = on_call};
	struct run *r = t->run;

	message_watch();
	forward_block();
	t->pctx = r->argv == r->o->argv
			  ? pctx_create(r->argv[0], r->argv, t, 0, message_pctx)
			  : pctx_create_behind(r->argv, t, 0, message_pctx);
	if (!t->pctx)
		return -1;
	t->pid = pctx_pid(t->pctx);
	if (t->named && pctx_watch(t->pctx, &calls) == -1)
		return -1;
	return pctx_set_events(t->pctx, PCTX_SYSC_EXEC_EVENT, on_exec,
			       PCTX_SYSC_FORK_EVENT, on_fork, PCTX_SYSC_EXIT_EVENT,
			       on_exit_process, PCTX_INIT_LWP_EVENT, on_init_lwp,
			       PCTX_FINI_LWP_EVENT, on_fini_lwp, PCTX_NULL_EVENT);
}

static int run_threads(struct threads *t)
{
	run_begin(t->run, clock_ns(), clock_unix_ns());
	const int r = forward_run(t->pctx, 0, 0, NULL, provisional, t);
	t->complete = r == 0 && t->ended;
	if (r == -1 && !t->failed && !t->run->out->error && !forward_stopped()) {
		warn("cannot track '%s'", t->run->o->argv[0]);
		t->failed = 1;
	}
	if (!t->started || t->failed)
		t->run->start = 0;
	if (t->started && t->failed)
		warnx("there is no total, because a thread could not be counted");
	if (!t->started && !t->failed && t->ended && !forward_stopped())
		warnx("'%s' ended before it could be counted", t->run->o->argv[0]);
	if (!t->started)
		return EXIT_TOOL;
	if (forward_stopped() && !t->failed)
		pctx_walk_lwps(t->pctx, account_live);
	if (!t->failed)
		put_total(t, t->sum);
	pctx_walk_lwps(t->pctx, free_live);
	/* A report that cannot be written is no reason to end the command. */
	if (!t->ended)
		forward_wait(t->pctx, &t->status);
	if (t->failed || t->files.unwritten)
		return EXIT_TOOL;
	t->run->signal = t->ended ? status_signal(t->status) : forward_stopped();
	return t->ended ? status_of_wait(t->status) : 128 + forward_stopped();
}

/* Reports why the command was not started. EPERM is of ptrace(2). Returns the status. */
static int not_started(const struct run *r, int error)
{
	const int is_simulator = r->argv != r->o->argv;

	if (!message_came())
		return status_not_executed(r->argv[0], is_simulator, error);
	return error == EPERM || is_simulator ? EXIT_TOOL : status_of_exec(error);
}

int threads_run(struct run *r)
{
	struct threads t = {.run = r,
			    .files.run = r,
			    .sum = sums_new(r->s),
			    .so_far = sums_new(r->s)};
	int status;

	if (!t.sum || !t.so_far ||
	    named_open(&t.named, r->s->cpc, r->s->n, r->s->set, 0) == -1) {
		warnx("out of memory");
		status = EXIT_TOOL;
	} else if (control(&t) == -1) {
		status = not_started(r, errno);
	} else {
		forward_begin(t.pctx, pctx_pid(t.pctx));
		status = run_threads(&t);
		forward_end();
	}
	if (t.ended)
		pctx_release(t.pctx);
	else
		pctx_kill(t.pctx);
	tree_end(&t.tree);
	r->unnamed = named_notes(t.named, NULL, message_note);
	named_free(t.named);
	free(t.sum);
	free(t.so_far);
	files_free(&t.files);
	return status;
}
