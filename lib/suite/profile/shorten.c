#include "suite/profile/shorten.h"

#include <string.h>

#include "base/text.h"

static const char dots[] = "...";

enum { DOTS = sizeof dots - 1 };

/* Return the end of the first n characters. */
static char *skip(char *s, size_t n)
{
	while (n--)
		do
			s++;
		while (((unsigned char)*s & 0xc0) == 0x80);
	return s;
}

static void cut_middle(char *s, size_t max)
{
	const size_t width = text_width(s), tail = max / 3;
	char *const middle = skip(s, max - DOTS - tail);
	char *const end = skip(s, width - tail);

	memcpy(middle, dots, DOTS);
	memmove(middle + DOTS, end, strlen(end) + 1);
}

static size_t prefix(const char *s, const char *word)
{
	const size_t n = strlen(word);

	return strncmp(s, word, n) == 0 ? n : 0;
}

/* Return how many bytes at s have brackets that enclose nothing, such as "operator->". */
static size_t other_brackets(const char *s)
{
	const size_t n = prefix(s, "operator");

	if (n && (prefix(s + n, "()") || prefix(s + n, "[]")))
		return n + 2;
	if (n)
		return n + strspn(s + n, "<=>-");
	return prefix(s, "->") + prefix(s, "(anonymous namespace)");
}

/*
 * Return the length of the part of a name at s, and set *change to 1 if the part is an
 * opening bracket, to -1 if it is a closing one, else to 0.
 */
static size_t next_part(const char *s, int *change)
{
	const size_t n = other_brackets(s);

	*change = n ? 0 : (strchr("<([{", *s) != NULL) - (strchr(">)]}", *s) != NULL);
	return n ? n : 1;
}

/* Return how deep the brackets are nested, or 0 if one has no partner. */
static int deepest(const char *s)
{
	int depth = 0, most = 0, change;

	while (*s && depth >= 0) {
		s += next_part(s, &change);
		depth += change;
		if (depth > most)
			most = depth;
	}
	return depth ? 0 : most;
}

/* s is behind an opening bracket. Return the number of bytes before its partner. */
static size_t enclosed(const char *s)
{
	const char *const begin = s;
	int depth = 1, change;

	for (;;) {
		const size_t n = next_part(s, &change);

		depth += change;
		if (!depth)
			return (size_t)(s - begin);
		s += n;
	}
}

/* Replace what brackets of this depth enclose; all brackets have partners. */
static void empty_brackets(char *s, int wanted)
{
	char *to = s;
	int depth = 0, change;

	while (*s) {
		size_t n = next_part(s, &change);

		memmove(to, s, n);
		to += n;
		s += n;
		depth += change;
		if (change != 1 || depth != wanted || (n = enclosed(s)) <= DOTS)
			continue;
		memcpy(to, dots, DOTS);
		to += DOTS;
		s += n;
	}
	*to = '\0';
}

void shorten(char *s, size_t max)
{
	for (int depth = deepest(s); depth > 0 && text_width(s) > max; depth--)
		empty_brackets(s, depth);
	if (text_width(s) > max)
		cut_middle(s, max);
}
