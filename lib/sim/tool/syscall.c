/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/syscall.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/guard/forged.h"
#include "sim/guard/refuse.h"
#include "sim/shared/pages.h"
#include "sim/tool/exec.h"
#include "sim/tool/note.h"
#include "sim/tool/run.h"
#include "sim/tool/turn.h"
#include "sim/virtual/answer.h"
#include "sim/virtual/features.h"
#include "sim/virtual/timer.h"
#include "sim/virtual/wait.h"

/*
 * Does the call restrict the system calls of this process, and so the simulator's? As the
 * kernel can end the process from then on, this is noted before the call.
 */
static int is_seccomp(UInt number, const UWord *args)
{
	enum { SET_SECCOMP = 22 }; /* PR_SET_SECCOMP of prctl(2) */

	return number == __NR_seccomp || (number == __NR_prctl && args[0] == SET_SECCOMP);
}

static void before_syscall(UNUSED ThreadId tid, UInt number, UWord *args,
			   UNUSED UInt nargs)
{
	if (features_level())
		note_syscall(number, args);
	if (is_seccomp(number, args))
		run_note(PAGE_NOTE_SECCOMP, 0);
	if (number != __NR_execve && number != __NR_execveat)
		return;
	const int at = number == __NR_execveat;
	run_exec(args[1 + at]);
	exec_begin((HChar **)args[2 + at]);
}

/* A system call that Valgrind has no function for. Returns -errno on failure. */
static long call(long number, UWord a, UWord b, UWord c, UWord d)
{
	register UWord r10 __asm__("r10") = d;
	long rc;

	__asm__ volatile("syscall"
			 : "=a"(rc)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
			 : "rcx", "r11", "memory");
	return rc;
}

static int cannot_be_read(const HChar *path)
{
	const SysRes r = VG_(open)(path, VKI_O_RDONLY | VKI_O_NONBLOCK, 0);

	if (sr_isError(r))
		return sr_Err(r) == VKI_EACCES;
	VG_(close)((Int)sr_Res(r));
	return 0;
}

/* Returns whether the kernel would execute a file, and Valgrind does not. */
static int is_refused(const HChar *path)
{
	enum { MAY_EXECUTE = 1 }; /* X_OK of access(2) */
	struct vg_stat st;

	if (sr_isError(VG_(stat)(path, &st)) || (st.mode & VKI_S_IFMT) != VKI_S_IFREG ||
	    call(__NR_access, (UWord)path, MAY_EXECUTE, 0, 0) != 0)
		return 0;
	return (st.mode & (VKI_S_ISUID | VKI_S_ISGID)) || cannot_be_read(path) ||
	       call(__NR_getxattr, (UWord)path, (UWord) "security.capability", 0, 0) > 0;
}

/*
 * Valgrind refuses to execute a program that is set-id, has capabilities or cannot be
 * read, with EACCES.
 */
static void after_syscall(UNUSED ThreadId tid, UInt number, UWord *args,
			  UNUSED UInt nargs, SysRes result)
{
	answer_ended(number, args);
	if (number == __NR_rt_sigpending && !sr_isError(result))
		forged_add_pending((vki_sigset_t *)args[0]);
	if (!sr_isError(result))
		timer_note(number, args, sr_Res(result));
	if (number == __NR_execve || number == __NR_execveat)
		exec_failed();
	if (number != __NR_execve || !sr_isError(result) || sr_Err(result) != VKI_EACCES)
		return;
	if (VG_(am_is_valid_for_client)(args[0], 1, VKI_PROT_READ) &&
	    is_refused((const HChar *)args[0]))
		run_note(PAGE_NOTE_SETID, 0);
}

/*
 * A wait with a limit, in a program that must run the same everywhere: while other LWPs
 * have turns, the LWP only looks at each of its turns whether the wait is over, by the
 * program's clock. Returns 0 if the LWP must wait in the kernel.
 */
static int wait_by_turns(ThreadId tid, UInt trc)
{
	while (wait_goes_on(tid))
		if (!turn_syscall(tid, trc)) {
			wait_in_kernel(tid);
			return 0;
		}
	return wait_is_over(tid);
}

void __wrap_vgPlain_client_syscall(ThreadId tid, UInt trc)
{
	const enum guard guard = guard_syscall(tid);

	if (guard == GUARD_REFUSED)
		run_note(PAGE_NOTE_CLONE, 0);
	if (guard != GUARD_PASSED || forged_send(tid, turn_is_alone()) ||
	    forged_wait(tid) || answer_syscall(tid))
		return;
	wait_begin(tid);
	if (wait_by_turns(tid, trc))
		return;
	turn_syscall(tid, trc);
	wait_end(tid);
}

void syscall_set_up(void)
{
	VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
	wait_set_up();
}
