/* Exit statuses of the commands: their own, and a program's passed on. */
#ifndef COMMON_STATUS_H
#define COMMON_STATUS_H

enum { EXIT_USAGE = 2, EXIT_TOOL = 125, EXIT_CANNOT_EXECUTE = 126, EXIT_NOT_FOUND = 127 };

/* Of a program, by what waitpid(2) told: its own, or 128 and the signal that ended it. */
int status_of_wait(int status);

/* Of a program that could not be executed, by the errno. */
int status_of_exec(int error);

#endif
