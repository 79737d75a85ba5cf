#include <errno.h>

#include "base/nearest.h"
#include "symbols/space.h"

/* A distance between the addresses of a file and those of the process, with its votes. */
struct bias {
	uint64_t value;
	unsigned votes;
};

/* Return 1 if a mapping has bytes of a segment; *bias is what it adds to addresses. */
static int maps_segment(const struct mapping *m, const struct elf_segment *s,
			uint64_t *bias)
{
	const uint64_t length = m->end - m->start;

	*bias = m->start - m->offset + s->offset - s->vaddr;
	return s->filesz && m->offset < s->offset + s->filesz &&
	       s->offset < m->offset + length;
}

/* Return how many mappings of the module fit to a bias. */
static unsigned count_votes(const struct symbols *s, const struct module *m,
			    uint64_t wanted)
{
	unsigned votes = 0;

	for (size_t i = 0; i < s->maps.n; i++)
		for (size_t k = 0; k < m->file.nsegments; k++) {
			uint64_t bias;

			votes += s->maps.list[i].module == m &&
				 maps_segment(&s->maps.list[i], &m->file.segments[k],
					      &bias) &&
				 bias == wanted;
		}
	return votes;
}

/*
 * Find what the process adds to the addresses of a file. The bytes of a page may belong
 * to two segments of a small file; then the bias that fits to most mappings is right.
 * Returns 0, or -1 if the mapping is of no segment.
 */
static int find_bias(struct symbols *s, struct mapping *map, uint64_t *bias)
{
	struct module *const m = map->module;
	struct bias best = {0};

	for (size_t k = 0; k < m->file.nsegments && !map->has_bias; k++) {
		struct bias b;

		if (!maps_segment(map, &m->file.segments[k], &b.value))
			continue;
		b.votes = count_votes(s, m, b.value);
		if (b.votes > best.votes)
			best = b;
	}
	if (best.votes) {
		map->has_bias = 1;
		map->bias = best.value;
	}
	*bias = map->bias;
	return map->has_bias ? 0 : -1;
}

/* Variables that start as zeros are in memory of no file, in as many mappings at most. */
enum { MAX_ANONYMOUS = 4 };

/* Return the last mapping of a file at or a few mappings below an address, or NULL. */
static struct mapping *file_below(struct symbols *s, uint64_t address)
{
	const size_t below = maps_below(&s->maps, address);

	for (size_t i = below; i && i + MAX_ANONYMOUS >= below; i--)
		if (module_is_file(s->maps.list[i - 1].module))
			return &s->maps.list[i - 1];
	return NULL;
}

static void fill_object(struct symbols_object *o, const struct module *m,
			const struct symbol *symbol, uint64_t bias)
{
	*o = (struct symbols_object){
		.name = symbol->name,
		.address = symbol->start + bias,
		.size = symbol->size,
		.module = m->path,
		.is_function = symbol_is_code(symbol),
		.is_indirect = symbol->is_indirect,
		.is_thread_local = symbol->kind == SYMBOL_THREAD_LOCAL,
	};
}

int symbols_data(struct symbols *s, uint64_t address, struct symbols_object *o)
{
	struct mapping *const map = file_below(s, address);
	const struct symbol *symbol = NULL;
	uint64_t bias;

	*o = (struct symbols_object){0};
	if (map) {
		module_load(map->module, &s->options);
		if (!find_bias(s, map, &bias))
			symbol = table_object(&map->module->table, address - bias);
	}
	if (!symbol) {
		errno = ENOENT;
		return -1;
	}
	fill_object(o, map->module, symbol, bias);
	return 0;
}

/* Return 1 and fill *o if the module is mapped, by the mapping with the symbol if any. */
static int place(struct symbols *s, struct module *m, const struct symbol *symbol,
		 struct symbols_object *o)
{
	int found = 0;

	for (size_t i = 0; i < s->maps.n; i++) {
		struct mapping *const map = &s->maps.list[i];
		uint64_t bias;

		if (map->module != m || find_bias(s, map, &bias))
			continue;

		const uint64_t address = symbol->start + bias;

		if (!found || (address >= map->start && address < map->end))
			fill_object(o, m, symbol, bias);
		found = 1;
	}
	return found;
}

static void find_nearest(struct symbols *s, const char *name, struct nearest *nearest)
{
	nearest_init(nearest, name);
	for (struct module *m = s->modules; m; m = m->next) {
		module_load(m, &s->options);
		for (size_t i = 0; i < m->table.n; i++)
			nearest_add(nearest, m->table.list[i].name);
	}
}

int symbols_find(struct symbols *s, const char *name, struct symbols_object *o)
{
	*o = (struct symbols_object){0};
	for (struct module *m = s->modules; m; m = m->next) {
		const struct symbol *symbol;

		module_load(m, &s->options);
		symbol = table_named(&m->table, name);
		if (symbol && place(s, m, symbol, o))
			return 0;
	}
	errno = ENOENT;
	return -1;
}

const char *symbols_suggest(struct symbols *s, const char *name, char *buf, unsigned size)
{
	struct nearest nearest;

	find_nearest(s, name, &nearest);
	return nearest_text(&nearest, buf, size);
}
