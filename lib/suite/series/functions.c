#include "suite/series/functions.h"

#include <stdlib.h>

#include "base/quote.h"
#include "suite/series/gate.h"
#include "suite/where/json.h"
#include "suite/where/table.h"

/* An event of b, and of a command that b is compared with. */
struct pair {
	const struct functions_sides *sides;
	const struct functions_side *a;
	unsigned was_event, event;
};

/* What is done with each event that differs. */
struct visitor {
	struct textbuf *b;
	const struct row_run *run; /* of records */
	int grouped;		   /* of text */
	int n;			   /* events so far, of this command */
	/* Append the changes of an event. Returns 0, or -1 with ENOMEM. */
	int (*put)(const struct visitor *v, const struct pair *p,
		   const struct where_changes *c);
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

static int put_text(const struct visitor *v, const struct pair *p,
		    const struct where_changes *c)
{
	const struct runs_event *e = &p->sides->b.runs->event[p->event];

	if (v->n == 0) {
		textbuf_str(v->b, "functions that differ from ");
		textbuf_clean(v->b, p->a->name);
		textbuf_str(v->b, ", in one more run of each\n");
	}
	return where_put_changes(v->b, e->name, c, v->grouped);
}

static int put_record(const struct visitor *v, const struct pair *p,
		      const struct where_changes *c)
{
	const struct functions_side *b = &p->sides->b;
	const struct runs_event *e = &b->runs->event[p->event];
	const struct where_subject subject = {.event = e->name,
					      .mode = e->mode,
					      .reference = p->a->number,
					      .candidate = (unsigned)b->number};

	where_json_changes(v->b, v->run, &subject, c);
	return 0;
}

/* Append fields of text, each with a comma behind it. */
static void put_fields(struct textbuf *b, const char *const *field, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (field[i])
			quote_csv(b, field[i]);
		textbuf_char(b, ',');
	}
}

/* Append a row. reference: the name of what b is compared with, or NULL. */
static void put_row(struct textbuf *b, const struct functions_sides *s, unsigned event,
		    const char *reference, const struct where_changes *all,
		    const struct where_change *c)
{
	const struct runs_event *e = &s->b.runs->event[event];
	const struct where_function *f = c->function;
	const char *const field[] = {s->b.runs->command,
				     reference,
				     e->name,
				     e->mode && !*e->mode ? "none" : e->mode,
				     f->name,
				     f->module,
				     f->source};
	const double whole = reference ? all->a : all->b;

	put_fields(b, field, sizeof field / sizeof *field);
	if (reference)
		textbuf_real(b, c->a);
	textbuf_char(b, ',');
	textbuf_real(b, c->b);
	textbuf_char(b, ',');
	if (reference)
		textbuf_real(b, c->b - c->a);
	textbuf_char(b, ',');
	if (whole > 0)
		textbuf_real(b, (c->b - c->a) / whole);
	textbuf_char(b, '\n');
}

static int put_csv(const struct visitor *v, const struct pair *p,
		   const struct where_changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		put_row(v->b, p->sides, p->event, p->a->name, c, &c->change[i]);
	return 0;
}

static int visit(struct visitor *v, const struct pair *p)
{
	struct where_changes c;
	int rc =
		where_compare(&c, p->a->where, p->was_event, p->sides->b.where, p->event);

	if (rc == 0)
		rc = v->put(v, p, &c);
	where_changes_free(&c);
	v->n++;
	return rc;
}

/* Visit the events that differ from a command. Returns their number, or -1. */
static int visit_events(struct visitor *v, struct pair *p)
{
	const struct runs *b = p->sides->b.runs;

	v->n = 0;
	for (p->event = 0; p->a->where && p->event < b->nevents; p->event++) {
		const struct runs_event *e = &b->event[p->event];
		const int was = runs_find(p->a->runs, e->name, e->mode);

		p->was_event = was < 0 ? 0 : (unsigned)was;
		if (was < 0 || e->kind != RUNS_COUNT ||
		    !p->a->where->is_counted[p->was_event])
			continue;
		const int is_other = differs(p);
		if (is_other == -1 || (is_other && visit(v, p) == -1))
			return -1;
	}
	return v->n;
}

static int visit_all(struct visitor *v, const struct functions_sides *s)
{
	int n = 0;

	for (unsigned i = 0; s->b.where && i < s->n; i++) {
		struct pair p = {.sides = s, .a = &s->a[i]};
		const int more = visit_events(v, &p);

		if (more == -1)
			return -1;
		n += more;
	}
	return n;
}

int functions_records(struct textbuf *b, const struct functions_sides *s,
		      const struct row_run *run)
{
	struct visitor v = {.b = b, .run = run, .put = put_record};

	return visit_all(&v, s);
}

int functions_put(struct textbuf *b, const struct functions_sides *s, int grouped)
{
	struct visitor v = {.b = b, .grouped = grouped, .put = put_text};
	const struct runs *runs = s->b.runs;

	if (s->n > 0 || !s->b.where)
		return visit_all(&v, s) == -1 ? -1 : 0;
	textbuf_str(b, "functions, in one more run\n");
	for (unsigned i = 0; i < runs->nevents; i++)
		if (runs->event[i].kind == RUNS_COUNT &&
		    where_put_shares(b, runs->event[i].name, s->b.where, i, grouped) ==
			    -1)
			return -1;
	return 0;
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

void functions_csv_title(struct textbuf *b)
{
	textbuf_str(b, "command,reference,event,mode,function,module,source,a,b,change,"
		       "share\n");
}

/* Append the rows of the functions of b. */
static int put_own(struct textbuf *b, const struct functions_sides *s, unsigned event)
{
	const struct where none = {.nevents = s->b.where->nevents};
	struct where_changes c;
	const int rc = where_compare(&c, &none, event, s->b.where, event);

	for (size_t i = 0; rc == 0 && i < c.n; i++)
		put_row(b, s, event, NULL, &c, &c.change[i]);
	where_changes_free(&c);
	return rc;
}

int functions_csv(struct textbuf *b, const struct functions_sides *s)
{
	struct visitor v = {.b = b, .put = put_csv};
	int rc = 0;

	if (s->n > 0)
		return visit_all(&v, s) == -1 ? -1 : 0;
	for (unsigned i = 0; s->b.where && i < s->b.runs->nevents && rc == 0; i++)
		if (s->b.runs->event[i].kind == RUNS_COUNT && s->b.where->is_counted[i])
			rc = put_own(b, s, i);
	return rc;
}
