/* cpustat: count events of CPUs, whatever runs there, after Solaris cpustat(1M). */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "common/catalog.h"
#include "common/info.h"
#include "common/message.h"
#include "common/out.h"
#include "common/status.h"
#include "options.h"
#include "report.h"
#include "run.h"
#include "suite/cpus/statfile.h"

/* Only the kernel counts CPUs. If no engine is named, --explain shows known registers. */
static int explain(const struct options *o)
{
	const char *engine = o->shared.engine;
	struct explain_options req = {
		.choice = {.cpu = o->shared.cpu,
			   .engine = strcmp(engine, "kernel") ? engine : NULL,
			   .nspecs = o->nspecs,
			   .spec = o->spec,
			   .running = 1},
		.cpus = 1,
	};

	return info_explain(&o->shared, &req);
}

/* Show all intervals before the first error in the file, and then print that error. */
static int show(const struct options *o, struct statfile_reader *file, struct report *r)
{
	const struct cpu_interval *i;
	char text[256];
	int rc;

	while ((rc = statfile_read(file, &i, text, sizeof text)) == 1)
		if (report_interval(r, i) == -1)
			return EXIT_TOOL;
	report_totals(r);
	if (rc == -1)
		warnx("cannot read '%s': %s", o->input, text);
	report_skipped(statfile_skipped(file));
	const int status = report_notes(r, o);
	return rc == -1 ? EXIT_TOOL : status;
}

/*
 * -I: show the samples of a file as the run did that wrote them. Returns the exit status.
 */
static int replay(const struct options *o)
{
	char text[256];

	struct statfile_reader *file = statfile_open(o->input, text, sizeof text);
	struct report r = {.cgroups = 0};

	if (!file)
		errx(EXIT_TOOL, "cannot read '%s': %s", o->input, text);
	const struct statfile_head *h = statfile_head(file);
	report_open(&r, o, NULL, h->set, h->nsets, h->unix_ns);
	report_begin(&r, clock_ns(), h->unix_ns, h->interval_ns);
	int status = show(o, file, &r);
	report_end(&r, status, 0, statfile_skipped(file));
	if (report_close(&r) == -1)
		status = EXIT_TOOL;
	statfile_close(file);
	return status;
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	out_prepare();
	options_parse(&o, argc, argv);
	message_debug(o.debug);
	if (o.capabilities)
		status = info_capabilities(&o.shared);
	else if (o.shared.show == OPTIONS_SHOW_EXPLAIN)
		status = explain(&o);
	else if (o.shared.show == OPTIONS_SHOW_LIST)
		status = catalog_show(&o.shared, NULL);
	else if (o.shared.show)
		status = info_show(&o.shared);
	else
		status = o.input ? replay(&o) : run(&o);
	free(o.spec);
	free(o.cgroup);
	free(o.output);
	free(o.metrics);
	options_shared_free(&o.shared);
	return status;
}
