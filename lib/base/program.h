/* Programs as exec(3) finds them, and why they cannot be executed. */
#ifndef BASE_PROGRAM_H
#define BASE_PROGRAM_H

#include <limits.h>
#include <stddef.h>

/*
 * Write the path of a program, found as execvp(3) finds it. Returns 0, or an errno of
 * execve(2): ENOENT, EACCES if the file may not be executed, ENAMETOOLONG. A folder in
 * PATH that may not be searched has no programs.
 */
int program_find(const char *file, char path[PATH_MAX]);

/*
 * Write into buf, of size bytes, why execvp(3) failed with errno *error. *error becomes
 * ENOENT if it is EACCES only because a folder in PATH could not be searched. Returns
 * buf.
 */
const char *program_reason(const char *file, int *error, char *buf, size_t size);

#endif
