/* The command line of cpcreport. */
#ifndef CPCREPORT_OPTIONS_H
#define CPCREPORT_OPTIONS_H

#include "common/options.h"
#include "suite/by/by.h"
#include "suite/report/report.h"

struct options {
	struct options_shared shared;
	const struct report_writer *writer; /* of --format */
	int chart;			    /* --chart */
	int is_joined;			    /* --by */
	struct by by;			    /* of --by */
	enum text_format by_format;	    /* of --format with --by */
	char *output;			    /* -o with placeholders expanded, or NULL */
	char **file;			    /* at least one, then NULL */
};

/*
 * Parse the command line. Exits with a message if the use is bad, and after --help and
 * --version. options_free() frees what *o owns.
 */
void options_parse(struct options *o, int argc, char **argv);
void options_free(struct options *o);

#endif
