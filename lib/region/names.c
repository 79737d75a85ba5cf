#include "region/names.h"

#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static struct region_name *add_name(struct region_names *names, const char *text)
{
	const size_t size = strlen(text) + 1;

	if (array_grow(&names->name, names->n, sizeof *names->name) == -1)
		return NULL;
	struct region_name *name = malloc(sizeof *name + size);
	if (!name)
		return NULL;
	name->order = names->n;
	memcpy(name->text, text, size);
	names->name[names->n++] = name;
	return name;
}

const struct region_name *region_names_find(struct region_names *names, const char *text)
{
	for (unsigned i = 0; i < names->n; i++)
		if (strcmp(names->name[i]->text, text) == 0)
			return names->name[i];
	return add_name(names, text);
}

struct question {
	uintptr_t address;
	int yes;
};

/* The first object that dl_iterate_phdr(3) visits is the program. */
static int ask_program(struct dl_phdr_info *program, size_t size, void *arg)
{
	struct question *q = arg;

	(void)size;
	for (unsigned i = 0; i < program->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &program->dlpi_phdr[i];
		const uintptr_t start = program->dlpi_addr + p->p_vaddr;

		if (p->p_type == PT_LOAD && !(p->p_flags & PF_W) &&
		    q->address - start < p->p_filesz)
			q->yes = 1;
	}
	return 1;
}

int region_name_is_constant(const char *text)
{
	struct question q = {(uintptr_t)text, 0};

	dl_iterate_phdr(ask_program, &q);
	return q.yes;
}
