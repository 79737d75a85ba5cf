/* Words that mean the same in a search for events (events/synonyms). */
#ifndef TABLE_SYNONYMS_H
#define TABLE_SYNONYMS_H

/* A word that people search for, and words in names and titles that mean the same. */
struct synonym {
	const char *word, *means;
};

/* In no order; a word has an entry for each of its synonyms. Ends with NULL. */
extern const struct synonym synonyms[];

#endif
