#include "suite/profile/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

static size_t hash(const char *s)
{
	const uint64_t h = hash_text(HASH_START, s);

	return h ^ h >> 32;
}

/* Return the place of a string, or the free place where it belongs. */
static size_t *find(const struct intern *t, const char *s)
{
	size_t i = hash(s) & (t->size - 1);

	while (t->place[i] && strcmp(t->string[t->place[i] - 1], s) != 0)
		i = (i + 1) & (t->size - 1);
	return &t->place[i];
}

static int grow(struct intern *t)
{
	const size_t size = t->size ? 2 * t->size : 64;
	size_t *place = calloc(size, sizeof *place);
	char **string = reallocarray(t->string, size, sizeof *string);

	if (string)
		t->string = string;
	if (!place || !string) {
		free(place);
		return -1;
	}
	free(t->place);
	t->place = place;
	t->size = size;
	for (size_t i = 0; i < t->n; i++)
		*find(t, t->string[i]) = i + 1;
	return 0;
}

size_t intern(struct intern *t, const char *s)
{
	if (2 * t->n >= t->size && grow(t) == -1) {
		t->failed = 1;
		return 0;
	}
	size_t *place = find(t, s);

	if (*place == 0) {
		t->string[t->n] = strdup(s);
		if (!t->string[t->n]) {
			t->failed = 1;
			return 0;
		}
		*place = ++t->n;
	}
	return *place - 1;
}

size_t intern_text(struct intern *t, struct textbuf *b)
{
	char *s = textbuf_end(b);
	const size_t i = s ? intern(t, s) : 0;

	t->failed |= !s;
	free(s);
	*b = (struct textbuf){0};
	return i;
}

void intern_free(struct intern *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->string[i]);
	free(t->string);
	free(t->place);
	*t = (struct intern){0};
}
