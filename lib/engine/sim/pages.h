/*
 * Reads the pages of a simulated run (sim/shared/pages.h) from outside the run. The
 * user's processes write them: nothing in them is trusted, and they are read with
 * pread(2), so that a truncated file does no harm.
 */
#ifndef ENGINE_SIM_PAGES_H
#define ENGINE_SIM_PAGES_H

#include <stdint.h>
#include <sys/types.h>

#include "sim/shared/pages.h"

struct sim_pages {
	int fd;	      /* the file of the pages, owned; -1: no run */
	unsigned n;   /* pages read so far */
	int32_t *pid; /* [PAGES_MAX]; of each page */
};

/* The parts of a page that do not belong to one LWP. */
struct sim_page {
	uint32_t state, notes; /* PAGE_*; PAGE_NOTE_* */
	uint64_t note_pc;      /* address of the instruction of a note */
	int32_t pid;
	uint32_t nrows;			/* rows in use, or used before */
	uint64_t total[PAGES_COUNTERS]; /* of all LWPs */
};

/* What the head of the pages says about a run. */
struct sim_pages_run {
	uint64_t requested; /* the counters to be counted (bit n: counter n) */
	const char *argv0;  /* of the program */
	const struct machine *machine;
	int chosen; /* the user chose the machine */
};

/*
 * Create an anonymous file for a run. Returns 0, or -1 with ENOMEM or errno of
 * memfd_create(2), ftruncate(2) or pwrite(2). All memory is allocated here: the other
 * calls, whose counts would be wrong without memory, need no more.
 */
int sim_pages_make(struct sim_pages *p, const struct sim_pages_run *run);
void sim_pages_free(struct sim_pages *p);

/* Returns how many pages the run has now; updates p->n and p->pid. */
unsigned sim_pages_count(struct sim_pages *p);

/*
 * Returns the number of the newest page of a pid that is greater than after, or -1 if
 * there is none. A process keeps its page when it executes another program; a later
 * process with the same pid has a page of its own.
 */
long sim_pages_of(struct sim_pages *p, pid_t pid, long after);

/* Read a page without its rows. Returns 0, or -1 if the file is too short. */
int sim_pages_read(const struct sim_pages *p, long page, struct sim_page *to);

/*
 * Store the reason for which the simulator ended the process of a page, as printable
 * ASCII: '?' is in place of other bytes; "" if no reason is known.
 */
void sim_pages_reason(const struct sim_pages *p, long page, char text[PAGES_REASON]);

/*
 * Returns whether the first program has begun to run. The simulator takes a page and can
 * still fail; with its first instruction the program has a row.
 */
int sim_pages_begun(struct sim_pages *p);

/*
 * Read the counts of an LWP. *hint is the row where it was found before, and is updated.
 * Fills *to as sim_pages_read() does, also if the LWP has no row. Returns 1 if the LWP
 * has a row, else 0 (also if the page cannot be read).
 */
int sim_pages_row(const struct sim_pages *p, long page, pid_t tid, unsigned *hint,
		  struct sim_page *to, uint64_t count[PAGES_COUNTERS]);

#endif
