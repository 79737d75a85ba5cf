#include "engine/machine_words.h"

#include <ctype.h>
#include <string.h>

int machine_find_word(const char *list, struct word w)
{
	for (int i = 0; *list; i++) {
		const size_t len = strcspn(list, " ");

		if (len == w.len && memcmp(list, w.s, len) == 0)
			return i;
		list += len + (list[len] == ' ');
	}
	return -1;
}

int64_t machine_number(struct word w)
{
	static const char suffix[] = "KMG";
	const char *s =
		w.len > 1 ? memchr(suffix, w.s[w.len - 1], sizeof suffix - 1) : NULL;
	const size_t digits = w.len - (s != NULL);
	int64_t v = 0;

	if (digits == 0 || digits > 9 || (digits > 1 && w.s[0] == '0'))
		return -1;
	for (size_t i = 0; i < digits; i++) {
		if (!isdigit((unsigned char)w.s[i]))
			return -1;
		v = v * 10 + (w.s[i] - '0');
	}
	return s ? v << 10 * (s - suffix + 1) : v;
}

double machine_decimal(struct word w)
{
	size_t i = 0, decimals = 0;
	double v = 0, scale = 1;

	for (; i < w.len && isdigit((unsigned char)w.s[i]); i++)
		v = v * 10 + (w.s[i] - '0');
	if (i == 0 || i > 6 || (i > 1 && w.s[0] == '0'))
		return -1;
	if (i < w.len && (w.s[i++] != '.' || i == w.len))
		return -1;
	for (; i < w.len && isdigit((unsigned char)w.s[i]); i++, decimals++) {
		v = v * 10 + (w.s[i] - '0');
		scale *= 10;
	}
	/*
	 * The quotient of two exact numbers is the double nearest to the decimal
	 * number.
	 */
	return i < w.len || decimals > 9 ? -1 : v / scale;
}

static int words_equal(struct word a, struct word b)
{
	return a.len == b.len && memcmp(a.s, b.s, a.len) == 0;
}

struct word machine_changed_key(const char *set)
{
	return (struct word){set, strcspn(set, "=")};
}

struct word machine_value(const char *set)
{
	const char *s = strchr(set, '=');

	s = s ? s + 1 : "";
	return (struct word){s, strlen(s)};
}

const char *machine_change(const struct machine_changes *changes, struct word key)
{
	for (unsigned i = changes->n; i-- > 0;)
		if (words_equal(machine_changed_key(changes->set[i]), key))
			return changes->set[i];
	return NULL;
}

/* The part of a key before its first dot, and the part behind it. */
static struct word head(struct word key)
{
	const char *dot = memchr(key.s, '.', key.len);

	return (struct word){key.s, dot ? (size_t)(dot - key.s) : key.len};
}

static struct word tail(struct word key)
{
	const size_t n = head(key).len;

	return n < key.len ? (struct word){key.s + n + 1, key.len - n - 1}
			   : (struct word){key.s + n, 0};
}

int machine_is_row(struct word key)
{
	return (word_is(head(key), "penalty") || word_is(head(key), "timing")) &&
	       head(key).len < key.len;
}

const char *machine_row_change(const struct machine_changes *changes,
			       const struct line_words *line)
{
	for (unsigned i = changes->n; line->n >= 2 && i-- > 0;) {
		const struct word key = machine_changed_key(changes->set[i]);

		if (machine_is_row(key) && words_equal(head(key), line->word[0]) &&
		    words_equal(tail(key), line->word[1]))
			return changes->set[i];
	}
	return NULL;
}

void machine_row_words(const char *set, const struct line_words *line,
		       struct line_words *words)
{
	const struct word key = machine_changed_key(set), value = machine_value(set);
	struct line_words rest;

	words_split(&rest, value.s, value.s + value.len);
	words->word[0] = head(key);
	words->word[1] = tail(key);
	words->n = 2 + rest.n;
	for (unsigned i = 0; i < rest.n && i + 2 < WORDS_MOST; i++)
		words->word[2 + i] = rest.word[i];
	/* A change of a penalty may leave out the group. */
	if (words->n == 3 && line && line->n == 4)
		words->word[words->n++] = line->word[3];
}

const struct machine_key *machine_find_key(struct word w)
{
	for (const struct machine_key *k = machine_keys; k->name; k++)
		if (word_is(w, k->name))
			return k;
	return NULL;
}
