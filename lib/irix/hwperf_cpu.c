#include "irix/hwperf_cpu.h"

#include <errno.h>
#include <string.h>

#include "cpc/cpc.h"
#include "cpc/strict.h"

void hwperf_cpu_init(struct hwperf_cpu *c, int id)
{
	memset(c, 0, sizeof *c);
	c->id = id;
	c->token = STRICT_OFF;
}

static const struct requests *requests_of(const struct hwperf_setup *s, unsigned pair)
{
	return s->pair[pair].set->reqs;
}

/* Reserve the CPU, if CPC_STRICT=1, so that others cannot count it. */
static int reserve(struct hwperf_cpu *c, const struct hwperf_setup *s)
{
	struct why why;

	if (c->token != STRICT_OFF)
		return 0;
	if (strict_cpu_take(&s->cpc->strict, c->id, &c->token, &why) == -1) {
		if (errno == EAGAIN)
			errno = EBUSY;
		return -1;
	}
	return strict_cpu_bound(c->token);
}

/* A CPU that does not have the events of one pair counts those of the other pairs. */
static int bind_pair(struct hwperf_cpu *c, const struct hwperf_setup *s, unsigned pair)
{
	const struct target t = {.tid = -1, .cpu = c->id};
	const struct requests *r = requests_of(s, pair);
	struct why why;

	c->group[pair] =
		r->ops->bind(s->cpc->scope.engine, &t, r->sel, r->ncounted, &why);
	return c->group[pair] || errno == ENOENT ? 0 : -1;
}

static void close_groups(struct hwperf_cpu *c, const struct hwperf_setup *s)
{
	const int e = errno;

	for (unsigned i = 0; i < s->n; i++) {
		requests_of(s, i)->ops->unbind(c->group[i]);
		c->group[i] = NULL;
	}
	c->is_open = 0;
	errno = e;
}

int hwperf_cpu_open(struct hwperf_cpu *c, const struct hwperf_setup *s)
{
	unsigned found = 0;

	if (reserve(c, s) == -1)
		return -1;
	for (unsigned i = 0; i < s->n; i++) {
		if (bind_pair(c, s, i) == -1) {
			close_groups(c, s);
			return -1;
		}
		found += c->group[i] != NULL;
	}
	c->is_open = 1;
	if (found)
		return 0;
	close_groups(c, s);
	errno = ENOENT;
	return -1;
}

static int read_groups(struct hwperf_cpu *c, const struct hwperf_setup *s)
{
	hwperf_values_t now = {0};

	for (unsigned i = 0; i < s->n; i++) {
		struct count count[2] = {{0}};
		uint64_t on;
		int64_t ns;

		if (!c->group[i])
			continue;
		if (requests_of(s, i)->ops->read(c->group[i], count, &ns, &on) == -1)
			return -1;
		hwperf_pair_add(&s->pair[i], count, &now);
	}
	c->now = now;
	return 0;
}

void hwperf_cpu_close(struct hwperf_cpu *c, const struct hwperf_setup *s)
{
	if (!c->is_open)
		return;
	close_groups(c, s);
	hwperf_values_add(&c->before, &c->now);
	memset(&c->now, 0, sizeof c->now);
}

/* A CPU that is online, but cannot be counted now, is tried again at the next read. */
int hwperf_cpu_read(struct hwperf_cpu *c, const struct hwperf_setup *s)
{
	if (c->is_open && read_groups(c, s) == 0)
		return 0;
	if (c->is_open && errno != ENODEV)
		return -1;
	hwperf_cpu_close(c, s);
	if (hwperf_cpu_open(c, s) == 0 || (errno != ENODEV && errno != ENOENT))
		c->missed = 1;
	return 0;
}

static int is_absent(const hwperf_value_t *v)
{
	return v->hwv_class == CPC_UNAVAILABLE && v->hwv_enabled == 0;
}

void hwperf_cpu_add(const struct hwperf_cpu *c, uint32_t events, hwperf_values_t *values)
{
	hwperf_values_t sum = c->before;

	hwperf_values_add(&sum, &c->now);
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++) {
		hwperf_value_t *v = &sum.hwp_value[i];

		if (c->missed && v->hwv_class < CPC_APPROXIMATE)
			v->hwv_class = CPC_APPROXIMATE;
		if (!(events >> i & 1) || is_absent(v))
			memset(v, 0, sizeof *v);
	}
	hwperf_values_add(values, &sum);
}

void hwperf_cpu_release(struct hwperf_cpu *c)
{
	strict_cpu_give(c->token);
	c->token = STRICT_OFF;
}
