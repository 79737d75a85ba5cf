#include "suite/series/gate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Returns the end of the limit that begins at s, behind its percent sign, or NULL. */
static const char *limit_end(const char *s, double *limit)
{
	double v;
	const char *end = text_decimal(s, &v);

	if (!end || *end != '%' || (end[1] && end[1] != ',') || v > 1e6)
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
	const int falls = *name == '-';

	if (array_grow(&g->limit, g->n, sizeof *g->limit) == -1)
		return -1;
	struct gate_limit *const one = &g->limit[g->n];
	*one = (struct gate_limit){.event = strndup(name + falls, len - (size_t)falls),
				   .limit = limit,
				   .falls = falls};
	if (!one->event)
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

const char *gate_name(enum gate_result result)
{
	static const char *const word[] = {[GATE_OK] = "ok",
					   [GATE_UNSURE] = "unsure",
					   [GATE_FAIL] = "fail",
					   [GATE_TOO_FEW] = "too few",
					   [GATE_MISSING] = "absent"};

	return word[result];
}

/* So many runs tell whether a count repeats. */
enum { LEAST_COUNTS = 3 };

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
	if (was->n < LEAST_COUNTS || now->n < LEAST_COUNTS)
		return GATE_TOO_FEW;
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
	if (!j->has_change || !c->has_interval)
		return GATE_TOO_FEW;
	if (!c->relative)
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

/* Store the median of the values of an event. Returns 0, or -1 with ENOMEM. */
static int find_median(const struct runs *r, unsigned event, double *median)
{
	double *v = runs_values(r, event);
	struct stats_spread s;
	const int rc = v ? stats_spread(&s, v, r->n) : -1;

	free(v);
	if (rc == 0)
		*median = s.median;
	return rc;
}

/* Add the change from one value to another, in percent if that has a meaning. */
static void add_change(struct cells *c, double before, double after)
{
	char text[64];

	if (before > 0)
		snprintf(text, sizeof text, "%+.2f %%", 100 * (after / before - 1));
	else
		snprintf(text, sizeof text, "%+.0f", after - before);
	cells_add_str(c, text);
}

static void add_change_of_medians(struct cells *c, const struct gate_evidence *e)
{
	double was = 0, now = 0;

	if (find_median(e->was, e->was_event, &was) == -1 ||
	    find_median(e->now, e->event, &now) == -1)
		c->failed = 1;
	else
		add_change(c, was, now);
}

static void add_limit(struct cells *c, const struct gate_limit *limit)
{
	char text[64];

	snprintf(text, sizeof text, "%s%g %%", limit->falls ? "-" : "",
		 100 * limit->limit);
	cells_add_str(c, text);
}

/* Add what the result was judged by. */
static void add_evidence(struct cells *c, const struct gate_evidence *e, int by_interval)
{
	struct textbuf part = {0};

	if (by_interval) {
		const struct stats_change *change = &e->judgement->change;

		textbuf_format(&part, "interval %+.2f .. %+.2f %%", 100 * change->low,
			       100 * change->high);
	} else {
		put_range(&part, e->now, e->event);
		textbuf_str(&part, " was ");
		put_range(&part, e->was, e->was_event);
	}
	cells_add(c, &part);
}

static void add_too_few(struct cells *c, const struct gate_evidence *e)
{
	const size_t n = e->was->n < e->now->n ? e->was->n : e->now->n;
	char text[64];

	snprintf(text, sizeof text, "%zu %s too few to judge", n,
		 n == 1 ? "run is" : "runs are");
	cells_add_str(c, text);
}

void gate_cells_begin(struct cells *c)
{
	static const struct cells_column columns[] = {
		{"result", CELLS_VERDICT, 0, 0}, {"event", CELLS_NAME, 0, 0},
		{"change", CELLS_NUMBER, 0, 0},	 {"limit", CELLS_NUMBER, 0, 0},
		{"values", CELLS_WORDS, 0, 0},
	};

	cells_begin(c, columns, sizeof columns / sizeof columns[0]);
}

void gate_cells_add(struct cells *c, const struct gate_limit *limit,
		    enum gate_result result, const struct gate_evidence *e)
{
	static const char *const word[] = {[GATE_OK] = "ok",
					   [GATE_UNSURE] = "unsure",
					   [GATE_FAIL] = "FAIL",
					   [GATE_TOO_FEW] = "few",
					   [GATE_MISSING] = "absent"};
	const struct judgement *j = e->judgement;
	const int by_interval = j && j->change.has_interval && j->change.relative &&
				e->now->event[e->event].kind == RUNS_NOISY;

	cells_add_str(c, word[result]);
	cells_add_str(c, limit->event);
	if (result >= GATE_TOO_FEW)
		cells_add_str(c, "-");
	else if (by_interval)
		add_change(c, 1, 1 + j->change.change);
	else
		add_change_of_medians(c, e);
	add_limit(c, limit);
	if (result == GATE_MISSING)
		cells_add_str(c, "has no values to compare");
	else if (result == GATE_TOO_FEW)
		add_too_few(c, e);
	else
		add_evidence(c, e, by_interval);
}

/* The columns of gate_cells_begin(). */
enum { RESULT, EVENT, CHANGE, LIMIT, VALUES };

static void put_line(struct textbuf *b, const struct cells *c, size_t row)
{
	const char *result = cells_text(c, row, RESULT);

	textbuf_str(b, result);
	for (size_t n = strlen(result); n < strlen("unsure"); n++)
		textbuf_char(b, ' ');
	textbuf_char(b, ' ');
	textbuf_clean(b, cells_text(c, row, EVENT));
	textbuf_str(b, "  ");
	if (strcmp(cells_text(c, row, CHANGE), "-") != 0) {
		textbuf_str(b, cells_text(c, row, CHANGE));
		textbuf_str(b, "  limit ");
		textbuf_str(b, cells_text(c, row, LIMIT));
		textbuf_str(b, "   ");
	}
	textbuf_str(b, cells_text(c, row, VALUES));
	textbuf_char(b, '\n');
}

void gate_put(struct textbuf *b, const struct cells *c)
{
	for (size_t row = 0; row < c->nrow; row++)
		put_line(b, c, row);
	b->failed |= c->failed;
}

void gate_put_sum(struct textbuf *b, const unsigned *count)
{
	unsigned all = 0;

	for (unsigned i = 0; i <= GATE_MISSING; i++)
		all += count[i];
	textbuf_num(b, count[GATE_FAIL], 0);
	textbuf_str(b, " of ");
	textbuf_num(b, all, 0);
	textbuf_str(b, all == 1 ? " limit exceeded, " : " limits exceeded, ");
	textbuf_num(b, count[GATE_UNSURE], 0);
	textbuf_str(b, " unsure");
}
