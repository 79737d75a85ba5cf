#include "run.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "common/message.h"
#include "common/status.h"
#include "report.h"
#include "suite/screen/summary.h"

static char *const *command(const struct set_list *s, char *const *argv)
{
	cpc_set_t **sets = calloc(s->n, sizeof *sets);
	unsigned n = 0;

	if (!sets)
		return NULL;
	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i])
			sets[n++] = s->set[i];
	char *const *words = cpc_command(s->cpc, argv, n, sets);
	const int e = errno;
	free(sets);
	errno = e;
	return words;
}

/* The sink of -mp writes to the files of threads too. */
static int write_output(void *arg, const char *text, size_t n)
{
	const struct run *r = arg;

	return r->output.write(r->output.arg, text, n);
}

static struct sink *make_sink(struct run *r)
{
	const struct row_style style = {.format = TEXT_JSON};
	const struct sink_output out = {r, write_output};

	const int summary = r->o->shared.summary && r->o->shared.format == TEXT_PLAIN;

	if (r->o->shared.format != TEXT_JSON && !summary)
		return report_sink(r->o, r->command, r->costs, out);
	struct sink *sink = summary ? summary_sink(r->command, isatty(r->out->fd), out)
				    : sink_lines(&style, 0, out);
	if (!sink)
		err(EXIT_TOOL, "cannot prepare the reports");
	return sink;
}

int run_open(struct run *r, const struct options *o, struct set_list *s, struct out *out,
	     const struct costs *costs, int *status)
{
	*r = (struct run){.o = o, .s = s, .out = out, .costs = costs};
	r->output = (struct sink_output){out, out_write};
	r->command = recording_join(o->argv);
	if (!r->command)
		err(EXIT_TOOL, "cannot store the command");
	recording_open(&r->recording, &o->shared, s->cpc, make_sink(r));
	r->recording.run.command = r->command;
	r->recording.run.interval_ns = o->period_ms * INT64_C(1000000);
	r->recording.run.nsets = 1;
	r->recording.run.set = set_list_show(s);
	message_watch();
	r->argv = command(s, o->argv);
	if (r->argv)
		return 0;
	*status = status_of_exec(errno);
	if (!message_came())
		warn("cannot start '%s'", o->argv[0]);
	run_close(r);
	return -1;
}

void run_close(struct run *r)
{
	recording_close(&r->recording);
	free(r->command);
	r->command = NULL;
}

void run_begin(struct run *r, int64_t ns, int64_t unix_ns)
{
	set_list_show(r->s);
	r->start = ns;
	recording_begin(&r->recording, ns, unix_ns);
}

static void put_statistic(struct run *r, const struct irix_stat *stat,
			  const struct row *values)
{
	struct set_list *s = r->s;
	const char *of[COSTS_NEVENTS];
	struct row_statistic statistic = {
		.name = stat->label, .unit = stat->unit, .value = stat->value, .of = of};
	struct row row = *values;

	for (unsigned i = 0; i < s->n; i++) {
		const cpc_value_t *v = &s->row[i].value;

		if (s->row[i].number < 0 || !(stat->events >> s->row[i].number & 1))
			continue;
		of[statistic.n++] = s->row[i].name;
		if (v->quality > statistic.quality && v->quality != CPC_UNAVAILABLE)
			statistic.quality = v->quality;
	}
	row.kind = ROW_STATISTIC;
	row.statistic = &statistic;
	r->recording.sink->row(r->recording.sink, &row);
}

/* The sink of text and CSV computes the statistics of its reports. */
static void put_statistics(struct run *r, const struct row *values)
{
	const struct irix_report report = {
		.costs = r->costs, .n = r->s->n, .row = r->s->row};
	struct irix_stat stat[IRIX_NSTATS];
	const unsigned n = irix_report_stats(&report, stat);

	for (unsigned i = 0; r->o->shared.format == TEXT_JSON && i < n; i++)
		put_statistic(r, &stat[i], values);
}

void run_report(struct run *r, enum irix_scope scope, int64_t now, pid_t pid, pid_t tid)
{
	static const char *const word[] = {[IRIX_TOTAL] = "exit",
					   [IRIX_THREAD] = "lwp_exit",
					   [IRIX_PERIOD] = "tick"};
	const unsigned n = r->s->n;
	const int timed = r->costs && scope != IRIX_PERIOD;
	cpc_value_t value[n + 1];
	struct row_times times[n + 1];
	const struct row row = {
		.ns = now > r->start ? now - r->start : 0,
		.pid = pid,
		.tid = tid,
		.tree = tid == 0,
		.word = word[scope],
		.set = *set_list_show(r->s),
		.value = value,
		.times = timed ? times : NULL,
	};

	for (unsigned i = 0; i < n; i++) {
		const struct irix_row *from = &r->s->row[i];
		const struct irix_times t =
			irix_times(r->costs, from->number, &from->value);

		value[i] = from->value;
		times[i] = (struct row_times){t.typical, t.minimum, t.maximum};
	}
	r->recording.sink->row(r->recording.sink, &row);
	if (timed)
		put_statistics(r, &row);
}

void run_end(struct run *r, int status)
{
	recording_end(&r->recording, status, r->signal, 0);
}
