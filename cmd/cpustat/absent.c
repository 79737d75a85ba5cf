#include "absent.h"

#include <err.h>
#include <stdlib.h>

#include "base/cpulist.h"

struct absent {
	const struct row_set *const *set;
	unsigned nsets;
	struct cpulist **cpus; /* [set][request] */
};

struct absent *absent_new(const struct row_set *const *set, unsigned nsets)
{
	struct absent *a = calloc(1, sizeof *a);

	if (!a)
		return NULL;
	a->set = set;
	a->cpus = calloc(nsets, sizeof *a->cpus);
	if (!a->cpus) {
		free(a);
		return NULL;
	}
	for (; a->nsets < nsets; a->nsets++) {
		a->cpus[a->nsets] = calloc(set[a->nsets]->n + 1, sizeof **a->cpus);
		if (!a->cpus[a->nsets]) {
			absent_free(a);
			return NULL;
		}
	}
	return a;
}

void absent_free(struct absent *a)
{
	if (!a)
		return;
	for (unsigned s = 0; s < a->nsets; s++) {
		for (unsigned i = 0; i < a->set[s]->n; i++)
			cpulist_free(&a->cpus[s][i]);
		free(a->cpus[s]);
	}
	free(a->cpus);
	free(a);
}

int absent_add(struct absent *a, unsigned set, unsigned i, int cpu)
{
	return cpulist_add(&a->cpus[set][i], cpu);
}

int absent_print(const struct absent *a)
{
	int some = 0;

	for (unsigned s = 0; s < a->nsets; s++)
		for (unsigned i = 0; i < a->set[s]->n; i++) {
			if (a->cpus[s][i].n == 0)
				continue;
			char *text = cpulist_text(&a->cpus[s][i]);
			warnx("%s: not counted on CPUs %s, whose PMU does not have it",
			      a->set[s]->event[i], text ? text : "?");
			free(text);
			some = 1;
		}
	return some;
}
