/* Where the simulator is, and whether it can run a program. */
#ifndef ENGINE_SIM_LOCATE_H
#define ENGINE_SIM_LOCATE_H

#include <limits.h>

#include "engine/engine.h"

/* What the programs of the simulator are called. */
#define SIM_LAUNCHER "cpcsim-launch"
#define SIM_TOOL     "cpcsim-amd64-linux"

/*
 * The launcher's path: in $CPC_SIM_DIR if that is set, else beside the folder of the
 * running program (../sim, ../libexec/opencpc), else where it is installed. -1: ENOENT,
 * why says where it was looked for; ENOTSUP: there is none for this processor.
 */
int sim_locate(char launcher[PATH_MAX], struct why *why);

/*
 * The path of a program as execvp(3) finds it, if it can be simulated. -1: ENOENT,
 * EACCES, ENAMETOOLONG; ENOEXEC: it is not for x86-64; EPERM: it is set-id or has
 * capabilities.
 */
int sim_locate_program(const char *file, char path[PATH_MAX], struct why *why);

#endif
