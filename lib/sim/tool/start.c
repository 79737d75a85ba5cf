/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/start.h"

#include "libvex_guest_amd64.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"

#include "sim/image/environment.h"
#include "sim/image/image.h"
#include "sim/shared/pages.h"

/* Variables of the core that its headers for tools do not declare. */
extern HChar **VG_(client_envp);
extern UWord *VG_(client_auxv);

/* Makes the image at sp the one with which the program starts. */
static void set_image(ThreadId tid, uint64_t *sp, const struct image *im)
{
	const Addr at = (Addr)sp;

	VG_(client_envp) = (HChar **)(sp + 1 + im->argc + 1);
	VG_(client_auxv) = (UWord *)VG_(client_envp) + im->nenv + 1;
	VG_(set_shadow_regs_area)
	(tid, 0, offsetof(VexGuestAMD64State, guest_RSP), sizeof at, (const UChar *)&at);
}

/*
 * A name that fits overwrites the path in argv[0]. If argv[0] is not the program's path,
 * the program is the interpreter of a script, which keeps the name that the script gave
 * it.
 */
static void restore_name(struct image *im, const HChar *name)
{
	static HChar buffer[PAGES_NAME];

	if (!name[0] || !im->argc || VG_(strcmp)(im->argv[0], VG_(args_the_exename)))
		return;
	if (VG_(strlen)(name) > VG_(strlen)(im->argv[0]))
		im->argv[0] = buffer;
	VG_(strcpy)(im->argv[0], name);
}

void start_program(ThreadId tid, const HChar *name)
{
	uint64_t *const sp = (uint64_t *)VG_(get_SP)(tid);
	const size_t words = image_words(sp);
	uint64_t *const room = VG_(malloc)("cpcsim.start", words * sizeof *room);
	struct image im;

	image_copy(sp, room, &im);
	restore_name(&im, name);
	im.nenv = environment_hide(im.env, im.nenv);
	/* The image ends where it did; the stack is aligned to 16 bytes (ABI, 3.4.1). */
	const Addr to = ((Addr)(sp + words) - image_size(&im) * sizeof *sp) & ~(Addr)15;
	image_write(&im, (uint64_t *)to);
	set_image(tid, (uint64_t *)to, &im);
	VG_(free)(room);
}
