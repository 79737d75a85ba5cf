#include "streams.h"

#include <err.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "status.h"

void streams_guard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null",
			     (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int streams_flush(void)
{
	if (fflush(stdout) == EOF || ferror(stdout)) {
		warn("cannot write to standard output");
		return EXIT_TOOL;
	}
	return 0;
}

int streams_put(char *text)
{
	if (!text)
		err(EXIT_TOOL, "no memory available");
	fputs(text, stdout);
	free(text);
	return streams_flush();
}
