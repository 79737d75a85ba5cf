#include "suite/screen/chart_text.h"

#include <stdlib.h>

#include "base/columns.h"
#include "suite/screen/chart_layout.h"
#include "suite/screen/units.h"

#define BOLD  "\033[1m"
#define DIM   "\033[2m"
#define GREEN "\033[32m"
#define PLAIN "\033[0m"

static const char *unit_of(const struct section *s)
{
	return s->set->unit ? s->set->unit[s->index] : NULL;
}

static const char *noun(enum row_scope scope)
{
	static const char *const nouns[] = {[ROW_LWPS] = "LWP",
					    [ROW_CPUS] = "CPU",
					    [ROW_CORES] = "core",
					    [ROW_SOCKETS] = "socket",
					    [ROW_BINS] = "bin"};

	return nouns[scope];
}

/* Append blanks up to a column of a line that began at a place in b. */
static void pad(struct textbuf *b, size_t used, size_t width)
{
	for (; used < width; used++)
		textbuf_char(b, ' ');
}

static void put_glyph(struct textbuf *b, int utf8, unsigned level)
{
	static const char *const blocks[LAYOUT_LEVELS + 1] = {" ", "▁", "▂", "▃", "▄",
							      "▅", "▆", "▇", "█"};

	if (utf8)
		textbuf_str(b, blocks[level]);
	else
		textbuf_char(b, " .:-=+*%#"[level]);
}

/* Return the level of a value, from 1 up to most: a part of a level is a level. */
static unsigned level_of(double part, unsigned most)
{
	unsigned level = (unsigned)(part * most);

	level += level < part * most;
	return level < 1 ? 1 : level > most ? most : level;
}

/* row: from 0, the lowest. */
static void put_column(struct textbuf *b, const struct section *s, unsigned row,
		       double mean)
{
	if (mean <= 0) {
		textbuf_char(b, row == 0 ? '_' : ' ');
		return;
	}
	unsigned level = level_of(mean / s->full, s->height * LAYOUT_LEVELS);
	level = level > row * LAYOUT_LEVELS ? level - row * LAYOUT_LEVELS : 0;
	put_glyph(b, s->utf8, level < LAYOUT_LEVELS ? level : LAYOUT_LEVELS);
}

static void put_strip(struct textbuf *b, const struct layout *l, const struct section *s,
		      const struct timeline *timeline, unsigned row)
{
	double mean;

	textbuf_str(b, GREEN);
	for (unsigned k = 0; k < l->columns; k++)
		if (layout_mean(l, timeline, k, &mean))
			put_column(b, s, row, mean);
		else
			textbuf_char(b, ' ');
	textbuf_str(b, PLAIN);
}

static void put_values(struct textbuf *b, const struct layout *l, const struct section *s,
		       const struct chart_line *line, const struct timeline *v)
{
	textbuf_char(b, ' ');
	if (line->ended)
		textbuf_cell(b, "ended", 5, UNITS_WIDTH);
	else if (v->has_now)
		units_put(b, (double)v->now, unit_of(s), UNITS_WIDTH);
	else
		textbuf_cell(b, "-", 1, UNITS_WIDTH);
	if (!l->range)
		return;
	textbuf_str(b, "  ");
	units_put(b, (double)v->minimum, unit_of(s), UNITS_WIDTH);
	textbuf_str(b, "..");
	units_put(b, (double)v->maximum, unit_of(s), 0);
}

static void put_label_cell(struct textbuf *b, const struct layout *l,
			   const struct chart_line *line)
{
	const struct frame cut = {.rows = 1, .columns = l->label};
	char text[LAYOUT_LABEL];
	const char *label = layout_label(l->chart, line, text);

	frame_line(b, &cut, label);
	pad(b, columns_text(label), l->label);
}

/* A strip's label and numbers are in its lowest row. */
static void put_line(struct textbuf *b, const struct layout *l, const struct section *s,
		     unsigned i)
{
	const struct chart_line *line = &l->chart->line[l->line[i]];
	const struct timeline *timeline = layout_timeline(l, s, i);

	for (unsigned row = s->height; row-- > 0;) {
		textbuf_str(b, line->ended ? DIM : "");
		if (row == 0)
			put_label_cell(b, l, line);
		else
			pad(b, 0, l->label);
		textbuf_char(b, ' ');
		put_strip(b, l, s, timeline, row);
		if (row == 0) {
			pad(b, l->columns, l->strip);
			put_values(b, l, s, line, timeline);
		}
		textbuf_char(b, '\n');
	}
}

/* brief: without the interval. */
static void put_scale(struct textbuf *b, const struct layout *l, const struct section *s,
		      int brief)
{
	if (s->all == 0) {
		textbuf_str(b, ": no values");
		return;
	}
	textbuf_str(b, l->range ? ": full height " : ": full ");
	units_put(b, s->full, unit_of(s), 0);
	if (!brief) {
		textbuf_str(b, " in ");
		units_interval(b, l->chart->run->interval_ns);
	}
	if (s->shown == s->all)
		return;
	textbuf_str(b, "; ");
	textbuf_num(b, s->all - s->shown, 0);
	if (!l->range) {
		textbuf_str(b, " hidden");
		return;
	}
	textbuf_str(b, " less busy ");
	textbuf_str(b, noun(l->chart->scope));
	textbuf_str(b, s->all - s->shown == 1 ? " not shown" : "s not shown");
}

/* Append the name of an event with its modes, cut at a width. */
static void put_name(struct textbuf *b, const struct layout *l, const struct section *s,
		     unsigned width)
{
	const char *mode = s->set->mode && l->range ? s->set->mode[s->index] : "";
	struct textbuf name = {0};
	const struct frame cut = {.rows = 1, .columns = width};

	textbuf_clean(&name, s->set->event[s->index]);
	if (mode && *mode) {
		textbuf_str(&name, " (");
		textbuf_str(&name, mode);
		textbuf_char(&name, ')');
	}
	char *text = textbuf_end(&name);
	if (text)
		frame_line(b, &cut, text);
	else
		b->failed = 1;
	free(text);
}

/* The title of an event has its name, and the scale, for which there is always room. */
static void put_title(struct textbuf *b, const struct layout *l, const struct section *s)
{
	char text[160];
	struct textbuf scale = {.s = text, .size = sizeof text};
	const unsigned columns = l->frame->columns;

	put_scale(&scale, l, s, 0);
	if (scale.len >= columns) {
		scale.len = 0;
		put_scale(&scale, l, s, 1);
	}
	textbuf_str(b, BOLD);
	put_name(b, l, s, columns > scale.len + 1 ? columns - (unsigned)scale.len : 1);
	textbuf_str(b, PLAIN);
	textbuf_put(b, text, scale.len);
	textbuf_char(b, '\n');
}

/* Append what a column is: "the mean of 4 intervals of 1 s", or "4 s" if narrow. */
static void put_time(struct textbuf *b, const struct layout *l)
{
	const struct chart *c = l->chart;
	const uint64_t turns = (uint64_t)l->cells << c->shift;
	const unsigned nsets = c->run->nsets > 1 ? c->run->nsets : 1;
	const int64_t turn = c->run->interval_ns * nsets;

	textbuf_fixed(b, (uint64_t)(c->ns + 50000000) / 100000000, 1, 0);
	textbuf_str(b, l->range ? " s; a column is " : " s; column ");
	if (!l->range) {
		units_interval(b, turn * (int64_t)turns);
		return;
	}
	if (turns > 1) {
		textbuf_str(b, "the mean of ");
		textbuf_num(b, turns, 0);
		textbuf_str(b, nsets > 1 ? " turns of " : " intervals of ");
	} else {
		textbuf_str(b, nsets > 1 ? "a turn of " : "an interval of ");
	}
	units_interval(b, turn);
}

static void put_omissions(struct textbuf *b, const struct layout *l)
{
	const struct chart *c = l->chart;
	const unsigned events = c->nevents - l->events;

	if (events > 0) {
		textbuf_str(b, "; ");
		textbuf_num(b, events, 0);
		textbuf_str(b, events == 1 ? " event hidden" : " events hidden");
	}
	if (c->dropped > 0) {
		textbuf_str(b, "; ");
		textbuf_num(b, c->dropped, 0);
		textbuf_str(b, " LWPs are left out, as a chart has room for ");
		textbuf_num(b, CHART_LINES, 0);
	}
}

/* The first line has the time and the titles of the numbers. */
static void put_head(struct textbuf *b, const struct layout *l)
{
	const size_t begin = b->len;
	const size_t numbers = l->label + 1 + l->strip + 1;

	put_time(b, l);
	put_omissions(b, l);
	if (b->len - begin <= numbers + UNITS_WIDTH - 4) {
		pad(b, b->len - begin, numbers + UNITS_WIDTH - 3);
		textbuf_str(b, "now");
		if (l->range)
			textbuf_str(b, "     min..max");
	}
	textbuf_char(b, '\n');
}

static void put_section(struct textbuf *b, const struct layout *l, struct section *s)
{
	if (layout_section(l, s) == -1) {
		b->failed = 1;
		return;
	}
	put_title(b, l, s);
	for (unsigned i = 0; i < s->shown; i++) {
		if (i > 0 && s->height > 1)
			textbuf_char(b, '\n');
		put_line(b, l, s, i);
	}
}

static void put_sections(struct textbuf *b, const struct layout *l, int utf8)
{
	const struct record_run *run = l->chart->run;

	for (unsigned k = 0; k < run->nsets; k++)
		for (unsigned i = 0; i < run->set[k]->n; i++) {
			struct section s = {.utf8 = utf8,
					    .set = run->set[k],
					    .index = i,
					    .event = l->chart->first[k] + i};

			if (s.event < l->events)
				put_section(b, l, &s);
		}
}

static void put_nothing(struct textbuf *b, const struct chart *c)
{
	textbuf_str(b, c->ended ? "no chart: the run ended before its first interval of "
				: "waiting for the first interval of ");
	units_interval(b, c->run->interval_ns);
	textbuf_char(b, '\n');
}

void chart_text(struct textbuf *b, const struct chart *c, const struct frame *f, int utf8)
{
	struct layout l;

	if (c->failed) {
		b->failed = 1;
	} else if (c->nlines == 0) {
		put_nothing(b, c);
	} else if (layout_make(&l, c, f) == -1) {
		b->failed = 1;
	} else {
		put_head(b, &l);
		put_sections(b, &l, utf8);
		free(l.line);
	}
}
