/* The built-in machines, for tests. Each is read once and lives for ever. */
#ifndef TEST_MACHINES_H
#define TEST_MACHINES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/machine.h"

enum { MACHINES_MAX = 64 };

static inline void machines_mistake(void *arg, const char *text)
{
	(void)arg;
	fprintf(stderr, "%s\n", text);
}

/* Returns machine i of machine_texts[], or NULL after the last. */
static inline const struct machine *machines_at(unsigned i)
{
	static struct machine all[MACHINES_MAX];
	const char *name = machine_texts[i].name;
	const struct machine_choice choice = {.name = name};
	struct machine_mistakes to = {.fn = machines_mistake};

	if (!name)
		return NULL;
	if (i >= MACHINES_MAX ||
	    (!all[i].name[0] && machine_open(&choice, &all[i], NULL, &to) == -1))
		abort();
	return &all[i];
}

/* Returns the machine of this name, or NULL. */
static inline const struct machine *machines_find(const char *name)
{
	unsigned i = 0;

	while (machine_texts[i].name && strcmp(machine_texts[i].name, name) != 0)
		i++;
	return machines_at(i);
}

#endif
