/* The cgroups that patterns match. */
#ifndef SUITE_CGROUPS_MATCH_H
#define SUITE_CGROUPS_MATCH_H

#include <sys/types.h>

#include "suite/cgroups/watch.h"

/* A cgroup. If one of the same path is made later, it has another inode. */
struct cgroup_match {
	char *path; /* below the hierarchy's folder, as "a/b"; "/" is the folder itself */
	ino_t inode;
};

/* Starts as zeros, but for watch. */
struct cgroup_matches {
	/* NULL, or what watches the folders on which the matches depend */
	struct cgroups_watch *watch;
	unsigned n;
	struct cgroup_match *match; /* by path (strcmp(3)), each once */
};

/*
 * Return a pattern without the parts that do not count: the folder mount at its
 * beginning, and slashes at both ends and beside other slashes. The root is "". The
 * caller frees the string. Returns NULL with ENOMEM.
 */
char *cgroups_pattern(const char *mount, const char *text);

/*
 * Add the cgroups below the folder mount that a pattern of cgroups_pattern() matches.
 * "*", "?" and "[...]" match as in glob(7): not a slash, and not a dot at the beginning
 * of a name. Folders that cannot be read have no matches. Returns -1 with ENOMEM.
 */
int cgroups_match(struct cgroup_matches *m, const char *mount, const char *pattern);

/* Sort the matches and leave each of them once. */
void cgroups_sort(struct cgroup_matches *m);

void cgroups_free(struct cgroup_matches *m);

#endif
