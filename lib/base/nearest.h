/* Nearest names: what a user may have meant by a name that is not known. */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

enum { NEAREST_MAX = 3 };

struct nearest {
	const char *want;
	unsigned n;			/* names found so far */
	const char *name[NEAREST_MAX];	/* best first; pointers as given to nearest_add */
	unsigned distance[NEAREST_MAX]; /* quarters of an edit */
};

/* want must live as long as the struct. */
void nearest_init(struct nearest *s, const char *want);

/*
 * Offer a candidate, which must live as long as the struct. It is kept if near enough and
 * nearer than the worst kept; of equals the first offered stays. Near is what takes edits
 * (insert, delete, replace, swap neighbours) for at most a third of want's length, a
 * change of case or between '_', '-' and '.' being a quarter of one; behind these come
 * names that begin with want or have it inside, from 4 bytes on. Names of 512 bytes and
 * more are not looked at.
 */
void nearest_add(struct nearest *s, const char *name);

/*
 * "did you mean 'A', 'B' or 'C'?" into buf, or "" if nothing is near; cut at size - 1
 * bytes. Returns buf.
 */
const char *nearest_text(const struct nearest *s, char *buf, unsigned size);

#endif
