/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/core.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/guard/failure.h"
#include "sim/guard/forged.h"
#include "sim/tool/exec.h"
#include "sim/tool/tool.h"
#include "sim/virtual/features.h"

/* Functions of the core that its headers for tools do not declare. */
extern Int VG_(safe_fd)(Int oldfd);
extern Word VG_(clo_main_stacksize); /* bytes; 0: the limit, but at most 16 MB */
extern struct vki_rlimit VG_(client_rlimit_stack);
Int __real_vgPlain_getrlimit(Int resource, struct vki_rlimit *limit);
Int __real_vgPlain_unlink(const HChar *name);
Int __real_vgPlain_sigtimedwait_zero(const vki_sigset_t *set, vki_siginfo_t *info);
SysRes __real_vgPlain_do_syscall(UWord number, UWord a, UWord b, UWord c, UWord d,
				 UWord e, UWord f, UWord g, UWord h);

/* From linux/futex.h, with FUTEX_PRIVATE_FLAG. */
enum { FUTEX_WAIT_PRIVATE = 128, FUTEX_WAKE_PRIVATE = 129 };

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

Int __wrap_vgPlain_sigtimedwait_zero(const vki_sigset_t *set, vki_siginfo_t *info)
{
	const Int forged = forged_take(set, info);
	if (forged)
		return forged;
	const Int sig = __real_vgPlain_sigtimedwait_zero(set, info);

	if (sig > 0)
		exec_took_signal(info);
	return sig;
}

/* A limit of 4 GB reserves addresses, and no memory, in place of no limit. */
Int __wrap_vgPlain_getrlimit(Int resource, struct vki_rlimit *limit)
{
	const Word most = (Word)4 << 30;
	const Int error = __real_vgPlain_getrlimit(resource, limit);

	if (!error && limit == &VG_(client_rlimit_stack) && !VG_(clo_main_stacksize))
		VG_(clo_main_stacksize) =
			limit->rlim_cur < (UWord)most ? (Word)limit->rlim_cur : most;
	return error;
}

void __real_vgPlain_machine_get_VexArchInfo(VexArch *arch, VexArchInfo *info);
void __wrap_vgPlain_machine_get_VexArchInfo(VexArch *arch, VexArchInfo *info)
{
	__real_vgPlain_machine_get_VexArchInfo(arch, info);
	if (info && features_limit(info))
		tool_die("cannot run the same everywhere",
			 "this processor lacks features of the level of x86-64");
}

SysRes __wrap_vgPlain_do_syscall(UWord number, UWord a, UWord b, UWord c, UWord d,
				 UWord e, UWord f, UWord g, UWord h)
{
	if (number == __NR_execve && b)
		exec_prepare(&a, &b, &c);
	if (number == __NR_exit_group)
		failure_at_exit((Int)a);
	const SysRes r = __real_vgPlain_do_syscall(number, a, b, c, d, e, f, g, h);
	if (number == __NR_mmap)
		failure_mapped(&r);
	return r;
}

SysRes core_syscall(UWord number, UWord a, UWord b, UWord c, UWord d)
{
	return __real_vgPlain_do_syscall(number, a, b, c, d, 0, 0, 0, 0);
}

Int core_safe_fd(Int fd)
{
	return VG_(safe_fd)(fd);
}

void core_wait(Int *futex, Int value, unsigned us)
{
	const struct vki_timespec time = {0, (long)us * 1000};

	core_syscall(__NR_futex, (UWord)futex, FUTEX_WAIT_PRIVATE, (UWord)value,
		     us ? (UWord)&time : 0);
}

void core_wake(Int *futex)
{
	core_syscall(__NR_futex, (UWord)futex, FUTEX_WAKE_PRIVATE, 1, 0);
}
