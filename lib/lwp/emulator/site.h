/*
 * Sites: LWP instructions of the program that are replaced by a jump to a trampoline,
 * which costs some nanoseconds where a trap costs microseconds.
 */
#ifndef LWP_EMULATOR_SITE_H
#define LWP_EMULATOR_SITE_H

#include "lwp/emulator/fast.h"

/* Returns the site of an instruction, or NULL. Async-signal-safe. */
struct site *site_find(uint64_t ip);

/*
 * The instruction at ip cannot be executed: its first byte is replaced while a site is
 * being patched.
 */
#define SITE_GUARD 0x06
#define SITE_JUMP  0xe9

/*
 * Replaces an instruction. It stays as it is if that is not possible, or if there has
 * been a site at this address, whose code was unmapped. Other threads may execute the
 * instruction meanwhile. Async-signal-safe.
 */
void site_patch(uint64_t ip, const lwp_instruction_t *i);

#endif
