#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "common/machine.h"
#include "common/out.h"
#include "irix/event.h"

static const struct option long_options[] = {OPTIONS_SHARED, OPTIONS_SIMULATION, {0}};

static const char synopsis[] =
	"Usage:\n"
	"\t%1$s [-a | -e event ...] [-mp | -s | -p ms] [-kTxy] [-c costs] [-o file]\n"
	"\t\tcommand [args]\n"
	"\t%1$s -t [-c costs]\n";

static const char option_text[] =
	"\n"
	"\t-a        count all 32 events\n"
	"\t-e event  count an event: a number from 0 to 31 or a name; default 0, cycles\n"
	"\t          mem:NAME counts calls of a function or writes of a variable\n"
	"\t-mp       also report each thread\n"
	"\t-s        start to count at SIGUSR1, stop at SIGUSR2\n"
	"\t-p ms     also print a line every so many milliseconds\n"
	"\t-k        also count in system mode\n"
	"\t-x        no effect: Linux counts exceptions as system mode\n"
	"\t-y        show how much time the events take, and statistics\n"
	"\t-t        print the table of costs and exit\n"
	"\t-c costs  use costs from a file, or from a table of this name, for -y and -t\n"
	"\t-o file   write reports to a file, not stderr; %r in its name is the rank\n"
	"\t-T        no effect: processors may be of several kinds\n"
	"\n"
	"\t--cpu=NAME      number events as this processor: r10000 (default) or r12000\n"
	"\t--doctor        report what works here and how to get what does not\n"
	"\t--engine=NAME   count with this engine: auto, kernel or sim\n"
	"\t--explain       show how the events would be programmed; do not count\n"
	"\t--format=NAME   print text, csv or json\n"
	"\t--help          print this text\n"
	"\t--label=KEY=VALUE attach a label to the record of the run (CPC_LABEL too)\n"
	"\t--list[=PATTERN] list the 32 events, or all matches, and how to count them\n"
	"\t--machine=NAME  simulate this machine: a name of --machine=list, native, or\n"
	"\t                a file with a '/'; without events and a command: print it\n"
	"\t--quiet         print no notes about how values were counted\n"
	"\t--reproducible[=LEVEL]  simulate the program so that it counts the same on\n"
	"\t                every machine: as on x86-64-v1, v2 (default) or v3\n"
	"\t--set=KEY=VALUE change the machine that is simulated, such as l2.size=1M\n"
	"\t--strict        exit with status 125 if a value is not exact\n"
	"\t--version       print the version\n";

static const struct options_command command = {
	.name = "perfex",
	.synopsis = synopsis,
	.details = option_text,
	.hint = "Try '%1$s --help'.\n",
};

static void set_mode(struct options *o, enum mode mode)
{
	if (o->mode != MODE_TOTAL && o->mode != mode)
		options_bad(&command, "-mp, -s and -p exclude each other");
	o->mode = mode;
}

static void parse_long(struct options *o, int c)
{
	if (c == OPTIONS_CPU && !irix_event_has_cpu(optarg))
		options_bad_long(&command, "--cpu: '%s' is neither r10000 nor r12000",
				 optarg);
	options_shared_parse(&o->shared, c);
}

/* -mp and -p: to getopt(3) these are m with the argument "p", and p with a number. */
static void parse_reports(struct options *o, int c)
{
	if (c == 'm' && strcmp(optarg, "p") != 0)
		options_bad(&command, "unknown option -m%s; -mp reports each thread",
			    optarg);
	if (c == 'p' && strcmp(optarg, "p") == 0)
		options_bad(&command, "-pp: all threads are POSIX threads here; use -mp");
	set_mode(o, c == 'm' ? MODE_THREADS : MODE_PERIODS);
	if (c == 'p')
		o->period_ms = (unsigned)options_number(&command, "-p (milliseconds)",
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
		options_bad(&command,
			    "-l is not supported: no statistic uses the width of loads");
	default:
		parse_long(o, c);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){0};
	options_shared_begin(&o->shared, &command, argv);
	o->shared.cpu = "r10000";
	while ((c = options_next(argc, argv, "+ae:m:sp:xkytTo:c:l:", long_options)) != -1)
		parse_letter(o, c);
	o->argv = argv + optind;
	machine_choose(&o->shared, !*o->argv && !o->nevents && !o->all && !o->table &&
					   !o->shared.show);
	const int explain = o->shared.show == OPTIONS_SHOW_EXPLAIN;
	if (o->table || (o->shared.show && !explain))
		return;
	if (o->all && o->nevents)
		options_bad(&command, "-a and -e exclude each other");
	if (explain)
		return;
	if (!*o->argv)
		options_bad(&command, "a command is missing");
	if (o->costs && !o->statistics)
		options_bad(&command, "-c needs -y or -t");
}
