/* The cgroups that are counted (--cgroup), which come and go. */
#ifndef CPUSTAT_CGROUPS_H
#define CPUSTAT_CGROUPS_H

#include <sys/types.h>

#include "engine/engine.h"
#include "suite/cgroups/watch.h"

struct cgroup {
	char *path; /* below the hierarchy's folder */
	ino_t inode;
	struct engine_cgroup engine; /* with an open descriptor */
};

struct cgroups {
	char *mount; /* the hierarchy's folder */
	unsigned npatterns;
	char **pattern;
	struct cgroups_watch watch; /* of the folders in which matches can appear */
	unsigned n;
	struct cgroup **cgroup; /* by path (strcmp(3)) */
	int failed;		/* some cgroup could not be opened */
};

/*
 * Find the cgroups of n values of --cgroup. Exits after a message, with EXIT_USAGE if
 * there are none, or with EXIT_TOOL. The caller frees the result with cgroups_close().
 */
struct cgroups *cgroups_open(const char *const *text, unsigned n);

/* NULL is allowed. */
void cgroups_close(struct cgroups *c);

/* Functions to call for a cgroup that is gone, and for a new one. */
struct cgroups_watcher {
	void *arg;
	void (*gone)(void *arg, struct cgroup *g);    /* which is freed after the call */
	int (*appeared)(void *arg, struct cgroup *g); /* returns -1 with ENOMEM */
};

/*
 * Look again which cgroups match: first gone() is called, then appeared(). Returns how
 * many are new, or -1 with ENOMEM.
 */
int cgroups_follow(struct cgroups *c, const struct cgroups_watcher *w);

/* Returns whether a cgroup still exists; another may have its path by now. */
int cgroups_exists(const struct cgroup *g);

/* Return how many characters the longest path has. */
unsigned cgroups_width(const struct cgroups *c);

#endif
