#include "options.h"

#include <stdlib.h>

#include "base/text.h"
#include "common/options_series.h"
#include "common/out.h"
#include "options_table.h"

static const struct options_command *const command = &cpcreport_command;

/* Exit with the names of the formats. */
static void bad_format(const char *name) __attribute__((noreturn));

static void bad_format(const char *name)
{
	struct textbuf b = {0};

	for (unsigned i = 0; report_writers[i]; i++) {
		if (i > 0)
			textbuf_str(&b, report_writers[i + 1] ? ", " : " or ");
		textbuf_str(&b, report_writers[i]->name);
	}
	char *names = textbuf_end(&b);
	options_bad_long(command, "--format: '%s' is not %s", name, names ? names : "");
}

static void parse_option(struct options *o, int c)
{
	switch (c) {
	case 'o':
		free(o->output);
		o->output = out_name("-o", optarg);
		break;
	case OPTIONS_FORMAT:
		o->writer = report_writer(optarg);
		if (!o->writer)
			bad_format(optarg);
		break;
	case OPTIONS_BY:
		o->is_joined = 1;
		if (by_parse(&o->by, optarg) == -1)
			options_bad_long(command,
					 "--by: '%s' is not rank, host, cpu, lwp or "
					 "label:KEY",
					 optarg);
		break;
	case OPTIONS_CHART:
		o->chart = 1;
		break;
	default:
		options_series_parse(&o->shared, c);
	}
}

/* A table of joined files is no chart and no page, and is not judged. */
static void check_by(struct options *o)
{
	static const char *const names[] = {
		[TEXT_PLAIN] = "text", [TEXT_CSV] = "csv", [TEXT_JSON] = "json"};
	const struct options_series *series = &o->shared.series;
	unsigned i = 0;

	if (o->chart)
		options_bad_long(command, "--by and --chart exclude each other");
	if (series->baseline || series->gate.n)
		options_bad_long(command, "--by joins what was counted, and --baseline "
					  "and --limit compare; choose one of them");
	while (i < sizeof names / sizeof names[0] &&
	       strcmp(names[i], o->writer->name) != 0)
		i++;
	if (i == sizeof names / sizeof names[0])
		options_bad_long(command,
				 "--by has no --format=%s; choose text, csv or json",
				 o->writer->name);
	o->by_format = (enum text_format)i;
}

void options_parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){.writer = report_writers[0]};
	options_shared_begin(&o->shared, command, argv);
	while ((c = options_read(&o->shared, argc, argv)) != -1)
		parse_option(o, c);
	o->file = argv + optind;
	if (o->chart && o->writer != report_writers[0])
		options_bad_long(command,
				 "--chart is text for people, and --format=%s is for "
				 "programs; choose one of them",
				 o->writer->name);
	if (o->is_joined)
		check_by(o);
	if (!*o->file)
		options_bad(command, "give the name of a file that --save or "
				     "--format=json has written");
}

void options_free(struct options *o)
{
	free(o->output);
	options_shared_free(&o->shared);
}
