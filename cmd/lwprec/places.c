#include "places.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/where/space.h"

struct places {
	struct symbols *symbols;
	enum text_format format;
	struct place
		*table; /* with open addressing; empty: symbol.s and module_word.s NULL */
	size_t n, size; /* the size is a power of 2 */
};

struct places *places_new(const struct recording *r, const struct symbols_options *o,
			  enum text_format format)
{
	struct places *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	p->format = format;
	p->size = 1024;
	p->table = calloc(p->size, sizeof *p->table);
	p->symbols = space_symbols(r, o);
	if (p->table && p->symbols)
		return p;
	places_free(p);
	errno = ENOMEM;
	return NULL;
}

static void free_words(struct place *place)
{
	free((char *)place->symbol.s);
	free((char *)place->module_word.s);
	free((char *)place->file.s);
}

void places_free(struct places *p)
{
	if (!p)
		return;
	for (size_t i = 0; p->table && i < p->size; i++)
		free_words(&p->table[i]);
	free(p->table);
	symbols_free(p->symbols);
	free(p);
}

struct symbols *places_symbols(struct places *p)
{
	return p->symbols;
}

static size_t hash(uint64_t ip, size_t size)
{
	return (size_t)(ip * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (size - 1);
}

/* Return the place of ip, or the empty one where ip is to be put. */
static struct place *slot(const struct places *p, uint64_t ip)
{
	size_t i = hash(ip, p->size);

	while (p->table[i].symbol.s && p->table[i].ip != ip)
		i = (i + 1) & (p->size - 1);
	return &p->table[i];
}

static int grow(struct places *p)
{
	const struct places old = *p;
	struct place *table = calloc(2 * p->size, sizeof *table);

	if (!table)
		return -1;
	p->table = table;
	p->size *= 2;
	for (size_t i = 0; i < old.size; i++)
		if (old.table[i].symbol.s)
			*slot(p, old.table[i].ip) = old.table[i];
	free(old.table);
	return 0;
}

/* The name of a file without its folders. */
static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/*
 * In text "function+0xoff", or "module+0xoff" where there is no symbol, or the address;
 * other formats have fields for these.
 */
static struct field_word symbol_word(const struct places *p, const struct place *place)
{
	char *text;
	const char *name = place->function ? place->function
			   : place->module ? base_of(place->module)
					   : "";

	if (p->format != TEXT_PLAIN)
		return fields_word(p->format, place->function ? place->function : "");
	if (asprintf(&text, "%s%s%#llx", name, *name ? "+" : "",
		     (unsigned long long)(*name ? place->offset : place->ip)) == -1)
		return (struct field_word){0};
	const struct field_word w = fields_word(p->format, text);
	free(text);
	return w;
}

static int fill(struct places *p, struct place *place, uint64_t ip)
{
	struct symbols_frame frame[8];

	symbols_code(p->symbols, ip, frame, 8);
	*place = (struct place){
		.ip = ip,
		.function = frame[0].function,
		.module = frame[0].module,
		.offset = frame[0].offset,
		.line = frame[0].line,
		.matches = -1,
	};
	place->symbol = symbol_word(p, place);
	if (place->module)
		place->module_word = fields_word(p->format, place->module);
	if (frame[0].file)
		place->file = fields_word(p->format, frame[0].file);
	if (place->symbol.s && (!place->module || place->module_word.s) &&
	    (!frame[0].file || place->file.s))
		return 0;
	free_words(place);
	*place = (struct place){0};
	errno = ENOMEM;
	return -1;
}

struct place *places_find(struct places *p, uint64_t ip)
{
	struct place *place = slot(p, ip);

	if (place->symbol.s)
		return place;
	if (2 * (p->n + 1) > p->size) {
		if (grow(p) == -1)
			return NULL;
		place = slot(p, ip);
	}
	p->n++;
	return fill(p, place, ip) == 0 ? place : NULL;
}
