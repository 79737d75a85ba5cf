/* A search for events by words, which the name and the title of an event must have. */
#ifndef SUITE_TELL_WORDS_H
#define SUITE_TELL_WORDS_H

/* How well an event fits the words, the worst first. */
enum words_fit {
	WORDS_NONE,  /* a word is missing */
	WORDS_TITLE, /* all words are in the name and the title */
	WORDS_NAME,  /* all words are in the name */
	WORDS_EXACT, /* the words are the name */
};

struct words;

/*
 * Begin a search. Each of the n texts is split into words at blanks. Returns NULL with
 * ENOMEM; words_free() frees the search.
 */
struct words *words_new(unsigned n, const char *const *text);
void words_free(struct words *w);

/* Returns 1 if no word was given: every event has all words. */
int words_are_none(const struct words *w);

/*
 * Find the words in the name or the title (NULL: none) of an event, in any order. Case is
 * ignored, punctuation separates words as blanks do, a word may be a part of a longer
 * one, and its plural, its singular or a synonym (table/synonyms.h) stands for it. A word
 * with *, ? or [ is a pattern of fnmatch(3) for the whole name, and a word with ':' is
 * for names with ':'. *inside is 1 if a word was only found inside of a longer one.
 */
enum words_fit words_find(const struct words *w, const char *name, const char *title,
			  int *inside);

/*
 * Returns 1 if a word begins with the group of a tracepoint, whose name is GROUP:NAME, or
 * with a pattern for the group, and a ':' follows.
 */
int words_match_group(const struct words *w, const char *name);

/* Returns 1 if a word begins with what could be the group of tracepoints, and a ':'. */
int words_have_group(const struct words *w);

/*
 * Returns the word if there is only one and it is no pattern, as it was given; else NULL.
 */
const char *words_name(const struct words *w);

#endif
