/*
 * The machine "native": the caches of this machine, and all else of the machine
 * generic.
 */
#ifndef ENGINE_MACHINE_NATIVE_H
#define ENGINE_MACHINE_NATIVE_H

#include "engine/machine_parse.h"

/*
 * Returns the text of the machine, for free(); root: the folder that has /sys and /proc,
 * "" outside tests; generic: the text of the machine generic. The geometry is that of the
 * lowest CPU whose caches sysfs shows. Returns NULL with ENOMEM, or with EINVAL after a
 * message if sysfs does not show an L1 for instructions, an L1 for data and an L2. Other
 * geometries that the model does not have are left to machine_parse().
 */
char *machine_native(const char *root, const char *generic, struct machine_mistakes *to);

#endif
