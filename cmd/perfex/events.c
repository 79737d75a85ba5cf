#include "events.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "common/status.h"
#include "irix/event.h"

static void add(struct events *e, const struct options *o, const char *source, int number,
		const char *text)
{
	const char *mode = o->kernel ? ",sys" : "";

	if (array_grow(&e->event, e->n, sizeof *e->event) == -1)
		err(EXIT_TOOL, "cannot store the events");
	struct chosen *c = &e->event[e->n++];
	*c = (struct chosen){number, text, text, NULL, source};
	if (number >= 0) {
		c->name = irix_event_name(o->shared.cpu, number);
		c->label = irix_event_label(o->shared.cpu, number);
	}
	if ((number >= 0 ? asprintf(&c->spec, "%s::%s%s", o->shared.cpu, c->name, mode)
			 : asprintf(&c->spec, "%s%s", text, mode)) == -1)
		err(EXIT_TOOL, "cannot store the events");
}

/* source: the option or environment variable of the text, for messages. */
static void add_text(struct events *e, const struct options *o, const char *source,
		     const char *text)
{
	const int number = irix_event_number(o->shared.cpu, text);

	if (number == -1 && errno == EINVAL)
		options_bad(o->shared.command, "%s %s: event numbers are from 0 to %d",
			    source, text, IRIX_NEVENTS - 1);
	if (!*text)
		options_bad(o->shared.command, "%s: an event is missing", source);
	add(e, o, source, number, text);
}

static int by_number(const void *a, const void *b)
{
	return ((const struct chosen *)a)->number - ((const struct chosen *)b)->number;
}

/* A processor has a counter for each half of the numbers. The events are sorted. */
static void check_conflict(const struct events *e, const struct options *o)
{
	for (unsigned i = 1; i < e->n; i++) {
		const struct chosen *a = &e->event[i - 1], *b = &e->event[i];

		if (b->number >= 0 && a->number / IRIX_HALF == b->number / IRIX_HALF)
			options_bad(o->shared.command,
				    "conflicting counters: events %d and %d are both "
				    "counted by counter %d",
				    a->number, b->number, a->number / IRIX_HALF);
	}
}

static void add_environment(struct events *e, const struct options *o)
{
	static const char *const name[] = {"T5_EVENT0", "T5_EVENT1"};

	for (unsigned i = 0; i < 2; i++) {
		const char *text = getenv(name[i]);

		if (text)
			add_text(e, o, name[i], text);
	}
}

/*
 * Events with numbers are moved to the front and sorted. Other events keep their order,
 * which qsort(3) does not promise.
 */
static void sort(struct events *e)
{
	unsigned n = 0;

	for (unsigned i = 0; i < e->n; i++)
		if (e->event[i].number >= 0) {
			const struct chosen c = e->event[i];

			for (unsigned k = i; k > n; k--)
				e->event[k] = e->event[k - 1];
			e->event[n++] = c;
		}
	if (n)
		qsort(e->event, n, sizeof *e->event, by_number);
}

void events_choose(struct events *e, const struct options *o)
{
	*e = (struct events){0};
	if (o->all) {
		for (int i = 0; i < IRIX_NEVENTS; i++)
			add(e, o, "-a", i, NULL);
		return;
	}
	for (unsigned i = 0; i < o->nevents; i++)
		add_text(e, o, "-e", o->event[i]);
	if (e->n == 0)
		add_environment(e, o);
	e->by_default = e->n == 0;
	if (e->by_default)
		add(e, o, "-e", 0, NULL);
	sort(e);
	check_conflict(e, o);
}

void events_free(struct events *e)
{
	for (unsigned i = 0; i < e->n; i++)
		free(e->event[i].spec);
	free(e->event);
}
