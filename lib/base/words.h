/* The lines of a text as words with blanks between them. */
#ifndef BASE_WORDS_H
#define BASE_WORDS_H

#include <stddef.h>

enum { WORDS_MOST = 5, WORD_SHOWN = 40 };

/* A part of a line, not terminated. */
struct word {
	const char *s;
	size_t len;
};

/* The words of a line without its comment, which '#' at the start of a word begins. */
struct line_words {
	unsigned n; /* how many the line has, or WORDS_MOST + 1 if it has more */
	struct word word[WORDS_MOST];
	struct word rest; /* from the second word to the end of the last one */
};

/* The arguments with which printf("%.*s") shows a word, or the start of a long word. */
#define WORD(w) (int)((w).len < WORD_SHOWN ? (w).len : WORD_SHOWN), (w).s

/* Return whether a word is the string s. */
int word_is(struct word w, const char *s);

/* Return whether a character separates words: a blank, a tab or a carriage return. */
int words_is_blank(char c);

/* Split the line from s to end. */
void words_split(struct line_words *line, const char *s, const char *end);

#endif
