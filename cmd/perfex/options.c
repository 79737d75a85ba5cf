#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "common/machine.h"
#include "common/options_series.h"
#include "common/out.h"
#include "irix/event.h"
#include "options_table.h"

static const struct options_command *const command = &perfex_command;

static void set_mode(struct options *o, enum mode mode)
{
	if (o->mode != MODE_TOTAL && o->mode != mode)
		options_bad(command, "-mp, -s and -p exclude each other");
	o->mode = mode;
}

static void parse_long(struct options *o, int c)
{
	if (c == OPTIONS_TRACKER) {
		o->tracker = options_tracker(command, optarg);
		return;
	}
	if (c == OPTIONS_CPU && !irix_event_has_cpu(optarg))
		options_bad_long(command, "--cpu: '%s' is neither r10000 nor r12000",
				 optarg);
	options_series_parse(&o->shared, c);
}

/* -mp and -p: to getopt(3) these are m with the argument "p", and p with a number. */
static void parse_reports(struct options *o, int c)
{
	if (c == 'm' && strcmp(optarg, "p") != 0)
		options_bad(command, "unknown option -m%s; -mp reports each thread",
			    optarg);
	if (c == 'p' && strcmp(optarg, "p") == 0)
		options_bad(command, "-pp: all threads are POSIX threads here; use -mp");
	set_mode(o, c == 'm' ? MODE_THREADS : MODE_PERIODS);
	if (c == 'p')
		o->period_ms = (unsigned)options_number(command, "-p (milliseconds)",
							optarg, 1, 1000000000);
}

static void parse_letter(struct options *o, int c)
{
	switch (c) {
	case 'a':
		o->all = 1;
		break;
	case 'e':
		options_add_spec(&o->event, &o->nevents, optarg);
		break;
	case 'm':
	case 'p':
		parse_reports(o, c);
		break;
	case 's':
		set_mode(o, MODE_SIGNALS);
		break;
	case 'x':
		o->exceptions = 1;
		break;
	case 'k':
		o->kernel = 1;
		break;
	case 'y':
		o->statistics = 1;
		break;
	case 't':
		o->table = 1;
		break;
	case 'T':
		break;
	case 'o':
		free(o->output);
		o->output = out_name("-o", optarg);
		break;
	case 'c':
		o->costs = optarg;
		break;
	case 'l':
		options_bad(command,
			    "-l is not supported: no statistic uses the width of loads");
	default:
		parse_long(o, c);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){0};
	options_shared_begin(&o->shared, command, argv);
	o->shared.cpu = "r10000";
	while ((c = options_read(&o->shared, argc, argv)) != -1)
		parse_letter(o, c);
	o->argv = argv + optind;
	machine_choose(&o->shared, !*o->argv && !o->nevents && !o->all && !o->table &&
					   !o->shared.show);
	const int explain = o->shared.show == OPTIONS_SHOW_EXPLAIN;
	if (o->table || (o->shared.show && !explain))
		return;
	if (o->all && o->nevents)
		options_bad(command, "-a and -e exclude each other");
	if (explain)
		return;
	if (!*o->argv)
		options_bad(command, "a command is missing");
	if (o->tracker != TRACKER_AUTO && o->mode != MODE_THREADS)
		options_bad_long(command, "--tracker is for -mp");
	if (o->costs && !o->statistics)
		options_bad(command, "-c needs -y or -t");
	options_series_check(&o->shared, o->statistics || o->mode != MODE_TOTAL
						 ? "-y, -mp, -s or -p"
						 : NULL);
	if (o->shared.summary &&
	    (o->statistics || o->mode == MODE_THREADS || o->mode == MODE_PERIODS))
		options_bad_long(command, "--summary prints one block of totals: -y, -mp "
					  "and -p cannot be used with it");
}
