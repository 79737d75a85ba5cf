#include "engine/machine_native.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"

/* Source: Documentation/ABI/testing/sysfs-devices-system-cpu of Linux. */
static const char folder[] = "/sys/devices/system/cpu/cpu";
enum { MOST_CPUS = 8192, MOST_CACHES = 16, LENGTH = 32 };

enum place { I1, D1, L2, L3, NPLACES };
static const char *const prefix[] = {[I1] = "i1", [D1] = "d1", [L2] = "l2", [L3] = "l3"};

struct geometry {
	uint64_t size, line, ways; /* size 0: there is no such cache */
};

struct native {
	const char *root;
	unsigned cpu;
	struct geometry cache[NPLACES];
	struct machine_mistakes *to;
};

__attribute__((format(printf, 2, 3))) static int refuse(const struct native *n,
							const char *fmt, ...)
{
	char reason[256], text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(reason, sizeof reason, fmt, ap);
	va_end(ap);
	snprintf(text, sizeof text,
		 "cannot model the caches of this machine: %s; choose another --machine",
		 reason);
	text_clean(text, "");
	n->to->n++;
	n->to->fn(n->to->arg, text);
	errno = EINVAL;
	return -1;
}

/* Read a file about a cache, without the newline. Returns -1 if it cannot be read. */
static int read_word(const struct native *n, unsigned index, const char *file, char *word)
{
	if (file_read(word, LENGTH, "%s%s%u/cache/index%u/%s", n->root, folder, n->cpu,
		      index, file) <= 0)
		return -1;
	word[strcspn(word, "\n")] = '\0';
	return 0;
}

/* Read a number, which may end in K or M. Returns -1 after a message if it is none. */
static int read_number(const struct native *n, unsigned index, const char *file,
		       uint64_t *value)
{
	char word[LENGTH], *end;

	if (read_word(n, index, file, word) == -1)
		return refuse(n, "cannot read %s%u/cache/index%u/%s", folder, n->cpu,
			      index, file);
	errno = 0;
	*value = strtoull(word, &end, 10);
	if (isdigit((unsigned char)*word) && !errno && *value <= UINT32_MAX) {
		if (*end == 'K' || *end == 'M')
			*value <<= *end++ == 'K' ? 10 : 20;
		if (!*end)
			return 0;
	}
	return refuse(n, "%s%u/cache/index%u/%s has '%s', which is not a number", folder,
		      n->cpu, index, file, word);
}

/* Returns the place of a cache in the model, or NPLACES. */
static enum place place_of(uint64_t level, const char *type)
{
	if (level == 1 && strcmp(type, "Instruction") == 0)
		return I1;
	if (level == 1 && strcmp(type, "Data") == 0)
		return D1;
	if (strcmp(type, "Unified") == 0 && (level == 2 || level == 3))
		return level == 2 ? L2 : L3;
	return NPLACES;
}

/* Read one cache. Returns 1; 0 if there is none with this index; -1 after a message. */
static int read_cache(struct native *n, unsigned index)
{
	uint64_t level, sets;
	char type[LENGTH];
	struct geometry g;

	if (read_word(n, index, "type", type) == -1)
		return 0;
	if (read_number(n, index, "level", &level) == -1)
		return -1;
	const enum place place = place_of(level, type);
	if (place == NPLACES)
		return 1;
	if (read_number(n, index, "size", &g.size) == -1 ||
	    read_number(n, index, "coherency_line_size", &g.line) == -1 ||
	    read_number(n, index, "ways_of_associativity", &g.ways) == -1 ||
	    read_number(n, index, "number_of_sets", &sets) == -1)
		return -1;
	/* 0 ways are one set with all lines. */
	if (!g.ways && g.line)
		g.ways = g.size / g.line;
	if (!g.size || g.size != sets * g.ways * g.line)
		return refuse(n,
			      "%s%u/cache/index%u has %" PRIu64 " bytes, but %" PRIu64
			      " sets of %" PRIu64 " ways of %" PRIu64 " bytes",
			      folder, n->cpu, index, g.size, sets, g.ways, g.line);
	n->cache[place] = g;
	return 1;
}

static int find_cpu(struct native *n)
{
	char word[LENGTH];

	for (n->cpu = 0; n->cpu < MOST_CPUS; n->cpu++)
		if (read_word(n, 0, "type", word) == 0)
			return 0;
	return refuse(n, "no folder %sN/cache shows them", folder);
}

static int read_caches(struct native *n)
{
	int rc = 1;

	if (find_cpu(n) == -1)
		return -1;
	for (unsigned i = 0; i < MOST_CACHES && rc == 1; i++)
		rc = read_cache(n, i);
	if (rc == -1)
		return -1;
	for (unsigned i = I1; i <= L2; i++)
		if (!n->cache[i].size)
			return refuse(n, "%s%u/cache shows no %s", folder, n->cpu,
				      i == I1	? "L1 for instructions"
				      : i == D1 ? "L1 for data"
						: "L2");
	return 0;
}

/* Replace name by the processor's name, if it is known, as a title can have it. */
static void read_name(const struct native *n, char *name, size_t size)
{
	static const char key[] = "\nmodel name";
	char text[4096];
	const char *at = NULL;

	if (file_read(text, sizeof text, "%s/proc/cpuinfo", n->root) > 0)
		at = strstr(text, key);
	at = at ? strchr(at + 1, ':') : NULL;
	if (!at)
		return;
	at += 1 + strspn(at + 1, " \t");
	snprintf(name, size, "%.*s", (int)strcspn(at, "\n"), at);
	text_clean(name, "");
	for (char *c = name; *c; c++)
		if (*c == '"' || *c == '\\')
			*c = '?';
}

/* The changes of the machine generic, in the texts at set. Returns their number. */
static unsigned make_changes(const struct native *n, char set[][LENGTH])
{
	unsigned k = 0;

	for (unsigned i = 0; i < NPLACES; i++) {
		const struct geometry *g = &n->cache[i];

		snprintf(set[k++], LENGTH, "%s.size=%" PRIu64, prefix[i], g->size);
		if (!g->size)
			continue;
		snprintf(set[k++], LENGTH, "%s.line=%" PRIu64, prefix[i], g->line);
		snprintf(set[k++], LENGTH, "%s.ways=%" PRIu64, prefix[i], g->ways);
	}
	return k;
}

static void ignore(void *arg, const char *text)
{
	(void)arg;
	(void)text;
}

/* Returns the text of generic with the changes, or NULL with ENOMEM. */
static char *change(const struct native *n, const char *generic)
{
	char text[3 * NPLACES][LENGTH], remark[64];
	const char *set[3 * NPLACES];
	struct machine_mistakes none = {NULL, ignore, 0};
	struct machine m;

	for (unsigned i = 0; i < 3 * NPLACES; i++)
		set[i] = text[i];
	const struct machine_source source = {
		.path = "generic",
		.text = generic,
		.len = strlen(generic),
		.changes = {make_changes(n, text), set},
	};
	/* The reader of the new text reports mistakes, with its lines. */
	machine_parse(&source, &m, &none);
	snprintf(remark, sizeof remark, "%s%u/cache", folder, n->cpu);
	return machine_edit(&source, &m, remark);
}

/* Put the changed text behind a head of its own. */
static char *add_head(const struct native *n, const char *changed)
{
	const char *line = strstr(changed, "\nmachine ");
	const char *rest = line ? strchr(line + 1, '\n') : NULL;
	char name[64] = "this machine", *text;

	read_name(n, name, sizeof name);
	if (asprintf(&text,
		     "# The caches of this machine are as %s%u/cache\n"
		     "# shows them; all other values are those of the machine generic.\n"
		     "machine native \"the caches of %s, the rest generic\"%s",
		     folder, n->cpu, name, rest ? rest : "\n") == -1)
		return NULL;
	return text;
}

char *machine_native(const char *root, const char *generic, struct machine_mistakes *to)
{
	struct native n = {.root = root, .to = to};

	if (read_caches(&n) == -1)
		return NULL;
	char *changed = change(&n, generic);
	char *text = changed ? add_head(&n, changed) : NULL;
	free(changed);
	if (!text)
		errno = ENOMEM;
	return text;
}
