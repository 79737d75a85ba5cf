#include "suite/profile/metric.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_METRICS = 255 };

/* Return the interval of an event in the LWPCB; 0: it is random, or not known. */
static uint64_t interval_of_block(const lwp_block_t *block, uint8_t id)
{
	if (id < 1 || id > block->events || block->random || block->interval[id] < 0)
		return 0;
	return (uint64_t)block->interval[id] + 1;
}

struct metric_key metric_of_record(const struct recording *r, const lwp_block_t *block,
				   uint8_t id)
{
	struct metric_key key = {.id = id, .event = lwp_event_name(id)};

	/* The immediate of LWPINS is stored each time. */
	if (id == LWP_EVENT_INS)
		key.interval = 1;
	else if (r->nevent == 0)
		key.interval = interval_of_block(block, id);
	for (size_t i = 0; i < r->nevent; i++)
		if (r->event[i].id == id) {
			key.event = r->event[i].name;
			key.source = r->event[i].source;
			key.interval = r->event[i].interval;
			break;
		}
	key.number = key.interval ? PROFILE_WEIGHTED : PROFILE_RECORDS;
	return key;
}

struct metric_key metric_of_counts(const struct recording *r, uint32_t i)
{
	return (struct metric_key){.id = r->event[i].id,
				   .event = r->event[i].name,
				   .source = r->event[i].source,
				   .number = PROFILE_COUNTS,
				   .interval = 1};
}

/* Return the name of the event, which may be in buf. */
static const char *name_of(const struct metric_key *key, char buf[16])
{
	if (key->event)
		return key->event;
	snprintf(buf, 16, "event%u", key->id);
	return buf;
}

int metric_selected(const char *list, const struct metric_key *key)
{
	char name[16];
	const char *event = name_of(key, name);
	const size_t len = strlen(event);

	if (!list)
		return 1;
	for (;;) {
		const size_t n = strcspn(list, ",");

		if (n == len && strncasecmp(list, event, n) == 0)
			return 1;
		if (!list[n])
			return 0;
		list += n + 1;
	}
}

/* Append a source to those of a metric, unless it is one of them. */
static int add_source(struct profile_metric *m, const char *source)
{
	if (!source || !*source || strstr(m->source, source))
		return 0;
	const size_t old = strlen(m->source);
	char *longer = realloc(m->source, old + strlen(source) + 3);

	if (!longer)
		return -1;
	m->source = longer;
	stpcpy(stpcpy(longer + old, old ? ", " : ""), source);
	return 0;
}

static int new_metric(struct profile *p, const struct metric_key *key)
{
	if (p->nmetric == MOST_METRICS) {
		errno = E2BIG;
		return -1;
	}
	if (array_grow(&p->metric, p->nmetric, sizeof *p->metric) == -1)
		return -1;
	struct profile_metric *m = &p->metric[p->nmetric];

	char name[16];
	*m = (struct profile_metric){.id = key->id,
				     .number = key->number,
				     .interval = key->interval,
				     .event = strdup(name_of(key, name)),
				     .source = calloc(1, 1)};
	if (!m->event || !m->source) {
		free(m->event);
		free(m->source);
		return -1;
	}
	p->nmetric++;
	return 0;
}

int metric_find(struct profile *p, const struct metric_key *key)
{
	char name[16];
	const char *event = name_of(key, name);
	unsigned i = 0;

	while (i < p->nmetric && (p->metric[i].number != key->number ||
				  strcmp(p->metric[i].event, event) != 0))
		i++;
	if (i == p->nmetric && new_metric(p, key) == -1)
		return -1;
	struct profile_metric *m = &p->metric[i];

	if (m->interval != key->interval)
		m->interval = 0;
	return add_source(m, key->source) == -1 ? -1 : (int)i;
}

void metric_cover(struct profile *p)
{
	for (unsigned i = 0; i < p->nmetric; i++)
		for (unsigned k = 0; k < i; k++)
			p->metric[i].covered |=
				p->metric[k].number == PROFILE_COUNTS &&
				strcmp(p->metric[k].event, p->metric[i].event) == 0;
}
