/* The exit statuses of the commands: their own, and those of the programs they run. */
#ifndef COMMON_STATUS_H
#define COMMON_STATUS_H

enum {
	EXIT_USAGE = 2,
	EXIT_LIMIT = 3,
	EXIT_TOOL = 125,
	EXIT_CANNOT_EXECUTE = 126,
	EXIT_NOT_FOUND = 127
};

/*
 * Returns, for a status of waitpid(2), the program's exit status, or 128 plus the signal
 * that ended it.
 */
int status_of_wait(int status);

/* Returns the signal that ended a program, for its status of waitpid(2), or 0. */
int status_signal(int status);

/*
 * Returns the exit status for the errno of a failed exec or cpc_command():
 * EXIT_NOT_FOUND, EXIT_CANNOT_EXECUTE, or EXIT_TOOL if the program is not the reason.
 */
int status_of_exec(int error);

/*
 * Print that a program, or the simulator that would run it, cannot be executed, for the
 * errno of the exec. Returns the exit status.
 */
int status_not_executed(const char *program, int is_simulator, int error);

#endif
