#include "rows.h"

#include <stdio.h>
#include <string.h>

typedef void print_row(const struct target *t, const struct options_row *r);

/* Call print for each row that the command shows: its options, or its operands. */
static void each_row(const struct target *t, int operands, print_row *print)
{
	for (const struct options_row *const *table = t->command->tables; *table; table++)
		for (const struct options_row *r = *table; r->value; r++)
			if (r->help && (r->value == OPTIONS_OPERAND) == operands)
				print(t, r);
}

static void each(const struct target *t, print_row *print)
{
	each_row(t, 0, print);
}

/* Call print for each set of options of the command. */
static void each_set(const struct target *t, void print(const struct target *t))
{
	const struct options_command *const *all = t->command->subcommands;
	struct target set = *t;

	if (all)
		set.command = all[0];
	print(&set);
	for (; all && *all; all++) {
		set.command = *all;
		set.set = set.command->subcommand;
		print(&set);
	}
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

static void letter(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (is_letter(r) && has_value(r))
		putchar(r->value);
}

void print_flags(const struct target *t)
{
	each(t, flag);
}

void print_letters(const struct target *t)
{
	each(t, letter);
}

void print_subcommands(const struct target *t)
{
	const struct options_command *const *all = t->command->subcommands;

	for (int i = 0; all && all[i]; i++)
		printf("%s%s", i ? " " : "", all[i]->subcommand);
}

static void long_option(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (r->name && r->arg && !r->optional)
		printf(" --%s", r->name);
}

static void valued(const struct target *t, const struct options_row *r)
{
	if (is_letter(r) && has_value(r))
		printf(" -%c", r->value);
	long_option(t, r);
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

/* Print "files" if this operand is the name of a file. */
static void operand(const struct target *t, const struct options_row *r)
{
	(void)t;
	if (r->completion == OPTIONS_COMPLETE_FILES)
		fputs(" files", stdout);
}

/* Print what the operands are: " command", a command to run, " files", or nothing. */
static void print_operands(const struct target *t)
{
	if (t->command->runs_program)
		fputs(" command", stdout);
	else
		each_row(t, 1, operand);
}

static void print_between(const char *before, const struct target *t, print_row *print,
			  const char *after)
{
	fputs(before, stdout);
	each(t, print);
	fputs(after, stdout);
}

static void bash_set(const struct target *t)
{
	printf("\t'%s')\n", t->set);
	/* A set of a regular expression must not be empty, and no option is a '/'. */
	print_between("\t\tflags='/", t, flag, "' ");
	print_between("letters='/", t, letter, "'\n");
	print_between("\t\tlongs='", t, long_option, "'\n");
	print_between("\t\toptions='", t, option, "'\n");
	fputs("\t\toperands='", stdout);
	print_operands(t);
	printf("' mixed=%s\n\t\t;;\n", t->command->permutes ? "1" : "");
}

void print_bash_sets(const struct target *t)
{
	each_set(t, bash_set);
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
		printf("%s-%c%s", t->set, r->value, r->name ? " | " : "");
	if (r->name)
		printf("%s--%s", t->set, r->name);
	fputs(") words='", stdout);
	print_words(t, r);
	fputs("'", stdout);
	if (r->completion < sizeof kind / sizeof kind[0] && kind[r->completion])
		printf(" kind=%s", kind[r->completion]);
	puts(" ;;");
}

static void bash_values(const struct target *t)
{
	each(t, bash_value);
}

void print_bash_values(const struct target *t)
{
	each_set(t, bash_values);
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
	printf(" \\\n\t\t'*%s%s[", name, end);
	print_quoted(r->help, "[]\\:");
	putchar(']');
	if (has_value(r)) {
		printf(":%s%s:", r->optional ? ":" : "", r->arg);
		zsh_action(t, r);
	}
	putchar('\'');
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

/* Print the arguments of _arguments that complete an operand. */
static void zsh_operand(const struct target *t, const struct options_row *r)
{
	if (r->completion != OPTIONS_COMPLETE_FILES)
		return;
	if (*t->set == '\0' && t->command->subcommand)
		fputs(" $first", stdout);
	printf(" '*:%s:_files'", r->arg);
}

static void zsh_set(const struct target *t)
{
	printf("'%s')\n\t_arguments -s -S%s", t->set,
	       t->command->permutes ? "" : " -A '-*'");
	if (t->command->runs_program)
		fputs(" '(-):command: _command_names -e' '*::arguments: _normal'",
		      stdout);
	else
		each_row(t, 1, zsh_operand);
	each(t, zsh_row);
	puts("\n\t;;");
}

void print_zsh_sets(const struct target *t)
{
	each_set(t, zsh_set);
}

static void fish_row(const struct target *t, const struct options_row *r)
{
	const int files = r->completion == OPTIONS_COMPLETE_FILES ||
			  r->completion == OPTIONS_COMPLETE_MACHINES;

	printf("complete -c %s -n '__%s_has_options \"%s\"'", t->name, t->name, t->set);
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

/* Print the call of complete that offers files, if the operands are files. */
static void fish_operand(const struct target *t, const struct options_row *r)
{
	if (r->completion == OPTIONS_COMPLETE_FILES)
		printf("complete -c %s -n '__%s_is \"%s\"' -F\n", t->name, t->name,
		       t->set);
}

static void fish_options(const struct target *t)
{
	each(t, fish_row);
	if (!t->command->runs_program) {
		each_row(t, 1, fish_operand);
		return;
	}
	printf("complete -c %s -n '__%s_is \"%s\"' -x -a '(__fish_complete_subcommand%s",
	       t->name, t->name, t->set, *t->set ? " --fcs-skip=2" : "");
	each(t, valued);
	puts(")'");
}

void print_fish_options(const struct target *t)
{
	each_set(t, fish_options);
}

static void fish_set(const struct target *t)
{
	printf("\t\tcase '%s'\n", t->set);
	print_between("\t\t\tset flags '/", t, flag, "'\n");
	print_between("\t\t\tset letters '/", t, letter, "'\n");
	print_between("\t\t\tset longs", t, long_option, "\n");
	printf("\t\t\tset mixed '%s'\n", t->command->permutes ? "1" : "");
}

void print_fish_sets(const struct target *t)
{
	each_set(t, fish_set);
}
