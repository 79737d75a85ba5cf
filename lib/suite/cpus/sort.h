/* By what rows of CPUs are sorted; the language of keys is in cpu_view.h. */
#ifndef SUITE_CPUS_SORT_H
#define SUITE_CPUS_SORT_H

#include <stddef.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

/* What is sorted: a row, and its first CPU's sample. */
struct cpu_view_item {
	struct row row;
	const struct cpu_sample *first;
};

struct cpu_view_key;

/* Begins as zeros. */
struct cpu_view_keys {
	unsigned n;
	struct cpu_view_key *key;
};

/*
 * k needs cpu_view_keys_free(), also on failure. -1: ENOMEM; EINVAL, and what is wrong is
 * in err.
 */
int cpu_view_keys_parse(struct cpu_view_keys *k, const char *text,
			const struct row_set *const *set, unsigned nsets, char *err,
			size_t size);
void cpu_view_keys_free(struct cpu_view_keys *k);

/* Stable. spare: room for n more. */
void cpu_view_keys_sort(const struct cpu_view_keys *k, const struct cpu_view_item **item,
			const struct cpu_view_item **spare, unsigned n);

#endif
