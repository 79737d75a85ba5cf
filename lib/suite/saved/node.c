#include "suite/saved/node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int saved_is(const struct saved_node *v, enum node_kind kind)
{
	return v && v->kind == kind;
}

int saved_is_number(const struct saved_node *v)
{
	return saved_is(v, NODE_INTEGER) || saved_is(v, NODE_REAL);
}

const struct saved_node *saved_first(const struct saved_node *array)
{
	return saved_size(array) ? array + 1 : NULL;
}

const struct saved_node *saved_first_member(const struct saved_node *object)
{
	return saved_is(object, NODE_OBJECT) && object->n ? object + 1 : NULL;
}

const struct saved_node *saved_next(const struct saved_node *all,
				    const struct saved_node *value)
{
	const struct saved_node *next = value + value->nodes;

	return next < all + all->nodes ? next : NULL;
}

const struct saved_node *saved_member(const struct saved_node *object, const char *key)
{
	if (!saved_is(object, NODE_OBJECT))
		return NULL;
	const struct saved_node *v = object + 1, *end = object + object->nodes;
	while (v < end && (v->key[0] != key[0] || strcmp(v->key, key) != 0))
		v += v->nodes;
	return v < end ? v : NULL;
}

size_t saved_size(const struct saved_node *array)
{
	return saved_is(array, NODE_ARRAY) ? array->n : 0;
}

const struct saved_node *saved_element(const struct saved_node *array, size_t i)
{
	if (i >= saved_size(array))
		return NULL;
	/* No element has others in it. */
	if (array->nodes == array->n + 1)
		return array + 1 + i;
	const struct saved_node *v = array + 1;
	for (; i > 0; i--)
		v += v->nodes;
	return v;
}

const char *saved_string(const struct saved_node *v)
{
	return saved_is(v, NODE_STRING) ? v->string : NULL;
}

double saved_real(const struct saved_node *v)
{
	if (saved_is(v, NODE_INTEGER))
		return (double)v->integer;
	return saved_is(v, NODE_REAL) ? v->real : 0;
}

int saved_value(const struct saved_node *v, uint64_t most, uint64_t *number)
{
	if (saved_is(v, NODE_INTEGER))
		*number = v->integer;
	else if (saved_is(v, NODE_REAL) && v->real >= 0 && v->real < 0x1p64 &&
		 v->real == floor(v->real))
		*number = (uint64_t)v->real;
	else
		return -1;
	return *number <= most ? 0 : -1;
}

const char *saved_text(const struct saved_node *object, const char *key)
{
	return saved_string(saved_member(object, key));
}

int saved_number(const struct saved_node *object, const char *key, uint64_t most,
		 uint64_t *number)
{
	return saved_value(saved_member(object, key), most, number);
}

int saved_is_true(const struct saved_node *object, const char *key)
{
	return saved_is(saved_member(object, key), NODE_TRUE);
}

/* Returns the bytes of a string, of which there may be none. */
static size_t size_of(const char *string)
{
	return string ? strlen(string) + 1 : 0;
}

/* Move a string to *end, and *end behind the string. */
static const char *move_string(const char *string, char **end)
{
	const size_t size = size_of(string);
	char *copy = *end;

	if (!string)
		return NULL;
	*end += size;
	return memcpy(copy, string, size);
}

/* The strings are behind the values. */
struct saved_node *saved_copy(const struct saved_node *v)
{
	size_t bytes = v->nodes * sizeof *v;

	for (uint32_t i = 0; i < v->nodes; i++)
		bytes += size_of(v[i].key) + size_of(saved_string(&v[i]));
	struct saved_node *copy = malloc(bytes);
	if (!copy)
		return NULL;
	char *end = (char *)(copy + v->nodes);
	for (uint32_t i = 0; i < v->nodes; i++) {
		copy[i] = v[i];
		copy[i].key = move_string(v[i].key, &end);
		if (v[i].kind == NODE_STRING)
			copy[i].string = move_string(v[i].string, &end);
	}
	return copy;
}
