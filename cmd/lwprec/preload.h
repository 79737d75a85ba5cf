/* The emulator that is preloaded into programs, and programs for which it is of use. */
#ifndef LWPREC_PRELOAD_H
#define LWPREC_PRELOAD_H

#include <limits.h>
#include <stddef.h>

/*
 * Make the programs that are executed from now on load the emulator: in $CPC_SIM_DIR if
 * that is set, else beside the folder of the running program (../sim,
 * ../libexec/opencpc), else where it is installed. Returns 0; or -1 if it was not found
 * or cannot be preloaded, and a sentence in why, which has room for n bytes.
 */
int preload_emulator(char *why, size_t n);

/* Is the file at path a program for x86-64 that the dynamic linker does not load? */
int preload_is_static(const char *path);

/* Has the program at path an instruction that enables LWP? */
int preload_finds_lwp(const char *path);

#endif
