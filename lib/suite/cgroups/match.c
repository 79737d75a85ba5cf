#include "suite/cgroups/match.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"

char *cgroups_pattern(const char *mount, const char *text)
{
	const size_t len = strlen(mount);
	char *pattern = malloc(strlen(text) + 1), *to = pattern;

	if (!pattern)
		return NULL;
	if (len > 1 && !strncmp(text, mount, len) && (!text[len] || text[len] == '/'))
		text += len;
	for (; *text; text++)
		if (*text != '/' || (to > pattern && to[-1] != '/'))
			*to++ = *text;
	if (to > pattern && to[-1] == '/')
		to--;
	*to = '\0';
	return pattern;
}

static int add(struct cgroup_matches *m, const char *path, ino_t inode)
{
	if (array_grow(&m->match, m->n, sizeof *m->match) == -1)
		return -1;
	char *copy = strdup(*path ? path : "/");
	if (!copy)
		return -1;
	m->match[m->n++] = (struct cgroup_match){copy, inode};
	return 0;
}

static int has_wildcard(const char *s)
{
	return strpbrk(s, "*?[\\") != NULL;
}

static int walk(struct cgroup_matches *m, int folder, const char *path,
		const char *pattern);

/* A folder that cannot be read now may be read later. */
static void unwatch(struct cgroup_matches *m)
{
	if (m->watch)
		cgroups_watch_close(m->watch);
}

/* Go on below a folder with the rest of the pattern, which begins with "/" or is "". */
static int go_on(struct cgroup_matches *m, int folder, const char *path, const char *name,
		 ino_t inode, const char *rest)
{
	char *full = malloc(strlen(path) + strlen(name) + 2);
	int rc = -1;

	if (!full)
		return -1;
	stpcpy(stpcpy(stpcpy(full, path), *path ? "/" : ""), name);
	if (!*rest) {
		rc = add(m, full, inode);
	} else {
		const int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd == -1 && errno != ENOENT)
			unwatch(m);
		rc = fd == -1 ? 0 : walk(m, fd, full, rest + 1);
	}
	free(full);
	return rc;
}

static int is_folder(int folder, const char *name, ino_t *inode)
{
	struct stat st;

	if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == -1 || !S_ISDIR(st.st_mode))
		return 0;
	*inode = st.st_ino;
	return 1;
}

/* The folder is closed. */
static int search(struct cgroup_matches *m, int folder, const char *path,
		  const char *part, const char *rest)
{
	DIR *d = fdopendir(folder);
	int rc = 0;

	if (!d) {
		close(folder);
		return -1;
	}
	for (const struct dirent *e; rc == 0 && (e = readdir(d));) {
		ino_t inode = e->d_ino;
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if ((e->d_type == DT_DIR || e->d_type == DT_UNKNOWN) &&
		    fnmatch(part, e->d_name, FNM_PERIOD) == 0 &&
		    (e->d_type == DT_DIR || is_folder(folder, e->d_name, &inode)))
			rc = go_on(m, folder, path, e->d_name, inode, rest);
	}
	closedir(d);
	return rc;
}

/*
 * Add what the pattern matches in a folder, which is closed; path is that of the folder.
 */
static int walk(struct cgroup_matches *m, int folder, const char *path,
		const char *pattern)
{
	const char *const rest = strchrnul(pattern, '/');
	char *part = strndup(pattern, (size_t)(rest - pattern));
	ino_t inode;
	int rc = -1;

	if (m->watch)
		cgroups_watch_folder(m->watch, folder);
	if (part && has_wildcard(part)) {
		rc = search(m, folder, path, part, rest);
		free(part);
		return rc;
	}
	if (part)
		rc = is_folder(folder, part, &inode)
			     ? go_on(m, folder, path, part, inode, rest)
			     : 0;
	free(part);
	close(folder);
	return rc;
}

int cgroups_match(struct cgroup_matches *m, const char *mount, const char *pattern)
{
	struct stat st;
	const int fd = open(mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd == -1) {
		unwatch(m);
		return 0;
	}
	if (*pattern)
		return walk(m, fd, "", pattern);
	const int found = fstat(fd, &st) == 0;
	close(fd);
	return found ? add(m, "", st.st_ino) : 0;
}

static int compare(const void *a, const void *b)
{
	const struct cgroup_match *x = a, *y = b;

	return strcmp(x->path, y->path);
}

void cgroups_sort(struct cgroup_matches *m)
{
	unsigned n = 0;

	if (m->n > 1)
		qsort(m->match, m->n, sizeof *m->match, compare);
	for (unsigned i = 0; i < m->n; i++)
		if (n && strcmp(m->match[n - 1].path, m->match[i].path) == 0)
			free(m->match[i].path);
		else
			m->match[n++] = m->match[i];
	m->n = n;
}

void cgroups_free(struct cgroup_matches *m)
{
	for (unsigned i = 0; i < m->n; i++)
		free(m->match[i].path);
	free(m->match);
	*m = (struct cgroup_matches){0};
}
