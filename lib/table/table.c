#include "table/table.h"

#include <stddef.h>
#include <string.h>

const struct evtab *evtab_find(const char *name)
{
	for (unsigned i = 0; evtabs[i]; i++)
		if (strcmp(evtabs[i]->name, name) == 0)
			return evtabs[i];
	return NULL;
}

const struct event *evtab_name(const struct evtab *t, const char *name)
{
	for (unsigned i = 0; i < t->n; i++)
		if (strcmp(t->ev[i].name, name) == 0)
			return &t->ev[i];
	return NULL;
}

const struct event *evtab_num(const struct evtab *t, unsigned num)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->ev[i].num == num)
			return &t->ev[i];
	return NULL;
}

const struct evgeneric *evtab_generic(const struct evtab *t, const char *name)
{
	for (unsigned i = 0; i < t->ngeneric; i++)
		if (strcmp(t->generic[i].name, name) == 0)
			return &t->generic[i];
	return NULL;
}

const struct evattr *evtab_attr(const struct evtab *t, const char *name)
{
	for (unsigned i = 0; i < t->nattrs; i++)
		if (strcmp(t->attrs[i].name, name) == 0)
			return &t->attrs[i];
	return NULL;
}

static const struct evcol *find_col(const struct evcol *cols, unsigned n, const char *key)
{
	for (unsigned i = 0; i < n; i++)
		if (strcmp(cols[i].key, key) == 0)
			return &cols[i];
	return NULL;
}

const struct evcol *evtab_col(const struct event *ev, const char *key)
{
	return find_col(ev->cols, ev->ncols, key);
}

int evtab_valid(const struct event *ev, const char *attr, uint64_t *bits)
{
	static const char suffix[] = "_valid";
	const size_t len = strlen(attr);

	for (unsigned i = 0; i < ev->ncols; i++)
		if (strncmp(ev->cols[i].key, attr, len) == 0 &&
		    strcmp(ev->cols[i].key + len, suffix) == 0) {
			*bits = ev->cols[i].num;
			return 1;
		}
	return 0;
}

const struct evcol *evtab_rescol(const struct evres *res, const char *key)
{
	return find_col(res->cols, res->ncols, key);
}
