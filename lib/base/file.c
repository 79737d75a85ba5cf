#include "base/file.h"

#include <stdlib.h>
#include <string.h>

static int named_files(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Not alphasort: its order depends on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int file_list(const char *path, struct dirent ***d)
{
	const int n = scandir(path, d, named_files, by_name);

	return n < 0 ? 0 : n;
}

void file_list_free(struct dirent **d, int n)
{
	for (int i = 0; i < n; i++)
		free(d[i]);
	if (n)
		free(d);
}
