#include "profiles.h"

#include <err.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "common/message.h"
#include "common/out.h"
#include "common/status.h"
#include "options_table.h"
#include "places.h"
#include "suite/where/space.h"

void profiles_options_begin(struct profiles_options *o,
			    const struct options_command *command, char **argv)
{
	*o = (struct profiles_options){.rows = -1};
	options_shared_begin(&o->shared, command, argv);
}

void profiles_option(struct profiles_options *o, const struct options_command *command,
		     int c)
{
	switch (c) {
	case 'e':
		o->event = optarg;
		break;
	case 'n':
		o->rows = options_number(command, "-n", optarg, 0, INT32_MAX);
		break;
	case 'o':
		free(o->output);
		o->output = out_name("-o", optarg);
		break;
	case LWPREC_MANGLED:
		o->mangled = 1;
		break;
	case LWPREC_RECORDS:
		o->records = 1;
		break;
	default:
		if (!input_option(&o->input, command, c))
			options_shared_parse(&o->shared, c);
	}
}

void profiles_options_free(struct profiles_options *o)
{
	input_options_free(&o->input);
	free(o->output);
	options_shared_free(&o->shared);
}

void profiles_open(struct profiles *p, const struct profiles_options *o,
		   char *const *path, size_t n)
{
	const struct symbols_options options = {.lines = o->lines ? symbols_lines : NULL,
						.mangled = o->mangled};

	*p = (struct profiles){.n = n,
			       .file = calloc(n, sizeof *p->file),
			       .input = calloc(n, sizeof *p->input)};
	if (!p->file || !p->input)
		err(EXIT_TOOL, "cannot read %zu recordings", n);
	for (size_t i = 0; i < n; i++) {
		struct symbols_options s = options;

		input_open(&p->file[i], &o->input, path[i], 0);
		s.pid = p->file[i].recording.pid;
		p->input[i] = (struct profile_input){
			.name = p->file[i].name,
			.recording = &p->file[i].recording,
			.symbols = space_symbols(&p->file[i].recording, &s)};
		if (!p->input[i].symbols)
			err(EXIT_TOOL, "cannot look up the symbols of %s", path[i]);
	}
}

/* Exit with the names of the events that the recordings have. */
static void no_event(const struct profiles *p, const struct profile *all,
		     const char *wanted) __attribute__((noreturn));

static void no_event(const struct profiles *p, const struct profile *all,
		     const char *wanted)
{
	char names[512] = "";

	for (unsigned i = 0; i < all->nmetric; i++)
		if (!all->metric[i].covered)
			say_add(names, sizeof names, "%s%s", *names ? ", " : "",
				all->metric[i].event);
	if (*names)
		errx(EXIT_TOOL, "-e: no event '%s' is in %s%s, which has: %s", wanted,
		     p->input[0].name, p->n > 1 ? " and the others" : "", names);
	errx(EXIT_TOOL, "-e: no event '%s' is in %s", wanted, p->input[0].name);
}

static int has_event(const struct profile *p, const char *name)
{
	for (unsigned i = 0; i < p->nmetric; i++)
		if (strcasecmp(p->metric[i].event, name) == 0)
			return 1;
	return 0;
}

static struct profile *sum_up(const struct profiles *p, const struct profile_options *o)
{
	struct profile *sum = profile_new(p->input, p->n, o);

	if (!sum)
		err(EXIT_TOOL, "cannot sum up the records of %s", p->input[0].name);
	return sum;
}

/*
 * Exit with a message if the recordings have no record of an event of the list. Filters
 * may have left out all records of an event; that is no error.
 */
static void check_events(const struct profiles *p, const char *list, int records)
{
	const struct profile_options unfiltered = {.records = records};
	char *words = strdup(list), *rest = words;
	struct profile *all = NULL;

	if (!words)
		err(EXIT_TOOL, "cannot store the options");
	for (const char *name; (name = strsep(&rest, ","));) {
		if (has_event(p->profile, name))
			continue;
		if (!all)
			all = sum_up(p, &unfiltered);
		if (!has_event(all, name))
			no_event(p, all, name);
	}
	profile_free(all);
	free(words);
}

void profiles_sum(struct profiles *p, const struct profile_options *o)
{
	p->profile = sum_up(p, o);
	if (o->event)
		check_events(p, o->event, o->records);
}

static int is_exact(const struct profile_metric *m)
{
	return m->number == PROFILE_COUNTS ||
	       (m->number == PROFILE_WEIGHTED && m->interval == 1);
}

/* Returns whether code of this file has been reported without a name. */
static int lacks_names(const struct profile *p, size_t input, const char *path)
{
	for (size_t i = 0; i < p->ncode; i++) {
		const struct profile_code *c = &p->code[i];
		const struct symbols_frame *f = profile_frames(p, c) + c->nframe - 1;

		if (c->input == input && !f->function && f->module &&
		    strcmp(f->module, path) == 0)
			return 1;
	}
	return 0;
}

static void note_symbols(const struct profiles *p, size_t input)
{
	const char *why, *path;

	for (unsigned i = 0; (path = symbols_problem(p->input[input].symbols, i, &why));
	     i++)
		if (lacks_names(p->profile, input, path))
			message_notef("%s has no symbols: %s", path, why);
}

/* Print what the report lacks. Returns whether that is more than nothing. */
static int note_lost(const struct profiles *p, uint64_t n, const char *what)
{
	if (n)
		message_notef("%s%s: %" PRIu64 " %s", p->input[0].name,
			      p->n > 1 ? " and the others" : "", n, what);
	return n != 0;
}

int profiles_check(const struct profiles *p, int strict)
{
	const struct profile *all = p->profile;
	unsigned problems = 0;

	for (size_t i = 0; i < p->n; i++)
		note_symbols(p, i);
	problems +=
		note_lost(p, all->missed, "events were missed: their rings were full");
	problems +=
		note_lost(p, all->absent, "records are missing: the file is cut short");
	problems += note_lost(p, all->invalid, "records have no event");
	for (unsigned i = 0; i < all->nmetric; i++)
		problems += !all->metric[i].covered && !is_exact(&all->metric[i]);
	if (all->nmetric == 0)
		message_notef("there are no records in %s", p->input[0].name);
	return strict && problems ? EXIT_TOOL : 0;
}

void profiles_close(struct profiles *p)
{
	profile_free(p->profile);
	for (size_t i = 0; i < p->n; i++) {
		symbols_free(p->input[i].symbols);
		input_close(&p->file[i]);
	}
	free(p->file);
	free(p->input);
}
