/*
 * Small files, such as the files of /proc and /sys, lists of folders, and the limit of
 * open files.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <dirent.h>
#include <stddef.h>
#include <sys/types.h>

/*
 * Read the start of the file at the formatted path into buf, as a string that is shorter
 * than size. Returns the number of bytes read; or -1 with errno of open(2) or read(2), or
 * ENAMETOOLONG if the path is too long. buf is then "".
 */
ssize_t file_read(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * List a folder: *d gets the entries whose names do not begin with a dot, in the order of
 * strcmp(3); free *d with file_list_free(). Returns the number of entries, and 0 also if
 * the folder cannot be read.
 */
int file_list(const char *path, struct dirent ***d);

void file_list_free(struct dirent **d, int n);

/*
 * Raise the soft limit of open files (RLIMIT_NOFILE) to the hard limit. If they are equal
 * and hard is not 0, double both, which needs CAP_SYS_RESOURCE. Programs that are started
 * later inherit the limit. Returns 0, or -1 with EMFILE if the limit is not raised.
 */
int file_raise_limit(int hard);

#endif
