#include "failures.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "common/message.h"
#include "common/status.h"

/* The handler gets nothing but the message. */
static char heard[sizeof((struct failure *)0)->words];

static void hear(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)subcode;
	message_text(heard, sizeof heard, fn, fmt, ap);
}

void failures_listen(cpc_t *cpc)
{
	cpc_seterrhndlr(cpc, hear);
}

void failures_forget(void)
{
	*heard = '\0';
}

/* Where there are more kinds than places, the last place has all the others. */
void failures_add(struct failures *r, int cpu)
{
	const int error = errno;
	unsigned i = 0;

	while (i < r->n && r->kind[i].error != error && i < FAILURES_MAX - 1)
		i++;
	struct failure *f = &r->kind[i];
	if (i == r->n) {
		r->n++;
		f->error = error;
		strcpy(f->words, heard);
	}
	if (cpulist_add(&f->cpus, cpu) == -1)
		err(EXIT_TOOL, "cpu%d", cpu);
	failures_forget();
}

static const char *say(int error)
{
	return error == ENOENT ? "No such event" : strerror(error);
}

void failures_print(struct failures *r, const char *so)
{
	for (unsigned i = 0; i < r->n; i++) {
		struct failure *f = &r->kind[i];
		char *cpus = cpulist_text(&f->cpus);

		if (*f->words)
			warnx("%s", f->words);
		warnx("cpu%s - %s", cpus ? cpus : "?", so ? so : say(f->error));
		free(cpus);
		cpulist_free(&f->cpus);
	}
	r->n = 0;
}
