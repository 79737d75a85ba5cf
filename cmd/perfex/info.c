#include "info.h"

#include <catalog.h>
#include <doctor.h>
#include <err.h>
#include <errno.h>
#include <libcpc.h>
#include <perfex_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* It must arrive: a full disk is an error. */
static int flushed(void)
{
	if (fflush(stdout) == EOF || ferror(stdout)) {
		warn("cannot write to standard output");
		return EXIT_TOOL;
	}
	return 0;
}

int info_text(char *text)
{
	if (!text)
		err(EXIT_TOOL, "no memory available");
	fputs(text, stdout);
	free(text);
	return flushed();
}

static cpc_t *open_table(const char *cpu, const char *engine)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, cpu, engine);

	if (!cpc && errno == EINVAL)
		options_bad("--engine: there is no engine '%s'; there are: auto, kernel, "
			    "sim",
			    engine);
	if (!cpc)
		err(EXIT_TOOL, "cannot access performance counter library");
	return cpc;
}

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
	printf("%-37s %-11s %-8s %-14s %s%s%s%s\n", e->name, cpc_class_name(e->class),
	       e->engine ? e->engine : "-", e->source, e->title ? e->title : "",
	       e->how ? " [" : "", e->how ? e->how : "", e->how ? "]" : "");
	l->n++;
}

static int list(const struct options *o)
{
	struct list l = {.cpu = o->cpu};
	cpc_t *cpc = open_table(o->cpu, o->engine);

	printf("%-40s %-11s %-8s %-14s %s\n", "#  event", "class", "engine", "source",
	       "title [how]");
	catalog_walk(cpc, o->pattern ? o->pattern : "*", &l, list_entry);
	cpc_close(cpc);
	if (o->pattern) {
		l.others = 1;
		cpc = open_table(NULL, o->engine);
		catalog_walk(cpc, o->pattern, &l, list_entry);
		cpc_close(cpc);
	}
	if (l.n > 0)
		return flushed();
	warnx("no event is named like '%s'", o->pattern);
	return EXIT_TOOL;
}

static int doctor(const struct options *o)
{
	cpc_t *cpc = open_table(NULL, o->engine);
	const int status = info_text(doctor_text(cpc));

	cpc_close(cpc);
	return status;
}

int info(const struct options *o)
{
	return o->action == LIST ? list(o) : doctor(o);
}
