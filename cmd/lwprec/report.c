/* lwprec report: where the events of recordings happened. */
#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "commands.h"
#include "common/message.h"
#include "common/options.h"
#include "common/out.h"
#include "common/status.h"
#include "filters.h"
#include "options_table.h"
#include "output.h"
#include "profiles.h"
#include "suite/profile/export.h"
#include "suite/profile/html.h"
#include "suite/profile/report.h"

static const struct options_command *const command = &lwprec_report;

/* The formats beside those that all commands have. */
enum format { FORMAT_SHARED, FOLDED, SPEEDSCOPE, PPROF, CALLGRIND, HTML };

static const char *const formats[] = {
	[FOLDED] = "folded", [SPEEDSCOPE] = "speedscope",
	[PPROF] = "pprof",   [CALLGRIND] = "callgrind",
	[HTML] = "html",
};

enum { MOST_VIEWS = 24, TEXT_ROWS = 20 };

struct options {
	struct profiles_options profiles;
	struct filters filters;
	enum format format;
	uint32_t line_size; /* 0: that of the recordings */
	unsigned nview;
	const struct view *view[MOST_VIEWS];
};

/* Exit with the views that are near to the name. */
static void bad_view(const char *name) __attribute__((noreturn));

static void bad_view(const char *name)
{
	struct nearest near;
	char text[128];

	nearest_init(&near, name);
	for (unsigned i = 0; report_views[i]; i++)
		nearest_add(&near, report_views[i]->name);
	nearest_text(&near, text, sizeof text);
	options_bad_long(command, "--by: '%s' is not a table; %s", name,
			 *text ? text : "--help lists them");
}

static void add_view(struct options *o, const struct view *v)
{
	for (unsigned i = 0; i < o->nview; i++)
		if (o->view[i] == v)
			return;
	if (o->nview < MOST_VIEWS)
		o->view[o->nview++] = v;
}

static void parse_views(struct options *o, const char *list)
{
	char *words = strdup(list), *rest = words;

	if (!words)
		err(EXIT_TOOL, "cannot read --by");
	for (const char *name; (name = strsep(&rest, ","));) {
		const struct view *v = report_view(name);

		if (!v && strcmp(name, "all") != 0)
			bad_view(name);
		if (v)
			add_view(o, v);
		for (unsigned i = 0; !v && report_views[i]; i++)
			add_view(o, report_views[i]);
	}
	free(words);
}

static void parse_format(struct options *o)
{
	for (unsigned i = FOLDED; i <= HTML; i++)
		if (strcmp(optarg, formats[i]) == 0) {
			o->format = i;
			return;
		}
	if (strcmp(optarg, "text") != 0 && strcmp(optarg, "csv") != 0 &&
	    strcmp(optarg, "json") != 0)
		options_bad_long(command,
				 "--format: '%s' is not text, csv, json, html, folded, "
				 "speedscope, pprof or callgrind",
				 optarg);
	o->format = FORMAT_SHARED;
	options_shared_parse(&o->profiles.shared, OPTIONS_FORMAT);
}

static void parse_line_size(struct options *o)
{
	o->line_size =
		(uint32_t)options_number(command, "--line-size", optarg, 1, PROFILE_PAGE);
	if (o->line_size & (o->line_size - 1))
		options_bad_long(command, "--line-size: %s is not a power of 2", optarg);
}

static void parse_option(struct options *o, int c)
{
	switch (c) {
	case OPTIONS_FORMAT:
		parse_format(o);
		break;
	case LWPREC_BY:
		parse_views(o, optarg);
		break;
	case LWPREC_LINE_SIZE:
		parse_line_size(o);
		break;
	default:
		if (!filter_option(&o->filters, command, c))
			profiles_option(&o->profiles, command, c);
	}
}

/*
 * Text and the page have the functions, and what the records of each event tell; CSV and
 * JSON have one table.
 */
static void default_views(struct options *o)
{
	static const char overview[] = "symbol,branch,value,source,data,sharing,marker";

	if (o->nview)
		return;
	if (o->format == HTML || (!o->format && o->profiles.shared.format == TEXT_PLAIN))
		parse_views(o, overview);
	else
		parse_views(o, "symbol");
}

static void parse(struct options *o, int argc, char **argv)
{
	int c;

	*o = (struct options){.line_size = 0};
	profiles_options_begin(&o->profiles, command, argv);
	while ((c = options_read(&o->profiles.shared, argc, argv)) != -1)
		parse_option(o, c);
	input_check(&o->profiles.input, command, 0);
	default_views(o);
	const int is_text = o->profiles.shared.format == TEXT_PLAIN;

	if (o->profiles.rows == -1)
		o->profiles.rows = o->format == HTML || is_text ? TEXT_ROWS : 0;
	if (o->format && o->format != HTML)
		o->profiles.lines = 1;
	for (unsigned i = 0; i < o->nview; i++)
		o->profiles.lines |= o->view[i]->lines;
	if (o->format == PPROF && !o->profiles.output && isatty(STDOUT_FILENO))
		options_bad_long(command, "--format=pprof makes a file that is not "
					  "text; name it with -o");
}

/* The argument of matches(). */
struct matcher {
	const struct filters *filters;
	const struct profiles *profiles;
};

static int matches(void *arg, size_t input, const lwp_record_t *r, pid_t tid)
{
	const struct matcher *m = arg;
	struct symbols_frame frame[64];

	if (!filters_match(m->filters, r, tid))
		return 0;
	if (!m->filters->symbol && !m->filters->module)
		return 1;
	const unsigned n =
		symbols_code(m->profiles->input[input].symbols, r->ip, frame, 64);

	return n && filters_match_names(m->filters, frame[n - 1].function,
					frame[n - 1].module);
}

static int is_filtered(const struct filters *f)
{
	return f->active || f->symbol || f->module;
}

/* Filters choose records, so exact counts are not used with filters. */
static void sum(struct profiles *p, const struct options *o)
{
	struct matcher matcher = {&o->filters, p};
	struct profile_options options = {.event = o->profiles.event,
					  .records = o->profiles.records};

	if (is_filtered(&o->filters)) {
		options.records = 1;
		options.keep = matches;
		options.arg = &matcher;
	}
	if (o->format == HTML)
		options.details = PROFILE_TIME;
	for (unsigned i = 0; i < o->nview && (!o->format || o->format == HTML); i++)
		options.details |= o->view[i]->details;
	profiles_sum(p, &options);
}

/* Return the first metric that is not covered: folded stacks have one metric. */
static unsigned first_metric(const struct profile *p)
{
	unsigned m = 0, n = 0;

	for (unsigned i = p->nmetric; i-- > 0;)
		if (!p->metric[i].covered) {
			m = i;
			n++;
		}
	if (n > 1)
		message_notef("folded stacks are of one event, here %s; choose with -e",
			      p->metric[m].event);
	return m;
}

/* The size of a line: as requested, or the largest that a recording has, or 64. */
static uint32_t line_size(const struct profile *p, const struct options *o)
{
	uint32_t size = o->line_size;

	for (size_t i = 0; i < p->ninput && !o->line_size; i++)
		if (p->input[i].recording->line_size > size)
			size = p->input[i].recording->line_size;
	return size ? size : 64;
}

static int make(struct textbuf *b, const struct profile *p, const struct options *o)
{
	const struct report report = {.view = o->view,
				      .nview = o->nview,
				      .options = {.top = (size_t)o->profiles.rows,
						  .line_size = line_size(p, o)},
				      .format = o->profiles.shared.format};

	switch (o->format) {
	case FOLDED:
		return p->nmetric ? export_folded(b, p, first_metric(p)) : 0;
	case SPEEDSCOPE:
		return export_speedscope(b, p);
	case PPROF:
		if (export_pprof(b, p) == -1)
			return -1;
		output_gzip(b);
		return b->failed ? -1 : 0;
	case CALLGRIND:
		return export_callgrind(b, p);
	case HTML:
		return html_put(b, p, &report);
	case FORMAT_SHARED:
		break;
	}
	return report_put(b, p, &report) == -1 ? -1 : 0;
}

static int print(const struct profile *p, const struct options *o)
{
	struct textbuf b = {0};

	if (make(&b, p, o) == -1)
		err(EXIT_TOOL, "cannot make the report");
	return output_write(&b, o->profiles.output);
}

int command_report(int argc, char **argv)
{
	static char lwprec_core[] = "lwprec.core";
	char *one[] = {lwprec_core};
	struct profiles p;
	struct options o;

	parse(&o, argc, argv);
	const int given = argc > optind;

	profiles_open(&p, &o.profiles, given ? argv + optind : one,
		      given ? (size_t)(argc - optind) : 1);
	sum(&p, &o);
	int status = print(p.profile, &o);
	const int check = profiles_check(&p, o.profiles.shared.strict);

	profiles_close(&p);
	filters_free(&o.filters);
	profiles_options_free(&o.profiles);
	return status ? status : check;
}
