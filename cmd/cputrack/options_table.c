#include "options_table.h"

#include <stddef.h>

static const char synopsis[] = "Usage:\n"
			       "\t%1$s [-T secs] [-N count] [-Defhntv] [-o file]\n"
			       "\t\t[-c events] [command [args] | -p pid]\n";

static const char examples[] = "\t%1$s ./prog\n"
			       "\t%1$s --chart -T 0.1 -c task-clock ./prog\n";

/* Solaris has these letters, in this order. */
static const struct options_row own[] = {
	{.value = 'T',
	 .arg = "secs",
	 .help = "seconds between samples, default 1; 0: no samples",
	 .everyday = 2},
	{.value = 'N',
	 .arg = "count",
	 .help = "number of samples of each process, default unlimited"},
	{.value = 'D',
	 .help = "debug: messages name library functions, and report each difference to "
		 "the whole tree of processes"},
	{.value = 'e', .help = "follow exec(2)"},
	{.value = 'f', .help = "follow fork(2) and vfork(2)"},
	{.value = 'h', .help = "print the events and the counters of the processor"},
	{.value = 'n', .help = "print no title"},
	{.value = 't', .help = "show cycles of the time-stamp counter, user and system"},
	{.value = 'v', .help = "verbose: print also the rows init_lwp and fini_lwp"},
	{.value = 'o',
	 .arg = "file",
	 .help = "write the rows to a file; %r in its name: the rank, %h: host",
	 .everyday = 2,
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = 'c',
	 .arg = "events",
	 .help = "count these events (mem:NAME: calls, writes); sets take turns",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_EVENTS},
	{.value = 'p',
	 .arg = "pid",
	 .help = "track a running process",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_PIDS},
	{.value = OPTIONS_CHART,
	 .name = "chart",
	 .help = "draw the samples as a chart instead of printing rows",
	 .group = OPTIONS_OUTPUT,
	 .everyday = 2},
	{.value = OPTIONS_NAMES,
	 .name = "names",
	 .help = "show the kernel's thread id and the name of each LWP",
	 .group = OPTIONS_OUTPUT},
	{.value = OPTIONS_THREADS,
	 .name = "threads",
	 .help = "show a table of the threads, refreshed on a terminal",
	 .group = OPTIONS_OUTPUT,
	 .everyday = 1},
	{.value = OPTIONS_TRACKER,
	 .name = "tracker",
	 .arg = "NAME",
	 .help = "see LWPs by these means, with a tracer or without; auto chooses",
	 .group = OPTIONS_OUTPUT,
	 .words = "auto records bpf ptrace"},
	{0},
};

const struct options_command cputrack_command = {
	.name = "cputrack",
	.synopsis = synopsis,
	.examples = examples,
	.hint = "Try '%1$s --help' or '%1$s --list'.\n",
	.see = "cputrack(1) and opencpc-events(7)",
	.tables = {own, options_series_format, options_shared, options_every,
		   options_series, options_compare, options_simulation},
	.runs_program = 1,
	.shows_usage = 1,
};
