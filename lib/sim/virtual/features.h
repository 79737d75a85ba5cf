/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processor that the program sees if it must run the same everywhere: of those that
 * VEX can show, that of a level of x86-64 (System V ABI, AMD64 supplement, 3.1.1),
 * whatever the host has.
 */
#ifndef SIM_VIRTUAL_FEATURES_H
#define SIM_VIRTUAL_FEATURES_H

#include "pub_tool_basics.h"

#include "libvex.h"

/* Sets the level to "v1", "v2" or "v3". Returns 0, or -1 for another name. */
int features_set(const HChar *level);

/* Returns 1 to 3, or 0 if no level was set: the program sees the machine as it is. */
int features_level(void);

/*
 * Limits the capabilities of the host, by which VEX translates the program and answers
 * its CPUID, to those of the level. Returns 0, or -1 if the host lacks some.
 */
int features_limit(VexArchInfo *info);

#endif
