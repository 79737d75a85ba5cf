/*
 * Tables of options. The parser, the help and the completions of shells are made from
 * them. The tables are data without calls, so that a program of the build can have them.
 */
#ifndef COMMON_OPTIONS_TABLE_H
#define COMMON_OPTIONS_TABLE_H

/* The values of the shared options: larger than any letter. */
enum {
	OPTIONS_OPERAND = 255, /* the row describes an operand, not an option */
	OPTIONS_ALL,
	OPTIONS_BASELINE,
	OPTIONS_CHART, /* of the commands with samples at intervals */
	OPTIONS_CONFIDENCE,
	OPTIONS_CPU,
	OPTIONS_DOCTOR,
	OPTIONS_ENGINE,
	OPTIONS_EXPLAIN,
	OPTIONS_FORMAT,
	OPTIONS_HELP,
	OPTIONS_LABEL,
	OPTIONS_LIMIT,
	OPTIONS_LIST,
	OPTIONS_MACHINE,
	OPTIONS_NAMES_ONLY,
	OPTIONS_PRECISION,
	OPTIONS_QUIET,
	OPTIONS_REPEAT,
	OPTIONS_REPRODUCIBLE,
	OPTIONS_SAVE,
	OPTIONS_SEED,
	OPTIONS_SET,
	OPTIONS_STRICT,
	OPTIONS_SUMMARY,
	OPTIONS_VERSION,
	OPTIONS_VS,
	OPTIONS_WHERE,
	OPTIONS_TRACKER, /* cputrack and perfex */
	OPTIONS_END	 /* a command numbers its own long options from here */
};

/* --help=all shows the options in these groups, in this order. */
enum options_group {
	OPTIONS_ORIGINAL, /* letters and operands, as the original command has them */
	OPTIONS_EVENTS,
	OPTIONS_OUTPUT,
	OPTIONS_SERIES,
	OPTIONS_SIMULATION,
	OPTIONS_INPUT,
	OPTIONS_FILTERS,
	OPTIONS_INFORMATION,
	OPTIONS_GROUPS /* the number of groups */
};

/* What a shell offers for the argument of an option, beside the row's words. */
enum options_completion {
	OPTIONS_COMPLETE_WORDS, /* nothing else */
	OPTIONS_COMPLETE_CPUS,	/* processors that have a table of events */
	OPTIONS_COMPLETE_EVENTS,
	OPTIONS_COMPLETE_FILES,
	OPTIONS_COMPLETE_MACHINES,
	OPTIONS_COMPLETE_PIDS
};

struct options_row {
	int value;	  /* the letter, or a number above all letters */
	const char *name; /* the long option, or NULL */
	const char *arg;  /* the name of its argument, or NULL: it takes none */
	const char *help; /* one sentence without a full stop, or NULL: not shown */
	enum options_group group;
	int optional; /* the argument can be left out */
	int joined;   /* the argument is one fixed letter, as in -mp */
	int everyday; /* --help shows the option: those with 1 first, then with 2, ... */
	enum options_completion completion;
	const char *words; /* values to complete, with blanks between them, or NULL */
};

/* A command, or a subcommand, and its options. */
struct options_command {
	const char *name;	/* for --version */
	const char *subcommand; /* the word that chooses it, or NULL */
	/* What the first word can choose, and NULL; the first is meant without it. */
	const struct options_command *const *subcommands;
	/* These three are formats; %1$s is the name by which the command was called. */
	const char *synopsis;
	const char *examples; /* or NULL: the command has no everyday options */
	const char *hint;     /* where to read more */
	const char *see;      /* which manual pages describe the command */
	/* Tables that end with a row of zeros; the first NULL ends the list. */
	const struct options_row *tables[8];
	const char *cpu_tables; /* what --cpu takes, with blanks; NULL: each table */
	int cpus;		/* the command counts CPUs, not programs */
	int permutes;		/* options may follow operands */
	int runs_program;	/* the operands are a command with its arguments */
	int shows_usage;	/* a bad letter or operand shows everyday options, too */
};

/*
 * Each command and subcommand has the options of options_every. Commands that count have
 * options_shared. options_series has the options of repeated runs (repeat.h), whose
 * commands have options_series_format; options_compare has the options of comparisons
 * with saved runs, and options_simulation those of commands that simulate (machine.h).
 */
extern const struct options_row options_every[];
extern const struct options_row options_shared[];
extern const struct options_row options_format[];
extern const struct options_row options_series_format[]; /* in its place */
extern const struct options_row options_series[];
extern const struct options_row options_compare[];
extern const struct options_row options_simulation[];

#endif
