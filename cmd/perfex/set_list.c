#include "set_list.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/info.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/status.h"
#include "common/warn.h"
#include "common/write.h"
#include "engine/breakpoint.h"
#include "suite/request/choose_engine.h"

/* Event i cannot be counted, for errno or the captured message. */
static void drop(struct set_list *s, unsigned i)
{
	const char *message = message_capture_text();

	s->set[i] = NULL;
	s->why[i] = strdup(*message ? message : strerror(errno));
	s->row[i].note = s->why[i];
}

static int is_empty(const struct set_list *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i])
			return 0;
	return 1;
}

int set_list_bound(struct set_list *s, unsigned i, int rc, int droppable)
{
	const int e = errno;

	message_capture_end();
	if (rc == -1 && s->partly && droppable) {
		drop(s, i);
		if (!is_empty(s))
			return 0;
	}
	message_print(message_capture_text());
	errno = e;
	return rc;
}

static void rows_new(struct set_list *s, const struct events *e)
{
	s->n = e->n;
	s->set = calloc(e->n, sizeof *s->set);
	s->row = calloc(e->n, sizeof *s->row);
	s->why = calloc(e->n, sizeof *s->why);
	int *number = calloc(e->n, sizeof *number);
	s->show = (struct row_set){
		.n = e->n,
		.event = calloc(e->n, sizeof *s->show.event),
		.note = calloc(e->n, sizeof *s->show.note),
		.mode = calloc(e->n, sizeof *s->show.mode),
		.unit = calloc(e->n, sizeof *s->show.unit),
		.number = number,
		.label = calloc(e->n, sizeof *s->show.label),
	};
	if (!s->set || !s->row || !s->why || !s->show.event || !s->show.note ||
	    !s->show.mode || !s->show.unit || !number || !s->show.label)
		err(EXIT_TOOL, "cannot store the events");
	for (unsigned i = 0; i < e->n; i++) {
		s->row[i] = (struct irix_row){.number = e->event[i].number,
					      .name = e->event[i].name,
					      .label = e->event[i].label,
					      .value.quality = CPC_UNAVAILABLE};
		number[i] = e->event[i].number;
		((const char **)s->show.event)[i] = e->event[i].name;
		((const char **)s->show.label)[i] = e->event[i].label;
	}
}

static void use_set(struct set_list *s, const struct options *o, const struct events *e,
		    unsigned i, const struct sets_member *g)
{
	if (g->show.n != 1)
		options_bad(o->shared.command, "%s %s: expected one event, found %u",
			    e->event[i].source, s->row[i].name, g->show.n);
	s->set[i] = g->set;
	s->row[i].note = g->show.note[0];
	((const char **)s->show.mode)[i] = g->show.mode[0];
	((const char **)s->show.unit)[i] = g->show.unit[0];
}

/*
 * -a: make the sets of the events that an engine can count. For each other event the
 * engine's message is the reason. Returns how many events it can count.
 */
static unsigned open_partly(struct set_list *s, const struct options *o,
			    const struct events *e, const char *engine)
{
	const struct engine_choice none = {.engine = engine,
					   .machine = machine_chosen(&o->shared),

					   .reproducible = o->shared.reproducible};
	char text[4096];
	unsigned n = 0;

	s->partly = 1;
	message_capture_begin();
	const int rc =
		choose_engine(&none, message_cpc, &s->cpc, &s->sets, text, sizeof text);
	for (unsigned i = 0; rc == 0 && i < e->n; i++) {
		message_capture_begin();
		if (sets_add(s->sets, e->event[i].spec, text, sizeof text) == 0) {
			use_set(s, o, e, i, &s->sets->member[s->sets->n - 1]);
			n++;
		} else {
			drop(s, i);
		}
	}
	message_capture_end();
	return n;
}

/*
 * Choose the allowed engine that can count the most events. Returns 0 if none can count
 * any event.
 */
static int open_most(struct set_list *s, const struct options *o, const struct events *e)
{
	static const char *const engine[] = {"kernel", "sim"};
	const char *only = o->shared.engine;
	unsigned most = 0;

	for (unsigned i = 0; i < 2; i++) {
		struct set_list other = {0};

		if (only && strcmp(only, "auto") != 0 && strcmp(only, engine[i]) != 0)
			continue;
		rows_new(&other, e);
		const unsigned n = open_partly(&other, o, e, engine[i]);
		if (n > most) {
			set_list_close(s);
			*s = other;
			most = n;
		} else {
			set_list_close(&other);
		}
	}
	return most > 0;
}

/* The environment variable whose event is in the second line of text, or NULL. */
static const char *source_of(const struct events *e, const char *text)
{
	const char *line = strstr(text, "\n\t");

	for (unsigned i = 0; line && i < e->n; i++) {
		const struct chosen *c = &e->event[i];
		const size_t len = strlen(c->spec);

		if (*c->source != '-' && strncmp(line + 2, c->spec, len) == 0 &&
		    line[2 + len] == '\n')
			return c->source;
	}
	return NULL;
}

/* No set can be counted: text is of choose_engine(), messages are the engines', or "". */
static void failed(int e, const char *text, const char *messages, const struct options *o,
		   const struct events *events)
{
	const char *source = source_of(events, text);

	if (*text && e == ENODEV)
		info_unknown_choice(&o->shared);
	if (*text && source)
		warnx("the event of %s is malformed:", source);
	if (*text)
		warn_lines(text);
	else if (e == ENOMEM)
		warnx("no memory available");
	message_print(messages);
	if (*text && e == EINVAL)
		options_bad_spec(o->shared.command);
	exit(e == ENODEV || e == EINVAL ? EXIT_USAGE : EXIT_TOOL);
}

void set_list_open(struct set_list *s, const struct options *o, const struct events *e)
{
	const char **spec = calloc(e->n, sizeof *spec);
	char text[4096], messages[4096];

	*s = (struct set_list){0};
	if (!spec)
		err(EXIT_TOOL, "cannot store the events");
	rows_new(s, e);
	for (unsigned i = 0; i < e->n; i++)
		spec[i] = e->event[i].spec;
	const struct engine_choice all = {.engine = o->shared.engine,
					  .nspecs = e->n,
					  .spec = spec,
					  .places = 1,
					  .machine = machine_chosen(&o->shared),

					  .reproducible = o->shared.reproducible};
	message_capture_begin();
	const int rc =
		choose_engine(&all, message_cpc, &s->cpc, &s->sets, text, sizeof text);
	const int error = errno;
	message_capture_end();
	free(spec);
	for (unsigned i = 0; rc == 0 && i < e->n; i++)
		use_set(s, o, e, i, &s->sets->member[i]);
	if (rc == 0)
		return;
	snprintf(messages, sizeof messages, "%s", message_capture_text());
	if (!o->all || !open_most(s, o, e))
		failed(error, text, messages, o, e);
}

/* Append words to the note of a row, once. Without memory the note stays. */
static void add_note(struct set_list *s, unsigned i, const char *words)
{
	const char *how = s->row[i].note;
	char *note;

	if (how && strstr(how, words))
		return;
	if (asprintf(&note, "%s%s%s", how ? how : "", how ? "; " : "", words) == -1)
		return;
	free(s->why[i]);
	s->row[i].note = s->why[i] = note;
}

void set_list_incomplete(struct set_list *s, const char *words)
{
	for (unsigned i = 0; i < s->n; i++) {
		cpc_value_t *v = &s->row[i].value;

		if (!s->set[i] || v->quality == CPC_UNAVAILABLE)
			continue;
		if (v->quality < CPC_APPROXIMATE)
			v->quality = CPC_APPROXIMATE;
		add_note(s, i, words);
	}
}

void set_list_uncounted(struct set_list *s, const char *words)
{
	for (unsigned i = 0; i < s->n; i++) {
		if (!s->set[i])
			continue;
		s->row[i].value = (cpc_value_t){.quality = CPC_UNAVAILABLE};
		add_note(s, i, words);
	}
	s->uncounted = 1;
}

void set_list_lacks(struct set_list *s, enum uncounted_part part, const char *words)
{
	switch (part) {
	case UNCOUNTED_NOTHING:
		break;
	case UNCOUNTED_SOME:
		set_list_incomplete(s, words);
		break;
	case UNCOUNTED_ALL:
		set_list_uncounted(s, words);
		break;
	}
}

void set_list_absent(struct set_list *s, const char *words)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i] && s->row[i].value.quality == CPC_UNAVAILABLE) {
			add_note(s, i, words);
			s->uncounted = 1;
		}
}

const char *set_list_named(const struct set_list *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i] && breakpoint_is_named(s->row[i].name))
			return s->row[i].name;
	return NULL;
}

const struct row_set *const *set_list_show(struct set_list *s)
{
	for (unsigned i = 0; i < s->n; i++)
		((const char **)s->show.note)[i] = s->row[i].note;
	s->shown = &s->show;
	return &s->shown;
}

void set_list_close(struct set_list *s)
{
	sets_free(s->sets);
	cpc_close(s->cpc);
	for (unsigned i = 0; i < s->n; i++)
		free(s->why[i]);
	free(s->why);
	free((char **)s->show.event);
	free((char **)s->show.note);
	free((char **)s->show.mode);
	free((char **)s->show.unit);
	free((int *)s->show.number);
	free((char **)s->show.label);
	free(s->set);
	free(s->row);
}

static const char warning[] =
	"WARNING: Multiplexing events to project totals--inaccuracy possible\n";

static void print(const struct set_list *s, unsigned i, int simulated)
{
	const struct irix_row *row = &s->row[i];
	const cpc_value_t *v = &row->value;
	char name[CPC_MAX_EVENT_LEN + 32];

	if (row->number >= 0)
		snprintf(name, sizeof name, "event %d (%s)", row->number, row->name);
	else
		snprintf(name, sizeof name, "%s", row->name);
	if (!s->set[i])
		message_notef("%s: cannot be counted: %s", name,
			      row->note ? row->note : "");
	else if (v->quality != CPC_UNAVAILABLE)
		notes_words(name, v, row->note);
	else if (breakpoint_is_named(row->name))
		return; /* named_notes() says so */
	else if (s->uncounted)
		message_notef("%s: not counted: %s", name, row->note ? row->note : "");
	else if (simulated)
		message_notef("%s: not counted: the program ran without the simulator",
			      name);
	else if (v->enabled > 0)
		notes_no_counters(name, row->note, 1);
	else
		message_notef("%s: not counted: counting never started", name);
}

int set_list_notes(const struct set_list *s)
{
	const char *notice = cpc_engine_notice(s->cpc);
	int inexact = 0, projected = 0;

	for (unsigned i = 0; i < s->n; i++) {
		const cpc_value_t *v = &s->row[i].value;

		inexact |= v->quality > CPC_SIMULATED;
		projected |= v->quality != CPC_UNAVAILABLE && v->running < v->enabled;
	}
	if (projected && !message_is_quiet())
		write_text(STDERR_FILENO, warning, sizeof warning - 1);
	if (notice)
		message_notef("%s", notice);
	for (unsigned i = 0; i < s->n; i++)
		print(s, i, notice != NULL);
	return cpc_run_notes(s->cpc, NULL, message_note) > 0 || inexact;
}
