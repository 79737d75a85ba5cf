/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/virtual/answer.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

#include "sim/virtual/clock.h"
#include "sim/virtual/regs.h"
#include "sim/virtual/features.h"

/* A function of the core that its headers for tools do not declare. */
extern SysRes VG_(do_syscall)(UWord number, UWord a, UWord b, UWord c, UWord d, UWord e,
			      UWord f, UWord g, UWord h);

static const ULong second = 1000000000;

enum {
	CPUS = 4,	       /* that the program sees */
	MOST_RANDOM = 33554431 /* bytes that getrandom(2) returns at once */
};

/* Returns -EFAULT, or 0 if the program can write size bytes at p. */
static Long check(Addr p, SizeT size)
{
	return VG_(am_is_valid_for_client)(p, size, VKI_PROT_READ | VKI_PROT_WRITE)
		       ? 0
		       : -VKI_EFAULT;
}

/* Stores size bytes at p, unless p is NULL. Returns 0 or -EFAULT. */
static Long store(Addr p, const void *from, SizeT size)
{
	const Long rc = p ? check(p, size) : 0;

	if (p && !rc)
		VG_(memcpy)((void *)p, from, size);
	return rc;
}

static Long clock_gettime(Int clock, Addr p)
{
	const Long ns = clock_read(clock);
	const struct vki_timespec t = {ns / (Long)second, ns % (Long)second};

	return ns < 0 ? -VKI_EINVAL : p ? store(p, &t, sizeof t) : -VKI_EFAULT;
}

static Long clock_getres(Int clock, Addr p)
{
	const struct vki_timespec t = {0, 1};

	return clock_now(clock) < 0 ? -VKI_EINVAL : store(p, &t, sizeof t);
}

static struct vki_timeval timeval(Long ns)
{
	return (struct vki_timeval){ns / (Long)second, ns % (Long)second / 1000};
}

static Long gettimeofday(Addr p, Addr zone)
{
	const struct vki_timeval t = timeval(clock_read(VKI_CLOCK_REALTIME));
	const struct vki_timezone none = {0, 0};
	const Long rc = store(p, &t, sizeof t);

	return rc ? rc : store(zone, &none, sizeof none);
}

static Long time(Addr p)
{
	const Long t = clock_read(VKI_CLOCK_REALTIME) / (Long)second;
	const Long rc = store(p, &t, sizeof t);

	return rc ? rc : t;
}

static Long getrusage(Addr p)
{
	struct vki_rusage r;

	VG_(memset)(&r, 0, sizeof r);
	r.ru_utime = timeval(clock_read(2));
	return p ? store(p, &r, sizeof r) : -VKI_EFAULT;
}

/* In ticks of 10 ms. */
static Long times(Addr p)
{
	const struct vki_tms t = {.tms_utime = clock_read(2) / 10000000};
	const Long rc = store(p, &t, sizeof t);

	return rc ? rc : clock_now(VKI_CLOCK_MONOTONIC) / 10000000;
}

/* Numbers of a generator of George Marsaglia (xorshift64, 2003). */
static Long getrandom(Addr p, UWord size, UWord flags)
{
	static ULong x = 88172645463325252;

	/* GRND_NONBLOCK, and GRND_RANDOM or GRND_INSECURE */
	if ((UInt)flags > 5)
		return -VKI_EINVAL;
	if (size > MOST_RANDOM)
		size = MOST_RANDOM;
	if (size && check(p, size))
		return -VKI_EFAULT;
	for (UWord i = 0; i < size; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		((UChar *)p)[i] = (UChar)(x >> 32);
	}
	return (Long)size;
}

static Long sched_getaffinity(UWord size, Addr p)
{
	const ULong mask = (1 << CPUS) - 1;
	const Long rc = size < sizeof mask || size % sizeof mask ? -VKI_EINVAL
								 : check(p, sizeof mask);

	return rc ? rc : (store(p, &mask, sizeof mask), (Long)sizeof mask);
}

static Long getcpu(Addr cpu, Addr node)
{
	const UInt zero = 0;
	const Long rc = store(cpu, &zero, sizeof zero);

	return rc ? rc : store(node, &zero, sizeof zero);
}

static Long sysinfo(Addr p)
{
	struct vki_sysinfo s;

	VG_(memset)(&s, 0, sizeof s);
	s.uptime = clock_read(VKI_CLOCK_MONOTONIC) / (Long)second;
	s.totalram = 8UL << 30;
	s.freeram = 4UL << 30;
	s.procs = 1;
	s.mem_unit = 1;
	return p ? store(p, &s, sizeof s) : -VKI_EFAULT;
}

static Long uname(Addr p)
{
	static const struct vki_new_utsname name = {
		.sysname = "Linux",
		.nodename = "localhost",
		.release = "5.10.0",
		.version = "#1",
		.machine = "x86_64",
		.domainname = "(none)",
	};

	return p ? store(p, &name, sizeof name) : -VKI_EFAULT;
}

/*
 * Opens the file by which the C library counts the CPUs, if path is its name: a file in
 * memory with constant text. Returns 0 if path is another.
 */
static int open_cpus(Addr path, Long *result)
{
	static const HChar name[] = "/sys/devices/system/cpu/online";
	static const HChar text[] = "0-3\n"; /* CPUS */

	if (!VG_(am_is_valid_for_client)(path, sizeof name, VKI_PROT_READ) ||
	    VG_(memcmp)((const void *)path, name, sizeof name))
		return 0;
	const SysRes r = VG_(do_syscall)(__NR_memfd_create, (UWord)name, 1, 0, 0, 0, 0, 0,
					 0); /* MFD_CLOEXEC */
	*result = sr_isError(r) ? -(Long)sr_Err(r) : (Long)sr_Res(r);
	if (*result >= 0) {
		VG_(write)((Int)*result, text, sizeof text - 1);
		VG_(lseek)((Int)*result, 0, VKI_SEEK_SET);
	}
	return 1;
}

/* Stores the result of a system call with these arguments. Returns 0: not answered. */
static int answer(UWord number, UWord a, UWord b, UWord c, Long *result)
{
	switch (number) {
	case __NR_clock_gettime:
		*result = clock_gettime((Int)a, b);
		return 1;
	case __NR_clock_getres:
		*result = clock_getres((Int)a, b);
		return 1;
	case __NR_gettimeofday:
		*result = gettimeofday(a, b);
		return 1;
	case __NR_time:
		*result = time(a);
		return 1;
	case __NR_times:
		*result = times(a);
		return 1;
	case __NR_getrusage:
		*result = getrusage(b);
		return 1;
	case __NR_getrandom:
		*result = getrandom(a, b, c);
		return 1;
	case __NR_sched_getaffinity:
		*result = sched_getaffinity(b, c);
		return 1;
	case __NR_sched_setaffinity:
		*result = 0;
		return 1;
	case __NR_getcpu:
		*result = getcpu(a, b);
		return 1;
	case __NR_sysinfo:
		*result = sysinfo(a);
		return 1;
	case __NR_openat:
		return open_cpus(b, result);
	case __NR_open:
		return open_cpus(a, result);
	case __NR_uname:
		*result = uname(a);
		return 1;
	default:
		return 0;
	}
}

void answer_ended(UInt number, const UWord *args)
{
	if (features_level() && number == __NR_wait4 && args[3] &&
	    !check(args[3], sizeof(struct vki_rusage)))
		VG_(memset)((void *)args[3], 0, sizeof(struct vki_rusage));
}

int answer_syscall(ThreadId tid)
{
	Long result;

	if (!features_level() ||
	    !answer(regs_get(tid, REG(RAX)), regs_get(tid, REG(RDI)),
		    regs_get(tid, REG(RSI)), regs_get(tid, REG(RDX)), &result))
		return 0;
	regs_set(tid, REG(RAX), (UWord)result);
	return 1;
}
