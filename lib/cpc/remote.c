#include "cpc/remote.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/on_cpu.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/strict.h"
#include "cpc/value.h"

enum { LINE = 64 }; /* bytes of a cache line of most processors */

struct cpc_remote {
	struct on_cpu on;
	unsigned room;	     /* the most requests of a set */
	uint64_t ns_on;	     /* of the last sample */
	struct count last[]; /* the values of the last sample, or 0 after the bind */
};

static size_t size_of(unsigned n)
{
	const size_t size = sizeof(struct cpc_remote) + n * sizeof(struct count);

	return (size + LINE - 1) / LINE * LINE;
}

struct cpc_remote *cpc_remote_new(unsigned n)
{
	struct cpc_remote *r = aligned_alloc(LINE, size_of(n));

	if (r)
		*r = (struct cpc_remote){.on.token = STRICT_OFF, .room = n};
	return r;
}

void cpc_remote_free(cpc_t *cpc, struct cpc_remote *r)
{
	if (!r)
		return;
	cpc_remote_unbind(cpc, r);
	free(r);
}

void cpc_remote_unbind(cpc_t *cpc, struct cpc_remote *r)
{
	const int e = errno;

	cpc_lock(cpc);
	on_cpu_unbind(cpc, &r->on);
	cpc_unlock(cpc);
	errno = e;
}

static int bind_there(cpc_t *cpc, struct cpc_remote *r, cpc_set_t *set,
		      const struct on_cpu_place *place)
{
	static const char fn[] = "cpc_remote_bind";

	if (assign_counters(cpc, fn, set) == -1 || bind_check_plain(cpc, fn, set) == -1)
		return -1;
	on_cpu_unbind(cpc, &r->on);
	if (on_cpu_bind(cpc, fn, place, set->reqs, &r->on) == 0 &&
	    on_cpu_bound(&r->on) == 0)
		return 0;
	const int e = errno;
	on_cpu_unbind(cpc, &r->on);
	errno = e;
	return -1;
}

int cpc_remote_bind(cpc_t *cpc, struct cpc_remote *r, cpc_set_t *set,
		    const struct engine_cgroup *cgroup, int cpu)
{
	const struct on_cpu_place place = {cpu, cgroup};

	if (!set_is_of(cpc, set) || cpu < 0 || set->reqs->n > r->room) {
		errno = EINVAL;
		return -1;
	}
	memset(r->last, 0, r->room * sizeof r->last[0]);
	r->ns_on = 0;
	cpc_lock(cpc);
	const int rc = bind_there(cpc, r, set, &place);
	cpc_unlock(cpc);
	return rc;
}

static inline cpc_value_t since(const struct count *now, const struct count *last,
				cpc_class_t class)
{
	const struct count c = {
		.count = now->count - last->count,
		.enabled = now->enabled - last->enabled,
		.running = now->running - last->running,
		.absent = now->absent || last->absent,
	};

	return value_of(&c, class, 0);
}

static inline cpc_class_t class_of(const struct requests *r, unsigned i)
{
	return r->ops->class(r->req[i].sel);
}

int cpc_remote_sample(cpc_t *cpc, struct cpc_remote *r, const cpc_set_t *set,
		      cpc_value_t *value, uint64_t *on)
{
	struct count now[ENGINE_MOST_PICS];
	uint64_t ns_on;

	if (on_cpu_read(cpc, &r->on, now, NULL, &ns_on) == -1)
		return -1;
	for (unsigned i = 0; i < set->reqs->n; i++) {
		value[i] = since(&now[i], &r->last[i], class_of(set->reqs, i));
		r->last[i] = now[i];
	}
	*on = ns_on - r->ns_on;
	r->ns_on = ns_on;
	return 0;
}

int cpc_remote_peek(cpc_t *cpc, const struct cpc_remote *r, const cpc_set_t *set,
		    cpc_value_t *value)
{
	static const struct count none;
	struct count now[ENGINE_MOST_PICS];
	uint64_t on;

	if (on_cpu_read(cpc, &r->on, now, NULL, &on) == -1)
		return -1;
	for (unsigned i = 0; i < set->reqs->n; i++)
		value[i] = since(&now[i], &none, class_of(set->reqs, i));
	return 0;
}

uint64_t cpc_remote_cycles(cpc_t *cpc, uint64_t on)
{
	return cpc->scope.ops->cycles(cpc->scope.engine, on);
}

static void prefetch(const void *at, size_t size)
{
	for (size_t i = 0; i < size; i += LINE)
		__builtin_prefetch((const char *)at + i);
}

/* A group need not begin at a line; its first bytes are those that a read needs. */
void cpc_remote_prefetch(const cpc_set_t *set, const struct cpc_remote *next,
			 const struct cpc_remote *after)
{
	if (next)
		prefetch(next->on.group, 2 * LINE);
	if (after)
		prefetch(after, size_of(set->reqs->n));
}
