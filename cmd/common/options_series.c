#include "options_series.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/shell.h"
#include "base/text.h"
#include "out.h"
#include "status.h"

/* Parse --repeat: a number of runs, or auto, with a number of seconds. */
static void set_repeat(struct options_shared *s, const char *text)
{
	struct options_series *o = &s->series;
	char *end;

	o->on = 1;
	o->runs = 0;
	if (strcmp(text, "auto") == 0)
		return;
	if (strncmp(text, "auto:", 5) == 0) {
		const char *rest = text_decimal(text + 5, &o->seconds);
		if (rest && !*rest && o->seconds > 0 && o->seconds <= 1e6)
			return;
	} else {
		errno = 0;
		const long n = strtol(text, &end, 10);
		if (end > text && !*end && !errno && n >= 1 && n <= 1000000) {
			o->runs = (size_t)n;
			return;
		}
	}
	options_bad_long(s->command,
			 "--repeat: '%s' is neither a number from 1 to 1000000 nor auto "
			 "or auto:SECONDS",
			 text);
}

static double percent(const struct options_shared *s, const char *option,
		      const char *text, double max)
{
	double v;
	const char *end = text_decimal(text, &v);

	if (!end || (*end && strcmp(end, "%") != 0) || !(v > 0 && v <= max))
		options_bad_long(s->command, "%s: '%s' is not a percentage up to %.0f",
				 option, text, max);
	return v / 100;
}

static void set_confidence(struct options_shared *s, const char *text)
{
	const double v = percent(s, "--confidence", text, 100);

	if (v != 0.95 && v != 0.99)
		options_bad_long(s->command, "--confidence: '%s' is neither 95 nor 99",
				 text);
	s->series.alpha = v == 0.95 ? 0.05 : 0.01;
}

static void set_seed(struct options_shared *s, const char *text)
{
	char *end;

	errno = 0;
	s->series.seed = strtoull(text, &end, 0);
	s->series.has_seed = 1;
	if (end == text || *end || errno || *text == '-')
		options_bad_long(s->command,
				 "--seed: '%s' is not a number from 0 to 2^64-1", text);
}

static void add_vs(struct options_shared *s, const char *text)
{
	char **words = shell_words(text);

	if (!words && errno == ENOMEM)
		err(EXIT_TOOL, "cannot store the options");
	if (!words || !words[0])
		options_bad_long(
			s->command,
			"--vs: '%s' is not a command: quotes must be closed, and "
			"no shell expands or redirects (use sh -c '...')",
			text);
	free(words);
	s->series.on = 1;
	options_add_spec(&s->series.vs, &s->series.nvs, text);
}

static void add_limits(struct options_shared *s, const char *text)
{
	const char *bad;

	if (gate_add(&s->series.gate, text, &bad) == 0)
		return;
	if (errno == ENOMEM)
		err(EXIT_TOOL, "cannot store the options");
	options_bad_long(s->command,
			 "--limit: '%s' is not EVENT=P%%, such as instructions=2%%", bad);
}

void options_series_parse(struct options_shared *s, int c)
{
	if (c == OPTIONS_CONFIDENCE || c == OPTIONS_PRECISION || c == OPTIONS_SEED ||
	    c == OPTIONS_WHERE)
		s->series.detail = c == OPTIONS_CONFIDENCE  ? "--confidence"
				   : c == OPTIONS_PRECISION ? "--precision"
				   : c == OPTIONS_WHERE	    ? "--where"
							    : "--seed";
	switch (c) {
	case OPTIONS_REPEAT:
		set_repeat(s, optarg);
		break;
	case OPTIONS_VS:
		add_vs(s, optarg);
		break;
	case OPTIONS_CONFIDENCE:
		set_confidence(s, optarg);
		break;
	case OPTIONS_PRECISION:
		s->series.precision = percent(s, "--precision", optarg, 100);
		break;
	case OPTIONS_BASELINE:
		s->series.on = 1;
		s->series.baseline = optarg;
		break;
	case OPTIONS_LIMIT:
		add_limits(s, optarg);
		break;
	case OPTIONS_SAVE:
		s->series.on = 1;
		free(s->series.save);
		s->series.save = out_name("--save", optarg);
		break;
	case OPTIONS_WHERE:
		s->series.where = 1;
		break;
	case OPTIONS_SEED:
		set_seed(s, optarg);
		break;
	default:
		options_shared_parse(s, c);
	}
}

void options_series_check(const struct options_shared *s, const char *other)
{
	if (s->series.gate.n && !s->series.baseline && !s->series.nvs)
		options_bad_long(s->command, "--limit needs runs to compare with: give "
					     "--baseline=FILE or --vs=COMMAND");
	if (s->series.detail && !s->series.on)
		options_bad_long(s->command, "%s belongs to --repeat and --vs",
				 s->series.detail);
	if (!s->series.on)
		return;
	if (other)
		options_bad_long(s->command,
				 "--repeat and --vs run a command and print a table: %s "
				 "cannot be used with them",
				 other);
}
