/* lwprec record: run a command and record its events. */
#include <err.h>

#include "commands.h"
#include "common/status.h"
#include "options.h"

static const struct option long_options[] = {OPTIONS_LWPREC, {0}};

static const char synopsis[] = "Usage:\n\t%1$s record [options] [--] command [args]\n";

static const char details[] =
	"\n"
	"\t--format=NAME   print text, csv or json\n"
	"\t-h, --help      print this text\n"
	"\t--quiet         print no notes\n"
	"\t--strict        exit with status 125 if something is not exact\n"
	"\t--version       print the version\n"
	"\n"
	"\tSee lwprec(1).\n";

static const struct options_command command = {
	.name = "lwprec",
	.synopsis = synopsis,
	.details = details,
	.hint = "Try '%1$s record -h'.\n",
};

int command_record(int argc, char **argv)
{
	struct options_shared shared;
	int c;

	options_shared_begin(&shared, &command, argv);
	while ((c = options_next(argc, argv, "+h", long_options)) != -1)
		options_lwprec_parse(&shared, c);
	errx(EXIT_TOOL, "this version cannot record");
}
