#include "suite/profile/export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/profile/group.h"
#include "suite/profile/intern.h"
#include "suite/profile/names.h"
#include "suite/profile/report.h"

/*
 * Source: Callgrind Format Specification, version 1 (Valgrind's manual). Costs are given
 * by line. A name is written out once, and is "(NUMBER)" from then on.
 */
struct writer {
	struct textbuf *b;
	const struct profile *p;
	struct intern objects, files, functions;
};

/* Put costs together by module, function and source line of the innermost code. */
static void by_cost(struct group *g, const struct profile *p,
		    const struct profile_code *c)
{
	const struct symbols_frame *f = profile_frames(p, c);
	const struct symbols_frame *outer = &f[c->nframe - 1];

	g->text[0] = outer->module;
	g->text[1] = outer->function;
	g->text[2] = f->file;
	g->number[1] = f->line;
}

static void put_name(struct writer *w, const char *key, struct intern *t,
		     const char *name)
{
	const size_t known = t->n;
	struct textbuf clean = {0};

	textbuf_clean(&clean, name);
	const size_t i = intern_text(t, &clean);

	textbuf_str(w->b, key);
	textbuf_str(w->b, "=(");
	textbuf_num(w->b, i + 1, 0);
	textbuf_char(w->b, ')');
	if (i >= known && t->n > i) {
		textbuf_char(w->b, ' ');
		textbuf_str(w->b, t->string[i]);
	}
	textbuf_char(w->b, '\n');
}

static void put_function(struct writer *w, const struct symbols_frame *f)
{
	struct textbuf name = {0};

	names_function(&name, f);
	char *s = textbuf_end(&name);

	put_name(w, "ob", &w->objects, f->module ? f->module : "???");
	put_name(w, "fl", &w->files, f->file ? f->file : "???");
	put_name(w, "fn", &w->functions, s ? s : "");
	w->b->failed |= !s;
	free(s);
}

/* Append the values of the metrics that are written. */
static void put_values(struct writer *w, const uint64_t *value)
{
	for (unsigned m = 0; m < w->p->nmetric; m++) {
		if (w->p->metric[m].covered)
			continue;
		textbuf_char(w->b, ' ');
		textbuf_num(w->b, value[m], 0);
	}
	textbuf_char(w->b, '\n');
}

static int same_words(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static int same_function(const struct group *a, const struct group *b)
{
	return same_words(a->text[0], b->text[0]) && same_words(a->text[1], b->text[1]);
}

/* Code of another file than the function's was inlined. */
static void put_costs(struct writer *w, const struct groups *s)
{
	const char *file = NULL;

	for (size_t i = 0; i < s->n; i++) {
		const struct group *g = &s->group[i];
		const struct symbols_frame *f = profile_frames(w->p, g->code);

		if (i == 0 || !same_function(g, g - 1)) {
			put_function(w, &f[g->code->nframe - 1]);
			file = f[g->code->nframe - 1].file;
		}
		if (!same_words(f->file, file)) {
			put_name(w, "fi", &w->files, f->file ? f->file : "???");
			file = f->file;
		}
		textbuf_num(w->b, f->line, 0);
		put_values(w, g->value);
	}
}

/* Names of events are words: other characters than letters and digits become '_'. */
static void put_event_word(struct writer *w, unsigned metric)
{
	struct textbuf name = {0};

	export_metric_name(&name, w->p, metric);
	for (size_t i = 0; i < name.len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
			    "0123456789",
			    name.s[i]) ||
		    !name.s[i])
			name.s[i] = '_';
	textbuf_put(w->b, name.s ? name.s : "", name.len);
	w->b->failed |= name.failed;
	free(name.s);
}

static void put_head(struct writer *w)
{
	const struct recording *r = w->p->ninput ? w->p->input[0].recording : NULL;

	textbuf_str(w->b,
		    "# callgrind format\nversion: 1\ncreator: lwprec " VERSION "\n");
	if (r && r->pid) {
		textbuf_str(w->b, "pid: ");
		textbuf_num(w->b, (uint64_t)r->pid, 0);
		textbuf_char(w->b, '\n');
	}
	if (r && r->command) {
		textbuf_str(w->b, "cmd: ");
		textbuf_clean(w->b, r->command);
		textbuf_char(w->b, '\n');
	}
	for (unsigned m = 0; m < w->p->nmetric; m++) {
		if (w->p->metric[m].covered)
			continue;
		textbuf_str(w->b, "desc: ");
		put_event_word(w, m);
		textbuf_str(w->b, ": ");
		report_put_metric(w->b, &w->p->metric[m]);
		textbuf_char(w->b, '\n');
	}
	textbuf_str(w->b, "positions: line\nevents:");
	for (unsigned m = 0; m < w->p->nmetric; m++) {
		if (w->p->metric[m].covered)
			continue;
		textbuf_char(w->b, ' ');
		put_event_word(w, m);
	}
	textbuf_str(w->b, "\n");
}

static void put_sum(struct writer *w, const char *key)
{
	uint64_t total[w->p->nmetric + 1];

	for (unsigned m = 0; m < w->p->nmetric; m++)
		total[m] = w->p->metric[m].total;
	textbuf_str(w->b, key);
	put_values(w, total);
}

int export_callgrind(struct textbuf *b, const struct profile *p)
{
	struct writer w = {.b = b, .p = p};
	struct groups s;

	if (groups_make(&s, p, GROUP_ALL, by_cost) == -1)
		return -1;
	put_head(&w);
	put_sum(&w, "summary:");
	put_costs(&w, &s);
	put_sum(&w, "totals:");
	b->failed |= w.objects.failed | w.files.failed | w.functions.failed;
	intern_free(&w.objects);
	intern_free(&w.files);
	intern_free(&w.functions);
	groups_free(&s);
	if (b->failed)
		errno = ENOMEM;
	return b->failed ? -1 : 0;
}
