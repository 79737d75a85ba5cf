#include "replay.h"

#include <err.h>

#include "base/clock.h"
#include "common/status.h"
#include "report.h"
#include "suite/saved/intervals.h"

struct replay {
	struct options options; /* the scope of the rows is that of the file */
	struct report report;
	int begun;
};

static int begin(void *arg, const struct saved_run *run)
{
	struct replay *r = arg;
	const struct record_run *saved = &run->run;

	options_check_rows(&r->options, run->has_cgroups);
	if (run->has_cgroups)
		report_cgroups(&r->report, run->cgroup_width);
	report_open(&r->report, &r->options, NULL, saved->set, saved->nsets,
		    saved->row.unix_ns);
	r->report.recording.run = *saved;
	report_begin(&r->report, clock_ns(), saved->row.unix_ns, saved->interval_ns);
	r->begun = 1;
	return 0;
}

static int interval(void *arg, const struct cpu_interval *i)
{
	struct replay *r = arg;

	/* The end of a run that was cut is the time of its last sample. */
	for (unsigned k = 0; k < i->n; k++)
		if (r->report.recording.end < i->sample[k].ns)
			r->report.recording.end = i->sample[k].ns;
	return report_interval(&r->report, i);
}

static void ended(void *arg, const char *cgroup)
{
	struct replay *r = arg;

	report_ended(&r->report, cgroup);
}

/* Print what follows the intervals. why: the file could not be read to its end. */
static int finish(struct replay *r, const struct record_end *end, const char *why)
{
	const struct options *o = &r->options;

	if (r->report.out.error)
		return EXIT_TOOL;
	report_totals(&r->report);
	if (why)
		warnx("cannot read '%s': %s", o->input, why);
	report_skipped(end->skipped);
	const int status = report_notes(&r->report, o);
	return why ? EXIT_TOOL : status;
}

int replay(const struct options *o)
{
	struct replay r = {.options = *o};
	const struct saved_intervals_taker to = {&r, begin, interval, ended};
	struct saved_intervals file = {.text = NULL};
	char why[512];

	const int rc = saved_intervals_read(&file, o->input, &to, why, sizeof why);
	if (!r.begun)
		errx(EXIT_TOOL, "cannot read '%s': %s", o->input, why);
	const struct record_end *end = &file.end;
	int status = finish(&r, end, rc == -1 ? why : NULL);
	if (end->ns)
		r.report.recording.end = end->ns;
	report_end(&r.report, status ? status : end->status, end->signal, end->skipped);
	if (report_close(&r.report) == -1)
		status = EXIT_TOOL;
	saved_intervals_free(&file);
	return status;
}
