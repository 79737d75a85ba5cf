/*
 * libperfex(3) for Fortran: the names have an underscore for the linker, arguments are
 * passed by reference, and the length of a text follows as a hidden argument.
 */
#include <libperfex.h>

#include <stdlib.h>
#include <string.h>

int start_counters_(const int *e0, const int *e1)
{
	return start_counters(*e0, *e1);
}

int read_counters_(const int *e0, long long *c0, const int *e1, long long *c1)
{
	return read_counters(*e0, c0, *e1, c1);
}

int print_counters_(const int *e0, const long long *c0, const int *e1,
		    const long long *c1)
{
	return print_counters(*e0, *c0, *e1, *c1);
}

int print_costs_(const int *e0, const long long *c0, const int *e1, const long long *c1)
{
	return print_costs(*e0, *c0, *e1, *c1);
}

int load_costs_(const char *name, int length)
{
	while (length > 0 && name[length - 1] == ' ')
		length--;
	char *copy = strndup(name, length > 0 ? (size_t)length : 0);
	const int rc = copy ? load_costs(copy) : -1;

	free(copy);
	return rc;
}
