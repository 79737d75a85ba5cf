/*
 * Raw samples in a file, as cpustat -O writes and cpustat -I reads them. The format is in
 * cpustat(1), FILES: a line for each thing, its fields separated by tabs. Each line ends
 * with a checksum of the file up to there, so that a file that was cut or damaged is good
 * until then. There is one way only to write something down: what is read without an
 * error and written again gives the same bytes.
 *
 * Of a value of class CPC_UNAVAILABLE, value and count are not kept: they are read as 0.
 */
#ifndef SUITE_CPUS_STATFILE_H
#define SUITE_CPUS_STATFILE_H

#include <stddef.h>
#include <stdint.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

/* What a file can have at most, for writing and for reading. */
enum {
	STATFILE_SETS = 1024,
	STATFILE_REQUESTS = 1024,      /* of a set */
	STATFILE_CPUS = 1 << 20,       /* CPUs are numbered below it */
	STATFILE_VALUES = 1 << 22,     /* of an interval, all CPUs together */
	STATFILE_LINE = 1 << 20,       /* bytes of a line, escapes and newline included */
	STATFILE_HEAD = 16 * (1 << 20) /* bytes before the first interval */
};

/* What is said once, at the beginning. */
struct statfile_head {
	int64_t unix_ns;     /* when the run began, ns since 1970, not negative */
	int64_t interval_ns; /* between two samples, not negative */
	unsigned nsets;	     /* at least 1 */
	/* spec and events are not NULL; of a file that is read, nor is note */
	const struct row_set *const *set;
};

struct statfile_writer;

/*
 * Replaces the file; h is not needed any more after that. NULL: as open(2), write(2),
 * ENOMEM; EINVAL: path is "-", which is for rows, or h is not as above; a file that there
 * is then stays as it was.
 */
struct statfile_writer *statfile_create(const char *path, const struct statfile_head *h);

/*
 * The interval is in the file, as write(2) has it, when it returns. -1: ENOMEM or as
 * write(2), after which the file is good up to the interval before, and every later call
 * fails in the same way (EPIPE: where SIGPIPE is ignored). EINVAL: numbers of intervals,
 * or of CPUs, do not ascend, or something is out of its range; nothing was written, and
 * the next interval can be.
 */
int statfile_write(struct statfile_writer *w, const struct cpu_interval *i);

/*
 * The run is over: without this the file reads as one that was cut. skipped: how many
 * intervals were left out because they were late. Frees w, also on failure. -1: as
 * statfile_write(), and close(2).
 */
int statfile_end(struct statfile_writer *w, uint64_t skipped);

/* Frees w without an end; NULL is allowed. */
void statfile_drop(struct statfile_writer *w);

struct statfile_reader;

/*
 * path "-": standard input. NULL: as open(2), read(2), ENOMEM; EBADMSG: it is no such
 * file, or a damaged one. In any case err says what is wrong, in a line without path and
 * newline.
 */
struct statfile_reader *statfile_open(const char *path, char *err, size_t size);

/* Lives as long as r. */
const struct statfile_head *statfile_head(const struct statfile_reader *r);

/*
 * The next interval, alive until the next call. 0: the end was reached, and *i is not
 * set; 1: there it is; -1: EBADMSG ("line 17: its checksum does not match"), ENOMEM or as
 * read(2), what is wrong is in err as above, and every later call fails in the same way.
 * The memory that is taken does not grow with the file.
 */
int statfile_read(struct statfile_reader *r, const struct cpu_interval **i, char *err,
		  size_t size);

/* As it was given to statfile_end(); 0 before statfile_read() has returned 0. */
uint64_t statfile_skipped(const struct statfile_reader *r);

/* NULL is allowed. */
void statfile_close(struct statfile_reader *r);

#endif
