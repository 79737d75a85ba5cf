#include "refusals.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "common/message.h"
#include "common/status.h"

/* The handler gets nothing but the message. */
static char heard[sizeof((struct refusal *)0)->words];

static void hear(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)subcode;
	message_text(heard, sizeof heard, fn, fmt, ap);
}

void refusals_listen(cpc_t *cpc)
{
	cpc_seterrhndlr(cpc, hear);
}

void refusals_forget(void)
{
	*heard = '\0';
}

/* Where there are more kinds than places, the last place has all the others. */
void refusals_add(struct refusals *r, int cpu)
{
	const int error = errno;
	unsigned i = 0;

	while (i < r->n && r->refusal[i].error != error && i < REFUSALS - 1)
		i++;
	struct refusal *f = &r->refusal[i];
	if (i == r->n) {
		r->n++;
		f->error = error;
		strcpy(f->words, heard);
	}
	if (cpulist_add(&f->cpus, cpu) == -1)
		err(EXIT_TOOL, "cpu%d", cpu);
	refusals_forget();
}

static const char *say(int error)
{
	return error == ENOENT ? "No such event" : strerror(error);
}

void refusals_print(struct refusals *r, const char *so)
{
	for (unsigned i = 0; i < r->n; i++) {
		struct refusal *f = &r->refusal[i];
		char *cpus = cpulist_text(&f->cpus);

		if (*f->words)
			warnx("%s", f->words);
		warnx("cpu%s - %s", cpus ? cpus : "?", so ? so : say(f->error));
		free(cpus);
		cpulist_free(&f->cpus);
	}
	r->n = 0;
}
