/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/name.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_machine.h"
#include "pub_tool_vki.h"

#include "sim/shared/pages.h"

static int is_readable(Addr a, SizeT size)
{
	return VG_(am_is_valid_for_client)(a, size, VKI_PROT_READ);
}

void name_save(Addr argv, HChar *name)
{
	Addr from;

	name[0] = '\0';
	if (!is_readable(argv, sizeof from))
		return;
	from = *(const Addr *)argv;
	for (unsigned i = 0; i < PAGES_NAME && is_readable(from + i, 1); i++) {
		name[i] = *(const HChar *)(from + i);
		if (!name[i])
			return;
	}
	name[0] = '\0';
}

/*
 * The stack of a new program begins with argc and argv[0]. A name that fits overwrites
 * the path there. If argv[0] is not the program's path, the program is the interpreter of
 * a script, which keeps the name that the script gave it.
 */
void name_restore(ThreadId tid, const HChar *name)
{
	static HChar buffer[PAGES_NAME];
	Addr *const stack = (Addr *)VG_(get_SP)(tid);

	if (!name[0] || !is_readable((Addr)stack, 2 * sizeof *stack) || !stack[0])
		return;
	HChar *path = (HChar *)stack[1];
	if (VG_(strcmp)(path, VG_(args_the_exename)))
		return;
	if (VG_(strlen)(name) > VG_(strlen)(path)) {
		path = buffer;
		stack[1] = (Addr)buffer;
	}
	VG_(strcpy)(path, name);
}

void name_process(void)
{
	const HChar *const path = VG_(args_the_exename);
	const HChar *const slash = path ? VG_(strrchr)(path, '/') : NULL;

	if (path)
		VG_(prctl)
	(VKI_PR_SET_NAME, (ULong)(Addr)(slash ? slash + 1 : path), 0, 0, 0);
}
