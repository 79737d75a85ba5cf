/*
 * The pages of a simulated run (sim/pages.h), read from outside. What is there is written
 * by the user's processes: nothing of it is trusted, and it is read by copying, so that a
 * file that is cut short does no harm.
 */
#ifndef ENGINE_SIM_PAGES_H
#define ENGINE_SIM_PAGES_H

#include <stdint.h>
#include <sys/types.h>

#include "sim/shared/pages.h"

struct sim_pages {
	int fd;		 /* -1: there is no run */
	unsigned n, cap; /* pages that are known, room for them */
	int32_t *pid;	 /* of each */
};

/* What is known of a page. */
struct sim_page {
	uint32_t state, notes;
	uint64_t note_pc;
	int32_t pid;
	uint64_t total[PAGES_COUNTERS];
};

/*
 * An anonymous file for a run that counts these, of a program that is called argv0. -1:
 * as memfd_create(2), ftruncate(2).
 */
int sim_pages_make(struct sim_pages *p, uint64_t asked, const char *argv0);
void sim_pages_free(struct sim_pages *p);

/* How many there are now. */
unsigned sim_pages_count(struct sim_pages *p);

/*
 * The number of the newest page of a pid, if it is above after (-1: any). -1: there is
 * none. A pid that comes again has a new page, but not after an exec.
 */
long sim_pages_of(struct sim_pages *p, pid_t pid, long after);

/* 0, or -1: it cannot be read. */
int sim_pages_read(const struct sim_pages *p, long page, struct sim_page *to);

/*
 * The counts of an LWP; *hint: where it was found before or may be, and is now. 1; 0: it
 * has none. to gets the page, except for its total.
 */
int sim_pages_row(const struct sim_pages *p, long page, pid_t tid, unsigned *hint,
		  struct sim_page *to, uint64_t count[PAGES_COUNTERS]);

#endif
