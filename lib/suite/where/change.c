#include "suite/where/change.h"

#include <math.h>
#include <stdlib.h>

/* The most lines, and the smallest change that has one, as a part of the largest. */
enum { MOST_SHOWN = 10 };
static const double least_shown = 0.01;

/* The functions of A and of B that are not yet compared. */
struct merge {
	struct where_changes *to;
	const struct where *a, *b;
	unsigned ea, eb;
	size_t ia, ib;
};

static double value(const struct where_function *f, unsigned event)
{
	return f ? f->value[event] : 0;
}

/* Fractions are sums whose last digits depend on the order of their parts. */
static int differ(double a, double b)
{
	return fabs(a - b) > 1e-9 * fmax(fabs(a), fabs(b));
}

/* Add a function of A, of B, or of both; the other is NULL. */
static void add(struct merge *m, const struct where_function *a,
		const struct where_function *b, int is_shared)
{
	const struct where_change c = {.function = b ? b : a,
				       .a = value(a, m->ea),
				       .b = value(b, m->eb),
				       .in_a = a != NULL,
				       .in_b = b != NULL,
				       .is_shared = is_shared};

	if (differ(c.a, c.b))
		m->to->change[m->to->n++] = c;
}

/* Returns how many functions from the i-th on have its name. */
static size_t namesakes(const struct where *w, size_t i)
{
	size_t n = 0;

	while (i + n < w->n && where_order_names(w->function[i], w->function[i + n]) == 0)
		n++;
	return n;
}

/* Add na functions of A and nb of B that have the same name. */
static void add_namesakes(struct merge *m, size_t na, size_t nb)
{
	const size_t ends_a = m->ia + na, ends_b = m->ib + nb;
	const int is_shared = na > 1 || nb > 1;

	if (na == 1 && nb == 1) {
		add(m, m->a->function[m->ia++], m->b->function[m->ib++], 0);
		return;
	}
	while (m->ia < ends_a || m->ib < ends_b) {
		const struct where_function *a =
			m->ia < ends_a ? m->a->function[m->ia] : NULL;
		const struct where_function *b =
			m->ib < ends_b ? m->b->function[m->ib] : NULL;
		const int order = !a ? 1 : !b ? -1 : where_order(a, b);

		add(m, order <= 0 ? a : NULL, order >= 0 ? b : NULL, is_shared);
		m->ia += order <= 0;
		m->ib += order >= 0;
	}
}

static void merge(struct merge *m)
{
	while (m->ia < m->a->n || m->ib < m->b->n) {
		const int order = m->ia == m->a->n ? 1
				  : m->ib == m->b->n
					  ? -1
					  : where_order_names(m->a->function[m->ia],
							      m->b->function[m->ib]);

		add_namesakes(m, order <= 0 ? namesakes(m->a, m->ia) : 0,
			      order >= 0 ? namesakes(m->b, m->ib) : 0);
	}
}

static int by_size(const void *x, const void *y)
{
	const struct where_change *a = x, *b = y;
	const double da = fabs(a->b - a->a), db = fabs(b->b - b->a);

	if (da != db)
		return da > db ? -1 : 1;
	return where_order(a->function, b->function);
}

int where_compare(struct where_changes *c, const struct where *a, unsigned ea,
		  const struct where *b, unsigned eb)
{
	struct merge m = {.to = c, .a = a, .b = b, .ea = ea, .eb = eb};

	*c = (struct where_changes){.a = where_total(a, ea), .b = where_total(b, eb)};
	c->change = calloc(a->n + b->n + 1, sizeof *c->change);
	if (!c->change)
		return -1;
	merge(&m);
	qsort(c->change, c->n, sizeof *c->change, by_size);
	return 0;
}

int where_shares(struct where_changes *c, const struct where *w, unsigned event)
{
	const struct where none = {.nevents = w->nevents};

	return where_compare(c, &none, event, w, event);
}

void where_changes_free(struct where_changes *c)
{
	free(c->change);
	*c = (struct where_changes){0};
}

size_t where_shown(const struct where_changes *c)
{
	size_t n = 0;

	while (n < c->n && n < MOST_SHOWN &&
	       fabs(c->change[n].b - c->change[n].a) >=
		       least_shown * fabs(c->change[0].b - c->change[0].a))
		n++;
	return n;
}
