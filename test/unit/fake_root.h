/* A temporary folder that stands for the root of a machine, with the files of a test. */
#ifndef FAKE_ROOT_H
#define FAKE_ROOT_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Write a file below root, and create its folders. */
static inline void fake_root_put(const char *root, const char *path, const char *text)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/%s", root, path);
	for (char *p = strchr(full + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(full, 0700);
		*p = '/';
	}
	FILE *f = fopen(full, "w");
	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

struct fake_file {
	const char *path, *text; /* the path below root */
};

/* Make root, a template of mkdtemp(3), with n files. */
static inline void fake_root_make(char *root, const struct fake_file *file, size_t n)
{
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < n; i++)
		fake_root_put(root, file[i].path, file[i].text);
}

static inline int fake_root_remove_entry(const char *path, const struct stat *st,
					 int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

/* Remove root and all files in it. */
static inline int fake_root_remove(const char *root)
{
	return nftw(root, fake_root_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

#endif
