#include "rows.h"

#include <stdio.h>
#include <string.h>

/* Call print for each option that the command shows. */
static void each(const struct target *t,
		 void print(const struct target *t, const struct options_row *r))
{
	for (const struct options_row *const *table = t->command->tables; *table; table++)
		for (const struct options_row *r = *table; r->value; r++)
			if (r->help && r->value != OPTIONS_OPERAND)
				print(t, r);
}

static int is_letter(const struct options_row *r)
{
	return r->value < OPTIONS_OPERAND;
}

/* Is the argument a word that the user chooses? */
static int has_value(const struct options_row *r)
{
	return r->arg && !r->joined;
}

/* Print the values that are known, with blanks between them. Returns 0 without any. */
static int print_words(const struct target *t, const struct options_row *r)
{
	const char *more = NULL, *words = r->words;

	if (r->completion == OPTIONS_COMPLETE_CPUS)
		words = t->command->cpu_tables ? t->command->cpu_tables : t->cpus;
	if (r->completion == OPTIONS_COMPLETE_MACHINES)
		more = t->machines;
	if (r->value == OPTIONS_ENGINE && t->command->cpus)
		words = "auto kernel";
	printf("%s%s%s", words ? words : "", words && more ? " " : "", more ? more : "");
	return words || more;
}

static int has_words(const struct options_row *r)
{
	return r->words || r->completion == OPTIONS_COMPLETE_CPUS;
}

void print_name(const struct target *t)
{
	fputs(t->name, stdout);
}

static void flag(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (is_letter(r) && !r->arg)
		putchar(r->value);
}

void print_flags(const struct target *t)
{
	each(t, flag);
}

static void letter(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (is_letter(r) && has_value(r))
		putchar(r->value);
}

void print_letters(const struct target *t)
{
	each(t, letter);
}

static void long_option(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (r->name && r->arg && !r->optional)
		printf(" --%s", r->name);
}

void print_longs(const struct target *t)
{
	each(t, long_option);
}

static void valued(const struct target *t, const struct options_row *r)
{
	if (is_letter(r) && has_value(r))
		printf(" -%c", r->value);
	long_option(t, r);
}

void print_valued(const struct target *t)
{
	each(t, valued);
}

static void option(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (is_letter(r))
		printf(" -%c%s", r->value, r->joined ? r->arg : "");
	if (r->name && (!r->arg || r->optional))
		printf(" --%s", r->name);
	if (r->name && r->arg)
		printf(" --%s=", r->name);
}

void print_options(const struct target *t)
{
	each(t, option);
}

void print_operands(const struct target *t)
{
	fputs(t->command->runs_program ? "command" : "others", stdout);
}

static void bash_value(const struct target *t, const struct options_row *r)
{
	static const char *const kind[] = {
		[OPTIONS_COMPLETE_EVENTS] = "events",
		[OPTIONS_COMPLETE_FILES] = "files",
		[OPTIONS_COMPLETE_MACHINES] = "paths",
		[OPTIONS_COMPLETE_PIDS] = "pids",
	};

	if (!has_value(r))
		return;
	fputs("\t", stdout);
	if (is_letter(r))
		printf("-%c%s", r->value, r->name ? " | " : "");
	if (r->name)
		printf("--%s", r->name);
	fputs(") words='", stdout);
	print_words(t, r);
	fputs("'", stdout);
	if (r->completion < sizeof kind / sizeof kind[0] && kind[r->completion])
		printf(" kind=%s", kind[r->completion]);
	puts(" ;;");
}

void print_bash_values(const struct target *t)
{
	each(t, bash_value);
}

/* Print text inside single quotes; escape: characters that get a backslash. */
static void print_quoted(const char *text, const char *escape)
{
	for (; *text; text++) {
		if (strchr(escape, *text))
			putchar('\\');
		if (*text == '\'')
			fputs("'\\'", stdout);
		putchar(*text);
	}
}

/* Print the action of zsh that completes the argument. */
static void zsh_action(const struct target *t, const struct options_row *r)
{
	const char *const also = r->completion == OPTIONS_COMPLETE_FILES ? "; _files"
				 : r->completion == OPTIONS_COMPLETE_MACHINES
					 ? "; [[ $PREFIX != */* ]] || _files"
					 : "";

	if (r->completion == OPTIONS_COMPLETE_EVENTS) {
		printf("_%s_events", t->name);
	} else if (r->completion == OPTIONS_COMPLETE_PIDS) {
		fputs("_pids", stdout);
	} else if (has_words(r)) {
		fputs("{compadd ", stdout);
		print_words(t, r);
		printf("%s}", also);
	} else {
		fputs(*also ? "_files" : " ", stdout);
	}
}

/* Print one option as an argument of _arguments; name: with '-', end: what follows. */
static void zsh_option(const struct target *t, const struct options_row *r,
		       const char *name, const char *end)
{
	printf("\t'*%s%s[", name, end);
	print_quoted(r->help, "[]\\:");
	putchar(']');
	if (has_value(r)) {
		printf(":%s%s:", r->optional ? ":" : "", r->arg);
		zsh_action(t, r);
	}
	fputs("' \\\n", stdout);
}

static void zsh_row(const struct target *t, const struct options_row *r)
{
	char name[64];

	if (is_letter(r)) {
		snprintf(name, sizeof name, "-%c%s", r->value, r->joined ? r->arg : "");
		zsh_option(t, r, name, has_value(r) ? "+" : "");
	}
	if (r->name) {
		snprintf(name, sizeof name, "--%s", r->name);
		zsh_option(t, r, name, !r->arg ? "" : r->optional ? "=-" : "=");
	}
}

void print_zsh_options(const struct target *t)
{
	each(t, zsh_row);
}

static void fish_row(const struct target *t, const struct options_row *r)
{
	const int files = r->completion == OPTIONS_COMPLETE_FILES ||
			  r->completion == OPTIONS_COMPLETE_MACHINES;

	printf("complete -c %s -n __%s_has_options", t->name, t->name);
	if (is_letter(r))
		printf(" -%c %c%s", r->joined ? 'o' : 's', r->value,
		       r->joined ? r->arg : "");
	if (r->name)
		printf(" -l %s", r->name);
	if (has_value(r) && !r->optional)
		printf(" -r %s", files ? "-F" : "-f");
	if (r->completion == OPTIONS_COMPLETE_EVENTS) {
		printf(" -a '(__%s_events)'", t->name);
	} else if (r->completion == OPTIONS_COMPLETE_PIDS) {
		fputs(" -a '(__fish_complete_pids)'", stdout);
	} else if (has_words(r)) {
		fputs(" -a '", stdout);
		print_words(t, r);
		putchar('\'');
	}
	fputs(" -d '", stdout);
	print_quoted(r->help, "\\");
	puts("'");
}

void print_fish_options(const struct target *t)
{
	each(t, fish_row);
}
