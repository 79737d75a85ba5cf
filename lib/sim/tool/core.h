/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replacements of functions of Valgrind's core, by the linker's option --wrap. */
#ifndef SIM_TOOL_CORE_H
#define SIM_TOOL_CORE_H

#include "pub_tool_basics.h"
#include "pub_tool_vki.h"

#include "libvex.h"

/*
 * The core would read the debug information of every mapped file. The tool does not use
 * debug information, and reading it takes longer than a short program runs.
 */
ULong __wrap_vgPlain_di_notify_mmap(Addr address, Bool allow_any, Int fd);

/*
 * The core writes the contents of /proc/self/cmdline and auxv to files in TMPDIR, which
 * it removes at once. Files in memory need no writable folder, and none is left by a
 * SIGKILL.
 */
Int __wrap_vgPlain_mkstemp(const HChar *part_of_name, HChar *fullname);
Int __wrap_vgPlain_unlink(const HChar *name);

/*
 * VEX checks the intermediate code of each block twice: as it was read, and as the tool
 * returns it. These checks find faults of a tool and change nothing, but take a tenth of
 * the time of a short program. They are left out; the tests of the counts would fail
 * where generated code is wrong.
 */
void __wrap_sanityCheckIRSB(const void *block, const HChar *caller, Bool must_be_flat,
			    Int word_type);

/*
 * The core takes pending signals from the kernel one by one, to deliver them, and before
 * an execve(2), to forget them.
 */
Int __wrap_vgPlain_sigtimedwait_zero(const vki_sigset_t *set, vki_siginfo_t *info);

/* The core asks for the capabilities of the host before each translation. */
void __wrap_vgPlain_machine_get_VexArchInfo(VexArch *arch, VexArchInfo *info);

/* All system calls of the core. The program's execve(2) is changed by exec_prepare(). */
SysRes __wrap_vgPlain_do_syscall(UWord number, UWord a, UWord b, UWord c, UWord d,
				 UWord e, UWord f, UWord g, UWord h);

/*
 * When the core starts, it reads the limit of the stack. The program's stack may grow to
 * that limit, and not only to 16 MB.
 */
Int __wrap_vgPlain_getrlimit(Int resource, struct vki_rlimit *limit);

/* Passes a system call of the tool itself to the kernel. */
SysRes core_syscall(UWord number, UWord a, UWord b, UWord c, UWord d);

/*
 * Sleeps while the futex has this value, at most for so many microseconds (less than a
 * second; 0: forever). May return early.
 */
void core_wait(Int *futex, Int value, unsigned us);

/* Wakes an LWP that sleeps on the futex. */
void core_wake(Int *futex);

/*
 * Moves a descriptor to the range that the program cannot use, where there is room for 12
 * of the core and the tool. Returns the new descriptor.
 */
Int core_safe_fd(Int fd);

#endif
