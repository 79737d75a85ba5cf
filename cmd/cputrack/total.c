#include "total.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/status.h"
#include "common/uncounted.h"
#include "common/whole.h"
#include "lives.h"

struct total {
	const struct options *o;
	cpc_t *cpc;
	struct out *out;
	struct recording *recording;
	unsigned n;
	cpc_set_t **set;      /* [n] */
	struct row_set *show; /* [n]: how rows show the sets, with notes of their own */
	const struct row_set **shown; /* [n]: the addresses of show */
	struct notes *notes;
	char *words; /* of the notes about what was not counted, or NULL */
	struct whole whole;
	int begun; /* the command has begun */
	/* rows of each LWP are wanted, and the kernel records their lives */
	int by_lwp;
	int inexact;	       /* rows are missing, or contain what they should not */
	int samples;	       /* there are rows of LWPs that live */
	int64_t next_tick;     /* ns, or 0 */
	unsigned long skipped; /* ticks that were late */
	struct lives lives;
};

/* How often the records of the lives of LWPs are read, ns. */
static const int64_t read_ns = 20000000;

/* Returns -1 if memory runs out. */
static int copy_set(struct total *t, unsigned i, const struct sets_member *from)
{
	const unsigned n = from->show.n;
	const char **note = calloc(n + 1, sizeof *note);

	t->set[i] = from->set;
	t->show[i] = from->show;
	t->show[i].note = note;
	t->shown[i] = &t->show[i];
	if (!note)
		return -1;
	memcpy(note, from->show.note, n * sizeof *note);
	return 0;
}

static int copy_sets(struct total *t, const struct sets *sets)
{
	t->set = calloc(sets->n, sizeof *t->set);
	t->show = calloc(sets->n, sizeof *t->show);
	t->shown = calloc(sets->n, sizeof *t->shown);
	if (!t->set || !t->show || !t->shown)
		return -1;
	for (; t->n < sets->n; t->n++)
		if (copy_set(t, t->n, &sets->member[t->n]) == -1)
			return -1;
	t->notes = notes_new(t->shown, t->n);
	return t->notes ? 0 : -1;
}

static void close_total(struct total *t)
{
	lives_end(&t->lives);
	whole_close(&t->whole);
	notes_free(t->notes);
	for (unsigned i = 0; t->show && i < t->n; i++)
		free((const char **)t->show[i].note);
	free(t->words);
	free(t->shown);
	free(t->show);
	free(t->set);
}

static int bind_all(const struct total *t)
{
	for (unsigned i = 0; i < t->n; i++) {
		message_watch();
		if (whole_bind(&t->whole, i) == 0)
			continue;
		if (!message_came())
			warn("cannot count '%s'", t->o->argv[0]);
		return -1;
	}
	return 0;
}

/* Returns -1 after a message. */
static int sample(const struct total *t)
{
	const unsigned read = whole_sample(&t->whole);

	if (read == t->n)
		return 0;
	warn("cannot read the counts of set %u", read);
	return -1;
}

/* Writes a row of each set. part: what the kernel has not counted. */
static void put_rows(struct total *t, enum uncounted_part part, int final)
{
	for (unsigned s = 0; s < t->n; s++) {
		const struct row_set *show = &t->show[s];
		cpc_value_t value[show->n + 1];

		for (unsigned i = 0; i < show->n; i++)
			whole_value(&t->whole, s, i, part, &value[i]);
		recording_put(t->recording,
			      &(struct row){
				      .kind = ROW_VALUES,
				      .ns = clock_ns() - t->recording->start,
				      .pid = t->whole.pid,
				      .tree = 1,
				      .word = "exit",
				      .index = s,
				      .set = show,
				      .value = value,
			      });
		if (final)
			notes_add(t->notes, s, value);
	}
}

static void put_provisional(struct total *t)
{
	if (sample(t) == -1 || out_provisional_begin(t->out) == -1)
		return;
	recording_provisional(t->recording);
	if (t->by_lwp)
		lives_put_detached(&t->lives, t->whole.lives, 0);
	else
		put_rows(t, UNCOUNTED_NOTHING, 0);
	recording_provisional_end(t->recording);
	out_provisional_end(t->out);
}

/* Returns when the lives of LWPs are to be read next, ns. */
static int64_t time_to_read(const struct total *t)
{
	const int64_t next = clock_ns() + read_ns;

	return t->next_tick && t->next_tick < next ? t->next_tick : next;
}

/* Prints the rows of LWPs that live, if a tick is due. */
static void tick(struct total *t)
{
	const int64_t interval = t->o->msec * INT64_C(1000000), now = clock_ns();

	if (!t->next_tick || now < t->next_tick)
		return;
	lives_tick(&t->lives, t->whole.lives);
	t->skipped += (unsigned long)((now - t->next_tick) / interval);
	t->next_tick += interval * ((now - t->next_tick) / interval + 1);
}

/* The command executed a program that is not followed, and nothing else is counted. */
static int is_left(const struct total *t)
{
	return t->lives.left && lives_are_over(&t->lives);
}

/*
 * Waits for the next event; before it, and at least every read_ns, prints the rows of
 * LWPs that have begun or ended. CHILD_TIME: nothing more is to be counted.
 */
static enum child_event next_event(struct total *t)
{
	enum child_event ev;

	if (!t->by_lwp)
		return child_next(&t->whole.child, 0);
	do {
		ev = child_next(&t->whole.child, time_to_read(t));
		lives_read(&t->lives, t->whole.lives, ev == CHILD_ENDED);
		if (ev == CHILD_TIME)
			tick(t);
	} while (ev == CHILD_TIME && !is_left(t));
	return ev;
}

static void say_waiting(const struct total *t)
{
	const struct living *l = &t->lives.living;

	if (l->nprocs)
		notes_waiting(living_first(l), l->nprocs - 1);
}

/* The command has ended, and processes that it started can still be counted. */
static enum child_event follow_rest(struct total *t)
{
	while (t->by_lwp && !lives_are_over(&t->lives) && lives_can_go_on(&t->lives) &&
	       !t->out->error) {
		const enum child_event ev =
			child_next(&t->whole.child, clock_ns() + read_ns / 4);

		if (ev == CHILD_GIVEN_UP)
			return ev;
		if (ev == CHILD_WARNED)
			put_provisional(t);
		if (ev == CHILD_ASKED)
			say_waiting(t);
		lives_read(&t->lives, t->whole.lives, 0);
		tick(t);
	}
	if (t->by_lwp)
		lives_read(&t->lives, t->whole.lives, 1);
	return CHILD_ENDED;
}

/* Waits until the command ends, or a second SIGINT. */
static enum child_event follow(struct total *t)
{
	enum child_event ev;

	while ((ev = next_event(t)) == CHILD_WARNED)
		put_provisional(t);
	if (ev == CHILD_ENDED)
		ev = follow_rest(t);
	t->recording->end = clock_ns() - t->recording->start;
	return ev;
}

/* The words say what the kernel has not counted: add them to all notes. */
static void add_words(struct total *t, const char *words)
{
	t->words = strdup(words);
	for (unsigned s = 0; t->words && s < t->n; s++)
		for (unsigned i = 0; i < t->show[s].n; i++)
			((const char **)t->show[s].note)[i] = t->words;
}

void total_exec_left(pid_t pid)
{
	warnx("pid %d executed another program, which is not counted; use -e to "
	      "count it",
	      (int)pid);
}

/*
 * Reports what is missing in the rows. lost: records that were lost; rest: the result of
 * lives_put_rest(), with its errno.
 */
static void report_missing(const struct total *t, uint64_t lost, int rest)
{
	if (rest == -1)
		warn("cannot read the counts of the whole tree of processes");
	if (t->lives.failed)
		warnx("cannot count each LWP: %s", t->lives.failed);
	if (lost)
		warnx("%" PRIu64 " records of the lives of LWPs were lost; %s", lost,
		      rest == 1 ? "the row rest has what is in no other row"
				: "rows of LWPs are missing");
	if (t->lives.executed)
		message_notef("pid %d executed another program, which its counts "
			      "include; --tracker=ptrace counts each program by itself",
			      (int)t->lives.executed);
	if (t->lives.left)
		total_exec_left(t->whole.pid);
}

/*
 * Puts a row of each LWP and process that has no row yet. given_up: LWPs that live are
 * not counted further. Returns -1 after a message.
 */
static int finish_lwps(struct total *t, enum uncounted_part part, int given_up)
{
	int rest = 0;

	if (given_up)
		rest = lives_put_detached(&t->lives, t->whole.lives, 1);
	if (!t->lives.begun && whole_ended_early(&t->whole))
		lives_put_unbegun(&t->lives);
	const uint64_t lost =
		lifetimes_lost(t->whole.lives) + t->lives.unborn + !t->lives.begun;
	if (lost || (!given_up && (t->o->follow_fork || !lives_are_over(&t->lives))))
		rest = lives_put_rest(&t->lives, t->whole.lives, 1);
	report_missing(t, lost, rest);
	if (part != UNCOUNTED_NOTHING)
		message_notef("counted %s", t->words);
	t->notes->absent = lifetimes_why_absent(t->whole.lives);
	t->inexact |= rest != 0 || part != UNCOUNTED_NOTHING;
	return rest == -1 || lost || t->lives.failed ? -1 : 0;
}

/* The final rows. Returns the exit status. */
static int finish(struct total *t, enum child_event ev)
{
	const struct child *child = &t->whole.child;
	enum uncounted_part part = UNCOUNTED_NOTHING;
	char words[160];

	if (sample(t) == -1)
		return EXIT_TOOL;
	if (ev == CHILD_ENDED)
		part = whole_uncounted(&t->whole, words, sizeof words);
	if (part != UNCOUNTED_NOTHING)
		add_words(t, words);
	if (part == UNCOUNTED_ALL)
		t->notes->uncounted = t->words;
	if (!t->by_lwp)
		put_rows(t, part, 1);
	else if (finish_lwps(t, part, ev == CHILD_GIVEN_UP) == -1 || t->lives.left)
		return EXIT_TOOL;
	if (child->pid != -1) {
		if (t->by_lwp)
			living_kill(&t->lives.living);
		return 128 + SIGINT;
	}
	recording_ended(t->recording, child->status, &child->use);
	return status_of_wait(child->status);
}

/* The title of rows comes before what the program writes. */
static void begin_rows(struct total *t)
{
	recording_begin(t->recording, clock_ns(), clock_unix_ns());
	recording_flush(t->recording);
}

/* The command has been started and waits: count it. Returns the exit status. */
static int run(struct total *t)
{
	if (t->by_lwp)
		begin_rows(t);
	if (whole_go(&t->whole) == -1)
		return EXIT_TOOL;
	if (!t->by_lwp)
		recording_begin(t->recording, t->whole.begun, t->whole.begun_unix);
	if (t->samples)
		t->next_tick = t->whole.begun + t->o->msec * INT64_C(1000000);
	if (cpc_engine_notice(t->cpc))
		message_notef("%s", cpc_engine_notice(t->cpc));
	const enum child_event ev = follow(t);
	notes_skipped(t->skipped);
	const int not_begun = ev == CHILD_ENDED ? whole_not_begun(&t->whole) : 0;
	if (not_begun)
		return not_begun;
	t->begun = 1;
	return finish(t, ev);
}

/* Returns 1 if a value is not exact. */
static int print_notes(const struct total *t)
{
	return t->inexact | cpc_run_notes(t->cpc, NULL, message_note) |
	       notes_print(t->notes, cpc_engine_notice(t->cpc) != NULL);
}

/* Returns the signal that has ended the measurement or the command, or 0. */
static int signal_of(const struct total *t)
{
	const struct child *child = &t->whole.child;

	if (!t->begun || child->given_up)
		return child->given_up;
	return child->pid == -1 && !t->lives.left ? status_signal(child->status) : 0;
}

/* Count the command that was started, and end the run. Returns the exit status. */
static int count(struct total *t)
{
	int status = run(t);

	if (t->begun)
		notes_launcher(t->o->argv[0]);
	if (t->begun && print_notes(t) && t->o->shared.strict)
		status = EXIT_TOOL;
	if (t->begun && cpc_run_failed(t->cpc))
		status = EXIT_TOOL;
	recording_end(t->recording, status, signal_of(t), t->skipped);
	if (t->lives.left)
		child_leave(&t->whole.child);
	return status;
}

/* Start the command and count the whole tree of processes. Returns the exit status. */
static int count_tree(struct total *t)
{
	message_watch();
	char *const *argv = cpc_command(t->cpc, t->o->argv, t->n, t->set);
	if (!argv) {
		const int e = errno;

		if (!message_came())
			warn("cannot start '%s'", t->o->argv[0]);
		return status_of_exec(e);
	}
	if (whole_start(&t->whole, t->o->argv, argv, 0) == -1 || bind_all(t) == -1)
		return EXIT_TOOL;
	return count(t);
}

/* Returns -1, after a message, if memory runs out. */
static int open_total(struct total *t, const struct options *o, cpc_t *cpc,
		      struct sets *sets, struct out *out, struct recording *recording)
{
	*t = (struct total){.o = o, .cpc = cpc, .out = out, .recording = recording};
	if (copy_sets(t, sets) == -1 || whole_open(&t->whole, cpc, t->n, t->set) == -1) {
		warnx("out of memory");
		return -1;
	}
	recording->run.nsets = t->n;
	recording->run.set = t->shown;
	return 0;
}

int total_count(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out,
		struct recording *recording)
{
	struct total t;
	int status = EXIT_TOOL;

	if (open_total(&t, o, cpc, sets, out, recording) == 0)
		status = count_tree(&t);
	close_total(&t);
	return status;
}

/* Start the command. Returns -1, with the reason, if it cannot be counted so. */
static int start_recorded(struct total *t, enum lifetimes_by by, char *reason,
			  size_t size)
{
	const struct whole_lives how = {.by = by,
					.follow_fork = t->o->follow_fork,
					.follow_exec = t->o->follow_exec};

	if (whole_start_recorded(&t->whole, t->o->argv, t->o->argv, &how, reason, size) ==
	    -1)
		return -1;
	t->by_lwp = 1;
	t->samples = by == LIFETIMES_BY_BPF && t->o->msec;
	t->lives = (struct lives){.o = t->o,
				  .cpc = t->cpc,
				  .nsets = t->n,
				  .set = t->set,
				  .show = t->shown,
				  .recording = t->recording,
				  .notes = t->notes};
	if (lives_begin(&t->lives, t->whole.pid) == 0)
		return 0;
	snprintf(reason, size, "no memory available");
	return -1;
}

int total_count_lwps(const struct options *o, cpc_t *cpc, struct sets *sets,
		     enum lifetimes_by by, struct out *out, struct recording *recording,
		     char *reason, size_t size)
{
	struct total t;
	int status = EXIT_TOOL;

	*reason = '\0';
	if (open_total(&t, o, cpc, sets, out, recording) == 0)
		status = start_recorded(&t, by, reason, size) == 0 ? count(&t) : -1;
	close_total(&t);
	return status;
}
