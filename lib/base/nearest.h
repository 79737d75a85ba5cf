/* Suggestions for a name that is not known: the nearest of the names that are known. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

enum { NEAREST_MAX = 3 };

struct nearest {
	const char *wanted; /* the unknown name */
	unsigned n;	    /* names found so far */
	const char
		*name[NEAREST_MAX]; /* the best first; pointers given to nearest_add() */
	unsigned distance[NEAREST_MAX]; /* in quarters of an edit */
};

/* Start a search. wanted must live as long as the struct. */
void nearest_init(struct nearest *s, const char *wanted);

/*
 * Offer a known name, which must live as long as the struct. The struct keeps the nearest
 * names; of equally near names the first offered is kept. A name is near if edits
 * (insert, delete, replace, swap neighbours) of at most a third of the length of wanted
 * lead to it; a change of case or between '_', '-' and '.' is a quarter of an edit. Names
 * that begin with wanted or contain it come after these names, if wanted has at least 4
 * bytes. Names of 512 bytes and more are ignored.
 */
void nearest_add(struct nearest *s, const char *name);

/*
 * Write "did you mean 'A', 'B' or 'C'?" into buf, or "" if no name is near; the text is
 * cut at size - 1 bytes. Returns buf.
 */
const char *nearest_text(const struct nearest *s, char *buf, unsigned size);

#endif
