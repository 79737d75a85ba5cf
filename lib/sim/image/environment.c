#include "sim/image/environment.h"

#include <stddef.h>

/* Returns the text after prefix, or NULL if the string begins otherwise. */
static char *after(char *string, const char *prefix)
{
	while (*prefix)
		if (*string++ != *prefix++)
			return NULL;
	return string;
}

/*
 * Removes the simulator's libraries, which the core has put first, from a list for
 * LD_PRELOAD. Returns whether the list is the program's then; it may be empty.
 */
static int strip(char *list, const char *folder)
{
	char *from = list, *rest;

	while ((rest = after(from, folder)) && (rest = after(rest, "/vgpreload_"))) {
		while (*rest && *rest != ':')
			rest++;
		if (!*rest)
			return 0;
		from = rest + 1;
	}
	while ((*list++ = *from++))
		;
	return 1;
}

unsigned environment_hide(char **env, unsigned n)
{
	const char *folder = NULL;
	unsigned kept = 0;

	for (unsigned i = 0; i < n && !folder; i++)
		folder = after(env[i], "VALGRIND_LIB=");
	if (!folder)
		return n;
	for (unsigned i = 0; i < n; i++) {
		char *const list = after(env[i], "LD_PRELOAD=");
		if (after(env[i], "VALGRIND_LIB=") || (list && !strip(list, folder)))
			continue;
		env[kept++] = env[i];
	}
	return kept;
}

int environment_keeps(const char *string)
{
	static const char *const names[] = {"HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH",
					    "PATH", "TERM", "TMPDIR", "TZ",
					    "USER"};

	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *s = string, *name = names[i];

		while (*name && *s == *name)
			s++, name++;
		if (!*name && *s == '=')
			return 1;
	}
	return 0;
}
