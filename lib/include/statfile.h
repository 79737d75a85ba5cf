/*
 * Raw samples in a file, as cpustat -O writes and cpustat -I reads them. The format is in
 * cpustat(1), FILES: a line for each thing, its fields separated by tabs, each line with a
 * checksum of its own, so that a file that was cut or damaged is good up to there.
 */
#ifndef STATFILE_H
#define STATFILE_H

#include <stddef.h>
#include <stdint.h>

#include "cpu_interval.h"
#include "row.h"

/* What is said once, at the beginning. */
struct statfile_head {
	int64_t unix_ns;     /* when the run began, ns since 1970 */
	int64_t interval_ns; /* between two samples */
	unsigned nsets;
	const struct row_set *const *set;
};

struct statfile_writer;

/* Replaces the file. NULL: as open(2), ENOMEM. */
struct statfile_writer *statfile_create(const char *path, const struct statfile_head *h);

/* The interval is in the file, as write(2) has it, when it returns. -1: as write(2). */
int statfile_write(struct statfile_writer *w, const struct cpu_interval *i);

/*
 * The run is over: without this the file reads as one that was cut. skipped: how many
 * intervals were left out because they were late. Frees w, also on failure. -1: as write(2)
 * and close(2).
 */
int statfile_end(struct statfile_writer *w, uint64_t skipped);

/* Frees w without an end; NULL is allowed. */
void statfile_drop(struct statfile_writer *w);

struct statfile_reader;

/*
 * path "-": standard input. NULL: as open(2), ENOMEM; EBADMSG, and what is wrong with the
 * file is in err.
 */
struct statfile_reader *statfile_open(const char *path, char *err, size_t size);

/* Lives as long as r. */
const struct statfile_head *statfile_head(const struct statfile_reader *r);

/*
 * The next interval, alive until the next call. 0: the end was reached, and *i is not set;
 * 1: there it is; -1: EBADMSG (what is wrong, with the number of the line, is in err), EIO,
 * ENOMEM.
 */
int statfile_read(struct statfile_reader *r, const struct cpu_interval **i, char *err,
		  size_t size);

/* As it was given to statfile_end(); 0 before statfile_read() has returned 0. */
uint64_t statfile_skipped(const struct statfile_reader *r);

/* NULL is allowed. */
void statfile_close(struct statfile_reader *r);

#endif
