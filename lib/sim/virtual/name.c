/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/virtual/name.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
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

void name_process(void)
{
	const HChar *const path = VG_(args_the_exename);
	const HChar *const slash = path ? VG_(strrchr)(path, '/') : NULL;

	if (path)
		VG_(prctl)
	(VKI_PR_SET_NAME, (ULong)(Addr)(slash ? slash + 1 : path), 0, 0, 0);
}
