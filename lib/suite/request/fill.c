#include "suite/request/fill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "suite/request/say.h"

int spec_fail(struct parse *p, const char *at)
{
	p->err->column = at - p->text + 1;
	errno = EINVAL;
	return -1;
}

/* How many of an attribute a request has; a range is two. */
static unsigned has_attr(const struct spec_req *r, struct span name)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->nattrs; i++)
		n += span_is(name, r->attrs[i].ca_name);
	return n;
}

static int too_often(struct parse *p, const struct spec_req *r, const struct mod *mod)
{
	const struct span name = mod->name;

	spec_say(p->err, "attribute '%.*s' given ", spec_shown(name), name.s);
	if (mod->attr.times > 1)
		spec_say(p->err, "more than %u times", mod->attr.times);
	else if (mod->attr.of_set)
		spec_say(p->err, "twice; it is of the whole set");
	else
		spec_say(p->err, "twice for pic%u", r->pic);
	return spec_fail(p, name.s);
}

static int put_attr(struct spec_req *r, struct span name, uint64_t val)
{
	cpc_attr_t *const attrs = realloc(r->attrs, (r->nattrs + 1) * sizeof(*attrs));

	if (!attrs)
		return -1;
	r->attrs = attrs;
	attrs[r->nattrs].ca_name = strndup(name.s, name.len);
	if (!attrs[r->nattrs].ca_name)
		return -1;
	attrs[r->nattrs++].ca_val = val;
	return 0;
}

static int add_attr(struct parse *p, struct spec_req *r, const struct mod *mod)
{
	const unsigned values = mod->attr.form == SPEC_RANGE ? 2 : 1;
	const unsigned times = mod->attr.times ? mod->attr.times : 1;

	if (has_attr(r, mod->name) >= values * times)
		return too_often(p, r, mod);
	for (unsigned v = 0; v < values; v++)
		if (put_attr(r, mod->name, mod->value.val[v]))
			return -1;
	return 0;
}

/* Attributes for a counter that is not used are dropped, as in the original. */
static int add_attrs(struct parse *p, struct spec *s)
{
	for (size_t m = 0; m < p->nmods; m++)
		for (unsigned i = 0; i < s->n; i++)
			if (p->mods[m].pics >> s->req[i].pic & 1 &&
			    add_attr(p, &s->req[i], &p->mods[m]))
				return -1;
	return 0;
}

static int add_req(const struct parse *p, struct spec *s, const struct wish *w)
{
	struct spec_req *const r = &s->req[s->n];

	r->event = strndup(w->event.s, w->event.len);
	if (!r->event)
		return -1;
	r->pic = w->pic;
	r->pics = w->pics;
	r->column = w->event.s - p->text + 1;
	s->n++;
	return 0;
}

/* A counter that nobody has, above all others if there is one. */
static uint64_t unused(const struct parse *p)
{
	const uint64_t left = p->all & ~p->used;
	const uint64_t below = p->used ? UINT64_MAX >> __builtin_clzll(p->used) : 0;

	return left & ~below ? left & ~below : left;
}

/* Where events stand that place() has not placed, or not yet: on some counter. */
static void stand(struct parse *p)
{
	for (unsigned i = 0; i < p->nwishes; i++) {
		struct wish *const w = &p->wish[i];
		uint64_t left = w->pics & ~p->used;

		if (w->pic < MAX_PICS)
			continue;
		if (!left)
			left = unused(p);
		w->pic = (unsigned)__builtin_ctzll(left);
		p->used |= left & -left;
	}
}

/* In ascending order of counters. */
static void sort(struct spec *s)
{
	for (unsigned i = 1; i < s->n; i++)
		for (unsigned k = i; k && s->req[k - 1].pic > s->req[k].pic; k--) {
			const struct spec_req r = s->req[k];

			s->req[k] = s->req[k - 1];
			s->req[k - 1] = r;
		}
}

/* Requests are in the text's order, as wishes are, until they are sorted. */
static void place(const struct parse *p, struct spec *s)
{
	const int placed = p->names->place && s->n &&
			   p->names->place(p->names->arg, s->n, s->req) == 0;

	for (unsigned i = 0; i < s->n; i++) {
		if (placed)
			s->req[i].pics = UINT64_C(1) << s->req[i].pic;
		else
			s->req[i].pic = p->wish[i].pic;
	}
	sort(s);
}

int spec_fill(struct parse *p, struct spec *s)
{
	s->req = calloc(p->nwishes + 1, sizeof(*s->req));
	if (!s->req)
		return -1;
	stand(p);
	for (unsigned i = 0; i < p->nwishes; i++)
		if (add_req(p, s, &p->wish[i]))
			return -1;
	place(p, s);
	for (unsigned i = 0; i < s->n; i++) {
		struct spec_req *const r = &s->req[i];

		r->flags = (p->nouser >> r->pic & 1 ? 0 : CPC_COUNT_USER) |
			   (p->sys >> r->pic & 1 ? CPC_COUNT_SYSTEM : 0);
	}
	return add_attrs(p, s);
}
