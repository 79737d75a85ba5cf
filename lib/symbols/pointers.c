#include "symbols/pointers.h"

#include <stdlib.h>

/* Return the entry of a key, or the empty entry where it belongs. */
static struct pointers_entry *place(struct pointers_entry *list, size_t room,
				    const void *key)
{
	/* Multiplied by 2^64 divided by the golden ratio, the high bits depend on all. */
	size_t i = (uintptr_t)key * 0x9e3779b97f4a7c15 >> 32 & (room - 1);

	while (list[i].key && list[i].key != key)
		i = (i + 1) & (room - 1);
	return &list[i];
}

static int widen(struct pointers *p)
{
	const size_t room = p->room ? 2 * p->room : 1024;
	struct pointers_entry *const list = calloc(room, sizeof(*list));

	if (!list)
		return -1;
	for (size_t i = 0; i < p->room; i++)
		if (p->list[i].key)
			*place(list, room, p->list[i].key) = p->list[i];
	free(p->list);
	p->list = list;
	p->room = room;
	return 0;
}

uint32_t *pointers_get(struct pointers *p, const void *key)
{
	if (2 * p->n >= p->room && widen(p))
		return NULL;

	struct pointers_entry *const e = place(p->list, p->room, key);

	if (!e->key) {
		e->key = key;
		p->n++;
	}
	return &e->value;
}

void pointers_free(struct pointers *p)
{
	free(p->list);
	*p = (struct pointers){0};
}
