#include "failures.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"
#include "common/status.h"

/* Samples of a cgroup follow one another. */
static void add_cgroup(struct failure *kind, const char *cgroup)
{
	if (kind->last == cgroup)
		return;
	kind->last = cgroup;
	if (kind->cgroups++ == 0)
		snprintf(kind->first, sizeof kind->first, "%s", cgroup);
}

void failures_add(struct failures *f, int cpu, const char *cgroup)
{
	const int error = errno;
	unsigned i = 0;

	while (i < f->n && f->kind[i].error != error && i < FAILURES_MAX - 1)
		i++;
	struct failure *kind = &f->kind[i];
	if (i == f->n) {
		f->n++;
		kind->error = error;
		snprintf(kind->message, sizeof kind->message, "%s",
			 message_capture_text());
	}
	if (cgroup)
		add_cgroup(kind, cgroup);
	if (cpulist_add(&kind->cpus, cpu) == -1)
		err(EXIT_TOOL, "cannot store that cpu%d failed", cpu);
}

static const char *error_text(int error)
{
	return error == ENOENT ? "No such event" : strerror(error);
}

static void print_cgroups(const struct failure *kind)
{
	char others[40] = "";

	if (kind->cgroups > 1)
		snprintf(others, sizeof others, " and %u others", kind->cgroups - 1);
	warnx("cgroup '%s'%s - %s", kind->first, others,
	      *kind->message ? "not counted" : error_text(kind->error));
}

static void print_kind(const struct failure *kind, unsigned n)
{
	message_print(kind->message);
	if (*kind->message && (kind->cgroups ? kind->cgroups : kind->cpus.n) == n)
		return;
	if (kind->cgroups) {
		print_cgroups(kind);
		return;
	}
	char *cpus = cpulist_text(&kind->cpus);
	warnx("cpu%s - %s", cpus ? cpus : "?",
	      *kind->message ? "not counted there" : error_text(kind->error));
	free(cpus);
}

void failures_print(struct failures *f, unsigned n)
{
	for (unsigned i = 0; i < f->n; i++) {
		print_kind(&f->kind[i], n);
		cpulist_free(&f->kind[i].cpus);
		f->kind[i].cgroups = 0;
		f->kind[i].last = NULL;
	}
	f->n = 0;
}
