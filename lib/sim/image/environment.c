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

/* Does a string begin with NAME=? */
static int is_of(const char *string, const char *name)
{
	while (*name && *string == *name)
		string++, name++;
	return !*name && *string == '=';
}

static char *find(char **env, const char *name)
{
	for (; *env; env++)
		if (is_of(*env, name))
			return *env;
	return NULL;
}

unsigned environment_clean(char **env, char **clean)
{
	static const struct {
		const char *name;
		char *missing; /* the string if the name is missing; NULL: none */
	} kept[ENVIRONMENT_KEPT] = {
		{"HOME", "HOME=/"},
		{"LANG", "LANG=C"},
		{"LC_ALL", NULL},
		{"LD_LIBRARY_PATH", NULL},
		{"PATH", "PATH=/usr/local/bin:/usr/bin:/bin"},
		{"TERM", "TERM=dumb"},
		{"TMPDIR", NULL},
		{"TZ", NULL},
		{"USER", "USER=nobody"},
	};
	unsigned n = 0;

	for (unsigned i = 0; i < ENVIRONMENT_KEPT; i++) {
		char *const string = find(env, kept[i].name);
		if (string || kept[i].missing)
			clean[n++] = string ? string : kept[i].missing;
	}
	clean[n] = NULL;
	return n;
}
