/*
 * Raw samples in a file that cpustat -O writes and cpustat -I reads. cpustat(1), FILES,
 * describes the format: lines of fields that tabs separate. Each line ends with a
 * checksum of the file up to there, so that the lines before a cut or damage can be used.
 * Each value has only one valid text: a file that is read without an error and written
 * again has the same bytes.
 *
 * The value and count of a value of class CPC_UNAVAILABLE are not saved and are read as
 * 0.
 */
#ifndef SUITE_CPUS_STATFILE_H
#define SUITE_CPUS_STATFILE_H

#include <stddef.h>
#include <stdint.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

/* The limits of a file, for writing and for reading. */
enum {
	STATFILE_SETS = 1024,
	STATFILE_REQUESTS = 1024,      /* in a set */
	STATFILE_CPUS = 1 << 20,       /* all numbers of CPUs are below this */
	STATFILE_VALUES = 1 << 22,     /* in an interval, of all CPUs together */
	STATFILE_LINE = 1 << 20,       /* bytes of a line, with escapes and newline */
	STATFILE_HEAD = 16 * (1 << 20) /* bytes before the first interval */
};

/* The facts about a run, at the beginning of its file. */
struct statfile_head {
	int64_t unix_ns;     /* when the run began, in ns since 1970, not negative */
	int64_t interval_ns; /* between two samples, not negative */
	unsigned nsets;	     /* at least 1 */
	/*
	 * spec and events are not NULL; in a file that is read, note is not NULL either
	 */
	const struct row_set *const *set;
};

struct statfile_writer;

/*
 * Replace the file path. h can be freed after the call. The caller frees the result with
 * statfile_end() or statfile_drop(). Returns NULL with ENOMEM, errno of open(2) or
 * write(2), or EINVAL if path is "-" or h is invalid; after EINVAL the old file is
 * unchanged.
 */
struct statfile_writer *statfile_create(const char *path, const struct statfile_head *h);

/* Returns 0 if the file is locked, or 1 with errno of flock(2) if it cannot be locked. */
int statfile_lock(const struct statfile_writer *w);

/*
 * Write an interval; on return write(2) has received all of the interval. Returns -1 with
 *     EINVAL    numbers of intervals or CPUs do not ascend, or a number is out of range;
 *               nothing is written, and later calls can succeed
 *     ENOMEM or errno of write(2) (EPIPE if SIGPIPE is ignored); the file is valid up to
 *               the interval before, and all later calls fail in the same way
 */
int statfile_write(struct statfile_writer *w, const struct cpu_interval *i);

/*
 * Write the end of the file, without which the file reads as cut, and free w, also on
 * failure. skipped is the number of intervals that were left out because they were late.
 * Returns -1 with an errno of statfile_write() or close(2).
 */
int statfile_end(struct statfile_writer *w, uint64_t skipped);

/* Free w without an end of the file, or do nothing for NULL. */
void statfile_drop(struct statfile_writer *w);

struct statfile_reader;

/*
 * Open a file, or standard input if path is "-". The caller frees the result with
 * statfile_close(). Returns NULL with ENOMEM, errno of open(2) or read(2), or EBADMSG if
 * it is another kind of file or is damaged; and with a message in err, which has size
 * bytes. The message is one line without path and newline.
 */
struct statfile_reader *statfile_open(const char *path, char *err, size_t size);

/* Return the facts about the run, which are valid as long as r. */
const struct statfile_head *statfile_head(const struct statfile_reader *r);

/*
 * Read the next interval. Returns 1 and sets *i, which is valid until the next call; or 0
 * at the end of the file; or -1 with EBADMSG, ENOMEM or errno of read(2) and a message in
 * err ("line 17: the checksum does not match"), and all later calls fail in the same way.
 * The memory that is used does not depend on the length of the file.
 */
int statfile_read(struct statfile_reader *r, const struct cpu_interval **i, char *err,
		  size_t size);

/* Return the argument of statfile_end(), or 0 before statfile_read() has returned 0. */
uint64_t statfile_skipped(const struct statfile_reader *r);

/* Free r, or do nothing for NULL. */
void statfile_close(struct statfile_reader *r);

#endif
