/* What is in a folder of the kernel's, by name. */
#ifndef KERNEL_DIR_H
#define KERNEL_DIR_H

#include <dirent.h>

/*
 * Entries whose names do not begin with a dot, in the order of strcmp(3), into *d for
 * kernel_dir_free(). Returns how many; 0 also if the folder cannot be read.
 */
int kernel_dir_list(const char *path, struct dirent ***d);

void kernel_dir_free(struct dirent **d, int n);

#endif
