#include "suite/cgroups/mount.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE = 5 }; /* number of the field with the folder, from 1 */

/* Return the field with this number, and its length, or NULL. */
static const char *field(const char *line, const char *end, unsigned number, size_t *len)
{
	while (--number) {
		line = memchr(line, ' ', (size_t)(end - line));
		if (!line++)
			return NULL;
	}
	const char *stop = memchr(line, ' ', (size_t)(end - line));
	*len = (size_t)((stop ? stop : end) - line);
	return line;
}

static int is_word(const char *s, size_t len, const char *word)
{
	return s && len == strlen(word) && !memcmp(s, word, len);
}

/* Does a list with commas, len bytes of s, have the word? */
static int has_option(const char *s, size_t len, const char *word)
{
	const char *const end = s + len;

	while (s < end) {
		const char *comma = memchr(s, ',', (size_t)(end - s));
		const char *stop = comma ? comma : end;
		if (is_word(s, (size_t)(stop - s), word))
			return 1;
		s = stop + 1;
	}
	return 0;
}

/*
 * Returns the version of cgroups of a line, or 0 if the mount does not count events. The
 * fields after " - " are the type, the source and the options of the file system.
 */
static int version_of(const char *line, const char *end)
{
	const char *dash = memmem(line, (size_t)(end - line), " - ", 3);
	size_t len, noptions = 0;

	if (!dash)
		return 0;
	const char *type = field(dash + 3, end, 1, &len);
	const char *options = field(dash + 3, end, 3, &noptions);
	if (is_word(type, len, "cgroup2"))
		return 2;
	return is_word(type, len, "cgroup") && options &&
	       has_option(options, noptions, "perf_event");
}

static int is_octal(const char *s)
{
	for (int i = 0; i < 3; i++)
		if (s[i] < '0' || s[i] > '7')
			return 0;
	return 1;
}

/* Blanks, tabs, line breaks and backslashes are written as \ooo. */
static char *unescape(const char *s, size_t len)
{
	char *text = strndup(s, len), *to = text;

	for (const char *from = text; from && *from; to++) {
		const int escaped = *from == '\\' && is_octal(from + 1);
		*to = escaped ? (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 |
				       (from[3] - '0'))
			      : *from;
		from += escaped ? 4 : 1;
	}
	if (text)
		*to = '\0';
	return text;
}

char *cgroups_mount(const char *mountinfo)
{
	const char *best = NULL;
	size_t len = 0;
	int version = 3;

	for (const char *line = mountinfo; *line;) {
		const char *end = strchrnul(line, '\n');
		const int v = version_of(line, end);
		size_t n;
		const char *place = field(line, end, PLACE, &n);

		if (v && v < version && place) {
			best = place;
			len = n;
			version = v;
		}
		line = end + (*end != '\0');
	}
	if (best)
		return unescape(best, len);
	errno = ENOENT;
	return NULL;
}
