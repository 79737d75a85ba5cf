#include "cpc/remote.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "cpc/assign.h"
#include "cpc/bind.h"
#include "cpc/on_cpu.h"
#include "cpc/session.h"
#include "cpc/set.h"
#include "cpc/strict.h"
#include "cpc/value.h"

struct place {
	struct on_cpu on;
	uint64_t ns_on; /* of the last sample */
};

struct cpc_remotes {
	unsigned width, n;
	struct place *place; /* [n] */
	/* the values of the last samples, or 0 after the bind [n * width] */
	struct count *last;
};

static struct count *last_of(const struct cpc_remotes *r, unsigned at)
{
	return r->last + (size_t)at * r->width;
}

struct cpc_remotes *cpc_remotes_new(unsigned width)
{
	struct cpc_remotes *r = calloc(1, sizeof *r);

	if (r)
		r->width = width;
	return r;
}

int cpc_remotes_insert(struct cpc_remotes *r, unsigned at)
{
	const size_t size = r->width * sizeof *r->last;
	const unsigned behind = r->n - at;

	/* at least one byte: realloc(3) of none may free the memory */
	if (array_grow(&r->place, r->n, sizeof *r->place) == -1 ||
	    array_grow(&r->last, r->n, size ? size : 1) == -1)
		return -1;
	struct place *const p = &r->place[at];
	memmove(p + 1, p, behind * sizeof *p);
	memmove(last_of(r, at + 1), last_of(r, at), behind * size);
	*p = (struct place){.on.token = STRICT_OFF};
	r->n++;
	return 0;
}

void cpc_remotes_remove(cpc_t *cpc, struct cpc_remotes *r, unsigned at)
{
	const unsigned behind = r->n - at - 1;

	cpc_remotes_unbind(cpc, r, at);
	memmove(&r->place[at], &r->place[at + 1], behind * sizeof *r->place);
	memmove(last_of(r, at), last_of(r, at + 1), behind * r->width * sizeof *r->last);
	r->n--;
}

void cpc_remotes_free(cpc_t *cpc, struct cpc_remotes *r)
{
	if (!r)
		return;
	while (r->n > 0)
		cpc_remotes_remove(cpc, r, r->n - 1);
	free(r->place);
	free(r->last);
	free(r);
}

void cpc_remotes_unbind(cpc_t *cpc, struct cpc_remotes *r, unsigned at)
{
	const int e = errno;

	cpc_lock(cpc);
	on_cpu_unbind(cpc, &r->place[at].on);
	cpc_unlock(cpc);
	errno = e;
}

static int bind_there(cpc_t *cpc, struct on_cpu *on, cpc_set_t *set,
		      const struct on_cpu_place *place)
{
	static const char fn[] = "cpc_remotes_bind";

	if (assign_counters(cpc, fn, set) == -1 || bind_check_plain(cpc, fn, set) == -1)
		return -1;
	on_cpu_unbind(cpc, on);
	if (on_cpu_bind(cpc, fn, place, set->reqs, on) == 0 && on_cpu_bound(on) == 0)
		return 0;
	const int e = errno;
	on_cpu_unbind(cpc, on);
	errno = e;
	return -1;
}

int cpc_remotes_bind(cpc_t *cpc, struct cpc_remotes *r, unsigned at, cpc_set_t *set,
		     const struct engine_cgroup *cgroup, int cpu)
{
	const struct on_cpu_place place = {cpu, cgroup};

	if (!set_is_of(cpc, set) || cpu < 0 || set->reqs->n > r->width) {
		errno = EINVAL;
		return -1;
	}
	memset(last_of(r, at), 0, r->width * sizeof *r->last);
	r->place[at].ns_on = 0;
	cpc_lock(cpc);
	const int rc = bind_there(cpc, &r->place[at].on, set, &place);
	cpc_unlock(cpc);
	return rc;
}

static cpc_value_t since(const struct count *now, const struct count *last,
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

/*
 * Fill *v as since() does. Most events have counted all the time, so that their values
 * need no more than differences.
 */
static inline void put_since(cpc_value_t *v, const struct count *now,
			     const struct count *last, cpc_class_t class)
{
	v->value = v->count = now->count - last->count;
	v->enabled = now->enabled - last->enabled;
	v->running = now->running - last->running;
	v->quality = class;
	if (v->enabled != v->running || now->absent || last->absent)
		*v = since(now, last, class);
}

static cpc_class_t class_of(const struct requests *r, unsigned i)
{
	return r->ops->class(r->req[i].sel);
}

/*
 * Put what has been counted since the last samples of n places from at on, which have
 * counted now[] in all, into value[].
 */
static void subtract(struct cpc_remotes *r, unsigned at, unsigned n,
		     const struct requests *q, const struct count *now,
		     cpc_value_t *value)
{
	cpc_class_t class[ENGINE_MOST_PICS];
	struct count *last = last_of(r, at);
	const unsigned requests = q->n, rest = r->width - q->n;

	for (unsigned i = 0; i < requests; i++)
		class[i] = class_of(q, i);
	for (unsigned k = 0; k < n; k++, now += rest, last += rest, value += rest)
		for (unsigned i = 0; i < requests; i++, now++, last++, value++) {
			put_since(value, now, last, class[i]);
			*last = *now;
		}
}

/* Sample n places with one call of the engine. Returns as cpc_remotes_sample(). */
static unsigned sample(cpc_t *cpc, struct cpc_remotes *r, unsigned at, unsigned n,
		       const cpc_set_t *set, cpc_value_t *value, uint64_t *on)
{
	struct group *group[CPC_REMOTES_TOGETHER];
	struct count now[ENGINE_MOST_PICS];
	struct place *const place = &r->place[at];

	for (unsigned k = 0; k < n; k++) {
		group[k] = place[k].on.group;
		/* It is loaded while the kernel reads the groups before. */
		__builtin_prefetch(group[k], 1);
	}
	const unsigned done = cpc->scope.ops->read_all(group, n, r->width, now, on);
	for (unsigned k = 0; k < done; k++) {
		const uint64_t ns_on = on[k];
		on[k] -= place[k].ns_on;
		place[k].ns_on = ns_on;
	}
	subtract(r, at, done, set->reqs, now, value);
	return done;
}

unsigned cpc_remotes_sample(cpc_t *cpc, struct cpc_remotes *r, unsigned at, unsigned n,
			    const cpc_set_t *set, cpc_value_t *value, uint64_t *on)
{
	const unsigned room = ENGINE_MOST_PICS / r->width;
	const unsigned most = room < CPC_REMOTES_TOGETHER ? room : CPC_REMOTES_TOGETHER;
	unsigned done = 0;

	while (done < n) {
		const unsigned some = n - done < most ? n - done : most;
		const unsigned sampled =
			sample(cpc, r, at + done, some, set,
			       value + (size_t)done * r->width, on + done);

		done += sampled;
		if (sampled == some)
			continue;
		errno = on_cpu_errno(errno);
		break;
	}
	return done;
}

int cpc_remotes_peek(cpc_t *cpc, const struct cpc_remotes *r, unsigned at,
		     const cpc_set_t *set, cpc_value_t *value)
{
	static const struct count none;
	struct count now[ENGINE_MOST_PICS];
	uint64_t on;

	if (on_cpu_read(cpc, &r->place[at].on, now, NULL, &on) == -1)
		return -1;
	for (unsigned i = 0; i < set->reqs->n; i++)
		value[i] = since(&now[i], &none, class_of(set->reqs, i));
	return 0;
}

uint64_t cpc_remotes_cycles(cpc_t *cpc, uint64_t on)
{
	return cpc->scope.ops->cycles(cpc->scope.engine, on);
}
