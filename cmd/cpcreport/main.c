/* cpcreport: show what the commands that measure have saved. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/message.h"
#include "common/out.h"
#include "common/screen.h"
#include "common/status.h"
#include "by.h"
#include "options.h"
#include "suite/report/report.h"

/* Show each file. Returns the exit status. */
static int show_files(struct report *r, const struct options *o)
{
	int status = 0;

	if (report_begin(r) == -1)
		return EXIT_TOOL;
	for (char **path = o->file; *path && !r->failed; path++) {
		char why[512];

		if (report_file(r, *path, why, sizeof why) == 0)
			continue;
		status = EXIT_TOOL;
		if (*why)
			warnx("cannot read '%s': %s", *path, why);
	}
	if (report_end(r) == -1)
		status = EXIT_TOOL;
	if (r->unknown || (r->incomplete && o->shared.strict))
		status = EXIT_TOOL;
	if (r->refused)
		status = EXIT_USAGE;
	return r->exceeded ? EXIT_LIMIT : status;
}

/* A reader that went away has seen what it wanted. */
static int finish(struct out *out, const struct options *o, int status)
{
	if (!o->output && out->error == EPIPE) {
		out_close(out);
		return 0;
	}
	return out_finish(out) == -1 ? EXIT_TOOL : status;
}

static void read_baseline(struct saved *baseline, const char *path)
{
	char why[512];

	if (saved_read(baseline, path, why, sizeof why) == -1)
		errx(EXIT_TOOL, "cannot read '%s': %s", path, why);
}

static void warn_note(void *arg, const char *text)
{
	(void)arg;
	warnx("%s", text);
}

/* Show the files, one after the other. Returns the exit status. */
static int report(const struct options *o, const struct saved *baseline, struct out *out)
{
	struct screen screen;

	screen_open(&screen, out);
	struct report r = {
		.writer = o->writer,
		.out = {out, out_write},
		.grouped = isatty(out->fd),
		.chart = o->chart,
		.frame = screen.frame,
		.utf8 = screen.utf8,
		.strict = o->shared.strict,
		.gate = &o->shared.series.gate,
		.baseline = baseline,
		.baseline_name = o->shared.series.baseline,
		.note = message_note,
		.warn = warn_note,
	};
	return show_files(&r, o);
}

int main(int argc, char **argv)
{
	struct options o;
	struct saved baseline;
	struct out out;

	out_prepare();
	options_parse(&o, argc, argv);
	const char *const baseline_name = o.shared.series.baseline;
	if (baseline_name)
		read_baseline(&baseline, baseline_name);
	if (out_open(&out, o.output, STDOUT_FILENO, "standard output") == -1)
		exit(EXIT_TOOL);
	const int status = o.is_joined
				   ? by_report(&o, &out)
				   : report(&o, baseline_name ? &baseline : NULL, &out);
	const int finished = finish(&out, &o, status);
	if (baseline_name)
		saved_free(&baseline);
	options_free(&o);
	return finished;
}
