#include "recorded.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <search.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/status.h"
#include "common/whole.h"
#include "files.h"

/* How often the records are read, ns. */
static const int64_t read_ns = 20000000;

/*
 * A process. The report of its first thread comes last, as that of a tracer does; until
 * then the values of a first thread that has ended before others are held.
 */
struct proc {
	pid_t pid;
	unsigned nlwps; /* that live */
	int held;
	int64_t ns; /* when the first thread has ended */
	cpc_value_t value[];
};

struct recorded {
	struct run *run;
	struct whole whole;
	struct files files;
	void *procs; /* a tree of tsearch(3) of the processes that live */
	int begun;   /* the command has executed its first program */
	/* a process that executed another program, which its report includes, or 0 */
	pid_t executed;
	uint64_t unborn; /* processes that have ended, whose births are not recorded */
	int no_memory;	 /* a process or thread has no report */
};

static int compare(const void *a, const void *b)
{
	const struct proc *x = a, *y = b;

	return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct proc *find(const struct recorded *r, pid_t pid)
{
	const struct proc key = {.pid = pid};
	void *node = tfind(&key, &r->procs, compare);

	return node ? *(struct proc **)node : NULL;
}

/* Returns -1 if memory runs out. */
static int add(struct recorded *r, pid_t pid)
{
	struct proc *p = calloc(1, sizeof *p + r->run->s->n * sizeof p->value[0]);

	if (p) {
		p->pid = pid;
		p->nlwps = 1;
	}
	if (p && tsearch(p, &r->procs, compare))
		return 0;
	free(p);
	r->no_memory = 1;
	return -1;
}

static void drop(struct recorded *r, struct proc *p)
{
	tdelete(p, &r->procs, compare);
	free(p);
}

static void take_birth(struct recorded *r, const struct cpc_life *life)
{
	struct proc *p = find(r, life->pid);

	if (!find(r, life->parent_pid))
		return;
	if (life->tid == life->pid)
		add(r, life->pid);
	else if (p)
		p->nlwps++;
}

static void put_held(struct recorded *r, struct proc *p)
{
	const struct set_list *s = r->run->s;

	for (unsigned i = 0; i < s->n; i++)
		s->row[i].value = p->value[i];
	files_put(&r->files, p->ns, p->pid, p->pid);
	p->held = 0;
}

static void hold(const struct recorded *r, struct proc *p, int64_t ns)
{
	const struct set_list *s = r->run->s;

	for (unsigned i = 0; i < s->n; i++)
		p->value[i] = s->row[i].value;
	p->ns = ns;
	p->held = 1;
}

static void take_values(const struct recorded *r, const struct cpc_life *life)
{
	const struct set_list *s = r->run->s;

	for (unsigned i = 0; i < s->n; i++)
		cpc_buf_value(s->cpc, life->buf[i], 0, &s->row[i].value);
}

/*
 * A first thread that ended by an exec of another thread has the id that this other
 * thread has then.
 */
static void put_thread(struct recorded *r, struct proc *p, const struct cpc_life *life)
{
	if (p->held && life->tid == p->pid)
		put_held(r, p);
	take_values(r, life);
	if (life->tid == p->pid && p->nlwps > 1)
		hold(r, p, life->ns);
	else
		files_put(&r->files, life->ns, life->pid, life->tid);
}

/* A command that could not be executed has no reports. */
static void take_end(struct recorded *r, const struct cpc_life *life)
{
	struct proc *p = find(r, life->pid);

	if (!p) {
		r->unborn++;
		return;
	}
	if (r->begun)
		put_thread(r, p, life);
	if (--p->nlwps > 0)
		return;
	if (p->held)
		put_held(r, p);
	drop(r, p);
}

/*
 * The kernel may also report what untracked processes execute, which is left out. The
 * first exec of the command begins it. At a later exec a process has executed another
 * program, and BPF programs know what it has counted in the one before.
 */
static void take_exec(struct recorded *r, const struct cpc_life *life)
{
	struct proc *p = find(r, life->pid);

	if (!p)
		return;
	if (r->begun && life->buf)
		put_thread(r, p, life);
	else if (r->begun)
		r->executed = life->pid;
	r->begun = 1;
}

static void take(void *arg, const struct cpc_life *life)
{
	struct recorded *r = arg;

	if (life->kind == LIFE_BIRTH)
		take_birth(r, life);
	else if (life->kind == LIFE_END)
		take_end(r, life);
	else if (life->kind == LIFE_EXEC)
		take_exec(r, life);
}

static void read_records(struct recorded *r, int all)
{
	lifetimes_read(r->whole.lives, all, r, take);
}

/* Put the total of the whole tree of processes. Returns -1 after a message. */
static int put_total(struct recorded *r, int final)
{
	struct set_list *s = r->run->s;
	const char *absent = lifetimes_why_absent(r->whole.lives);
	char words[160];

	if (whole_sample(&r->whole) != s->n) {
		warn("cannot read the counts of the whole tree of processes");
		return -1;
	}
	for (unsigned i = 0; i < s->n; i++)
		cpc_buf_value(s->cpc, r->whole.sample[i], 0, &s->row[i].value);
	if (final && absent)
		set_list_absent(s, absent);
	if (final && r->whole.child.pid == -1)
		set_list_lacks(s, whole_uncounted(&r->whole, words, sizeof words), words);
	run_report(r->run, IRIX_TOTAL, clock_ns(), r->whole.pid, 0);
	return 0;
}

static void put_provisional(struct recorded *r)
{
	if (out_provisional_begin(r->run->out) == -1)
		return;
	recording_provisional(&r->run->recording);
	put_total(r, 0);
	recording_provisional_end(&r->run->recording);
	out_provisional_end(r->run->out);
}

/* The processes that exist, whose ends are not reported yet. */
struct alive {
	pid_t first;
	unsigned n;
};

static void look_for(const void *node, VISIT when, void *arg)
{
	const struct proc *p = *(struct proc *const *)node;
	struct alive *alive = arg;

	if ((when != postorder && when != leaf) ||
	    (kill(p->pid, 0) == -1 && errno == ESRCH))
		return;
	if (alive->n++ == 0)
		alive->first = p->pid;
}

static struct alive find_alive(const struct recorded *r)
{
	struct alive alive = {0};

	twalk_r(r->procs, look_for, &alive);
	return alive;
}

/* The command has ended: wait for all that it has started, or for a second SIGINT. */
static enum child_event follow_rest(struct recorded *r)
{
	struct alive alive;

	while ((alive = find_alive(r)).n && !r->run->out->error) {
		const enum child_event ev =
			child_next(&r->whole.child, clock_ns() + read_ns / 4);

		if (ev == CHILD_GIVEN_UP)
			return ev;
		if (ev == CHILD_WARNED)
			put_provisional(r);
		if (ev == CHILD_ASKED)
			notes_waiting(alive.first, alive.n - 1);
		read_records(r, 0);
	}
	return CHILD_ENDED;
}

/* Waits until the command and all that it has started have ended, or a second SIGINT. */
static enum child_event follow(struct recorded *r)
{
	struct child *child = &r->whole.child;
	enum child_event ev = CHILD_TIME;

	while (ev != CHILD_ENDED && ev != CHILD_GIVEN_UP) {
		ev = child_next(child, clock_ns() + read_ns);
		read_records(r, ev == CHILD_ENDED);
		if (ev == CHILD_WARNED)
			put_provisional(r);
	}
	if (ev == CHILD_ENDED)
		ev = follow_rest(r);
	read_records(r, 1);
	return ev;
}

/* Put the report of a thread that is not counted further. */
static void take_living(void *arg, const struct cpc_life *life)
{
	struct recorded *r = arg;
	struct proc *p = find(r, life->pid);

	if (!p || !r->begun)
		return;
	if (p->held)
		put_held(r, p);
	take_values(r, life);
	files_put(&r->files, life->ns, life->pid, life->tid);
}

/* Returns whether the report of the whole run has a value of each event. */
static int has_total(const struct set_list *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->row[i].value.quality == CPC_UNAVAILABLE)
			return 0;
	return 1;
}

static int report(struct recorded *r)
{
	const int unseen = !r->begun && !whole_ended_early(&r->whole);
	const uint64_t lost = lifetimes_lost(r->whole.lives) + r->unborn + unseen;

	if (put_total(r, 1) == -1)
		return -1;
	if (lost)
		warnx("%" PRIu64 " records of the lives of threads were lost; reports of "
		      "threads are missing%s",
		      lost, has_total(r->run->s) ? ", and the total has all counts" : "");
	if (r->no_memory)
		warnx("reports of threads are missing, as memory ran out; the total has "
		      "all counts");
	if (r->executed)
		message_notef("pid %d executed another program, which the report of its "
			      "thread includes; --tracker=ptrace reports each program",
			      (int)r->executed);
	return lost || r->no_memory || r->files.unwritten ? -1 : 0;
}

/* The command has been started and waits: count it. Returns the exit status. */
static int count(struct recorded *r)
{
	struct run *run = r->run;

	if (whole_go(&r->whole) == -1)
		return EXIT_TOOL;
	run_begin(run, r->whole.begun, r->whole.begun_unix);
	const enum child_event ev = follow(r);
	const int not_begun = ev == CHILD_ENDED ? whole_not_begun(&r->whole) : 0;
	if (not_begun) {
		run->start = 0;
		return not_begun;
	}
	run->signal = SIGINT;
	/* Records do not have what threads that live have counted. */
	if (ev == CHILD_GIVEN_UP)
		lifetimes_living(r->whole.lives, r, take_living);
	if (report(r) == -1)
		return EXIT_TOOL;
	if (r->whole.child.pid != -1)
		return 128 + SIGINT;
	recording_ended(&run->recording, r->whole.child.status, &r->whole.child.use);
	run->signal = status_signal(r->whole.child.status);
	return status_of_wait(r->whole.child.status);
}

/* Returns why the threads cannot be counted without a tracer, or NULL. */
static const char *obstacle(const struct run *r, enum lifetimes_by by)
{
	const struct set_list *s = r->s;
	const char *why =
		whole_obstacle(s->cpc, set_list_named(s) != NULL, r->o->argv[0], by);

	for (unsigned i = 0; i < s->n && !why; i++)
		if (!s->set[i])
			why = "an event cannot be counted; leave it out";
	return why;
}

/* Start the command. Returns -1, with the reason, if it cannot be counted so. */
static int start(struct recorded *r, enum lifetimes_by by, char *reason, size_t size)
{
	const struct whole_lives how = {.by = by, .follow_fork = 1, .follow_exec = 1};
	const struct run *run = r->run;
	const char *why = obstacle(run, by);

	if (!why && whole_start_recorded(&r->whole, run->o->argv, run->argv, &how, reason,
					 size) == -1)
		return -1;
	if (!why && add(r, r->whole.pid) == -1)
		why = "no memory available";
	if (why)
		snprintf(reason, size, "%s", why);
	return why ? -1 : 0;
}

static void drop_all(struct recorded *r)
{
	while (r->procs)
		drop(r, *(struct proc **)r->procs);
}

int recorded_run(struct run *run, enum lifetimes_by by, char *reason, size_t size)
{
	struct recorded r = {.run = run, .files.run = run};
	int status = -1;

	if (whole_open(&r.whole, run->s->cpc, run->s->n, run->s->set) == -1)
		snprintf(reason, size, "no memory available");
	else if (start(&r, by, reason, size) == 0)
		status = count(&r);
	whole_close(&r.whole);
	drop_all(&r);
	files_free(&r.files);
	return status;
}
