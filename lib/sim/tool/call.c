/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/call.h"

#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

/* From linux/futex.h. */
enum {
	FUTEX_COMMAND = 127, /* without FUTEX_PRIVATE_FLAG and FUTEX_CLOCK_REALTIME */
	FUTEX_PRIVATE = 128,
	WAIT = 0,
	WAKE = 1,
	REQUEUE = 3,
	CMP_REQUEUE = 4,
	WAKE_OP = 5,
	WAIT_BITSET = 9,
	WAKE_BITSET = 10
};

static struct call describe_futex(Addr futex, UWord operation)
{
	struct call c = {.is_futex = 1,
			 .private_futex = operation & FUTEX_PRIVATE ? futex : 0,
			 .wakes = CALL_WAKES_FUTEX};

	switch (operation & FUTEX_COMMAND) {
	case WAKE:
	case WAKE_BITSET:
		c.counts = c.private_futex != 0;
		break;
	case WAIT:
	case WAIT_BITSET:
		c.wakes = CALL_WAKES_NONE;
		c.blocks = 1;
		break;
	case REQUEUE:
	case CMP_REQUEUE:
		c.requeues = 1;
		break;
	case WAKE_OP:
		c.private_futex = 0;
		break;
	default:
		c.private_futex = 0;
		c.blocks = 1;
	}
	return c;
}

struct call call_describe(UWord number, UWord first, UWord second)
{
	switch (number) {
	case __NR_futex:
		return describe_futex(first, second);
	case __NR_sched_yield:
		return (struct call){.yields = 1};
	case __NR_exit:
		return call_of_end();
	case __NR_arch_prctl:
	case __NR_brk:
	case __NR_clock_gettime:
	case __NR_clock_nanosleep:
	case __NR_clone:
	case __NR_clone3:
	case __NR_epoll_pwait:
	case __NR_epoll_wait:
	case __NR_fstat:
	case __NR_getpid:
	case __NR_getrandom:
	case __NR_gettid:
	case __NR_gettimeofday:
	case __NR_lseek:
	case __NR_madvise:
	case __NR_mmap:
	case __NR_mprotect:
	case __NR_mremap:
	case __NR_munmap:
	case __NR_nanosleep:
	case __NR_poll:
	case __NR_ppoll:
	case __NR_prctl:
	case __NR_pselect6:
	case __NR_rseq:
	case __NR_rt_sigaction:
	case __NR_rt_sigprocmask:
	case __NR_sched_getaffinity:
	case __NR_sched_setaffinity:
	case __NR_select:
	case __NR_set_robust_list:
	case __NR_set_tid_address:
	case __NR_sigaltstack:
	case __NR_wait4:
		return (struct call){.blocks = 1};
	default:
		return (struct call){.blocks = 1, .wakes = CALL_WAKES_ALL};
	}
}

struct call call_of_end(void)
{
	return (struct call){.blocks = 1, .wakes = CALL_WAKES_JOINED};
}

/*
 * The kernel wakes the LWP that waits for the end of another by a futex of any process.
 */
int call_can_wake(const struct call *call, const struct call *sleeper)
{
	switch (call->wakes) {
	case CALL_WAKES_NONE:
		return 0;
	case CALL_WAKES_FUTEX:
		return sleeper->is_futex &&
		       (!call->private_futex || !sleeper->private_futex ||
			call->private_futex == sleeper->private_futex);
	case CALL_WAKES_JOINED:
		return sleeper->is_futex && !sleeper->private_futex;
	default:
		return 1;
	}
}
