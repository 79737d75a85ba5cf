/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Instrumentation: adds counting and calls of the model to a block of the program. */
#ifndef SIM_TOOL_INSTR_H
#define SIM_TOOL_INSTR_H

#include "sim/tool/tool.h"

#include "pub_tool_tooliface.h"

IRSB *instr_block(VgCallbackClosure *closure, IRSB *in, const VexGuestLayout *layout,
		  const VexGuestExtents *extents, const VexArchInfo *arch, IRType word,
		  IRType host_word);

#endif
