#include "suite/report/html_functions.h"

#include <stdlib.h>
#include <string.h>

#include "suite/page/page.h"
#include "suite/report/compare.h"
#include "suite/where/table.h"

/* The tables of functions that a page has so far. */
struct shown {
	struct textbuf *text;
	const struct report_run *run;
	int events;
};

/* The columns of counts have the same titles as in the table of the comparison. */
static void begin_table(struct cells *c, const struct functions_side *a)
{
	struct cells_column change[] = {{"function", CELLS_NAME, 0, 0},
					{"A", CELLS_NUMBER, 0, 0},
					{"B", CELLS_NUMBER, 0, 0},
					{"change", CELLS_NUMBER, 0, 0},
					{"note", CELLS_WORDS, 0, 0}};
	static const struct cells_column share[] = {{"function", CELLS_NAME, 0, 0},
						    {"count", CELLS_NUMBER, 0, 0},
						    {"share", CELLS_NUMBER, 0, 0}};

	if (!a) {
		cells_begin(c, share, sizeof share / sizeof *share);
		return;
	}
	if (a->number < 0) {
		strcpy(change[1].title, "saved");
		strcpy(change[2].title, "now");
	}
	cells_begin(c, change, sizeof change / sizeof *change);
}

static void add_count(struct cells *c, double v)
{
	struct textbuf part = {0};

	where_put_count(&part, v, 1);
	cells_add(c, &part);
}

static void add_part(struct cells *c, double change, double total)
{
	struct textbuf part = {0};

	where_put_part(&part, change, total);
	cells_add(c, &part);
}

static void add_share(struct cells *c, double v, double total)
{
	struct textbuf part = {0};

	if (total > 0) {
		textbuf_decimal(&part, 100 * v / total, 2, 0);
		textbuf_str(&part, " %");
	}
	cells_add(c, &part);
}

/* Returns what is said of a function that one of the two lacks. */
static const char *remark(const struct functions_side *a, const struct where_change *f)
{
	if (f->in_a && f->in_b)
		return "";
	if (a->number < 0)
		return f->in_b ? "new" : "only saved";
	return f->in_b ? "only in B" : "only in A";
}

static void add_function(struct cells *c, const struct functions_event *e,
			 const struct where_change *f)
{
	struct textbuf name = {0};

	where_put_name(&name, f);
	cells_add(c, &name);
	if (!e->a) {
		add_count(c, f->b);
		add_share(c, f->b, e->changes.b);
		return;
	}
	add_count(c, f->a);
	add_count(c, f->b);
	add_part(c, f->b - f->a, e->changes.a);
	cells_add_str(c, remark(e->a, f));
}

/* Add what the functions without a row of their own have in all. */
static void add_others(struct cells *c, const struct functions_event *e)
{
	const double rest = where_rest(&e->changes);
	struct textbuf name = {0};

	where_put_others(&name, &e->changes);
	cells_add(c, &name);
	if (!e->a) {
		add_count(c, rest);
		add_share(c, rest, e->changes.b);
		return;
	}
	cells_add_str(c, NULL);
	cells_add_str(c, NULL);
	add_part(c, rest, e->changes.a);
	cells_add_str(c, NULL);
}

static void add_all(struct cells *c, const struct functions_event *e)
{
	const struct where_changes *all = &e->changes;

	cells_add_str(c, "all functions");
	if (e->a)
		add_count(c, all->a);
	add_count(c, all->b);
	if (!e->a) {
		add_share(c, all->b, all->b);
		return;
	}
	add_part(c, all->b - all->a, all->a);
	cells_add_str(c, all->n ? NULL : "the same in each function");
}

static int put_table(struct textbuf *b, const struct functions_event *e)
{
	const struct where_changes *all = &e->changes;
	const size_t shown = where_shown(all);
	struct cells c;

	begin_table(&c, e->a);
	for (size_t i = 0; i < shown; i++)
		add_function(&c, e, &all->change[i]);
	if (shown < all->n)
		add_others(&c, e);
	add_all(&c, e);
	const int rc = cells_end(&c);
	if (rc == 0)
		page_table(b, &c,
			   e->a ? "Functions that have changed"
				: "Functions with the most counts");
	cells_free(&c);
	return rc;
}

/* Say what A is, if the letters of the section do not. */
static void put_reference(const struct shown *shown, const struct functions_event *e)
{
	const struct report_run *run = shown->run;

	if (e->a->number < 0) {
		page_against(shown->text, e->a->name);
		return;
	}
	for (unsigned i = 0; run->nseries > 2 && i < run->nseries; i++)
		if (run->series[i].number == (uint64_t)e->a->number)
			page_reference(shown->text, i, run->nseries, e->a->name);
}

static const char words_of_changes[] =
	"One more run of each command has counted by function. A change is a percentage "
	"of what all functions had counted before.";
static const char words_of_shares[] = "One more run has counted by function.";

static int put_event(void *arg, const struct functions_event *e)
{
	const struct runs_event *event = &e->sides->b.runs->event[e->event];
	struct shown *shown = arg;
	struct textbuf name = {0};

	if (!shown->events++) {
		page_heading(shown->text, "Functions");
		page_words(shown->text, e->a ? words_of_changes : words_of_shares);
	}
	if (e->a && e->is_first)
		put_reference(shown, e);
	row_put_event(&name, event->name, event->mode);
	char *text = textbuf_end(&name);
	if (!text)
		return -1;
	page_subheading(shown->text, text);
	free(text);
	return put_table(shown->text, e);
}

int html_functions(struct report *r, const struct report_run *run)
{
	struct functions_side side[run->ncomparisons + 1];
	struct functions_sides sides;
	struct shown shown = {.text = &r->text, .run = run};

	compare_sides(&sides, side, r, run);
	return functions_each(&sides, &(struct functions_taker){&shown, put_event}) == -1
		       ? -1
		       : 0;
}

int html_functions_numbers(struct report *r, const struct report_run *run)
{
	struct functions_side side[run->ncomparisons + 1];
	struct functions_sides sides;
	struct cells c;

	compare_sides(&sides, side, r, run);
	const int rc = functions_numbers(&c, &sides);
	if (rc == 0 && c.nrow)
		page_closed_table(&r->text, &c, "All functions, as in CSV");
	cells_free(&c);
	return rc;
}
