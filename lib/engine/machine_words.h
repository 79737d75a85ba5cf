/* The words of a machine's text, and of changes of a machine. */
#ifndef ENGINE_MACHINE_WORDS_H
#define ENGINE_MACHINE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/words.h"
#include "sim/shared/machine.h"

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
			       const struct line_words *line);

/* Store the words of the line that a change makes; line: the changed line, or NULL. */
void machine_row_words(const char *set, const struct line_words *line,
		       struct line_words *words);

/* Return the key and the value of a change KEY=VALUE, which may be empty. */
struct word machine_changed_key(const char *set);
struct word machine_value(const char *set);

#endif
