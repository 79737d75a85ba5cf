#include "suite/profile/view.h"

#include <stdlib.h>

#include "suite/profile/names.h"

struct sheet_cell *view_row(struct sheet *t, const struct profile_metric *m,
			    uint64_t value)
{
	struct sheet_cell *cell = sheet_row(t);

	cell[0] = sheet_text(m->event);
	cell[1] = sheet_text(profile_number_name(m->number));
	cell[2] = cell[4] = sheet_number(value);
	cell[3] = sheet_percent(value, m->total);
	return cell + VIEW_NCOLUMNS;
}

void view_module_cells(struct sheet_cell *cell, const struct symbols_frame *f)
{
	cell[0] = sheet_text(f->module);
	cell[1] = sheet_text(names_module(f->module));
}

size_t view_shown(const struct view_options *o, size_t n)
{
	return o->top && n > o->top ? o->top : n;
}

void view_left_out(struct sheet *t, size_t n, uint64_t value,
		   const struct profile_metric *m)
{
	struct textbuf b = {0};

	if (n == 0)
		return;
	textbuf_str(&b, "and ");
	textbuf_num(&b, n, 0);
	textbuf_str(&b, n == 1 ? " more row" : " more rows");
	if (m) {
		textbuf_str(&b, " with ");
		textbuf_decimal(&b, 100. * (double)value / (double)m->total, 2, 0);
		textbuf_str(&b, " %");
	}
	textbuf_char(&b, '\n');
	t->remark = sheet_string(t, &b);
}

static int compare_values(const void *a, const void *b, void *nkey)
{
	const uint64_t *x = *(const uint64_t *const *)a, *y = *(const uint64_t *const *)b;
	const unsigned k = *(unsigned *)nkey;

	if (x[k] != y[k])
		return x[k] < y[k] ? 1 : -1;
	return x < y ? -1 : x > y;
}

int view_entries(struct view_entries *e, const struct tally *t, unsigned metric)
{
	*e = (struct view_entries){.nkey = t->nkey};
	e->entry = calloc(t->n + 1, sizeof *e->entry);
	if (!e->entry)
		return -1;
	for (size_t i = 0; i < t->n; i++)
		if (profile_key_metric(*tally_entry(t, i)) == metric)
			e->entry[e->n++] = tally_entry(t, i);
	qsort_r(e->entry, e->n, sizeof *e->entry, compare_values, &e->nkey);
	return 0;
}

void view_entries_free(struct view_entries *e)
{
	free(e->entry);
	*e = (struct view_entries){0};
}

void view_entries_left_out(struct sheet *t, const struct view_entries *e, size_t shown,
			   const struct profile_metric *m)
{
	uint64_t left = 0;

	for (size_t i = shown; i < e->n; i++)
		left += e->entry[i][e->nkey];
	view_left_out(t, e->n - shown, left, m);
}
