/*
 * Files in memory for readers of /proc and /sys: the linker replaces file_read() and
 * file_list() by the functions here (-Wl,--wrap=file_read,--wrap=file_list).
 *
 * The text of an input is a line for the fuzzer itself, then files: a line with "@" and
 * the path of a file, and its content up to the next line that begins with "@". All other
 * paths do not exist.
 */
#ifndef FUZZ_FILES_H
#define FUZZ_FILES_H

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>

#include "fuzz.h"

enum { FILES = 64 };

static struct {
	unsigned n;
	struct file {
		const char *path, *text;
		size_t size;
	} file[FILES];
	char *copy; /* of the input, which the paths and the first line point to */
} files;

ssize_t __wrap_file_read(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int __wrap_file_list(const char *path, struct dirent ***d);

/* Take the input apart. Returns its first line. */
static inline const char *files_open(const uint8_t *data, size_t size)
{
	char *end = files.copy = string_of(data, size);

	files.n = 0;
	char *at = strchr(files.copy, '\n');
	while (at && files.n < FILES) {
		char *const line = at + 1, *const after = strchr(line, '\n');

		*at = '\0';
		end = files.copy + size;
		at = NULL;
		if (*line != '@' || !after)
			break;
		*after = '\0';
		at = memmem(after + 1, (size_t)(end - after - 1), "\n@", 2);
		files.file[files.n++] = (struct file){
			line + 1, after + 1, (size_t)((at ? at + 1 : end) - after - 1)};
	}
	return files.copy;
}

static inline void files_close(void)
{
	free(files.copy);
	files.copy = NULL;
}

/* As the kernel, take several slashes as one. Returns -1 if the path is too long. */
NOT_COVERED static inline int files_path(char path[PATH_MAX], const char *fmt, va_list ap)
{
	char *to = path;

	if (vsnprintf(path, PATH_MAX, fmt, ap) >= PATH_MAX)
		return -1;
	for (const char *from = path; *from; from++)
		if (*from != '/' || to == path || to[-1] != '/')
			*to++ = *from;
	*to = '\0';
	return 0;
}

static inline const struct file *files_find(const char *path)
{
	for (unsigned i = 0; i < files.n; i++)
		if (strcmp(files.file[i].path, path) == 0)
			return &files.file[i];
	return NULL;
}

NOT_COVERED ssize_t __wrap_file_read(char *buf, size_t size, const char *fmt, ...)
{
	char path[PATH_MAX];
	va_list ap;

	*buf = '\0';
	va_start(ap, fmt);
	const int rc = files_path(path, fmt, ap);
	va_end(ap);
	const struct file *const f = rc == 0 ? files_find(path) : NULL;
	errno = rc ? ENAMETOOLONG : ENOENT;
	if (!f)
		return -1;
	const size_t n = f->size < size - 1 ? f->size : size - 1;
	memcpy(buf, f->text, n);
	buf[n] = '\0';
	return (ssize_t)n;
}

static inline int files_by_name(const void *a, const void *b)
{
	return strcmp((*(struct dirent *const *)a)->d_name,
		      (*(struct dirent *const *)b)->d_name);
}

/* Add a name to a list, unless the list has it or it is hidden or too long. */
static inline int files_add(struct dirent **list, int n, const char *name, size_t len)
{
	struct dirent *const e = calloc(1, sizeof *e);

	check(e != NULL, "there is enough memory");
	if (len == 0 || *name == '.' || len >= sizeof e->d_name) {
		free(e);
		return n;
	}
	memcpy(e->d_name, name, len);
	for (int i = 0; i < n; i++)
		if (strcmp(list[i]->d_name, e->d_name) == 0) {
			free(e);
			return n;
		}
	list[n] = e;
	return n + 1;
}

static inline int files_list(const char *folder, struct dirent ***d)
{
	const size_t len = strlen(folder);
	int n = 0;

	*d = calloc(FILES, sizeof **d);
	check(*d != NULL, "there is enough memory");
	for (unsigned i = 0; i < files.n; i++) {
		const char *const path = files.file[i].path;

		if (strncmp(path, folder, len) == 0)
			n = files_add(*d, n, path + len, strcspn(path + len, "/"));
	}
	qsort(*d, (size_t)n, sizeof **d, files_by_name);
	if (n == 0)
		free(*d);
	return n;
}

static inline int files_format(char path[PATH_MAX], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	const int rc = files_path(path, fmt, ap);
	va_end(ap);
	return rc;
}

int __wrap_file_list(const char *path, struct dirent ***d)
{
	char folder[PATH_MAX];

	return files_format(folder, "%s/", path) == 0 ? files_list(folder, d) : 0;
}

#endif
