#include "options_table.h"

#include <stddef.h>

static const char synopsis[] =
	"Usage:\n"
	"\t%1$s [-c events] ... [-p period] [-T u|d] [-Dmnst]\n"
	"\t\t[-A cor|soc|bins] [-k keys] [-o limit] [-O statfile]\n"
	"\t\t[interval [count]]\n"
	"\t%1$s -I statfile [-T u|d] [-Dmnt] [-A cor|soc|bins]\n"
	"\t\t[-k keys] [-o limit]\n";

static const char examples[] = "\t%1$s --chart -c context-switches,sys 1 10\n";

/* The letters are those of Solaris, up to version 11. */
static const struct options_row own[] = {
	{.value = 'c',
	 .arg = "events",
	 .help = "count a set of events; several sets take turns",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_EVENTS},
	{.value = 'p',
	 .arg = "period",
	 .help = "let the turns of all sets take at least this many seconds"},
	{.value = 'T',
	 .arg = "u|d",
	 .help = "print the time before each row: as time(2), as date(1)",
	 .words = "u d"},
	{.value = 'A',
	 .arg = "cor|soc|bins",
	 .help = "merge rows by core, by socket, or into this many bins",
	 .everyday = 1,
	 .words = "cpu cor soc"},
	{.value = 'm', .help = "with -A: show means, not sums"},
	{.value = 'k',
	 .arg = "keys",
	 .help = "sort rows by cpu, core, picN, an event, ...; -KEY: descending",
	 .words = "cpu core socket cgroup time tick pic0 pic1"},
	{.value = 'o',
	 .arg = "limit",
	 .help = "show at most this many rows of each interval"},
	{.value = 'D', .help = "debug: messages name the library function"},
	{.value = 'h', .help = "print the events and the counters of the processor"},
	{.value = 'n', .help = "print no title"},
	{.value = 's',
	 .help = "keep CPUs from idling while a set counts system mode only"},
	{.value = 't', .help = "show cycles of the time-stamp counter"},
	{.value = 'O',
	 .arg = "statfile",
	 .help = "also save the samples; %r in the name is the rank, %h the host",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = 'I',
	 .arg = "statfile",
	 .help = "show saved samples",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = OPTIONS_OPERAND,
	 .arg = "interval",
	 .help = "seconds between samples, default 5",
	 .everyday = 1},
	{.value = OPTIONS_OPERAND,
	 .arg = "count",
	 .help = "number of samples (with -p: of turns), default unlimited",
	 .everyday = 1},
	{.value = OPTIONS_CGROUP,
	 .name = "cgroup",
	 .arg = "GLOB",
	 .help = "count cgroups with these paths; can be repeated",
	 .group = OPTIONS_EVENTS,
	 .everyday = 1},
	{.value = OPTIONS_CHART,
	 .name = "chart",
	 .help = "draw the samples as a chart instead of printing rows",
	 .group = OPTIONS_OUTPUT,
	 .everyday = 1},
	{.value = OPTIONS_OPENMETRICS,
	 .name = "openmetrics",
	 .arg = "FILE",
	 .help = "write the totals after each interval, for Prometheus",
	 .group = OPTIONS_OUTPUT,
	 .completion = OPTIONS_COMPLETE_FILES},
	{0},
};

const struct options_command cpustat_command = {
	.name = "cpustat",
	.synopsis = synopsis,
	.examples = examples,
	.hint = "Try '%1$s --help' or '%1$s --list'.\n",
	.see = "cpustat(1) and opencpc-events(7)",
	.tables = {own, options_format, options_shared, options_every},
	.cpus = 1,
	.shows_usage = 1,
};
