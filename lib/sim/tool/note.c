/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/note.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/shared/pages.h"
#include "sim/tool/exec.h"
#include "sim/tool/run.h"
#include "sim/virtual/answer.h"
#include "sim/virtual/features.h"

static int is_readable(Addr a, SizeT size)
{
	return VG_(am_is_valid_for_client)(a, size, VKI_PROT_READ);
}

/* Is this ud0, ud1 or ud2? Programs execute these to get SIGILL, which needs no note. */
static int is_undefined(const uint8_t *p)
{
	return p[0] == 0x0f && (p[1] == 0x0b || p[1] == 0xb9 || p[1] == 0xff);
}

/* The instruction at pc is about to raise SIGILL. */
static VG_REGPARM(1) void undecoded(Addr pc)
{
	uint8_t byte[2];
	struct x86_insn x;

	if (!is_readable(pc, sizeof byte))
		return;
	VG_(memcpy)(byte, (const void *)pc, sizeof byte);
	x86_decode(byte, sizeof byte, &x);
	if (x.flags & X86_EVEX)
		run_note(PAGE_NOTE_AVX512, pc);
	else if (!is_undefined(byte))
		run_note(PAGE_NOTE_UNKNOWN, pc);
}

void note_emit_undecoded(struct block *b, Addr pc)
{
	emit_call(b, 1, "undecoded", undecoded, mkIRExprVec_1(emit_const(pc)), NULL);
}

static int begins(const HChar *text, const HChar *with)
{
	return !VG_(strncmp)(text, with, VG_(strlen)(with));
}

/* Notes that the program reads a file that differs between machines or runs. */
static void note_path(Addr p)
{
	const HChar *const path = (const HChar *)p;

	if (is_readable(p, 5) &&
	    (begins(path, "/proc") || begins(path, "/sys/") ||
	     begins(path, "/dev/urandom") || begins(path, "/dev/random")))
		run_note(PAGE_NOTE_READ_FILES, 0);
}

/* Notes what the program reads that --cpc-reproducible cannot make the same. */
static void note_reads(UInt number, const UWord *args)
{
	switch (number) {
	case __NR_open:
	case __NR_readlink:
		note_path(args[0]);
		break;
	case __NR_openat:
	case __NR_readlinkat:
		note_path(args[1]);
		break;
	case __NR_getpid:
	case __NR_getppid:
	case __NR_gettid:
		run_note(PAGE_NOTE_READ_PIDS, 0);
		break;
	case __NR_getcwd:
		run_note(PAGE_NOTE_READ_FOLDER, 0);
		break;
	default:
		break;
	}
}

static void before_syscall(UNUSED ThreadId tid, UInt number, UWord *args,
			   UNUSED UInt nargs)
{
	if (features_level())
		note_reads(number, args);
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
	if (number == __NR_execve || number == __NR_execveat)
		exec_failed();
	if (number != __NR_execve || !sr_isError(result) || sr_Err(result) != VKI_EACCES)
		return;
	if (is_readable(args[0], 1) && is_refused((const HChar *)args[0]))
		run_note(PAGE_NOTE_SETID, 0);
}

void note_set_up(void)
{
	VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
}
