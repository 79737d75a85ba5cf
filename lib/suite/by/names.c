#include "suite/by/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Returns the slot of a name: 0 if the name was not seen. There are free slots. */
static unsigned *find_slot(const struct names *names, const struct names_entry *e)
{
	for (uint64_t i = e->hash;; i++) {
		unsigned *slot = &names->slot[i & (names->slots - 1)];
		const struct names_entry *found = *slot ? names->entry[*slot - 1] : e;

		if (!*slot || (found->hash == e->hash && found->len == e->len &&
			       memcmp(found->text, e->text, e->len) == 0))
			return slot;
	}
}

/* Returns an entry with a copy of the text behind it. */
static struct names_entry *new_entry(const struct names_entry *wanted, unsigned number)
{
	struct names_entry *e = malloc(sizeof *e + wanted->len + 1);

	if (!e)
		return NULL;
	char *copy = memcpy(e + 1, wanted->text, wanted->len);
	copy[wanted->len] = '\0';
	*e = (struct names_entry){copy, wanted->len, number, wanted->hash};
	return e;
}

/* Make room for another name: at most half of the slots are taken. */
static int make_room(struct names *names)
{
	const unsigned room = names->room ? 2 * names->room : 16;

	if (names->n < names->room)
		return 0;
	struct names_entry **entry = reallocarray(names->entry, room, sizeof *entry);
	if (!entry)
		return -1;
	names->entry = entry;
	unsigned *slot = calloc(2 * (size_t)room, sizeof *slot);
	if (!slot)
		return -1;
	free(names->slot);
	names->slot = slot;
	names->slots = 2 * room;
	names->room = room;
	for (unsigned i = 0; i < names->n; i++)
		*find_slot(names, entry[i]) = i + 1;
	return 0;
}

int names_find(const struct names *names, const char *text, size_t len, unsigned *number)
{
	const struct names_entry wanted = {
		.text = text, .len = len, .hash = hash_bytes(HASH_START, text, len)};
	const unsigned slot = names->slots ? *find_slot(names, &wanted) : 0;

	if (slot)
		*number = slot - 1;
	return slot > 0;
}

int names_number(struct names *names, const char *text, size_t len, unsigned *number)
{
	const struct names_entry wanted = {
		.text = text, .len = len, .hash = hash_bytes(HASH_START, text, len)};

	if (make_room(names) == -1)
		return -1;
	unsigned *slot = find_slot(names, &wanted);
	if (*slot) {
		*number = *slot - 1;
		return 0;
	}
	struct names_entry *e = new_entry(&wanted, names->n);
	if (!e)
		return -1;
	names->entry[names->n] = e;
	*number = names->n++;
	*slot = names->n;
	return 1;
}

void names_free(struct names *names)
{
	for (unsigned i = 0; i < names->n; i++)
		free(names->entry[i]);
	free(names->entry);
	free(names->slot);
	*names = (struct names){.n = 0};
}
