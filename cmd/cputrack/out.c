#include "out.h"

#include <errno.h>
#include <stdlib.h>

int out_open(struct out *o, const char *path)
{
	*o = (struct out){.file = stdout, .name = "standard output"};
	if (path) {
		o->name = path;
		o->file = fopen(path, "we");
		if (!o->file)
			return -1;
	}
	setvbuf(o->file, NULL, _IOLBF, BUFSIZ);
	return 0;
}

void out_line(struct out *o, char *line)
{
	if (!o->error && !line)
		o->error = ENOMEM;
	else if (!o->error && fputs(line, o->file) == EOF)
		o->error = errno;
	free(line);
}

void out_close(struct out *o)
{
	if (fclose(o->file) == EOF && !o->error)
		o->error = errno;
}
