#include "suite/series/comparable.h"

#include <string.h>

static int is_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void put_quoted(struct textbuf *b, const char *text)
{
	textbuf_char(b, '\'');
	textbuf_clean(b, text ? text : "none");
	textbuf_char(b, '\'');
}

static int check_text(const char *what, const char *then, const char *now,
		      struct textbuf *why)
{
	if (is_same(then, now))
		return 0;
	textbuf_str(why, "its ");
	textbuf_str(why, what);
	textbuf_str(why, " is ");
	put_quoted(why, then);
	textbuf_str(why, ", now it is ");
	put_quoted(why, now);
	return -1;
}

/* Returns the first event of a that b has not, or NULL. */
static const struct runs_event *missing(const struct runs *a, const struct runs *b)
{
	for (unsigned i = 0; i < a->nevents; i++)
		if (runs_find(b, a->event[i].name, a->event[i].mode) == -1)
			return &a->event[i];
	return NULL;
}

static void put_event(struct textbuf *b, const struct runs_event *e)
{
	put_quoted(b, e->name);
	if (!e->mode || !*e->mode)
		return;
	textbuf_str(b, " (");
	textbuf_str(b, e->mode);
	textbuf_char(b, ')');
}

static int check_events(const struct runs *was, const struct runs *now,
			struct textbuf *why)
{
	const struct runs_event *lost = missing(was, now), *added = missing(now, was);

	if (!lost && !added)
		return 0;
	if (lost) {
		textbuf_str(why, "its event ");
		put_event(why, lost);
		textbuf_str(why, " is not counted now");
	} else {
		textbuf_str(why, "the event ");
		put_event(why, added);
		textbuf_str(why, " was not counted then");
	}
	return -1;
}

int comparable_check(const struct comparable *was, const struct comparable *now,
		     struct textbuf *why)
{
	if (check_text("engine", was->engine, now->engine, why) == -1 ||
	    check_text("model", was->model, now->model, why) == -1 ||
	    check_text("--reproducible", was->reproducible, now->reproducible, why) ==
		    -1 ||
	    check_text("command", was->runs->command, now->runs->command, why) == -1)
		return -1;
	if (runs_status(&was->runs->ending)) {
		textbuf_str(why, "its command ");
		runs_put_ending(why, &was->runs->ending);
		return -1;
	}
	return check_events(was->runs, now->runs, why);
}

static void put_bytes(struct textbuf *b, int64_t now, int64_t was)
{
	textbuf_num(b, (uint64_t)now, 0);
	textbuf_str(b, " bytes now and ");
	textbuf_num(b, (uint64_t)was, 0);
	textbuf_str(b, " in ");
}

/*
 * The first stack of a process has its words and its environment, so that their size
 * moves the addresses of all data below. The figures are what 20 sizes of one variable
 * did to 13 programs.
 */
static void note_reach(struct textbuf *b)
{
	textbuf_str(b, ": this alone can change instructions by 0.05 %, cycles by 0.2 %, "
		       "mispredicted branches by 0.5 %, cache misses by 1 % and TLB "
		       "misses by 3 %\n");
}

static void note_sizes(const struct comparable *was, const struct comparable *now,
		       const char *name, struct textbuf *b)
{
	const struct facts *a = &was->facts, *c = &now->facts;

	if (a->start_bytes >= 0 && c->start_bytes >= 0 &&
	    a->start_bytes != c->start_bytes) {
		textbuf_str(b, "the arguments and the environment have ");
		put_bytes(b, c->start_bytes, a->start_bytes);
		put_quoted(b, name);
		note_reach(b);
	}
	if (a->cwd_bytes >= 0 && c->cwd_bytes >= 0 && a->cwd_bytes != c->cwd_bytes) {
		textbuf_str(b, "the path of the working directory has ");
		put_bytes(b, c->cwd_bytes, a->cwd_bytes);
		put_quoted(b, name);
		textbuf_str(b, ": this can change the counts of a program that asks for "
			       "the path by some instructions\n");
	}
}

static void note_program(const struct comparable *was, const struct comparable *now,
			 const char *name, struct textbuf *b)
{
	const char *then = was->facts.program, *hash = now->facts.program;

	if (!*then || !*hash || strcmp(then, hash) == 0)
		return;
	textbuf_str(b, "the file of the program is not that of ");
	put_quoted(b, name);
	textbuf_str(b, ": a build that is meant to be the same can differ by its "
		       "compiler, options and the order of its parts\n");
}

/* A fact that is a text has changed. */
static void note_text(const char *words, const char *was, const char *now,
		      const char *name, const char *reach, struct textbuf *b)
{
	if (!was || !now || strcmp(was, now) == 0)
		return;
	put_quoted(b, name);
	textbuf_str(b, words);
	put_quoted(b, was);
	textbuf_str(b, ", and this is ");
	put_quoted(b, now);
	textbuf_str(b, reach);
	textbuf_char(b, '\n');
}

void comparable_notes(const struct comparable *was, const struct comparable *now,
		      const char *name, int gated, struct textbuf *b)
{
	if (!gated)
		note_program(was, now, name, b);
	if (now->model) {
		note_sizes(was, now, name, b);
		note_text(" was made by version ", was->version, now->version, name,
			  ": counts differ if the model has changed since", b);
	} else {
		note_text(" was made on the processor ", was->processor, now->processor,
			  name, ": libraries choose functions by the processor", b);
	}
}
