#include "irix/hwperf_proc.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hwperf_proc_read(int dir, const char *name, char *buf, size_t size)
{
	const int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	const int none_left = fd == -1 && (errno == EMFILE || errno == ENFILE);
	const ssize_t n = fd == -1 ? -1 : read(fd, buf, size - 1);

	if (fd != -1)
		close(fd);
	if (n > 0) {
		buf[n] = '\0';
		return 0;
	}
	if (!none_left)
		errno = ESRCH;
	return -1;
}

/* The group list in the file status can be long. No file that is read has the byte 0. */
char *hwperf_proc_text(int dir, const char *name)
{
	const int fd = openat(dir, name, O_RDONLY | O_CLOEXEC);
	FILE *f = fd == -1 ? NULL : fdopen(fd, "r");
	char *text = NULL;
	size_t size = 0;

	if (fd != -1 && !f)
		close(fd);
	if (f && getdelim(&text, &size, '\0', f) == -1) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

/* The name of the program, before the state, may contain any character. */
const char *hwperf_proc_state(const char *stat)
{
	const char *end = strrchr(stat, ')');

	return end ? end + 1 : "";
}

uint64_t hwperf_proc_stat(const char *stat, unsigned field)
{
	const char *s = hwperf_proc_state(stat);

	for (unsigned i = 3; s && *s && i < field; i++)
		s = strchr(s + 1, ' ');
	return s ? strtoull(s, NULL, 10) : 0;
}

uint64_t hwperf_proc_line(const char *text, const char *name)
{
	const size_t len = strlen(name);

	while (text && strncmp(text, name, len) != 0) {
		text = strchr(text, '\n');
		if (text)
			text++;
	}
	return text ? strtoull(text + len, NULL, 10) : 0;
}
