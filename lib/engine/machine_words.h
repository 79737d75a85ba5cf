/* The words of a machine's text, and of changes of a machine. */
#ifndef ENGINE_MACHINE_WORDS_H
#define ENGINE_MACHINE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/shared/machine.h"

enum { MACHINE_WORDS = 5, LONGEST_WORD = 40 };

/* A part of a line, not terminated. */
struct word {
	const char *s;
	size_t len;
};

struct machine_words {
	unsigned n; /* words of the line, at most MACHINE_WORDS + 1 */
	struct word word[MACHINE_WORDS];
};

/* The arguments of "%.*s" for a word, which is cut if it is long. */
#define WORD(w) (int)((w).len < LONGEST_WORD ? (w).len : LONGEST_WORD), (w).s

int word_is(struct word w, const char *s);

int machine_is_blank(char c);

/* Split the line from s to end into words, without its comment. */
void machine_split(struct machine_words *p, const char *s, const char *end);

/* Returns the index of a word in a list of words with blanks between them, or -1. */
int machine_find_word(const char *list, struct word w);

/* Read a number with an optional K, M or G. Returns -1 if the word is no such number. */
int64_t machine_number(struct word w);

/* Read a number with decimals. Returns -1 if the word is no such number. */
double machine_decimal(struct word w);

/* Returns the row of a key, or NULL. */
const struct machine_key *machine_find_key(struct word w);

/* Changes KEY=VALUE, of which a later one counts. */
struct machine_changes {
	unsigned n;
	const char *const *set;
};

/* Returns the last change of a key, or NULL. */
const char *machine_change(const struct machine_changes *changes, struct word key);

/*
 * Lines of more than two words, "penalty COUNTER CYCLES GROUP" and "timing OP LATENCY
 * REPEAT UNITS", are changed by "penalty.COUNTER=CYCLES [GROUP]" and "timing.OP=LATENCY
 * REPEAT UNITS". Returns whether a key is that of such a change.
 */
int machine_is_row(struct word key);

/*
 * Returns the last change of a line with these words, which may be of any kind, or
 * NULL.
 */
const char *machine_row_change(const struct machine_changes *changes,
			       const struct machine_words *line);

/* Store the words of the line that a change makes; line: the changed line, or NULL. */
void machine_row_words(const char *set, const struct machine_words *line,
		       struct machine_words *words);

/* Return the key and the value of a change KEY=VALUE, which may be empty. */
struct word machine_changed_key(const char *set);
struct word machine_value(const char *set);

#endif
