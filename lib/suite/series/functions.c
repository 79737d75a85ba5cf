#include "suite/series/functions.h"

#include <stdlib.h>

#include "suite/series/csv.h"
#include "suite/series/gate.h"
#include "suite/series/judge.h"
#include "suite/where/json.h"
#include "suite/where/table.h"

/* An event of b, and of a command that b is compared with. */
struct pair {
	const struct functions_sides *sides;
	const struct functions_side *a;
	unsigned was_event, event;
};

static int are_apart(const struct pair *p)
{
	const struct gate_limit up = {.limit = 0}, down = {.limit = 0, .falls = 1};
	const struct runs *a = p->a->runs, *b = p->sides->b.runs;

	return gate_ranges(&up, a, p->was_event, b, p->event) == GATE_FAIL ||
	       gate_ranges(&down, a, p->was_event, b, p->event) == GATE_FAIL;
}

/*
 * Does the event differ beyond doubt? Samples may differ though their ranges overlap.
 * Saved runs are not judged as samples. Returns -1 with ENOMEM.
 */
static int differs(const struct pair *p)
{
	const struct runs *b = p->sides->b.runs;
	struct judgement j[b->nevents + 1];

	if (are_apart(p))
		return 1;
	if (p->a->number < 0)
		return 0;
	if (judge_pairs(j, p->a->runs, b, p->sides->alpha) == -1)
		return -1;
	return j[p->event].verdict == JUDGE_LESS || j[p->event].verdict == JUDGE_MORE;
}

static int visit(const struct pair *p, int n, const struct functions_taker *to)
{
	struct functions_event e = {
		.sides = p->sides, .a = p->a, .event = p->event, .is_first = n == 0};
	int rc = where_compare(&e.changes, p->a->where, p->was_event, p->sides->b.where,
			       p->event);

	if (rc == 0)
		rc = to->put(to->arg, &e);
	where_changes_free(&e.changes);
	return rc;
}

/* Visit the events that differ from a command. Returns their number, or -1. */
static int visit_events(struct pair *p, const struct functions_taker *to)
{
	const struct runs *b = p->sides->b.runs;
	int n = 0;

	for (p->event = 0; p->a->where && p->event < b->nevents; p->event++) {
		const struct runs_event *e = &b->event[p->event];
		const int was = runs_find(p->a->runs, e->name, e->mode);

		p->was_event = was < 0 ? 0 : (unsigned)was;
		if (was < 0 || e->kind != RUNS_COUNT ||
		    !p->a->where->is_counted[p->was_event])
			continue;
		const int is_other = differs(p);
		if (is_other == -1 || (is_other && visit(p, n, to) == -1))
			return -1;
		n += is_other;
	}
	return n;
}

/* Visit the events of b alone. Returns their number, or -1. */
static int visit_own(const struct functions_sides *s, const struct functions_taker *to)
{
	const struct where *w = s->b.where;
	int n = 0;

	for (unsigned i = 0; i < s->b.runs->nevents; i++) {
		struct functions_event e = {.sides = s, .event = i, .is_first = n == 0};

		if (s->b.runs->event[i].kind != RUNS_COUNT || !w->is_counted[i])
			continue;
		int rc = where_shares(&e.changes, w, i);
		if (rc == 0)
			rc = to->put(to->arg, &e);
		where_changes_free(&e.changes);
		if (rc == -1)
			return -1;
		n++;
	}
	return n;
}

int functions_each(const struct functions_sides *s, const struct functions_taker *to)
{
	int n = 0;

	if (!s->b.where)
		return 0;
	if (!s->n)
		return visit_own(s, to);
	for (unsigned i = 0; i < s->n; i++) {
		struct pair p = {.sides = s, .a = &s->a[i]};
		const int more = visit_events(&p, to);

		if (more == -1)
			return -1;
		n += more;
	}
	return n;
}

/* Where records or text are appended. */
struct output {
	struct textbuf *b;
	const struct row_run *run; /* of records */
	int grouped;		   /* of text */
};

static int put_record(void *arg, const struct functions_event *e)
{
	const struct output *o = arg;
	const struct functions_side *b = &e->sides->b;
	const struct runs_event *event = &b->runs->event[e->event];
	const struct where_subject subject = {.event = event->name,
					      .mode = event->mode,
					      .reference = e->a->number,
					      .candidate = (unsigned)b->number};

	where_json_changes(o->b, o->run, &subject, &e->changes);
	return 0;
}

int functions_records(struct textbuf *b, const struct functions_sides *s,
		      const struct row_run *run)
{
	struct output o = {.b = b, .run = run};

	return s->n ? functions_each(s, &(struct functions_taker){&o, put_record}) : 0;
}

static int put_text(void *arg, const struct functions_event *e)
{
	const struct output *o = arg;
	const char *event = e->sides->b.runs->event[e->event].name;

	if (!e->a) {
		if (e->is_first)
			textbuf_str(o->b, "functions, in one more run\n");
		where_put_shares(o->b, event, &e->changes, o->grouped);
		return 0;
	}
	if (e->is_first) {
		textbuf_str(o->b, "functions that differ from ");
		textbuf_clean(o->b, e->a->name);
		textbuf_str(o->b, ", in one more run of each\n");
	}
	return where_put_changes(o->b, event, &e->changes, o->grouped);
}

int functions_put(struct textbuf *b, const struct functions_sides *s, int grouped)
{
	struct output o = {.b = b, .grouped = grouped};

	return functions_each(s, &(struct functions_taker){&o, put_text}) == -1 ? -1 : 0;
}

int functions_markdown(struct textbuf *b, const struct functions_sides *s)
{
	struct textbuf lines = {0};
	const int rc = functions_put(&lines, s, 1);
	char *text = textbuf_end(&lines);

	if (rc == 0 && text && *text) {
		textbuf_str(b, "\n```\n");
		textbuf_str(b, text);
		textbuf_str(b, "```\n");
	}
	free(text);
	return text ? rc : -1;
}

static const struct cells_column columns[] = {
	{"command", CELLS_NAME, 0, 0},	{"reference", CELLS_NAME, 0, 0},
	{"event", CELLS_NAME, 0, 0},	{"mode", CELLS_WORDS, 0, 0},
	{"function", CELLS_NAME, 0, 0}, {"module", CELLS_NAME, 0, 0},
	{"source", CELLS_NAME, 0, 0},	{"a", CELLS_NUMBER, 0, 0},
	{"b", CELLS_NUMBER, 0, 0},	{"change", CELLS_NUMBER, 0, 0},
	{"share", CELLS_NUMBER, 0, 0},
};

enum { COLUMNS = sizeof columns / sizeof *columns };

static void add_row(struct cells *c, const struct functions_event *e,
		    const struct where_change *change)
{
	const struct runs *b = e->sides->b.runs;
	const struct runs_event *event = &b->event[e->event];
	const double difference = change->b - change->a,
		     whole = e->a ? e->changes.a : e->changes.b;

	cells_add_str(c, b->command);
	cells_add_str(c, e->a ? e->a->name : NULL);
	cells_add_str(c, event->name);
	cells_add_str(c, event->mode && !*event->mode ? "none" : event->mode);
	cells_add_str(c, change->function->name);
	cells_add_str(c, change->function->module);
	cells_add_str(c, change->function->source);
	cells_add_real(c, e->a != NULL, change->a);
	cells_add_real(c, 1, change->b);
	cells_add_real(c, e->a != NULL, difference);
	cells_add_real(c, whole > 0, difference / whole);
}

static int add_rows(void *arg, const struct functions_event *e)
{
	for (size_t i = 0; i < e->changes.n; i++)
		add_row(arg, e, &e->changes.change[i]);
	return 0;
}

int functions_numbers(struct cells *c, const struct functions_sides *s)
{
	cells_begin(c, columns, COLUMNS);
	if (functions_each(s, &(struct functions_taker){c, add_rows}) == -1)
		return -1;
	return cells_end(c);
}

void functions_csv_title(struct textbuf *b)
{
	series_csv_put_titles(b, columns, COLUMNS);
}

int functions_csv(struct textbuf *b, const struct functions_sides *s)
{
	struct cells c;
	const int rc = functions_numbers(&c, s);

	if (rc == 0)
		series_csv_put(b, &c);
	cells_free(&c);
	return rc;
}
