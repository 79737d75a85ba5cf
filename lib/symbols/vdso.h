/* The code that the kernel maps into each process. */
#ifndef SYMBOLS_VDSO_H
#define SYMBOLS_VDSO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Read the vDSO that process pid has from start to end; or that of this process if pid is
 * 0. Returns its bytes, for the caller to free, and their number; or NULL with errno.
 */
uint8_t *vdso_read(pid_t pid, uint64_t start, uint64_t end, size_t *size);

#endif
