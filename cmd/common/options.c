#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

static enum text_format format(const struct options_command *command, const char *text)
{
	static const char *const name[] = {
		[TEXT_PLAIN] = "text", [TEXT_CSV] = "csv", [TEXT_JSON] = "json"};

	for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++)
		if (strcmp(text, name[i]) == 0)
			return (enum text_format)i;
	command->bad("--format: '%s' is none of text, csv, json", text);
}

void options_shared_parse(struct options_shared *s, const struct options_command *command,
			  int c)
{
	switch (c) {
	case OPTIONS_CPU:
		s->cpu = optarg;
		break;
	case OPTIONS_ENGINE:
		s->engine = optarg;
		break;
	case OPTIONS_FORMAT:
		s->format = format(command, optarg);
		break;
	case OPTIONS_STRICT:
		s->strict = 1;
		break;
	case OPTIONS_LIST:
		s->show = OPTIONS_SHOW_LIST;
		s->pattern = optarg;
		break;
	case OPTIONS_DOCTOR:
		s->show = OPTIONS_SHOW_DOCTOR;
		break;
	case OPTIONS_EXPLAIN:
		s->show = OPTIONS_SHOW_EXPLAIN;
		break;
	case OPTIONS_HELP:
		command->usage(stdout);
		exit(fflush(stdout) == EOF ? EXIT_TOOL : 0);
	case OPTIONS_VERSION:
		printf("%s (OpenCPC) %s\n", command->name, VERSION);
		exit(fflush(stdout) == EOF ? EXIT_TOOL : 0);
	default:
		/* getopt_long(3) has said what is wrong. */
		command->usage(stderr);
		exit(EXIT_USAGE);
	}
}
