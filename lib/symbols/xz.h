/* Expansion of .gnu_debugdata, which is compressed by xz. */
#ifndef SYMBOLS_XZ_H
#define SYMBOLS_XZ_H

#include <stddef.h>
#include <stdint.h>

/*
 * Expand data that xz has compressed. Returns the bytes, for the caller to free, and
 * their number in *expanded; or NULL with ENOEXEC if the data are malformed or expand to
 * more than a symbol table can, or ENOMEM.
 */
uint8_t *xz_expand(const uint8_t *bytes, size_t size, size_t *expanded);

#endif
