/* Requests: from a name and attributes to what an engine can bind. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "libcpc.h"
#include "libcpc_impl.h"

static const char fn_add[] = "cpc_set_add_request";

static int refuse(cpc_t *cpc, int subcode, const char *what)
{
	errno = EINVAL;
	cpc_tell(cpc, fn_add, subcode, "%s: %s", cpc_subcode_text(subcode), what);
	return -1;
}

static int unknown_event(cpc_t *cpc, const char *event)
{
	char near[CPC_MAX_EVENT_LEN], what[2 * CPC_MAX_EVENT_LEN];

	resolve_suggest(&cpc->scope, event, near, sizeof near);
	snprintf(what, sizeof what, "%s%s%s", event, *near ? "; " : "", near);
	return refuse(cpc, CPC_INVALID_EVENT, what);
}

/* picnum fixes the counter. */
static int take_picnum(cpc_t *cpc, struct request *q, uint64_t pic)
{
	if (pic >= cpc_npic(cpc))
		return refuse(cpc, CPC_INVALID_PICNUM, q->name);
	if (!(q->is.pics >> pic & 1))
		return refuse(cpc, CPC_PIC_NOT_CAPABLE, q->name);
	q->can = UINT64_C(1) << pic;
	return 0;
}

static int is_engine_attr(const cpc_t *cpc, const char *name)
{
	const char *const *a = cpc->scope.ops->attrs(cpc->scope.engine);

	while (*a && strcmp(*a, name) != 0)
		a++;
	return *a != NULL;
}

static int check_attr(cpc_t *cpc, const cpc_attr_t *attr)
{
	const struct evtab *cpu = cpc->scope.cpu;

	if (!cpu)
		return is_engine_attr(cpc, attr->ca_name)
			       ? 0
			       : refuse(cpc, CPC_INVALID_ATTRIBUTE, attr->ca_name);
	for (unsigned i = 0; i < cpu->nattrs; i++)
		if (strcmp(cpu->attrs[i].name, attr->ca_name) == 0)
			return attr->ca_val <= cpu->attrs[i].max
				       ? 0
				       : refuse(cpc, CPC_ATTRIBUTE_OUT_OF_RANGE,
						attr->ca_name);
	return refuse(cpc, CPC_INVALID_ATTRIBUTE, attr->ca_name);
}

/* Copy the attributes of a request, picnum apart. */
static int take_attrs(cpc_t *cpc, struct request *q, uint_t nattrs,
		      const cpc_attr_t *attrs)
{
	q->attrs = calloc(nattrs + 1, sizeof *q->attrs);
	if (!q->attrs)
		return -1;
	for (uint_t i = 0; i < nattrs; i++) {
		if (strcmp(attrs[i].ca_name, "picnum") == 0) {
			if (take_picnum(cpc, q, attrs[i].ca_val) == -1)
				return -1;
			continue;
		}
		if (check_attr(cpc, &attrs[i]) == -1)
			return -1;
		char *name = strdup(attrs[i].ca_name);
		if (!name)
			return -1;
		q->attrs[q->nattrs++] = (cpc_attr_t){name, attrs[i].ca_val};
	}
	return 0;
}

static int encode(cpc_t *cpc, struct request *q)
{
	const struct evask ask = {
		.name = q->name,
		.row = q->is.row,
		.flags = q->flags,
		.nattrs = q->nattrs,
		.attrs = q->attrs,
	};
	struct why why;

	q->sel = cpc->scope.ops->encode(cpc->scope.engine, &ask, &why);
	if (q->sel)
		return 0;
	cpc_tell(cpc, fn_add, CPC_REFUSED, "%s", why.text);
	return -1;
}

static int fill(cpc_t *cpc, struct request *q, const char *event, uint_t nattrs,
		const cpc_attr_t *attrs)
{
	if (q->flags & ~(unsigned)(CPC_COUNT_USER | CPC_COUNT_SYSTEM))
		return refuse(cpc, CPC_REQ_INVALID_FLAGS, event);
	if (resolve_name(&cpc->scope, event, &q->is) == -1)
		return unknown_event(cpc, event);
	q->can = q->is.pics;
	q->name = strdup(event);
	if (!q->name || take_attrs(cpc, q, nattrs, attrs) == -1)
		return -1;
	return encode(cpc, q);
}

static int grow(struct requests *r)
{
	struct request *req = realloc(r->req, (r->n + 1) * sizeof *req);

	if (!req)
		return -1;
	r->req = req;
	const struct evsel **sel = realloc(r->sel, (r->n + 1) * sizeof *sel);
	if (!sel)
		return -1;
	r->sel = sel;
	return 0;
}

int cpc_set_add_request(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t preset,
			uint_t flags, uint_t nattrs, const cpc_attr_t *attrs)
{
	struct requests *r = set->reqs;

	if (set->cpc != cpc || set->bound || r->sets > 1) {
		errno = EINVAL;
		return -1;
	}
	if (grow(r) == -1)
		return -1;
	struct request *q = &r->req[r->n];
	*q = (struct request){.preset = preset, .flags = flags};
	if (fill(cpc, q, event, nattrs, attrs) == -1) {
		const int e = errno;

		request_clear(r, q);
		errno = e;
		return -1;
	}
	r->sel[r->n] = q->sel;
	r->assigned = 0;
	return (int)r->n++;
}
