/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/core.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"
#include "pub_tool_xarray.h"

#include "sim/tool/tool.h"

/* Functions and variables of the core that its headers for tools do not declare. */
extern Int VG_(cl_exec_fd);
extern Int VG_(safe_fd)(Int oldfd);
Int __real_vgPlain_unlink(const HChar *name);
SysRes __real_vgPlain_do_syscall(UWord number, UWord a, UWord b, UWord c, UWord d,
				 UWord e, UWord f, UWord g, UWord h);

/* From linux/memfd.h. */
enum { MEMFD_CLOEXEC = 1 };

static const HChar in_memory[] = "opencpc file in memory";

ULong __wrap_vgPlain_di_notify_mmap(UNUSED Addr address, UNUSED Bool allow_any,
				    UNUSED Int fd)
{
	return 0;
}

Int __wrap_vgPlain_mkstemp(const HChar *part_of_name, HChar *fullname)
{
	const SysRes r = __real_vgPlain_do_syscall(__NR_memfd_create, (UWord)part_of_name,
						   MEMFD_CLOEXEC, 0, 0, 0, 0, 0, 0);

	VG_(strcpy)(fullname, in_memory);
	return sr_isError(r) ? -1 : VG_(safe_fd)((Int)sr_Res(r));
}

Int __wrap_vgPlain_unlink(const HChar *name)
{
	return VG_(strcmp)(name, in_memory) ? __real_vgPlain_unlink(name) : 0;
}

void __wrap_sanityCheckIRSB(UNUSED const void *block, UNUSED const HChar *caller,
			    UNUSED Bool must_be_flat, UNUSED Int word_type)
{
}

/* Does path name the program of this process by a link in /proc? */
static int is_self(const HChar *path)
{
	HChar pid[32];

	VG_(sprintf)(pid, "/proc/%d/exe", VG_(getpid)());
	return !VG_(strcmp)(path, "/proc/self/exe") || !VG_(strcmp)(path, pid) ||
	       !VG_(strcmp)(path, "/proc/thread-self/exe");
}

/*
 * Stores the path of this process's program (of a script's interpreter) in path, which
 * has VKI_PATH_MAX bytes. Returns 0 or -1. Uses /proc/thread-self, as the first thread
 * may have ended.
 */
static int program_file(HChar *path)
{
	HChar fd[48];

	VG_(lseek)(VG_(cl_exec_fd), 0, VKI_SEEK_SET);
	Int n = VG_(read)(VG_(cl_exec_fd), path, VKI_PATH_MAX - 1);

	if (n > 2 && path[0] == '#' && path[1] == '!') {
		path[n] = '\0';
		const HChar *from = path + 2;
		while (*from == ' ' || *from == '\t')
			from++;
		for (n = 0; from[n] && !VG_(strchr)(" \t\n", from[n]); n++)
			path[n] = from[n];
	} else {
		VG_(sprintf)(fd, "/proc/thread-self/fd/%d", VG_(cl_exec_fd));
		n = (Int)VG_(readlink)(fd, path, VKI_PATH_MAX - 1);
	}
	if (n <= 0)
		return -1;
	path[n] = '\0';
	return 0;
}

/* Returns a path by which the launcher executes the file that the program meant. */
static const HChar *launcher_path(const HChar *path)
{
	static HChar changed[VKI_PATH_MAX + 2];

	if (is_self(path))
		return program_file(changed) == 0 ? changed : path;
	/* The launcher would read the path as an option. */
	if (path[0] == '-' && VG_(strlen)(path) < VKI_PATH_MAX) {
		VG_(strcpy)(changed, "./");
		VG_(strcat)(changed, path);
		return changed;
	}
	return path;
}

/* The arguments are the launcher's name, its options, then the program. */
static void fix_program(const HChar **argv)
{
	const Word at = 1 + VG_(sizeXA)(VG_(args_for_valgrind)) -
			VG_(args_for_valgrind_noexecpass);
	Word n = 0;

	while (argv[n] && n < at)
		n++;
	if (argv[n])
		argv[n] = launcher_path(argv[n]);
}

SysRes __wrap_vgPlain_do_syscall(UWord number, UWord a, UWord b, UWord c, UWord d,
				 UWord e, UWord f, UWord g, UWord h)
{
	if (number == __NR_execve && b)
		fix_program((const HChar **)b);
	return __real_vgPlain_do_syscall(number, a, b, c, d, e, f, g, h);
}
