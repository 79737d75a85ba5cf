#include "suite/profile/stacks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "suite/profile/export.h"
#include "suite/profile/intern.h"
#include "suite/profile/names.h"

/* Append a name in which no character separates frames or lines. */
static void put_frame(struct textbuf *b, struct textbuf *name)
{
	char *s = textbuf_end(name);

	if (!s) {
		b->failed = 1;
		return;
	}
	for (char *p = s; (p = strchr(p, ';'));)
		*p = ',';
	textbuf_clean(b, s);
	free(s);
}

static char *make_text(const struct profile *p, const struct profile_code *c)
{
	const struct symbols_frame *f = profile_frames(p, c);
	struct textbuf b = {0}, name = {0};

	textbuf_str(&name, names_module(f->module));
	put_frame(&b, &name);
	for (unsigned i = c->nframe; i-- > 0;) {
		name = (struct textbuf){0};
		textbuf_char(&b, ';');
		names_function(&name, &f[i]);
		put_frame(&b, &name);
	}
	return textbuf_end(&b);
}

static int compare(const void *a, const void *b)
{
	const struct stack *x = a, *y = b;
	const int order = strcmp(x->text, y->text);

	return order ? order : x->code < y->code ? -1 : x->code > y->code;
}

/* Sum up neighbours with the same text. */
static void merge(struct stacks *s, unsigned nmetric)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const uint64_t *value = s->stack[i].value;

		if (n && strcmp(s->stack[n - 1].text, s->stack[i].text) == 0) {
			free(s->stack[i].text);
		} else {
			s->stack[n] = s->stack[i];
			s->stack[n].value = s->value + n * nmetric;
			n++;
		}
		for (unsigned m = 0; m < nmetric; m++)
			s->value[(n - 1) * nmetric + m] += value[m];
	}
	s->n = n;
}

int stacks_make(struct stacks *s, const struct profile *p)
{
	*s = (struct stacks){.stack = calloc(p->ncode + 1, sizeof *s->stack),
			     .value =
				     calloc(p->ncode * p->nmetric + 1, sizeof *s->value)};
	int failed = !s->stack || !s->value;

	for (size_t i = 0; !failed && i < p->ncode; i++) {
		s->stack[s->n++] = (struct stack){.text = make_text(p, &p->code[i]),
						  .code = &p->code[i],
						  .value = profile_values(p, i)};
		failed = !s->stack[i].text;
	}
	if (failed) {
		stacks_free(s);
		errno = ENOMEM;
		return -1;
	}
	qsort(s->stack, s->n, sizeof *s->stack, compare);
	merge(s, p->nmetric);
	return 0;
}

void stacks_free(struct stacks *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->stack[i].text);
	free(s->stack);
	free(s->value);
	*s = (struct stacks){0};
}

int export_folded(struct textbuf *b, const struct profile *p, unsigned metric)
{
	struct stacks s;

	if (stacks_make(&s, p) == -1)
		return -1;
	for (size_t i = 0; i < s.n; i++) {
		if (!s.stack[i].value[metric])
			continue;
		textbuf_str(b, s.stack[i].text);
		textbuf_char(b, ' ');
		textbuf_num(b, s.stack[i].value[metric], 0);
		textbuf_char(b, '\n');
	}
	stacks_free(&s);
	return b->failed ? -1 : 0;
}

void export_metric_name(struct textbuf *b, const struct profile *p, unsigned metric)
{
	const struct profile_metric *m = &p->metric[metric];

	textbuf_str(b, m->event);
	for (unsigned i = 0; i < p->nmetric; i++)
		if (i != metric && !p->metric[i].covered &&
		    strcmp(p->metric[i].event, m->event) == 0) {
			textbuf_char(b, ' ');
			textbuf_str(b, profile_number_name(m->number));
			return;
		}
}
