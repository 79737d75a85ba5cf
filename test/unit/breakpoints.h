/* Breakpoints, by which tests count calls of a function where the machine counts them. */
#ifndef BREAKPOINTS_H
#define BREAKPOINTS_H

#include <errno.h>
#include <inttypes.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

static __attribute__((noinline)) void breakpoint_is_here(void)
{
	__asm__ volatile("" ::: "memory");
}

/*
 * Does an execution breakpoint count on this machine? The kernel of a virtual machine may
 * open it though the processor never stops there. Prints why not.
 */
static inline int breakpoints_count(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_BREAKPOINT,
				       .size = sizeof attr,
				       .bp_type = HW_BREAKPOINT_X,
				       .bp_addr = (uintptr_t)breakpoint_is_here,
				       .bp_len = sizeof(long),
				       .exclude_kernel = 1,
				       .exclude_hv = 1};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	uint64_t count = 0;

	if (fd < 0) {
		print_message("no execution breakpoints here: %s\n", strerror(errno));
		return 0;
	}
	breakpoint_is_here();
	assert_int_equal(read(fd, &count, sizeof count), sizeof count);
	close(fd);
	if (!count)
		print_message("breakpoints do not count here\n");
	return count == 1;
}

static inline void need_breakpoints(void)
{
	if (!breakpoints_count())
		skip();
}

#endif
