#include "suite/saved/scan.h"

#include <endian.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/*
 * How many values may be around a value, and how many members of an object are compared
 * with each new one.
 */
enum { MOST_DEPTH = 2047, FEW_MEMBERS = 64 };

/*
 * The place in the text. A NUL ends the text, and is nowhere valid in it, so that no loop
 * needs the length.
 */
struct place {
	struct scan *scan;
	const char *begin, *p, *end;
	char *out;	/* the next free byte of the strings */
	uint32_t n;	/* the number of values so far */
	unsigned depth; /* of the values around this one */
};

static int fail(struct place *at, const char *error)
{
	at->scan->error = error;
	at->scan->at = (size_t)(at->p - at->begin) + 1;
	errno = EINVAL;
	return -1;
}

static void skip_blanks(struct place *at)
{
	while (*at->p == ' ' || *at->p == '\t' || *at->p == '\n' || *at->p == '\r')
		at->p++;
}

/* Pass a byte behind blanks. Returns whether it is there. */
static int pass(struct place *at, char c)
{
	skip_blanks(at);
	if (*at->p != c)
		return 0;
	at->p++;
	return 1;
}

/*
 * Returns a word with the highest bit of each byte of w set that a string cannot have as
 * it is: a control character, a quotation mark, a backslash, or a byte above 127. Bytes
 * above such a byte may be marked, too.
 */
static uint64_t special(uint64_t w)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	const uint64_t quote = w ^ ones * '"', backslash = w ^ ones * '\\';

	return ((w - ones * ' ') | (quote - ones) | (backslash - ones) | w) & ones * 0x80;
}

static int is_plain(char c)
{
	return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' &&
	       c != '\\';
}

/*
 * Copy the bytes of a string up to one that is special: eight at a time, of which those
 * that are too many are overwritten.
 */
static void copy_plain(struct place *at)
{
	while (at->end - at->p >= 8) {
		uint64_t w;

		memcpy(&w, at->p, 8);
		memcpy(at->out, &w, 8);
		const uint64_t found = special(le64toh(w));
		const int n = found ? __builtin_ctzll(found) / 8 : 8;
		at->p += n;
		at->out += n;
		if (n < 8)
			return;
	}
	while (is_plain(*at->p))
		*at->out++ = *at->p++;
}

/* Store the four digits behind "\u". Returns 0, or -1 if there are no such digits. */
static int read_unit(const char *p, unsigned *unit)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";

	if (p[0] != '\\' || p[1] != 'u')
		return -1;
	*unit = 0;
	for (unsigned i = 2; i < 6; i++) {
		const char *digit = p[i] ? strchr(digits, p[i]) : NULL;

		if (!digit)
			return -1;
		*unit = *unit << 4 | (unsigned)((digit - digits) & 15);
	}
	return 0;
}

/* Append a character as UTF-8. */
static void put_character(struct place *at, unsigned c)
{
	const unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
	static const unsigned char first[] = {0, 0xc0, 0xe0, 0xf0};

	*at->out++ = (char)(first[more] | c >> 6 * more);
	for (unsigned i = more; i > 0; i--)
		*at->out++ = (char)(0x80 | (c >> 6 * (i - 1) & 0x3f));
}

/* Source: RFC 8259, section 7: a character above U+FFFF is a pair of surrogates. */
static int copy_unicode(struct place *at)
{
	unsigned c, low;

	if (read_unit(at->p, &c) == -1)
		return fail(at, "an unknown escape in a string");
	if (c == 0)
		return fail(at, "a NUL in a string");
	if (c < 0xd800 || c > 0xdfff) {
		at->p += 6;
	} else if (c > 0xdbff || read_unit(at->p + 6, &low) == -1 || low < 0xdc00 ||
		   low > 0xdfff) {
		return fail(at, "half of a surrogate pair in a string");
	} else {
		at->p += 12;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	put_character(at, c);
	return 0;
}

static int copy_escape(struct place *at)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char c = at->p[1];
	const char *found = c ? strchr(from, c) : NULL;

	if (!found)
		return copy_unicode(at);
	*at->out++ = to[found - from];
	at->p += 2;
	return 0;
}

/* Copy a character that is neither ASCII nor an escape. */
static int copy_character(struct place *at)
{
	if (at->p == at->end)
		return fail(at, "a string without an end");
	if ((unsigned char)*at->p < ' ')
		return fail(at, "a control character in a string");
	const unsigned n = text_utf8_len(at->p);
	if (!n)
		return fail(at, "bytes in a string that are not UTF-8");
	memcpy(at->out, at->p, n);
	at->p += n;
	at->out += n;
	return 0;
}

/* Returns a string, or NULL. The strings need no more bytes than the text. */
static const char *scan_string(struct place *at)
{
	const char *string = at->out;

	at->p++;
	for (copy_plain(at); *at->p != '"'; copy_plain(at))
		if ((*at->p == '\\' ? copy_escape : copy_character)(at) == -1)
			return NULL;
	at->p++;
	*at->out++ = '\0';
	return string;
}

/* Pass at least one digit. Returns how many there are, or -1. */
static ptrdiff_t pass_digits(struct place *at)
{
	const char *begin = at->p;

	while (*at->p >= '0' && *at->p <= '9')
		at->p++;
	return at->p > begin ? at->p - begin : fail(at, "a digit is missing");
}

/* Convert n digits. Returns 0, or -1 if the integer is beyond 2^64-1. */
static int read_integer(const char *digit, ptrdiff_t n, uint64_t *v)
{
	static const uint64_t tenth = UINT64_MAX / 10;

	*v = 0;
	for (ptrdiff_t i = 0; i < n && i < 19; i++)
		*v = *v * 10 + (uint64_t)(digit[i] - '0');
	if (n < 20)
		return 0;
	const uint64_t last = (uint64_t)(digit[19] - '0');
	if (n > 20 || *v > tenth || (*v == tenth && last > UINT64_MAX % 10))
		return -1;
	*v = *v * 10 + last;
	return 0;
}

/* Pass a fraction and an exponent. Returns whether there is one, or -1. */
static int scan_fraction(struct place *at)
{
	const char *begin = at->p;

	if (*at->p == '.') {
		at->p++;
		if (pass_digits(at) == -1)
			return -1;
	}
	if (*at->p == 'e' || *at->p == 'E') {
		at->p++;
		at->p += *at->p == '+' || *at->p == '-';
		if (pass_digits(at) == -1)
			return -1;
	}
	return at->p != begin;
}

/* The commands have the locale "C", by which strtod(3) reads numbers as JSON has them. */
static int store_real(struct place *at, struct saved_node *v, const char *begin)
{
	const size_t len = (size_t)(at->p - begin);

	memcpy(at->out, begin, len);
	at->out[len] = '\0';
	v->kind = NODE_REAL;
	v->real = strtod(at->out, NULL);
	return isinf(v->real) ? fail(at, "a number beyond the range of a double") : 0;
}

static int scan_number(struct place *at, struct saved_node *v)
{
	const char *begin = at->p;
	const int is_negative = *begin == '-';
	ptrdiff_t digits = 1;

	at->p += is_negative;
	/* No digit follows a zero at the begin. */
	if (*at->p == '0')
		at->p++;
	else
		digits = pass_digits(at);
	const int has_fraction = digits == -1 ? -1 : scan_fraction(at);
	if (has_fraction == -1)
		return -1;
	if (is_negative || has_fraction || read_integer(begin, digits, &v->integer) == -1)
		return store_real(at, v, begin);
	v->kind = NODE_INTEGER;
	return 0;
}

static int scan_word(struct place *at, struct saved_node *v)
{
	static const struct {
		char word[8];
		unsigned len;
		enum node_kind kind;
	} words[] = {
		{"null", 4, NODE_NULL}, {"true", 4, NODE_TRUE}, {"false", 5, NODE_FALSE}};

	for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strncmp(at->p, words[i].word, words[i].len) == 0) {
			at->p += words[i].len;
			v->kind = words[i].kind;
			return 0;
		}
	return fail(at, "a value is missing");
}

/* Returns the place of a new value, or NULL with ENOMEM. Other places may change. */
static struct saved_node *add_node(struct place *at, const char *key)
{
	struct scan *s = at->scan;

	if (at->n == s->nodes) {
		const size_t room = s->nodes ? 2 * s->nodes : 256;
		struct saved_node *grown = reallocarray(s->node, room, sizeof *grown);

		if (!grown)
			return NULL;
		s->node = grown;
		s->nodes = room;
	}
	struct saved_node *v = &s->node[at->n++];
	*v = (struct saved_node){
		.key = key, .nodes = 1, .at = (uint32_t)(at->p - at->begin)};
	return v;
}

static int scan_value(struct place *at, const char *key);

static int scan_array(struct place *at, uint32_t array)
{
	at->p++;
	if (pass(at, ']'))
		return 0;
	do {
		if (scan_value(at, NULL) == -1)
			return -1;
		at->scan->node[array].n++;
	} while (pass(at, ','));
	return pass(at, ']') ? 0 : fail(at, "a ',' or ']' is missing");
}

/* The members of an object that is being scanned. */
struct members {
	uint32_t object;
	uint64_t seen; /* a bit for each key, which several keys may share */
};

/* Returns a bit that depends on the key. */
static uint64_t bit_of(const char *key, size_t len)
{
	const unsigned first = (unsigned char)key[0],
		       middle = (unsigned char)key[len / 2];

	return UINT64_C(1) << (first * 5 + middle * 11 + len * 23) % 64;
}

static int is_twice(struct place *at, struct members *m, const char *key)
{
	const uint64_t bit = bit_of(key, (size_t)(at->out - 1 - key));
	struct saved_node *object = &at->scan->node[m->object];

	if (!(m->seen & bit)) {
		m->seen |= bit;
		return 0;
	}
	/* The object is complete but for the number of its values. */
	object->nodes = at->n - m->object;
	return object->n < FEW_MEMBERS && saved_member(object, key);
}

static int by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* Check that no two of many keys are equal. */
static int check_keys(struct place *at, uint32_t number)
{
	const struct saved_node *object = &at->scan->node[number], *v = object + 1;
	const char **key = calloc(object->n, sizeof *key);
	int is_equal = 0;

	if (!key)
		return -1;
	for (uint32_t i = 0; i < object->n; i++, v += v->nodes)
		key[i] = v->key;
	qsort(key, object->n, sizeof *key, by_text);
	for (uint32_t i = 1; i < object->n; i++)
		is_equal |= strcmp(key[i - 1], key[i]) == 0;
	free(key);
	return is_equal ? fail(at, "an object has a key twice") : 0;
}

static int scan_member(struct place *at, struct members *m)
{
	skip_blanks(at);
	if (*at->p != '"')
		return fail(at, "a key is missing");
	const char *key = scan_string(at);
	if (!key)
		return -1;
	if (is_twice(at, m, key))
		return fail(at, "an object has a key twice");
	if (!pass(at, ':'))
		return fail(at, "a ':' is missing");
	if (scan_value(at, key) == -1)
		return -1;
	at->scan->node[m->object].n++;
	return 0;
}

static int scan_object(struct place *at, uint32_t object)
{
	struct members m = {.object = object};

	at->p++;
	if (pass(at, '}'))
		return 0;
	do
		if (scan_member(at, &m) == -1)
			return -1;
	while (pass(at, ','));
	if (!pass(at, '}'))
		return fail(at, "a ',' or '}' is missing");
	return at->scan->node[object].n > FEW_MEMBERS ? check_keys(at, object) : 0;
}

/* Scan an object or an array, and the values in it. */
static int scan_values(struct place *at, uint32_t number)
{
	const int is_object = *at->p == '{';

	at->scan->node[number].kind = is_object ? NODE_OBJECT : NODE_ARRAY;
	at->depth++;
	if ((is_object ? scan_object : scan_array)(at, number) == -1)
		return -1;
	at->depth--;
	at->scan->node[number].nodes = at->n - number;
	return 0;
}

static int scan_value(struct place *at, const char *key)
{
	skip_blanks(at);
	if (at->depth > MOST_DEPTH)
		return fail(at, "a value in more than 2047 others");
	struct saved_node *v = add_node(at, key);
	if (!v)
		return -1;
	if (*at->p == '{' || *at->p == '[')
		return scan_values(at, at->n - 1);
	if (*at->p == '"') {
		v->kind = NODE_STRING;
		v->string = scan_string(at);
		return v->string ? 0 : -1;
	}
	if (*at->p == '-' || (*at->p >= '0' && *at->p <= '9'))
		return scan_number(at, v);
	return scan_word(at, v);
}

/* Make room for the strings: for those of the text, and eight bytes that are too many. */
static int make_room(struct scan *s, size_t len)
{
	const size_t room = len + 16;

	if (room <= s->bytes)
		return 0;
	char *grown = realloc(s->strings, 2 * room);
	if (!grown)
		return -1;
	s->strings = grown;
	s->bytes = 2 * room;
	return 0;
}

int scan_text(struct scan *s, const char *text, size_t len)
{
	struct place at = {.scan = s, .begin = text, .p = text, .end = text + len};

	if (len > UINT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	if (make_room(s, len) == -1)
		return -1;
	at.out = s->strings;
	skip_blanks(&at);
	if (*at.p != '{' && *at.p != '[')
		return fail(&at, "an object or an array is missing");
	if (scan_value(&at, NULL) == -1)
		return -1;
	skip_blanks(&at);
	return at.p == at.end ? 0 : fail(&at, "bytes follow the value");
}

void scan_free(struct scan *s)
{
	free(s->node);
	free(s->strings);
	*s = (struct scan){.node = NULL};
}
