#include "list.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include <libcpc.h>
#include "common/info.h"
#include "common/status.h"
#include "common/streams.h"
#include "irix/event.h"
#include "suite/tell/list.h"

struct list {
	const char *cpu;
	unsigned n; /* lines so far */
	int others; /* names of other tables, and the machine's */
};

static void list_entry(void *arg, const struct catalog_entry *e)
{
	struct list *l = arg;
	const int number =
		strcmp(e->source, l->cpu) == 0 ? perfex_number(l->cpu, e->name) : -1;

	/* The table's own were listed before; its PAPI_* names are the generic table's. */
	if ((number >= 0) == l->others)
		return;
	if (number >= 0)
		printf("%2d ", number);
	else
		fputs("   ", stdout);
	info_print_entry(e, 3);
	l->n++;
}

static void walk(const struct options *o, const char *cpu, const char *pattern,
		 struct list *l)
{
	const struct suite of_cpu = {.cpu = cpu, .engine = o->suite.engine};
	cpc_t *cpc = info_open(&of_cpu);

	catalog_walk(cpc, pattern, l, list_entry);
	cpc_close(cpc);
}

int list(const struct options *o)
{
	const char *pattern = o->suite.pattern;
	struct list l = {.cpu = o->suite.cpu};

	info_print_title("#  event");
	walk(o, l.cpu, pattern ? pattern : "*", &l);
	if (pattern) {
		l.others = 1;
		walk(o, NULL, pattern, &l);
	}
	if (l.n > 0)
		return streams_flush();
	warnx("no event is named like '%s'", pattern);
	return EXIT_TOOL;
}
