/*
 * The file of -O: the records of a run (opencpc-records(5)) with a sample of each CPU, or
 * of each cgroup on each CPU, and with the cycles of the time-stamp counter.
 */
#ifndef CPUSTAT_SAMPLES_H
#define CPUSTAT_SAMPLES_H

#include "suite/cpus/interval.h"
#include "suite/record/sink.h"

struct samples;

/*
 * Open the file at path for a run that began at unix_ns and counts cgroups, or CPUs. set
 * must outlive the result. Returns NULL with ENOMEM, errno of open(2), or EWOULDBLOCK if
 * another process writes the file.
 */
struct samples *samples_open(const char *path, int cgroups,
			     const struct row_set *const *set, int64_t unix_ns);

/* Returns 0 if the file is locked, or 1 with errno of flock(2) if it cannot be locked. */
int samples_lock(const struct samples *s);

/*
 * Return the sink that takes the beginning, the totals and the end of the run. It lives
 * as long as *s.
 */
struct sink *samples_sink(const struct samples *s);

/*
 * Write the samples of an interval, with one write(2) if the file takes them all. Returns
 * 0, or the errno of the first write of *s that has failed, after which no more is
 * written: a regular file then ends with an interval that is complete.
 */
int samples_put(struct samples *s, const struct cpu_interval *i);

/* Free *s, which can be NULL. Returns as samples_put(). */
int samples_close(struct samples *s);

#endif
