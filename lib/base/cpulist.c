#include "base/cpulist.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"

enum {
	FIRST_GUESS = 1024,
	MOST_CPUS = 1 << 20,
	/* The kernel writes at most a page, which has at most 64 KiB. */
	MOST_TEXT = (1 << 16) + 1
};

void cpulist_free(struct cpulist *l)
{
	free(l->cpu);
	*l = (struct cpulist){0};
}

/* Return the index of a CPU in the list, or the index at which to insert it. */
static unsigned index_of(const struct cpulist *l, int cpu)
{
	unsigned low = 0, high = l->n;

	while (low < high) {
		const unsigned mid = low + (high - low) / 2;
		if (l->cpu[mid] < cpu)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int cpulist_has(const struct cpulist *l, int cpu)
{
	const unsigned at = index_of(l, cpu);

	return at < l->n && l->cpu[at] == cpu;
}

int cpulist_add(struct cpulist *l, int cpu)
{
	const unsigned at = index_of(l, cpu);

	if (at < l->n && l->cpu[at] == cpu)
		return 0;
	if (array_grow(&l->cpu, l->n, sizeof *l->cpu) == -1)
		return -1;
	memmove(l->cpu + at + 1, l->cpu + at, (l->n - at) * sizeof *l->cpu);
	l->cpu[at] = cpu;
	l->n++;
	return 0;
}

/*
 * Read a CPU number and move *text behind the number. Returns -1 if *text has no valid
 * number.
 */
static int read_number(const char **text)
{
	int v = 0;

	if (**text < '0' || **text > '9')
		return -1;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		v = v * 10 + (**text - '0');
		if (v >= MOST_CPUS)
			return -1;
	}
	return v;
}

/* The parts of a list, "0-3" and "7", in the order of the text. */
struct range {
	int first, last;
};

struct ranges {
	size_t n;
	struct range *range;
};

static int add_range(struct ranges *r, struct range range)
{
	if (array_grow(&r->range, r->n, sizeof *r->range) == -1)
		return -1;
	r->range[r->n++] = range;
	return 0;
}

/* Source: Documentation/admin-guide/cputopology.rst of Linux, "human-readable" lists */
static int read_ranges(struct ranges *r, const char *text)
{
	text += strspn(text, " \t\n");
	while (*text) {
		const int first = read_number(&text);
		int last = first;

		if (*text == '-') {
			text++;
			last = read_number(&text);
		}
		if (first < 0 || last < first) {
			errno = EINVAL;
			return -1;
		}
		if (add_range(r, (struct range){first, last}) == -1)
			return -1;
		if (*text == ',' && text[1] >= '0' && text[1] <= '9') {
			text++;
			continue;
		}
		text += strspn(text, " \t\n");
		if (*text) {
			errno = EINVAL;
			return -1;
		}
	}
	return 0;
}

static int by_first(const void *a, const void *b)
{
	const struct range *const x = a, *const y = b;

	return (x->first > y->first) - (x->first < y->first);
}

/* Each CPU is added at the end, which moves no other CPU. */
static int add_ranges(struct cpulist *l, const struct ranges *r)
{
	int next = 0;

	for (size_t i = 0; i < r->n; i++) {
		const struct range *range = &r->range[i];

		for (next = next > range->first ? next : range->first;
		     next <= range->last; next++)
			if (cpulist_add(l, next) == -1)
				return -1;
	}
	return 0;
}

static int parse(struct cpulist *l, const char *text)
{
	struct ranges r = {0};
	int rc = read_ranges(&r, text);

	if (rc == 0 && r.n > 0) {
		qsort(r.range, r.n, sizeof *r.range, by_first);
		rc = add_ranges(l, &r);
	}
	const int e = errno;
	free(r.range);
	errno = e;
	return rc;
}

static int free_on_error(struct cpulist *l, int rc)
{
	const int e = errno;

	if (rc == -1)
		cpulist_free(l);
	errno = e;
	return rc;
}

int cpulist_parse(struct cpulist *l, const char *text)
{
	*l = (struct cpulist){0};
	return free_on_error(l, parse(l, text));
}

int cpulist_read(struct cpulist *l, const char *root, const char *name)
{
	char *text = malloc(MOST_TEXT);
	int rc = -1;

	*l = (struct cpulist){0};
	if (text &&
	    file_read(text, MOST_TEXT, "%s/sys/devices/system/cpu/%s", root, name) >= 0)
		rc = cpulist_parse(l, text);
	const int e = errno;
	free(text);
	errno = e;
	return rc;
}

static int add_mask(struct cpulist *l, const cpu_set_t *mask, size_t size)
{
	int left = CPU_COUNT_S(size, mask);

	for (size_t cpu = 0; left > 0; cpu++) {
		if (!CPU_ISSET_S(cpu, size, mask))
			continue;
		if (cpulist_add(l, (int)cpu) == -1)
			return -1;
		left--;
	}
	return 0;
}

/* The kernel refuses a mask that is shorter than its own (sched_setaffinity(2)). */
int cpulist_allowed(struct cpulist *l)
{
	*l = (struct cpulist){0};
	for (int ncpus = FIRST_GUESS;; ncpus *= 2) {
		const size_t size = CPU_ALLOC_SIZE(ncpus);
		cpu_set_t *mask = CPU_ALLOC(ncpus);
		if (!mask)
			return -1;
		CPU_ZERO_S(size, mask);
		const int rc = sched_getaffinity(0, size, mask) == -1
				       ? -1
				       : free_on_error(l, add_mask(l, mask, size));
		const int e = errno;
		CPU_FREE(mask);
		errno = e;
		if (rc == 0 || e != EINVAL || ncpus >= MOST_CPUS)
			return rc;
	}
}

char *cpulist_text(const struct cpulist *l)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (unsigned i = 0; i < l->n;) {
		const unsigned first = i;
		do
			i++;
		while (i < l->n && l->cpu[i] == l->cpu[i - 1] + 1);
		fprintf(f, "%s%d", first ? "," : "", l->cpu[first]);
		if (i - first > 1)
			fprintf(f, "-%d", l->cpu[i - 1]);
	}
	if (fclose(f) == EOF) {
		free(text);
		return NULL;
	}
	return text;
}
