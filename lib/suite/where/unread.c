/* Counts by function where the libraries that read symbols are missing. */
#include <errno.h>

#include "suite/where/read.h"

int where_can_read(void)
{
	return 0;
}

struct where *where_read(cpc_t *cpc, unsigned nsets, cpc_set_t *const *sets,
			 unsigned nevents)
{
	(void)cpc;
	(void)nsets;
	(void)sets;
	(void)nevents;
	errno = ENOTSUP;
	return NULL;
}
