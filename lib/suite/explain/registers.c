#include "suite/explain/registers.h"

#include <stdio.h>
#include <string.h>

struct explain_item *explain_reg(struct explain_items *items, const char *name,
				 const struct bits_field *field, uint64_t value)
{
	const struct bits_layout layout = {field};
	struct explain_item *it = explain_add(items, name);

	if (!it)
		return NULL;
	it->valued = 1;
	it->value = value;
	for (; field->name; field++)
		explain_field(it, field->name, bits_get(&layout, value, field->name),
			      NULL);
	return it;
}

/* A generic name brings its attribute with it; what is asked for goes before. */
static uint64_t attr(const struct explain_use *u, const char *name)
{
	for (unsigned i = 0; i < u->nattrs; i++)
		if (strcmp(u->attrs[i].ca_name, name) == 0)
			return u->attrs[i].ca_val;
	if (u->generic && u->generic->attr && strcmp(u->generic->attr, name) == 0)
		return u->generic->val;
	return 0;
}

static uint64_t column(const struct event *row, const char *key)
{
	const struct evcol *c = evtab_col(row, key);

	return c ? c->num : 0;
}

static uint64_t code(const struct explain_use *u)
{
	char key[16];

	snprintf(key, sizeof key, "code%u", u->pic);
	return column(u->row, key);
}

static uint64_t rescol(const struct evres *res, const char *key)
{
	const struct evcol *c = res ? evtab_rescol(res, key) : NULL;

	return c ? c->num : 0;
}

static uint64_t value_of(const struct evvalue *v, const struct explain_use *u)
{
	switch (v->from) {
	case FROM_NUMBER:
		return v->val;
	case FROM_NUM:
		return u->row->num >> v->val;
	case FROM_CODE:
		return code(u);
	case FROM_COLUMN:
		return column(u->row, v->key);
	case FROM_ATTR:
		return attr(u, v->key);
	case FROM_IF:
		return attr(u, v->key) != 0;
	case FROM_UNLESS:
		return attr(u, v->key) == 0;
	case FROM_USER:
		return (u->flags & CPC_COUNT_USER) != 0;
	case FROM_SYSTEM:
		return (u->flags & CPC_COUNT_SYSTEM) != 0;
	case FROM_ESCR:
		return rescol(u->escr, v->key);
	}
	return 0;
}

static void add_field(struct explain_item *it, const struct evfield *f,
		      const struct explain_use *use, unsigned n)
{
	int parked = f->has_parked;
	uint64_t bits = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!(f->pics >> use[i].pic & 1))
			continue;
		parked = 0;
		for (unsigned k = 0; k < f->nvalues; k++)
			bits |= value_of(&f->value[k], &use[i]);
	}
	it->value = bits_field_put(&f->at, it->value, parked ? f->parked : bits);
	explain_field(it, f->at.name, bits_field_get(&f->at, it->value),
		      parked ? "parked" : NULL);
}

/* The resource "counter" of a counter of the processor, or NULL. */
static const struct evres *counter_res(const struct evtab *tab, unsigned pic)
{
	for (unsigned i = 0; i < tab->nres; i++)
		if (strcmp(tab->res[i].kind, "counter") == 0 &&
		    rescol(&tab->res[i], "pic") == UINT64_C(1) << pic)
			return &tab->res[i];
	return NULL;
}

/* The ESCR or counter whose name and address a register has, or NULL. */
static const struct evres *res_of(const struct evtab *tab, const struct evreg *r,
				  const struct explain_use *u)
{
	if (!r->of)
		return NULL;
	return strcmp(r->of, "escr") == 0 ? u->escr : counter_res(tab, u->pic);
}

static void add(const struct evtab *tab, const struct evreg *r,
		const struct explain_use *use, unsigned n, struct explain_items *to)
{
	const struct evres *res = res_of(tab, r, use);
	char name[64];

	snprintf(name, sizeof name, "%s%s", r->name, res ? res->name : "");
	struct explain_item *it = explain_add(to, name);
	if (!it)
		return;
	it->space = r->space;
	it->addr = r->addrcol ? rescol(res, r->addrcol) : r->addr;
	it->valued = r->nfields > 0;
	for (unsigned i = 0; i < r->nfields; i++)
		add_field(it, &r->field[i], use, n);
}

static void add_reg(const struct evtab *tab, const struct evreg *r,
		    const struct explain_use *use, unsigned n,
		    struct explain_items *shared)
{
	for (unsigned i = 0; i < n; i++) {
		if (!(r->pics >> use[i].pic & 1))
			continue;
		if (r->shared) {
			add(tab, r, use, n, shared);
			return;
		}
		add(tab, r, &use[i], 1, use[i].items);
	}
}

void explain_regs(const struct evtab *tab, const struct explain_use *use, unsigned n,
		  struct explain_items *shared)
{
	for (unsigned i = 0; i < tab->nregs; i++)
		add_reg(tab, &tab->reg[i], use, n, shared);
}
