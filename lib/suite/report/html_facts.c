#include "suite/report/html_facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "suite/page/arm.h"
#include "suite/page/page.h"
#include "suite/series/warnings.h"

/* Append a fact whose value is made of parts, and free them. */
static void put_fact(struct textbuf *b, const char *name, struct textbuf *value)
{
	char *text = textbuf_end(value);

	page_fact(b, name, text);
	b->failed |= !text;
	free(text);
}

static void put_number(struct textbuf *b, const struct saved_node *o, const char *key,
		       const char *name)
{
	char text[32];
	uint64_t v;

	if (saved_number(o, key, INT64_MAX, &v) == -1)
		return;
	snprintf(text, sizeof text, "%" PRIu64, v);
	page_fact(b, name, text);
}

static void put_labels(struct textbuf *b, const struct saved_node *labels)
{
	struct textbuf all = {0};

	for (const struct saved_node *value = saved_first_member(labels); value;
	     value = saved_next(labels, value)) {
		textbuf_str(&all, all.len ? ", " : "");
		textbuf_str(&all, value->key);
		textbuf_char(&all, '=');
		textbuf_str(&all, saved_string(value) ? saved_string(value) : "");
	}
	put_fact(b, "labels", &all);
}

/* Append a fact of each command; of several with the letter of the command. */
static void put_each(struct textbuf *b, const struct report_run *run, const char *name,
		     void (*put)(struct textbuf *b, const struct facts *f))
{
	struct textbuf all = {0};

	for (unsigned i = 0; i < run->nseries; i++) {
		struct textbuf part = {0};

		put(&part, &run->series[i].facts);
		char *text = textbuf_end(&part);
		if (text && *text) {
			textbuf_str(&all, all.len ? ", " : "");
			textbuf_str(&all,
				    run->nseries > 1 ? arm_letter(i, run->nseries) : "");
			textbuf_str(&all, run->nseries > 1 ? " " : "");
			textbuf_str(&all, text);
		}
		all.failed |= !text;
		free(text);
	}
	put_fact(b, name, &all);
}

static void put_program(struct textbuf *b, const struct facts *f)
{
	textbuf_str(b, f->program);
}

static void put_bytes(struct textbuf *b, int64_t n)
{
	if (n < 0)
		return;
	textbuf_num(b, (uint64_t)n, 0);
	textbuf_str(b, " bytes");
}

static void put_start(struct textbuf *b, const struct facts *f)
{
	put_bytes(b, f->start_bytes);
}

static void put_cwd(struct textbuf *b, const struct facts *f)
{
	put_bytes(b, f->cwd_bytes);
}

void html_facts(struct textbuf *b, const struct report_run *run)
{
	const struct saved_node *record = run->is_guess ? NULL : run->facts.record;
	const struct saved_node *turbo = saved_member(record, "turbo");

	put_number(b, record, "cpus", "CPUs");
	page_fact(b, "governor", saved_text(record, "governor"));
	page_fact(b, "turbo",
		  saved_is(turbo, NODE_TRUE)	? "on"
		  : saved_is(turbo, NODE_FALSE) ? "off"
						: NULL);
	page_fact(b, "kernel", saved_text(record, "kernel"));
	put_labels(b, saved_member(record, "label"));
	put_each(b, run, "hash of the program", put_program);
	put_each(b, run, "arguments and environment", put_start);
	put_each(b, run, "path of the directory", put_cwd);
}

static void put_warning(struct textbuf *b, const struct report_run *run, unsigned i,
			const struct warning *w)
{
	struct textbuf words = {0};

	textbuf_str(&words, "Note");
	if (run->nseries > 1) {
		textbuf_str(&words, " about ");
		textbuf_str(&words, arm_letter(i, run->nseries));
	}
	textbuf_str(&words, ": ");
	warnings_put(&words, w, &run->series[i].runs, NULL);
	char *text = textbuf_end(&words);
	if (text)
		page_words(b, text);
	b->failed |= !text;
	free(text);
}

/* The verdicts of a comparison say themselves that there are too few runs. */
void html_facts_warnings(struct textbuf *b, const struct report_run *run)
{
	for (unsigned i = 0; i < run->nseries; i++) {
		const struct warnings *all = &run->series[i].warnings;

		for (size_t k = 0; k < all->n; k++)
			if (!run->ncomparisons || all->list[k].id != WARNING_TOO_FEW)
				put_warning(b, run, i, &all->list[k]);
	}
}
