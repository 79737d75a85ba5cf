/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/virtual/clock.h"

#include "pub_tool_vki.h"

#include "sim/virtual/features.h"

static const ULong second = 1000000000;

/* Later than the times of files, as make(1) warns of files from the future. */
static const ULong real_start = 2000000000; /* s since 1970: in May 2033 */
static const ULong boot_age = 100000;	    /* s since the machine was started */

/* So many ns does a read take: of the time-stamp counter, and by a system call. */
enum { READ_NS = 32, CALL_NS = 1000 };

/* What clock_use() was called with. */
static struct {
	const uint64_t *instructions;
	uint64_t *passed;
} source;

void clock_use(const uint64_t *instructions, uint64_t *passed)
{
	source.instructions = instructions;
	source.passed = passed;
}

uint64_t clock_passed(void)
{
	return *source.instructions + *source.passed;
}

Long clock_now(Int clock)
{
	const ULong now = clock_passed();

	switch (clock) {
	case VKI_CLOCK_REALTIME:
	case 5:	 /* CLOCK_REALTIME_COARSE */
	case 8:	 /* CLOCK_REALTIME_ALARM */
	case 11: /* CLOCK_TAI */
		return (Long)(real_start * second + now);
	case VKI_CLOCK_MONOTONIC:
	case 4: /* CLOCK_MONOTONIC_RAW */
	case 6: /* CLOCK_MONOTONIC_COARSE */
	case 7: /* CLOCK_BOOTTIME */
	case 9: /* CLOCK_BOOTTIME_ALARM */
		return (Long)(boot_age * second + now);
	default:
		/* The CPU time of this process, of a thread (3), of any other (< 0). */
		return clock == 2 || clock == 3 || clock < 0 ? (Long)now : -1;
	}
}

void clock_pass(ULong ns)
{
	*source.passed += ns;
}

Long clock_read(Int clock)
{
	clock_pass(CALL_NS);
	return clock_now(clock);
}

ULong __real_amd64g_dirtyhelper_RDTSC(void);
ULong __wrap_amd64g_dirtyhelper_RDTSC(void)
{
	if (!features_level())
		return __real_amd64g_dirtyhelper_RDTSC();
	clock_pass(READ_NS);
	return (ULong)clock_now(VKI_CLOCK_MONOTONIC);
}

void __real_amd64g_dirtyhelper_RDTSCP(VexGuestAMD64State *regs);
void __wrap_amd64g_dirtyhelper_RDTSCP(VexGuestAMD64State *regs)
{
	ULong now;

	if (!features_level()) {
		__real_amd64g_dirtyhelper_RDTSCP(regs);
		return;
	}
	now = __wrap_amd64g_dirtyhelper_RDTSC();
	regs->guest_RAX = now & 0xffffffff;
	regs->guest_RDX = now >> 32;
	regs->guest_RCX = 0;
}
