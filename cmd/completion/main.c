/*
 * completion COMMAND NAME CPUS MACHINES < TEMPLATE: print the completions of a command,
 * which users call NAME, by the template of a shell. The build runs this program; it is
 * not installed. CPUS and MACHINES are the names that --cpu and --machine take, with
 * blanks between them. In the template @WORD@ stands for a part that is made from the
 * table of options.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpcreport/options_table.h"
#include "cpustat/options_table.h"
#include "cputrack/options_table.h"
#include "lwprec/options_table.h"
#include "perfex/options_table.h"
#include "rows.h"

static const struct options_command *const commands[] = {
	&cputrack_command,  &perfex_command, &cpustat_command,
	&cpcreport_command, &lwprec_command,
};

static const struct {
	const char *word;
	void (*print)(const struct target *t);
} parts[] = {
	{"@NAME@", print_name},
	{"@FLAGS@", print_flags},
	{"@LETTERS@", print_letters},
	{"@SUBCOMMANDS@", print_subcommands},
	{"@BASH_SETS@", print_bash_sets},
	{"@BASH_VALUES@", print_bash_values},
	{"@ZSH_SETS@", print_zsh_sets},
	{"@FISH_SETS@", print_fish_sets},
	{"@FISH_OPTIONS@", print_fish_options},
};

/* If text begins with the name of a part, print the part. Returns the name's length. */
static size_t print_part(const struct target *t, const char *text)
{
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		const size_t n = strlen(parts[i].word);

		if (strncmp(text, parts[i].word, n) != 0)
			continue;
		parts[i].print(t);
		return n;
	}
	return 0;
}

static void print_line(const struct target *t, const char *line)
{
	while (*line) {
		const size_t n = *line == '@' ? print_part(t, line) : 0;

		if (n == 0)
			putchar(*line++);
		line += n;
	}
}

static const struct options_command *find(const char *name)
{
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	errx(1, "no table of options is known for the command '%s'", name);
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t size = 0;

	if (argc != 5)
		errx(1, "usage: completion COMMAND NAME CPUS MACHINES < TEMPLATE");
	const struct target t = {find(argv[1]), "", argv[2], argv[3], argv[4]};
	while (getline(&line, &size, stdin) != -1)
		print_line(&t, line);
	free(line);
	if (ferror(stdin) || fflush(stdout) != 0 || ferror(stdout))
		err(1, "cannot write the completions of %s", t.name);
	return 0;
}
