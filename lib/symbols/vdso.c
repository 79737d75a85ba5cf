#include "symbols/vdso.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "symbols/maps.h"

/* A vDSO has a few pages. */
enum { MAX_SIZE = 1 << 20 };

/* Find the vDSO of this process. Returns 0, or -1 with ENOENT. */
static int find_own(uint64_t *start, uint64_t *end)
{
	FILE *const f = fopen("/proc/self/maps", "re");
	char *line = NULL, path[PATH_MAX];
	size_t size = 0;
	int found = 0;

	while (f && !found && getline(&line, &size, f) > 0) {
		struct mapping m;

		line[strcspn(line, "\n")] = '\0';
		if (maps_parse(line, &m, path, sizeof(path)) || strcmp(path, "[vdso]"))
			continue;
		*start = m.start;
		*end = m.end;
		found = 1;
	}
	free(line);
	if (f)
		fclose(f);
	errno = ENOENT;
	return found ? 0 : -1;
}

uint8_t *vdso_read(pid_t pid, uint64_t start, uint64_t end, size_t *size)
{
	struct iovec to, from;

	if (!pid && find_own(&start, &end))
		return NULL;
	*size = end - start;
	if (end <= start || *size > MAX_SIZE) {
		errno = EINVAL;
		return NULL;
	}
	to = (struct iovec){malloc(*size), *size};
	from = (struct iovec){(void *)(uintptr_t)start, *size};
	if (to.iov_base && process_vm_readv(pid ? pid : getpid(), &to, 1, &from, 1, 0) !=
				   (ssize_t)*size) {
		free(to.iov_base);
		to.iov_base = NULL;
	}
	return to.iov_base;
}
