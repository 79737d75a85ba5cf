/*
 * The intervals of a run of cpustat that was saved (cpustat -O): a file of records of one
 * run, with a sample of each CPU, or of each cgroup on each CPU.
 */
#ifndef SUITE_SAVED_INTERVALS_H
#define SUITE_SAVED_INTERVALS_H

#include "suite/cpus/interval.h"
#include "suite/saved/row.h"
#include "suite/saved/run.h"

/* Functions that take what is read. A function that returns -1 ends the reading. */
struct saved_intervals_taker {
	void *arg;
	/* The run begins. It lives until saved_intervals_free(). */
	int (*begin)(void *arg, const struct saved_run *run);
	/*
	 * An interval, which lives until the function returns; the paths of its cgroups
	 * live until ended() has taken them.
	 */
	int (*interval)(void *arg, const struct cpu_interval *i);
	/* The total of a cgroup comes: it has no more samples. */
	void (*ended)(void *arg, const char *cgroup);
};

/* Must be zeroed before use. */
struct saved_intervals {
	struct saved_run run;
	struct record_end end; /* zeros if the file lacks the end of the run */
	/* The rest belongs to the reader. */
	const struct saved_intervals_taker *to;
	char *text; /* of the record of the run, to which run.run.text points */
	int has_end;
	uint64_t records;
	struct saved_row row;
	struct cpu_interval now;   /* that is being read; number 0: none is */
	uint64_t last;		   /* the number of the interval before it */
	struct cpu_sample *sample; /* of it */
	cpc_value_t *value;	   /* of its samples */
	size_t sample_room, value_room;
	void *paths; /* of cgroups, for tsearch(3) */
};

/*
 * Read the run in a file; "-" is standard input. Returns 0; or -1 after writing into why,
 * which has size bytes, why the file cannot be read, or not to its end; why is "" if a
 * function of the taker has failed. The intervals before the fault have been taken, but
 * not the last one of them, of which samples may be missing. saved_intervals_free() is
 * called in each case.
 */
int saved_intervals_read(struct saved_intervals *s, const char *path,
			 const struct saved_intervals_taker *to, char *why, size_t size);
void saved_intervals_free(struct saved_intervals *s);

#endif
