/* The options that all commands share, and helpers for the options of each command. */
#ifndef COMMON_OPTIONS_H
#define COMMON_OPTIONS_H

#include <getopt.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "options_table.h"
#include "suite/record/label.h"
#include "suite/series/gate.h"

struct machine;

/* The options of repeated runs (repeat.h). */
struct options_series {
	int on;		  /* --repeat or --vs was given */
	size_t runs;	  /* --repeat, or 0: auto */
	double seconds;	  /* auto stops after these */
	unsigned nvs;	  /* --vs */
	const char **vs;  /* to be freed */
	double precision; /* auto stops when both sides of the interval are this narrow */
	double alpha;	  /* 1 - --confidence */
	struct gate gate; /* --limit */
	const char *baseline; /* --baseline, or NULL */
	char *save;	      /* --save with its placeholders expanded, or NULL */
	int where;	      /* --where */
	const char *detail;   /* an option that has no effect without runs, or NULL */
	int has_seed;	      /* --seed */
	uint64_t seed;
};

/* The values of the shared options; options_shared_free() frees them. */
struct options_shared {
	const struct options_command *command;
	const char *cpu;       /* --cpu, or NULL */
	const char *engine;    /* --engine or CPC_ENGINE, or NULL */
	const char *engine_by; /* the one of these two that gave the engine */
	unsigned nwords;
	const char **word;	  /* --list=WORDS, and the operands behind --list */
	int all;		  /* --all: list what cannot be counted, too */
	int names_only;		  /* --names-only: list names alone */
	enum text_format format;  /* --format */
	const char *reproducible; /* the level of --reproducible, or NULL */
	int strict;		  /* --strict */
	int summary;		  /* --summary, or that is the default */
	struct options_series series;
	int records;	     /* a file of records is written beside the output */
	struct labels label; /* --label */
	const char *machine; /* --machine, or NULL */
	unsigned nset;
	const char **set;	   /* --set */
	struct machine *simulated; /* the machine of --machine with --set, or NULL */
	char *const *argv;	   /* the words of the command line */
	enum {
		OPTIONS_MEASURE,
		OPTIONS_SHOW_LIST,
		OPTIONS_SHOW_DOCTOR,
		OPTIONS_SHOW_MACHINE,
		OPTIONS_SHOW_EXPLAIN
	} show;
};

/*
 * Return the next option of a command: the value of its row, '?' after a message, or -1.
 * optarg and optind are those of getopt_long(3). Operands behind --list are words of the
 * list, and may be followed by options. Every character of a message is printable.
 */
int options_read(struct options_shared *s, int argc, char **argv);

/* Set the values that the options of the command line argv may change. */
void options_shared_begin(struct options_shared *s, const struct options_command *c,
			  char *const *argv);

/*
 * Handle c, which options_read() returned. Exits on --help and --version, and with the
 * usage if c is none of the shared options.
 */
void options_shared_parse(struct options_shared *s, int c);

void options_shared_free(struct options_shared *s);

/*
 * Bad usage exits with EXIT_USAGE after a message, the synopsis and the hint on standard
 * error; the whole usage would scroll the message away. Where the original prints the
 * whole usage, which is for its letters and operands, the command prints its everyday
 * options, too.
 *
 * options_bad() is for letters and operands, options_bad_long() for long options and
 * variables of the environment, options_bad_spec() for use after a message.
 */
void options_bad(const struct options_command *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));
void options_bad_long(const struct options_command *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), noreturn));
void options_bad_spec(const struct options_command *c) __attribute__((noreturn));

/*
 * As options_bad(), for the value of a letter ("-p") or of an operand ("interval"). The
 * words for an operand begin as Solaris had them: invalid argument "X".
 */
void options_bad_value(const struct options_command *c, const char *option,
		       const char *text, const char *fmt, ...)
	__attribute__((format(printf, 4, 5), noreturn));

/* How a command learns of LWPs (--tracker). */
enum tracker { TRACKER_AUTO, TRACKER_RECORDS, TRACKER_BPF, TRACKER_PTRACE };

/* Return the tracker of this name. Exits with options_bad_long() if there is none. */
enum tracker options_tracker(const struct options_command *c, const char *name);

/* Return the name of a tracker, as --tracker and the records of a run have it. */
const char *options_tracker_name(enum tracker t);

/*
 * Return the decimal number in text. Exits with options_bad_value() if text is not a
 * number from min to max.
 */
long long options_number(const struct options_command *c, const char *option,
			 const char *text, long long min, long long max);

/*
 * Like options_number(), for a number of seconds from 0 to max, which may have a
 * fraction.
 */
double options_seconds(const struct options_command *c, const char *option,
		       const char *text, double max);

/* Append spec to a malloc'ed array of *n elements. Exits if no memory is available. */
void options_add_spec(const char ***specs, unsigned *n, const char *spec);

#endif
