#include "suite/series/limits.h"

#include <stdio.h>
#include <string.h>

#include "base/quote.h"
#include "suite/row/json.h"
#include "suite/series/json.h"

/* Returns the number of the event of a limit, or -1. */
static int find_event(const struct runs *runs, const struct gate_limit *limit)
{
	return runs_find(runs, limit->event, NULL);
}

static void put_refusal(struct textbuf *why, const struct gate_limit *limit,
			const char *least)
{
	char percent[48];

	textbuf_clean(why, limit->event);
	textbuf_str(why, " varies between moments; ");
	if (*least) {
		textbuf_str(why, "against a saved file its limit must be at least ");
		textbuf_str(why, least);
		return;
	}
	snprintf(percent, sizeof percent, "=%g%% NEW", 100 * limit->limit);
	textbuf_str(why, "compare the two builds next to each other: --vs=OLD --limit=");
	textbuf_clean(why, limit->event);
	textbuf_str(why, percent);
}

int limits_check(const struct limits *l, struct textbuf *why)
{
	for (unsigned i = 0; i < l->gate->n; i++) {
		const struct gate_limit *limit = &l->gate->limit[i];
		const int event = find_event(l->now, limit);

		if (event < 0) {
			textbuf_char(why, '\'');
			textbuf_clean(why, limit->event);
			textbuf_str(why, "' is not among the events that are counted");
			return -1;
		}
		const char *least =
			l->saved_name ? gate_refusal(limit, &l->now->event[event]) : NULL;
		if (least) {
			put_refusal(why, limit, least);
			return -1;
		}
	}
	return 0;
}

int limits_check_ending(const struct runs *runs, struct textbuf *why)
{
	if (!runs_status(&runs->ending))
		return 0;
	textbuf_char(why, '\'');
	textbuf_clean(why, runs->command);
	textbuf_str(why, "' ");
	runs_put_ending(why, &runs->ending);
	return -1;
}

/* A limit, and what it is judged with. */
struct judged {
	enum gate_result result;
	struct judgement judgement; /* of a reference */
	struct gate_evidence evidence;
};

static void with_saved(const struct limits *l, const struct gate_limit *limit,
		       struct judged *j)
{
	struct gate_evidence *v = &j->evidence;
	const struct runs_event *e = &l->now->event[v->event];
	const int was = runs_find(l->saved, e->name, e->mode);

	v->was = l->saved;
	v->was_event = was < 0 ? 0 : (unsigned)was;
	j->result = was < 0 ? GATE_MISSING
			    : gate_ranges(limit, v->was, v->was_event, v->now, v->event);
}

static int with_reference(const struct limits *l, const struct gate_limit *limit,
			  const struct runs *reference, struct judged *j)
{
	struct gate_evidence *v = &j->evidence;
	struct judgement all[l->now->nevents + 1];

	v->was = reference;
	v->was_event = v->event;
	if (judge_pairs(all, v->was, v->now, l->alpha) == -1)
		return -1;
	j->judgement = all[v->event];
	v->judgement = &j->judgement;
	j->result = gate_pairs(limit, &j->judgement, v->was, v->now, v->event);
	return 0;
}

/* Judge a limit with a reference, or if that is NULL, with the saved runs. */
static int judge_limit(const struct limits *l, struct judged *j,
		       const struct gate_limit *limit,
		       const struct limits_reference *reference)
{
	const int event = find_event(l->now, limit);

	*j = (struct judged){
		.evidence = {.now = l->now, .event = event < 0 ? 0 : (unsigned)event}};
	if (reference)
		return with_reference(l, limit, reference->runs, j);
	with_saved(l, limit, j);
	return 0;
}

static int judge_one(const struct limits *l, struct limits_report *to, struct cells *c,
		     const struct gate_limit *limit,
		     const struct limits_reference *reference)
{
	struct judged j;

	if (judge_limit(l, &j, limit, reference) == -1)
		return -1;
	gate_cells_add(c, limit, j.result, &j.evidence);
	if (to->json && to->n)
		textbuf_char(to->json, ',');
	if (to->json)
		series_json_limit(to->json, limit, j.result,
				  reference ? (int)reference->number : -1);
	to->count[j.result]++;
	to->n++;
	return 0;
}

static int judge_with(const struct limits *l, struct limits_report *to,
		      const struct limits_reference *reference)
{
	struct cells c;
	int rc = 0;

	gate_cells_begin(&c);
	for (unsigned i = 0; i < l->gate->n && rc == 0; i++)
		rc = judge_one(l, to, &c, &l->gate->limit[i], reference);
	if (cells_end(&c) == -1)
		rc = -1;
	if (rc == 0 && to->text)
		to->put(to->text, reference ? reference->runs->command : l->saved_name,
			&c);
	cells_free(&c);
	return rc;
}

int limits_judge(const struct limits *l, struct limits_report *to)
{
	for (unsigned i = 0; i < l->nreferences; i++)
		if (judge_with(l, to, &l->reference[i]) == -1)
			return -1;
	return l->saved ? judge_with(l, to, NULL) : 0;
}

/* Returns whether a result is worse than another. */
static int is_worse(enum gate_result a, enum gate_result b)
{
	static const int order[] = {[GATE_OK] = 0,
				    [GATE_UNSURE] = 1,
				    [GATE_TOO_FEW] = 2,
				    [GATE_MISSING] = 2,
				    [GATE_FAIL] = 3};

	return order[a] > order[b];
}

int limits_of_event(const struct limits *l, const struct limits_reference *reference,
		    unsigned event, struct limits_result *found)
{
	*found = (struct limits_result){NULL, GATE_OK};
	for (unsigned i = 0; i < l->gate->n; i++) {
		const struct gate_limit *limit = &l->gate->limit[i];
		struct judged j;

		if (find_event(l->now, limit) != (int)event)
			continue;
		if (judge_limit(l, &j, limit, reference) == -1)
			return -1;
		if (!found->limit || is_worse(j.result, found->result))
			*found = (struct limits_result){limit, j.result};
	}
	return 0;
}

enum limits_outcome limits_outcome(const struct limits_report *judged, int strict)
{
	const unsigned *n = judged->count;

	if (n[GATE_FAIL])
		return LIMITS_EXCEEDED;
	if (n[GATE_MISSING] || n[GATE_TOO_FEW] || (n[GATE_UNSURE] && strict))
		return LIMITS_UNKNOWN;
	return LIMITS_PASSED;
}

static void put_text(struct textbuf *b, const char *name, const struct cells *c)
{
	textbuf_str(b, "gate against ");
	textbuf_clean(b, name);
	textbuf_char(b, '\n');
	gate_put(b, c);
}

int limits_put(const struct limits *l, struct textbuf *b)
{
	struct limits_report to = {.put = put_text, .text = b};

	if (limits_judge(l, &to) == -1)
		return -1;
	gate_put_sum(b, to.count);
	textbuf_char(b, '\n');
	return 0;
}

int limits_put_record(const struct limits *l, struct textbuf *b,
		      const struct row_run *run)
{
	struct limits_report to = {.json = b};

	row_json_begin(b, run, "gate");
	quote_json_text(b, "baseline", l->saved_name);
	quote_json_key(b, "limits");
	textbuf_char(b, '[');
	const int rc = limits_judge(l, &to);
	textbuf_str(b, "]}\n");
	return rc;
}
