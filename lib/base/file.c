#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

ssize_t file_read(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	buf[0] = '\0';
	va_start(ap, fmt);
	const int len = vsnprintf(path, sizeof path, fmt, ap);
	va_end(ap);
	if ((size_t)len >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd == -1)
		return -1;
	const ssize_t n = read(fd, buf, size - 1);
	close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n;
}

static int not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* alphasort(3) is not used because its order depends on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int file_list(const char *path, struct dirent ***d)
{
	const int n = scandir(path, d, not_hidden, by_name);

	return n < 0 ? 0 : n;
}

void file_list_free(struct dirent **d, int n)
{
	for (int i = 0; i < n; i++)
		free(d[i]);
	if (n)
		free(d);
}

int file_raise_limit(int hard)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) == 0 &&
	    (hard || lim.rlim_cur < lim.rlim_max)) {
		if (lim.rlim_cur == lim.rlim_max)
			lim.rlim_max *= 2;
		lim.rlim_cur = lim.rlim_max;
		/* This fails beyond the sysctl fs.nr_open. */
		if (setrlimit(RLIMIT_NOFILE, &lim) == 0)
			return 0;
	}
	errno = EMFILE;
	return -1;
}
