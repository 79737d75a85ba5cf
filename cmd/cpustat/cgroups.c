#include "cgroups.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "common/message.h"
#include "common/status.h"
#include "suite/cgroups/match.h"
#include "suite/cgroups/mount.h"

/* Return the whole text of a file, which the caller frees, or NULL with errno. */
static char *whole_file(const char *path)
{
	FILE *f = fopen(path, "re");
	char *text = NULL;
	size_t size = 0;

	if (!f)
		return NULL;
	/* A file of text has no NUL, up to which getdelim(3) reads. */
	if (getdelim(&text, &size, '\0', f) == -1) {
		free(text);
		text = strdup("");
	}
	fclose(f);
	return text;
}

static char *find_mount(void)
{
	static const char path[] = "/proc/self/mountinfo";
	char *text = whole_file(path);

	if (!text)
		err(EXIT_TOOL, "cannot count cgroups: cannot read %s", path);
	char *mount = cgroups_mount(text);
	if (!mount && errno == ENOENT)
		errx(EXIT_TOOL,
		     "cannot count cgroups: no hierarchy of cgroups that counts events "
		     "is mounted here (neither cgroup2 nor one with perf_event); mount "
		     "one: mount -t cgroup2 none /sys/fs/cgroup");
	free(text);
	return mount;
}

static int match_all(struct cgroups *c, struct cgroup_matches *m)
{
	*m = (struct cgroup_matches){.watch = &c->watch};
	for (unsigned i = 0; i < c->npatterns; i++)
		if (cgroups_match(m, c->mount, c->pattern[i]) == -1) {
			cgroups_free(m);
			errno = ENOMEM;
			return -1;
		}
	cgroups_sort(m);
	return 0;
}

static void cgroup_free(struct cgroup *g)
{
	if (g->engine.fd != -1)
		close(g->engine.fd);
	free(g->path);
	free(g);
}

static int open_folder(const char *mount, const char *path)
{
	const int root = open(mount, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd;

	if (root == -1)
		return -1;
	do {
		fd = openat(root, strcmp(path, "/") ? path : ".",
			    O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	} while (fd == -1 && errno == EMFILE && file_raise_limit(1) == 0);
	const int e = errno;
	close(root);
	errno = e;
	return fd;
}

static struct cgroup *cgroup_new(const struct cgroups *c, const struct cgroup_match *m)
{
	struct cgroup *g = malloc(sizeof *g);
	char *path = strdup(m->path);

	if (!g || !path) {
		free(g);
		free(path);
		return NULL;
	}
	*g = (struct cgroup){path, m->inode, {open_folder(c->mount, path), path}};
	return g;
}

/*
 * Open the cgroup of a match and put it at a place of the list. Returns the cgroup; or
 * NULL with ENOMEM, or after a message unless it is gone already.
 */
static struct cgroup *insert(struct cgroups *c, unsigned at, const struct cgroup_match *m)
{
	struct cgroup **grown = reallocarray(c->cgroup, c->n + 1, sizeof *grown);

	if (!grown)
		return NULL;
	c->cgroup = grown;
	struct cgroup *g = cgroup_new(c, m);
	if (!g)
		return NULL;
	if (g->engine.fd == -1) {
		const int e = errno;
		if (e != ENOENT) {
			warnx("cannot open the cgroup '%s': %s", m->path, strerror(e));
			c->failed = 1;
			cgroups_watch_close(&c->watch); /* to try again */
		}
		cgroup_free(g);
		errno = e;
		return NULL;
	}
	memmove(grown + at + 1, grown + at, (c->n - at) * sizeof *grown);
	grown[at] = g;
	c->n++;
	return g;
}

/* Compare the cgroup at a place with a match: as strcmp(3), the end is above all. */
static int compare(const struct cgroups *c, unsigned at, const struct cgroup_match *m)
{
	return at < c->n ? strcmp(c->cgroup[at]->path, m->path) : 1;
}

static void drop(struct cgroups *c, unsigned at, const struct cgroups_watcher *w)
{
	struct cgroup *g = c->cgroup[at];

	w->gone(w->arg, g);
	cgroup_free(g);
	c->n--;
	memmove(c->cgroup + at, c->cgroup + at + 1, (c->n - at) * sizeof *c->cgroup);
}

static void drop_gone(struct cgroups *c, const struct cgroup_matches *m,
		      const struct cgroups_watcher *w)
{
	unsigned k = 0;

	for (unsigned at = 0; at < c->n;) {
		while (k < m->n && compare(c, at, &m->match[k]) > 0)
			k++;
		if (k < m->n && compare(c, at, &m->match[k]) == 0 &&
		    c->cgroup[at]->inode == m->match[k].inode)
			at++;
		else
			drop(c, at, w);
	}
}

static int add_new(struct cgroups *c, const struct cgroup_matches *m,
		   const struct cgroups_watcher *w)
{
	int added = 0;

	for (unsigned k = 0, at = 0; k < m->n; k++) {
		while (compare(c, at, &m->match[k]) < 0)
			at++;
		if (compare(c, at, &m->match[k]) == 0)
			continue;
		struct cgroup *g = insert(c, at, &m->match[k]);
		if (!g && errno == ENOMEM)
			return -1;
		if (g && w && w->appeared(w->arg, g) == -1)
			return -1;
		added += g != NULL;
	}
	return added;
}

int cgroups_follow(struct cgroups *c, const struct cgroups_watcher *w)
{
	struct cgroup_matches m;

	if (!cgroups_watch_changed(&c->watch))
		return 0;
	if (match_all(c, &m) == -1)
		return -1;
	drop_gone(c, &m, w);
	const int rc = add_new(c, &m, w);
	cgroups_free(&m);
	return rc;
}

/* Print which patterns match nothing; exit if all of them do. */
static void check_patterns(const struct cgroups *c, const char *const *text)
{
	int is_found = 0;

	for (unsigned i = 0; i < c->npatterns; i++) {
		struct cgroup_matches m = {0};
		if (cgroups_match(&m, c->mount, c->pattern[i]) == -1)
			err(EXIT_TOOL, "cannot list the cgroups");
		if (m.n == 0 && c->n == 0)
			warnx("--cgroup=%s: there is no such cgroup below %s; name one "
			      "as /proc/PID/cgroup shows it, or a glob",
			      text[i], c->mount);
		else if (m.n == 0)
			message_notef("--cgroup=%s: there is no such cgroup now",
				      text[i]);
		is_found |= m.n > 0;
		cgroups_free(&m);
	}
	if (c->n == 0 && is_found && !c->failed)
		errx(EXIT_TOOL,
		     "cannot list the cgroups: they could not be read at first, "
		     "or were made meanwhile; run cpustat again");
	if (c->n == 0)
		exit(c->failed ? EXIT_TOOL : EXIT_USAGE);
}

struct cgroups *cgroups_open(const char *const *text, unsigned n)
{
	struct cgroups *c = calloc(1, sizeof *c);
	struct cgroup_matches m;

	if (!c)
		err(EXIT_TOOL, "cannot list the cgroups");
	c->mount = find_mount();
	cgroups_watch_open(&c->watch);
	c->pattern = calloc(n, sizeof *c->pattern);
	for (; c->mount && c->pattern && c->npatterns < n; c->npatterns++) {
		char *pattern = cgroups_pattern(c->mount, text[c->npatterns]);
		if (!pattern)
			break;
		c->pattern[c->npatterns] = pattern;
	}
	if (c->npatterns < n || match_all(c, &m) == -1 || add_new(c, &m, NULL) == -1)
		err(EXIT_TOOL, "cannot list the cgroups");
	cgroups_free(&m);
	check_patterns(c, text);
	return c;
}

void cgroups_close(struct cgroups *c)
{
	if (!c)
		return;
	for (unsigned i = 0; i < c->n; i++)
		cgroup_free(c->cgroup[i]);
	for (unsigned i = 0; i < c->npatterns; i++)
		free(c->pattern[i]);
	cgroups_watch_close(&c->watch);
	free(c->cgroup);
	free(c->pattern);
	free(c->mount);
	free(c);
}

/* A removed folder has no links (kernfs), and its name may be that of another one. */
int cgroups_exists(const struct cgroup *g)
{
	struct stat st;

	return fstat(g->engine.fd, &st) == 0 && st.st_nlink > 0 &&
	       faccessat(g->engine.fd, "cgroup.procs", F_OK, 0) == 0;
}

unsigned cgroups_width(const struct cgroups *c)
{
	size_t width = 0;

	for (unsigned i = 0; i < c->n; i++) {
		const size_t n = text_width(c->cgroup[i]->path);
		if (width < n)
			width = n;
	}
	return (unsigned)width;
}
