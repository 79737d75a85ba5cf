/* Can a file be executed under the simulator? Part of the launcher. */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

enum program {
	PROGRAM_SIMULATED, /* it can, or it cannot be executed at all */
	PROGRAM_FOREIGN,   /* it, or the interpreter of the script, is not for x86-64 */
	PROGRAM_OVERLAPS   /* it lies at addresses that the simulator itself uses */
};

/* Returns which of these the file at path is; tool is the path of the simulator. */
enum program program_kind(const char *path, const char *tool);

#endif
