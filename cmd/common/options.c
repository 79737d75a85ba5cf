#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "status.h"

static enum text_format format(const struct suite_command *command, const char *text)
{
	static const char *const name[] = {
		[TEXT_PLAIN] = "text", [TEXT_CSV] = "csv", [TEXT_JSON] = "json"};

	for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++)
		if (strcmp(text, name[i]) == 0)
			return (enum text_format)i;
	command->bad("--format: '%s' is none of text, csv, json", text);
}

void suite_option(struct suite *s, const struct suite_command *command, int c)
{
	switch (c) {
	case SUITE_CPU:
		s->cpu = optarg;
		break;
	case SUITE_ENGINE:
		s->engine = optarg;
		break;
	case SUITE_FORMAT:
		s->format = format(command, optarg);
		break;
	case SUITE_STRICT:
		s->strict = 1;
		break;
	case SUITE_LIST:
		s->tell = SUITE_TO_LIST;
		s->pattern = optarg;
		break;
	case SUITE_DOCTOR:
		s->tell = SUITE_TO_DOCTOR;
		break;
	case SUITE_EXPLAIN:
		s->tell = SUITE_TO_EXPLAIN;
		break;
	case SUITE_HELP:
		command->usage(stdout);
		exit(fflush(stdout) == EOF ? EXIT_TOOL : 0);
	case SUITE_VERSION:
		printf("%s (OpenCPC) %s\n", command->name, VERSION);
		exit(fflush(stdout) == EOF ? EXIT_TOOL : 0);
	default:
		/* getopt_long(3) has said what is wrong. */
		command->usage(stderr);
		exit(EXIT_USAGE);
	}
}
