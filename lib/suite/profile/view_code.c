#include "suite/profile/view_code.h"

#include "suite/profile/names.h"

static int code_rows(struct sheet *t, const struct profile *p, unsigned metric,
		     const struct view *v, const struct view_options *o)
{
	const struct profile_metric *m = &p->metric[metric];
	struct groups s;
	uint64_t left = m->total;

	if (groups_make(&s, p, metric, v->key) == -1)
		return -1;
	const size_t shown = view_shown(o, s.n);

	for (size_t i = 0; i < shown; i++) {
		const struct group *g = s.by_value[i];

		v->fill(t, view_row(t, m, g->value[metric]), p, g);
		left -= g->value[metric];
	}
	view_left_out(t, s.n - shown, left, m);
	groups_free(&s);
	return 0;
}

static const struct symbols_frame *innermost(const struct profile *p,
					     const struct group *g)
{
	return profile_frames(p, g->code);
}

static const struct symbols_frame *outermost(const struct profile *p,
					     const struct group *g)
{
	return innermost(p, g) + g->code->nframe - 1;
}

static struct sheet_cell function_cell(struct sheet *t, const struct symbols_frame *f)
{
	struct textbuf b = {0};

	names_function(&b, f);
	return sheet_text(sheet_string(t, &b));
}

static void fill_symbol(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
			const struct group *g)
{
	cell[0] = function_cell(t, outermost(p, g));
	view_module_cells(cell + 1, outermost(p, g));
}

static void fill_function(struct sheet *t, struct sheet_cell *cell,
			  const struct profile *p, const struct group *g)
{
	cell[0] = function_cell(t, innermost(p, g));
	view_module_cells(cell + 1, innermost(p, g));
}

static void fill_only_module(struct sheet *t, struct sheet_cell *cell,
			     const struct profile *p, const struct group *g)
{
	(void)t;
	view_module_cells(cell, innermost(p, g));
}

static void fill_file(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
		      const struct group *g)
{
	(void)t;
	cell[0] = sheet_text(innermost(p, g)->file);
}

static void fill_line(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
		      const struct group *g)
{
	const struct symbols_frame *f = innermost(p, g);
	struct textbuf b = {0};

	cell[0] = sheet_text(f->file);
	cell[1] = sheet_number(f->line);
	cell[1].known = f->line != 0;
	if (f->file) {
		textbuf_str(&b, names_module(f->file));
		textbuf_char(&b, ':');
		textbuf_num(&b, f->line, 0);
		cell[2] = sheet_text(sheet_string(t, &b));
	}
	cell[3] = function_cell(t, f);
	view_module_cells(cell + 4, f);
}

static void fill_ip(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
		    const struct group *g)
{
	struct textbuf b = {0};

	cell[0] = sheet_number(g->code->ip);
	names_place(&b, outermost(p, g));
	cell[1] = sheet_text(sheet_string(t, &b));
	view_module_cells(cell + 2, outermost(p, g));
}

static const struct sheet_column symbol_columns[] = {
	VIEW_COLUMNS, {"symbol", "symbol", SHEET_TEXT}, VIEW_MODULE};
static const struct sheet_column function_columns[] = {
	VIEW_COLUMNS, {"function", "function", SHEET_TEXT}, VIEW_MODULE};
static const struct sheet_column module_columns[] = {VIEW_COLUMNS, VIEW_MODULE};
static const struct sheet_column file_columns[] = {VIEW_COLUMNS,
						   {"file", "file", SHEET_TEXT}};
static const struct sheet_column line_columns[] = {VIEW_COLUMNS,
						   {"file", NULL, SHEET_TEXT},
						   {"line", NULL, SHEET_NUMBER},
						   {NULL, "line", SHEET_TEXT},
						   {"function", "function", SHEET_TEXT},
						   VIEW_MODULE};
static const struct sheet_column ip_columns[] = {VIEW_COLUMNS,
						 {"ip", "ip", SHEET_HEX},
						 {"place", "place", SHEET_TEXT},
						 VIEW_MODULE};

const struct view view_symbol = {.name = "symbol",
				 .title = "by symbol",
				 .counts = 1,
				 VIEW_SHEET(symbol_columns),
				 .rows = code_rows,
				 .key = group_by_symbol,
				 .fill = fill_symbol};
const struct view view_function = {.name = "function",
				   .title = "by function or inlined function",
				   .counts = 1,
				   .lines = 1,
				   VIEW_SHEET(function_columns),
				   .rows = code_rows,
				   .key = group_by_function,
				   .fill = fill_function};
const struct view view_module = {.name = "module",
				 .title = "by module",
				 .counts = 1,
				 VIEW_SHEET(module_columns),
				 .rows = code_rows,
				 .key = group_by_module,
				 .fill = fill_only_module};
const struct view view_file = {.name = "file",
			       .title = "by source file",
			       .counts = 1,
			       .lines = 1,
			       VIEW_SHEET(file_columns),
			       .rows = code_rows,
			       .key = group_by_file,
			       .fill = fill_file};
const struct view view_line = {.name = "line",
			       .title = "by source line",
			       .counts = 1,
			       .lines = 1,
			       VIEW_SHEET(line_columns),
			       .rows = code_rows,
			       .key = group_by_line,
			       .fill = fill_line};
const struct view view_ip = {.name = "ip",
			     .title = "by instruction",
			     .counts = 1,
			     VIEW_SHEET(ip_columns),
			     .rows = code_rows,
			     .key = group_by_ip,
			     .fill = fill_ip};
