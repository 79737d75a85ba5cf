#include "symbols/maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

size_t maps_below(const struct maps *m, uint64_t address)
{
	size_t low = 0, high = m->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (m->list[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const struct mapping *maps_find(const struct maps *m, uint64_t address)
{
	const size_t i = maps_below(m, address);

	return i && address < m->list[i - 1].end ? &m->list[i - 1] : NULL;
}

static int insert(struct maps *m, size_t at, const struct mapping *new)
{
	if (array_grow(&m->list, m->n, sizeof(*m->list)))
		return -1;
	memmove(&m->list[at + 1], &m->list[at], (m->n - at) * sizeof(*m->list));
	m->list[at] = *new;
	m->n++;
	return 0;
}

/* Let m begin at a higher address. */
static void cut_start(struct mapping *m, uint64_t start)
{
	m->offset += start - m->start;
	m->start = start;
}

/* Cut the mapping that contains an address, not at its start, in two there. */
static int split(struct maps *m, uint64_t address)
{
	const size_t i = maps_below(m, address);

	if (!i || m->list[i - 1].end <= address || m->list[i - 1].start == address)
		return 0;

	struct mapping rest = m->list[i - 1];

	cut_start(&rest, address);
	if (insert(m, i, &rest))
		return -1;
	m->list[i - 1].end = address;
	return 0;
}

int maps_add(struct maps *m, const struct mapping *new)
{
	if (new->start >= new->end)
		return 0;
	if (split(m, new->start) || split(m, new->end))
		return -1;

	const size_t begin = new->start ? maps_below(m, new->start - 1) : 0;
	size_t end = begin;

	while (end < m->n && m->list[end].start < new->end)
		end++;
	if (begin == end)
		return insert(m, begin, new);
	m->list[begin] = *new;
	memmove(&m->list[begin + 1], &m->list[end], (m->n - end) * sizeof(*m->list));
	m->n -= end - begin - 1;
	return 0;
}

static int parse_hex(const char **s, uint64_t *value)
{
	char *end;

	if (!strchr("0123456789abcdef", **s) || !**s)
		return -1;
	*value = strtoull(*s, &end, 16);
	*s = end;
	return 0;
}

/* Go past a field and the blanks behind it. */
static void skip_field(const char **s)
{
	*s += strcspn(*s, " ");
	*s += strspn(*s, " ");
}

/* The kernel writes a newline of a path as "\012", and nothing else with a backslash. */
static int copy_path(char *path, size_t size, const char *s)
{
	size_t n = 0;

	while (*s && n + 1 < size) {
		const int is_newline = !strncmp(s, "\\012", 4);

		path[n++] = is_newline ? '\n' : *s;
		s += is_newline ? 4 : 1;
	}
	path[n] = '\0';
	return *s ? -1 : 0;
}

int maps_parse(const char *line, struct mapping *new, char *path, size_t size)
{
	const char *s = line;

	/* START-END PERMISSIONS OFFSET DEVICE INODE [PATH] */
	if (parse_hex(&s, &new->start) || *s++ != '-' || parse_hex(&s, &new->end) ||
	    *s++ != ' ')
		return -1;
	skip_field(&s);
	if (parse_hex(&s, &new->offset) || *s++ != ' ')
		return -1;
	skip_field(&s);
	if (*s < '0' || *s > '9')
		return -1;
	skip_field(&s);
	return copy_path(path, size, s);
}

void maps_free(struct maps *m)
{
	free(m->list);
}
