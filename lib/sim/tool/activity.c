/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/activity.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/tool/core.h"

/* Of the 12 descriptors that the core keeps for itself, it needs fewer than 8. */
enum { MAX_FILES = 4 };

static struct {
	struct {
		Int lwp; /* 0: not in use */
		Int fd;
	} file[MAX_FILES];
	unsigned next; /* the file that is replaced next */
	Int guard;     /* a spin lock for all this */
} activity;

static void lock(void)
{
	while (__atomic_exchange_n(&activity.guard, 1, __ATOMIC_ACQUIRE))
		core_syscall(__NR_sched_yield, 0, 0, 0, 0);
}

static void unlock(void)
{
	__atomic_store_n(&activity.guard, 0, __ATOMIC_RELEASE);
}

/* Returns the LWP's file, or -1. */
static Int find_file(Int lwp)
{
	for (unsigned i = 0; i < MAX_FILES; i++)
		if (activity.file[i].lwp == lwp)
			return activity.file[i].fd;
	return -1;
}

static Int open_file(Int lwp)
{
	HChar path[48];

	VG_(sprintf)(path, "/proc/self/task/%d/stat", lwp);
	const SysRes r = VG_(open)(path, VKI_O_RDONLY, 0);
	if (sr_isError(r))
		return -1;
	const unsigned i = activity.next++ % MAX_FILES;
	if (activity.file[i].lwp)
		VG_(close)(activity.file[i].fd);
	activity.file[i].lwp = lwp;
	activity.file[i].fd = core_safe_fd((Int)sr_Res(r));
	return activity.file[i].fd;
}

static int exists(Int lwp)
{
	return !sr_isError(core_syscall(__NR_tgkill, VG_(getpid)(), lwp, 0, 0));
}

/* The state follows the name of the program, which is in parentheses: proc(5). */
static enum activity read_state(Int fd)
{
	HChar text[128];
	const SysRes r = core_syscall(__NR_pread64, fd, (UWord)text, sizeof text - 1, 0);

	if (sr_isError(r) || !sr_Res(r))
		return ACTIVITY_GONE;
	text[sr_Res(r)] = '\0';
	const HChar *const end = VG_(strrchr)(text, ')');
	if (!end || end[1] != ' ')
		return ACTIVITY_ACTIVE;
	switch (end[2]) {
	case 'S':
		return ACTIVITY_ASLEEP;
	case 'Z':
	case 'X':
	case 'x':
		return ACTIVITY_GONE;
	default:
		return ACTIVITY_ACTIVE;
	}
}

/* Returns the LWP's file, which is opened if need be, or -1. */
static Int get_file(Int lwp)
{
	const Int fd = find_file(lwp);

	return fd == -1 ? open_file(lwp) : fd;
}

enum activity activity_of(Int lwp)
{
	enum activity now;

	lock();
	const Int fd = get_file(lwp);
	if (fd == -1)
		now = exists(lwp) ? ACTIVITY_ASLEEP : ACTIVITY_GONE;
	else
		now = read_state(fd);
	unlock();
	return now;
}

void activity_prepare(Int lwp)
{
	lock();
	get_file(lwp);
	unlock();
}

void activity_forget(Int lwp)
{
	lock();
	for (unsigned i = 0; i < MAX_FILES; i++) {
		if (activity.file[i].lwp != lwp)
			continue;
		VG_(close)(activity.file[i].fd);
		activity.file[i].lwp = 0;
	}
	unlock();
}

void activity_forked(void)
{
	activity.guard = 0;
	for (unsigned i = 0; i < MAX_FILES; i++)
		if (activity.file[i].lwp)
			activity_forget(activity.file[i].lwp);
}
