/* The parts of completions that are made from the table of options of a command. */
#ifndef COMPLETION_ROWS_H
#define COMPLETION_ROWS_H

#include "common/options_table.h"

struct target {
	const struct options_command *command;
	const char *name;     /* by which users call the command */
	const char *cpus;     /* the names that --cpu takes, with blanks between them */
	const char *machines; /* the same for --machine */
};

/* Each prints a part on standard output. Options that --help=all hides are left out. */
void print_name(const struct target *t);
void print_flags(const struct target *t);   /* the letters without an argument */
void print_letters(const struct target *t); /* the letters that take an argument */
void print_longs(const struct target *t);   /* the same for long options, as words */
void print_valued(const struct target *t);  /* both kinds, as words */
void print_options(const struct target *t); /* all, as words */
/* "command": the operands are a command to run; or "others" */
void print_operands(const struct target *t);

/* Lines of a case statement that sets kind and words for an option in $opt. */
void print_bash_values(const struct target *t);
/* Arguments of _arguments. */
void print_zsh_options(const struct target *t);
/* Calls of complete. */
void print_fish_options(const struct target *t);

#endif
