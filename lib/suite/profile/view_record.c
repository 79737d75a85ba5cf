#include "suite/profile/view_record.h"

#include <stdlib.h>

#include "suite/profile/names.h"

/* Fill the cells of an entry, behind those of VIEW_COLUMNS. */
typedef void fill_t(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
		    const uint64_t *entry);

static int rows(struct sheet *t, const struct profile *p, unsigned metric,
		const struct tally *tally, const struct view_options *o, fill_t *fill)
{
	const struct profile_metric *m = &p->metric[metric];
	struct view_entries e;

	if (view_entries(&e, tally, metric) == -1)
		return -1;
	const size_t shown = view_shown(o, e.n);

	for (size_t i = 0; i < shown; i++)
		fill(t, view_row(t, m, e.entry[i][e.nkey]), p, e.entry[i]);
	view_entries_left_out(t, &e, shown, m);
	view_entries_free(&e);
	return 0;
}

static struct sheet_cell known_number(uint64_t n)
{
	return (struct sheet_cell){.number = n, .known = n != 0};
}

static struct sheet_cell place_cell(struct sheet *t, const struct profile *p,
				    size_t input, uint64_t ip)
{
	const struct symbols_frame f = profile_symbol(p, input, ip);
	struct textbuf b = {0};

	names_place(&b, &f);
	return sheet_text(sheet_string(t, &b));
}

static const struct sheet_column thread_columns[] = {VIEW_COLUMNS,
						     {"pid", "pid", SHEET_NUMBER},
						     {"tid", "tid", SHEET_NUMBER},
						     {"thread", "thread", SHEET_TEXT}};

static void fill_thread(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
			const uint64_t *entry)
{
	const struct recording *r = p->input[profile_key_input(entry[0])].recording;

	(void)t;
	cell[0] = known_number((uint64_t)r->pid);
	cell[1] = known_number(entry[1]);
	cell[2] = sheet_text(names_thread(r, (pid_t)entry[1]));
}

static int thread_rows(struct sheet *t, const struct profile *p, unsigned metric,
		       const struct view *v, const struct view_options *o)
{
	(void)v;
	return rows(t, p, metric, &p->thread, o, fill_thread);
}

const struct view view_thread = {.name = "thread",
				 .title = "by thread",
				 VIEW_SHEET(thread_columns),
				 .rows = thread_rows};

static const struct sheet_column core_columns[] = {VIEW_COLUMNS,
						   {"core", "core", SHEET_NUMBER}};

static void fill_core(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
		      const uint64_t *entry)
{
	(void)t;
	(void)p;
	cell[0] = sheet_number(entry[1]);
}

static int core_rows(struct sheet *t, const struct profile *p, unsigned metric,
		     const struct view *v, const struct view_options *o)
{
	(void)v;
	return rows(t, p, metric, &p->core, o, fill_core);
}

const struct view view_core = {.name = "core",
			       .title = "by core",
			       .details = PROFILE_CORES,
			       VIEW_SHEET(core_columns),
			       .rows = core_rows};

static const struct sheet_column branch_columns[] = {
	VIEW_COLUMNS,
	{"taken_percent", "taken %", SHEET_PERCENT},
	{"mispredicted_percent", "mispredicted %", SHEET_PERCENT},
	{"records", NULL, SHEET_NUMBER},
	{"taken", NULL, SHEET_NUMBER},
	{"predictions", NULL, SHEET_NUMBER},
	{"mispredicted", NULL, SHEET_NUMBER},
	{"from_ip", NULL, SHEET_HEX},
	{"from", "from", SHEET_TEXT},
	{"to_ip", NULL, SHEET_HEX},
	{"to", "to", SHEET_TEXT}};

/* The prediction is known in some of the records only, of which the percentage is. */
static void fill_branch(struct sheet *t, struct sheet_cell *cell, const struct profile *p,
			const uint64_t *entry)
{
	const size_t input = profile_key_input(entry[0]);
	const uint64_t records = entry[4], taken = entry[5], known = entry[6],
		       wrong = entry[7];

	cell[0] = sheet_percent(taken, records);
	cell[1] = sheet_percent(wrong, known);
	cell[2] = sheet_number(records);
	cell[3] = sheet_number(taken);
	cell[4] = sheet_number(known);
	cell[5] = sheet_number(wrong);
	cell[6] = sheet_number(entry[1]);
	cell[7] = place_cell(t, p, input, entry[1]);
	cell[8] = sheet_number(entry[2]);
	cell[9] = place_cell(t, p, input, entry[2]);
}

static int branch_rows(struct sheet *t, const struct profile *p, unsigned metric,
		       const struct view *v, const struct view_options *o)
{
	(void)v;
	return rows(t, p, metric, &p->branch, o, fill_branch);
}

const struct view view_branch = {.name = "branch",
				 .title = "by branch",
				 .details = PROFILE_BRANCHES,
				 .id = LWP_EVENT_BRE,
				 VIEW_SHEET(branch_columns),
				 .rows = branch_rows};

static const struct sheet_column value_columns[] = {
	VIEW_COLUMNS,
	{"site_percent", "% of site", SHEET_PERCENT},
	{NULL, "", SHEET_TEXT},
	{"field", "field", SHEET_TEXT},
	{"value", "value", SHEET_NUMBER},
	{"flags", "flags", SHEET_HEX},
	{"ip", NULL, SHEET_HEX},
	{"site", "site", SHEET_TEXT},
	VIEW_MODULE};

/* The values of a field of an instruction: entries in descending order, and their sum. */
struct site {
	size_t first, n;
	uint64_t value;
};

/* Sites are told apart by input, flags, ip and field. */
static int same_site(const uint64_t *x, const uint64_t *y)
{
	return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

static int compare_entries(const void *a, const void *b)
{
	const uint64_t *x = *(const uint64_t *const *)a, *y = *(const uint64_t *const *)b;

	if (x[0] != y[0])
		return x[0] < y[0] ? -1 : 1;
	for (int i = 1; i <= 2; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	if (x[4] != y[4])
		return x[4] < y[4] ? 1 : -1;
	return x < y ? -1 : x > y;
}

static int compare_sites(const void *a, const void *b)
{
	const struct site *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->first < y->first ? -1 : x->first > y->first;
}

/* Sort the entries by site, and make an array of the sites; NULL without memory. */
static struct site *make_sites(struct view_entries *e, size_t *n)
{
	struct site *site = calloc(e->n + 1, sizeof *site);

	*n = 0;
	if (!site)
		return NULL;
	qsort(e->entry, e->n, sizeof *e->entry, compare_entries);
	for (size_t i = 0; i < e->n; i++) {
		if (i == 0 || !same_site(e->entry[i - 1], e->entry[i]))
			site[(*n)++].first = i;
		site[*n - 1].n++;
		site[*n - 1].value += e->entry[i][4];
	}
	qsort(site, *n, sizeof *site, compare_sites);
	return site;
}

static struct sheet_cell bar_cell(struct sheet *t, uint64_t value, uint64_t of)
{
	enum { WIDTH = 20 };
	struct textbuf b = {0};

	for (unsigned i = 0; i < WIDTH * (double)value / (double)of; i++)
		textbuf_char(&b, '#');
	return sheet_text(sheet_string(t, &b));
}

static void add_value(struct sheet *t, const struct profile *p, unsigned metric,
		      const struct site *site, const uint64_t *entry)
{
	const size_t input = profile_key_input(entry[0]);
	const struct symbols_frame f = profile_symbol(p, input, entry[1]);
	struct sheet_cell *cell = view_row(t, &p->metric[metric], entry[4]);

	cell[0] = sheet_percent(entry[4], site->value);
	cell[1] = bar_cell(t, entry[4], site->value);
	cell[2] = sheet_text(entry[2] ? "data1" : "data2");
	cell[3] = sheet_number(entry[3]);
	cell[4] = sheet_number((uint32_t)entry[0]);
	cell[5] = sheet_number(entry[1]);
	cell[6] = place_cell(t, p, input, entry[1]);
	view_module_cells(cell + 7, &f);
}

/* Each site has as many values as other views have rows. */
static int value_rows(struct sheet *t, const struct profile *p, unsigned metric,
		      const struct view *v, const struct view_options *o)
{
	size_t nsite, left;
	struct view_entries e;

	(void)v;
	if (view_entries(&e, &p->lwpval, metric) == -1)
		return -1;
	struct site *site = make_sites(&e, &nsite);

	left = e.n;
	for (size_t i = 0; site && i < nsite; i++) {
		const size_t shown = view_shown(o, site[i].n);

		for (size_t k = 0; k < shown; k++)
			add_value(t, p, metric, &site[i], e.entry[site[i].first + k]);
		left -= shown;
	}
	view_left_out(t, left, 0, NULL);
	view_entries_free(&e);
	free(site);
	return site ? 0 : -1;
}

const struct view view_value = {.name = "value",
				.title = "by value of each site",
				.details = PROFILE_VALUES,
				.id = LWP_EVENT_VAL,
				VIEW_SHEET(value_columns),
				.rows = value_rows};

static const struct sheet_column marker_columns[] = {
	{"event", NULL, SHEET_TEXT},	   {"pid", NULL, SHEET_NUMBER},
	{"tid", "tid", SHEET_NUMBER},	   {"time", "time", SHEET_NUMBER},
	{"index", "record", SHEET_NUMBER}, {"since", "since last", SHEET_NUMBER},
	{"flags", "flags", SHEET_HEX},	   {"data1", "data1", SHEET_NUMBER},
	{"data2", "data2", SHEET_NUMBER},  {"ip", NULL, SHEET_HEX},
	{"place", "place", SHEET_TEXT}};

/* By time if it is known; else the markers stay in the order of rings and records. */
static int compare_markers(const void *a, const void *b)
{
	const struct profile_marker *x = *(const struct profile_marker *const *)a,
				    *y = *(const struct profile_marker *const *)b;

	if (x->record.timestamp != y->record.timestamp)
		return x->record.timestamp < y->record.timestamp ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void add_marker(struct sheet *t, const struct profile *p,
		       const struct profile_marker *m)
{
	struct sheet_cell *cell = sheet_row(t);

	cell[0] = sheet_text(p->metric[m->metric].event);
	cell[1] = known_number((uint64_t)p->input[m->input].recording->pid);
	cell[2] = known_number((uint64_t)m->tid);
	cell[3] = known_number(m->record.timestamp);
	cell[4] = sheet_number(m->index);
	cell[5] = sheet_number(m->since);
	cell[6] = sheet_number(m->record.flags);
	cell[7] = sheet_number(m->record.data1);
	cell[8] = sheet_number(m->record.data2);
	cell[9] = sheet_number(m->record.ip);
	cell[10] = place_cell(t, p, m->input, m->record.ip);
}

static int marker_rows(struct sheet *t, const struct profile *p, unsigned metric,
		       const struct view *v, const struct view_options *o)
{
	const struct profile_marker **marker = calloc(p->nmarker + 1, sizeof *marker);
	size_t n = 0;

	(void)v;
	if (!marker)
		return -1;
	for (size_t i = 0; i < p->nmarker; i++)
		if (p->marker[i].metric == metric)
			marker[n++] = &p->marker[i];
	qsort(marker, n, sizeof *marker, compare_markers);
	for (size_t i = 0; i < view_shown(o, n); i++)
		add_marker(t, p, marker[i]);
	view_left_out(t, n - view_shown(o, n), n - view_shown(o, n), &p->metric[metric]);
	free(marker);
	return 0;
}

const struct view view_marker = {.name = "marker",
				 .title = "in their order",
				 .details = PROFILE_MARKERS,
				 .id = LWP_EVENT_INS,
				 VIEW_SHEET(marker_columns),
				 .rows = marker_rows};
