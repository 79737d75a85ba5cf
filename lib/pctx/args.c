#include "pctx/args.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* A file that is read byte by byte, without an allocation. */
struct reader {
	int fd;
	size_t at, n; /* the next byte of buf, and the bytes that it has */
	char buf[512];
};

/* Returns -1 at the end of the file, and if it cannot be read. */
static int next_byte(struct reader *r)
{
	if (r->at == r->n) {
		const ssize_t n = read(r->fd, r->buf, sizeof r->buf);

		if (n <= 0)
			return -1;
		r->at = 0;
		r->n = (size_t)n;
	}
	return (unsigned char)r->buf[r->at++];
}

/*
 * Skips a launcher's name, its options and "--" in a file of NUL-terminated words.
 * Returns the first byte of the next word, or -1 if there is none.
 */
static int skip_launcher(struct reader *r)
{
	int c = next_byte(r);

	while (c > 0)
		c = next_byte(r);
	while (c == 0 && (c = next_byte(r)) == '-') {
		char word[3] = "";

		for (size_t i = 0; c > 0; c = next_byte(r))
			if (i < sizeof word)
				word[i++] = (char)c;
		if (memcmp(word, "--", sizeof word) == 0)
			return c == 0 ? next_byte(r) : -1;
	}
	return c;
}

/* Returns the first byte of the command line, or -1; the caller closes r->fd. */
static int open_args(struct reader *r, pid_t pid, int launched)
{
	char path[64];

	r->at = r->n = 0;
	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
	r->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (r->fd == -1)
		return -1;
	return launched ? skip_launcher(r) : next_byte(r);
}

static void close_args(const struct reader *r)
{
	if (r->fd != -1)
		close(r->fd);
}

char *args_read(pid_t pid, int launched, char buf[ARGS_SIZE])
{
	struct reader r;
	size_t n = 0;

	for (int c = open_args(&r, pid, launched); c >= 0 && n < ARGS_SIZE - 1;
	     c = next_byte(&r))
		buf[n++] = (char)c;
	close_args(&r);
	return text_words(buf, n);
}

size_t args_read_launched(pid_t pid, char *buf, size_t size)
{
	struct reader r;
	size_t n = 0;

	for (int c = open_args(&r, pid, 1); c > 0; c = next_byte(&r))
		if (c == '/')
			n = 0;
		else if (n < size - 1)
			buf[n++] = (char)c;
	close_args(&r);
	buf[n] = '\0';
	return n;
}
