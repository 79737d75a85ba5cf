/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of an LWP of the program, by the core's interface for tools. */
#ifndef SIM_VIRTUAL_REGS_H
#define SIM_VIRTUAL_REGS_H

#include <stddef.h>

#include "libvex_guest_amd64.h"
#include "pub_tool_basics.h"
#include "pub_tool_machine.h"

/* The offset of a 64-bit register in the state of an LWP: REG(RAX). */
#define REG(name) ((Int)offsetof(VexGuestAMD64State, guest_##name))

static inline UWord regs_get(ThreadId tid, Int reg)
{
	UWord value;

	VG_(get_shadow_regs_area)(tid, (UChar *)&value, 0, reg, sizeof value);
	return value;
}

static inline void regs_set(ThreadId tid, Int reg, UWord value)
{
	VG_(set_shadow_regs_area)(tid, 0, reg, sizeof value, (const UChar *)&value);
}

#endif
