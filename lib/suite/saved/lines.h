/*
 * Files of records (opencpc-records(5)), read record by record: the memory depends on the
 * longest line, and not on the number of records.
 */
#ifndef SUITE_SAVED_LINES_H
#define SUITE_SAVED_LINES_H

#include "suite/saved/node.h"

enum saved_kind {
	SAVED_OTHER, /* a kind that this version does not know */
	SAVED_RUN,
	SAVED_SAMPLE,
	SAVED_TOTAL,
	SAVED_EVENT,
	SAVED_STATISTIC,
	SAVED_SERIES,
	SAVED_FUNCTION,
	SAVED_COMPARISON,
	SAVED_GATE,
	SAVED_WHERE,
	SAVED_END
};

/* A record, which lives until the function that takes it returns. */
struct saved_line {
	uint64_t number; /* of the line, from 1 */
	enum saved_kind kind;
	const char *run;	       /* the id of the run */
	const struct saved_node *json; /* the object; saved_copy() keeps it */
	const char *text;	       /* the bytes of the line, without its end */
	size_t len;
};

/*
 * Takes the records of a file. take() returns 0; or -1, after which no more is read, with
 * the reason in why, which has size bytes: "its values are malformed". The reader puts
 * the number of the line before a reason that is not "".
 */
struct saved_taker {
	void *arg;
	int (*take)(void *arg, const struct saved_line *line, char *why, size_t size);
};

/*
 * Read the records of a file; "-" is standard input. Returns 0; or -1 after writing into
 * why, which has size bytes, why the file cannot be read, or not to its end. The records
 * before that line have been taken.
 */
int saved_lines(const char *path, const struct saved_taker *taker, char *why,
		size_t size);

#endif
