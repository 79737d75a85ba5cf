/*
 * lwprec record: perf events are sampled, and each sample becomes a record. The program
 * is traced, so that each LWP has events and a ring of its own from its first instruction
 * on. The records and the missed events of an LWP are then never mixed with those of
 * another LWP, or with those of a program that the LWP executes later.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"
#include "common/status.h"
#include "suite/sampled/image.h"
#include "traced.h"

/* The events that are recorded without -e. */
static const char default_events[] = "cnh";

/* ms between two readings of the rings, which hold some thousand samples. */
enum { READ_MS = 10 };

struct run {
	struct traced traced;
	struct sample_set *events;
	struct process *process; /* those that run */
	uint64_t stored, missed, throttled;
	int shared; /* an event had no counter for some time */
	int unread; /* counts of an LWP, or facts of a process, could not be read */
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
		warnx("cannot read the counts of LWP %d of pid %d: %s; the recording of "
		      "the process has no counts",
		      (int)t->ring->tid, (int)m->pid, strerror(errno));
		m->unread = 1;
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
	p->run->traced.failed = 1;
	return NULL;
}

/* ---- Recordings */

static void write_image(struct process *p)
{
	struct run *r = p->run;
	struct sampled *m = &p->image;
	const struct sampled_sum sum = sampled_sum(m);

	r->stored += sum.stored;
	r->missed += sum.missed;
	r->shared |= m->shared;
	r->unread |= m->unread;
	if (!traced_is_first(&r->traced, m->pid, m->n) && !sum.stored && !sum.missed)
		return;
	struct traced_file f = traced_open(&r->traced, m->pid, m->n);
	if (m->error && f.fd != -1) {
		warnx("%s lacks what pid %d has mapped, so that reports lack names: "
		      "cannot read the files of the process in /proc: %s",
		      f.name, (int)m->pid, strerror(m->error));
		r->unread = 1;
	}
	traced_close(&r->traced, &f, f.fd == -1 ? -1 : sampled_write(m, r->events, f.fd),
		     m->lost ? "records or mappings" : NULL);
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
	parent->run->traced.failed = 1;
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

	(void)pctx;
	(void)lwpid;
	traced_ended(&p->run->traced, pid, status);
	process_end(p);
}

/* ---- The run */

static int add_event(void *arg, const char *name, uint64_t interval, struct why *why)
{
	return sample_set_add(arg, name, interval, why);
}

static void choose_events(struct run *r)
{
	const char *events = r->traced.record->events;

	r->events = sample_set_new(NULL);
	if (!r->events)
		err(EXIT_TOOL, "cannot choose the events");
	record_each_event(events ? events : default_events, add_event, r->events);
}

static int follow(struct run *r)
{
	struct process *p = process_new(r, r->traced.root, 0);

	if (!p)
		return -1;
	pctx_follow(r->traced.pctx, p);
	return pctx_set_events(r->traced.pctx, PCTX_SYSC_EXEC_EVENT, on_exec,
			       PCTX_SYSC_FORK_EVENT, on_fork, PCTX_SYSC_EXIT_EVENT,
			       on_exit_process, PCTX_INIT_LWP_EVENT, on_init_lwp,
			       PCTX_FINI_LWP_EVENT, on_fini_lwp, PCTX_NULL_EVENT);
}

static void finish_lwp(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	on_fini_lwp(pctx, pid, lwpid, arg);
}

/* Write the recordings of processes that still run after a signal has ended the run. */
static void finish_all(struct run *r)
{
	if (r->process)
		pctx_walk_lwps(r->traced.pctx, finish_lwp);
	while (r->process)
		process_end(r->process);
}

/* Print the sources of the records and what is not exact. Returns 1 if all is exact. */
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
	traced_note_files(&r->traced);
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
	return !substitutes && !r->missed && !r->throttled && !r->shared && !r->unread;
}

static int run(struct run *r)
{
	int status = traced_start(&r->traced);

	if (status)
		return status;
	if (follow(r) == -1)
		return traced_fail(&r->traced);
	status = traced_run(&r->traced, READ_MS, on_tick);
	finish_all(r);
	const int exact = tell(r);
	traced_end(&r->traced);
	return r->traced.failed || (!exact && r->traced.record->shared.strict) ? EXIT_TOOL
									       : status;
}

int record_perf(const struct record *record)
{
	struct run r = {.traced.record = record};

	choose_events(&r);
	const int status = run(&r);
	sample_set_free(r.events);
	return status;
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
