#include "cpc/set.h"

#include <errno.h>
#include <stdlib.h>

#include <opencpc.h>

#include "base/pool.h"
#include "cpc/session.h"

static struct pool sets = {.size = sizeof(cpc_set_t)};

struct requests *requests_keep(struct requests *r)
{
	__atomic_add_fetch(&r->refs, 1, __ATOMIC_RELAXED);
	return r;
}

void request_clear(const struct requests *r, struct request *q)
{
	for (unsigned i = 0; i < request_nattrs(q); i++)
		free(q->attrs[i].ca_name);
	free(q->attrs);
	free(q->name);
	r->ops->drop(q->sel);
}

void requests_drop(struct requests *r)
{
	if (!r || __atomic_sub_fetch(&r->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	for (unsigned i = 0; i < r->n; i++)
		request_clear(r, &r->req[i]);
	free(r->req);
	free(r->sel);
	free(r->counted);
	free(r->turn);
	free(r);
}

void requests_spread(const struct requests *r, struct count *val)
{
	for (unsigned i = r->n, k = r->ncounted; i-- > 0;)
		val[i] = k && r->counted[k - 1] == i ? val[--k] : (struct count){0};
}

void binding_add(struct binding *b, cpc_set_t *set, const struct binding_ops *ops)
{
	b->set = set;
	ring_add(&set->bindings, &b->link);
	__atomic_store_n(&set->bound, ops, __ATOMIC_RELAXED);
}

void binding_drop(struct binding *b)
{
	if (b->link.next == &b->link)
		return;
	ring_drop(&b->link);
	ring_init(&b->link);
	if (b->set->bindings.next == &b->set->bindings)
		__atomic_store_n(&b->set->bound, NULL, __ATOMIC_RELAXED);
}

/* The newest binding is undone first. */
void set_unbind(cpc_set_t *set)
{
	while (set->bindings.prev != &set->bindings) {
		struct binding *newest = (struct binding *)set->bindings.prev;

		set->bound->unbind(newest);
	}
}

static void destroy(struct owned *o)
{
	cpc_set_t *set = (cpc_set_t *)o;

	cpc_set_destroy(set->cpc, set);
}

static cpc_set_t *set_new(cpc_t *cpc, struct requests *reqs)
{
	cpc_set_t *set = pool_get(&sets);

	if (!set)
		return NULL;
	set->owned.destroy = destroy;
	set->cpc = cpc;
	set->reqs = reqs;
	ring_init(&set->bindings);
	cpc_lock(cpc);
	reqs->sets++;
	ring_add(&cpc->owned, &set->owned.link);
	cpc_unlock(cpc);
	return set;
}

cpc_set_t *cpc_set_create(cpc_t *cpc)
{
	if (!session_is_open(cpc))
		return NULL;
	struct requests *reqs = calloc(1, sizeof *reqs);

	if (!reqs)
		return NULL;
	reqs->refs = 1;
	reqs->ops = cpc->scope.ops;
	cpc_set_t *set = set_new(cpc, reqs);
	if (!set)
		requests_drop(reqs);
	return set;
}

cpc_set_t *cpc_set_dup(cpc_t *cpc, const cpc_set_t *set)
{
	if (!set_is_of(cpc, set))
		return NULL;
	cpc_set_t *dup = set_new(cpc, set->reqs);
	if (dup)
		requests_keep(dup->reqs);
	return dup;
}

int cpc_set_flags(cpc_t *cpc, cpc_set_t *set, uint_t flags)
{
	if (!set_is_of(cpc, set))
		return -1;
	cpc_lock(cpc);
	const int rc =
		flags & ~(uint_t)CPC_SET_MULTIPLEX || set->bound || set->reqs->sets > 1
			? -1
			: 0;
	if (rc == 0) {
		set->reqs->flags = flags;
		set->reqs->assigned = 0;
	} else {
		errno = EINVAL;
	}
	cpc_unlock(cpc);
	return rc;
}

int cpc_set_destroy(cpc_t *cpc, cpc_set_t *set)
{
	if (!set_is_of(cpc, set))
		return -1;
	cpc_lock(cpc);
	set_unbind(set);
	ring_drop(&set->owned.link);
	set->reqs->sets--;
	cpc_unlock(cpc);
	requests_drop(set->reqs);
	pool_put(&sets, set);
	return 0;
}

void cpc_walk_requests(cpc_t *cpc, cpc_set_t *set, void *arg,
		       void (*action)(void *arg, int index, const char *event,
				      uint64_t preset, uint_t flags, int nattrs,
				      const cpc_attr_t *attrs))
{
	if (!set_is_of(cpc, set))
		return;
	if (!action) {
		errno = EINVAL;
		return;
	}
	for (unsigned i = set->reqs->n; i-- > 0;) {
		const struct request *q = &set->reqs->req[i];

		action(arg, (int)i, q->name, q->preset, q->flags, (int)request_nattrs(q),
		       q->attrs);
	}
}

const char *cpc_request_note(cpc_t *cpc, const cpc_set_t *set, int index)
{
	if (!set_is_of(cpc, set))
		return NULL;
	if (index < 0 || (unsigned)index >= set->reqs->n)
		return NULL;
	return set->reqs->ops->words->note(set->reqs->req[index].sel);
}
