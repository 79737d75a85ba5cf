#include "suite/profile/diff.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/profile/group.h"
#include "suite/profile/names.h"
#include "suite/profile/report.h"

/* A function of one or both profiles. */
struct row {
	char *name;
	const char *module;
	uint64_t before, after;
};

struct rows {
	size_t n;
	struct row *row;
};

static const struct sheet_column columns[] = {
	{"event", NULL, SHEET_TEXT},
	{"number_before", NULL, SHEET_TEXT},
	{"number_after", NULL, SHEET_TEXT},
	{"before", "before", SHEET_NUMBER},
	{"after", "after", SHEET_NUMBER},
	{"change", "change", SHEET_CHANGE},
	{"change_percent", "change %", SHEET_GROWTH},
	{"symbol", "symbol", SHEET_TEXT},
	{"module", "module", SHEET_TEXT},
};

static void free_rows(struct rows *r)
{
	for (size_t i = 0; i < r->n; i++)
		free(r->row[i].name);
	free(r->row);
}

/* Add the functions of a profile. */
static int add_rows(struct rows *r, const struct profile *p, const struct groups *s,
		    unsigned metric, int is_after)
{
	struct row *grown = reallocarray(r->row, r->n + s->n + 1, sizeof *grown);

	if (!grown)
		return -1;
	r->row = grown;
	for (size_t i = 0; i < s->n; i++) {
		const struct group *g = s->by_value[i];
		const struct symbols_frame *f =
			profile_frames(p, g->code) + g->code->nframe - 1;
		struct textbuf b = {0};

		names_function(&b, f);
		grown[r->n] = (struct row){.name = textbuf_end(&b),
					   .module = names_module(f->module),
					   .before = is_after ? 0 : g->value[metric],
					   .after = is_after ? g->value[metric] : 0};
		if (!grown[r->n].name)
			return -1;
		r->n++;
	}
	return 0;
}

static int compare_names(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const int order = strcmp(x->name, y->name);

	return order ? order : strcmp(x->module, y->module);
}

static uint64_t size_of_change(const struct row *r)
{
	return r->after > r->before ? r->after - r->before : r->before - r->after;
}

static int compare_changes(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	const uint64_t i = size_of_change(x), k = size_of_change(y);

	if (i != k)
		return i < k ? 1 : -1;
	if (x->before != y->before)
		return x->before < y->before ? 1 : -1;
	return compare_names(a, b);
}

static void merge(struct rows *r)
{
	size_t n = 0;

	qsort(r->row, r->n, sizeof *r->row, compare_names);
	for (size_t i = 0; i < r->n; i++) {
		if (n && compare_names(&r->row[n - 1], &r->row[i]) == 0) {
			r->row[n - 1].before += r->row[i].before;
			r->row[n - 1].after += r->row[i].after;
			free(r->row[i].name);
		} else {
			r->row[n++] = r->row[i];
		}
	}
	r->n = n;
	qsort(r->row, r->n, sizeof *r->row, compare_changes);
}

static int make_rows(struct rows *r, const struct profile *const p[2],
		     const unsigned metric[2])
{
	int rc = 0;

	*r = (struct rows){0};
	for (int i = 0; i < 2 && rc == 0; i++) {
		struct groups s;

		if (groups_make(&s, p[i], metric[i], group_by_symbol) == -1)
			rc = -1;
		else
			rc = add_rows(r, p[i], &s, metric[i], i);
		groups_free(&s);
	}
	if (rc == 0)
		merge(r);
	else
		free_rows(r);
	return rc;
}

static void put_side(struct textbuf *b, const char *title, const struct profile_metric *m)
{
	textbuf_str(b, title);
	textbuf_num(b, m->total, 0);
	textbuf_str(b, " (");
	report_put_metric(b, m);
	textbuf_char(b, ')');
}

static const char *make_title(struct sheet *t, const struct profile_metric *before,
			      const struct profile_metric *after)
{
	struct textbuf b = {0};

	textbuf_char(&b, '\n');
	textbuf_clean(&b, before->event);
	textbuf_str(&b, " by symbol: ");
	put_side(&b, "before ", before);
	put_side(&b, ", after ", after);
	textbuf_char(&b, '\n');
	return sheet_string(t, &b);
}

static void fill_sheet(struct sheet *t, const struct rows *r,
		       const struct profile_metric *before,
		       const struct profile_metric *after, size_t top)
{
	const size_t n = top && r->n > top ? top : r->n;

	for (size_t i = 0; i < n; i++) {
		const struct row *row = &r->row[i];
		const struct sheet_cell change = {
			.number = row->after, .of = row->before, .known = 1};
		struct sheet_cell *cell = sheet_row(t);

		cell[0] = sheet_text(before->event);
		cell[1] = sheet_text(profile_number_name(before->number));
		cell[2] = sheet_text(profile_number_name(after->number));
		cell[3] = sheet_number(row->before);
		cell[4] = sheet_number(row->after);
		cell[5] = cell[6] = change;
		cell[6].known = row->before != 0;
		cell[7] = sheet_text(row->name);
		cell[8] = sheet_text(row->module);
	}
	if (r->n > n) {
		struct textbuf b = {0};

		textbuf_str(&b, "and ");
		textbuf_num(&b, r->n - n, 0);
		textbuf_str(&b, r->n - n == 1 ? " more row\n" : " more rows\n");
		t->remark = sheet_string(t, &b);
	}
}

/* Return the metric of the event with this name that no other covers, or nmetric. */
static unsigned find_metric(const struct profile *p, const char *event)
{
	unsigned m = 0;

	while (m < p->nmetric &&
	       (p->metric[m].covered || strcmp(p->metric[m].event, event) != 0))
		m++;
	return m;
}

static void put_only(struct textbuf *b, const struct profile *p,
		     const struct profile *other, const char *words)
{
	for (unsigned m = 0; m < p->nmetric; m++) {
		if (p->metric[m].covered ||
		    find_metric(other, p->metric[m].event) < other->nmetric)
			continue;
		textbuf_char(b, '\n');
		textbuf_clean(b, p->metric[m].event);
		textbuf_str(b, words);
	}
}

/* Append the table of a pair of metrics; CSV has its header with the first alone. */
static int put_pair(struct textbuf *b, const struct profile *const p[2],
		    const unsigned metric[2], size_t top, enum text_format format,
		    int is_first)
{
	const struct profile_metric *before = &p[0]->metric[metric[0]],
				    *after = &p[1]->metric[metric[1]];
	struct sheet t = {.name = "diff",
			  .ncolumn = sizeof columns / sizeof *columns,
			  .column = columns,
			  .headless = !is_first && format == TEXT_CSV};
	struct rows r;

	if (make_rows(&r, p, metric) == -1)
		return -1;
	t.title = make_title(&t, before, after);
	fill_sheet(&t, &r, before, after, top);
	sheet_put(b, &t, format);
	sheet_free(&t);
	free_rows(&r);
	return 0;
}

int diff_put(struct textbuf *b, const struct profile *before, const struct profile *after,
	     size_t top, enum text_format format)
{
	const struct profile *const p[2] = {before, after};
	int n = 0;

	for (unsigned m = 0; m < before->nmetric; m++) {
		const char *event = before->metric[m].event;
		const unsigned pair[2] = {m, find_metric(after, event)};

		if (pair[1] == after->nmetric || m != find_metric(before, event))
			continue;
		if (put_pair(b, p, pair, top, format, n++ == 0) == -1)
			return -1;
	}
	if (format == TEXT_PLAIN) {
		put_only(b, before, after, " is only in the first recording.\n");
		put_only(b, after, before, " is only in the second recording.\n");
	}
	if (b->failed)
		errno = ENOMEM;
	return b->failed ? -1 : n;
}
