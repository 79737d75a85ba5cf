/* Finds the simulator's files, and checks whether it can run a program. */
#ifndef ENGINE_SIM_LOCATE_H
#define ENGINE_SIM_LOCATE_H

#include <limits.h>

#include "engine/engine.h"

/* The file names of the simulator's programs. */
#define SIM_LAUNCHER "cpcsim-launch"
#define SIM_TOOL     "cpcsim-amd64-linux"

/*
 * Write the path of the launcher: in $CPC_SIM_DIR if that is set, else beside the folder
 * of the running program (../sim, ../libexec/opencpc), else where it is installed.
 * Returns 0, or -1 with ENOENT if it was not found, or ENOTSUP if it cannot run here:
 * there is no simulator for this processor, or /proc does not show this process, so that
 * a simulated program could not open the file for its counts.
 */
int sim_locate(char launcher[PATH_MAX], struct why *why);

/*
 * Write the path of a program, found as execvp(3) finds it, if it can be simulated.
 * Returns 0, or -1 with errno of execve(2): ENOENT, EACCES, ENAMETOOLONG, ELOOP; or
 * ENOTSUP if the program is not for x86-64, is set-id or has capabilities.
 */
int sim_locate_program(const char *file, char path[PATH_MAX], struct why *why);

#endif
