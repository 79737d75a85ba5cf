#include "options.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "common/chart.h"
#include "common/out.h"
#include "common/status.h"
#include "options_table.h"

static const struct options_command *const command = &cpustat_command;

static int64_t nanoseconds(const char *option, const char *text)
{
	const double s = options_seconds(command, option, text, 1e9);
	const int64_t ns = (int64_t)(s * 1e9 + 0.5);

	if (ns == 0)
		options_bad_value(command, option, text, "less than a nanosecond");
	return ns;
}

/* As in the original, the first letter decides. */
static enum row_stamp stamp(const char *text)
{
	if (*text != 'u' && *text != 'd')
		options_bad(command, "-T: '%s' is neither u nor d", text);
	return *text == 'u' ? ROW_STAMP_UNIX : ROW_STAMP_DATE;
}

static void merge(struct options *o, const char *text)
{
	o->merged = 1;
	if (strcmp(text, "cpu") == 0) {
		o->scope = ROW_CPUS;
	} else if (strcmp(text, "cor") == 0 || strcmp(text, "core") == 0) {
		o->scope = ROW_CORES;
	} else if (strcmp(text, "soc") == 0 || strcmp(text, "socket") == 0) {
		o->scope = ROW_SOCKETS;
	} else {
		o->scope = ROW_BINS;
		o->bins = (unsigned)options_number(command, "-A (cor, soc or bins)", text,
						   1, 1 << 20);
	}
}

static void parse_option(struct options *o, int c)
{
	switch (c) {
	case 'c':
		options_add_spec(&o->spec, &o->nspecs, optarg);
		break;
	case 'D':
		o->debug = 1;
		break;
	case 'h':
		o->capabilities = 1;
		break;
	case 'm':
		o->means = 1;
		break;
	case 'n':
		o->no_title = 1;
		break;
	case 's':
		o->soak = 1;
		break;
	case 't':
		o->tick = 1;
		break;
	case 'p':
		o->period_ns = nanoseconds("-p", optarg);
		break;
	case 'T':
		o->stamp = stamp(optarg);
		break;
	case 'A':
		merge(o, optarg);
		break;
	case 'k':
		o->keys = optarg;
		break;
	case 'o':
		o->limit = (unsigned)options_number(command, "-o", optarg, 1, UINT32_MAX);
		break;
	case 'I':
		o->input = optarg;
		break;
	case 'O':
		free(o->output);
		o->output = out_name("-O", optarg);
		o->shared.records = 1;
		break;
	case OPTIONS_CGROUP:
		options_add_spec(&o->cgroup, &o->ncgroups, optarg);
		break;
	case OPTIONS_CHART:
		o->chart = 1;
		break;
	case OPTIONS_OPENMETRICS:
		free(o->metrics);
		o->metrics = out_name("--openmetrics", optarg);
		break;
	default:
		options_shared_parse(&o->shared, c);
	}
}

static void parse_operands(struct options *o, char **operand)
{
	if (!operand[0])
		return;
	o->interval_ns = nanoseconds("interval", operand[0]);
	if (!operand[1])
		return;
	o->count = (uint64_t)options_number(command, "count", operand[1], 1, UINT32_MAX);
	if (operand[2])
		options_bad(command, "too many arguments: '%s'", operand[2]);
}

static void check_replay(const struct options *o, int operands)
{
	if (o->nspecs || o->output || o->metrics || o->soak || o->period_ns || operands)
		options_bad(command,
			    "-I shows a run that is over: -c, -O, -p, -s, --openmetrics, "
			    "interval and count cannot be used with it");
	if (o->ncgroups)
		options_bad_long(command, "-I shows a run that is over; --cgroup counts, "
					  "so use it without -I");
	if (o->shared.label.n)
		options_bad_long(command, "-I shows a run that is over, which has its "
					  "labels; use --label without -I");
}

/* For CPUs "auto" is the kernel. */
static const char *resolve_engine(const char *name)
{
	return name && strcmp(name, "auto") != 0 ? name : "kernel";
}

static void check_chart(const struct options *o)
{
	if (o->capabilities)
		options_bad_long(command, "--chart draws a measurement and -h makes "
					  "none; choose one of them");
	if (o->stamp != ROW_STAMP_NONE)
		options_bad_long(command,
				 "--chart has no rows before which -T could print the "
				 "time; choose one of them");
	chart_check(&o->shared);
}

/* What has no meaning for cgroups, which contain one another and do not always run. */
static void check_cgroups(const struct options *o)
{
	if (o->scope == ROW_BINS)
		options_bad_long(command, "--cgroup: -A makes rows of each cgroup on "
					  "CPUs, cores or sockets, not bins");
	if (o->means && (o->scope == ROW_CPUS || o->scope == ROW_CGROUPS))
		options_bad(command, "-m with --cgroup needs -A cor or -A soc");
	if (o->shared.summary)
		options_bad_long(command, "--cgroup: --summary adds all rows, but a "
					  "cgroup includes those below it; the totals "
					  "at the end are those of each cgroup");
	if (o->chart)
		options_bad_long(command, "--cgroup: --chart draws CPUs; print rows, or "
					  "use --openmetrics");
}

void options_check_rows(struct options *o, int cgroups)
{
	if (cgroups && !o->merged)
		o->scope = ROW_CGROUPS;
	if (cgroups)
		check_cgroups(o);
	else if (o->merged && o->scope == ROW_CPUS)
		options_bad(command, "-A cpu needs --cgroup; without it each row is "
				     "that of a CPU already");
	else if (o->means && o->scope == ROW_CPUS)
		options_bad(command, "-m needs -A");
}

static void check(struct options *o, int operands)
{
	if (o->shared.show == OPTIONS_SHOW_EXPLAIN && o->nspecs == 0)
		options_bad(command, "--explain needs events: use -c");
	if (o->nspecs == 0 && !o->input && o->shared.cpu)
		options_bad_long(command,
				 "--cpu=%s: name the events of this processor with -c",
				 o->shared.cpu);
	if (o->input) {
		check_replay(o, operands);
		if (o->means && !o->merged)
			options_bad(command, "-m needs -A");
		return;
	}
	options_check_rows(o, o->ncgroups > 0);
	if (o->ncgroups && o->soak)
		options_bad_long(command, "--cgroup: -s is for whole CPUs; the idle loop "
					  "is in no cgroup but the root");
	if (o->output && strcmp(o->output, "-") == 0)
		options_bad(command,
			    "-O -: the rows go to standard output; name a file for "
			    "the samples");
	if (o->metrics && strcmp(o->metrics, "-") == 0)
		options_bad_long(command,
				 "--openmetrics=-: the file is replaced as a whole, and "
				 "cannot be standard output");
	if (o->metrics && o->scope == ROW_BINS)
		options_bad_long(
			command,
			"--openmetrics cannot be used with bins, whose CPUs vary; "
			"choose -A cor or -A soc");
	if (o->metrics && o->output && strcmp(o->metrics, o->output) == 0)
		options_bad_long(command, "-O and --openmetrics name the same file '%s'",
				 o->output);
	if (strcmp(o->shared.engine, "sim") == 0)
		errx(EXIT_TOOL,
		     "cannot simulate %s: the simulator runs a program, with cputrack or "
		     "perfex; cpustat needs --engine=kernel",
		     o->ncgroups ? "cgroups" : "CPUs");
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){.interval_ns = INT64_C(5000000000), .scope = ROW_CPUS};
	options_shared_begin(&o->shared, command, argv);
	while ((c = options_read(&o->shared, argc, argv)) != -1)
		parse_option(o, c);
	if (o->chart)
		check_chart(o);
	o->shared.engine = resolve_engine(o->shared.engine);
	if (o->capabilities || (o->shared.show && o->shared.show != OPTIONS_SHOW_EXPLAIN))
		return;
	parse_operands(o, argv + optind);
	check(o, argc > optind);
}
