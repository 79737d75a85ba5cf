#include "run.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/program.h"
#include "common/status.h"

static char *join(char *const *argv)
{
	size_t size = 1;

	for (unsigned i = 0; argv[i]; i++)
		size += strlen(argv[i]) + 1;
	char *text = malloc(size), *end = text;
	for (unsigned i = 0; text && argv[i]; i++) {
		if (i)
			*end++ = ' ';
		end = stpcpy(end, argv[i]);
	}
	return text;
}

int run_not_executed(const struct run *r, int error)
{
	char reason[512];

	warnx("cannot execute '%s': %s", r->o->argv[0],
	      program_reason(r->o->argv[0], &error, reason, sizeof reason));
	return status_of_exec(error);
}

static char *const *command(const struct set_list *s, char *const *argv)
{
	cpc_set_t **sets = calloc(s->n, sizeof *sets);
	unsigned n = 0;

	if (!sets)
		return NULL;
	for (unsigned i = 0; i < s->n; i++)
		if (s->set[i])
			sets[n++] = s->set[i];
	char *const *words = cpc_command(s->cpc, argv, n, sets);
	const int e = errno;
	free(sets);
	errno = e;
	return words;
}

int run_open(struct run *r, const struct options *o, struct set_list *s, struct out *out,
	     const struct costs *costs, int *status)
{
	*r = (struct run){.o = o, .s = s, .out = out, .costs = costs};
	r->command = join(o->argv);
	if (!r->command)
		err(EXIT_TOOL, "cannot store the command");
	r->argv = command(s, o->argv);
	if (r->argv)
		return 0;
	*status = status_of_exec(errno);
	run_close(r);
	return -1;
}

void run_close(struct run *r)
{
	free(r->command);
	r->command = NULL;
}

struct irix_report run_report(const struct run *r, enum irix_scope scope, int64_t now,
			      pid_t pid)
{
	return (struct irix_report){
		.format = r->o->shared.format,
		.scope = scope,
		.ns = now > r->start ? now - r->start : 0,
		.pid = pid,
		.command = r->command,
		.costs = r->costs,
		.n = r->s->n,
		.row = r->s->row,
	};
}
