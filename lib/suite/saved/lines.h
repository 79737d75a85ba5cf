/*
 * Files of records (opencpc-records(5)), read record by record: the memory depends on the
 * longest line, and not on the number of records.
 */
#ifndef SUITE_SAVED_LINES_H
#define SUITE_SAVED_LINES_H

#include <stddef.h>
#include <stdint.h>

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
	const char *run;     /* the id of the run */
	struct json_t *json; /* the object; json_incref() keeps it */
	const char *text;    /* the bytes of the line, without its end */
	size_t len;
};

/*
 * Takes the records of a file. take() returns 0; or -1, after which no more is read, with
 * the reason in why, which has size bytes: "its values are malformed". The reader puts
 * the number of the line before a reason that is not "".
 *
 * passed has a bit, 1 << kind, for each kind of records that are passed over: if a whole
 * line begins as the commands write such a record, its rest is not looked at, which takes
 * a tenth of the time. Other records of the kind may be taken.
 */
struct saved_taker {
	void *arg;
	int (*take)(void *arg, const struct saved_line *line, char *why, size_t size);
	unsigned passed;
};

/*
 * Read the records of a file; "-" is standard input. Returns 0; or -1 after writing into
 * why, which has size bytes, why the file cannot be read, or not to its end. The records
 * before that line have been taken.
 */
int saved_lines(const char *path, const struct saved_taker *taker, char *why,
		size_t size);

/* Returns the string of a member, which lives as long as the object, or NULL. */
const char *saved_text(const struct json_t *object, const char *key);

/*
 * Store a number or a member of an object, an integer from 0 to most. An integer above
 * 2^63-1 may have been rounded. Returns 0, or -1 if there is no such number.
 */
int saved_value(const struct json_t *n, uint64_t most, uint64_t *v);
int saved_number(const struct json_t *object, const char *key, uint64_t most,
		 uint64_t *v);

#endif
