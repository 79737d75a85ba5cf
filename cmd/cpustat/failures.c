#include "failures.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/message.h"
#include "common/status.h"

void failures_add(struct failures *f, int cpu)
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
	if (cpulist_add(&kind->cpus, cpu) == -1)
		err(EXIT_TOOL, "cannot store that cpu%d failed", cpu);
}

static const char *error_text(int error)
{
	return error == ENOENT ? "No such event" : strerror(error);
}

static void print_kind(const struct failure *kind, unsigned ncpus)
{
	message_print(kind->message);
	if (*kind->message && kind->cpus.n == ncpus)
		return;
	char *cpus = cpulist_text(&kind->cpus);
	warnx("cpu%s - %s", cpus ? cpus : "?",
	      *kind->message ? "not counted there" : error_text(kind->error));
	free(cpus);
}

void failures_print(struct failures *f, unsigned ncpus)
{
	for (unsigned i = 0; i < f->n; i++) {
		print_kind(&f->kind[i], ncpus);
		cpulist_free(&f->kind[i].cpus);
	}
	f->n = 0;
}
