#include "pctx/image.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A launcher's name, its options and "--", each ended by NUL, are not the program's. */
static void skip_launcher(FILE *f)
{
	char *word = NULL;
	size_t size = 0;
	long at = 0;
	int ended = 0;

	for (unsigned i = 0; !ended; i++) {
		at = ftell(f);
		if (getdelim(&word, &size, '\0', f) <= 0)
			break;
		if (i > 0 && word[0] != '-')
			break;
		ended = strcmp(word, "--") == 0;
	}
	if (!ended)
		fseek(f, at, SEEK_SET);
	free(word);
}

char *image_args(const struct __pctx *p, char buf[IMAGE_ARGS])
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/cmdline", (int)p->pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return NULL;
	if (p->launched)
		skip_launcher(f);
	size_t n = fread(buf, 1, IMAGE_ARGS - 1, f);
	fclose(f);
	while (n > 0 && buf[n - 1] == '\0')
		n--;
	for (size_t i = 0; i < n; i++)
		if (buf[i] == '\0')
			buf[i] = ' ';
	buf[n] = '\0';
	return n ? buf : NULL;
}

int image_is_launcher(const struct tracer *t, pid_t pid)
{
	char link[64], path[PATH_MAX];

	if (!t->launcher)
		return 0;
	snprintf(link, sizeof link, "/proc/%d/exe", (int)pid);
	const ssize_t n = readlink(link, path, sizeof path - 1);
	path[n > 0 ? n : 0] = '\0';
	return strcmp(path, t->launcher) == 0;
}
