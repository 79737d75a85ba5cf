/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/start.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_machine.h"
#include "pub_tool_mallocfree.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/image/environment.h"
#include "sim/image/image.h"
#include "sim/shared/pages.h"
#include "sim/tool/tool.h"
#include "sim/virtual/features.h"
#include "sim/virtual/regs.h"

/* Names of the core that its headers for tools do not declare. */
extern HChar **VG_(client_envp);
extern UWord *VG_(client_auxv);
extern Int VG_(cl_auxv_fd);
extern Bool VG_(extend_stack)(ThreadId tid, Addr addr);
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);

/* Bytes below the stack pointer that belong to the program (ABI, 3.2.2). */
enum { RED_ZONE = 128 };

/* Makes the image at sp the one with which the program starts. */
static void set_image(ThreadId tid, uint64_t *sp, const struct image *im)
{
	VG_(client_envp) = (HChar **)(sp + 1 + im->argc + 1);
	VG_(client_auxv) = (UWord *)VG_(client_envp) + im->nenv + 1;
	regs_set(tid, REG(RSP), (UWord)sp);
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

/* The core's copy of the auxiliary vector, which the program reads in /proc/self/auxv. */
static void write_auxv(const struct image *im)
{
	const Int size = (Int)(im->naux * sizeof *im->aux);

	if (VG_(cl_auxv_fd) < 0)
		return;
	VG_(do_syscall)
	(__NR_ftruncate, (UWord)VG_(cl_auxv_fd), 0, 0, 0, 0, 0, 0, 0);
	VG_(lseek)(VG_(cl_auxv_fd), 0, VKI_SEEK_SET);
	VG_(write)(VG_(cl_auxv_fd), VG_(client_auxv), size);
	VG_(lseek)(VG_(cl_auxv_fd), 0, VKI_SEEK_SET);
}

/*
 * Puts the image with its strings to the end of the stack, at addresses that do not
 * depend on the strings.
 */
static void fix_image(ThreadId tid, Addr sp, struct image *im)
{
	enum { ROOM = 4 << 20 };
	const Addr top = VG_(am_find_nsegment)(sp)->end + 1;
	void *const built = VG_(malloc)("cpcsim.image", ROOM);

	image_fix_aux(im);
	const size_t size = image_build(im, top, built, ROOM);
	const Addr to = top - size;
	if (!size)
		tool_die("no room for the arguments and the environment of",
			 VG_(args_the_exename));
	VG_(extend_stack)(tid, to - RED_ZONE);
	if (!VG_(am_is_valid_for_client)(to - RED_ZONE, size + RED_ZONE,
					 VKI_PROT_READ | VKI_PROT_WRITE))
		tool_die("cannot extend the stack of", VG_(args_the_exename));
	VG_(memcpy)((void *)to, built, size);
	VG_(free)(built);
	set_image(tid, (uint64_t *)to, im);
	write_auxv(im);
}

/* Writes the image where it was, so that it ends where it did. */
static void replace_image(ThreadId tid, uint64_t *end, const struct image *im)
{
	/* The stack is aligned to 16 bytes (ABI, 3.4.1). */
	const Addr to = (Addr)(end - image_size(im)) & ~(Addr)15;

	image_write(im, (uint64_t *)to);
	set_image(tid, (uint64_t *)to, im);
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
	if (features_level())
		fix_image(tid, (Addr)sp, &im);
	else
		replace_image(tid, sp + words, &im);
	VG_(free)(room);
}
