/*
 * lwprec record: records of samples of perf events. The program is traced, so that each
 * LWP has events and a ring of its own from its first instruction on: its records and
 * its missed events are not mixed with those of others, nor with those of a program that
 * it executes later.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/outfile.h"
#include "common/forward.h"
#include "common/message.h"
#include "common/status.h"
#include "record.h"
#include "record_events.h"
#include "suite/sampled/image.h"

/* The events that are recorded without -e. */
static const char default_events[] = "cnh";

/* ms between two readings of the rings, which hold some thousand samples. */
enum { READ_MS = 10 };

struct run {
	const struct record *record;
	struct sample_set *events;
	pctx_t *pctx;
	pid_t root;
	int first; /* descriptor of -o, for the first image; -1: it was written */
	struct process *process; /* those that run */
	unsigned nfiles;
	uint64_t stored, missed, throttled;
	int shared; /* an event had no counter for some time */
	int failed;
	int ended, status; /* of the command */
};

/* A process, whose image changes when it executes a program. */
struct process {
	struct run *run;
	struct sampled image;
	struct process *next;
};

struct thread {
	struct process *process;
	struct sample_lwp *lwp;
	struct sampled_ring *ring;
};

/* ---- Rings */

static void on_record(void *arg, const lwp_record_t *record)
{
	const struct thread *t = arg;

	sampled_store(t->ring, record);
}

static void on_mapping(void *arg, const struct sample_mapping *mapping)
{
	const struct thread *t = arg;

	sampled_map(&t->process->image, mapping);
}

static void on_name(void *arg, pid_t tid, const char *name)
{
	const struct thread *t = arg;

	sampled_name(&t->process->image, tid, name);
}

static void read_ring(struct thread *t)
{
	const struct sample_handler to = {t, on_record, on_mapping, on_name};

	sample_lwp_read(t->lwp, &to);
}

static int on_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	void **data = pctx_lwp_data(pctx, lwpid);

	(void)pid;
	(void)arg;
	if (data && *data)
		read_ring(*data);
	return 0;
}

/* Add what is known at the end of an LWP. */
static void add_state(const struct thread *t)
{
	struct sampled *m = &t->process->image;
	struct sample_state state;

	if (sample_lwp_state(t->lwp, &state) == -1) {
		m->shared = 1;
		return;
	}
	for (unsigned i = 0; i < SAMPLE_SOURCES; i++)
		m->count[i] += state.count[i];
	m->shared |= state.shared;
	t->ring->missed += state.missed;
	t->process->run->throttled += state.throttled;
}

static void finish_thread(struct thread *t)
{
	read_ring(t);
	add_state(t);
	sample_lwp_close(t->lwp);
	free(t);
}

static struct thread *begin_thread(struct process *p, pid_t tid)
{
	struct thread *t = calloc(1, sizeof *t);
	struct sampled_ring *ring = t ? sampled_add(&p->image, tid) : NULL;
	struct why why = {"memory ran out"};

	if (ring) {
		*t = (struct thread){
			.process = p,
			.lwp = sample_lwp_open(p->run->events, tid, &why),
			.ring = ring,
		};
		if (t->lwp)
			return t;
	}
	free(t);
	warnx("cannot record LWP %d of pid %d: %s", (int)tid, (int)p->image.pid,
	      why.text);
	p->run->failed = 1;
	return NULL;
}

/* ---- Recordings */

static int is_first(const struct process *p)
{
	return p->image.pid == p->run->root && p->image.n == 0;
}

static void write_file(struct run *r, const struct sampled *m, int fd, const char *name)
{
	if (fd == -1 || sampled_write(m, r->events, fd) == -1) {
		warn("cannot write %s", name);
		r->failed = 1;
	} else if (m->lost) {
		warnx("%s lacks records or mappings, because memory ran out", name);
		r->failed = 1;
	}
	if (fd != -1 && close(fd) == -1) {
		warn("cannot write %s", name);
		r->failed = 1;
	}
	r->nfiles++;
}

static void write_image(struct process *p)
{
	struct run *r = p->run;
	const struct sampled_sum sum = sampled_sum(&p->image);

	r->stored += sum.stored;
	r->missed += sum.missed;
	r->shared |= p->image.shared;
	if (!is_first(p) && !sum.stored && !sum.missed)
		return;
	char *name = record_name(r->record->file, p->image.pid, p->image.n);
	const int fd = is_first(p) ? r->first : outfile_open(name, OUTFILE_DERIVED);

	if (is_first(p))
		r->first = -1;
	write_file(r, &p->image, fd, name);
	free(name);
}

/* ---- Processes */

static struct process *process_new(struct run *r, pid_t pid, unsigned n)
{
	struct process *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->run = r;
	p->next = r->process;
	r->process = p;
	sampled_begin(&p->image, pid, n);
	return p;
}

static void process_end(struct process *p)
{
	struct process **at = &p->run->process;

	write_image(p);
	sampled_end(&p->image);
	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	free(p);
}

static int on_init_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	void **data = pctx_lwp_data(pctx, lwpid);

	(void)pid;
	if (data)
		*data = begin_thread(arg, pctx_tid(pctx, lwpid));
	return 0;
}

static int on_fini_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	void **data = pctx_lwp_data(pctx, lwpid);

	(void)pid;
	(void)arg;
	if (data && *data) {
		finish_thread(*data);
		*data = NULL;
	}
	return 0;
}

static void on_fork(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	const struct process *parent = arg;
	struct process *p = process_new(parent->run, child, 1);

	(void)pid;
	(void)lwpid;
	if (p) {
		pctx_follow(pctx, p);
		return;
	}
	warnx("cannot record pid %d: memory ran out", (int)child);
	parent->run->failed = 1;
}

static int on_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *command, void *arg)
{
	struct process *p = arg;
	const unsigned n = p->image.n + 1;

	(void)pctx;
	(void)lwpid;
	(void)command;
	write_image(p);
	sampled_end(&p->image);
	sampled_begin(&p->image, pid, n);
	return 0;
}

static void on_exit_process(pctx_t *pctx, pid_t pid, id_t lwpid, int status, void *arg)
{
	struct process *p = arg;
	struct run *r = p->run;

	(void)pctx;
	(void)lwpid;
	if (pid == r->root) {
		r->ended = 1;
		r->status = status;
		forward_program_ended();
	}
	process_end(p);
}

/* ---- The run */

static int add_event(void *arg, const char *name, uint64_t interval, struct why *why)
{
	return sample_set_add(arg, name, interval, why);
}

static void choose_events(struct run *r)
{
	const char *events = r->record->events;

	r->events = sample_set_new(NULL);
	if (!r->events)
		err(EXIT_TOOL, "cannot choose the events");
	record_each_event(events ? events : default_events, add_event, r->events);
}

static int follow(struct run *r)
{
	struct process *p = process_new(r, r->root, 0);

	if (!p)
		return -1;
	pctx_follow(r->pctx, p);
	return pctx_set_events(r->pctx, PCTX_SYSC_EXEC_EVENT, on_exec,
			       PCTX_SYSC_FORK_EVENT, on_fork, PCTX_SYSC_EXIT_EVENT,
			       on_exit_process, PCTX_INIT_LWP_EVENT, on_init_lwp,
			       PCTX_FINI_LWP_EVENT, on_fini_lwp, PCTX_NULL_EVENT);
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

static void finish_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	on_fini_lwp(pctx, pid, lwpid, arg);
}

/* Write what there is of processes that still run. */
static void finish_all(struct run *r)
{
	if (r->process)
		pctx_walk_lwps(r->pctx, finish_lwp);
	while (r->process)
		process_end(r->process);
}

/* Runs the command. Returns the exit status. */
static int run(struct run *r)
{
	if (follow(r) == -1) {
		warn("cannot record pid %d", (int)r->root);
		return EXIT_TOOL;
	}
	const int result =
		forward_run(r->pctx, READ_MS, 0, on_tick, no_provisional, NULL);
	const int error = errno;
	finish_all(r);
	if (result == -1 && forward_stopped())
		return r->ended ? status_of_wait(r->status) : 128 + forward_stopped();
	if (result == -1) {
		errno = error;
		warn("cannot record pid %d to its end", (int)r->root);
		return EXIT_TOOL;
	}
	return status_of_wait(r->status);
}

/* Print where the records come from and what is not exact. Returns whether all is. */
static int tell(const struct run *r)
{
	unsigned n, substitutes = 0;
	const struct sample_source *s = sample_set_sources(r->events, &n);

	for (unsigned i = 0; i < n; i++) {
		message_notef("%s: %s, a record each %" PRIu64 "%s", s[i].name,
			      s[i].origin, s[i].interval,
			      s[i].substitute ? " ns: this machine has no such counter"
					      : "");
		substitutes += s[i].substitute;
	}
	if (r->nfiles > 1)
		message_notef("%u recordings: %s, and %s.PID.N of other processes and "
			      "later programs",
			      r->nfiles, r->record->file, r->record->file);
	if (r->missed)
		message_notef("%" PRIu64 " events have records, and %" PRIu64
			      " more were missed: give -e a longer interval",
			      r->stored, r->missed);
	if (r->throttled)
		message_notef("the kernel paused the events %" PRIu64
			      " times (kernel.perf_event_max_sample_rate), and samples "
			      "of these times are missing: give -e a longer interval",
			      r->throttled);
	if (r->shared)
		message_notef("the counters were shared with other events for some of "
			      "the time, of which there are no records: record fewer "
			      "events at a time");
	return !substitutes && !r->missed && !r->throttled && !r->shared;
}

int record_perf(const struct record *record)
{
	struct run r = {.record = record};

	choose_events(&r);
	r.first = outfile_open(record->file, 0);
	if (r.first == -1)
		err(EXIT_TOOL, "cannot write %s", record->file);
	int status = start(&r);
	if (r.pctx) {
		status = run(&r);
		const int released = r.ended && !forward_stopped();
		forward_end();
		if (!tell(&r) && record->shared.strict)
			r.failed = 1;
		if (released)
			pctx_release(r.pctx);
		else
			pctx_kill(r.pctx);
	}
	sample_set_free(r.events);
	return r.failed ? EXIT_TOOL : status;
}

/* The simulator does not have these events. */
static int is_clock(const char *name)
{
	return strcmp(name, "cnh") == 0 || strcmp(name, "rnh") == 0;
}

/* What record_perf_suits() finds out. */
struct suits {
	struct sample_set *events;
	int clock, missing;
};

static int try_event(void *arg, const char *name, uint64_t interval, struct why *why)
{
	struct suits *s = arg;

	s->clock |= is_clock(name);
	if (sample_set_add(s->events, name, interval, why) == -1)
		s->missing = 1;
	return 0;
}

int record_perf_suits(const char *events)
{
	struct suits s = {.events = sample_set_new(NULL)};
	unsigned n;

	if (!s.events)
		return 0;
	record_each_event(events ? events : default_events, try_event, &s);
	const struct sample_source *source = sample_set_sources(s.events, &n);
	for (unsigned i = 0; i < n; i++)
		s.missing |= source[i].substitute;
	sample_set_free(s.events);
	return !s.missing || (events && s.clock);
}
