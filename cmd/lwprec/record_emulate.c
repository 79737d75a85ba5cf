/*
 * lwprec record: the LWP instructions of a program, emulated. The program is traced, so
 * that rings are saved before their memory goes, and so that programs without the
 * preloaded emulator are emulated from here.
 */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/clock.h"
#include "common/message.h"
#include "common/status.h"
#include "image.h"
#include "lwp/emulator/report.h"
#include "outside.h"
#include "pctx/watch.h"
#include "traced.h"

struct run {
	struct traced traced;
	unsigned nrings;
	uint64_t missed; /* MissedEvents of all rings */
	struct newborn *newborn;
};

/* A child that was created, with the state of its creator at that time. */
struct newborn {
	pid_t pid;
	struct emulate_state state;
	struct newborn *next;
};

/* A process, whose image changes when it executes a program. */
struct process_image {
	struct run *run;
	struct image image;
	unsigned nthreads; /* that have not ended */
	/* Of the preloaded emulator, if it has reported. */
	struct report_directory directory;
	int preloaded;
	int refused; /* refuse() has printed its message */
};

struct thread {
	pid_t tid;
	struct emulate_state state; /* while it is emulated from here */
	struct emulate_state seen;  /* the state that save() read last */
	uint64_t inherited;	    /* instructions that its parent had executed */
	int ending;		    /* its end was reported before */
};

static struct thread *thread_of(pctx_t *pctx, id_t lwpid)
{
	void **data = pctx_lwp_data(pctx, lwpid);

	return data ? *data : NULL;
}

/* Returns the LWP state of a stopped thread, or NULL if it cannot be read. */
static const struct emulate_state *state_of(const struct process_image *p,
					    const struct thread *t,
					    struct emulate_state *copy)
{
	if (!p->preloaded)
		return &t->state;
	const uint64_t base = outside_fs_base(t->tid);
	if (!base || emulate_read(p->image.pid, base + p->directory.state, copy,
				  sizeof *copy) != sizeof *copy)
		return NULL;
	return copy;
}

/* Saves the ring of a thread, if LWP is enabled there, and what it has executed. */
static void save(struct process_image *p, struct thread *t)
{
	struct emulate_state copy;
	const struct emulate_state *s = state_of(p, t, &copy);

	if (!s)
		return;
	t->seen = *s;
	/* A child that has stored nothing has only a copy of its parent's records. */
	if (s->cb && s->values + s->markers != t->inherited)
		image_save_ring(&p->image, t->tid, s);
}

static int is_first(const struct process_image *p)
{
	return traced_is_first(&p->run->traced, p->image.pid, p->image.n);
}

static void write_image(struct process_image *p)
{
	struct run *r = p->run;
	struct image *m = &p->image;

	if (!is_first(p) && m->nring == 0)
		return;
	r->nrings += m->nring > 0;
	r->missed += image_missed(m);
	struct traced_file f = traced_open(&r->traced, m->pid, m->n);
	traced_close(&r->traced, &f, f.fd == -1 ? -1 : image_write(m, f.fd),
		     m->lost ? "rings or mappings" : NULL);
}

static int on_init_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct process_image *p = arg;
	void **data = pctx_lwp_data(pctx, lwpid);

	(void)pid;
	if (!data)
		return 0;
	if (!*data)
		*data = calloc(1, sizeof(struct thread));
	struct thread *t = *data;
	if (!t) {
		warnx("cannot record pid %d: memory ran out", (int)p->image.pid);
		p->run->traced.failed = 1;
		return -1;
	}
	t->tid = pctx_tid(pctx, lwpid);
	p->nthreads++;
	return 0;
}

static int on_fini_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	void **data = pctx_lwp_data(pctx, lwpid);
	struct process_image *p = arg;
	struct thread *t = data ? *data : NULL;

	(void)pid;
	if (!t)
		return 0;
	p->nthreads -= !t->ending;
	image_add(&p->image, p->preloaded ? &t->seen : &t->state);
	free(t);
	*data = NULL;
	return 0;
}

static struct process_image *process_new(struct run *r, pid_t pid)
{
	struct process_image *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->run = r;
	p->image = (struct image){.pid = pid, .begun = (uint64_t)clock_unix_ns()};
	return p;
}

/* Keeps the state of a thread that creates a process, as the thread runs on. */
static void on_forked(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	struct process_image *p = arg;
	const struct thread *t = thread_of(pctx, lwpid);
	struct newborn *n = t && t->state.last_cb ? malloc(sizeof *n) : NULL;

	(void)pid;
	if (!n)
		return;
	*n = (struct newborn){child, t->state, p->run->newborn};
	p->run->newborn = n;
}

/* Gives a new process the state of the thread that created it. */
static void inherit(struct process_image *p, struct thread *t)
{
	struct newborn **at = &p->run->newborn;
	struct emulate_state copy;

	while (*at && (*at)->pid != p->image.pid)
		at = &(*at)->next;
	if (*at) {
		struct newborn *const n = *at;

		t->state = n->state;
		*at = n->next;
		free(n);
	}
	const struct emulate_state *s = state_of(p, t, &copy);
	t->inherited = s ? s->values + s->markers : 0;
}

static void on_fork(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	struct process_image *parent = arg;
	struct run *r = parent->run;
	struct process_image *p = process_new(r, child);
	struct thread *t = calloc(1, sizeof *t);
	void **data = pctx_lwp_data(pctx, 1);

	(void)pid;
	(void)lwpid;
	if (!p || !t || !data) {
		free(p);
		free(t);
		warnx("cannot record pid %d: memory ran out", (int)child);
		r->traced.failed = 1;
		return;
	}
	*data = t;
	t->tid = child;
	p->image.n = 1;
	p->preloaded = parent->preloaded;
	p->directory = parent->directory;
	inherit(p, t);
	pctx_watch_calls(pctx, 1, t->state.last_cb != 0);
	pctx_follow(pctx, p);
}

static int on_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *command, void *arg)
{
	struct process_image *p = arg;

	(void)pid;
	(void)command;
	write_image(p);
	image_next(&p->image);
	p->preloaded = 0;
	p->nthreads = 0;
	pctx_watch_calls(pctx, lwpid, 0);
	return 0;
}

static void on_exit_process(pctx_t *pctx, pid_t pid, id_t lwpid, int status, void *arg)
{
	struct process_image *p = arg;

	(void)pctx;
	(void)lwpid;
	write_image(p);
	image_next(&p->image);
	traced_ended(&p->run->traced, pid, status);
	free(p);
}

/* The emulator in the process reports. */
static void on_report(struct process_image *p, const struct outside_trap *trap,
		      struct thread *t)
{
	if (trap->kind == REPORT_HELLO)
		p->preloaded = emulate_read(p->image.pid, trap->address, &p->directory,
					    sizeof p->directory) == sizeof p->directory;
	else if (trap->kind == REPORT_EXEC)
		save(p, t);
	if (trap->kind == REPORT_EXEC || is_first(p))
		image_read_facts(&p->image);
	outside_answer(trap);
}

/* Executes an instruction for a process without the preloaded emulator. */
static int execute(pctx_t *pctx, id_t lwpid, const struct outside_trap *trap,
		   struct thread *t)
{
	const int sig = outside_execute(trap, &t->state);

	/* The end of the image is seen when the thread executes a program. */
	if (trap->instruction.op == LWP_OP_LLWPCB)
		pctx_watch_calls(pctx, lwpid, t->state.last_cb != 0);
	return sig;
}

/* An LWP instruction will end a program that could not load the emulator. */
static void refuse(struct process_image *p)
{
	if (!p->refused)
		warnx("pid %d executes an LWP instruction, but has not loaded the "
		      "emulator, as it is static or has changed LD_PRELOAD; "
		      "--emulate=ptrace emulates from outside",
		      (int)p->image.pid);
	p->refused = 1;
	p->run->traced.failed = 1;
}

static int on_illegal(pctx_t *pctx, pid_t pid, id_t lwpid, struct process_image *p)
{
	struct thread *t = thread_of(pctx, lwpid);
	struct outside_trap trap = {.pid = pid, .tid = pctx_tid(pctx, lwpid)};

	if (!t)
		return SIGILL;
	outside_look(&trap);
	if (trap.stop == OUTSIDE_REPORT) {
		on_report(p, &trap, t);
		return 0;
	}
	if (trap.stop != OUTSIDE_LWP)
		return SIGILL;
	if (!p->preloaded && p->run->traced.record->emulate == RECORD_PRELOADED) {
		refuse(p);
		return SIGILL;
	}
	/* LLWPCB stops the use of a ring, which may be freed or used again soon. */
	if (trap.instruction.op == LWP_OP_LLWPCB)
		save(p, t);
	/* The kernel need not report the end of a process that is killed. */
	if (!p->image.fact.pid)
		image_read_facts(&p->image);
	if (p->preloaded)
		return SIGILL;
	return execute(pctx, lwpid, &trap, t);
}

static int on_signal(pctx_t *pctx, pid_t pid, id_t lwpid, int sig, void *arg)
{
	const struct process_image *p = arg;

	if (sig == SIGILL)
		return on_illegal(pctx, pid, lwpid, arg);
	if (p->preloaded && (sig == SIGSEGV || sig == SIGBUS))
		outside_rewind(pid, pctx_tid(pctx, lwpid), p->directory.fast_begin,
			       p->directory.fast_end);
	return sig;
}

/* The facts are those at the end of the last thread. */
static void on_ending(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct process_image *p = arg;
	struct thread *t = thread_of(pctx, lwpid);

	(void)pid;
	if (!t || t->ending)
		return;
	t->ending = 1;
	save(p, t);
	if (--p->nthreads == 0 && (p->image.nring || is_first(p)))
		image_read_facts(&p->image);
}

static void on_call(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct process_image *p = arg;
	struct thread *t = thread_of(pctx, lwpid);

	(void)pid;
	if (!t || !outside_executes(t->tid))
		return;
	save(p, t);
	image_read_facts(&p->image);
}

static const struct pctx_watch watch = {
	.signal = on_signal,
	.ending = on_ending,
	.forked = on_forked,
	.call = on_call,
};

static int follow(struct run *r)
{
	struct process_image *p = process_new(r, r->traced.root);

	if (!p)
		return -1;
	pctx_follow(r->traced.pctx, p);
	return pctx_watch(r->traced.pctx, &watch) == -1 ||
			       pctx_set_events(r->traced.pctx, PCTX_SYSC_EXEC_EVENT,
					       on_exec, PCTX_SYSC_FORK_EVENT, on_fork,
					       PCTX_SYSC_EXIT_EVENT, on_exit_process,
					       PCTX_INIT_LWP_EVENT, on_init_lwp,
					       PCTX_FINI_LWP_EVENT, on_fini_lwp,
					       PCTX_NULL_EVENT) == -1
		       ? -1
		       : 0;
}

static void tell(const struct run *r)
{
	if (r->nrings == 0)
		message_notef("'%s' did not enable LWP, so that there are no records",
			      r->traced.record->argv[0]);
	traced_note_files(&r->traced);
	if (r->missed)
		message_notef("rings were full, and %" PRIu64 " events were missed",
			      r->missed);
}

int record_emulate(const struct record *record)
{
	struct run r = {.traced.record = record};

#ifndef __x86_64__
	errx(EXIT_TOOL, "cannot emulate LWP instructions: this machine is not x86-64");
#endif
	preload_prepare(record->emulate, record->argv[0]);
	int status = traced_start(&r.traced);
	if (status)
		return status;
	if (follow(&r) == -1)
		return traced_fail(&r.traced);
	status = traced_run(&r.traced, 0, NULL);
	tell(&r);
	traced_end(&r.traced);
	return r.traced.failed || (r.missed && record->shared.strict) ? EXIT_TOOL
								      : status;
}
