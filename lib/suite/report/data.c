#include "suite/report/data.h"

#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "suite/report/compare.h"
#include "suite/row/csv.h"
#include "suite/series/csv.h"
#include "suite/series/json.h"

/* The columns of rows of programs, CPUs and cgroups, and of repeated runs. */
enum {
	COLUMNS_LWPS = 1,
	COLUMNS_CPUS,
	COLUMNS_CGROUPS,
	COLUMNS_SERIES,
	COLUMNS_FUNCTIONS
};

/* Rows of a run, which may come between rows of other runs. */
struct rows {
	struct sink sink; /* first: its address is that of the rows */
	struct report *report;
	const struct report_run *run;
	struct row_style style;
	int columns;
};

/*
 * A title comes before rows with other columns, and an empty line before that. Returns
 * whether the caller must append the title.
 */
static int needs_title(struct report *r, int columns)
{
	if (r->titled == columns)
		return 0;
	if (r->titled)
		textbuf_char(&r->text, '\n');
	r->titled = columns;
	return 1;
}

static void put_title(const struct rows *rows)
{
	if (needs_title(rows->report, rows->columns))
		row_csv_title(&rows->report->text, &rows->style);
}

static int begin(struct sink *s, const struct record_run *run)
{
	struct rows *rows = (struct rows *)s;

	rows->style.run = &run->row;
	put_title(rows);
	return 0;
}

/* Statistics have no columns. */
static int put_row(struct sink *s, const struct row *row)
{
	struct rows *rows = (struct rows *)s;

	if (row->kind == ROW_STATISTIC)
		return 0;
	put_title(rows);
	rows->style.tick = rows->run->has_tick;
	row_put(&rows->report->text, &rows->style, row);
	return 0;
}

static int flush(struct sink *s)
{
	(void)s;
	return 0;
}

static int end(struct sink *s, const struct record_end *e)
{
	(void)s;
	(void)e;
	return 0;
}

static void free_rows(struct sink *s)
{
	free(s);
}

static int columns_of(const struct report_run *run, enum row_scope scope)
{
	if (run->has_cgroups)
		return COLUMNS_CGROUPS;
	return scope == ROW_LWPS ? COLUMNS_LWPS : COLUMNS_CPUS;
}

static struct sink *rows_of(struct report *r, const struct report_run *run,
			    enum row_scope scope)
{
	struct rows *rows = calloc(1, sizeof *rows);

	if (!rows)
		return NULL;
	*rows = (struct rows){
		.sink = {.begin = begin,
			 .row = put_row,
			 .flush = flush,
			 .end = end,
			 .free = free_rows},
		.report = r,
		.run = run,
		.style = {.format = TEXT_CSV,
			  .scope = scope,
			  .cgroups = (unsigned)run->has_cgroups},
		.columns = columns_of(run, scope),
	};
	return &rows->sink;
}

/* Append the rows of the functions that differ, or of those of the only command. */
static int put_functions(struct report *r, const struct report_run *run)
{
	struct functions_side side[run->ncomparisons + 1];
	struct functions_sides sides;
	struct textbuf rows = {0};

	compare_sides(&sides, side, r, run);
	const int rc = functions_csv(&rows, &sides);
	char *text = textbuf_end(&rows);
	if (text && *text && needs_title(r, COLUMNS_FUNCTIONS))
		functions_csv_title(&r->text);
	textbuf_str(&r->text, text ? text : "");
	free(text);
	return text ? rc : -1;
}

static int put_runs(struct report *r, const struct report_run *run)
{
	struct cells c;
	int rc = compare_numbers(&c, r, run);

	if (needs_title(r, COLUMNS_SERIES))
		series_csv_title(&r->text);
	if (rc == 0)
		series_csv_put(&r->text, &c);
	cells_free(&c);
	if (rc == 0)
		rc = put_functions(r, run);
	return rc;
}

/*
 * Append the text of the last record of a run up to the number of all its records, and
 * the new number. Returns how many bytes of the text were taken.
 */
static size_t put_records(struct report *r, const struct saved_line *line)
{
	const struct saved_node *records = saved_member(line->json, "records");

	if (!saved_is(records, NODE_INTEGER))
		return 0;
	quote_json_line(&r->text, line->text, records->at);
	textbuf_num(&r->text, records->integer + r->added, 0);
	return records->at + strspn(line->text + records->at, "0123456789");
}

static int put_record(struct report *r, const struct saved_line *line)
{
	const int is_longer = r->added && line->kind == SAVED_END;
	const size_t taken = is_longer ? put_records(r, line) : 0;

	r->added = 0;
	quote_json_line(&r->text, line->text + taken, line->len - taken);
	textbuf_char(&r->text, '\n');
	return 0;
}

/* The report to which records of a run are added. */
struct json_output {
	struct report *report;
	const struct report_run *run;
};

/* Append the record of a comparison with saved runs. */
static int put_json_comparison(void *arg, const struct judge_comparison *c)
{
	const struct json_output *o = arg;
	const struct report_run *run = o->run;

	series_json_comparison(&o->report->text, &run->facts.run.row, 0,
			       (unsigned)run->series[run->nseries - 1].number, c, 0);
	o->report->added++;
	return 0;
}

/* Append the functions that differ from the file; the run has those of its references. */
static int put_json_functions(struct report *r, const struct report_run *run)
{
	struct functions_side side[run->ncomparisons + 1];
	struct functions_sides sides;

	if (!run->compared)
		return 0;
	compare_sides(&sides, side, r, run);
	sides.a = &side[sides.n - 1];
	sides.n = 1;
	const int n = functions_records(&r->text, &sides, &run->facts.run.row);
	if (n == -1)
		return -1;
	r->added += (unsigned)n;
	return 0;
}

/* Append what the options --baseline and --limit have shown about a run. */
static int put_json(struct report *r, const struct report_run *run)
{
	struct limits_reference reference[run->ncomparisons + 1];
	struct json_output o = {r, run};
	const struct report_taker taker = {&o, put_json_comparison};
	struct limits l;

	r->added = 0;
	if (compare_saved(r, run, &taker) == -1)
		return -1;
	if (run->judged) {
		compare_limits(&l, reference, r, run);
		r->added++;
		if (limits_put_record(&l, &r->text, &run->facts.run.row) == -1)
			return -1;
	}
	return put_json_functions(r, run);
}

const struct report_writer report_csv = {
	.name = "csv", .runs = put_runs, .rows = rows_of};
const struct report_writer report_json = {
	.name = "json", .record = put_record, .runs = put_json};
