#include "symbols/ranges.h"

#include <stdlib.h>

#include "base/array.h"

int ranges_add(struct ranges *r, uint64_t start, uint64_t end, uint32_t value,
	       uint32_t rank)
{
	if (start >= end)
		return 0;
	if (array_grow(&r->list, r->n, sizeof(*r->list)))
		return -1;
	r->list[r->n++] = (struct range){start, end, value, rank};
	return 0;
}

static int compare(const void *x, const void *y)
{
	const struct range *const a = x, *const b = y;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* Let the addresses from start on have a value. */
static void add_piece(struct ranges *r, uint64_t start, uint32_t value)
{
	if (r->npieces && r->starts[r->npieces - 1] == start)
		r->npieces--;
	if (r->npieces && r->values[r->npieces - 1] == value)
		return;
	r->starts[r->npieces] = start;
	r->values[r->npieces++] = value;
}

/* Close the ranges of the stack that end at or before an address. Returns the depth. */
static size_t close_until(struct ranges *r, const struct range **stack, size_t depth,
			  uint64_t address)
{
	while (depth && stack[depth - 1]->end <= address) {
		const uint64_t end = stack[--depth]->end;

		while (depth && stack[depth - 1]->end <= end)
			depth--;
		add_piece(r, end, depth ? stack[depth - 1]->value : RANGES_NONE);
	}
	return depth;
}

static void cut(struct ranges *r, const struct range **stack)
{
	size_t depth = 0;

	for (size_t i = 0; i < r->n; i++) {
		depth = close_until(r, stack, depth, r->list[i].start);
		add_piece(r, r->list[i].start, r->list[i].value);
		stack[depth++] = &r->list[i];
	}
	close_until(r, stack, depth, UINT64_MAX);
}

static int is_sorted(const struct ranges *r)
{
	for (size_t i = 1; i < r->n; i++)
		if (compare(&r->list[i - 1], &r->list[i]) > 0)
			return 0;
	return 1;
}

int ranges_finish(struct ranges *r)
{
	const struct range **const stack = calloc(r->n + 1, sizeof(*stack));

	/* Each range has a start and an end, and each adds one piece at most. */
	r->starts = calloc(2 * r->n + 1, sizeof(*r->starts));
	r->values = calloc(2 * r->n + 1, sizeof(*r->values));
	if (!stack || !r->starts || !r->values) {
		free(stack);
		return -1;
	}
	if (!is_sorted(r))
		qsort(r->list, r->n, sizeof(*r->list), compare);
	cut(r, stack);
	free(stack);
	free(r->list);
	r->list = NULL;
	r->n = 0;
	return 0;
}

uint32_t ranges_find(const struct ranges *r, uint64_t address)
{
	const uint64_t *start = r->starts;

	if (!r->npieces || address < start[0])
		return RANGES_NONE;
	/* Written so that the compiler makes a conditional move of the comparison. */
	for (size_t n = r->npieces; n > 1;) {
		const size_t half = n / 2;

		start += start[half] <= address ? half : 0;
		n -= half;
	}
	return r->values[start - r->starts];
}

void ranges_free(struct ranges *r)
{
	free(r->list);
	free(r->starts);
	free(r->values);
}
