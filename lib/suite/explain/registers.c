#include "suite/explain/registers.h"

#include <stdio.h>
#include <string.h>

struct explain_item *explain_add_register(struct explain_items *items, const char *name,
					  const struct bits_field *field, uint64_t value)
{
	const struct bits_layout layout = {field};
	struct explain_item *it = explain_add_item(items, name);

	if (!it)
		return NULL;
	it->valued = 1;
	it->value = value;
	for (; field->name; field++)
		explain_add_field(it, field->name, bits_get(&layout, value, field->name),
				  NULL);
	return it;
}

/* Returns an attribute of the request, else of its PAPI_* event, else 0. */
static uint64_t attr_value(const struct explain_assigned *a, const char *name)
{
	for (unsigned i = 0; i < a->nattrs; i++)
		if (strcmp(a->attrs[i].ca_name, name) == 0)
			return a->attrs[i].ca_val;
	if (a->generic && a->generic->attr && strcmp(a->generic->attr, name) == 0)
		return a->generic->val;
	return 0;
}

static uint64_t event_column(const struct event *row, const char *key)
{
	const struct evcol *c = evtab_col(row, key);

	return c ? c->num : 0;
}

static uint64_t code_value(const struct explain_assigned *a)
{
	char key[16];

	snprintf(key, sizeof key, "code%u", a->pic);
	return event_column(a->row, key);
}

static uint64_t resource_column(const struct evres *res, const char *key)
{
	const struct evcol *c = res ? evtab_rescol(res, key) : NULL;

	return c ? c->num : 0;
}

static uint64_t value_of(const struct evvalue *v, const struct explain_assigned *a)
{
	switch (v->from) {
	case FROM_NUMBER:
		return v->val;
	case FROM_NUM:
		return a->row->num >> v->val;
	case FROM_CODE:
		return code_value(a);
	case FROM_COLUMN:
		return event_column(a->row, v->key);
	case FROM_ATTR:
		return attr_value(a, v->key);
	case FROM_IF:
		return attr_value(a, v->key) != 0;
	case FROM_UNLESS:
		return attr_value(a, v->key) == 0;
	case FROM_USER:
		return (a->flags & CPC_COUNT_USER) != 0;
	case FROM_SYSTEM:
		return (a->flags & CPC_COUNT_SYSTEM) != 0;
	case FROM_ESCR:
		return resource_column(a->escr, v->key);
	}
	return 0;
}

static void add_field(struct explain_item *it, const struct evfield *f,
		      const struct explain_assigned *assigned, unsigned n)
{
	int parked = f->has_parked;
	uint64_t bits = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!(f->pics >> assigned[i].pic & 1))
			continue;
		parked = 0;
		for (unsigned k = 0; k < f->nvalues; k++)
			bits |= value_of(&f->value[k], &assigned[i]);
	}
	it->value = bits_field_put(&f->at, it->value, parked ? f->parked : bits);
	explain_add_field(it, f->at.name, bits_field_get(&f->at, it->value),
			  parked ? "parked" : NULL);
}

/* Returns the resource of kind "counter" that stands for a counter, or NULL. */
static const struct evres *counter_resource(const struct evtab *tab, unsigned pic)
{
	for (unsigned i = 0; i < tab->nres; i++)
		if (strcmp(tab->res[i].kind, "counter") == 0 &&
		    resource_column(&tab->res[i], "pic") == UINT64_C(1) << pic)
			return &tab->res[i];
	return NULL;
}

/* Returns the ESCR or counter that gives a register its name and address, or NULL. */
static const struct evres *register_resource(const struct evtab *tab,
					     const struct evreg *r,
					     const struct explain_assigned *a)
{
	if (!r->of)
		return NULL;
	return strcmp(r->of, "escr") == 0 ? a->escr : counter_resource(tab, a->pic);
}

static void add_register(const struct evtab *tab, const struct evreg *r,
			 const struct explain_assigned *assigned, unsigned n,
			 struct explain_items *to)
{
	const struct evres *res = register_resource(tab, r, assigned);
	char name[64];

	snprintf(name, sizeof name, "%s%s", r->name, res ? res->name : "");
	struct explain_item *it = explain_add_item(to, name);
	if (!it)
		return;
	it->space = r->space;
	it->addr = r->addrcol ? resource_column(res, r->addrcol) : r->addr;
	it->valued = r->nfields > 0;
	for (unsigned i = 0; i < r->nfields; i++)
		add_field(it, &r->field[i], assigned, n);
}

static void add_register_of(const struct evtab *tab, const struct evreg *r,
			    const struct explain_assigned *assigned, unsigned n,
			    struct explain_items *shared)
{
	for (unsigned i = 0; i < n; i++) {
		if (!(r->pics >> assigned[i].pic & 1))
			continue;
		if (r->shared) {
			add_register(tab, r, assigned, n, shared);
			return;
		}
		add_register(tab, r, &assigned[i], 1, assigned[i].items);
	}
}

void explain_registers(const struct evtab *tab, const struct explain_assigned *assigned,
		       unsigned n, struct explain_items *shared)
{
	for (unsigned i = 0; i < tab->nregs; i++)
		add_register_of(tab, &tab->reg[i], assigned, n, shared);
}
