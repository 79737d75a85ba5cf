#include "suite/explain/registers.h"

#include <stdio.h>
#include <string.h>

enum { MAX_PICS = 64 };

struct explain_item *explain_reg(struct explain_items *items, const char *name,
				 const struct reg_field *field, uint64_t value)
{
	const struct reg_layout layout = {field};
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

static uint64_t value_of(const struct explain_part *p, const struct explain_use *u,
			 unsigned unit)
{
	switch (p->from) {
	case FROM_CONST:
		return p->val;
	case FROM_UNIT:
		return unit;
	case FROM_NUM:
		return u->row->num >> p->val;
	case FROM_CODE:
		return code(u);
	case FROM_COL:
		return column(u->row, p->key);
	case FROM_ATTR:
		return attr(u, p->key);
	case FROM_IF:
		return attr(u, p->key) != 0;
	case FROM_UNLESS:
		return attr(u, p->key) == 0;
	case FROM_USER:
		return (u->flags & CPC_COUNT_USER) != 0;
	case FROM_SYSTEM:
		return (u->flags & CPC_COUNT_SYSTEM) != 0;
	case FROM_ESCR:
		return rescol(u->escr, p->key);
	}
	return 0;
}

/* Which of the register's counters does a request have? Or MAX_PICS. */
static unsigned counter_in(const struct explain_kind *k, unsigned unit,
			   const struct explain_use *u)
{
	return u->pic / k->per == unit && k->pics >> u->pic & 1 ? u->pic % k->per
								: MAX_PICS;
}

/* *idle: no request has a counter that the part is for. */
static uint64_t part_bits(const struct explain_kind *k, unsigned unit,
			  const struct explain_part *p, const struct explain_use *use,
			  unsigned n, int *idle)
{
	uint64_t bits = 0;
	int used = 0;

	for (unsigned i = 0; i < n; i++) {
		const unsigned counter = counter_in(k, unit, &use[i]);

		if (counter == MAX_PICS || (p->pics && !(p->pics >> counter & 1)))
			continue;
		bits |= value_of(p, &use[i], unit);
		used = 1;
	}
	*idle = !used;
	return used ? bits : p->idle;
}

static uint64_t value(const struct explain_kind *k, unsigned unit,
		      const struct explain_use *use, unsigned n)
{
	const struct reg_layout layout = {k->field};
	uint64_t v = 0;
	int idle;

	for (const struct explain_part *p = k->part; p->field; p++)
		v = bits_put(&layout, v, p->field,
			     bits_get(&layout, v, p->field) |
				     part_bits(k, unit, p, use, n, &idle));
	return v;
}

/* What fields have that nobody asked for. */
static void name_idle(struct explain_item *it, const struct explain_kind *k,
		      unsigned unit, const struct explain_use *use, unsigned n)
{
	for (const struct explain_part *p = k->part; p && p->field; p++) {
		int idle;

		part_bits(k, unit, p, use, n, &idle);
		for (unsigned i = 0; idle && p->idle_word && i < it->n; i++)
			if (strcmp(it->field[i].name, p->field) == 0)
				it->field[i].word = p->idle_word;
	}
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

/* Name and address; u: the only request that has it, or any of those that share it. */
static void place(const struct evtab *tab, const struct explain_kind *k, unsigned unit,
		  const struct explain_use *u, char *name, size_t size, uint64_t *addr)
{
	const struct evres *res = k->of == OF_ESCR  ? u->escr
				  : k->of == OF_PIC ? counter_res(tab, u->pic)
						    : NULL;

	*addr = res ? rescol(res, k->key) : k->base + k->step * unit;
	if (k->of == OF_CPU)
		snprintf(name, size, "%s%u", k->name, unit);
	else
		snprintf(name, size, "%s%s", k->name, res ? res->name : "");
}

static void add(const struct evtab *tab, const struct explain_kind *k, unsigned unit,
		const struct explain_use *use, unsigned n, const struct explain_use *u,
		struct explain_items *to)
{
	char name[64];
	uint64_t addr;

	place(tab, k, unit, u, name, sizeof name, &addr);
	struct explain_item *it =
		k->field ? explain_reg(to, name, k->field, value(k, unit, use, n))
			 : explain_add(to, name);
	if (!it)
		return;
	it->space = k->space;
	it->addr = addr;
	name_idle(it, k, unit, use, n);
}

/* A register for each unit of counters that some request has one of. */
static void add_kind(const struct evtab *tab, const struct explain_kind *k,
		     const struct explain_use *use, unsigned n,
		     struct explain_items *shared)
{
	for (unsigned unit = 0; unit * k->per < MAX_PICS; unit++)
		for (unsigned i = 0; i < n; i++) {
			if (counter_in(k, unit, &use[i]) == MAX_PICS)
				continue;
			add(tab, k, unit, use, n, &use[i],
			    k->per == 1 ? use[i].items : shared);
			break;
		}
}

void explain_regs(const struct evtab *tab, const struct explain_cpu *cpu,
		  const struct explain_use *use, unsigned n, struct explain_items *shared)
{
	for (const struct explain_kind *k = cpu->kind; k->name; k++)
		add_kind(tab, k, use, n, shared);
}
