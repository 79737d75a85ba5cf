#include "replay.h"

#include <err.h>

#include "common/signals.h"
#include "common/status.h"
#include "report.h"
#include "suite/cpus/statfile.h"

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
		warnx("%s: %s", o->input, text);
	report_skipped(statfile_skipped(file));
	const int status = report_notes(r, o);
	return rc == -1 ? EXIT_TOOL : status;
}

int replay(const struct options *o)
{
	char text[256];

	signals_of_writing();
	struct statfile_reader *file = statfile_open(o->input, text, sizeof text);
	struct report r;

	if (!file)
		errx(EXIT_TOOL, "%s: %s", o->input, text);
	const struct statfile_head *h = statfile_head(file);
	report_open(&r, o, h->set, h->nsets, h->unix_ns);
	report_title(&r);
	int status = show(o, file, &r);
	if (report_close(&r) == -1)
		status = EXIT_TOOL;
	statfile_close(file);
	return status;
}
