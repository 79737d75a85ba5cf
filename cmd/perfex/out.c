#include "out.h"

#include <errno.h>
#include <stdlib.h>

int out_open(struct out *o, const char *path)
{
	*o = (struct out){.file = stderr, .name = "standard error"};
	if (path) {
		o->name = path;
		o->file = fopen(path, "we");
	}
	return o->file ? 0 : -1;
}

void out_text(struct out *o, char *text)
{
	if (!o->error && !text)
		o->error = ENOMEM;
	else if (!o->error && (fputs(text, o->file) == EOF || fflush(o->file) == EOF))
		o->error = errno;
	free(text);
}

void out_thread(struct out *o, const char *file, pid_t tid, int begin, char *text)
{
	char *path;
	struct out t = {0};

	if (asprintf(&path, "%s.%d", file, (int)tid) == -1) {
		out_text(o, NULL);
		free(text);
		return;
	}
	t.file = fopen(path, begin ? "we" : "ae");
	if (t.file) {
		out_text(&t, text);
		out_close(&t);
	} else {
		t.error = errno;
		free(text);
	}
	if (!o->error)
		o->error = t.error;
	free(path);
}

void out_close(struct out *o)
{
	if ((o->file == stderr ? fflush(o->file) : fclose(o->file)) == EOF && !o->error)
		o->error = errno;
}
