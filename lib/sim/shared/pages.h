/*
 * The pages of a simulated run: where the tool inside the program's processes publishes what
 * it has counted, and the engine outside reads it. One anonymous file for a run, which the
 * engine makes; a head, then a page for each process, of which only what is used takes
 * memory. All values are in the machine's byte order; the file never leaves it.
 *
 * A process keeps its page through execs: counts go on. Whoever finds no page of its pid
 * takes the next one. A page is written by its process alone, between two increments of seq
 * (odd: being written), and read by copying until seq is even and the same before and after.
 * What a reader finds is checked: the processes are the user's, not ours.
 */
#ifndef SIM_SHARED_PAGES_H
#define SIM_SHARED_PAGES_H

#include <stdint.h>

#define PAGES_MAGIC UINT64_C(0x736567617063706f) /* "opcpages" */

enum {
	PAGES_VERSION = 1,
	PAGES_MAX = 65536,   /* processes */
	PAGES_ROWS = 8192,   /* LWPs of a process */
	PAGES_NAME = 256,    /* room for a program's argv[0]; longer ones get lost */
	PAGES_COUNTERS = 64, /* room in a row; SIM_NCOUNTERS are used */
	PAGES_HEAD_SIZE = 1 << 19, /* offset of page 0; a multiple of 4096 */
	PAGES_PAGE_SIZE = 1 << 23, /* offset from a page to the next */
};

struct pages_head {
	uint64_t magic;
	uint32_t version, ncounters;
	/* bit n: counter n was asked for; the tool counts these and what they depend on */
	uint64_t requested;
	uint32_t npages;	/* taken so far; atomic, fetched and added to */
	int32_t pid[PAGES_MAX]; /* of each page, stored after it was taken; 0: not yet */
	char argv0
		[PAGES_NAME]; /* what the run's first program is called; "": by its path */
};

/* What becomes of a process. */
enum pages_state {
	PAGE_NONE,    /* it has not begun */
	PAGE_RUNNING, /* simulated */
	PAGE_ENDED,   /* by exit or a signal, and all its counts are here */
	PAGE_NATIVE   /* runs without the simulator from now on: nothing is counted */
};

/* Bits of notes: what a user must be told of a process. */
enum {
	PAGE_NOTE_AVX512 =
		1, /* SIGILL at an instruction of AVX-512, which is not simulated */
	PAGE_NOTE_32BIT =
		2, /* it executed a program that is not x86-64, which ran natively */
	PAGE_NOTE_SETID = 4, /* a set-id or privileged program was refused (EACCES) */
	PAGE_NOTE_ROWS =
		8, /* more LWPs at once than there are rows: in the total alone */
	PAGE_NOTE_UNKNOWN = 16 /* SIGILL at another instruction that is not simulated */
};

enum row_state { ROW_FREE, ROW_RUNNING, ROW_ENDED };

/*
 * An LWP. Its tid is in one row at most: a tid that comes again goes on in its row. Rows that
 * have ended are taken again, oldest first, when there is none left that was never used.
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
	uint64_t note_pc; /* of the last note that has one */
	uint32_t execs;	  /* how often another program was executed and simulated */
	uint32_t nrows;	  /* rows that were ever used */
	uint64_t total[PAGES_COUNTERS]; /* of all LWPs since its first program */
	struct pages_row row[PAGES_ROWS];
	/* What its next program is called, if the process executes one; "": by its path. */
	char argv0[PAGES_NAME];
};

_Static_assert(sizeof(struct pages_head) <= PAGES_HEAD_SIZE, "the head fits");
_Static_assert(sizeof(struct pages_page) <= PAGES_PAGE_SIZE, "a page fits");

/* Is this a file that we can write into? */
static inline int pages_valid(const struct pages_head *h, uint32_t ncounters)
{
	return h->magic == PAGES_MAGIC && h->version == PAGES_VERSION &&
	       h->ncounters == ncounters;
}

/* The number of the last page that was taken for pid, or -1. */
static inline int64_t pages_find(const struct pages_head *h, int32_t pid)
{
	const uint32_t taken = __atomic_load_n(&h->npages, __ATOMIC_ACQUIRE);
	uint32_t n = taken < PAGES_MAX ? taken : PAGES_MAX;

	while (n-- > 0)
		if (__atomic_load_n(&h->pid[n], __ATOMIC_ACQUIRE) == pid)
			return n;
	return -1;
}

/* Take the next page for pid; -1: there is none left. */
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

static inline uint64_t pages_offset(int64_t n)
{
	return PAGES_HEAD_SIZE + (uint64_t)n * PAGES_PAGE_SIZE;
}

/* Around what is written into a page. */
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
