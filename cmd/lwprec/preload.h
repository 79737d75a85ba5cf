/*
 * Preloads the emulator into programs, and finds programs that contain LWP instructions.
 */
#ifndef LWPREC_PRELOAD_H
#define LWPREC_PRELOAD_H

/* How LWP instructions are emulated. */
enum record_emulation {
	RECORD_NOT_EMULATED,
	RECORD_EMULATED,  /* in the program if it has a C library, else from outside */
	RECORD_PRELOADED, /* --emulate=preload: in the program */
	RECORD_TRACED	  /* --emulate=ptrace: from outside */
};

/*
 * Before a command starts: make programs load the emulator, in $CPC_SIM_DIR if that is
 * set, else beside the folder of the running program (../sim, ../libexec/opencpc), else
 * where it is installed; and choose one CPU if the command will be emulated from outside.
 * Exits with EXIT_TOOL if the emulator must be preloaded and cannot.
 */
void preload_prepare(enum record_emulation way, const char *command);

/* Has the program at path an instruction that enables LWP? */
int preload_finds_lwp(const char *path);

#endif
