#include "options.h"

#include <stdlib.h>

#include "common/machine.h"
#include "common/out.h"

static const struct option long_options[] = {OPTIONS_SHARED, OPTIONS_SIMULATION, {0}};

static const char synopsis[] = "Usage:\n"
			       "\t%1$s [-T secs] [-N count] [-Defhntv] [-o file]\n"
			       "\t\t-c events [command [args] | -p pid]\n";

static const char option_text[] =
	"\n"
	"\t-T secs   seconds between samples, default 1; 0: no samples\n"
	"\t-N count  number of samples of each process, default unlimited\n"
	"\t-D        debug: messages name library functions, and report each difference\n"
	"\t          to the whole tree of processes\n"
	"\t-e        follow exec(2)\n"
	"\t-f        follow fork(2) and vfork(2)\n"
	"\t-h        print the events and the counters of the processor\n"
	"\t-n        print no title\n"
	"\t-t        show cycles of the time-stamp counter, user and system\n"
	"\t-v        verbose: print also the rows init_lwp and fini_lwp\n"
	"\t-o file   write the rows to a file; %r in its name is the rank, %h the host\n"
	"\t-c events count this set of events; several sets take turns; mem:NAME counts\n"
	"\t          calls of a function or writes of a variable\n"
	"\t-p pid    track a running process\n"
	"\n"
	"\t--cpu=NAME      use the events of this processor (us3, r10000, ...)\n"
	"\t--doctor        report what works here and how to get what does not\n"
	"\t--engine=NAME   count with this engine: auto, kernel or sim (simulation)\n"
	"\t--explain       show how the events would be programmed; do not count\n"
	"\t--format=NAME   print text, csv or json\n"
	"\t--help          print this text\n"
	"\t--label=KEY=VALUE attach a label to the record of the run (CPC_LABEL too)\n"
	"\t--list[=PATTERN] list the events that can be counted here, or all that match\n"
	"\t--machine=NAME  simulate this machine: a name of --machine=list, native, or\n"
	"\t                a file with a '/'; without events and a command: print it\n"
	"\t--quiet         print no notes about how values were counted\n"
	"\t--reproducible[=LEVEL]  simulate the program so that it counts the same on\n"
	"\t                every machine: as on x86-64-v1, v2 (default) or v3\n"
	"\t--set=KEY=VALUE change the machine that is simulated, such as l2.size=1M\n"
	"\t--strict        exit with status 125 if a value is not exact\n"
	"\t--version       print the version\n"
	"\n"
	"\tSee cputrack(1); opencpc-events(7) describes the grammar of events.\n";

static const struct options_command command = {
	.name = "cputrack",
	.synopsis = synopsis,
	.details = option_text,
	.hint = "Try '%1$s -h' or '%1$s --list'.\n",
	.shows_usage = 1,
};

/*
 * Parses seconds and cuts them to milliseconds, as Solaris does, but a fraction of a
 * millisecond is not cut to 0, which means no samples.
 */
static unsigned milliseconds(const char *text)
{
	const double s = options_seconds(&command, "-T", text, 1e6);

	if (s > 0 && s < 0.001)
		options_bad_value(
			&command, "-T", text,
			"below 0.001, the shortest interval; 0 means no samples");
	return (unsigned)(s * 1000);
}

static void parse_letter(struct options *o, int c)
{
	switch (c) {
	case 'T':
		o->msec = milliseconds(optarg);
		break;
	case 'N':
		o->samples =
			(unsigned)options_number(&command, "-N", optarg, 0, INT32_MAX);
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
		break;
	case 'v':
		o->verbose = 1;
		break;
	case 'o':
		free(o->output);
		o->output = out_name("-o", optarg);
		break;
	case 'c':
		options_add_spec(&o->spec, &o->nspecs, optarg);
		break;
	case 'p':
		o->pid = (pid_t)options_number(&command, "-p", optarg, 1, INT32_MAX);
		break;
	default:
		options_shared_parse(&o->shared, c);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){.msec = 1000};
	options_shared_begin(&o->shared, &command, argv);
	while ((c = options_next(argc, argv, "+T:N:Defhntvo:c:p:", long_options)) != -1)
		parse_letter(o, c);
	o->argv = argv + optind;
	machine_choose(&o->shared, !*o->argv && !o->nspecs && !o->pid &&
					   !o->capabilities && !o->shared.show);
	const int explain = o->shared.show == OPTIONS_SHOW_EXPLAIN;
	if (o->capabilities || (o->shared.show && !explain))
		return;
	if (o->nspecs == 0)
		options_bad(&command, "no events are given: use -c");
	if (explain)
		return;
	if (o->pid && *o->argv)
		options_bad(&command, "a command and -p cannot be used together");
	if (!o->pid && !*o->argv)
		options_bad(&command,
			    "give a command to run or -p with the pid of a process");
}
