#include "assign.h"

#include <errno.h>

enum { MAX = 64, NOBODY = -1 };

/* Give request i a counter; whoever has it must find another. Each is tried once. */
static int augment(const uint64_t *can, int i, int *owner, uint64_t *tried)
{
	uint64_t left;

	while ((left = can[i] & ~*tried)) {
		const int pic = __builtin_ctzll(left);

		*tried |= UINT64_C(1) << pic;
		if (owner[pic] == NOBODY || augment(can, owner[pic], owner, tried)) {
			owner[pic] = i;
			return 1;
		}
	}
	return 0;
}

/* Can all requests be counted together? Bipartite matching by augmenting paths. */
static int feasible(const uint64_t *can, unsigned n, uint64_t requests)
{
	int owner[MAX];

	for (unsigned pic = 0; pic < MAX; pic++)
		owner[pic] = NOBODY;
	for (unsigned i = 0; i < n; i++) {
		uint64_t tried = 0;

		if (requests >> i & 1 && !augment(can, i, owner, &tried))
			return 0;
	}
	return 1;
}

/*
 * What is infeasible without a request does not need it. One pass is enough: fewer
 * requests never clash where more do not.
 */
static uint64_t smallest_clash(const uint64_t *can, unsigned n, uint64_t requests)
{
	for (unsigned i = n; i-- > 0;) {
		const uint64_t fewer = requests & ~(UINT64_C(1) << i);

		if (!feasible(can, n, fewer))
			requests = fewer;
	}
	return requests;
}

int assign_pics(const uint64_t *can, unsigned n, unsigned *pic, uint64_t *clash)
{
	const uint64_t requests = n ? UINT64_MAX >> (n < MAX ? MAX - n : 0) : 0;
	uint64_t choice[MAX];

	if (n > MAX || !feasible(can, n, requests)) {
		*clash = n > MAX ? 0 : smallest_clash(can, n, requests);
		errno = EINVAL;
		return -1;
	}

	/* Take the lowest counter that still leaves one for each of the others. */
	for (unsigned i = 0; i < n; i++)
		choice[i] = can[i];
	for (unsigned i = 0; i < n; i++) {
		uint64_t left = can[i];

		do {
			pic[i] = __builtin_ctzll(left);
			choice[i] = UINT64_C(1) << pic[i];
			left &= left - 1;
		} while (!feasible(choice, n, requests));
	}
	return 0;
}
