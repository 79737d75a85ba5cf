/* What is in a folder of the kernel's, by name. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <dirent.h>

/*
 * Entries whose names do not begin with a dot, in the order of strcmp(3), into *d for
 * file_list_free(). Returns how many; 0 also if the folder cannot be read.
 */
int file_list(const char *path, struct dirent ***d);

void file_list_free(struct dirent **d, int n);

#endif
