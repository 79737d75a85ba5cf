#include "options.h"

#include <err.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "common/status.h"

static const struct option long_options[] = {OPTIONS_SHARED, {0}};

static const char synopsis[] = "Usage:\n"
			       "\t%s [-T secs] [-N count] [-Defhntv] [-o file]\n"
			       "\t\t-c events [command [args] | -p pid]\n";

static const char option_text[] =
	"\n"
	"\t-T secs   seconds between samples, default 1; 0: print only totals\n"
	"\t-N count  number of samples of each process, default unlimited\n"
	"\t-D        debug: messages name the library function; check all software events\n"
	"\t-e        follow exec(2)\n"
	"\t-f        follow fork(2) and vfork(2)\n"
	"\t-h        print the events and the counters of the processor\n"
	"\t-n        print no title\n"
	"\t-t        show cycles of the time-stamp counter, user and system\n"
	"\t-v        verbose: print also the rows init_lwp and fini_lwp\n"
	"\t-o file   write the rows to a file\n"
	"\t-c events count this set of events; several sets take turns\n"
	"\t-p pid    track a running process\n"
	"\n"
	"\t--cpu=NAME      use the events of this processor (us3, r10000, ...)\n"
	"\t--doctor        report what works on this machine and how to get what does not\n"
	"\t--engine=NAME   count with this engine: auto, kernel or sim (simulation)\n"
	"\t--explain       show how the events would be programmed; do not count\n"
	"\t--format=NAME   print text, csv or json\n"
	"\t--help          print this text\n"
	"\t--list[=PATTERN] list the events that can be counted here, or all that match\n"
	"\t--strict        exit with status 125 if a value is not exact\n"
	"\t--version       print the version\n"
	"\n"
	"\tSee cputrack(1); opencpc-events(7) describes the grammar of events.\n";

void options_usage(FILE *out)
{
	fprintf(out, synopsis, program_invocation_short_name);
	fputs(option_text, out);
}

void options_bad_spec(void)
{
	fprintf(stderr, synopsis, program_invocation_short_name);
	fprintf(stderr, "Try '%s -h' or '%s --list'.\n", program_invocation_short_name,
		program_invocation_short_name);
	exit(EXIT_USAGE);
}

static void usage_error(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

static void usage_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarnx(fmt, ap);
	va_end(ap);
	options_usage(stderr);
	exit(EXIT_USAGE);
}

static const struct options_command command = {"cputrack", options_usage, usage_error};

static long number(char option, const char *text, long min, long max)
{
	char *end;
	errno = 0;
	const long v = strtol(text, &end, 10);

	if (end == text || *end || errno || v < min || v > max)
		usage_error("-%c: '%s' is not a number from %ld to %ld", option, text,
			    min, max);
	return v;
}

/* Parses seconds and cuts them to milliseconds, as Solaris does. */
static unsigned milliseconds(const char *text)
{
	enum { MAX_S = 1000000 };
	char *end;
	const double s = strtod(text, &end);

	if (end == text || *end || !(s >= 0 && s <= MAX_S))
		usage_error("-T: '%s' is not a number of seconds from 0 to %d", text,
			    MAX_S);
	return (unsigned)(s * 1000);
}

static void add_spec(struct options *o, const char *spec)
{
	const char **grown = reallocarray(o->spec, o->nspecs + 1, sizeof *grown);

	if (!grown)
		err(EXIT_TOOL, "cannot store the option -c %s", spec);
	o->spec = grown;
	o->spec[o->nspecs++] = spec;
}

static void parse_letter(struct options *o, int c)
{
	switch (c) {
	case 'T':
		o->msec = milliseconds(optarg);
		break;
	case 'N':
		o->samples = (unsigned)number('N', optarg, 0, INT32_MAX);
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
		o->output = optarg;
		break;
	case 'c':
		add_spec(o, optarg);
		break;
	case 'p':
		o->pid = (pid_t)number('p', optarg, 1, INT32_MAX);
		break;
	default:
		options_shared_parse(&o->shared, &command, c);
	}
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){.msec = 1000};
	while ((c = getopt_long(argc, argv, "+T:N:Defhntvo:c:p:", long_options, NULL)) !=
	       -1)
		parse_letter(o, c);
	o->argv = argv + optind;
	const int explain = o->shared.show == OPTIONS_SHOW_EXPLAIN;
	if (o->capabilities || (o->shared.show && !explain))
		return;
	if (o->nspecs == 0)
		usage_error("no events are given: use -c");
	if (explain)
		return;
	if (o->pid && *o->argv)
		usage_error("a command and -p cannot be used together");
	if (!o->pid && !*o->argv)
		usage_error("give a command to run or -p with the pid of a process");
}
