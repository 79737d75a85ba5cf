#include "report.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "common/status.h"
#include "irix/perfex.h"

struct report {
	struct sink sink; /* first: its address is that of the report */
	const struct options *o;
	const char *command;
	const struct costs *costs;
	struct sink_output out;
	const struct row_run *run; /* NULL before begin() */
};

/* Write text and free it. A table of costs can have names with any characters. */
static int put(struct report *r, char *text)
{
	if (text)
		text_clean(text, "\n\t");
	const int rc = r->out.write(r->out.arg, text, text ? strlen(text) : 0);

	free(text);
	return rc;
}

static int begin(struct sink *s, const struct record_run *run)
{
	struct report *r = (struct report *)s;
	struct irix_row none[run->set[0]->n + 1];
	struct irix_report title = {
		.format = r->o->shared.format,
		.scope = r->o->mode == MODE_PERIODS ? IRIX_PERIOD : IRIX_TOTAL,
		.n = run->set[0]->n,
		.row = none,
	};

	r->run = &run->row;
	for (unsigned i = 0; i < title.n; i++)
		none[i] = (struct irix_row){.number = run->set[0]->number[i],
					    .name = run->set[0]->event[i]};
	return put(r, irix_report_title(&title));
}

static enum irix_scope scope_of(const struct row *row)
{
	if (!row->tree)
		return IRIX_THREAD;
	return strcmp(row->word, "tick") == 0 ? IRIX_PERIOD : IRIX_TOTAL;
}

/* Write the line above a report into heading. Returns heading, or NULL without one. */
static const char *make_heading(char *heading, size_t size, enum irix_scope scope,
				enum mode mode, const struct row *row)
{
	if (scope == IRIX_THREAD)
		snprintf(heading, size, "Thread %d of process %d:", (int)row->tid,
			 (int)row->pid);
	else if (mode == MODE_THREADS)
		snprintf(heading, size, "All threads:");
	else if (mode == MODE_PERIODS)
		snprintf(heading, size, "Total:");
	else
		return NULL;
	return heading;
}

static int put_row(struct sink *s, const struct row *row)
{
	struct report *r = (struct report *)s;
	const struct row_set *set = row->set;
	const enum irix_scope scope = scope_of(row);
	struct irix_row line[set->n + 1];
	char heading[64];

	for (unsigned i = 0; i < set->n; i++)
		line[i] = (struct irix_row){set->number[i], set->event[i], set->label[i],
					    set->note[i],   row->value[i], set->mode[i]};
	const struct irix_report report = {
		.format = r->o->shared.format,
		.scope = scope,
		.ns = row->ns,
		.pid = row->pid,
		.tid = scope == IRIX_THREAD ? row->tid : 0,
		.heading = make_heading(heading, sizeof heading, scope, r->o->mode, row),
		.command = r->command,
		.host = r->run->host,
		.rank = r->run->rank,
		.costs = scope == IRIX_PERIOD ? NULL : r->costs,
		.n = set->n,
		.row = line,
	};
	return put(r, irix_report(&report));
}

/* Each report is written at once. */
static int flush(struct sink *s)
{
	(void)s;
	return 0;
}

static void provisional(struct sink *s)
{
	struct report *r = (struct report *)s;

	if (r->o->shared.format == TEXT_PLAIN)
		put(r, strdup("Provisional report, the command has not ended:\n"));
}

static int end(struct sink *s, const struct record_end *e)
{
	(void)s;
	(void)e;
	return 0;
}

static void free_report(struct sink *s)
{
	free(s);
}

struct sink *report_sink(const struct options *o, const char *command,
			 const struct costs *costs, struct sink_output out)
{
	struct report *r = malloc(sizeof *r);

	if (!r)
		err(EXIT_TOOL, "cannot prepare the reports");
	*r = (struct report){.sink = {.begin = begin,
				      .row = put_row,
				      .flush = flush,
				      .provisional = provisional,
				      .end = end,
				      .free = free_report},
			     .o = o,
			     .command = command,
			     .costs = costs,
			     .out = out};
	return &r->sink;
}

char *report_thread_title(const struct options *o)
{
	return irix_report_title(
		&(struct irix_report){.format = o->shared.format, .scope = IRIX_THREAD});
}
