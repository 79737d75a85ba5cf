#include "costs.h"

#include <err.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/status.h"

static const struct costs *by_name(const char *name)
{
	for (const struct costs *c = costs_tables; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return c;
	return NULL;
}

/* Read the whole file, malloc'ed; a table has a few KB. Returns NULL with errno. */
static char *read_all(FILE *f, size_t *len)
{
	enum { LIMIT = 1 << 20 };
	char *text = malloc(LIMIT);

	*len = text ? fread(text, 1, LIMIT, f) : 0;
	if (text && *len == LIMIT)
		errno = EFBIG;
	if (!text || *len == LIMIT || ferror(f)) {
		free(text);
		return NULL;
	}
	return text;
}

static const struct costs *read_table(const char *path, FILE *f)
{
	struct costs_error error;
	size_t len;
	char *text = read_all(f, &len);

	if (!text)
		err(EXIT_TOOL, "cannot read '%s'", path);
	const struct costs *c = costs_parse(text, len, &error);
	if (!c && errno == EINVAL)
		errx(EXIT_USAGE, "%s:%u: %s", path, error.line, error.text);
	if (!c)
		err(EXIT_TOOL, "cannot read '%s'", path);
	free(text);
	return c;
}

const struct costs *costs_open(const struct options *o)
{
	if (!o->costs) {
		const struct costs *c = costs_of(o->shared.cpu);

		if (!c)
			errx(EXIT_TOOL, "no table of costs for %s; -c FILE names one",
			     o->shared.cpu);
		return c;
	}
	FILE *f = fopen(o->costs, "re");
	const struct costs *c = f ? read_table(o->costs, f) : by_name(o->costs);
	if (!c)
		err(EXIT_TOOL,
		    "'%s' is neither a table of costs nor a file that can be opened",
		    o->costs);
	if (f)
		fclose(f);
	if (strcmp(c->cpu, o->shared.cpu) != 0)
		errx(EXIT_USAGE,
		     "%s: this table has costs of %s, but the events are of %s", o->costs,
		     c->cpu, o->shared.cpu);
	return c;
}

void costs_close(const struct costs *c)
{
	if (c && !c->name)
		costs_free((struct costs *)c);
}
