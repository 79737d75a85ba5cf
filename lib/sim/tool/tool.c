/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/tool.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"

/* A function of the core that its headers for tools do not declare. */
extern void VG_(discard_translations)(Addr start, ULong range, const HChar *who);

struct tool tool;

void tool_die(const HChar *what, const HChar *which)
{
	HChar text[512];

	VG_(snprintf)(text, sizeof text, "cpcsim: %s: %s\n", what, which);
	VG_(write)(2, text, VG_(strlen)(text));
	VG_(exit)(1);
}

void tool_retranslate(void)
{
	VG_(discard_translations)(0x1000, ~0xfffULL, "cpcsim");
}
