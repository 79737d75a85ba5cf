/* The parts of completions that are made from the table of options of a command. */
#ifndef COMPLETION_ROWS_H
#define COMPLETION_ROWS_H

#include "common/options_table.h"

struct target {
	const struct options_command *command; /* the whole, or a subcommand */
	const char *set;      /* the subcommand of this set of options, or empty */
	const char *name;     /* by which users call the command */
	const char *cpus;     /* the names that --cpu takes, with blanks between them */
	const char *machines; /* the same for --machine */
};

/*
 * Each prints a part on standard output. Options that --help=all hides are left out. A
 * command has a set of options for each subcommand, and one, whose name is empty, for
 * command lines that name none.
 */
void print_name(const struct target *t);
void print_flags(const struct target *t);	/* the letters without an argument */
void print_letters(const struct target *t);	/* the letters that take an argument */
void print_subcommands(const struct target *t); /* the words that choose a set */

/* Lines of a case statement that sets what describes the set in $command. */
void print_bash_sets(const struct target *t);
/* Lines of a case statement that sets kind and words for "$command$opt". */
void print_bash_values(const struct target *t);
/* Lines of a case statement that calls _arguments for the set in $command. */
void print_zsh_sets(const struct target *t);
/* Lines of a switch statement that sets what describes the set in $command. */
void print_fish_sets(const struct target *t);
/* Calls of complete. */
void print_fish_options(const struct target *t);

#endif
