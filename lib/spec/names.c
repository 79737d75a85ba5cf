#include "spec/names.h"

#include <string.h>

#include "cpc/cpc.h"
#include "itanium2/assign.h"
#include "table/table.h"

static int event_pics(void *arg, const char *name, uint64_t *pics)
{
	return cpc_event_pics(arg, name, pics);
}

static int table_attr(const struct evtab *cpu, const char *name, struct spec_attr *attr)
{
	static const enum spec_form forms[] = {
		[FORM_NUMBER] = SPEC_NUMBER,
		[FORM_OPCODE] = SPEC_OPCODE,
		[FORM_RANGE] = SPEC_RANGE,
	};
	const struct evattr *a = evtab_attr(cpu, name);

	if (a)
		*attr = (struct spec_attr){forms[a->form], a->of_set, a->times};
	return a != NULL;
}

struct attr_search {
	const char *name;
	int found;
};

static void compare_attr(void *arg, const char *name)
{
	struct attr_search *s = arg;

	if (strcmp(name, s->name) == 0)
		s->found = 1;
}

/*
 * The engine finds its attributes in the files of each PMU, which takes long where there
 * are many. No field of a PMU has the name of a software event.
 */
static int is_software(const char *name)
{
	const struct evtab *tab = evtab_find("software");

	return tab && evtab_name(tab, name);
}

/* Without a table the engine has the attributes, whose values are all numbers. */
static int is_attr(void *arg, const char *name, struct spec_attr *attr)
{
	cpc_t *const cpc = arg;
	struct attr_search s = {name, 0};

	if (cpc->scope.cpu)
		return table_attr(cpc->scope.cpu, name, attr);
	if (is_software(name))
		return 0;
	cpc_walk_attrs(cpc, &s, compare_attr);
	return s.found;
}

/* Assign counters by the rules of the Itanium 2. */
static int place(void *arg, unsigned n, struct spec_req *req)
{
	enum { MAX = 64 };
	cpc_t *const cpc = arg;
	struct itanium2_wanted_event w[MAX] = {0};
	unsigned pic[MAX];
	char err[1];

	for (unsigned i = 0; i < n; i++) {
		struct resolved m;

		if (resolve_in(cpc->scope.cpu, req[i].event, &m) == -1)
			return -1;
		w[i] = (struct itanium2_wanted_event){req[i].event, m.own, req[i].pics};
	}
	if (itanium2_assign(w, n, pic, err, sizeof err) == -1)
		return -1;
	for (unsigned i = 0; i < n; i++)
		req[i].pic = pic[i];
	return 0;
}

struct spec_names spec_names_of(cpc_t *cpc)
{
	return (struct spec_names){
		.npic = cpc_npic(cpc),
		.arg = cpc,
		.event = event_pics,
		.attr = is_attr,
		.place = cpc->scope.cpu && cpc->scope.cpu->dispatch ? place : NULL,
	};
}

int spec_add(cpc_t *cpc, cpc_set_t *set, const struct spec_req *r)
{
	cpc_attr_t attrs[r->nattrs + 1];
	char picnum[] = "picnum";
	const int placed = r->pics == engine_pic_bit(r->pic);

	for (unsigned i = 0; i < r->nattrs; i++)
		attrs[i] = r->attrs[i];
	attrs[r->nattrs] = (cpc_attr_t){picnum, r->pic};
	return cpc_set_add_request(cpc, set, r->event, 0, r->flags,
				   r->nattrs + (placed ? 1 : 0), attrs);
}
