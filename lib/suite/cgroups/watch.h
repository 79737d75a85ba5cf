/* Tells whether folders have changed since they were read, as cheaply as can be. */
#ifndef SUITE_CGROUPS_WATCH_H
#define SUITE_CGROUPS_WATCH_H

/* The folders that are watched with inotify(7); fd is -1 if some folder cannot be. */
struct cgroups_watch {
	int fd;
};

void cgroups_watch_open(struct cgroups_watch *w);
void cgroups_watch_close(struct cgroups_watch *w);

/*
 * Watch an open folder from now on, until it is removed. Call this before the folder is
 * read. A folder that is watched already stays so.
 */
void cgroups_watch_folder(struct cgroups_watch *w, int folder);

/*
 * Returns whether a name was made, removed or renamed in some folder since the previous
 * call. It is always 1 if some folder cannot be watched.
 */
int cgroups_watch_changed(const struct cgroups_watch *w);

#endif
