#include "suite/profile/view_data.h"

#include <stdlib.h>

#include "suite/profile/misses.h"
#include "suite/profile/names.h"

static const struct sheet_column source_columns[] = {VIEW_COLUMNS,
						     {"records", NULL, SHEET_NUMBER},
						     {"latency_p50", "p50", SHEET_NUMBER},
						     {"latency_p90", "p90", SHEET_NUMBER},
						     {"latency_p99", "p99", SHEET_NUMBER},
						     {"latency_max", "max", SHEET_NUMBER},
						     {"source", "source", SHEET_TEXT}};

/*
 * Return the latency that per hundred of the records do not exceed (nearest rank). The n
 * entries of a source are in ascending order of the latency.
 */
static uint64_t percentile(const uint64_t *const *entry, size_t n, uint64_t records,
			   unsigned percent)
{
	const uint64_t rank = (records * percent + 99) / 100;
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum += entry[i][3];
		if (sum >= rank)
			return entry[i][1];
	}
	return 0;
}

/* A latency of 0 in all records means that it was not measured. */
static void fill_latencies(struct sheet_cell *cell, const uint64_t *const *entry,
			   size_t n, uint64_t records)
{
	static const unsigned percents[] = {50, 90, 99, 100};

	for (unsigned i = 0; i < 4; i++) {
		cell[i] = sheet_number(percentile(entry, n, records, percents[i]));
		cell[i].known = entry[n - 1][1] != 0;
	}
}

static struct sheet_cell source_cell(struct sheet *t, unsigned source)
{
	struct textbuf b = {0};

	if (lwp_source_name(source))
		return sheet_text(lwp_source_name(source));
	textbuf_str(&b, "reserved ");
	textbuf_num(&b, source, 0);
	return sheet_text(sheet_string(t, &b));
}

static void add_source(struct sheet *t, const struct profile_metric *m,
		       const uint64_t *const *entry, size_t n)
{
	uint64_t value = 0, records = 0;

	for (size_t i = 0; i < n; i++) {
		value += entry[i][2];
		records += entry[i][3];
	}
	struct sheet_cell *cell = view_row(t, m, value);

	cell[0] = sheet_number(records);
	fill_latencies(cell + 1, entry, n, records);
	cell[5] = source_cell(t, (uint32_t)entry[0][0]);
}

/* All sources are shown: there are at most eight. */
static int source_rows(struct sheet *t, const struct profile *p, unsigned metric,
		       const struct view *v, const struct view_options *o)
{
	const uint64_t **entry = calloc(p->latency.n + 1, sizeof *entry);
	size_t n = 0;

	(void)v;
	(void)o;
	if (!entry)
		return -1;
	for (size_t i = 0; i < p->latency.n; i++)
		if (profile_key_metric(*tally_entry(&p->latency, i)) == metric)
			entry[n++] = tally_entry(&p->latency, i);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first; end < n && entry[end][0] == entry[first][0]; end++)
			;
		add_source(t, &p->metric[metric], entry + first, end - first);
	}
	free(entry);
	return 0;
}

const struct view view_source = {.name = "source",
				 .title = "by source (latency in cycles)",
				 .details = PROFILE_LATENCY,
				 .id = LWP_EVENT_DME,
				 VIEW_SHEET(source_columns),
				 .rows = source_rows};

static const struct sheet_column data_columns[] = {VIEW_COLUMNS,
						   {"latency", "latency", SHEET_NUMBER},
						   {"data", "data", SHEET_TEXT},
						   VIEW_MODULE};

/* The mean, or not known if no latency was measured. */
static struct sheet_cell latency_cell(uint64_t sum, uint64_t records)
{
	return (struct sheet_cell){.number = records ? (sum + records / 2) / records : 0,
				   .known = sum != 0};
}

static int data_rows(struct sheet *t, const struct profile *p, unsigned metric,
		     const struct view *v, const struct view_options *o)
{
	const struct profile_metric *m = &p->metric[metric];
	uint64_t left = 0;
	struct misses s;

	(void)v;
	if (misses_by_object(&s, p, metric) == -1)
		return -1;
	const size_t shown = view_shown(o, s.n);

	for (size_t i = 0; i < s.n; i++) {
		const struct misses_place *place = &s.place[i];
		struct textbuf b = {0};

		if (i >= shown) {
			left += place->value;
			continue;
		}
		struct sheet_cell *cell = view_row(t, m, place->value);

		names_put_data(&b, &place->data);
		cell[0] = latency_cell(place->latency, place->records);
		cell[1] = sheet_text(sheet_string(t, &b));
		cell[2] = sheet_text(place->data.module);
		if (place->data.module)
			cell[3] = sheet_text(names_module(place->data.module));
	}
	view_left_out(t, s.n - shown, left, m);
	misses_free(&s);
	return 0;
}

const struct view view_data = {.name = "data",
			       .title = "by variable",
			       .details = PROFILE_DATA,
			       .id = LWP_EVENT_DME,
			       VIEW_SHEET(data_columns),
			       .rows = data_rows};

/* Views by address leave out the last column, by line they have it. */
static const struct sheet_column place_columns[] = {
	VIEW_COLUMNS,
	{"latency", "latency", SHEET_NUMBER},
	{"threads", "threads", SHEET_NUMBER},
	{"addresses", "addresses", SHEET_NUMBER},
	{"address", "address", SHEET_HEX},
	{"data", "data", SHEET_TEXT},
	{"functions", "functions", SHEET_TEXT},
	{"sharing", "sharing", SHEET_TEXT}};

static struct sheet_cell address_cell(struct sheet *t, const struct profile *p,
				      const struct misses_place *place)
{
	const struct names_data d = names_data(&p->input[place->input], place->start);
	struct textbuf b = {0};

	names_put_data(&b, &d);
	if (place->start > d.start) {
		textbuf_char(&b, '+');
		sheet_hex(&b, place->start - d.start);
	}
	return sheet_text(sheet_string(t, &b));
}

/* The functions of a place in descending order of their values, at most a few. */
static struct sheet_cell functions_cell(struct sheet *t, const struct profile *p,
					const struct misses *s,
					const struct misses_place *place)
{
	struct misses_function f[MISSES_FUNCTIONS];
	const size_t n = misses_functions(f, p, s, place);
	struct textbuf b = {0};

	for (size_t i = 0; i < n && i < 3; i++) {
		textbuf_str(&b, i ? ", " : "");
		names_function(&b, &f[i].frame);
	}
	if (n > 3)
		textbuf_str(&b, ", ...");
	return sheet_text(sheet_string(t, &b));
}

static void add_place(struct sheet *t, const struct profile *p, unsigned metric,
		      const struct misses *s, const struct misses_place *place)
{
	struct sheet_cell *cell = view_row(t, &p->metric[metric], place->value);

	cell[0] = latency_cell(place->latency, place->records);
	cell[1] = sheet_number(place->threads);
	cell[1].known = place->threads != 0;
	cell[2] = sheet_number(place->addresses);
	cell[3] = sheet_number(place->start);
	cell[4] = address_cell(t, p, place);
	cell[5] = functions_cell(t, p, s, place);
	if (t->ncolumn == sizeof place_columns / sizeof *place_columns &&
	    place->threads > 1)
		cell[6] = sheet_text(place->shared_address ? "true" : "false");
}

static int place_rows(struct sheet *t, const struct profile *p, unsigned metric,
		      const struct view *v, const struct view_options *o, uint64_t unit)
{
	const struct misses_wanted wanted = {
		.unit = unit, .threads = v == &view_sharing ? 2 : 0, .most = o->top};
	struct misses s;

	if (misses_by_unit(&s, p, metric, &wanted) == -1)
		return -1;
	for (size_t i = 0; i < s.n; i++)
		add_place(t, p, metric, &s, &s.place[i]);
	view_left_out(t, s.left_n, s.left_value, &p->metric[metric]);
	misses_free(&s);
	return 0;
}

static int address_rows(struct sheet *t, const struct profile *p, unsigned metric,
			const struct view *v, const struct view_options *o)
{
	return place_rows(t, p, metric, v, o, 1);
}

static int line_rows(struct sheet *t, const struct profile *p, unsigned metric,
		     const struct view *v, const struct view_options *o)
{
	return place_rows(t, p, metric, v, o, o->line_size);
}

static int page_rows(struct sheet *t, const struct profile *p, unsigned metric,
		     const struct view *v, const struct view_options *o)
{
	return place_rows(t, p, metric, v, o, PROFILE_PAGE);
}

#define PLACES(view_name, view_title, last, function)                                \
	{                                                                            \
		.name = (view_name), .title = (view_title), .details = PROFILE_DATA, \
		.id = LWP_EVENT_DME,                                                 \
		.ncolumn = sizeof place_columns / sizeof *place_columns - (last),    \
		.column = place_columns, .rows = (function)                          \
	}

const struct view view_address = PLACES("address", "by data address", 1, address_rows);
const struct view view_cacheline = PLACES("cacheline", "by cache line", 0, line_rows);
const struct view view_sharing =
	PLACES("sharing", "in cache lines that several threads use", 0, line_rows);
const struct view view_page = PLACES("page", "by page", 1, page_rows);
