#include "show.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include <libcpc.h>
#include "common/catalog.h"
#include "common/info.h"
#include "common/machine.h"
#include "common/status.h"
#include "events.h"
#include "irix/event.h"

/* Are all events the processor's? Then its registers are explained. */
static int are_numbers(const struct events *e)
{
	for (unsigned i = 0; i < e->n; i++)
		if (e->event[i].number < 0)
			return 0;
	return 1;
}

/*
 * A specification of the events that the processor's two counters count together: with
 * -a, event i of each half of the numbers; else the one or two events.
 */
static char *pair(const struct events *e, unsigned i, const struct options *o)
{
	const char *sys = o->kernel ? ",sys" : "";
	char *text;
	int n;

	if (o->all)
		n = asprintf(&text, "%s,%s%s", e->event[i].name,
			     e->event[i + IRIX_HALF].name, sys);
	else if (e->n == 2)
		n = asprintf(&text, "%s,%s%s", e->event[0].name, e->event[1].name, sys);
	else
		n = asprintf(&text, "%s%s", e->event[0].name, sys);
	if (n == -1)
		err(EXIT_TOOL, "cannot explain");
	return text;
}

int show_explain(const struct options *o)
{
	struct events e;

	events_choose(&e, o);
	const int numbers = are_numbers(&e);
	const unsigned n = !numbers ? e.n : o->all ? IRIX_HALF : 1;
	char **spec = calloc(n, sizeof *spec);
	if (!spec)
		err(EXIT_TOOL, "cannot explain");
	for (unsigned i = 0; i < n; i++)
		spec[i] = numbers ? pair(&e, i, o) : e.event[i].spec;
	struct explain_options req = {
		.choice = {.places = 1,
			   .cpu = numbers ? o->shared.cpu : NULL,
			   .engine = o->shared.engine,
			   .nspecs = n,
			   .spec = (const char *const *)spec,
			   .machine = machine_chosen(&o->shared)},
	};
	const int status = info_explain(&o->shared, &req);
	for (unsigned i = 0; numbers && i < n; i++)
		free(spec[i]);
	free(spec);
	events_free(&e);
	return status;
}

int show_list(const struct options *o)
{
	const struct catalog_first first = {.cpu = o->shared.cpu,
					    .number = irix_event_number};

	return catalog_show(&o->shared, &first);
}
