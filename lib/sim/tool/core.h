/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of Valgrind's core is replaced: the linker's --wrap puts these in its place. */
#ifndef SIM_TOOL_CORE_H
#define SIM_TOOL_CORE_H

#include "pub_tool_basics.h"

/*
 * The core would read the debug information of all that is mapped, for which nothing here
 * has a use, and which takes longer than a short program.
 */
ULong __wrap_vgPlain_di_notify_mmap(Addr address, Bool allow_any, Int fd);

/*
 * The core keeps what /proc/self/cmdline and auxv are to show in files of TMPDIR, which it
 * removes at once. In memory there is none that a folder could refuse, or a SIGKILL leave.
 */
Int __wrap_vgPlain_mkstemp(const HChar *part_of_name, HChar *fullname);
Int __wrap_vgPlain_unlink(const HChar *name);

/*
 * The core's own system calls: for an execve it executes the launcher. What /proc/self/exe is there, it is not
 * for the program that asked.
 */
SysRes __wrap_vgPlain_do_syscall(UWord number, UWord a, UWord b, UWord c, UWord d,
				 UWord e, UWord f, UWord g, UWord h);

#endif
