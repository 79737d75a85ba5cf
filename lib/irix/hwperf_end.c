#include "irix/hwperf_end.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "irix/hwperf_programs.h"
#include "irix/hwperf_share.h"

void hwperf_end_use(struct hwperf_process *p)
{
	if (p->pid == getpid())
		hwperf_programs_end(p);
	hwperf_counters_close(&p->counters);
	hwperf_share_user_end();
	p->losses = HWPERF_NO_LOSSES;
}

void hwperf_end_count(struct hwperf_process *p)
{
	if (!p->counters.setup)
		return;
	if (hwperf_counters_read(&p->counters, &p->sum) == -1)
		p->incomplete = 1;
	hwperf_end_use(p);
}

static int is_handle_of(int fd, const struct hwperf_process *p)
{
	struct stat st;

	return fd != p->dir && fstat(fd, &st) == 0 && st.st_ino == p->ino &&
	       st.st_dev == p->dev;
}

/* Returns 1 if this process has a handle of p, also if that cannot be found out. */
static int has_handle(const struct hwperf_process *p)
{
	DIR *fds = opendir("/proc/thread-self/fd");
	const struct dirent *e;
	int found = !fds;

	while (!found && (e = readdir(fds)))
		found = *e->d_name != '.' && is_handle_of(atoi(e->d_name), p);
	if (fds)
		closedir(fds);
	return found;
}

/* An heir that was never counted gets no counts. */
static int is_for_heir(const struct hwperf_process *p)
{
	const struct hwperf_process *heir = p->heir ? hwperf_table_of(p->heir) : NULL;

	return heir && heir->generation;
}

static void end_block(struct hwperf_process *p, int stops)
{
	if (!has_handle(p))
		hwperf_table_drop(p);
	else if (stops)
		hwperf_end_count(p);
}

void hwperf_end_reaped(int stops)
{
	for (struct hwperf_process *p = hwperf_table_first(), *next; p; p = next) {
		next = p->next;
		if (!is_for_heir(p) && hwperf_table_life(p) == HWPERF_REAPED)
			end_block(p, stops);
	}
}
