#include "suite/screen/chart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

/* Between two drawings of a run with shorter intervals, ns. */
static const int64_t least_ns = 40000000;

static void free_timelines(struct chart *c, struct chart_line *l)
{
	for (unsigned i = 0; l->timeline && i < c->nevents; i++)
		free(l->timeline[i]);
	free(l->timeline);
	l->timeline = NULL;
}

static double line_total(const struct chart *c, const struct chart_line *l)
{
	double total = 0;

	for (unsigned i = 0; i < c->nevents; i++)
		total += l->timeline[i] ? l->timeline[i]->total : 0;
	return total;
}

/* Remove the line that has ended and has counted least. Returns whether there is one. */
static int drop_line(struct chart *c)
{
	struct chart_line *least = NULL;

	for (struct chart_line *l = c->line; l < c->line + c->nlines; l++)
		if (l->ended && (!least || line_total(c, l) < line_total(c, least)))
			least = l;
	if (!least)
		return 0;
	free_timelines(c, least);
	c->nlines--;
	memmove(least, least + 1, (size_t)(c->line + c->nlines - least) * sizeof *least);
	return 1;
}

static int matches(const struct chart_line *l, const struct row *row, long long id)
{
	return l->id == id && l->pid == row->pid;
}

/* Rows of an interval come in the same order as those of the interval before. */
static struct chart_line *find_line(struct chart *c, const struct row *row, long long id)
{
	for (unsigned i = 0; i < c->nlines; i++) {
		const unsigned k = (c->last + 1 + i) % c->nlines;

		if (matches(&c->line[k], row, id)) {
			c->last = k;
			return &c->line[k];
		}
	}
	return NULL;
}

/* Returns NULL with ENOMEM, or with errno 0 if there is no place for the line. */
static struct chart_line *add_line(struct chart *c, const struct row *row, long long id)
{
	errno = 0;
	if (c->nlines == CHART_LINES) {
		c->dropped++;
		if (!drop_line(c))
			return NULL;
	}
	if (array_grow(&c->line, c->nlines, sizeof *c->line) == -1)
		return NULL;
	struct chart_line *l = &c->line[c->nlines];
	*l = (struct chart_line){.pid = row->pid, .id = id, .ended = 1};
	l->timeline = calloc(c->nevents + 1, sizeof(struct timeline *));
	if (!l->timeline)
		return NULL;
	c->last = c->nlines++;
	return l;
}

static void halve(struct chart *c)
{
	for (unsigned i = 0; i < c->nlines; i++)
		for (unsigned k = 0; k < c->nevents; k++)
			if (c->line[i].timeline[k])
				timeline_halve(c->line[i].timeline[k]);
	c->shift++;
}

/* Return the cell of an interval. Sets that take turns have the cell of their turn. */
static uint64_t cell_of(const struct chart *c, uint64_t tick)
{
	return (tick - 1) / (c->run->nsets ? c->run->nsets : 1) >> c->shift;
}

/* Return the number of the interval that ended at about a time. */
static uint64_t tick_at(const struct chart *c, int64_t ns)
{
	const int64_t each = c->run->interval_ns > 0 ? c->run->interval_ns : 1;
	const int64_t tick = ns / each + (ns % each >= each - each / 2);

	return tick > 0 ? (uint64_t)tick : 1;
}

/* Make an interval the latest, unless it is earlier than the latest. */
static void advance(struct chart *c, uint64_t tick)
{
	if (tick <= c->tick)
		return;
	c->tick = tick;
	c->reported = 0;
	while (cell_of(c, tick) >= TIMELINE_CELLS)
		halve(c);
	c->ncells = (unsigned)cell_of(c, tick) + 1;
}

/*
 * Return how many intervals a row covers: more than one if samples were late and left
 * out. The events of CPUs were enabled all that time, and none during the rests of
 * cpustat -p. The events of an LWP are enabled only while it runs.
 */
static uint64_t span_of(const struct chart *c, const struct chart_line *l,
			const struct row *row, uint64_t tick)
{
	const uint64_t each = (uint64_t)c->run->interval_ns * (row->cpus ? row->cpus : 1);
	uint64_t span = 1;

	if (c->scope == ROW_LWPS)
		span = l->ended || tick <= l->tick ? 1 : tick - l->tick;
	else if (row->set && row->set->n > 0 && each > 0)
		span = (row->value[0].enabled + each / 2) / each;
	return span > tick ? tick : span > 0 ? span : 1;
}

/* The value of an interval is the mean of those that the row covers. */
static int add_value(struct chart *c, struct timeline **s, const cpc_value_t *v,
		     uint64_t tick, uint64_t span)
{
	if (v->quality == CPC_UNAVAILABLE) {
		if (*s)
			timeline_gap(*s);
		return 0;
	}
	if (!*s)
		*s = calloc(1, sizeof **s);
	if (!*s)
		return -1;
	timeline_add(*s, (unsigned)cell_of(c, tick - span + 1),
		     (unsigned)cell_of(c, tick),
		     v->value / span + (v->value % span >= span - span / 2));
	return 0;
}

static int add_values(struct chart *c, struct chart_line *l, const struct row *row,
		      uint64_t tick)
{
	struct timeline **s = &l->timeline[c->first[row->index]];
	const uint64_t span = span_of(c, l, row, tick);

	advance(c, tick);
	for (unsigned i = 0; row->set && i < row->set->n; i++)
		if (add_value(c, &s[i], &row->value[i], tick, span) == -1)
			return -1;
	return 0;
}

static int add_row(struct chart *c, const struct row *row)
{
	const long long id = c->scope == ROW_LWPS ? (long long)row->lwp : row->id;
	const uint64_t tick = tick_at(c, row->ns);
	struct chart_line *l = find_line(c, row, id);

	if (!l)
		l = add_line(c, row, id);
	if (!l)
		return errno ? -1 : 0;
	if (c->scope == ROW_LWPS && row->name)
		snprintf(l->name, sizeof l->name, "%s", row->name);
	const int rc = add_values(c, l, row, tick);
	c->reported += l->tick != c->tick;
	l->tick = c->tick;
	c->alive += l->ended;
	l->ended = 0;
	c->ns = row->ns > c->ns ? row->ns : c->ns;
	c->drawn = 0;
	return rc;
}

/* An LWP, or with id 0 each LWP of a process, has ended. */
static void end_lines(struct chart *c, pid_t pid, long long id)
{
	for (unsigned i = 0; i < c->nlines; i++)
		if (c->line[i].pid == pid && (id == 0 || c->line[i].id == id)) {
			c->alive -= !c->line[i].ended;
			c->line[i].ended = 1;
		}
}

/* Returns whether a row has the values of an interval, and not of a whole LWP or run. */
static int is_interval(const struct chart *c, const struct row *row)
{
	return row->kind == ROW_VALUES &&
	       (c->scope != ROW_LWPS || strcmp(row->word, "tick") == 0);
}

static int fail(struct chart *c)
{
	c->failed = 1;
	errno = ENOMEM;
	return -1;
}

static int begin(struct sink *s, const struct record_run *run)
{
	struct chart *c = (struct chart *)s;

	c->run = run;
	c->first = calloc(run->nsets + 1, sizeof *c->first);
	if (!c->first)
		return fail(c);
	for (unsigned i = 0; i < run->nsets; i++) {
		c->first[i] = c->nevents;
		c->nevents += run->set[i]->n;
	}
	c->drawn = 1;
	return c->out.draw(c->out.arg, c, 0);
}

static int put_row(struct sink *s, const struct row *row)
{
	struct chart *c = (struct chart *)s;

	if (c->failed || (is_interval(c, row) && add_row(c, row) == -1))
		return fail(c);
	if (row->kind != ROW_VALUES || c->scope != ROW_LWPS)
		return 0;
	if (strcmp(row->word, "lwp_exit") == 0)
		end_lines(c, row->pid, row->lwp);
	else if (strcmp(row->word, "exit") == 0 || strcmp(row->word, "exec") == 0)
		end_lines(c, row->pid, 0);
	return 0;
}

/* Rows of LWPs come one by one: the last one of an interval completes the chart. */
static int is_complete(const struct chart *c)
{
	return c->scope != ROW_LWPS || c->reported >= c->alive;
}

static int flush(struct sink *s)
{
	struct chart *c = (struct chart *)s;

	if (c->failed)
		return c->out.draw(c->out.arg, c, 0);
	if (c->drawn || c->ended || !is_complete(c) ||
	    (c->drawn_ns && c->ns - c->drawn_ns < least_ns))
		return 0;
	c->drawn = 1;
	c->drawn_ns = c->ns;
	return c->out.draw(c->out.arg, c, 0);
}

int chart_redraw(struct sink *s)
{
	struct chart *c = (struct chart *)s;

	return c->run && !c->ended ? c->out.draw(c->out.arg, c, 0) : 0;
}

static void provisional(struct sink *s)
{
	(void)s;
}

/* The rows are complete; what follows goes below the chart. */
static int complete(struct sink *s)
{
	struct chart *c = (struct chart *)s;

	if (c->ended)
		return 0;
	c->ended = 1;
	return c->out.draw(c->out.arg, c, 1);
}

static int end(struct sink *s, const struct record_end *e)
{
	struct chart *c = (struct chart *)s;
	const int ended = c->ended;

	const int rc = complete(s);
	if (e->provisional)
		c->ended = ended;
	return rc;
}

static void free_chart(struct sink *s)
{
	struct chart *c = (struct chart *)s;

	for (unsigned i = 0; i < c->nlines; i++)
		free_timelines(c, &c->line[i]);
	free(c->line);
	free(c->first);
	free(c);
}

struct sink *chart_new(enum row_scope scope, int pids, struct chart_output out)
{
	struct chart *c = calloc(1, sizeof *c);

	if (!c)
		return NULL;
	*c = (struct chart){
		.sink = {.begin = begin,
			 .row = put_row,
			 .flush = flush,
			 .provisional = provisional,
			 .complete = complete,
			 .end = end,
			 .free = free_chart},
		.scope = scope,
		.pids = pids,
		.out = out,
	};
	return &c->sink;
}
