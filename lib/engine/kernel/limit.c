#include "engine/kernel/limit.h"

#include <errno.h>
#include <sys/resource.h>

int kernel_limit_raise(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) == 0) {
		if (lim.rlim_cur == lim.rlim_max)
			lim.rlim_max *= 2;
		lim.rlim_cur = lim.rlim_max;
		/* The kernel refuses more than fs.nr_open. */
		if (setrlimit(RLIMIT_NOFILE, &lim) == 0)
			return 0;
	}
	errno = EMFILE;
	return -1;
}
