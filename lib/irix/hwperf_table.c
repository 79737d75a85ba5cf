#include "irix/hwperf_table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/lock.h"
#include "irix/hwperf_proc.h"
#include "irix/hwperf_share.h"

/* A field of /proc/PID/stat (proc(5)). */
enum { NUM_THREADS = 20 };

static struct hwperf_process *first;

int hwperf_open(pid_t pid)
{
	char path[32];

	if (lock_prepare()) {
		errno = ENOMEM;
		return -1;
	}
	snprintf(path, sizeof path, "/proc/%d", (int)pid);
	const int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (handle == -1 && errno == ENOENT && access("/proc/self", F_OK) == 0)
		errno = ESRCH;
	return handle;
}

struct hwperf_process *hwperf_table_first(void)
{
	return first;
}

static int is_of_proc(int handle)
{
	struct statfs fs;

	return fstatfs(handle, &fs) == 0 && fs.f_type == PROC_SUPER_MAGIC;
}

int hwperf_table_identify(int handle, pid_t *tid, pid_t *pid, uint64_t *born)
{
	char stat[1024], status[4096];

	if (!is_of_proc(handle)) {
		errno = EBADF;
		return -1;
	}
	if (hwperf_proc_read(handle, "stat", stat, sizeof stat) == -1 ||
	    hwperf_proc_read(handle, "status", status, sizeof status) == -1)
		return -1;
	*tid = (pid_t)strtol(stat, NULL, 10);
	*pid = (pid_t)hwperf_proc_line(status, "Tgid:");
	*born = hwperf_proc_stat(stat, 22);
	errno = EBADF;
	return *tid > 0 ? 0 : -1;
}

enum hwperf_life hwperf_table_life(const struct hwperf_process *p)
{
	char stat[1024];

	if (hwperf_proc_read(p->dir, "stat", stat, sizeof stat) == -1)
		return errno == ESRCH ? HWPERF_REAPED : HWPERF_LIVES;
	const char *state = hwperf_proc_state(stat);
	const int has_ended = *state && (state[1] == 'Z' || state[1] == 'X');
	return has_ended && hwperf_proc_stat(stat, NUM_THREADS) <= 1 ? HWPERF_ZOMBIE
								     : HWPERF_LIVES;
}

struct hwperf_process *hwperf_table_of(pid_t tid)
{
	struct hwperf_process *p = first;

	while (p && (p->tid != tid || p->pid != getpid()))
		p = p->next;
	return p;
}

/*
 * A block keeps the folder of its process open, so that the folder's inode number is not
 * used again meanwhile, and all that open the folder get the same inode.
 */
struct hwperf_process *hwperf_table_find(int handle)
{
	struct hwperf_process *p = first;
	struct stat st;

	if (fstat(handle, &st) == -1 || !S_ISDIR(st.st_mode)) {
		errno = EBADF;
		return NULL;
	}
	while (p && (p->ino != st.st_ino || p->dev != st.st_dev))
		p = p->next;
	if (!p)
		errno = is_of_proc(handle) ? EINVAL : EBADF;
	return p;
}

int hwperf_table_disown(const struct hwperf_process *p)
{
	int found = 0;

	for (struct hwperf_process *c = first; c; c = c->next)
		if (c->heir == p->tid) {
			c->heir = 0;
			found = 1;
		}
	return found;
}

void hwperf_table_drop(struct hwperf_process *p)
{
	struct hwperf_process **at = &first;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	if (p->pid == getpid())
		hwperf_table_disown(p);
	if (p->counters.setup)
		hwperf_share_user_end();
	hwperf_counters_close(&p->counters);
	hwperf_counters_close(&p->programs);
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		free(p->names.name[i]);
	close(p->dir);
	free(p);
}

static int fill(struct hwperf_process *p, int handle)
{
	struct stat st;

	if (hwperf_table_identify(handle, &p->tid, &p->pid, &p->born) == -1 ||
	    fstat(handle, &st) == -1)
		return -1;
	p->dir = fcntl(handle, F_DUPFD_CLOEXEC, 0);
	p->dev = st.st_dev;
	p->ino = st.st_ino;
	p->rule = hwperf_rule_default();
	p->losses = HWPERF_NO_LOSSES;
	return p->dir == -1 ? -1 : 0;
}

struct hwperf_process *hwperf_table_get(int handle)
{
	struct hwperf_process *p = hwperf_table_find(handle);

	if (p || errno == EBADF)
		return p;
	p = calloc(1, sizeof *p);
	if (!p)
		return NULL;
	if (fill(p, handle) == -1) {
		const int e = errno;

		free(p);
		errno = e;
		return NULL;
	}
	p->next = first;
	first = p;
	return p;
}
