#include "suite/series/interpreter.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/program.h"

/* Ruby has no variable: its seed is of getrandom(2). */
static const struct interpreter {
	const char *name, *variable;
} interpreters[] = {
	{"python", "PYTHONHASHSEED"}, /* Python manual, "Command line and environment" */
	{"perl", "PERL_HASH_SEED"},   /* perlrun(1) */
	{"ruby", NULL},
};

enum { N = sizeof interpreters / sizeof *interpreters };

static const struct interpreter *find(const char *path, size_t n)
{
	for (size_t i = n; i > 0; i--)
		if (path[i - 1] == '/') {
			path += i;
			n -= i;
			break;
		}
	for (unsigned i = 0; i < N; i++) {
		const size_t len = strlen(interpreters[i].name);

		if (n >= len && strncmp(path, interpreters[i].name, len) == 0)
			return &interpreters[i];
	}
	return NULL;
}

/* A script begins with "#!/usr/bin/perl" or "#!/usr/bin/env -S perl". */
static const struct interpreter *find_in_script(const char *name)
{
	char path[PATH_MAX], text[256];

	if (program_find(name, path) != 0 ||
	    file_read(text, sizeof text, "%s", path) < 2 || strncmp(text, "#!", 2) != 0)
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	const char *word = text + 2;
	while (*(word += strspn(word, " \t"))) {
		const size_t n = strcspn(word, " \t");
		const struct interpreter *found = find(word, n);

		if (found)
			return found;
		word += n;
	}
	return NULL;
}

const char *interpreter_of(char *const *argv)
{
	const struct interpreter *i = find(argv[0], strlen(argv[0]));
	const char *seed;

	if (!i)
		i = find_in_script(argv[0]);
	if (!i)
		return NULL;
	seed = i->variable ? getenv(i->variable) : NULL;
	return seed && *seed && strcmp(seed, "random") != 0 ? NULL : i->name;
}

void interpreter_put_hint(struct textbuf *b, const char *interpreter)
{
	textbuf_str(b, "the counts differ in each run, as ");
	textbuf_str(b, interpreter);
	textbuf_str(b, " draws a seed for its hashes: ");
	for (unsigned i = 0; i < N; i++)
		if (strcmp(interpreters[i].name, interpreter) == 0 &&
		    interpreters[i].variable) {
			textbuf_str(b, interpreters[i].variable);
			textbuf_str(b, "=0 in the environment fixes it, as does "
				       "--reproducible");
			return;
		}
	textbuf_str(b, "--reproducible fixes it");
}
