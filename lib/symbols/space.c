#include "symbols/space.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct symbols *symbols_new(const struct symbols_options *o)
{
	struct symbols *const s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->last = &s->modules;
	s->options = *o;
	if (o->root && !(s->options.root = strdup(o->root))) {
		free(s);
		return NULL;
	}
	return s;
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (struct module *m = s->modules, *next; m; m = next) {
		next = m->next;
		module_free(m);
	}
	maps_free(&s->maps);
	jit_free(&s->jit);
	free((char *)s->options.root);
	free(s);
}

/* Return the module that is mapped, or NULL with ENOMEM. */
static struct module *find_module(struct symbols *s, const struct symbols_mapping *m)
{
	struct module *found = NULL;

	for (struct module *i = s->modules; i; i = i->next)
		if (module_has(i, m))
			found = i;
	if (found)
		return found;
	found = module_new(m);
	if (found) {
		*s->last = found;
		s->last = &found->next;
	}
	return found;
}

int symbols_map(struct symbols *s, const struct symbols_mapping *m)
{
	struct module *const module = find_module(s, m);

	if (!module)
		return -1;
	return maps_add(&s->maps, &(struct mapping){.start = m->start,
						    .end = m->end,
						    .offset = m->offset,
						    .module = module});
}

static int map_line(struct symbols *s, const char *line)
{
	char path[PATH_MAX + sizeof(" (deleted)")];
	struct mapping m;

	if (maps_parse(line, &m, path, sizeof(path)))
		return 0;
	return symbols_map(s, &(struct symbols_mapping){.start = m.start,
							.end = m.end,
							.offset = m.offset,
							.path = path});
}

int symbols_map_text(struct symbols *s, const char *text)
{
	int result = 0;

	while (!result && *text) {
		const size_t n = strcspn(text, "\n");
		char *const line = strndup(text, n);

		result = line ? map_line(s, line) : -1;
		free(line);
		text += n + (text[n] == '\n');
	}
	return result;
}

const char *symbols_problem(struct symbols *s, unsigned i, const char **why)
{
	for (const struct module *m = s->modules; m; m = m->next)
		if (m->problem && !i--) {
			*why = m->problem;
			return m->path;
		}
	return NULL;
}
