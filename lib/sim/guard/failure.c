/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/guard/failure.h"

#include <stdarg.h>

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_vki.h"

#include "sim/shared/pages.h"

void __real_vgPlain_core_panic(const HChar *text) __attribute__((noreturn));
void __real_vgPlain_core_panic_at(const HChar *text, const void *registers)
	__attribute__((noreturn));
void __real_vgPlain_unimplemented(const HChar *format, ...) __attribute__((noreturn));
void __real_vgPlain_assert_fail(Bool is_core, const HChar *expression, const HChar *file,
				Int line, const HChar *function, const HChar *format, ...)
	__attribute__((noreturn));

static struct pages_page *page; /* of this process; NULL: not open yet */
static int lacks_memory;	/* the last mmap(2) failed for lack of memory */

void failure_use(struct pages_page *of_process)
{
	page = of_process;
}

/* Notes in the page that the process does not end by itself. */
static void note(const HChar *reason)
{
	if (!page || page->state != PAGE_RUNNING || (page->notes & PAGE_NOTE_GAVE_UP))
		return;
	pages_begin(page);
	page->notes |= PAGE_NOTE_GAVE_UP;
	VG_(strncpy)(page->reason, reason, sizeof page->reason - 1);
	pages_end(page);
}

void failure_note(const HChar *format, ...)
{
	HChar reason[PAGES_REASON];
	va_list arguments;

	va_start(arguments, format);
	VG_(vsnprintf)(reason, sizeof reason, format, arguments);
	va_end(arguments);
	note(reason);
}

void failure_at_exit(Int status)
{
	if (lacks_memory)
		failure_note("no memory is left for the simulator");
	else
		failure_note("Valgrind's core exited with status %d", status);
}

void failure_mapped(const SysRes *result)
{
	lacks_memory = sr_isError(*result) && sr_Err(*result) == VKI_ENOMEM;
}

void __wrap_vgPlain_am_show_nsegments(Int level __attribute__((unused)),
				      const HChar *who __attribute__((unused)))
{
}

void __wrap_vgPlain_core_panic(const HChar *text)
{
	failure_note("%s", text);
	__real_vgPlain_core_panic(text);
}

void __wrap_vgPlain_core_panic_at(const HChar *text, const void *registers)
{
	failure_note("%s", text);
	__real_vgPlain_core_panic_at(text, registers);
}

void __wrap_vgPlain_unimplemented(const HChar *format, ...)
{
	HChar text[PAGES_REASON];
	va_list arguments;

	va_start(arguments, format);
	VG_(vsnprintf)(text, sizeof text, format, arguments);
	va_end(arguments);
	failure_note("%s", text);
	__real_vgPlain_unimplemented("%s", text);
}

void __wrap_vgPlain_assert_fail(Bool is_core, const HChar *expression, const HChar *file,
				Int line, const HChar *function,
				const HChar *format __attribute__((unused)), ...)
{
	failure_note("%s:%d (%s): '%s' is false", file, line, function, expression);
	__real_vgPlain_assert_fail(is_core, expression, file, line, function, "");
}
