#include "options.h"

#include <stdlib.h>

#include "common/chart.h"
#include "common/machine.h"
#include "common/options_series.h"
#include "common/out.h"
#include "options_table.h"

static const struct options_command *const command = &cputrack_command;

/*
 * Parses seconds and cuts them to milliseconds, as Solaris does, but a fraction of a
 * millisecond is not cut to 0, which means no samples.
 */
static unsigned milliseconds(const char *text)
{
	const double s = options_seconds(command, "-T", text, 1e6);

	if (s > 0 && s < 0.001)
		options_bad_value(
			command, "-T", text,
			"below 0.001, the shortest interval; 0 means no samples");
	return (unsigned)(s * 1000);
}

static void parse_letter(struct options *o, int c)
{
	switch (c) {
	case 'T':
		o->msec = milliseconds(optarg);
		o->rows = "-T";
		break;
	case 'N':
		o->rows = "-N";
		o->samples =
			(unsigned)options_number(command, "-N", optarg, 0, INT32_MAX);
		break;
	case 'D':
		o->debug = 1;
		break;
	case 'e':
		o->follow_exec = 1;
		break;
	case 'f':
		o->follow_fork = 1;
		break;
	case 'h':
		o->capabilities = 1;
		break;
	case 'n':
		o->no_title = 1;
		break;
	case 't':
		o->tick = 1;
		o->rows = "-t";
		break;
	case 'v':
		o->verbose = 1;
		o->rows = "-v";
		break;
	case 'o':
		free(o->output);
		o->output = out_name("-o", optarg);
		break;
	case 'c':
		options_add_spec(&o->spec, &o->nspecs, optarg);
		break;
	case OPTIONS_CHART:
		o->chart = 1;
		o->rows = "--chart";
		break;
	case 'p':
		o->pid = (pid_t)options_number(command, "-p", optarg, 1, INT32_MAX);
		break;
	case OPTIONS_NAMES:
		o->names = 1;
		break;
	case OPTIONS_THREADS:
		o->threads = 1;
		o->rows = "--threads";
		break;
	case OPTIONS_TRACKER:
		o->tracker = options_tracker(command, optarg);
		break;
	default:
		options_series_parse(&o->shared, c);
	}
}

/*
 * A summary is of the whole tree of processes and has no rows, so that no samples are
 * taken.
 */
static void choose_summary(struct options *o)
{
	options_series_check(&o->shared, o->pid ? "-p" : o->rows);
	if (o->shared.summary && o->rows)
		options_bad_long(command,
				 "--summary prints no rows: it cannot be used with %s",
				 o->rows);
	if (!o->nspecs && !o->rows)
		o->shared.summary = 1;
	if (!o->shared.summary)
		return;
	o->msec = 0;
	o->follow_fork = o->follow_exec = 1;
}

/* A chart has the rows of intervals as its columns. */
static void check_chart(const struct options *o)
{
	if (o->capabilities)
		options_bad_long(command, "--chart draws a measurement and -h makes "
					  "none; choose one of them");
	if (o->msec == 0)
		options_bad_long(command,
				 "--chart draws samples and -T 0 takes none; give an "
				 "interval, such as -T 1");
	chart_check(&o->shared);
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){.msec = 1000};
	options_shared_begin(&o->shared, command, argv);
	while ((c = options_read(&o->shared, argc, argv)) != -1)
		parse_letter(o, c);
	o->argv = argv + optind;
	machine_choose(&o->shared, !*o->argv && !o->nspecs && !o->pid &&
					   !o->capabilities && !o->shared.show);
	if (o->chart)
		check_chart(o);
	const int explain = o->shared.show == OPTIONS_SHOW_EXPLAIN;
	if (o->capabilities || (o->shared.show && !explain))
		return;
	if (explain && o->nspecs == 0)
		options_bad(command, "--explain needs events: use -c");
	if (explain)
		return;
	if (o->threads && (o->tick || o->chart))
		options_bad_long(command, "--threads and %s cannot be used together",
				 o->tick ? "-t" : "--chart");
	if (o->pid && *o->argv)
		options_bad(command, "a command and -p cannot be used together");
	if (!o->pid && !*o->argv)
		options_bad(command,
			    "give a command to run or -p with the pid of a process");
	if (o->nspecs == 0 && o->shared.cpu)
		options_bad_long(command,
				 "--cpu=%s: name the events of this processor with -c",
				 o->shared.cpu);
	choose_summary(o);
}
