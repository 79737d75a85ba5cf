#include "symbols/symbols.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "symbols/maps.h"
#include "symbols/module.h"

struct symbols {
	struct symbols_options options;
	struct maps maps;
	struct module *modules, **last; /* in the order of their first mappings */
};

struct symbols *symbols_new(const struct symbols_options *o)
{
	struct symbols *const s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->last = &s->modules;
	s->options = *o;
	if (o->root && !(s->options.root = strdup(o->root))) {
		free(s);
		return NULL;
	}
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (struct module *m = s->modules, *next; m; m = next) {
		next = m->next;
		module_free(m);
	}
	maps_free(&s->maps);
	free((char *)s->options.root);
	free(s);
}

/* Return the module that is mapped, or NULL with ENOMEM. */
static struct module *find_module(struct symbols *s, const struct symbols_mapping *m)
{
	struct module *found = NULL;

	for (struct module *i = s->modules; i; i = i->next)
		if (module_has(i, m))
			found = i;
	if (found)
		return found;
	found = module_new(m);
	if (found) {
		*s->last = found;
		s->last = &found->next;
	}
	return found;
}

int symbols_map(struct symbols *s, const struct symbols_mapping *m)
{
	struct module *const module = find_module(s, m);

	if (!module)
		return -1;
	return maps_add(&s->maps, &(struct mapping){m->start, m->end, m->offset, module});
}

static int map_line(struct symbols *s, const char *line)
{
	char path[PATH_MAX + sizeof(" (deleted)")];
	struct mapping m;

	if (maps_parse(line, &m, path, sizeof(path)))
		return 0;
	return symbols_map(s, &(struct symbols_mapping){.start = m.start,
							.end = m.end,
							.offset = m.offset,
							.path = path});
}

int symbols_map_text(struct symbols *s, const char *text)
{
	int result = 0;

	while (!result && *text) {
		const size_t n = strcspn(text, "\n");
		char *const line = strndup(text, n);

		result = line ? map_line(s, line) : -1;
		free(line);
		text += n + (text[n] == '\n');
	}
	return result;
}

/* Fill *frame from the symbols of the mapping that contains ip. */
static void fill_symbol(struct symbols_frame *frame, const struct mapping *m, uint64_t ip)
{
	const uint64_t offset = ip - m->start + m->offset;
	uint64_t address = offset;
	const struct symbol *f;

	frame->module = m->module->path;
	if (elf_file_address(&m->module->file, offset, &address)) {
		frame->offset = offset;
		return;
	}
	f = table_function(&m->module->table, address);
	frame->function = f ? f->name : NULL;
	frame->offset = f ? address - f->start : address;
}

unsigned symbols_code(struct symbols *s, uint64_t ip, struct symbols_frame *frame,
		      unsigned max)
{
	const struct mapping *const m = maps_find(&s->maps, ip);

	if (!max)
		return 0;
	frame[0] = (struct symbols_frame){.offset = ip};
	if (m) {
		module_load(m->module, &s->options);
		fill_symbol(frame, m, ip);
	}
	return 1;
}

int symbols_data(struct symbols *s, uint64_t address, struct symbols_object *o)
{
	(void)s;
	(void)address;
	*o = (struct symbols_object){0};
	errno = ENOENT;
	return -1;
}

int symbols_find(struct symbols *s, const char *name, struct symbols_object *o)
{
	(void)s;
	(void)name;
	*o = (struct symbols_object){0};
	errno = ENOENT;
	return -1;
}

const char *symbols_problem(struct symbols *s, unsigned i, const char **why)
{
	for (const struct module *m = s->modules; m; m = m->next)
		if (m->problem && !i--) {
			*why = m->problem;
			return m->path;
		}
	return NULL;
}
