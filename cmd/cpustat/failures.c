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

void failures_print(struct failures *f, const char *result)
{
	for (unsigned i = 0; i < f->n; i++) {
		struct failure *kind = &f->kind[i];
		char *cpus = cpulist_text(&kind->cpus);

		message_print(kind->message);
		warnx("cpu%s - %s", cpus ? cpus : "?",
		      result ? result : error_text(kind->error));
		free(cpus);
		cpulist_free(&kind->cpus);
	}
	f->n = 0;
}
