#include "options.h"

#include <err.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/text.h"
#include "message.h"
#include "out.h"
#include "status.h"
#include "usage.h"
#include "warn.h"

void options_bad_spec(const struct options_command *c)
{
	usage_synopsis(c, stderr);
	usage_hint(c, stderr);
	exit(EXIT_USAGE);
}

/* After a message about the letters and operands of the original. */
static void end_bad(const struct options_command *c) __attribute__((noreturn));

static void end_bad(const struct options_command *c)
{
	if (!c->shows_usage)
		options_bad_spec(c);
	usage_everyday(c, stderr);
	putc('\n', stderr);
	usage_hint(c, stderr);
	exit(EXIT_USAGE);
}

void options_bad(const struct options_command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarnx(fmt, ap);
	va_end(ap);
	end_bad(c);
}

void options_bad_long(const struct options_command *c, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vwarnx(fmt, ap);
	va_end(ap);
	options_bad_spec(c);
}

void options_bad_value(const struct options_command *c, const char *option,
		       const char *text, const char *fmt, ...)
{
	char reason[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof reason, fmt, ap);
	va_end(ap);
	if (*option == '-')
		options_bad(c, "%s: '%s' is %s", option, text, reason);
	options_bad(c, "invalid argument \"%s\": the %s is %s", text, option, reason);
}

static const char *const trackers[] = {
	[TRACKER_AUTO] = "auto",
	[TRACKER_RECORDS] = "records",
	[TRACKER_BPF] = "bpf",
	[TRACKER_PTRACE] = "ptrace",
};

const char *options_tracker_name(enum tracker t)
{
	return trackers[t];
}

enum tracker options_tracker(const struct options_command *c, const char *name)
{
	for (unsigned i = 0; i < sizeof trackers / sizeof trackers[0]; i++)
		if (strcmp(name, trackers[i]) == 0)
			return (enum tracker)i;
	options_bad_long(c, "--tracker=%s: give auto, records, bpf or ptrace", name);
}

long long options_number(const struct options_command *c, const char *option,
			 const char *text, long long min, long long max)
{
	char *end;
	errno = 0;
	const long long v = strtoll(text, &end, 10);

	if (end == text || *end || errno || v < min || v > max)
		options_bad_value(c, option, text, "not a number from %lld to %lld", min,
				  max);
	return v;
}

double options_seconds(const struct options_command *c, const char *option,
		       const char *text, double max)
{
	char *end;
	const double s = strtod(text, &end);

	if (end == text || *end || !(s >= 0 && s <= max))
		options_bad_value(c, option, text, "not a number of seconds up to %.0f",
				  max);
	return s;
}

void options_add_spec(const char ***specs, unsigned *n, const char *spec)
{
	if (array_grow(specs, *n, sizeof **specs) == -1)
		err(EXIT_TOOL, "cannot store the options");
	(*specs)[(*n)++] = spec;
}

/* Replace what follows '-' by ASCII, as the letter of an option is one byte. */
static void clean_letters(char *word)
{
	if (*word != '-' || word[1] == '-')
		return;
	for (; *word; word++)
		if (*word & 0x80)
			*word = '?';
}

/* Return a copy of the words in which every character is printable. */
static char **clean_copy(int n, char **words)
{
	char **copy = calloc((size_t)n + 1, sizeof *copy);

	for (int i = 0; copy && i < n; i++) {
		copy[i] = strdup(words[i]);
		if (!copy[i])
			return NULL;
		text_clean(copy[i], "");
		clean_letters(copy[i]);
	}
	return copy;
}

static void free_copy(char **copy)
{
	for (char **word = copy; *word; word++)
		free(*word);
	free(copy);
}

/* Suggest the long options that are like a word of the command line. */
static void suggest(const char *word, const struct option *options)
{
	enum { WIDTH = 32 }; /* more than the longest name of an option with "--" */
	char name[64][WIDTH], wanted[WIDTH] = "", text[128];
	struct nearest near;

	snprintf(wanted, sizeof wanted, "%.*s", (int)strcspn(word, "="), word);
	nearest_init(&near, wanted);
	for (unsigned i = 0; options[i].name && i < sizeof name / sizeof name[0]; i++) {
		snprintf(name[i], sizeof name[i], "--%s", options[i].name);
		nearest_add(&near, name[i]);
	}
	if (near.n > 0)
		warnx("%s", nearest_text(&near, text, sizeof text));
}

/*
 * Let getopt_long(3) print what is wrong with a word at index begin or behind it. It
 * begins anew there, as if what comes before were the name of the command alone.
 */
static void complain(int begin, int argc, char **argv, const char *letters,
		     const struct option *options)
{
	char *const before = argv[begin - 1];
	char **const from = argv + begin - 1;
	const int n = argc - begin + 1;
	int c;

	from[0] = argv[0];
	optind = 0;
	opterr = 1;
	do
		c = getopt_long(n, from, letters, options, NULL);
	while (c != '?' && c != -1);
	/* Only for a long option that is unknown or ambiguous is optopt 0. */
	if (optopt == 0 && optind > 0)
		suggest(from[optind - 1], options);
	from[0] = before;
}

/* getopt_long(3) prints the words that it does not understand; it gets clean ones. */
static int next(int argc, char **argv, const char *letters, const struct option *options)
{
	const int begin = optind > 0 ? optind : 1;
	opterr = 0;
	const int c = getopt_long(argc, argv, letters, options, NULL);
	if (c != '?')
		return c;
	char **clean = clean_copy(argc, argv);
	if (!clean)
		err(EXIT_TOOL, "cannot read the options");
	complain(begin, argc, clean, letters, options);
	free_copy(clean);
	return c;
}

/* What getopt_long(3) needs to know of a table of options. */
enum { MAX_OPTIONS = 96 };

struct spelled {
	char letters[2 * MAX_OPTIONS + 2];
	struct option longs[MAX_OPTIONS + 1];
};

/* Add a row; *letter and *last are the ends of what was added before. */
static void add_row(const struct options_row *r, char **letter, struct option **last)
{
	if (r->value == OPTIONS_OPERAND)
		return;
	if (r->value < OPTIONS_OPERAND) {
		*(*letter)++ = (char)r->value;
		if (r->arg)
			*(*letter)++ = ':';
	}
	if (r->name)
		*(*last)++ = (struct option){.name = r->name,
					     .has_arg = !r->arg	      ? no_argument
							: r->optional ? optional_argument
								      : required_argument,
					     .val = r->value};
}

static int read_option(const struct options_command *c, int argc, char **argv)
{
	struct spelled s = {.letters = ""};
	char *letter = s.letters;
	struct option *last = s.longs;
	int left = MAX_OPTIONS;

	if (!c->permutes)
		*letter++ = '+';
	for (const struct options_row *const *table = c->tables; *table; table++)
		for (const struct options_row *r = *table; r->value && left; r++, left--)
			add_row(r, &letter, &last);
	return next(argc, argv, s.letters, s.longs);
}

/* Take the operands of --list up to the next option. Returns 1 if there is one. */
static int take_words(struct options_shared *s, int argc, char **argv)
{
	if (s->show != OPTIONS_SHOW_LIST)
		return 0;
	const int is_end = strcmp(argv[optind - 1], "--") == 0;
	while (optind < argc && (is_end || argv[optind][0] != '-' || !argv[optind][1]))
		options_add_spec(&s->word, &s->nwords, argv[optind++]);
	return optind < argc;
}

int options_read(struct options_shared *s, int argc, char **argv)
{
	int c;

	do
		c = read_option(s->command, argc, argv);
	while (c == -1 && take_words(s, argc, argv));
	if (c == -1 && (s->all || s->names_only) && s->show != OPTIONS_SHOW_LIST)
		options_bad_long(s->command, "%s belongs to --list",
				 s->all ? "--all" : "--names-only");
	if (c == -1 && s->format == TEXT_MARKDOWN && (s->show || !s->series.on))
		options_bad_long(
			s->command,
			"--format=markdown has the tables of repeated runs: give "
			"--repeat, --vs or --baseline, or another format");
	return c;
}

/* Return the words of --format that the command has, with blanks between them. */
static const char *formats_of(const struct options_command *command)
{
	for (const struct options_row *const *table = command->tables; *table; table++)
		for (const struct options_row *r = *table; r->value; r++)
			if (r->value == OPTIONS_FORMAT)
				return r->words;
	return "";
}

/* Exit with the formats that the command has: "text, csv or json". */
static void bad_format(const struct options_command *command, const char *text)
	__attribute__((noreturn));

static void bad_format(const struct options_command *command, const char *text)
{
	char list[128] = "";

	for (const char *s = formats_of(command); *s;) {
		const size_t n = strcspn(s, " ");
		const char *before = s[n] ? ", " : " or ";

		snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.*s",
			 *list ? before : "", (int)n, s);
		s += n + (s[n] == ' ');
	}
	options_bad_long(command, "--format: '%s' is not %s", text, list);
}

static enum text_format format(const struct options_command *command, const char *text)
{
	static const char *const name[] = {[TEXT_PLAIN] = "text",
					   [TEXT_CSV] = "csv",
					   [TEXT_JSON] = "json",
					   [TEXT_MARKDOWN] = "markdown"};

	for (unsigned i = 0; i < sizeof name / sizeof name[0]; i++)
		if (strcmp(text, name[i]) == 0 && strstr(formats_of(command), text))
			return (enum text_format)i;
	bad_format(command, text);
}

static void add_label(struct options_shared *s, const char *text)
{
	if (labels_add(&s->label, text) == 0)
		return;
	if (errno == ENOMEM)
		err(EXIT_TOOL, "cannot store the options");
	options_bad_long(s->command,
			 "--label: '%s' is not KEY=VALUE with a KEY of letters, digits "
			 "and _ that does not begin with a digit",
			 text);
}

/* An empty name is the same as none. */
static void set_engine(struct options_shared *s, const char *name, const char *by)
{
	s->engine = name && *name ? name : NULL;
	s->engine_by = by;
}

void options_shared_begin(struct options_shared *s, const struct options_command *c,
			  char *const *argv)
{
	*s = (struct options_shared){.command = c, .argv = argv};
	s->series =
		(struct options_series){.seconds = 60, .precision = 0.02, .alpha = 0.05};
	set_engine(s, getenv("CPC_ENGINE"), "CPC_ENGINE");
}

/* Print the options that text asks for. */
static void help(const struct options_command *command, const char *text)
{
	if (text && strcmp(text, "all") != 0)
		options_bad_long(command,
				 "--help: '%s' is not all; --help prints the everyday "
				 "options, --help=all prints all options",
				 text);
	(text ? usage_all : usage_short)(command, stdout);
	exit(out_flush_stdout());
}

/* Return the level of x86-64 that --reproducible names. */
static const char *level(const struct options_command *command, const char *text)
{
	static const char *const name[] = {"v1", "v2", "v3"};

	for (unsigned i = 0; text && i < sizeof name / sizeof name[0]; i++)
		if (strcmp(text, name[i]) == 0)
			return name[i];
	if (text)
		options_bad_long(command, "--reproducible: '%s' is not v1, v2 or v3",
				 text);
	return "v2";
}

void options_shared_free(struct options_shared *s)
{
	labels_free(&s->label);
	free(s->series.vs);
	free(s->series.save);
	gate_free(&s->series.gate);
	free(s->set);
	free(s->word);
	free(s->simulated);
}

void options_shared_parse(struct options_shared *s, int c)
{
	switch (c) {
	case OPTIONS_CPU:
		s->cpu = optarg;
		break;
	case OPTIONS_ENGINE:
		set_engine(s, optarg, "--engine");
		break;
	case OPTIONS_FORMAT:
		s->format = format(s->command, optarg);
		break;
	case OPTIONS_LABEL:
		add_label(s, optarg);
		break;
	case OPTIONS_QUIET:
		message_quiet(1);
		break;
	case OPTIONS_REPRODUCIBLE:
		s->reproducible = level(s->command, optarg);
		break;
	case OPTIONS_STRICT:
		s->strict = 1;
		break;
	case OPTIONS_SUMMARY:
		s->summary = 1;
		break;
	case OPTIONS_MACHINE:
		s->machine = optarg;
		break;
	case OPTIONS_SET:
		options_add_spec(&s->set, &s->nset, optarg);
		break;
	case OPTIONS_LIST:
		s->show = OPTIONS_SHOW_LIST;
		if (optarg)
			options_add_spec(&s->word, &s->nwords, optarg);
		break;
	case OPTIONS_ALL:
		s->all = 1;
		break;
	case OPTIONS_NAMES_ONLY:
		s->names_only = 1;
		break;
	case OPTIONS_DOCTOR:
		s->show = OPTIONS_SHOW_DOCTOR;
		break;
	case OPTIONS_EXPLAIN:
		s->show = OPTIONS_SHOW_EXPLAIN;
		break;
	case 'h': /* in the tables of commands whose -h is the same as --help */
	case OPTIONS_HELP:
		help(s->command, optarg);
		break;
	case OPTIONS_VERSION:
		printf("%s (OpenCPC) %s\n", s->command->name, VERSION);
		exit(out_flush_stdout());
	default:
		/* getopt_long(3) has printed what is wrong; optopt is the letter. */
		if (optopt == 0 || optopt > OPTIONS_OPERAND)
			options_bad_spec(s->command);
		end_bad(s->command);
	}
}
