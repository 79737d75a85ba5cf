#include "suite/report/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/series/csv.h"
#include "suite/series/table.h"

static const struct saved_series *candidate(const struct report_run *run)
{
	return &run->series[run->nseries - 1];
}

void compare_limits(struct limits *l, struct limits_reference *reference,
		    const struct report *r, const struct report_run *run)
{
	const struct saved_series *now = candidate(run);

	*l = (struct limits){.gate = r->gate,
			     .now = &now->runs,
			     .alpha = 0.05,
			     .reference = reference};
	for (unsigned i = 0; i < run->ncomparisons; i++) {
		const struct report_comparison *c = &run->comparison[i];

		if (c->candidate != now->number)
			continue;
		l->alpha = c->alpha;
		reference[l->nreferences++] = (struct limits_reference){
			&report_series(run, c->reference)->runs, (unsigned)c->reference};
	}
	if (!r->baseline)
		return;
	l->saved = &r->baseline->series.runs;
	l->saved_name = r->baseline_name;
}

static struct functions_side side_of(const struct saved_series *s)
{
	return (struct functions_side){s->runs.command, (int)s->number, &s->runs,
				       s->where};
}

void compare_sides(struct functions_sides *s, struct functions_side *side,
		   const struct report *r, const struct report_run *run)
{
	const struct saved_series *now = candidate(run);

	*s = (struct functions_sides){.b = side_of(now), .a = side, .alpha = 0.05};
	for (unsigned i = 0; i < run->ncomparisons; i++) {
		const struct report_comparison *c = &run->comparison[i];

		if (c->candidate != now->number)
			continue;
		s->alpha = c->alpha;
		side[s->n++] = side_of(report_series(run, c->reference));
	}
	if (run->compared)
		side[s->n++] = (struct functions_side){r->baseline_name, -1,
						       &r->baseline->series.runs,
						       r->baseline->series.where};
}

/* Hand over a sentence that begins with these words, and free it. */
static int warn(const struct report *r, const char *words, struct textbuf *why)
{
	struct textbuf b = {0};
	char *reason = textbuf_end(why);

	textbuf_str(&b, words);
	textbuf_str(&b, reason ? reason : "");
	char *text = textbuf_end(&b);
	if (text && reason)
		r->warn(NULL, text);
	const int rc = text && reason ? 0 : -1;
	free(text);
	free(reason);
	return rc;
}

static int warn_text(const struct report *r, const char *words, const char *text)
{
	struct textbuf b = {0};

	textbuf_str(&b, text);
	return warn(r, words, &b);
}

static void put_quoted(struct textbuf *b, const char *text)
{
	textbuf_char(b, '\'');
	textbuf_clean(b, text);
	textbuf_char(b, '\'');
}

static int note_facts(const struct report *r, const struct comparable *now)
{
	struct textbuf notes = {0};

	comparable_notes(&r->baseline->was, now, r->baseline_name, r->gate->n > 0,
			 &notes);
	char *text = textbuf_end(&notes), *rest = text;
	if (!text)
		return -1;
	for (char *line; (line = strsep(&rest, "\n")) && *line;)
		r->note(NULL, line);
	free(text);
	return 0;
}

/* Check that the run can be compared with the file of --baseline. */
static int check_baseline(struct report *r, struct report_run *run)
{
	const struct comparable now = saved_comparable(run->facts.record, candidate(run));
	struct textbuf why = {0}, text = {0};

	if (comparable_check(&r->baseline->was, &now, &why) == 0) {
		free(why.s);
		run->compared = 1;
		return note_facts(r, &now);
	}
	r->unknown = 1;
	put_quoted(&text, r->baseline_name);
	textbuf_str(&text, " cannot be compared with ");
	put_quoted(&text, run->path);
	textbuf_str(&text, ": ");
	char *reason = textbuf_end(&why);
	textbuf_str(&text, reason ? reason : "");
	free(reason);
	return warn(r, "", &text);
}

/* Returns whether the limits can have a result; else the reason is in why. */
static int can_judge(const struct limits *l, const struct report_run *run,
		     struct textbuf *why)
{
	if (!run->has_ended || run->signal) {
		textbuf_str(why, "the runs were ended early");
		return 0;
	}
	for (unsigned i = 0; i < run->nseries; i++)
		if (limits_check_ending(&run->series[i].runs, why) == -1)
			return 0;
	if (l->saved || l->nreferences)
		return 1;
	put_quoted(why, run->path);
	textbuf_str(why, " has no runs of --vs; --baseline=FILE compares with others");
	return 0;
}

static int judge(struct report *r, struct report_run *run)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct limits_report judged = {.put = NULL};
	struct textbuf why = {0};
	struct limits l;

	compare_limits(&l, reference, r, run);
	if (limits_check(&l, &why) == -1) {
		r->refused = 1;
		return warn(r, "--limit: ", &why);
	}
	if (!can_judge(&l, run, &why)) {
		r->unknown = 1;
		return warn(r, "not gated: ", &why);
	}
	if (limits_judge(&l, &judged) == -1)
		return -1;
	run->judged = 1;
	const enum limits_outcome outcome = limits_outcome(&judged, r->strict);
	r->exceeded |= outcome == LIMITS_EXCEEDED;
	r->unknown |= outcome == LIMITS_UNKNOWN;
	return 0;
}

int compare_run(struct report *r, struct report_run *run)
{
	if (!run->nseries && (r->baseline || r->gate->n)) {
		r->unknown = 1;
		return warn_text(r, "",
				 "a run without series of --repeat or --vs cannot "
				 "be compared");
	}
	if (r->baseline && check_baseline(r, run) == -1)
		return -1;
	if (r->gate->n && (run->compared || !r->baseline))
		return judge(r, run);
	return 0;
}

int compare_saved(const struct report *r, const struct report_run *run,
		  const struct report_taker *taker)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct limits l;

	if (!run->compared)
		return 0;
	compare_limits(&l, reference, r, run);
	struct judgement j[l.now->nevents + 1];
	const struct judge_comparison c = {l.saved, l.now, j, l.alpha, l.saved_name};

	if (judge_saved(j, c.a, c.b, c.alpha) == -1)
		return -1;
	return taker->put(taker->arg, &c);
}

/* The table of CSV that is being made. */
struct numbers {
	struct cells *cells;
	const struct limits *limits; /* or NULL: they were not judged */
	const struct limits_reference *reference;
};

static int add_comparison(void *arg, const struct judge_comparison *c)
{
	const struct numbers *n = arg;

	return series_csv_add_comparison(n->cells, c, n->limits, n->reference);
}

/* Returns whether the runs of a series are shown as the candidate of a comparison. */
static int is_candidate(const struct report_run *run, const struct saved_series *s)
{
	if (run->compared && s == candidate(run))
		return 1;
	for (unsigned i = 0; i < run->ncomparisons; i++)
		if (run->comparison[i].candidate == s->number)
			return 1;
	return 0;
}

/* Returns the reference of the limits with this number, or NULL. */
static const struct limits_reference *find_reference(const struct limits *l,
						     uint64_t number)
{
	for (unsigned i = 0; i < l->nreferences; i++)
		if (l->reference[i].number == number)
			return &l->reference[i];
	return NULL;
}

int compare_numbers(struct cells *c, const struct report *r, const struct report_run *run)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct limits l;
	struct numbers n = {.cells = c};
	const struct report_taker taker = {&n, add_comparison};
	int rc = 0;

	series_csv_begin(c);
	compare_limits(&l, reference, r, run);
	for (unsigned i = 0; i < run->nseries && rc == 0; i++)
		if (!is_candidate(run, &run->series[i]))
			rc = series_csv_add_runs(c, &run->series[i].runs);
	for (unsigned i = 0; i < run->ncomparisons && rc == 0; i++) {
		n.reference = find_reference(&l, run->comparison[i].reference);
		n.limits = run->judged && n.reference ? &l : NULL;
		rc = report_judge(run, &run->comparison[i], &taker);
	}
	n = (struct numbers){c, run->judged ? &l : NULL, NULL};
	return rc == 0 ? compare_saved(r, run, &taker) : -1;
}

/* Append a limit that the run itself has judged, from its record. */
static void put_recorded(struct textbuf *b, const struct saved_node *limit)
{
	const char *name = saved_text(limit, "name"),
		   *result = saved_text(limit, "result");
	char text[64];

	if (!name || !result)
		return;
	snprintf(text, sizeof text, "  limit %s%g %%\n",
		 saved_is_true(limit, "falls") ? "-" : "",
		 100 * saved_real(saved_member(limit, "limit")));
	textbuf_clean(b, strcmp(result, "fail") == 0 ? "FAIL" : result);
	for (size_t i = text_width(result); i < strlen("unsure"); i++)
		textbuf_char(b, ' ');
	textbuf_char(b, ' ');
	textbuf_clean(b, name);
	textbuf_str(b, text);
}

static void put_gate_record(struct textbuf *b, const struct saved_node *record)
{
	const struct saved_node *limits = saved_member(record, "limits");
	const char *baseline = saved_text(record, "baseline");

	textbuf_str(b, "gate of the run");
	if (baseline) {
		textbuf_str(b, " against ");
		textbuf_clean(b, baseline);
	}
	textbuf_char(b, '\n');
	for (const struct saved_node *limit = saved_first(limits); limit;
	     limit = saved_next(limits, limit))
		put_recorded(b, limit);
}

int compare_put(struct report *r, const struct report_run *run)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct functions_side side[run->ncomparisons + 1];
	struct functions_sides sides;
	struct limits l;
	int rc = 0;

	compare_limits(&l, reference, r, run);
	compare_sides(&sides, side, r, run);
	if (run->compared && table_put_saved(&r->text, r->baseline_name, l.saved, l.now,
					     l.alpha, r->grouped) == -1)
		return -1;
	if (run->judged)
		rc = limits_put(&l, &r->text);
	else if (run->gate && !r->gate->n)
		put_gate_record(&r->text, run->gate);
	return rc == 0 ? functions_put(&r->text, &sides, r->grouped) : -1;
}
