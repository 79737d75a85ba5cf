#include "suite/cgroups/watch.h"

#include <errno.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <unistd.h>

enum {
	CHANGES = IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF |
		  IN_ONLYDIR
};

void cgroups_watch_open(struct cgroups_watch *w)
{
	w->fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

void cgroups_watch_close(struct cgroups_watch *w)
{
	if (w->fd != -1)
		close(w->fd);
	w->fd = -1;
}

/* The descriptor's name reaches the very folder, even if its path has another now. */
void cgroups_watch_folder(struct cgroups_watch *w, int folder)
{
	char path[sizeof "/proc/self/fd/" + 3 * sizeof folder];

	if (w->fd == -1)
		return;
	snprintf(path, sizeof path, "/proc/self/fd/%d", folder);
	if (inotify_add_watch(w->fd, path, CHANGES) == -1)
		cgroups_watch_close(w);
}

/* An error that is not EAGAIN tells nothing, so it counts as a change. */
int cgroups_watch_changed(const struct cgroups_watch *w)
{
	char events[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
	int changed = w->fd == -1;
	ssize_t n = 1;

	while (w->fd != -1 && n > 0) {
		n = read(w->fd, events, sizeof events);
		changed |= n > 0 || errno != EAGAIN;
	}
	return changed;
}
