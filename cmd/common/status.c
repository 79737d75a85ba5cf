#include "status.h"

#include <errno.h>
#include <sys/wait.h>

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
