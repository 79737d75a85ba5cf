#include "symbols/symbols.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "symbols/demangle.h"
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

/* Return a name as it is shown; *shown keeps the demangled name. */
static const char *show(struct symbols *s, struct module *m, const char *name,
			const char **shown)
{
	if (s->options.mangled || !name)
		return name;
	if (!*shown)
		*shown = demangle(name, &m->strings);
	return *shown;
}

/*
 * Fill frames from DWARF, up to the function that is inlined nowhere, and *start by where
 * this function starts. Returns how many frames.
 */
static unsigned fill_source(struct symbols *s, struct module *m, uint64_t address,
			    struct symbols_frame *frame, unsigned max, uint64_t *start)
{
	const struct source_row *const row = source_row(&m->source, address);
	struct source_function *f = source_function(&m->source, address);
	const char *file =
		row && row->file != SOURCE_NONE ? m->source.names[row->file] : NULL;
	unsigned line = row ? row->line : 0, n = 0;

	do {
		frame[n++] = (struct symbols_frame){
			.function = f ? show(s, m, f->name, &f->shown) : NULL,
			.file = file,
			.line = line,
			.inlined = f && f->inlined_into != SOURCE_NONE,
		};
		*start = f ? f->start : 0;
		file = f ? f->call_file : NULL;
		line = f ? f->call_line : 0;
		f = f ? source_caller(&m->source, f) : NULL;
	} while (f && n < max);
	return n;
}

/* Fill frames from the file that is mapped at ip. Returns how many. */
static unsigned fill(struct symbols *s, const struct mapping *map, uint64_t ip,
		     struct symbols_frame *frame, unsigned max)
{
	struct module *const m = map->module;
	uint64_t address = ip - map->start + map->offset, start = 0;
	struct symbol *symbol = NULL;
	unsigned n = 1;

	frame[0] = (struct symbols_frame){0};
	if (!elf_file_address(&m->file, address, &address)) {
		n = fill_source(s, m, address, frame, max, &start);
		symbol = table_function(&m->table, address);
	}
	if (symbol)
		start = symbol->start;
	/* Parts that the compiler has split off have names in the symbol table only. */
	if (symbol && !frame[n - 1].inlined)
		frame[n - 1].function = show(s, m, symbol->name, &symbol->shown);
	for (unsigned i = 0; i < n; i++) {
		frame[i].offset = address - start;
		frame[i].module = m->path;
	}
	return n;
}

unsigned symbols_code(struct symbols *s, uint64_t ip, struct symbols_frame *frame,
		      unsigned max)
{
	const struct mapping *const map = maps_find(&s->maps, ip);

	if (!max)
		return 0;
	if (!map) {
		frame[0] = (struct symbols_frame){.offset = ip};
		return 1;
	}
	module_load(map->module, &s->options);
	return fill(s, map, ip, frame, max);
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
