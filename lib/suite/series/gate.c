#include "suite/series/gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the end of the limit that begins at s, behind its percent sign, or NULL. */
static const char *limit_end(const char *s, double *limit)
{
	char *end;
	const double v = strtod(s, &end);

	if (end == s || *end != '%' || (end[1] && end[1] != ',') || !(v >= 0 && v <= 1e6))
		return NULL;
	*limit = v / 100;
	return end + 1;
}

/*
 * Returns the equals sign before the limit of the first item of the text, or NULL. The
 * limit is the first number with a percent sign that a comma or the end follows.
 */
static const char *find_limit(const char *text, double *limit, const char **end)
{
	for (const char *s = strchr(text, '='); s; s = strchr(s + 1, '=')) {
		*end = limit_end(s + 1, limit);
		if (*end)
			return s;
	}
	return NULL;
}

static int add_one(struct gate *g, const char *name, size_t len, double limit)
{
	struct gate_limit *grown = reallocarray(g->limit, g->n + 1, sizeof *grown);
	const int falls = *name == '-';

	if (!grown)
		return -1;
	g->limit = grown;
	grown += g->n;
	*grown = (struct gate_limit){.event = strndup(name + falls, len - (size_t)falls),
				     .limit = limit,
				     .falls = falls};
	if (!grown->event)
		return -1;
	g->n++;
	return 0;
}

int gate_add(struct gate *g, const char *text, const char **bad)
{
	do {
		const char *end;
		double limit;
		const char *equals = find_limit(text, &limit, &end);

		if (!equals || equals == text + (*text == '-')) {
			*bad = text;
			errno = EINVAL;
			return -1;
		}
		if (add_one(g, text, (size_t)(equals - text), limit) == -1)
			return -1;
		text = end;
	} while (*text++ == ',');
	return 0;
}

void gate_free(struct gate *g)
{
	for (unsigned i = 0; i < g->n; i++)
		free(g->limit[i].event);
	free(g->limit);
	*g = (struct gate){0};
}

static int has_values(const struct runs *r, unsigned event)
{
	return r->n > 0 && runs_missing(r, event) == 0;
}

enum gate_result gate_ranges(const struct gate_limit *limit, const struct runs *was,
			     unsigned was_event, const struct runs *now, unsigned event)
{
	struct runs_constancy a, b;

	if (!has_values(was, was_event) || !has_values(now, event))
		return GATE_MISSING;
	runs_constancy(&a, was, was_event);
	runs_constancy(&b, now, event);
	if (limit->falls) {
		const double factor = 1 - limit->limit;

		if ((double)b.most < (double)a.least * factor)
			return GATE_FAIL;
		return (double)b.least >= (double)a.most * factor ? GATE_OK : GATE_UNSURE;
	}
	const double factor = 1 + limit->limit;
	if ((double)b.least > (double)a.most * factor)
		return GATE_FAIL;
	return (double)b.most <= (double)a.least * factor ? GATE_OK : GATE_UNSURE;
}

enum gate_result gate_pairs(const struct gate_limit *limit, const struct judgement *j,
			    const struct runs *a, const struct runs *b, unsigned event)
{
	const struct stats_change *c = &j->change;

	if (j->verdict == JUDGE_UNAVAILABLE)
		return GATE_MISSING;
	if (b->event[event].kind == RUNS_COUNT)
		return gate_ranges(limit, a, event, b, event);
	if (!j->has_change || !c->has_interval || !c->relative)
		return GATE_UNSURE;
	if (limit->falls)
		return c->high < -limit->limit	 ? GATE_FAIL
		       : c->low >= -limit->limit ? GATE_OK
						 : GATE_UNSURE;
	return c->low > limit->limit	 ? GATE_FAIL
	       : c->high <= limit->limit ? GATE_OK
					 : GATE_UNSURE;
}

/* Events that depend little on what else the machine does, and from which limit on. */
static const struct steady {
	const char *event, *mode; /* NULL: any mode */
	double least;
	const char *words;
} steady[] = {
	{"page-faults", NULL, 0.05, "5 %"},
	{"minor-faults", NULL, 0.05, "5 %"},
	{"instructions", "user", 0.01, "1 %"},
	{"branches", "user", 0.01, "1 %"},
	{"branch-instructions", "user", 0.01, "1 %"},
	{"L1-dcache-loads", "user", 0.01, "1 %"},
	{"L1-dcache-stores", "user", 0.01, "1 %"},
};

const char *gate_refusal(const struct gate_limit *limit, const struct runs_event *e)
{
	if (e->kind == RUNS_COUNT)
		return NULL;
	for (unsigned i = 0; i < sizeof steady / sizeof steady[0]; i++) {
		const struct steady *s = &steady[i];

		if (strcmp(s->event, e->name) != 0 ||
		    (s->mode && (!e->mode || strcmp(s->mode, e->mode) != 0)))
			continue;
		return limit->limit >= s->least ? NULL : s->words;
	}
	return "";
}

static void put_range(struct textbuf *b, const struct runs *r, unsigned event)
{
	struct runs_constancy c;

	runs_constancy(&c, r, event);
	textbuf_num(b, c.least, 0);
	if (c.least == c.most)
		return;
	textbuf_str(b, " .. ");
	textbuf_num(b, c.most, 0);
}

/* Returns the median of the values of an event, or a negative number. */
static double median(const struct runs *r, unsigned event)
{
	double *v = runs_values(r, event);
	struct stats_spread s = {.median = -1};

	if (v && stats_spread(&s, v, r->n) == -1)
		s.median = -1;
	free(v);
	return s.median;
}

/* Append the change from one value to another, in percent if that has a meaning. */
static void put_change(struct textbuf *b, double before, double after)
{
	char text[64];

	if (before > 0)
		snprintf(text, sizeof text, "%+.2f %%", 100 * (after / before - 1));
	else
		snprintf(text, sizeof text, "%+.0f", after - before);
	textbuf_str(b, text);
}

static void put_interval(struct textbuf *b, const struct stats_change *c)
{
	char text[96];

	snprintf(text, sizeof text, "interval %+.2f .. %+.2f %%", 100 * c->low,
		 100 * c->high);
	textbuf_str(b, text);
}

void gate_put(struct textbuf *b, const struct gate_limit *limit, enum gate_result result,
	      const struct judgement *j, const struct runs *was, unsigned was_event,
	      const struct runs *now, unsigned event)
{
	static const char *const word[] = {[GATE_OK] = "ok    ",
					   [GATE_UNSURE] = "unsure",
					   [GATE_FAIL] = "FAIL  ",
					   [GATE_MISSING] = "absent"};
	const int by_interval = j && j->change.has_interval && j->change.relative &&
				now->event[event].kind == RUNS_NOISY;
	char text[64];

	textbuf_str(b, word[result]);
	textbuf_char(b, ' ');
	textbuf_clean(b, limit->event);
	if (result == GATE_MISSING) {
		textbuf_str(b, "  has no values to compare\n");
		return;
	}
	textbuf_str(b, "  ");
	if (by_interval)
		put_change(b, 1, 1 + j->change.change);
	else
		put_change(b, median(was, was_event), median(now, event));
	snprintf(text, sizeof text, "  limit %s%g %%   ", limit->falls ? "-" : "",
		 100 * limit->limit);
	textbuf_str(b, text);
	if (by_interval) {
		put_interval(b, &j->change);
	} else {
		put_range(b, now, event);
		textbuf_str(b, " was ");
		put_range(b, was, was_event);
	}
	textbuf_char(b, '\n');
}
