#include "suite/profile/drawings.h"

#include <stdlib.h>
#include <string.h>

#include "suite/profile/group.h"
#include "suite/profile/markup.h"
#include "suite/profile/names.h"

/* Sizes are in the units of the drawings, in which a letter is about 7.3 wide. */
enum { WIDTH = 1000, LETTER = 8 };

/* Append text and free it; b fails if there was no memory for it. */
static void put_label(struct textbuf *b, double x, double y, const char *class,
		      const char *anchor, struct textbuf *text, size_t max)
{
	char *s = textbuf_end(text);

	if (s)
		markup_label(b, x, y, class, anchor, s, max);
	else
		b->failed = 1;
	free(s);
}

static void put_rect(struct textbuf *b, struct box box, const char *class, double opacity,
		     struct textbuf *tooltip)
{
	char *s = textbuf_end(tooltip);

	if (s)
		markup_rect(b, box, class, opacity, s);
	else
		b->failed = 1;
	free(s);
}

static double share(uint64_t value, uint64_t total)
{
	return total ? (double)value / (double)total : 0;
}

/* Append "12.34 %". */
static void put_percent(struct textbuf *b, double share_of_total)
{
	textbuf_decimal(b, 100 * share_of_total, 2, 0);
	textbuf_str(b, " %");
}

static const struct symbols_frame *symbol_of(const struct profile *p,
					     const struct group *g)
{
	return profile_frames(p, g->code) + g->code->nframe - 1;
}

/* What is shown when the pointer rests on a function. */
static struct textbuf function_tooltip(const struct profile *p, const struct group *g,
				       unsigned metric)
{
	const uint64_t total = p->metric[metric].total;
	struct textbuf b = {0};

	names_function(&b, symbol_of(p, g));
	textbuf_str(&b, " [");
	textbuf_str(&b, names_module(symbol_of(p, g)->module));
	textbuf_str(&b, "]: ");
	textbuf_num(&b, g->value[metric], 0);
	textbuf_str(&b, ", ");
	put_percent(&b, share(g->value[metric], total));
	return b;
}

enum { BARS = 20, BAR_HEIGHT = 22, BAR_LEFT = 340, BAR_RIGHT = 90 };

static void put_bar(struct textbuf *b, const struct profile *p, const struct groups *s,
		    unsigned metric, size_t i)
{
	const struct group *g = s->by_value[i];
	const uint64_t total = p->metric[metric].total;
	const double most = share(s->by_value[0]->value[metric], total);
	const double part = share(g->value[metric], total);
	const double y = (double)i * BAR_HEIGHT,
		     w = (WIDTH - BAR_LEFT - BAR_RIGHT) * part / most;
	struct textbuf name = {0}, percent = {0},
		       tooltip = function_tooltip(p, g, metric);

	names_function(&name, symbol_of(p, g));
	put_label(b, BAR_LEFT - 10, y + 15, "label", "end", &name,
		  (BAR_LEFT - 10) / LETTER);
	put_rect(b, (struct box){BAR_LEFT, y + 3, w < 1 ? 1 : w, BAR_HEIGHT - 6}, "bar",
		 1, &tooltip);
	put_percent(&percent, part);
	put_label(b, BAR_LEFT + w + 6, y + 15, "dim", "start", &percent, 16);
}

static void put_bars(struct textbuf *b, const struct profile *p, const struct groups *s,
		     unsigned metric)
{
	const size_t n = s->n < BARS ? s->n : BARS;

	textbuf_str(b, "<h3>Functions</h3>\n");
	markup_begin(b, WIDTH, (double)n * BAR_HEIGHT, "Bar chart of the functions");
	for (size_t i = 0; i < n; i++)
		put_bar(b, p, s, metric, i);
	markup_end(b);
}

enum { MAP_HEIGHT = 420, MAP_TITLE = 18, MAP_TILES = 300 };

/* The functions of a module in the treemap, in descending order of their values. */
struct tiles {
	const char *module;
	uint64_t total;
	size_t n;
	const struct group *group[MAP_TILES];
	uint64_t value[MAP_TILES];
};

static void put_tile(struct textbuf *b, const struct profile *p, const struct group *g,
		     unsigned metric, struct box box, unsigned colour)
{
	static const char *const classes[] = {"c0", "c1", "c2", "c3",
					      "c4", "c5", "c6", "c7"};
	const size_t letters = box.w > 8 ? (size_t)(box.w - 8) / LETTER : 0;
	struct textbuf tooltip = function_tooltip(p, g, metric), name = {0};

	put_rect(b, box, classes[colour % 8], 1, &tooltip);
	if (letters < 4 || box.h < 16)
		return;
	names_function(&name, symbol_of(p, g));
	put_label(b, box.x + 4, box.y + 13, "on", "start", &name, letters);
}

static void put_module(struct textbuf *b, const struct profile *p, const struct tiles *t,
		       unsigned metric, struct box box, unsigned colour)
{
	struct box tile[MAP_TILES];
	struct textbuf name = {0};

	if (box.h > 2 * MAP_TITLE && box.w > 6 * LETTER) {
		textbuf_str(&name, names_module(t->module));
		put_label(b, box.x + 4, box.y + 13, "dim", "start", &name,
			  (size_t)(box.w - 8) / LETTER);
		box.y += MAP_TITLE;
		box.h -= MAP_TITLE;
	}
	markup_treemap(box, t->value, t->n, tile);
	for (size_t i = 0; i < t->n; i++)
		put_tile(b, p, t->group[i], metric, tile[i], colour);
}

static int compare_tiles(const void *a, const void *b)
{
	const struct tiles *x = *(const struct tiles *const *)a,
			   *y = *(const struct tiles *const *)b;

	if (x->total != y->total)
		return x->total < y->total ? 1 : -1;
	return x < y ? -1 : x > y;
}

enum { MAP_MODULES = 16 };

/* Put the largest functions into their modules. Returns the number of modules. */
static size_t make_tiles(struct tiles *t, const struct profile *p, const struct groups *s,
			 unsigned metric)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n && i < MAP_TILES; i++) {
		const struct group *g = s->by_value[i];
		const char *module = names_module(symbol_of(p, g)->module);
		size_t k = 0;

		while (k < n && strcmp(names_module(t[k].module), module) != 0)
			k++;
		if (k == MAP_MODULES)
			continue;
		if (k == n)
			t[n++] = (struct tiles){.module = symbol_of(p, g)->module};
		t[k].group[t[k].n] = g;
		t[k].value[t[k].n++] = g->value[metric];
		t[k].total += g->value[metric];
	}
	return n;
}

static int put_map(struct textbuf *b, const struct profile *p, const struct groups *s,
		   unsigned metric)
{
	struct tiles *t = calloc(MAP_MODULES, sizeof *t);
	const struct tiles *order[MAP_MODULES];
	uint64_t value[MAP_MODULES];
	struct box box[MAP_MODULES];

	if (!t)
		return -1;
	const size_t n = make_tiles(t, p, s, metric);

	for (size_t i = 0; i < n; i++)
		order[i] = &t[i];
	qsort(order, n, sizeof *order, compare_tiles);
	for (size_t i = 0; i < n; i++)
		value[i] = order[i]->total;
	markup_treemap((struct box){0, 0, WIDTH, MAP_HEIGHT}, value, n, box);
	textbuf_str(b, "<h3>Functions of each module</h3>\n");
	markup_begin(b, WIDTH, MAP_HEIGHT, "Treemap of the functions by module");
	for (size_t i = 0; i < n; i++)
		put_module(b, p, order[i], metric, box[i], (unsigned)i);
	markup_end(b);
	free(t);
	return 0;
}

int drawings_functions(struct textbuf *b, const struct profile *p, unsigned metric)
{
	struct groups s;
	int rc = 0;

	if (groups_make(&s, p, metric, group_by_symbol) == -1)
		return -1;
	if (s.n) {
		put_bars(b, p, &s, metric);
		rc = put_map(b, p, &s, metric);
	}
	groups_free(&s);
	return rc;
}

enum { HEAT_ROWS = 40, HEAT_HEIGHT = 16, HEAT_LEFT = 328, HEAT_CELL = 7 };

/* A page, whose entries of the profile's tally time follow each other. */
struct page {
	size_t first, n;
	uint64_t value;
};

static int by_value(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static int by_place(const void *a, const void *b)
{
	const struct page *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* Make an array of the hottest pages, in the order of addresses; NULL without memory. */
static struct page *make_pages(const struct profile *p, unsigned metric, size_t *n)
{
	struct page *page = calloc(p->time.n + 1, sizeof *page);

	*n = 0;
	for (size_t i = 0; page && i < p->time.n; i++) {
		const uint64_t *entry = tally_entry(&p->time, i);
		const uint64_t *last = i ? tally_entry(&p->time, i - 1) : entry;

		if (profile_key_metric(entry[0]) != metric)
			continue;
		if (*n == 0 || last[0] != entry[0] || last[1] != entry[1])
			page[(*n)++].first = i;
		page[*n - 1].n++;
		page[*n - 1].value += entry[3];
	}
	if (page) {
		qsort(page, *n, sizeof *page, by_value);
		*n = *n < HEAT_ROWS ? *n : HEAT_ROWS;
		qsort(page, *n, sizeof *page, by_place);
	}
	return page;
}

static double square_root(double v)
{
	double root = v > 1 ? v : 1;

	for (int i = 0; i < 40; i++)
		root = (root + v / root) / 2;
	return root;
}

static void put_cells(struct textbuf *b, const struct profile *p, const struct page *page,
		      uint64_t most, double y)
{
	for (size_t i = 0; i < page->n; i++) {
		const uint64_t *entry = tally_entry(&p->time, page->first + i);
		const struct box box = {HEAT_LEFT + (double)entry[2] * HEAT_CELL, y,
					HEAT_CELL, HEAT_HEIGHT - 1};
		struct textbuf tooltip = {0};

		textbuf_num(&tooltip, entry[3], 0);
		put_rect(b, box, "heat",
			 0.1 + 0.9 * square_root((double)entry[3] / (double)most),
			 &tooltip);
	}
}

static void put_page(struct textbuf *b, const struct profile *p, const struct page *page,
		     uint64_t most, double y)
{
	const uint64_t *entry = tally_entry(&p->time, page->first);
	const struct names_data d =
		names_data(&p->input[profile_key_input(entry[0])], entry[1]);
	struct textbuf label = {0};

	sheet_hex(&label, entry[1]);
	textbuf_char(&label, ' ');
	if (d.name)
		names_put_data(&label, &d);
	put_label(b, HEAT_LEFT - 10, y + 12, "label", "end", &label,
		  (HEAT_LEFT - 10) / LETTER);
	put_cells(b, p, page, most, y);
}

static uint64_t largest_cell(const struct profile *p, const struct page *page, size_t n)
{
	uint64_t most = 1;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < page[i].n; k++) {
			const uint64_t v = tally_entry(&p->time, page[i].first + k)[3];

			most = v > most ? v : most;
		}
	return most;
}

int drawings_heat(struct textbuf *b, const struct profile *p, unsigned metric)
{
	size_t n;
	struct page *page = make_pages(p, metric, &n);
	const uint64_t most = page ? largest_cell(p, page, n) : 0;

	if (!page)
		return -1;
	if (n) {
		const double height = (double)n * HEAT_HEIGHT;

		textbuf_str(b, "<h3>Pages of data over time</h3>\n<p>");
		textbuf_str(b, p->has_time
				       ? "From left to right: time."
				       : "From left to right: the order of the records.");
		textbuf_str(b, " From top to bottom: the pages with most misses, by "
			       "address.</p>\n");
		markup_begin(b, WIDTH, height, "Heat map of pages of data over time");
		markup_rect(b,
			    (struct box){HEAT_LEFT, 0, PROFILE_TIMES * HEAT_CELL, height},
			    "frame", 1, "Misses by page and time");
		for (size_t i = 0; i < n; i++)
			put_page(b, p, &page[i], most, (double)i * HEAT_HEIGHT);
		markup_end(b);
	}
	free(page);
	return 0;
}
