#include "out.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/text.h"
#include "status.h"

int out_open(struct out *o, const char *path, FILE *stream, const char *name)
{
	*o = (struct out){.file = stream, .name = name};
	if (path) {
		o->name = path;
		o->file = fopen(path, "we");
		if (!o->file)
			return -1;
	}
	/* Standard error also takes messages, which must appear at once. */
	if (o->file != stderr)
		setvbuf(o->file, NULL, _IOFBF, BUFSIZ);
	return 0;
}

void out_text(struct out *o, char *text)
{
	if (text)
		text_clean(text, "\n\t");
	if (!o->error && !text)
		o->error = ENOMEM;
	else if (!o->error && fputs(text, o->file) == EOF)
		o->error = errno;
	free(text);
}

void out_flush(struct out *o)
{
	if (!o->error && fflush(o->file) == EOF)
		o->error = errno;
}

void out_line(struct out *o, char *line)
{
	out_text(o, line);
	out_flush(o);
}

void out_close(struct out *o)
{
	const int ours = o->file != stdout && o->file != stderr;

	out_flush(o);
	if ((ours ? fclose(o->file) : fflush(o->file)) == EOF && !o->error)
		o->error = errno;
}

void out_guard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null",
			     (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int out_flush_stdout(void)
{
	if (fflush(stdout) == EOF || ferror(stdout)) {
		warn("cannot write to standard output");
		return EXIT_TOOL;
	}
	return 0;
}

int out_print(char *text)
{
	if (!text)
		err(EXIT_TOOL, "no memory available");
	text_clean(text, "\n\t");
	fputs(text, stdout);
	free(text);
	return out_flush_stdout();
}
