#include "spec/fill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/say.h"

int spec_fail(struct parse *p, const char *at)
{
	p->err->column = at - p->text + 1;
	errno = EINVAL;
	return -1;
}

void spec_use(struct parse *p, unsigned pic)
{
	p->used[pic] = 1;
	if (p->top <= pic)
		p->top = pic + 1;
}

/* Return how many attributes of this name a request has; a range counts as two. */
static unsigned count_attr(const struct spec_req *r, struct span name)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->nattrs; i++)
		n += span_is(name, r->attrs[i].ca_name);
	return n;
}

static int too_often(struct parse *p, const struct spec_req *r,
		     const struct wanted_attr *w)
{
	const struct span name = w->name;

	spec_say(p, "attribute '%.*s' is given ", span_shown(name), name.s);
	if (w->kind.times > 1)
		spec_say(p, "more than %u times", w->kind.times);
	else if (w->kind.of_set)
		spec_say(p, "twice; it applies to the whole set");
	else
		spec_say(p, "twice for pic%u", r->pic);
	return spec_fail(p, name.s);
}

static int put_attr(struct spec_req *r, struct span name, uint64_t val)
{
	if (array_grow(&r->attrs, r->nattrs, sizeof *r->attrs) == -1)
		return -1;
	cpc_attr_t *const attr = &r->attrs[r->nattrs];
	attr->ca_name = strndup(name.s, name.len);
	if (!attr->ca_name)
		return -1;
	attr->ca_val = val;
	r->nattrs++;
	return 0;
}

static int add_attr(struct parse *p, struct spec_req *r, const struct wanted_attr *w)
{
	const unsigned values = w->kind.form == SPEC_RANGE ? 2 : 1;
	const unsigned times = w->kind.times ? w->kind.times : 1;

	if (count_attr(r, w->name) >= values * times)
		return too_often(p, r, w);
	for (unsigned v = 0; v < values; v++)
		if (put_attr(r, w->name, w->value.val[v]))
			return -1;
	return 0;
}

/* Attributes of counters that are not used are ignored, as by the original. */
static int add_attrs(struct parse *p, struct spec *s)
{
	for (size_t m = 0; m < p->nattrs; m++)
		for (unsigned i = 0; i < s->n; i++)
			if ((p->attr[m].pic < 0 ||
			     (unsigned)p->attr[m].pic == s->req[i].pic) &&
			    add_attr(p, &s->req[i], &p->attr[m]))
				return -1;
	return 0;
}

static int add_req(const struct parse *p, struct spec *s, const struct wanted_event *w)
{
	struct spec_req *const r = &s->req[s->n];

	r->event = strndup(w->name.s, w->name.len);
	if (!r->event)
		return -1;
	r->pic = w->pic;
	r->pics = w->pics;
	r->column = w->name.s - p->text + 1;
	s->n++;
	return 0;
}

/*
 * Return an unused counter of those in the mask; without one, an unused counter above all
 * used ones; without one, any unused counter.
 */
static unsigned unused_pic(const struct parse *p, uint64_t pics)
{
	unsigned pic = 0;

	while (pic < p->npic && (p->used[pic] || !(pics & engine_pic_bit(pic))))
		pic++;
	if (pic < p->npic)
		return pic;
	for (pic = p->top < p->npic ? p->top : 0; p->used[pic];)
		pic++;
	return pic;
}

/*
 * Give a free counter to each event that has none. The event keeps this counter if
 * place() fails.
 */
static void place_provisionally(struct parse *p)
{
	for (unsigned i = 0; i < p->nevents; i++)
		if (p->event[i].pic == MAX_PICS) {
			p->event[i].pic = unused_pic(p, p->event[i].pics);
			spec_use(p, p->event[i].pic);
		}
}

/* Sort the requests by counter. */
static void sort(struct spec *s)
{
	for (unsigned i = 1; i < s->n; i++)
		for (unsigned k = i; k && s->req[k - 1].pic > s->req[k].pic; k--) {
			const struct spec_req r = s->req[k];

			s->req[k] = s->req[k - 1];
			s->req[k - 1] = r;
		}
}

/* Let place() assign the counters. Requests and events are still in the same order. */
static void place_all(const struct parse *p, struct spec *s)
{
	const int placed = p->names->place && s->n &&
			   p->names->place(p->names->arg, s->n, s->req) == 0;

	for (unsigned i = 0; i < s->n; i++) {
		if (placed)
			s->req[i].pics = engine_pic_bit(s->req[i].pic);
		else
			s->req[i].pic = p->event[i].pic;
	}
	sort(s);
}

int spec_fill(struct parse *p, struct spec *s)
{
	s->req = calloc(p->nevents + 1, sizeof(*s->req));
	if (!s->req)
		return -1;
	place_provisionally(p);
	for (unsigned i = 0; i < p->nevents; i++)
		if (add_req(p, s, &p->event[i]))
			return -1;
	place_all(p, s);
	for (unsigned i = 0; i < s->n; i++) {
		struct spec_req *const r = &s->req[i];

		r->flags = (p->nouser[r->pic] ? 0 : CPC_COUNT_USER) |
			   (p->sys[r->pic] ? CPC_COUNT_SYSTEM : 0);
	}
	return add_attrs(p, s);
}
