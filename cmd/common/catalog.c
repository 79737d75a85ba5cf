#include "catalog.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <opencpc.h>
#include "info.h"
#include "message.h"
#include "out.h"
#include "screen.h"
#include "status.h"
#include "suite/tell/entry.h"
#include "suite/tell/list.h"
#include "suite/tell/names.h"

static void no_memory(void) __attribute__((noreturn));

static void no_memory(void)
{
	err(EXIT_TOOL, "cannot list the events");
}

/* A list can be long, and its reader is often head(1). */
static void end_output(void)
{
	if (ferror(stdout))
		exit(out_flush_stdout());
}

static void print(struct textbuf *b)
{
	char *text = textbuf_end(b);

	if (!text)
		no_memory();
	fputs(text, stdout);
	free(text);
	*b = (struct textbuf){0};
	end_output();
}

/* Returns the columns of the terminal to which the list goes, or 0. */
static unsigned width(void)
{
	struct out out;
	struct screen screen;

	if (out_open(&out, NULL, STDOUT_FILENO, "standard output") == -1)
		exit(EXIT_TOOL);
	screen_open(&screen, &out);
	return screen.terminal ? screen.frame.columns : 0;
}

static void print_list(const struct options_shared *s, const struct list *l,
		       const struct catalog_first *first)
{
	const struct entry_style style = {.format = s->format,
					  .width = width(),
					  .has_numbers = first != NULL,
					  .has_source = first || !s->cpu};
	struct textbuf b = {0};

	entry_title(&b, &style);
	for (unsigned i = 0; i < l->n; i++) {
		const struct list_entry *e = &l->entry[i];

		entry_line(&b, &style, e,
			   first && e->is_first ? first->number(first->cpu, e->name)
						: -1);
		print(&b);
	}
}

/* The words with blanks between them. Exits if there is no memory. */
static char *joined(const struct options_shared *s, char between)
{
	struct textbuf b = {0};

	for (unsigned i = 0; i < s->nwords; i++) {
		if (i > 0)
			textbuf_char(&b, between);
		textbuf_str(&b, s->word[i]);
	}
	char *text = textbuf_end(&b);
	if (!text)
		no_memory();
	return text;
}

/* Report that no event has the words, with names that are like them. */
static int report_none(const struct options_shared *s, cpc_t *cpc)
{
	char near[CPC_MAX_EVENT_LEN], *words = joined(s, ' '), *name = joined(s, '-');

	cpc_suggest(cpc, name, near, sizeof near);
	if (*words)
		warnx("no event matches '%s'%s%s", words, *near ? "; " : "", near);
	else
		warnx("no event can be counted here; --doctor says what would help");
	free(words);
	free(name);
	return EXIT_TOOL;
}

/* The note goes to standard error, so that standard output has events only. */
static void note_more(const struct list *l)
{
	if (l->more > 0)
		message_notef("%u more with --all%s", l->more,
			      l->tracepoints == 0 ? ", which cannot be counted here"
			      : l->tracepoints == l->more ? ", which are tracepoints"
							  : "");
}

/* Keep a note until the list has been printed: people see what comes last. */
static void keep_note(void *arg, const char *text)
{
	struct textbuf *notes = arg;

	textbuf_str(notes, text);
	textbuf_char(notes, '\0');
}

static void print_notes(struct textbuf *notes)
{
	const size_t len = notes->len;
	char *text = textbuf_end(notes);

	for (size_t at = 0; text && at < len; at += strlen(text + at) + 1)
		message_notef("%s", text + at);
	free(text);
}

/* Find events in the table of cpu; NULL: in all. Returns the session. */
static cpc_t *find(struct list *l, struct list_query *q, const struct options_shared *s,
		   const char *cpu)
{
	struct options_shared of_cpu = *s;

	of_cpu.cpu = cpu;
	cpc_t *cpc = info_open(&of_cpu);
	list_find(l, cpc, q);
	return cpc;
}

static void find_first(struct list *l, const struct list_query *q,
		       const struct options_shared *s, const char *cpu)
{
	struct list_query first = *q;

	first.first = 1;
	cpc_close(find(l, &first, s, cpu));
}

static int show_events(const struct options_shared *s, const struct catalog_first *first)
{
	struct list l = {0};
	struct textbuf notes = {0};
	struct words *words = words_new(s->nwords, s->word);
	struct list_query q = {.words = words,
			       .all = s->all,
			       .cpus = s->command->cpus,
			       .unread = keep_note,
			       .arg = &notes};
	int status;

	if (!words)
		no_memory();
	if (first)
		find_first(&l, &q, s, first->cpu);
	cpc_t *cpc = find(&l, &q, s, first ? NULL : s->cpu);
	if (list_end(&l, &q) == -1)
		no_memory();
	if (l.n > 0) {
		print_list(s, &l, first);
		status = out_flush_stdout();
		if (!out_reader_gone())
			note_more(&l);
	} else {
		status = report_none(s, cpc);
	}
	print_notes(&notes);
	cpc_close(cpc);
	words_free(words);
	list_free(&l);
	return status;
}

static void print_name(void *arg, const char *name)
{
	struct textbuf b = {0};

	(void)arg;
	textbuf_clean(&b, name);
	textbuf_char(&b, '\n');
	print(&b);
}

/* With first, --cpu is ignored, so that names of all tables can be completed. */
static int show_names(const struct options_shared *s, const struct catalog_first *first)
{
	struct options_shared of_cpu = *s;
	const char *prefix = s->nwords > 0 ? s->word[0] : "";

	if (s->nwords > 1)
		options_bad_long(
			s->command,
			"--names-only takes one word, with which the names begin: "
			"'%s' is a second one",
			s->word[1]);
	if (first)
		of_cpu.cpu = NULL;
	cpc_t *cpc = info_open(&of_cpu);
	if (names_walk(cpc, prefix, s->all || strchr(prefix, ':'), NULL, print_name) ==
	    -1)
		no_memory();
	cpc_close(cpc);
	return out_flush_stdout();
}

int catalog_show(const struct options_shared *s, const struct catalog_first *first)
{
	return s->names_only ? show_names(s, first) : show_events(s, first);
}
