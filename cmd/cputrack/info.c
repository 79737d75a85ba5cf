#include "info.h"

#include <caps.h>
#include <catalog.h>
#include <doctor.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The listing must arrive: a full disk is an error. */
static int flushed(void)
{
	if (fflush(stdout) == EOF || ferror(stdout)) {
		warn("cannot write to standard output");
		return EXIT_TOOL;
	}
	return 0;
}

static int put_text(char *text)
{
	if (!text)
		err(EXIT_TOOL, "no memory available");
	fputs(text, stdout);
	free(text);
	return flushed();
}

static void list_entry(void *arg, const struct catalog_entry *e)
{
	(void)arg;
	printf("%-40s %-11s %-8s %-14s %s%s%s%s\n", e->name, cpc_class_name(e->class),
	       e->engine ? e->engine : "-", e->source, e->title ? e->title : "",
	       e->how ? " [" : "", e->how ? e->how : "", e->how ? "]" : "");
}

static int list(const struct options *o, cpc_t *cpc)
{
	char near[CPC_MAX_EVENT_LEN];

	printf("%-40s %-11s %-8s %-14s %s\n", "# event", "class", "engine", "source",
	       "title [how]");
	if (catalog_walk(cpc, o->pattern, NULL, list_entry) > 0)
		return flushed();
	if (o->pattern) {
		cpc_suggest(cpc, o->pattern, near, sizeof near);
		warnx("no event is named like '%s'%s%s", o->pattern, *near ? "; " : "",
		      near);
	}
	return EXIT_TOOL;
}

int info(const struct options *o, cpc_t *cpc)
{
	switch (o->action) {
	case CAPABILITIES:
		options_usage(stdout);
		putchar('\n');
		return put_text(caps_text(cpc));
	case DOCTOR:
		return put_text(doctor_text(cpc));
	default:
		return list(o, cpc);
	}
}

static void print_cpu(void *arg, const char *cpu, const char *title)
{
	(void)arg;
	fprintf(stderr, "\t%-14s %s\n", cpu, title);
}

struct search {
	const char *cpu;
	int found;
};

static void find_cpu(void *arg, const char *cpu, const char *title)
{
	struct search *s = arg;

	(void)title;
	s->found |= strcmp(s->cpu, cpu) == 0;
}

void info_unknown_choice(const struct options *o)
{
	struct search s = {o->cpu, 0};

	if (o->cpu)
		cpc_cpus(&s, find_cpu);
	if (o->cpu && !s.found) {
		warnx("--cpu: there is no event table '%s'; there are:", o->cpu);
		cpc_cpus(NULL, print_cpu);
	} else {
		warnx("--engine: there is no engine '%s'; there are: auto, kernel, sim",
		      o->engine ? o->engine : getenv("CPC_ENGINE"));
	}
}
