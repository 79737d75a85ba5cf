#include "options_table.h"

#include <stddef.h>

static const char synopsis[] =
	"Usage:\n"
	"\t%1$s [-a | -e event ...] [-mp | -s | -p ms] [-kTxy] [-c costs]\n"
	"\t\t[-o file] command [args]\n"
	"\t%1$s -t [-c costs]\n";

static const char examples[] = "\t%1$s -e page-faults -e context-switches ./prog\n"
			       "\t%1$s -a -y ./prog\n";

/* The letters are those of IRIX. -mp and -p are m and p with an argument. */
static const struct options_row letters[] = {
	{.value = 'a', .help = "count all 32 events", .everyday = 1},
	{.value = 'e',
	 .arg = "event",
	 .help = "count an event: a number from 0 to 31 or a name (default 0, "
		 "cycles); mem:NAME: calls of a function, writes of a variable",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_EVENTS},
	{.value = 'm',
	 .arg = "p",
	 .joined = 1,
	 .help = "also report each thread",
	 .everyday = 1},
	{.value = 's', .help = "start to count at SIGUSR1, stop at SIGUSR2"},
	{.value = 'p',
	 .arg = "ms",
	 .help = "also print a line every so many milliseconds"},
	{.value = 'k', .help = "also count in system mode"},
	{.value = 'x', .help = "no effect: Linux counts exceptions as system mode"},
	{.value = 'y',
	 .help = "show how much time the events take, and statistics",
	 .everyday = 1},
	{.value = 't', .help = "print the table of costs and exit"},
	{.value = 'c',
	 .arg = "costs",
	 .help = "for -y and -t: use costs from a file, or a table of this name",
	 .completion = OPTIONS_COMPLETE_FILES,
	 .words = "r10000_196 r10000_250 r12000_300"},
	{.value = 'o',
	 .arg = "file",
	 .help = "write reports to a file; %r in its name: the rank, %h: host",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = 'T', .help = "no effect: processors may be of several kinds"},
	{.value = 'l', .arg = "bytes"},
	{.value = OPTIONS_TRACKER,
	 .name = "tracker",
	 .arg = "NAME",
	 .help = "see LWPs by these means, with a tracer or without; auto chooses",
	 .group = OPTIONS_OUTPUT,
	 .words = "auto records bpf ptrace"},
	{0},
};

const struct options_command perfex_command = {
	.name = "perfex",
	.synopsis = synopsis,
	.examples = examples,
	.hint = "Try '%1$s --help'.\n",
	.see = "perfex(1) and opencpc-events(7)",
	.tables = {letters, options_series_format, options_shared, options_every,
		   options_series, options_compare, options_simulation},
	.cpu_tables = "r10000 r12000",
	.runs_program = 1,
};
