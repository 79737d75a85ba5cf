#include "suite/saved/lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "suite/saved/scan.h"

/*
 * The version of the records that this reader knows, the most bytes of a line, and how
 * many bytes are read at once at first.
 */
enum { SCHEMA = 2, MOST_BYTES = 1 << 28, FIRST_BYTES = 1 << 16 };

/* A file, and the bytes of it that have been read but not taken. */
struct reader {
	int fd;
	uint64_t number;   /* of the line at begin, from 1 */
	char *bytes;	   /* [room] */
	size_t begin, end; /* end is less than room, so that a NUL can be there */
	size_t room;
};

/* A line in the bytes of the reader. A NUL ends the text. */
struct line {
	uint64_t number;
	const char *text;
	size_t len;
	int ended; /* by a line break */
};

enum result { LINE_READ, LINE_NONE, LINE_NOT_JSON, LINE_TOO_LONG, LINE_FAILED };

/* Move the bytes to the front, and make room for more. */
static int make_room(struct reader *r)
{
	const size_t left = r->end - r->begin;

	if (r->begin > 0 && left > 0)
		memmove(r->bytes, r->bytes + r->begin, left);
	r->begin = 0;
	r->end = left;
	if (left + 1 < r->room)
		return 0;
	const size_t room = r->room ? 2 * r->room : FIRST_BYTES;
	char *grown = realloc(r->bytes, room);
	if (!grown)
		return -1;
	r->bytes = grown;
	r->room = room;
	return 0;
}

/* Returns how many bytes were read behind those that are left; 0 at the end; or -1. */
static ssize_t read_more(struct reader *r)
{
	ssize_t n;

	if (make_room(r) == -1)
		return -1;
	do
		n = read(r->fd, r->bytes + r->end, r->room - 1 - r->end);
	while (n == -1 && errno == EINTR);
	if (n > 0)
		r->end += (size_t)n;
	return n;
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Pass blanks and empty lines. Returns whether a byte follows, or -1. */
static int pass_blanks(struct reader *r)
{
	for (;; r->begin++) {
		if (r->begin == r->end) {
			const ssize_t n = read_more(r);

			if (n <= 0)
				return (int)n;
		}
		const char c = r->bytes[r->begin];
		r->number += c == '\n';
		if (c != '\n' && !is_blank(c))
			return 1;
	}
}

/* Find the end of the line that begins with the bytes. */
static enum result find_end(struct reader *r, size_t *len, int *ended)
{
	size_t seen = 0;

	for (;;) {
		const size_t left = r->end - r->begin;
		const char *begin = r->bytes + r->begin;
		const char *end = memchr(begin + seen, '\n', left - seen);

		*ended = end != NULL;
		*len = end ? (size_t)(end - begin) : left;
		if (*len > MOST_BYTES)
			return LINE_TOO_LONG;
		if (end)
			return LINE_READ;
		seen = left;
		const ssize_t n = read_more(r);
		if (n <= 0)
			return n == 0 ? LINE_READ : LINE_FAILED;
	}
}

/*
 * Read the next line that is not empty. Only an object is read further than to its first
 * byte, so that another file ends the reading at once, however long its lines are.
 */
static enum result next_line(struct reader *r, struct line *l)
{
	const int follows = pass_blanks(r);
	size_t len;

	l->number = r->number;
	if (follows <= 0)
		return follows == 0 ? LINE_NONE : LINE_FAILED;
	if (r->bytes[r->begin] != '{')
		return LINE_NOT_JSON;
	const enum result result = find_end(r, &len, &l->ended);
	if (result != LINE_READ)
		return result;
	char *text = r->bytes + r->begin;
	r->begin += len + (size_t)l->ended;
	r->number += (uint64_t)l->ended;
	while (is_blank(text[len - 1]))
		len--;
	text[len] = '\0';
	l->text = text;
	l->len = len;
	return LINE_READ;
}

/* Write into why the reason for which the text of a line cannot be scanned. */
static int not_json(const struct line *l, const struct scan *s, char *why, size_t size)
{
	const unsigned long long number = l->number;

	if (errno != EINVAL)
		snprintf(why, size, "line %llu: %s", number, strerror(errno));
	else if (!l->ended)
		snprintf(why, size,
			 "line %llu is cut off: the file ends in the middle of it",
			 number);
	else
		snprintf(why, size, "line %llu is not JSON: %s at byte %zu", number,
			 s->error, s->at);
	return -1;
}

static enum saved_kind kind_of(const char *name)
{
	static const char *const names[] = {
		[SAVED_RUN] = "run",
		[SAVED_SAMPLE] = "sample",
		[SAVED_TOTAL] = "total",
		[SAVED_EVENT] = "event",
		[SAVED_STATISTIC] = "statistic",
		[SAVED_SERIES] = "series",
		[SAVED_FUNCTION] = "function",
		[SAVED_COMPARISON] = "comparison",
		[SAVED_GATE] = "gate",
		[SAVED_WHERE] = "where",
		[SAVED_END] = "end",
	};

	for (unsigned i = SAVED_RUN; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(names[i], name) == 0)
			return (enum saved_kind)i;
	return SAVED_OTHER;
}

/* Check what each record has. Returns -1 after writing into why. */
static int check(struct saved_line *r, char *why, size_t size)
{
	const char *kind = saved_text(r->json, "record");
	uint64_t schema;

	r->run = saved_text(r->json, "run");
	if (!kind || !r->run ||
	    saved_number(r->json, "schema", UINT64_MAX, &schema) == -1) {
		snprintf(why, size,
			 "line %llu is not a record: it lacks schema, record or run",
			 (unsigned long long)r->number);
		return -1;
	}
	r->kind = kind_of(kind);
	if (schema <= SCHEMA)
		return 0;
	snprintf(why, size,
		 "line %llu is a record of schema %llu; this version reads records up to "
		 "schema %d",
		 (unsigned long long)r->number, (unsigned long long)schema, SCHEMA);
	return -1;
}

static int take_line(const struct line *l, struct scan *s,
		     const struct saved_taker *taker, char *why, size_t size)
{
	struct saved_line r = {.number = l->number, .text = l->text, .len = l->len};
	char reason[256] = "";

	if (scan_text(s, l->text, l->len) == -1)
		return not_json(l, s, why, size);
	r.json = s->node;
	if (check(&r, why, size) == -1)
		return -1;
	if (taker->take(taker->arg, &r, reason, sizeof reason) == 0)
		return 0;
	if (*reason)
		snprintf(why, size, "line %llu: %s", (unsigned long long)r.number,
			 reason);
	return -1;
}

/* Write into why the reason for which no line could be read. */
static int no_line(enum result r, const struct line *l, char *why, size_t size)
{
	const unsigned long long number = l->number;

	if (r == LINE_NOT_JSON)
		snprintf(
			why, size,
			"line %llu is not a record, which begins with '{'; --format=json "
			"and --save write records",
			number);
	else if (r == LINE_TOO_LONG)
		snprintf(why, size, "line %llu is longer than %d MiB", number,
			 MOST_BYTES >> 20);
	else
		snprintf(why, size, "%s", strerror(errno));
	return -1;
}

static int read_lines(int fd, const struct saved_taker *taker, char *why, size_t size)
{
	struct reader r = {.fd = fd, .number = 1};
	struct scan s = {.node = NULL};
	struct line l;
	enum result result;
	int rc = 0;

	while (rc == 0 && (result = next_line(&r, &l)) != LINE_NONE)
		rc = result == LINE_READ ? take_line(&l, &s, taker, why, size)
					 : no_line(result, &l, why, size);
	scan_free(&s);
	free(r.bytes);
	return rc;
}

int saved_lines(const char *path, const struct saved_taker *taker, char *why, size_t size)
{
	const int is_input = strcmp(path, "-") == 0;
	const int fd = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	*why = '\0';
	if (fd == -1) {
		snprintf(why, size, "%s", strerror(errno));
		return -1;
	}
	const int rc = read_lines(fd, taker, why, size);
	if (!is_input)
		close(fd);
	return rc;
}
