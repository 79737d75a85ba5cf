#include "suite/series/runs.h"

#include <stdlib.h>
#include <string.h>

/* The memory doubles each time: it has room for the next power of two. */
static int has_room(const struct runs *s)
{
	return s->n & (s->n - 1);
}

static int grow(struct runs *s)
{
	const size_t room = s->n ? 2 * s->n : 1, cells = room * (s->nevents + 1);
	uint64_t *value = reallocarray(s->value, cells, sizeof *value);

	if (!value)
		return -1;
	s->value = value;
	unsigned char *quality = reallocarray(s->quality, cells, sizeof *quality);
	if (!quality)
		return -1;
	s->quality = quality;
	return 0;
}

int runs_add(struct runs *s, const uint64_t *value, const cpc_class_t *quality)
{
	if (!has_room(s) && grow(s) == -1)
		return -1;
	const size_t at = s->n++ * s->nevents;
	memcpy(s->value + at, value, s->nevents * sizeof *value);
	for (unsigned i = 0; i < s->nevents; i++)
		s->quality[at + i] = (unsigned char)quality[i];
	return 0;
}

void runs_free(struct runs *s)
{
	free(s->value);
	free(s->quality);
	s->value = NULL;
	s->quality = NULL;
	s->n = 0;
}

static int is_mode(const char *a, const char *b)
{
	return !a || !b || strcmp(*a ? a : "none", *b ? b : "none") == 0;
}

int runs_find(const struct runs *s, const char *name, const char *mode)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (strcmp(s->event[i].name, name) == 0 &&
		    is_mode(s->event[i].mode, mode))
			return (int)i;
	return -1;
}

int runs_status(const struct runs_ending *e)
{
	return e->signal ? 128 + e->signal : e->status;
}

void runs_put_ending(struct textbuf *b, const struct runs_ending *e)
{
	if (e->signal) {
		textbuf_str(b, "was ended by ");
		textbuf_signal(b, e->signal);
	} else {
		textbuf_str(b, "ended with status ");
		textbuf_num(b, (uint64_t)e->status, 0);
	}
}

uint64_t runs_value(const struct runs *s, size_t run, unsigned event)
{
	return s->value[run * s->nevents + event];
}

int runs_is_missing(const struct runs *s, size_t run, unsigned event)
{
	return s->quality[run * s->nevents + event] == CPC_UNAVAILABLE;
}

size_t runs_missing(const struct runs *s, unsigned event)
{
	size_t missing = 0;

	for (size_t i = 0; i < s->n; i++)
		missing += (size_t)runs_is_missing(s, i, event);
	return missing;
}

cpc_class_t runs_quality(const struct runs *s, unsigned event)
{
	cpc_class_t worst = s->n ? CPC_EXACT : CPC_UNAVAILABLE;

	for (size_t i = 0; i < s->n; i++)
		if (s->quality[i * s->nevents + event] > worst)
			worst = s->quality[i * s->nevents + event];
	return worst;
}

double *runs_values(const struct runs *s, unsigned event)
{
	double *v = malloc((s->n + 1) * sizeof *v);

	for (size_t i = 0; v && i < s->n; i++)
		v[i] = (double)runs_value(s, i, event);
	return v;
}

/*
 * Returns how many runs have the same value as a run. *first becomes 1 if no earlier run
 * has this value, else 0.
 */
static size_t times(const struct runs *s, size_t run, unsigned event, int *first)
{
	const uint64_t v = runs_value(s, run, event);
	size_t n = 0;

	*first = 1;
	for (size_t i = 0; i < s->n; i++) {
		if (runs_value(s, i, event) != v)
			continue;
		if (i < run)
			*first = 0;
		n++;
	}
	return n;
}

void runs_constancy(struct runs_constancy *c, const struct runs *s, unsigned event)
{
	const uint64_t v = runs_value(s, 0, event);

	*c = (struct runs_constancy){.usual = v, .least = v, .most = v};
	for (size_t i = 0; i < s->n; i++) {
		const uint64_t at = runs_value(s, i, event);
		int first;
		const size_t n = times(s, i, event, &first);

		c->distinct += first;
		if (n > c->times) {
			c->usual = at;
			c->times = n;
		}
		c->least = at < c->least ? at : c->least;
		c->most = at > c->most ? at : c->most;
	}
}

/* Source: Steele, Lea and Flood 2014, Fast Splittable Pseudorandom Number Generators */
static uint64_t draw(struct runs_order *o)
{
	uint64_t z = o->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns a number below n. The bias is below n / 2^64. */
static unsigned below(struct runs_order *o, unsigned n)
{
	return (unsigned)(draw(o) % n);
}

void runs_draw_order(struct runs_order *o, unsigned *at, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		at[i] = i;
	for (unsigned i = n; i > 1; i--) {
		const unsigned k = below(o, i), last = at[i - 1];

		at[i - 1] = at[k];
		at[k] = last;
	}
}
