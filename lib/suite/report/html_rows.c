#include "suite/report/html_rows.h"

#include <stdlib.h>

#include "suite/page/page.h"
#include "suite/page/strip.h"
#include "suite/report/finals.h"
#include "suite/report/html_section.h"
#include "suite/screen/chart.h"

struct rows {
	struct sink sink; /* first: its address is that of the rows */
	struct report *report;
	const struct report_run *run;
	struct sink *chart;
	struct finals finals;
};

static int begin(struct sink *s, const struct record_run *run)
{
	struct rows *rows = (struct rows *)s;

	rows->finals.run = run;
	return rows->chart->begin(rows->chart, run);
}

static int put_row(struct sink *s, const struct row *row)
{
	struct rows *rows = (struct rows *)s;

	/* A cgroup includes those below it: their lines have no common scale. */
	if (!row->cgroup && rows->chart->row(rows->chart, row) == -1)
		return -1;
	return row->set ? finals_add(&rows->finals, row) : 0;
}

static int flush(struct sink *s)
{
	(void)s;
	return 0;
}

static void add_value(struct cells *c, const cpc_value_t *v)
{
	char grouped[TEXT_GROUPED];
	struct textbuf part = {0};

	if (v->quality == CPC_UNAVAILABLE) {
		textbuf_char(&part, '-');
	} else {
		textbuf_num(&part, v->value, 0);
		char *digits = textbuf_end(&part);
		part = (struct textbuf){0};
		if (digits)
			textbuf_str(&part, text_grouped(grouped, digits));
		free(digits);
	}
	cells_add(c, &part);
	cells_add_str(c, cpc_class_name(v->quality));
}

static void put_who(struct textbuf *b, const struct final *one)
{
	if (one->cgroup) {
		textbuf_str(b, one->cgroup);
		return;
	}
	textbuf_num(b, (uint64_t)(one->id < 0 ? 0 : one->id), 0);
	textbuf_str(b, *one->name ? " " : "");
	textbuf_str(b, one->name);
}

/* Add the rows of a process, CPU or cgroup: one for each event. */
static void add_final(struct cells *c, const struct finals *f, const struct final *one)
{
	unsigned number = 0;

	for (unsigned s = 0; s < f->run->nsets; s++)
		for (unsigned i = 0; i < f->run->set[s]->n; i++, number++) {
			const struct row_set *set = f->run->set[s];
			struct textbuf who = {0};

			put_who(&who, one);
			cells_add(c, &who);
			cells_add_str(c, set->event[i]);
			cells_add_str(c, set->unit && set->unit[i] ? set->unit[i] : "");
			add_value(c, &one->value[number]);
		}
}

/* Append what each process, CPU or cgroup has counted in all. */
static int put_finals(struct textbuf *b, struct finals *f)
{
	struct cells_column column[] = {{"process", CELLS_NAME, 0, 0},
					{"event", CELLS_NAME, 0, 0},
					{"unit", CELLS_WORDS, 0, 0},
					{"value", CELLS_NUMBER, 0, 0},
					{"class", CELLS_WORDS, 0, 0}};
	struct cells c;

	if (!f->n)
		return 0;
	finals_settle(f);
	if (f->scope != ROW_LWPS)
		column[0] = (struct cells_column){"cpu", CELLS_NAME, 0, 0};
	if (f->final->cgroup)
		column[0] = (struct cells_column){"cgroup", CELLS_NAME, 0, 0};
	cells_begin(&c, column, sizeof column / sizeof column[0]);
	for (unsigned i = 0; i < f->n; i++)
		add_final(&c, f, &f->final[i]);
	const int rc = cells_end(&c);
	if (rc == 0) {
		page_heading(b, "In all");
		page_table(b, &c,
			   f->final->cgroup ? "What each cgroup has counted"
					    : "What each process or CPU has counted");
	}
	cells_free(&c);
	return rc;
}

/* The chart is complete when the rows are. */
static int draw(void *arg, const struct chart *c, int last)
{
	struct rows *rows = arg;

	if (last)
		strip_put(&rows->report->text, c);
	return 0;
}

static int end(struct sink *s, const struct record_end *e)
{
	struct rows *rows = (struct rows *)s;
	struct report *r = rows->report;

	html_begin(r, rows->run);
	if (put_finals(&r->text, &rows->finals) == -1 ||
	    rows->chart->end(rows->chart, e) == -1)
		return -1;
	html_end(r, rows->run);
	return 0;
}

static void free_rows(struct sink *s)
{
	struct rows *rows = (struct rows *)s;

	if (rows->chart)
		rows->chart->free(rows->chart);
	finals_free(&rows->finals);
	free(rows);
}

struct sink *html_rows(struct report *r, const struct report_run *run,
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
		.finals = {.scope = scope},
	};
	rows->chart =
		chart_new(scope, scope == ROW_LWPS, (struct chart_output){rows, draw});
	if (rows->chart)
		return &rows->sink;
	free_rows(&rows->sink);
	return NULL;
}
