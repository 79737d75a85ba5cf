#include "base/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

/* Returns 0 if the path can be executed, else the errno of execve(2). */
static int try_path(const char *path)
{
	struct stat st;

	if (stat(path, &st) == -1)
		return errno;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	return access(path, X_OK) == -1 ? errno : 0;
}

/* Like execvp(3), go on searching after a file that may not be executed. */
static int search(const char *file, char path[PATH_MAX])
{
	const char *dirs = getenv("PATH");
	int e = ENOENT;

	for (const char *dir = dirs ? dirs : "/bin:/usr/bin", *end; dir;
	     dir = *end ? end + 1 : NULL) {
		struct stat st;

		end = strchrnul(dir, ':');
		const int len = (int)(end - dir);
		const int n = snprintf(path, PATH_MAX, "%.*s%s%s", len, dir,
				       len ? "/" : "", file);
		if (n >= PATH_MAX || stat(path, &st) == -1)
			continue;
		const int here = try_path(path);
		if (!here)
			return 0;
		if (here == EACCES)
			e = EACCES;
	}
	return e;
}

int program_find(const char *file, char path[PATH_MAX])
{
	if (!*file)
		return ENOENT;
	if (!strchr(file, '/'))
		return search(file, path);
	if (snprintf(path, PATH_MAX, "%s", file) >= PATH_MAX)
		return ENAMETOOLONG;
	return try_path(path);
}

/* The file exists, and what executes it does not. */
static void say_interpreter(const char *path, char *buf, size_t size)
{
	char head[256];

	file_read(head, sizeof head, "%s", path);
	if (strncmp(head, "#!", 2) == 0) {
		const char *name = head + 2 + strspn(head + 2, " \t");

		snprintf(buf, size, "its interpreter '%.*s' does not exist",
			 (int)strcspn(name, " \t\r\n"), name);
	} else {
		snprintf(buf, size,
			 "the loader that its file names does not exist (is it for "
			 "another system?)");
	}
}

const char *program_reason(const char *file, int *error, char *buf, size_t size)
{
	char path[PATH_MAX];
	struct stat st;
	const int found = program_find(file, path);

	if (*error == EACCES && found == ENOENT)
		*error = ENOENT;
	if (*error == ENOENT && !found)
		say_interpreter(path, buf, size);
	else if (*error == EACCES && stat(file, &st) == 0 && S_ISDIR(st.st_mode))
		snprintf(buf, size, "%s", strerror(EISDIR));
	else
		snprintf(buf, size, "%s", strerror(*error));
	return buf;
}
