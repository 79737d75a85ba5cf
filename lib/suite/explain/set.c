#include "suite/explain/set.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"

struct explain_item *explain_add_item(struct explain_items *items, const char *name)
{
	if (array_grow(&items->item, items->n, sizeof *items->item) == -1) {
		items->failed = 1;
		return NULL;
	}
	struct explain_item *it = &items->item[items->n++];
	*it = (struct explain_item){0};
	snprintf(it->name, sizeof it->name, "%s", name);
	return it;
}

void explain_add_field(struct explain_item *item, const char *name, uint64_t value,
		       const char *word)
{
	if (item->n < EXPLAIN_FIELDS)
		item->field[item->n++] = (struct engine_field){name, value, word};
}

void explain_items_free(struct explain_items *items)
{
	for (unsigned i = 0; i < items->n; i++)
		free(items->item[i].from);
	free(items->item);
	*items = (struct explain_items){0};
}

int explain_set_programmable(const struct explain_set *s)
{
	if (s->refused)
		return 0;
	for (unsigned i = 0; i < s->n; i++)
		if (s->req[i].refused)
			return 0;
	return 1;
}
