/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/note.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/shared/pages.h"
#include "sim/tool/run.h"

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

void note_syscall(UInt number, const UWord *args)
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
