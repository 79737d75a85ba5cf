#include "suite/saved/lines.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"

/* The version of the records that this reader knows, and the most bytes of a line. */
enum { SCHEMA = 2, MOST_BYTES = 1 << 28 };

/* The line that is being read. */
struct line {
	uint64_t number;
	char *s;
	size_t len, room;
	int ended; /* by a line break */
};

enum result { LINE_READ, LINE_NONE, LINE_NOT_JSON, LINE_TOO_LONG, LINE_FAILED };

static int add(struct line *l, int c)
{
	if (l->len == l->room) {
		const size_t room = l->room ? 2 * l->room : 4096;
		char *s = realloc(l->s, room);

		if (!s)
			return -1;
		l->s = s;
		l->room = room;
	}
	l->s[l->len++] = (char)c;
	return 0;
}

static int is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/*
 * Read the rest of a line. Only an object is read further than to its first byte, so that
 * another file ends the reading at once, however long its lines are.
 */
static enum result read_rest(struct line *l, FILE *f)
{
	int c, begun = 0;

	while ((c = getc_unlocked(f)) != EOF && c != '\n') {
		if (!begun && is_blank(c))
			continue;
		if (!begun && c != '{')
			return LINE_NOT_JSON;
		begun = 1;
		if (l->len == MOST_BYTES)
			return LINE_TOO_LONG;
		if (add(l, c) == -1)
			return LINE_FAILED;
	}
	while (l->len > 0 && is_blank(l->s[l->len - 1]))
		l->len--;
	l->ended = c == '\n';
	return ferror(f) ? LINE_FAILED : LINE_READ;
}

/* Read the next line that is not empty. */
static enum result next_line(struct line *l, FILE *f)
{
	enum result r;

	do {
		l->len = 0;
		l->number++;
		r = read_rest(l, f);
	} while (r == LINE_READ && l->len == 0 && l->ended);
	return r == LINE_READ && l->len == 0 ? LINE_NONE : r;
}

/* Integers above 2^63-1, which are rare, are read as real numbers. */
static json_t *parse(const struct line *l, json_error_t *error)
{
	json_t *json = json_loadb(l->s, l->len, JSON_REJECT_DUPLICATES, error);

	if (json || json_error_code(error) != json_error_numeric_overflow)
		return json;
	return json_loadb(l->s, l->len, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
			  error);
}

static int not_json(const struct line *l, const json_error_t *error, char *why,
		    size_t size)
{
	if (!l->ended)
		snprintf(why, size,
			 "line %llu is cut off: the file ends in the middle of it",
			 (unsigned long long)l->number);
	else
		snprintf(why, size, "line %llu is not JSON: %s",
			 (unsigned long long)l->number, error->text);
	/* The text of the error has some of the line. */
	text_clean(why, "");
	return -1;
}

static enum saved_kind kind_of(const char *name, size_t len)
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
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
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
	r->kind = kind_of(kind, strlen(kind));
	if (schema <= SCHEMA)
		return 0;
	snprintf(why, size,
		 "line %llu is a record of schema %llu; this version reads records up to "
		 "schema %d",
		 (unsigned long long)r->number, (unsigned long long)schema, SCHEMA);
	return -1;
}

static int hand_over(const struct line *l, json_t *json, const struct saved_taker *taker,
		     char *why, size_t size)
{
	struct saved_line r = {
		.number = l->number, .json = json, .text = l->s, .len = l->len};
	char reason[256] = "";

	if (check(&r, why, size) == -1)
		return -1;
	if (taker->take(taker->arg, &r, reason, sizeof reason) == 0)
		return 0;
	if (*reason)
		snprintf(why, size, "line %llu: %s", (unsigned long long)r.number,
			 reason);
	return -1;
}

/* Returns whether the record is of a kind that is passed over. */
static int is_passed(const struct line *l, unsigned passed)
{
	static const char begin[] = "{\"schema\":2,\"record\":\"";
	const size_t n = sizeof begin - 1;

	if (!passed || !l->ended || l->len <= n || l->s[l->len - 1] != '}' ||
	    memcmp(l->s, begin, n) != 0)
		return 0;
	const char *name = l->s + n, *end = memchr(name, '"', l->len - n);
	return end && passed & 1U << kind_of(name, (size_t)(end - name));
}

static int take_line(const struct line *l, const struct saved_taker *taker, char *why,
		     size_t size)
{
	json_error_t error;

	if (is_passed(l, taker->passed))
		return 0;
	json_t *json = parse(l, &error);

	if (!json)
		return not_json(l, &error, why, size);
	const int rc = hand_over(l, json, taker, why, size);
	json_decref(json);
	return rc;
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

static int read_lines(FILE *f, const struct saved_taker *taker, char *why, size_t size)
{
	struct line l = {0};
	enum result r;
	int rc = 0;

	while (rc == 0 && (r = next_line(&l, f)) != LINE_NONE)
		rc = r == LINE_READ ? take_line(&l, taker, why, size)
				    : no_line(r, &l, why, size);
	free(l.s);
	return rc;
}

int saved_lines(const char *path, const struct saved_taker *taker, char *why, size_t size)
{
	const int is_input = strcmp(path, "-") == 0;
	FILE *f = is_input ? stdin : fopen(path, "re");

	*why = '\0';
	if (!f) {
		snprintf(why, size, "%s", strerror(errno));
		return -1;
	}
	const int rc = read_lines(f, taker, why, size);
	if (!is_input)
		fclose(f);
	return rc;
}

const char *saved_text(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

int saved_value(const json_t *n, uint64_t most, uint64_t *v)
{
	const double real = json_real_value(n);

	if (json_is_integer(n) && json_integer_value(n) >= 0)
		*v = (uint64_t)json_integer_value(n);
	else if (json_is_real(n) && real >= 0 && real <= 0x1p64 && real == floor(real))
		*v = real < 0x1p64 ? (uint64_t)real : UINT64_MAX;
	else
		return -1;
	return *v <= most ? 0 : -1;
}

int saved_number(const json_t *object, const char *key, uint64_t most, uint64_t *v)
{
	return saved_value(json_object_get(object, key), most, v);
}
