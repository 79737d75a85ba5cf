#include "symbols/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

int table_add(struct table *t, const struct symbol *s)
{
	if (t->n >= RANGES_NONE) {
		errno = ENOMEM;
		return -1;
	}
	if (array_grow(&t->list, t->n, sizeof(*t->list)))
		return -1;
	t->list[t->n++] = *s;
	return 0;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

/* Compare symbols of the same range: the better name is the greater. */
static int compare_names(const struct symbol *a, const struct symbol *b)
{
	const size_t ua = underscores(a->name), ub = underscores(b->name);

	if (a->kind != b->kind)
		return a->kind - b->kind;
	if (a->binding != b->binding)
		return a->binding - b->binding;
	if (ua != ub)
		return ua > ub ? -1 : 1;

	const size_t na = strlen(a->name), nb = strlen(b->name);

	if (na != nb)
		return na > nb ? -1 : 1;
	return strcmp(b->name, a->name);
}

/* By address; of symbols at one address, the longest first. */
static int compare(const void *x, const void *y)
{
	const struct symbol *const a = x, *const b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	return compare_names(a, b);
}

static uint64_t end_of(const struct symbol *s)
{
	return s->size < UINT64_MAX - s->start ? s->start + s->size : UINT64_MAX;
}

/* Returns 1 if s is an object (objects 1), or a function or label (objects 0). */
static int is_of(const struct symbol *s, int objects)
{
	return objects ? s->kind == SYMBOL_OBJECT : symbol_is_code(s);
}

/*
 * Return where symbol i, which has no size, ends: at the next symbol of its kind or at
 * the end of its section.
 */
static uint64_t guess_end(const struct table *t, size_t i)
{
	const struct symbol *const s = &t->list[i];
	const int is_object = s->kind == SYMBOL_OBJECT;

	for (size_t k = i + 1; k < t->n && t->list[k].start < s->limit; k++)
		if (t->list[k].start > s->start && is_of(&t->list[k], is_object))
			return t->list[k].start;
	return s->limit;
}

/* Add the ranges of all objects, or of all functions and labels. */
static int add_ranges(const struct table *t, struct ranges *to, int objects)
{
	uint64_t covered = 0, guess = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct symbol *const s = &t->list[i];
		uint64_t end = end_of(s);

		if (!is_of(s, objects))
			continue;
		if (!s->size) {
			if (s->start < covered)
				continue;
			if (s->start >= guess)
				guess = guess_end(t, i);
			end = guess;
		} else if (end > covered) {
			covered = end;
		}
		if (ranges_add(to, s->start, end, i, i))
			return -1;
	}
	return ranges_finish(to);
}

int table_finish(struct table *t)
{
	if (t->n)
		qsort(t->list, t->n, sizeof(*t->list), compare);
	return add_ranges(t, &t->functions, 0) || add_ranges(t, &t->objects, 1) ? -1 : 0;
}

static struct symbol *find(const struct table *t, const struct ranges *r,
			   uint64_t address)
{
	const uint32_t i = ranges_find(r, address);

	return i == RANGES_NONE ? NULL : &t->list[i];
}

struct symbol *table_function(const struct table *t, uint64_t address)
{
	return find(t, &t->functions, address);
}

struct symbol *table_object(const struct table *t, uint64_t address)
{
	return find(t, &t->objects, address);
}

const struct symbol *table_named(const struct table *t, const char *name)
{
	const struct symbol *found = NULL;

	for (size_t i = 0; i < t->n; i++)
		if (!strcmp(t->list[i].name, name) &&
		    (!found || t->list[i].binding > found->binding))
			found = &t->list[i];
	return found;
}

void table_free(struct table *t)
{
	free(t->list);
	ranges_free(&t->functions);
	ranges_free(&t->objects);
	*t = (struct table){0};
}
