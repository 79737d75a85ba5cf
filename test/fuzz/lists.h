/* Lists of CPUs in the files of an input. */
#ifndef FUZZ_LISTS_H
#define FUZZ_LISTS_H

#include "base/cpulist.h"
#include "files.h"

enum { LISTS_MOST = 64 };

/*
 * Returns whether no file is a list of LISTS_MOST CPUs or more, which would take long;
 * the fuzzer cpulist reads long lists.
 */
static inline int lists_are_small(void)
{
	struct cpulist l;
	int small = 1;

	for (unsigned i = 0; i < files.n && small; i++) {
		char *const text = string_of((const uint8_t *)files.file[i].text,
					     files.file[i].size);

		if (cpulist_parse(&l, text) == 0)
			small = l.n < LISTS_MOST;
		cpulist_free(&l);
		free(text);
	}
	return small;
}

#endif
