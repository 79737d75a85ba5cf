#include "suite/by/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
	const struct names_entry *x = a, *y = b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->text, y->text, x->len);
}

/* Returns an entry with a copy of the text behind it. */
static struct names_entry *new_entry(const char *text, size_t len, unsigned number)
{
	struct names_entry *e = malloc(sizeof *e + len + 1);

	if (!e)
		return NULL;
	char *copy = memcpy(e + 1, text, len);
	copy[len] = '\0';
	*e = (struct names_entry){copy, len, number};
	return e;
}

static int make_room(struct names *names)
{
	const unsigned room = names->room ? 2 * names->room : 16;
	struct names_entry **grown;

	if (names->n < names->room)
		return 0;
	grown = reallocarray(names->entry, room, sizeof(struct names_entry *));
	if (!grown)
		return -1;
	names->entry = grown;
	names->room = room;
	return 0;
}

int names_find(const struct names *names, const char *text, size_t len, unsigned *number)
{
	const struct names_entry wanted = {text, len, 0};
	struct names_entry *const *found = tfind(&wanted, &names->tree, compare);

	if (found)
		*number = (*found)->number;
	return found != NULL;
}

int names_number(struct names *names, const char *text, size_t len, unsigned *number)
{
	if (names_find(names, text, len, number))
		return 0;
	struct names_entry *e =
		make_room(names) == -1 ? NULL : new_entry(text, len, names->n);
	if (!e || !tsearch(e, &names->tree, compare)) {
		free(e);
		return -1;
	}
	names->entry[names->n] = e;
	*number = names->n++;
	return 1;
}

static void keep(void *entry)
{
	(void)entry;
}

void names_free(struct names *names)
{
	tdestroy(names->tree, keep);
	for (unsigned i = 0; i < names->n; i++)
		free(names->entry[i]);
	free(names->entry);
	*names = (struct names){.tree = NULL};
}
