#include "suite/series/functions.h"

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
	const struct row_run *run; /* of records; NULL: text */
	int grouped;
	int n; /* events so far, of this command */
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

static void put_heading(struct visitor *v, const struct pair *p)
{
	if (v->n > 0)
		return;
	textbuf_str(v->b, "functions that differ from ");
	textbuf_clean(v->b, p->a->name);
	textbuf_str(v->b, ", in one more run of each\n");
}

static int visit(struct visitor *v, const struct pair *p)
{
	const struct functions_side *b = &p->sides->b;
	const struct runs_event *e = &b->runs->event[p->event];
	const struct where_subject subject = {.event = e->name,
					      .mode = e->mode,
					      .reference = p->a->number,
					      .candidate = (unsigned)b->number};
	struct where_changes c;
	int rc = where_compare(&c, p->a->where, p->was_event, b->where, p->event);

	if (rc == 0 && v->run) {
		where_json_changes(v->b, v->run, &subject, &c);
	} else if (rc == 0) {
		put_heading(v, p);
		rc = where_put_changes(v->b, e->name, &c, v->grouped);
	}
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
	struct visitor v = {.b = b, .run = run};

	return visit_all(&v, s);
}

int functions_put(struct textbuf *b, const struct functions_sides *s, int grouped)
{
	struct visitor v = {.b = b, .grouped = grouped};
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
