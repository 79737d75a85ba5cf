#include "suite/series/facts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/program.h"

void facts_none(struct facts *f)
{
	*f = (struct facts){.start_bytes = -1, .cwd_bytes = -1};
}

static int64_t bytes_of(char *const *word)
{
	int64_t n = 0;

	for (; *word; word++)
		n += (int64_t)strlen(*word) + 1;
	return n;
}

static void hash_program(struct facts *f, const char *name)
{
	char path[PATH_MAX], part[16384];
	uint64_t hash = HASH_START;
	FILE *file = program_find(name, path) == 0 ? fopen(path, "re") : NULL;
	size_t n;

	if (!file)
		return;
	while ((n = fread(part, 1, sizeof part, file)) > 0)
		hash = hash_bytes(hash, part, n);
	if (!ferror(file))
		snprintf(f->program, sizeof f->program, "%016" PRIx64, hash);
	fclose(file);
}

void facts_find(struct facts *f, char *const *argv, char *const *environment,
		const char *cwd)
{
	facts_none(f);
	f->start_bytes = bytes_of(argv) + bytes_of(environment);
	if (cwd)
		f->cwd_bytes = (int64_t)strlen(cwd);
	hash_program(f, argv[0]);
}
