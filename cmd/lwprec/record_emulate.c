/*
 * lwprec record: the LWP instructions of a program, emulated. The program is traced, so
 * that rings are saved before their memory goes, and so that programs without the
 * preloaded emulator are emulated from here.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/outfile.h"
#include "common/forward.h"
#include "common/message.h"
#include "common/status.h"
#include "image.h"
#include "lwp/emulator/report.h"
#include "outside.h"
#include "pctx/watch.h"
#include "record.h"

struct run {
	const struct record *record;
	pctx_t *pctx;
	pid_t root;
	int first; /* descriptor of -o, for the first image; -1: it was written */
	unsigned nrings, nfiles;
	uint64_t missed; /* MissedEvents of all rings */
	int failed;
	int ended, status; /* of the command */
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

/* Writes the recording of an image to an open file. */
static void write_file(struct run *r, struct image *m, int fd, const char *name)
{
	if (image_write(m, fd) == -1 || close(fd) == -1) {
		warn("cannot write %s", name);
		r->failed = 1;
		return;
	}
	if (m->lost) {
		warnx("%s lacks rings or mappings, because memory ran out", name);
		r->failed = 1;
	}
	r->nfiles++;
}

static int is_first(const struct process_image *p)
{
	return p->image.pid == p->run->root && p->image.n == 0;
}

static void write_image(struct process_image *p)
{
	struct run *r = p->run;
	struct image *m = &p->image;

	if (!is_first(p) && m->nring == 0)
		return;
	char *name = record_name(r->record->file, m->pid, m->n);
	const int fd = is_first(p) ? r->first : outfile_open(name, OUTFILE_DERIVED);

	if (is_first(p))
		r->first = -1;
	r->nrings += m->nring > 0;
	r->missed += image_missed(m);
	if (fd == -1) {
		warn("cannot write %s", name);
		r->failed = 1;
	} else {
		write_file(r, m, fd, name);
	}
	free(name);
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
		p->run->failed = 1;
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
		r->failed = 1;
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
	struct run *r = p->run;

	(void)pctx;
	(void)lwpid;
	write_image(p);
	image_next(&p->image);
	if (pid == r->root) {
		r->ended = 1;
		r->status = status;
		forward_program_ended();
	}
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
	p->run->failed = 1;
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
	if (!p->preloaded && p->run->record->emulate == RECORD_PRELOADED) {
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
	struct process_image *p = process_new(r, r->root);

	if (!p)
		return -1;
	pctx_follow(r->pctx, p);
	return pctx_watch(r->pctx, &watch) == -1 ||
			       pctx_set_events(r->pctx, PCTX_SYSC_EXEC_EVENT, on_exec,
					       PCTX_SYSC_FORK_EVENT, on_fork,
					       PCTX_SYSC_EXIT_EVENT, on_exit_process,
					       PCTX_INIT_LWP_EVENT, on_init_lwp,
					       PCTX_FINI_LWP_EVENT, on_fini_lwp,
					       PCTX_NULL_EVENT) == -1
		       ? -1
		       : 0;
}

static int start(struct run *r)
{
	message_watch();
	forward_block();
	r->pctx = pctx_create(r->record->argv[0], r->record->argv, NULL, 0, message_pctx);
	if (r->pctx) {
		r->root = pctx_pid(r->pctx);
		forward_begin(r->pctx, r->root);
		return 0;
	}
	const int e = errno;
	if (!message_came())
		warn("cannot start program '%s'", r->record->argv[0]);
	return e == EPERM ? EXIT_TOOL : status_of_exec(e);
}

static int no_provisional(void *arg)
{
	(void)arg;
	return 0;
}

/* Runs the command. Returns the exit status. */
static int run(struct run *r)
{
	if (follow(r) == -1) {
		warn("cannot record pid %d", (int)r->root);
		return EXIT_TOOL;
	}
	const int result = forward_run(r->pctx, 0, 0, NULL, no_provisional, NULL);
	if (result == -1 && forward_stopped())
		return r->ended ? status_of_wait(r->status) : 128 + forward_stopped();
	if (result == -1) {
		warn("cannot record pid %d to its end", (int)r->root);
		return EXIT_TOOL;
	}
	return status_of_wait(r->status);
}

static void tell(const struct run *r)
{
	if (r->nrings == 0)
		message_notef("'%s' did not enable LWP, so that there are no records",
			      r->record->argv[0]);
	else if (r->nfiles > 1)
		message_notef("%u recordings: %s, and %s.PID.N of other processes and "
			      "later programs",
			      r->nfiles, r->record->file, r->record->file);
	if (r->missed)
		message_notef("rings were full, and %" PRIu64 " events were missed",
			      r->missed);
}

int record_emulate(const struct record *record)
{
	struct run r = {.record = record};

#ifndef __x86_64__
	errx(EXIT_TOOL, "cannot emulate LWP instructions: this machine is not x86-64");
#endif
	r.first = outfile_open(record->file, 0);
	if (r.first == -1)
		err(EXIT_TOOL, "cannot write %s", record->file);
	preload_prepare(record->emulate, record->argv[0]);
	int status = start(&r);
	if (!r.pctx)
		return status;
	status = run(&r);
	const int released = r.ended && !forward_stopped();
	forward_end();
	tell(&r);
	if (released)
		pctx_release(r.pctx);
	else
		pctx_kill(r.pctx);
	return r.failed || (r.missed && record->shared.strict) ? EXIT_TOOL : status;
}
