#include "suite/profile/group.h"

#include <stdlib.h>
#include <string.h>

#include "suite/profile/names.h"

static void set_function(struct group *g, const struct symbols_frame *f)
{
	g->text[0] = f->function;
	g->text[1] = f->module;
}

void group_by_symbol(struct group *g, const struct profile *p,
		     const struct profile_code *c)
{
	set_function(g, &profile_frames(p, c)[c->nframe - 1]);
}

void group_by_function(struct group *g, const struct profile *p,
		       const struct profile_code *c)
{
	set_function(g, profile_frames(p, c));
}

void group_by_module(struct group *g, const struct profile *p,
		     const struct profile_code *c)
{
	g->text[0] = profile_frames(p, c)->module;
}

void group_by_file(struct group *g, const struct profile *p, const struct profile_code *c)
{
	g->text[0] = profile_frames(p, c)->file;
}

/* Code without lines is put together by symbol. */
void group_by_line(struct group *g, const struct profile *p, const struct profile_code *c)
{
	const struct symbols_frame *f = profile_frames(p, c);

	if (!f->file)
		set_function(g, &f[c->nframe - 1]);
	g->text[2] = g->text[1];
	g->text[1] = g->text[0];
	g->text[0] = f->file;
	g->number[1] = f->line;
}

void group_by_ip(struct group *g, const struct profile *p, const struct profile_code *c)
{
	(void)p;
	g->number[0] = c->ip;
	g->number[1] = c->input;
}

static int compare_keys(const void *a, const void *b)
{
	const struct group *x = a, *y = b;

	for (unsigned i = 0; i < 3; i++) {
		const int order = names_compare(x->text[i], y->text[i]);

		if (order)
			return order;
	}
	for (unsigned i = 0; i < 2; i++)
		if (x->number[i] != y->number[i])
			return x->number[i] < y->number[i] ? -1 : 1;
	return 0;
}

/* The order of the instructions decides which of them stands for a group. */
static int compare_codes(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	const int order = compare_keys(a, b);

	return order ? order : x->code < y->code ? -1 : 1;
}

static int compare_values(const void *a, const void *b, void *metric)
{
	const struct group *x = *(const struct group *const *)a,
			   *y = *(const struct group *const *)b;
	const unsigned m = *(unsigned *)metric;

	if (x->value[m] != y->value[m])
		return x->value[m] < y->value[m] ? 1 : -1;
	return x < y ? -1 : x > y;
}

/* Sum up neighbours with the same key. Returns the number of groups. */
static size_t merge(struct groups *s, unsigned nmetric)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		const uint64_t *value = s->group[i].value;

		if (n == 0 || compare_keys(&s->group[n - 1], &s->group[i]) != 0) {
			s->group[n] = s->group[i];
			s->group[n].value = memset(s->value + n * nmetric, 0,
						   nmetric * sizeof *value);
			n++;
		}
		for (unsigned m = 0; m < nmetric; m++)
			s->value[(n - 1) * nmetric + m] += value[m];
	}
	return n;
}

int groups_make(struct groups *s, const struct profile *p, unsigned metric,
		group_key_t *key)
{
	*s = (struct groups){.group = calloc(p->ncode + 1, sizeof *s->group)};
	if (!s->group)
		return -1;
	for (size_t i = 0; i < p->ncode; i++) {
		if (metric != GROUP_ALL && !profile_values(p, i)[metric])
			continue;
		struct group *g = &s->group[s->n++];

		key(g, p, &p->code[i]);
		g->code = &p->code[i];
		g->value = profile_values(p, i);
	}
	qsort(s->group, s->n, sizeof *s->group, compare_codes);
	s->value = calloc(s->n * p->nmetric + 1, sizeof *s->value);
	s->by_value = calloc(s->n + 1, sizeof *s->by_value);
	if (!s->value || !s->by_value) {
		groups_free(s);
		return -1;
	}
	s->n = merge(s, p->nmetric);
	for (size_t i = 0; i < s->n; i++)
		s->by_value[i] = &s->group[i];
	if (metric != GROUP_ALL)
		qsort_r(s->by_value, s->n, sizeof *s->by_value, compare_values, &metric);
	return 0;
}

void groups_free(struct groups *s)
{
	free(s->group);
	free(s->value);
	free(s->by_value);
	*s = (struct groups){0};
}
