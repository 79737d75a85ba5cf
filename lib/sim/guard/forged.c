/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/guard/forged.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_vkiscnums.h"

#include "sim/virtual/regs.h"

/* Functions of the core that its headers for tools do not declare. */
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);
extern Bool VG_(is_exiting)(ThreadId tid);
void __real_vgPlain_poll_signals(ThreadId tid);

/* A signal is pending at most once for each LWP, and once for the process (signal(7)). */
enum { MAX_PENDING = 256 };

static struct pending {
	Int lwp; /* 0: any LWP of the process */
	vki_siginfo_t info;
} pending[MAX_PENDING];
static unsigned npending;

/* The data that the core delivers now; si_signo 0: none of here. */
static vki_siginfo_t taken;

/* What a system call sends. */
struct sent {
	Int pid, lwp, signal; /* pid 0: not known; lwp 0: any of the process */
	Addr info;	      /* of the program; 0: none is given */
};

static struct sent sent_by(ThreadId tid)
{
	const UWord a = regs_get(tid, REG(RDI)), b = regs_get(tid, REG(RSI)),
		    c = regs_get(tid, REG(RDX)), d = regs_get(tid, REG(R10));

	switch (regs_get(tid, REG(RAX))) {
	case __NR_kill:
		return (struct sent){(Int)a, 0, (Int)b, 0};
	case __NR_tkill:
		return (struct sent){0, (Int)a, (Int)b, 0};
	case __NR_tgkill:
		return (struct sent){(Int)a, (Int)b, (Int)c, 0};
	case __NR_rt_sigqueueinfo:
		return (struct sent){(Int)a, 0, (Int)b, c};
	case __NR_rt_tgsigqueueinfo:
		return (struct sent){(Int)a, (Int)b, (Int)c, d};
	default:
		return (struct sent){.signal = 0};
	}
}

static int is_fault(Int signal)
{
	return signal == VKI_SIGSEGV || signal == VKI_SIGBUS || signal == VKI_SIGFPE ||
	       signal == VKI_SIGILL || signal == VKI_SIGTRAP || signal == VKI_SIGSYS;
}

static int is_own(const struct sent *s)
{
	return is_fault(s->signal) && (s->lwp == 0 || s->lwp == VG_(gettid)()) &&
	       (s->pid == VG_(getpid)() || (s->pid == 0 && s->lwp));
}

/* May the caller give a signal these data (rt_sigqueueinfo(2), EPERM)? */
static int is_allowed(const vki_siginfo_t *info, const struct sent *s)
{
	return (info->si_code < 0 && info->si_code != VKI_SI_TKILL) ||
	       s->pid == VG_(gettid)();
}

/* Stores the data of a signal. Returns 0 if the kernel refuses those of the program. */
static int fill(vki_siginfo_t *info, const struct sent *s)
{
	VG_(memset)(info, 0, sizeof *info);
	if (s->info) {
		if (!VG_(am_is_valid_for_client)(s->info, sizeof *info, VKI_PROT_READ))
			return 0;
		*info = *(const vki_siginfo_t *)s->info;
		if (!is_allowed(info, s))
			return 0;
	} else {
		info->si_code = s->lwp ? VKI_SI_TKILL : VKI_SI_USER;
		info->_sifields._kill._pid = VG_(getpid)();
		info->_sifields._kill._uid = (vki_uid_t)sr_Res(
			VG_(do_syscall)(__NR_getuid, 0, 0, 0, 0, 0, 0, 0, 0));
	}
	info->si_signo = s->signal;
	return 1;
}

/* Returns the entry of a signal that is pending for an LWP (0: the process), or NULL. */
static struct pending *find(Int lwp, Int signal)
{
	for (unsigned i = 0; i < npending; i++)
		if (pending[i].lwp == lwp && pending[i].info.si_signo == signal)
			return &pending[i];
	return NULL;
}

static void drop(struct pending *p)
{
	*p = pending[--npending];
}

int forged_send(ThreadId tid, int alone)
{
	const struct sent s = sent_by(tid);
	vki_siginfo_t info;

	if (!is_own(&s) || !fill(&info, &s))
		return 0;
	if (!find(s.lwp, s.signal)) {
		if (npending == MAX_PENDING)
			return 0;
		pending[npending++] = (struct pending){s.lwp, info};
	}
	const UWord call = regs_get(tid, REG(RAX)), stack = regs_get(tid, REG(RSP));
	regs_set(tid, REG(RAX), 0);
	__wrap_vgPlain_poll_signals(tid);
	struct pending *const left = find(s.lwp, s.signal);
	if (!left || alone || s.lwp || VG_(is_exiting)(tid) ||
	    regs_get(tid, REG(RSP)) != stack)
		return 1;
	/* This LWP blocks the signal; another one may not. */
	drop(left);
	regs_set(tid, REG(RAX), call);
	return 0;
}

Int forged_take(const vki_sigset_t *set, vki_siginfo_t *info)
{
	const Int lwp = VG_(gettid)();

	for (unsigned i = 0; i < npending; i++) {
		const Int signal = pending[i].info.si_signo;

		if ((pending[i].lwp && pending[i].lwp != lwp) ||
		    !(set->sig[0] >> (signal - 1) & 1))
			continue;
		*info = taken = pending[i].info;
		drop(&pending[i]);
		return signal;
	}
	return 0;
}

int forged_wait(ThreadId tid)
{
	const Addr set = regs_get(tid, REG(RDI)), to = regs_get(tid, REG(RSI));
	vki_siginfo_t info;

	if (!npending || regs_get(tid, REG(RAX)) != __NR_rt_sigtimedwait ||
	    !VG_(am_is_valid_for_client)(set, sizeof(vki_sigset_t), VKI_PROT_READ) ||
	    (to && !VG_(am_is_valid_for_client)(to, sizeof info, VKI_PROT_WRITE)))
		return 0;
	const Int signal = forged_take((const vki_sigset_t *)set, &info);
	if (!signal)
		return 0;
	if (to)
		*(vki_siginfo_t *)to = info;
	regs_set(tid, REG(RAX), (UWord)signal);
	return 1;
}

/*
 * The core gives a SIGILL with the data of a fault the address of the program's current
 * instruction. The handler gets the address of its siginfo_t in its second register.
 */
static void restore_data(ThreadId tid)
{
	const Addr info = regs_get(tid, REG(RSI));

	if (regs_get(tid, REG(RDI)) == (UWord)taken.si_signo &&
	    VG_(am_is_valid_for_client)(info, sizeof taken, VKI_PROT_WRITE) &&
	    ((const vki_siginfo_t *)info)->si_code == taken.si_code)
		*(vki_siginfo_t *)info = taken;
}

void __wrap_vgPlain_poll_signals(ThreadId tid)
{
	const UWord stack = regs_get(tid, REG(RSP));

	taken.si_signo = 0;
	__real_vgPlain_poll_signals(tid);
	if (taken.si_signo && regs_get(tid, REG(RSP)) != stack)
		restore_data(tid);
}

void forged_add_pending(vki_sigset_t *set)
{
	const Int lwp = VG_(gettid)();

	for (unsigned i = 0; i < npending; i++)
		if (!pending[i].lwp || pending[i].lwp == lwp)
			set->sig[0] |= 1UL << (pending[i].info.si_signo - 1);
}

void forged_forget(Int lwp)
{
	for (unsigned i = npending; i-- > 0;)
		if (!lwp || pending[i].lwp == lwp)
			drop(&pending[i]);
}
