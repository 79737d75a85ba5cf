#include "suite/saved/sets.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/saved/lines.h"

enum { MOST_SETS = 4096, MOST_REQUESTS = 10000 };

static int malformed(void)
{
	errno = EINVAL;
	return -1;
}

/* The arrays of a set with n requests, in one piece of memory. */
struct arrays {
	const char **event, **note, **mode, **attrs, **unit, **label;
	unsigned *pic;
	int *number;
};

static void *make_arrays(struct arrays *a, size_t n)
{
	char *p = calloc(n + 1, 6 * sizeof(char *) + sizeof *a->pic + sizeof *a->number);

	if (!p)
		return NULL;
	a->event = (const char **)(void *)p;
	a->note = a->event + n;
	a->mode = a->note + n;
	a->attrs = a->mode + n;
	a->unit = a->attrs + n;
	a->label = a->unit + n;
	a->pic = (unsigned *)(void *)(a->label + n);
	a->number = (int *)(void *)(a->pic + n);
	return p;
}

/* The mode "none" of the records is "" here. */
static const char *mode_of(const struct saved_node *request)
{
	const char *mode = saved_text(request, "mode");

	return mode && strcmp(mode, "none") == 0 ? "" : mode;
}

/* How many requests have a counter, and a mode that is known. */
struct known {
	size_t pics, modes;
};

static int fill_request(struct arrays *a, size_t i, const struct saved_node *request,
			struct known *known)
{
	const char *how = saved_text(request, "how");
	uint64_t v;

	a->event[i] = saved_text(request, "name");
	if (!a->event[i])
		return malformed();
	a->note[i] = how ? how : saved_text(request, "note");
	a->mode[i] = mode_of(request);
	known->modes += a->mode[i] != NULL;
	a->attrs[i] = saved_text(request, "attrs");
	a->unit[i] = saved_text(request, "unit");
	a->label[i] = saved_text(request, "label");
	a->number[i] = -1;
	if (saved_number(request, "number", 31, &v) == 0)
		a->number[i] = (int)v;
	if (saved_number(request, "pic", UINT_MAX, &v) == -1)
		return 0;
	a->pic[i] = (unsigned)v;
	known->pics++;
	return 0;
}

static int fill_set(struct row_set *s, const struct arrays *arrays,
		    const struct saved_node *requests)
{
	struct arrays a = *arrays;
	const size_t n = saved_size(requests);
	const struct saved_node *request = saved_first(requests);
	struct known known = {0};

	for (size_t i = 0; i < n; i++) {
		if (fill_request(&a, i, request, &known) == -1)
			return -1;
		request = saved_next(requests, request);
	}
	*s = (struct row_set){.spec = s->spec,
			      .n = (unsigned)n,
			      .event = a.event,
			      .pic = known.pics == n ? a.pic : NULL,
			      .note = a.note,
			      .mode = known.modes ? a.mode : NULL,
			      .attrs = a.attrs,
			      .unit = a.unit};
	if (saved_member(saved_first(requests), "number")) {
		s->number = a.number;
		s->label = a.label;
	}
	return 0;
}

static int grow(struct saved_sets *s)
{
	if (array_grow(&s->set, s->n, sizeof *s->set) == -1 ||
	    array_grow(&s->each, s->n, sizeof *s->each) == -1)
		return -1;
	return array_grow(&s->memory, s->n, sizeof *s->memory);
}

int saved_sets_add(struct saved_sets *s, const struct saved_node *requests,
		   const char *spec)
{
	struct arrays a = {0};

	if (!saved_is(requests, NODE_ARRAY) || saved_size(requests) > MOST_REQUESTS ||
	    s->n == MOST_SETS)
		return malformed();
	if (grow(s) == -1)
		return -1;
	s->memory[s->n] = make_arrays(&a, saved_size(requests));
	if (!s->memory[s->n])
		return -1;
	s->set[s->n] = (struct row_set){.spec = spec};
	s->n++;
	for (unsigned i = 0; i < s->n; i++)
		s->each[i] = &s->set[i];
	return fill_set(&s->set[s->n - 1], &a, requests);
}

int saved_sets_read(struct saved_sets *s, const struct saved_node *run)
{
	const struct saved_node *sets = saved_member(run, "sets");

	for (const struct saved_node *set = saved_first(sets); set;
	     set = saved_next(sets, set))
		if (saved_sets_add(s, saved_member(set, "requests"),
				   saved_text(set, "spec")) == -1)
			return -1;
	return 0;
}

void saved_sets_free(struct saved_sets *s)
{
	for (unsigned i = 0; i < s->n; i++)
		free(s->memory[i]);
	free(s->memory);
	free(s->each);
	free(s->set);
	*s = (struct saved_sets){0};
}
