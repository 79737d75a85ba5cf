/* Requests: an event name and its attributes are encoded for an engine. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libcpc.h>
#include "base/array.h"
#include "cpc/cpc.h"
#include "cpc/sampling.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/status.h"

/* Processors have far fewer attributes. */
enum { MAX_ATTRS = 64 };

static const char fn_add[] = "cpc_set_add_request";

static int refuse(cpc_t *cpc, int subcode, const char *what)
{
	errno = EINVAL;
	cpc_report(cpc, fn_add, subcode, "%s: %s", cpc_subcode_text(subcode), what);
	return -1;
}

/* Copy an attribute, which walks of the set show, to the end of the attributes. */
static int copy_attr(struct request *q, const cpc_attr_t *attr)
{
	char *name = strdup(attr->ca_name);

	if (!name)
		return -1;
	q->attrs[q->nattrs] = (cpc_attr_t){name, attr->ca_val};
	return 0;
}

/* The attribute picnum leaves one counter. */
static int take_picnum(cpc_t *cpc, struct request *q, uint64_t pic)
{
	if (pic >= cpc_npic(cpc))
		return refuse(cpc, CPC_INVALID_PICNUM, q->name);
	if (!(q->event.pics & engine_pic_bit(pic)))
		return refuse(cpc, CPC_PIC_NOT_CAPABLE, q->name);
	/* A second picnum replaces the first. */
	if (q->placed)
		q->attrs[q->nattrs].ca_val = pic;
	else if (copy_attr(q, &(cpc_attr_t){"picnum", pic}) == -1)
		return -1;
	q->can = engine_pic_bit(pic);
	q->placed = 1;
	q->pic = (unsigned)pic;
	return 0;
}

static int is_engine_attr(const cpc_t *cpc, const char *name)
{
	const char *const *a = cpc->scope.ops->attrs(cpc->scope.engine);

	while (*a && strcmp(*a, name) != 0)
		a++;
	return *a != NULL;
}

static int out_of_range(cpc_t *cpc, const struct request *q, const char *attr,
			uint64_t bits)
{
	char what[CPC_MAX_ATTR_LEN + CPC_MAX_EVENT_LEN + 64];

	snprintf(what, sizeof what, "%s: %s takes only bits of %#llx", attr, q->name,
		 (unsigned long long)bits);
	return refuse(cpc, CPC_ATTRIBUTE_OUT_OF_RANGE, what);
}

static int check_attr(cpc_t *cpc, const struct request *q, const cpc_attr_t *attr)
{
	const struct evtab *cpu = cpc->scope.cpu;
	uint64_t bits;

	if (!cpu)
		return is_engine_attr(cpc, attr->ca_name)
			       ? 0
			       : refuse(cpc, CPC_INVALID_ATTRIBUTE, attr->ca_name);
	if (q->event.own && evtab_valid(q->event.own, attr->ca_name, &bits) &&
	    attr->ca_val & ~bits)
		return out_of_range(cpc, q, attr->ca_name, bits);
	const struct evattr *known = evtab_attr(cpu, attr->ca_name);
	if (!known)
		return refuse(cpc, CPC_INVALID_ATTRIBUTE, attr->ca_name);
	if (attr->ca_val > known->max)
		return refuse(cpc, CPC_ATTRIBUTE_OUT_OF_RANGE, attr->ca_name);
	return 0;
}

static int keep_attr(struct request *q, const cpc_attr_t *attr)
{
	if (copy_attr(q, attr) == -1)
		return -1;
	q->nattrs++;
	return 0;
}

static int is_smpl_attr(const struct request *q, const char *name)
{
	return q->flags & CPC_HW_SMPL && smpl_is_attr(name);
}

/* Take an attribute that is not for the engine: picnum, or how records are taken. */
static int take_own_attr(cpc_t *cpc, struct request *q, struct smpl_params *params,
			 const cpc_attr_t *attr)
{
	if (strcmp(attr->ca_name, "picnum") == 0)
		return q->flags & CPC_HW_SMPL ? smpl_check_picnum(cpc, attr->ca_val)
					      : take_picnum(cpc, q, attr->ca_val);
	const int subcode = smpl_take_attr(params, attr);

	return subcode ? refuse(cpc, subcode, attr->ca_name) : keep_attr(q, attr);
}

/*
 * Copy the attributes into q, the *nengine attributes for the engine first; picnum goes
 * into q->can.
 */
static int take_attrs(cpc_t *cpc, struct request *q, struct smpl_params *params,
		      uint_t *nengine, uint_t nattrs, const cpc_attr_t *attrs)
{
	q->attrs = calloc(nattrs + 1, sizeof *q->attrs);
	if (!q->attrs)
		return -1;
	for (int own = 0; own < 2; own++) {
		for (uint_t i = 0; i < nattrs; i++) {
			const char *name = attrs[i].ca_name;

			if (own != (strcmp(name, "picnum") == 0 || is_smpl_attr(q, name)))
				continue;
			if (own ? take_own_attr(cpc, q, params, &attrs[i]) == -1
				: check_attr(cpc, q, &attrs[i]) == -1 ||
					    keep_attr(q, &attrs[i]) == -1)
				return -1;
		}
		if (!own)
			*nengine = q->nattrs;
	}
	return 0;
}

/* Check that names fit CPC_MAX_ATTR_LEN and that attributes are not too many. */
static int check_attrs(cpc_t *cpc, uint_t nattrs, const cpc_attr_t *attrs)
{
	if (nattrs > MAX_ATTRS)
		return refuse(cpc, CPC_INVALID_ATTRIBUTE,
			      "the request has too many attributes");
	for (uint_t i = 0; i < nattrs; i++) {
		if (!attrs || !attrs[i].ca_name)
			return refuse(cpc, CPC_INVALID_ATTRIBUTE,
				      "an attribute has no name");
		if (strlen(attrs[i].ca_name) >= CPC_MAX_ATTR_LEN)
			return refuse(cpc, CPC_INVALID_ATTRIBUTE,
				      "the attribute name is too long");
	}
	return 0;
}

static int encode(cpc_t *cpc, struct request *q, const struct smpl_params *params,
		  uint_t nengine)
{
	const struct engine_request req = {
		.name = q->name,
		.row = q->event.row,
		.tab = q->event.tab,
		.flags = q->flags,
		.nattrs = nengine,
		.attrs = q->attrs,
	};
	struct why why;

	if (!(q->flags & CPC_HW_SMPL))
		q->sel =
			status_encode(cpc, cpc->scope.ops, cpc->scope.engine, &req, &why);
	else if (status_check_place(cpc, q->name, &why) == 0)
		return smpl_encode(cpc, fn_add, q, &req, params);
	if (q->sel)
		return 0;
	cpc_report(cpc, fn_add, CPC_REFUSED, "%s", why.text);
	return -1;
}

/*
 * Linux accepts a request to count in hypervisor mode on every machine, but counts that
 * mode on few and does not say on which: a count would lack it, and nothing would tell.
 */
static int refuse_hypervisor(cpc_t *cpc, const char *event)
{
	cpc_report(cpc, fn_add, CPC_HV_NO_ACCESS,
		   "%s: %s: Linux does not tell whether this machine can count its "
		   "hypervisor; leave CPC_COUNT_HV out",
		   cpc_subcode_text(CPC_HV_NO_ACCESS), event);
	errno = EACCES;
	return -1;
}

static int fill(cpc_t *cpc, struct request *q, const char *event, uint_t nattrs,
		const cpc_attr_t *attrs)
{
	struct smpl_params params = {0};
	char what[2 * CPC_MAX_EVENT_LEN];
	uint_t nengine;

	if (check_attrs(cpc, nattrs, attrs) == -1)
		return -1;
	if (q->flags & ~(unsigned)(CPC_COUNT_USER | CPC_COUNT_SYSTEM | CPC_COUNT_HV |
				   CPC_OVF_NOTIFY_EMT | CPC_HW_SMPL))
		return refuse(cpc, CPC_REQ_INVALID_FLAGS, event);
	if (q->flags & CPC_COUNT_HV)
		return refuse_hypervisor(cpc, event);
	if (status_resolve(cpc, event, &q->event, what, sizeof what) == -1)
		return refuse(cpc, CPC_INVALID_EVENT, what);
	q->can = q->event.pics;
	q->name = strdup(event);
	if (!q->name || take_attrs(cpc, q, &params, &nengine, nattrs, attrs) == -1)
		return -1;
	return encode(cpc, q, &params, nengine);
}

static int grow(struct requests *r)
{
	if (array_grow(&r->req, r->n, sizeof *r->req) == -1 ||
	    array_grow(&r->sel, r->n, sizeof *r->sel) == -1 ||
	    array_grow(&r->counted, r->n, sizeof *r->counted) == -1 ||
	    array_grow(&r->turn, r->n, sizeof *r->turn) == -1)
		return -1;
	return 0;
}

static int add_request(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t preset,
		       uint_t flags, uint_t nattrs, const cpc_attr_t *attrs)
{
	struct requests *r = set->reqs;

	if (set->bound || r->sets > 1) {
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
	if (!(flags & CPC_HW_SMPL)) {
		r->counted[r->ncounted] = r->n;
		r->sel[r->ncounted++] = q->sel;
	}
	r->assigned = 0;
	return (int)r->n++;
}

int cpc_set_add_request(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t preset,
			uint_t flags, uint_t nattrs, const cpc_attr_t *attrs)
{
	if (!set_is_of(cpc, set) || !event) {
		errno = EINVAL;
		return -1;
	}
	cpc_lock(cpc);
	const int index = add_request(cpc, set, event, preset, flags, nattrs, attrs);
	cpc_unlock(cpc);
	return index;
}
