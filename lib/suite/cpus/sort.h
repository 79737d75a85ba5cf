/* The keys by which rows of CPUs are sorted; view.h has their syntax. */
#ifndef SUITE_CPUS_SORT_H
#define SUITE_CPUS_SORT_H

#include <stddef.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

/* What a row that is to be sorted shows, and the sample of its first CPU. */
struct cpu_view_item {
	const struct cpu_sample *first;
	int id;
	unsigned cpus;
	int64_t ns;
	uint64_t tick;
	const cpc_value_t *value;
};

struct cpu_view_key;

/* Must be zeroed before use. */
struct cpu_view_keys {
	unsigned n;
	struct cpu_view_key *key;
};

/*
 * Parse keys that refer to the columns of nsets sets, and of cgroups. Returns -1 with
 * ENOMEM, or EINVAL and a message in err, which has size bytes. k needs
 * cpu_view_keys_free(), also after a failure.
 */
int cpu_view_keys_parse(struct cpu_view_keys *k, const char *text,
			const struct row_set *const *set, unsigned nsets, int cgroups,
			char *err, size_t size);
void cpu_view_keys_free(struct cpu_view_keys *k);

/*
 * Sort n items of a set; equal items keep their order. spare has room for n items.
 */
void cpu_view_keys_sort(const struct cpu_view_keys *k, unsigned set,
			const struct cpu_view_item **item,
			const struct cpu_view_item **spare, unsigned n);

#endif
