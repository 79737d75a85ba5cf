/* Files in memory, which a simulated run and its engine share. */
#ifndef ENGINE_SIM_MEMORY_FILE_H
#define ENGINE_SIM_MEMORY_FILE_H

#include <sys/types.h>

/*
 * Create an anonymous file of this size, all zeros, which takes memory where something
 * is written. Returns its descriptor, or -1 with errno of memfd_create(2) or
 * ftruncate(2); a size above ulimit -f gives EFBIG and no signal.
 */
int memory_file(const char *name, off_t size);

/* Write at an offset. Returns 0, or -1 with errno of pwrite(2). */
int memory_file_write(int fd, const void *from, size_t size, off_t at);

#endif
