#include "total.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/status.h"
#include "common/whole.h"
#include "engine/breakpoint.h"

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
};

int total_needs_tracer(const struct sets *sets)
{
	for (unsigned s = 0; s < sets->n; s++)
		for (unsigned i = 0; i < sets->member[s].show.n; i++)
			if (breakpoint_is_named(sets->member[s].show.event[i]))
				return 1;
	return 0;
}

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
	put_rows(t, UNCOUNTED_NOTHING, 0);
	recording_provisional_end(t->recording);
	out_provisional_end(t->out);
}

/* Waits until the command ends, or a second SIGINT. */
static enum child_event follow(struct total *t)
{
	enum child_event ev;

	while ((ev = child_next(&t->whole.child, 0)) == CHILD_WARNED)
		put_provisional(t);
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
	put_rows(t, part, 1);
	if (ev != CHILD_ENDED)
		return 128 + SIGINT;
	recording_ended(t->recording, child->status, &child->use);
	return status_of_wait(child->status);
}

static int run(struct total *t, char *const *argv)
{
	if (whole_start(&t->whole, t->o->argv, argv, 0) == -1 || bind_all(t) == -1 ||
	    whole_go(&t->whole) == -1)
		return EXIT_TOOL;
	recording_begin(t->recording, t->whole.begun, t->whole.begun_unix);
	if (cpc_engine_notice(t->cpc))
		message_notef("%s", cpc_engine_notice(t->cpc));
	const enum child_event ev = follow(t);
	const int not_begun = ev == CHILD_ENDED ? whole_not_begun(&t->whole) : 0;
	if (not_begun)
		return not_begun;
	t->begun = 1;
	return finish(t, ev);
}

/* Returns 1 if a value is not exact. */
static int print_notes(const struct total *t)
{
	return cpc_run_notes(t->cpc, NULL, message_note) |
	       notes_print(t->notes, cpc_engine_notice(t->cpc) != NULL);
}

static int count(struct total *t)
{
	message_watch();
	char *const *argv = cpc_command(t->cpc, t->o->argv, t->n, t->set);
	if (!argv) {
		const int e = errno;

		if (!message_came())
			warn("cannot start '%s'", t->o->argv[0]);
		return status_of_exec(e);
	}
	int status = run(t, argv);
	if (t->begun)
		notes_launcher(t->o->argv[0]);
	if (t->begun && print_notes(t) && t->o->shared.strict)
		status = EXIT_TOOL;
	if (t->begun && cpc_run_failed(t->cpc))
		status = EXIT_TOOL;
	const int signal =
		t->whole.child.pid == -1 ? status_signal(t->whole.child.status) : SIGINT;
	recording_end(t->recording, status, t->begun ? signal : 0, 0);
	return status;
}

int total_count(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out,
		struct recording *recording)
{
	struct total t = {.o = o, .cpc = cpc, .out = out, .recording = recording};
	int status = EXIT_TOOL;

	if (copy_sets(&t, sets) == -1 || whole_open(&t.whole, cpc, t.n, t.set) == -1) {
		warnx("out of memory");
	} else {
		recording->run.nsets = t.n;
		recording->run.set = t.shown;
		status = count(&t);
	}
	close_total(&t);
	return status;
}
