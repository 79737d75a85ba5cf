#include "base/nearest.h"

#include <ctype.h>
#include <string.h>

#include "base/say.h"

/* Costs are in quarters of an edit: a wrong case is near whatever the length. */
enum { EDIT = 4, ALIKE = 1, MIN_INSIDE = 4, MAX_LEN = 511 };

static unsigned min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static int fold(char c)
{
	return c == '-' || c == '.' ? '_' : tolower((unsigned char)c);
}

static unsigned cost(char a, char b)
{
	return a == b ? 0 : fold(a) == fold(b) ? ALIKE : EDIT;
}

/*
 * Optimal string alignment: Levenshtein's distance with a swap of neighbours as one edit.
 * Row i holds the distances from the first i bytes of a; three rows are enough.
 */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned rows[3][MAX_LEN + 1];

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j * EDIT;
	for (size_t i = 1; i <= na; i++) {
		const unsigned *const last = rows[(i + 2) % 3];
		const unsigned *const last2 = rows[(i + 1) % 3];
		unsigned *const row = rows[i % 3];

		row[0] = i * EDIT;
		for (size_t j = 1; j <= nb; j++) {
			const unsigned replace = last[j - 1] + cost(a[i - 1], b[j - 1]);

			row[j] = min(min(last[j], row[j - 1]) + EDIT, replace);
			if (i > 1 && j > 1)
				row[j] = min(row[j], last2[j - 2] + EDIT +
							     cost(a[i - 1], b[j - 2]) +
							     cost(a[i - 2], b[j - 1]));
		}
	}
	return rows[na % 3][nb];
}

/* Find wanted in name, in any case. Returns 0 if at its start, 1 if later, else -1. */
static int find_inside(const char *wanted, size_t nwanted, const char *name, size_t nname)
{
	for (size_t at = 0; at + nwanted <= nname; at++) {
		size_t i = 0;

		while (i < nwanted && fold(wanted[i]) == fold(name[at + i]))
			i++;
		if (i == nwanted)
			return at > 0;
	}
	return -1;
}

/* Return the distance of name from wanted, or -1 if name is not near. */
static int distance_from(const char *wanted, const char *name)
{
	const size_t nwanted = strlen(wanted), nname = strlen(name);
	if (nwanted > MAX_LEN || nname > MAX_LEN)
		return -1;

	const int limit = nwanted * EDIT / 3;
	const unsigned d = distance(wanted, nwanted, name, nname);
	if ((int)d <= limit)
		return d;

	const int where =
		nwanted < MIN_INSIDE ? -1 : find_inside(wanted, nwanted, name, nname);
	return where < 0 ? -1 : limit + 1 + where;
}

void nearest_init(struct nearest *s, const char *wanted)
{
	*s = (struct nearest){.wanted = wanted};
}

void nearest_add(struct nearest *s, const char *name)
{
	const int d = distance_from(s->wanted, name);
	unsigned at = s->n;

	if (d < 0)
		return;
	for (unsigned i = 0; i < s->n; i++)
		if (!strcmp(s->name[i], name))
			return;
	while (at && s->distance[at - 1] > (unsigned)d)
		at--;
	if (at == NEAREST_MAX)
		return;
	s->n = min(s->n + 1, NEAREST_MAX);
	for (unsigned i = s->n - 1; i > at; i--) {
		s->name[i] = s->name[i - 1];
		s->distance[i] = s->distance[i - 1];
	}
	s->name[at] = name;
	s->distance[at] = d;
}

const char *nearest_text(const struct nearest *s, char *buf, unsigned size)
{
	if (!size)
		return buf;
	*buf = '\0';
	for (unsigned i = 0; i < s->n; i++) {
		const char *const end = i + 1 == s->n	? "?"
					: i + 2 == s->n ? " or "
							: ", ";

		say_add(buf, size, "%s'%s'%s", i ? "" : "did you mean ", s->name[i], end);
	}
	return buf;
}
