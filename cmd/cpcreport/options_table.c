#include "options_table.h"

#include <stddef.h>

static const char synopsis[] = "Usage:\n"
			       "\t%1$s [-o file] [--chart | --format=NAME] file ...\n"
			       "\t%1$s --baseline=FILE [--limit=EVENT=P%%,...] file ...\n"
			       "\t%1$s --by=rank|host|cpu|lwp|label:KEY file ...\n";

static const char examples[] =
	"\t%1$s new.json\n"
	"\t%1$s --chart run.json\n"
	"\t%1$s --baseline=old.json --limit=instructions=1%% new.json\n"
	"\t%1$s --by=rank rank.*.json\n";

static const struct options_row own[] = {
	{.value = 'o',
	 .arg = "file",
	 .help = "write to a file; %r in its name is the rank, %h the host",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = OPTIONS_OPERAND,
	 .arg = "file",
	 .help = "a file of --save or --format=json; -: standard input",
	 .everyday = 1,
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = OPTIONS_FORMAT,
	 .name = "format",
	 .arg = "NAME",
	 .help = "print text, csv, json, markdown, or html, a page",
	 .group = OPTIONS_OUTPUT,
	 .everyday = 1,
	 .words = "text csv json markdown html"},
	{.value = OPTIONS_CHART,
	 .name = "chart",
	 .help = "draw the samples as a chart instead of printing rows",
	 .group = OPTIONS_OUTPUT,
	 .everyday = 1},
	{.value = OPTIONS_BY,
	 .name = "by",
	 .arg = "KEY",
	 .help = "join files: the sum, median and imbalance of each event",
	 .group = OPTIONS_OUTPUT,
	 .everyday = 1,
	 .words = "rank host cpu lwp label:"},
	{.value = OPTIONS_HELP,
	 .name = "help",
	 .arg = "all",
	 .optional = 1,
	 .help = "print the everyday options, or all of them",
	 .group = OPTIONS_INFORMATION,
	 .words = "all"},
	{0},
};

const struct options_command cpcreport_command = {
	.name = "cpcreport",
	.synopsis = synopsis,
	.examples = examples,
	.hint = "Try '%1$s --help'.\n",
	.see = "cpcreport(1) and opencpc-records(5)",
	.tables = {own, options_compare, options_every},
	.permutes = 1,
	.shows_usage = 1,
};
