/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The core or the tool cannot go on and ends the process, which is no act of the program:
 * the page of the process says so, and why.
 */
#ifndef SIM_GUARD_FAILURE_H
#define SIM_GUARD_FAILURE_H

#include "pub_tool_basics.h"

struct pages_page;

/* Uses this page, which is that of the process, from now on. */
void failure_use(struct pages_page *of_process);

/*
 * Notes in the page that the simulator is about to end the process, and the reason. Of
 * several reasons the first is kept, as the others follow from it.
 */
void failure_note(const HChar *format, ...) PRINTF_CHECK(1, 2);

/*
 * The core is about to make exit_group(2). Unless all counts are published, this is not
 * the program's own end, which is noted.
 */
void failure_at_exit(Int status);

/* An mmap(2) had this result. A core that lacks memory ends the process after one. */
void failure_mapped(const SysRes *result);

/* The core would write its address space to standard error when it lacks memory. */
void __wrap_vgPlain_am_show_nsegments(Int level, const HChar *who);

/* Functions of the core that end the process, caught by the linker's option --wrap. */
void __wrap_vgPlain_core_panic(const HChar *text) __attribute__((noreturn));
void __wrap_vgPlain_core_panic_at(const HChar *text, const void *registers)
	__attribute__((noreturn));
void __wrap_vgPlain_unimplemented(const HChar *format, ...) __attribute__((noreturn))
PRINTF_CHECK(1, 2);
void __wrap_vgPlain_assert_fail(Bool is_core, const HChar *expression, const HChar *file,
				Int line, const HChar *function, const HChar *format, ...)
	__attribute__((noreturn));

#endif
