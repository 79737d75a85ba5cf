/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/guard/refuse.h"

#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/virtual/regs.h"

/*
 * The core knows these: fork, vfork, and a thread, by any of the names of these calls.
 * From other ways to share it ends the process.
 */
static int is_known(UWord flags)
{
	enum { SHARED = VKI_CLONE_VM | VKI_CLONE_FS | VKI_CLONE_FILES };

	switch (flags & (SHARED | VKI_CLONE_VFORK)) {
	case 0:
	case VKI_CLONE_VFORK:
		return 1;
	case VKI_CLONE_VM | VKI_CLONE_VFORK:
		/* The core copies the memory, so the signal handlers are not shared. */
		return !(flags & VKI_CLONE_SIGHAND);
	case SHARED:
		/* Its lock is not made for another process with this memory. */
		return (flags & VKI_CLONE_THREAD) != 0;
	default:
		return 0;
	}
}

/* Does the kernel refuse these flags (clone(2), EINVAL)? */
static int is_invalid(UWord flags)
{
	return ((flags & VKI_CLONE_THREAD) && !(flags & VKI_CLONE_SIGHAND)) ||
	       ((flags & VKI_CLONE_SIGHAND) && !(flags & VKI_CLONE_VM));
}

static enum guard clone(UWord flags)
{
	if (is_known(flags))
		return GUARD_PASSED;
	return is_invalid(flags) ? GUARD_FAILED : GUARD_REFUSED;
}

/* The core takes its own signal for a success with the result 1. */
static enum guard queue_signal(UWord signal)
{
	enum { OF_CORE = 64 }; /* SIGRTMAX */

	return (Int)signal == OF_CORE ? GUARD_FAILED : GUARD_PASSED;
}

static enum guard judge(ThreadId tid)
{
	switch (regs_get(tid, REG(RAX))) {
	case __NR_clone:
		return clone(regs_get(tid, REG(RDI)));
	case __NR_rt_sigqueueinfo:
		return queue_signal(regs_get(tid, REG(RSI)));
	case __NR_rt_tgsigqueueinfo:
		return queue_signal(regs_get(tid, REG(RDX)));
	default:
		return GUARD_PASSED;
	}
}

enum guard guard_syscall(ThreadId tid)
{
	const enum guard guard = judge(tid);

	if (guard != GUARD_PASSED)
		regs_set(tid, REG(RAX), (UWord)-VKI_EINVAL);
	return guard;
}
