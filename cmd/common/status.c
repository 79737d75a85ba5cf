#include "status.h"

#include <err.h>
#include <errno.h>
#include <sys/wait.h>

#include "base/program.h"

int status_of_wait(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int status_signal(int status)
{
	return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

int status_of_exec(int error)
{
	switch (error) {
	case ENOENT:
	case ENOTDIR:
		return EXIT_NOT_FOUND;
	case EAGAIN:
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case EFBIG:
	case ENOTSUP:
		return EXIT_TOOL;
	default:
		return EXIT_CANNOT_EXECUTE;
	}
}

int status_not_executed(const char *program, int is_simulator, int error)
{
	char reason[512];

	warnx("cannot execute %s'%s': %s", is_simulator ? "the simulator " : "", program,
	      program_reason(program, &error, reason, sizeof reason));
	return is_simulator ? EXIT_TOOL : status_of_exec(error);
}
