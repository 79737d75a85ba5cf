#include "usage.h"

#include <string.h>

#include "warn.h"

/*
 * A line has a tab, the option in a column of its own, and the help; more lines of the
 * help stand below its first one.
 */
enum { W_TAB = 8, W_LINE = 80, W_LETTER = 10, W_LONG = 19 };

/* Options that a text shows. */
struct choice {
	int everyday; /* only those with this number, or 0: all */
	int longs;    /* those of the groups of long options, or of the letters */
	enum options_group group;
};

/* The name of an option and of its argument, as the user writes them. */
static void spell(const struct options_row *r, char *text, size_t size)
{
	const char letter[] = {'-', (char)r->value, '\0'};
	const int is_letter = r->value < OPTIONS_OPERAND;
	const char *const arg = r->arg ? r->arg : "";

	if (r->value == OPTIONS_OPERAND)
		snprintf(text, size, "%s", arg);
	else if (!r->name)
		snprintf(text, size, "%s%s%s", letter, r->arg && !r->joined ? " " : "",
			 arg);
	else
		snprintf(text, size, "%s%s--%s%s%s%s%s", is_letter ? letter : "",
			 is_letter ? ", " : "", r->name, r->optional ? "[" : "",
			 r->arg ? "=" : "", arg, r->optional ? "]" : "");
}

/* Print text from the column at on, and break its lines between words. */
static void print_wrapped(const char *text, int at, FILE *out)
{
	const size_t width = (size_t)(W_LINE - W_TAB - at);
	size_t used = 0;

	while (*text) {
		const size_t n = strcspn(text, " ");

		if (used && used + 1 + n > width) {
			fprintf(out, "\n\t%*s", at, "");
			used = 0;
		}
		used += (size_t)fprintf(out, "%s%.*s", used ? " " : "", (int)n, text);
		text += n + (text[n] == ' ');
	}
	putc('\n', out);
}

static void print_row(const struct options_row *r, FILE *out)
{
	const int column = r->group == OPTIONS_ORIGINAL ? W_LETTER : W_LONG;
	char name[64];

	spell(r, name, sizeof name);
	fprintf(out, "\t%-*s", column - 1, name);
	if ((int)strlen(name) < column)
		putc(' ', out);
	else
		fprintf(out, "\n\t%*s", column, "");
	print_wrapped(r->help, column, out);
}

static int is_chosen(const struct options_row *r, const struct choice *choice)
{
	if (!r->help || (choice->everyday && r->everyday != choice->everyday))
		return 0;
	if (choice->everyday)
		return choice->longs == (r->group != OPTIONS_ORIGINAL);
	return r->group == choice->group;
}

/* Print the chosen options, and title before the first of them. Returns their number. */
static int print_rows(const struct options_command *c, const struct choice *choice,
		      const char *title, FILE *out)
{
	int n = 0;

	for (const struct options_row *const *table = c->tables; *table; table++)
		for (const struct options_row *r = *table; r->value; r++) {
			if (!is_chosen(r, choice))
				continue;
			if (n++ == 0)
				fputs(title, out);
			print_row(r, out);
		}
	return n;
}

/* Print the everyday options among the letters or among the long options. */
static void print_everyday(const struct options_command *c, int longs, FILE *out)
{
	enum { LAST = 9 };
	int n = 0;

	for (int i = 1; i <= LAST; i++) {
		const struct choice choice = {.everyday = i, .longs = longs};

		n += print_rows(c, &choice, n ? "" : "\n", out);
	}
}

void usage_synopsis(const struct options_command *c, FILE *out)
{
	fprintf(out, c->synopsis, warn_name());
}

void usage_everyday(const struct options_command *c, FILE *out)
{
	usage_synopsis(c, out);
	print_everyday(c, 0, out);
	print_everyday(c, 1, out);
}

void usage_short(const struct options_command *c, FILE *out)
{
	if (!c->examples) {
		usage_all(c, out);
		return;
	}
	usage_everyday(c, out);
	fprintf(out, "\nExamples:\n");
	fprintf(out, c->examples, warn_name());
	fprintf(out, "\n\t--help=all lists all options; see %s.\n", c->see);
}

void usage_all(const struct options_command *c, FILE *out)
{
	static const char *const title[OPTIONS_GROUPS] = {
		[OPTIONS_ORIGINAL] = "\n",
		[OPTIONS_EVENTS] = "\nEvents:\n",
		[OPTIONS_OUTPUT] = "\nOutput:\n",
		[OPTIONS_SERIES] = "\nRepeated runs:\n",
		[OPTIONS_SIMULATION] = "\nSimulation:\n",
		[OPTIONS_INPUT] = "\nInput:\n",
		[OPTIONS_FILTERS] = "\nFilters:\n",
		[OPTIONS_INFORMATION] = "\nInformation:\n",
	};

	usage_synopsis(c, out);
	for (int i = 0; i < OPTIONS_GROUPS; i++) {
		const struct choice choice = {.group = (enum options_group)i};

		print_rows(c, &choice, title[i], out);
	}
	fprintf(out, "\n\tSee %s.\n", c->see);
}

void usage_hint(const struct options_command *c, FILE *out)
{
	fprintf(out, c->hint, warn_name());
}
