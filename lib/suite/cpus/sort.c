#include "suite/cpus/sort.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/nearest.h"
#include "base/text.h"

enum what { BY_CPU, BY_CORE, BY_SOCKET, BY_SIZE, BY_TIME, BY_TICK, BY_CGROUP, BY_VALUE };

struct cpu_view_key {
	enum what what;
	int descending;
	int *at; /* with BY_VALUE: the index of the request in each set, or -1 */
};

/*
 * The columns that do not depend on the sets; capitals are accepted too. The last one is
 * of cgroups.
 */
static const struct {
	const char *name;
	enum what what;
} labels[] = {
	{"cpu", BY_CPU},       {"core", BY_CORE},  {"cor", BY_CORE},
	{"socket", BY_SOCKET}, {"soc", BY_SOCKET}, {"sze", BY_SIZE},
	{"time", BY_TIME},     {"tick", BY_TICK},  {"tsc", BY_TICK},
	{"cgroup", BY_CGROUP},
};
enum { NLABELS = sizeof labels / sizeof *labels };

/* The sets whose names are known. */
struct known {
	const struct row_set *const *set;
	unsigned nsets, nlabels; /* nlabels: of labels[] */
};

void cpu_view_keys_free(struct cpu_view_keys *k)
{
	for (unsigned i = 0; i < k->n; i++)
		free(k->key[i].at);
	free(k->key);
	*k = (struct cpu_view_keys){0};
}

/*
 * Returns nonzero if the name, len bytes of text, is the counter or event of a request.
 */
static int is_request(const struct row_set *set, unsigned i, const char *text, size_t len)
{
	char pic[16];

	snprintf(pic, sizeof pic, "pic%u", set->pic[i]);
	return (strlen(pic) == len && !memcmp(pic, text, len)) ||
	       (strlen(set->event[i]) == len && !memcmp(set->event[i], text, len));
}

static int find_request(const struct row_set *set, const char *text, size_t len)
{
	for (unsigned i = 0; i < set->n; i++)
		if (is_request(set, i, text, len))
			return (int)i;
	return -1;
}

/* Returns 1 if a set has the name, 0 if none has, or -1 with ENOMEM. */
static int find_value(struct cpu_view_key *key, const struct known *known,
		      const char *text, size_t len)
{
	int found = 0;

	key->what = BY_VALUE;
	key->at = calloc(known->nsets + 1, sizeof *key->at);
	if (!key->at)
		return -1;
	for (unsigned s = 0; s < known->nsets; s++) {
		key->at[s] = find_request(known->set[s], text, len);
		found |= key->at[s] >= 0;
	}
	return found;
}

static int find_label(struct cpu_view_key *key, unsigned n, const char *text, size_t len)
{
	for (unsigned i = 0; i < n; i++)
		if (strlen(labels[i].name) == len &&
		    !strncasecmp(labels[i].name, text, len)) {
			key->what = labels[i].what;
			return 1;
		}
	return 0;
}

/* The length up to the next comma that is not part of an event's name. */
static size_t name_length(const struct known *known, const char *text)
{
	size_t longest = strcspn(text, ",");

	for (unsigned s = 0; s < known->nsets; s++)
		for (unsigned i = 0; i < known->set[s]->n; i++) {
			const char *event = known->set[s]->event[i];
			const size_t len = strlen(event);

			if (len > longest && !strncmp(text, event, len) &&
			    (!text[len] || text[len] == ','))
				longest = len;
		}
	return longest;
}

/*
 * List each known name once in names, with room in pics for "picN". Returns the number.
 */
static unsigned all_names(const struct known *known, const char **names, char (*pics)[16])
{
	unsigned n = 0;

	for (; n < known->nlabels; n++)
		names[n] = labels[n].name;
	for (int events = 0; events < 2; events++)
		for (unsigned s = 0; s < known->nsets; s++)
			for (unsigned i = 0; i < known->set[s]->n; i++) {
				const char *name = known->set[s]->event[i];
				unsigned same = 0;

				if (!events) {
					snprintf(*pics, sizeof *pics, "pic%u",
						 known->set[s]->pic[i]);
					name = *pics++;
				}
				while (same < n && strcmp(names[same], name))
					same++;
				if (same == n)
					names[n++] = name;
			}
	return n;
}

/* Describe the error in err. Names can come from a file. Returns -1 with ENOMEM. */
static int describe_unknown(const char *want, const char *const *names, unsigned n,
			    char *err, size_t size)
{
	struct textbuf b = {0};
	struct nearest near;
	char hint[256];

	nearest_init(&near, want);
	for (unsigned i = 0; i < n; i++)
		nearest_add(&near, names[i]);
	textbuf_str(&b, "no column '");
	textbuf_clean(&b, want);
	textbuf_str(&b, "'; ");
	textbuf_clean(&b, nearest_text(&near, hint, sizeof hint));
	textbuf_str(&b, near.n ? " Columns are " : "columns are ");
	for (unsigned i = 0; i < n; i++) {
		textbuf_str(&b, i ? ", " : "");
		textbuf_clean(&b, names[i]);
	}
	char *text = textbuf_end(&b);
	if (!text)
		return -1;
	snprintf(err, size, "%s", text);
	free(text);
	return 0;
}

/* Returns -1 with EINVAL and a message in err, or with ENOMEM. */
static int refuse_name(const struct known *known, const char *text, size_t len, char *err,
		       size_t size)
{
	size_t requests = 0;

	for (unsigned s = 0; s < known->nsets; s++)
		requests += known->set[s]->n;
	char *want = strndup(text, len);
	const char **names = calloc(NLABELS + 2 * requests, sizeof *names);
	char(*pics)[16] = calloc(requests + 1, sizeof *pics);
	const int said = want && names && pics &&
			 describe_unknown(want, names, all_names(known, names, pics), err,
					  size) == 0;
	free(want);
	free(names);
	free(pics);
	errno = said ? EINVAL : ENOMEM;
	return -1;
}

/* Parse the key at *text and advance *text behind the key. */
static int parse_key(struct cpu_view_key *key, const struct known *known,
		     const char **text, char *err, size_t size)
{
	*key = (struct cpu_view_key){.descending = **text == '-'};
	if (**text == '-' || **text == '+')
		(*text)++;
	const char *name = *text;
	const size_t len = name_length(known, name);
	*text += len;
	if (!len) {
		snprintf(err, size, "a name is missing before '%s'", name);
		if (!*name)
			snprintf(err, size, "a name is missing at the end");
		text_clean(err, "");
		errno = EINVAL;
		return -1;
	}
	if (find_label(key, known->nlabels, name, len))
		return 0;
	const int found = find_value(key, known, name, len);
	return found ? (found > 0 ? 0 : -1) : refuse_name(known, name, len, err, size);
}

int cpu_view_keys_parse(struct cpu_view_keys *k, const char *text,
			const struct row_set *const *set, unsigned nsets, int cgroups,
			char *err, size_t size)
{
	const struct known known = {set, nsets, NLABELS - !cgroups};

	*k = (struct cpu_view_keys){0};
	for (;;) {
		if (array_grow(&k->key, k->n, sizeof *k->key) == -1)
			return -1;
		if (parse_key(&k->key[k->n++], &known, &text, err, size) == -1)
			return -1;
		if (!*text++)
			return 0;
	}
}

/* Get the number in a column of a row. Returns 0 if the row has none. */
static int get_column(const struct cpu_view_key *key, unsigned set,
		      const struct cpu_view_item *item, uint64_t *v)
{
	int id = 0;

	switch (key->what) {
	case BY_SIZE:
		*v = item->cpus;
		return 1;
	case BY_TIME:
		*v = (uint64_t)item->ns;
		return 1;
	case BY_TICK:
		*v = item->tick;
		return 1;
	case BY_VALUE: {
		const int at = key->at[set];
		if (at < 0 || item->value[at].quality == CPC_UNAVAILABLE)
			return 0;
		*v = item->value[at].value;
		return 1;
	}
	case BY_CGROUP:
		break;
	case BY_CPU:
		id = item->first->cpu;
		break;
	case BY_CORE:
		id = item->first->core;
		break;
	case BY_SOCKET:
		id = item->first->socket;
		break;
	}
	*v = (uint64_t)id;
	return id >= 0;
}

/* Returns below, above or 0 as strcmp(3); rows of CPUs have no cgroup. */
static int compare_cgroups(const struct cpu_view_item *a, const struct cpu_view_item *b)
{
	const char *one = a->first->cgroup, *other = b->first->cgroup;

	return one && other ? strcmp(one, other) : 0;
}

/* Returns nonzero if b must come before a. */
static int is_out_of_order(const struct cpu_view_keys *k, unsigned set,
			   const struct cpu_view_item *a, const struct cpu_view_item *b)
{
	for (unsigned i = 0; i < k->n; i++) {
		uint64_t va = 0, vb = 0;
		if (k->key[i].what == BY_CGROUP) {
			const int order = compare_cgroups(a, b);
			if (order)
				return k->key[i].descending ? order < 0 : order > 0;
			continue;
		}
		const int has_a = get_column(&k->key[i], set, a, &va);
		const int has_b = get_column(&k->key[i], set, b, &vb);

		if (has_a != has_b)
			return has_b;
		if (has_a && va != vb)
			return k->key[i].descending ? vb > va : vb < va;
	}
	return 0;
}

/* Merge sort: qsort(3) does not keep the order of equal items, and can allocate. */
void cpu_view_keys_sort(const struct cpu_view_keys *k, unsigned set,
			const struct cpu_view_item **item,
			const struct cpu_view_item **spare, unsigned n)
{
	if (n < 2 || !k->n)
		return;
	const unsigned half = n / 2;
	cpu_view_keys_sort(k, set, item, spare, half);
	cpu_view_keys_sort(k, set, item + half, spare, n - half);
	/* Many rows are equal, such as those of idle cgroups, or in order already. */
	if (!is_out_of_order(k, set, item[half - 1], item[half]))
		return;
	memcpy(spare, item, half * sizeof *item);
	for (unsigned a = 0, b = half, to = 0; a < half; to++)
		if (b < n && is_out_of_order(k, set, spare[a], item[b]))
			item[to] = item[b++];
		else
			item[to] = spare[a++];
}
