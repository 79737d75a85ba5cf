#include "suite/where/counts.h"

#include <stdlib.h>
#include <string.h>

struct where *where_new(unsigned nevents)
{
	struct where *w = calloc(1, sizeof *w);

	if (w)
		w->is_counted = malloc(nevents + 1);
	if (!w || !w->is_counted) {
		free(w);
		return NULL;
	}
	memset(w->is_counted, 1, nevents);
	w->nevents = nevents;
	return w;
}

void where_free(struct where *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->n; i++)
		free(w->function[i]);
	free(w->is_counted);
	free(w->function);
	free(w->slot);
	free(w->unread);
	free(w);
}

/* A text that is not known comes first. */
static int order_text(const char *a, const char *b)
{
	if (!a || !b)
		return !!a - !!b;
	return strcmp(a, b);
}

int where_order_names(const struct where_function *a, const struct where_function *b)
{
	const int by_module = order_text(a->module, b->module);

	return by_module ? by_module : strcmp(a->name, b->name);
}

int where_order(const struct where_function *a, const struct where_function *b)
{
	const int by_name = where_order_names(a, b);

	return by_name ? by_name : order_text(a->source, b->source);
}

/* Source: Fowler, Noll, Vo: FNV-1a */
static uint64_t hash_text(uint64_t h, const char *s)
{
	for (; s && *s; s++)
		h = (h ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return (h ^ 0xff) * UINT64_C(0x100000001b3);
}

/* Returns the slot of a function, or the free one where it belongs. */
static uint32_t *find(const struct where *w, const struct where_function *f)
{
	uint64_t h = hash_text(UINT64_C(0xcbf29ce484222325), f->name);

	h = hash_text(hash_text(h, f->module), f->source);
	for (;; h++) {
		uint32_t *const slot = &w->slot[h & (2 * w->room - 1)];

		if (!*slot || where_order(w->function[*slot - 1], f) == 0)
			return slot;
	}
}

static int grow(struct where *w)
{
	const size_t room = w->room ? 2 * w->room : 256;
	struct where_function **function =
		reallocarray(w->function, room, sizeof(*function));

	if (!function)
		return -1;
	w->function = function;
	uint32_t *slot = calloc(room, 2 * sizeof *slot);
	if (!slot)
		return -1;
	free(w->slot);
	w->slot = slot;
	w->room = room;
	for (size_t i = 0; i < w->n; i++)
		*find(w, w->function[i]) = (uint32_t)i + 1;
	return 0;
}

static size_t size_of(const char *s)
{
	return s ? strlen(s) + 1 : 0;
}

/* Copies a text, if it is known, and moves *to behind it. */
static const char *copy(char **to, const char *s)
{
	char *const at = *to;

	if (!s)
		return NULL;
	*to = stpcpy(at, s) + 1;
	return at;
}

/* Returns a copy with values of 0, in one piece of memory, or NULL. */
static struct where_function *duplicate(const struct where_function *f, unsigned nevents)
{
	const size_t values = nevents * sizeof *f->value;
	struct where_function *c =
		calloc(1, sizeof *c + values + size_of(f->name) + size_of(f->module) +
				  size_of(f->source));

	if (!c)
		return NULL;
	c->value = (double *)(c + 1);
	char *to = (char *)(c->value + nevents);
	c->name = copy(&to, f->name);
	c->module = copy(&to, f->module);
	c->source = copy(&to, f->source);
	return c;
}

double *where_at(struct where *w, const struct where_function *f)
{
	if (w->n == w->room && grow(w) == -1)
		return NULL;
	uint32_t *const slot = find(w, f);
	if (*slot)
		return w->function[*slot - 1]->value;
	struct where_function *new = duplicate(f, w->nevents);
	if (!new)
		return NULL;
	w->function[w->n++] = new;
	*slot = (uint32_t)w->n;
	return new->value;
}

static int compare(const void *x, const void *y)
{
	struct where_function *const *a = x, *const *b = y;

	return where_order(*a, *b);
}

void where_sort(struct where *w)
{
	if (w->n)
		qsort(w->function, w->n, sizeof(*w->function), compare);
}

double where_total(const struct where *w, unsigned event)
{
	double sum = 0;

	for (size_t i = 0; i < w->n; i++)
		sum += w->function[i]->value[event];
	return sum;
}
