/*
 * The pages of a simulated run: a file in memory in which the tool, inside each process
 * of the program, publishes its counts, and from which the engine, outside, reads them.
 * The engine makes one file for each run: a head, then a page for each process. Untouched
 * parts take no memory. All values are in the machine's byte order.
 *
 * A process keeps its page when it executes another program, and its counts go on. A
 * process without a page claims the next free one. Only the process writes its page,
 * between two increments of seq (odd during a write). A reader copies the page until seq
 * is even and the same before and after the copy, and checks all values, as the program
 * could have written anything there.
 */
#ifndef SIM_SHARED_PAGES_H
#define SIM_SHARED_PAGES_H

#include <stdint.h>

#include "sim/shared/machine.h"

#define PAGES_MAGIC UINT64_C(0x736567617063706f) /* "opcpages" */

enum {
	PAGES_VERSION = 3,
	PAGES_MAX = 65536,   /* processes */
	PAGES_ROWS = 8192,   /* LWPs of a process */
	PAGES_NAME = 256,    /* bytes for a program's argv[0]; a longer one is not kept */
	PAGES_REASON = 256,  /* bytes for the reason of PAGE_NOTE_GAVE_UP */
	PAGES_COUNTERS = 64, /* counters in a row; SIM_NCOUNTERS are used */
	PAGES_HEAD_SIZE = 1 << 19, /* offset of page 0; a multiple of 4096 */
	PAGES_PAGE_SIZE = 1 << 23, /* offset from a page to the next */
};

struct pages_head {
	uint64_t magic;
	uint32_t version, ncounters;
	/* bit n: counter n is requested; the tool counts all that these counters need */
	uint64_t requested;
	uint32_t npages;	/* claimed pages; changed by atomic addition */
	int32_t pid[PAGES_MAX]; /* owners; 0: not yet stored after the claim */
	char argv0[PAGES_NAME]; /* argv[0] of the run's first program; "": its path */
	/*
	 * The machine of all processes. As the program can write here, each process
	 * checks it at its start and keeps a copy.
	 */
	struct machine machine;
	/* 1: the user chose the machine: events of all tables are counted on it */
	uint32_t chosen;
};

/* The state of a process. */
enum pages_state {
	PAGE_NONE,    /* not yet started */
	PAGE_RUNNING, /* simulated */
	PAGE_ENDED,   /* ended by exit or a signal; all its counts are published */
	PAGE_NATIVE   /* runs on without the simulator and is not counted any more */
};

/* Bits of notes: limits of the simulation that a process met; the user gets a message. */
enum {
	PAGE_NOTE_AVX512 = 1, /* got SIGILL at an AVX-512 instruction: not simulated */
	PAGE_NOTE_32BIT =
		2, /* executed a program that is not x86-64, which ran natively */
	PAGE_NOTE_SETID = 4, /* its exec of a privileged program failed (EACCES) */
	PAGE_NOTE_ROWS = 8,  /* more LWPs than rows: some are counted in the total only */
	PAGE_NOTE_UNKNOWN = 16, /* got SIGILL at another instruction: not simulated */
	/* executed a program at the simulator's addresses, which ran natively */
	PAGE_NOTE_OVERLAPS = 32,
	/* was traced by a debugger that is simulated; what it executed ran natively */
	PAGE_NOTE_TRACED = 64,
	/* The program was to run the same everywhere, and has read: */
	PAGE_NOTE_READ_FILES = 128,  /* files of /proc or /sys, or random numbers */
	PAGE_NOTE_READ_PIDS = 256,   /* its process id or that of its parent */
	PAGE_NOTE_READ_FOLDER = 512, /* its working directory */
	/* called seccomp(2), itself or before its fork; no limit unless it was killed */
	PAGE_NOTE_SECCOMP = 1024,
	/* was ended by the simulator, which could not go on; reason says why */
	PAGE_NOTE_GAVE_UP = 2048,
	/* its clone(2) of a process that shares memory or files failed (EINVAL) */
	PAGE_NOTE_CLONE = 4096,
	/*
	 * The launcher has begun to execute a further program; it does not run yet. No
	 * limit unless the process has ended.
	 */
	PAGE_NOTE_STARTING = 8192
};

enum row_state { ROW_FREE, ROW_RUNNING, ROW_ENDED };

/*
 * The counts of an LWP. A tid has at most one row: when the kernel uses a tid again, its
 * counts go on in the same row. When no unused row is left, the row of the LWP that ended
 * first is used again.
 */
struct pages_row {
	int32_t tid;
	uint32_t state;
	uint64_t count[PAGES_COUNTERS];
};

struct pages_page {
	uint32_t seq;
	int32_t pid;
	uint32_t state;
	uint32_t notes;
	uint64_t note_pc; /* address of the last note that concerns an instruction */
	uint32_t execs; /* number of further programs that were executed and simulated */
	uint32_t nrows; /* rows in use, or used before */
	uint64_t total[PAGES_COUNTERS]; /* of all LWPs since the first program */
	struct pages_row row[PAGES_ROWS];
	/* argv[0] of the next program, while the process executes it; "": its path */
	char argv0[PAGES_NAME];
	/* ns that passed on the program's own clock without instructions */
	uint64_t clock;
	char reason[PAGES_REASON]; /* of PAGE_NOTE_GAVE_UP; "": none is known */
};

_Static_assert(sizeof(struct pages_head) <= PAGES_HEAD_SIZE, "the head fits");
_Static_assert(sizeof(struct pages_page) <= PAGES_PAGE_SIZE, "a page fits");

/* Returns whether the file is a pages file of this version, with this many counters. */
static inline int pages_valid(const struct pages_head *h, uint32_t ncounters)
{
	return h->magic == PAGES_MAGIC && h->version == PAGES_VERSION &&
	       h->ncounters == ncounters;
}

/* Returns the number of the last page that was claimed for pid, or -1. */
static inline int64_t pages_find(const struct pages_head *h, int32_t pid)
{
	const uint32_t taken = __atomic_load_n(&h->npages, __ATOMIC_ACQUIRE);
	uint32_t n = taken < PAGES_MAX ? taken : PAGES_MAX;

	while (n-- > 0)
		if (__atomic_load_n(&h->pid[n], __ATOMIC_ACQUIRE) == pid)
			return n;
	return -1;
}

/* Claims the next page for pid. Returns its number, or -1 if no page is left. */
static inline int64_t pages_claim(struct pages_head *h, int32_t pid)
{
	if (__atomic_load_n(&h->npages, __ATOMIC_ACQUIRE) >= PAGES_MAX)
		return -1;
	const uint32_t n = __atomic_fetch_add(&h->npages, 1, __ATOMIC_ACQ_REL);
	if (n >= PAGES_MAX)
		return -1;
	__atomic_store_n(&h->pid[n], pid, __ATOMIC_RELEASE);
	return n;
}

/* Returns the offset of page n in the file, in bytes. */
static inline uint64_t pages_offset(int64_t n)
{
	return PAGES_HEAD_SIZE + (uint64_t)n * PAGES_PAGE_SIZE;
}

/* Every write to a page is made between pages_begin() and pages_end(). */
static inline void pages_begin(struct pages_page *page)
{
	__atomic_store_n(&page->seq, page->seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void pages_end(struct pages_page *page)
{
	__atomic_store_n(&page->seq, page->seq + 1, __ATOMIC_RELEASE);
}

#endif
