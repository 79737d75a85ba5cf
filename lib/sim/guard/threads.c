/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/guard/threads.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_vkiscnums.h"

ThreadId __real_vgPlain_scheduler_init_phase1(void);
ThreadId __real_vgPlain_alloc_ThreadState(void);

/* The core's table, VG_N_THREADS entries that begin with their number. */
extern UChar *VG_(threads);

enum { FIRST = 64 /* entries that the core fills */, NUMBER = sizeof(UInt) };

static struct {
	UInt most;     /* entries for which the core has allocated memory */
	SizeT size;    /* of an entry in bytes; 0: not known */
	int has_calls; /* the core has allocated its table of calls */
	/*
	 * While VG_N_THREADS is most, during the system call at which the core allocates
	 * its table of calls: the value that VG_N_THREADS gets back. Otherwise 0.
	 */
	UInt filled;
} table;

static UChar *entry(UInt i)
{
	return VG_(threads) + i * table.size;
}

/* Returns whether the filled entries have their numbers if each has this size. */
static int fits(SizeT size)
{
	for (UInt i = 1; i < VG_N_THREADS; i++)
		if (*(const UInt *)(VG_(threads) + i * size) != i)
			return 0;
	return 1;
}

/* The headers for tools do not tell the size of an entry. Returns it, or 0. */
static SizeT find_size(void)
{
	enum { ALIGNED = 16, LARGEST = 1 << 16 };

	for (SizeT size = ALIGNED; size < LARGEST; size += ALIGNED)
		if (fits(size))
			return size;
	return 0;
}

/*
 * The core has filled the first entries. Entry 0 is never used, and so can be copied. It
 * must differ from the last one, which is not used yet, in the number alone.
 */
static void check(void)
{
	table.size = find_size();
	tl_assert(table.size);
	tl_assert(VG_(memcmp)(entry(0) + NUMBER, entry(VG_N_THREADS - 1) + NUMBER,
			      table.size - NUMBER) == 0);
}

ThreadId __wrap_vgPlain_scheduler_init_phase1(void)
{
	table.most = VG_N_THREADS;
	if (table.most > FIRST)
		VG_N_THREADS = FIRST;
	const ThreadId first = __real_vgPlain_scheduler_init_phase1();

	if (table.most > FIRST)
		check();
	return first;
}

void threads_before_syscall(UWord number)
{
	threads_after_syscall();
	/* After exit_group(2) the core makes no other call, and needs no table. */
	if (table.has_calls || number == __NR_exit_group)
		return;
	table.has_calls = 1;
	table.filled = VG_N_THREADS;
	VG_N_THREADS = table.most;
}

void threads_after_syscall(void)
{
	if (!table.filled)
		return;
	VG_N_THREADS = table.filled;
	table.filled = 0;
}

/* All filled entries are used. Fill as many more, if there is memory for them. */
static void grow(void)
{
	const UInt twice = 2 * VG_N_THREADS;
	const UInt n = twice < table.most ? twice : table.most;

	for (UInt i = VG_N_THREADS; i < n; i++) {
		VG_(memcpy)(entry(i), entry(0), table.size);
		*(UInt *)entry(i) = i;
	}
	VG_N_THREADS = n;
}

/* The core takes the first entry that is not used. */
ThreadId __wrap_vgPlain_alloc_ThreadState(void)
{
	const ThreadId taken = __real_vgPlain_alloc_ThreadState();

	if (taken == VG_N_THREADS - 1)
		grow();
	return taken;
}
