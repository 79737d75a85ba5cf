#include "symbols/demangle.h"
#include "symbols/space.h"

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
	frame[n - 1].unit = symbol ? symbol->unit : NULL;
	for (unsigned i = 0; i < n; i++) {
		frame[i].offset = address - start;
		frame[i].module = m->path;
	}
	return n;
}

/* Name a function that a JIT compiler has made, if it is one. */
static void fill_jit(struct symbols *s, uint64_t ip, struct symbols_frame *frame)
{
	const struct jit_function *f;

	if (!s->has_jit && s->options.pid)
		jit_read(&s->jit, s->options.root ? s->options.root : "", s->options.pid);
	s->has_jit = 1;
	f = jit_find(&s->jit, ip);
	if (f) {
		frame->function = f->name;
		frame->offset = ip - f->start;
	}
}

unsigned symbols_code(struct symbols *s, uint64_t ip, struct symbols_frame *frame,
		      unsigned max)
{
	const struct mapping *const map = maps_find(&s->maps, ip);
	unsigned n = 1;

	if (!max)
		return 0;
	if (!map) {
		frame[0] = (struct symbols_frame){.offset = ip};
		return 1;
	}
	module_load(map->module, &s->options);
	n = fill(s, map, ip, frame, max);
	if (!frame[n - 1].function)
		fill_jit(s, ip, &frame[n - 1]);
	return n;
}
