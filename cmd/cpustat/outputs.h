/* The files that a run of cpustat writes: samples (-O) and metrics (--openmetrics). */
#ifndef CPUSTAT_OUTPUTS_H
#define CPUSTAT_OUTPUTS_H

#include <stdint.h>

#include "options.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/metrics.h"
#include "samples.h"

struct outputs {
	const struct options *options;
	const struct row_set *const *set;
	struct samples *samples;     /* NULL without -O */
	struct openmetrics *metrics; /* NULL without --openmetrics */
	int metrics_error;	     /* errno of the last attempt to write, or 0 */
	int lost;		     /* samples could not be written */
};

/*
 * Prepare the files of these sets, which must outlive *out, without changing a file.
 * Returns -1 after a message if the file of metrics cannot be written.
 */
int outputs_prepare(struct outputs *out, const struct options *o,
		    const struct row_set *const *set, unsigned nsets);

/*
 * The sets of the metrics are bound: i has the values of a set at present, of which only
 * those that exist are noted.
 */
void outputs_announce(struct outputs *out, const struct cpu_interval *i);

/* Write the metrics again, with zeros for what was announced since. */
void outputs_again(struct outputs *out);

/* The cgroup with this path is gone. */
void outputs_ended(struct outputs *out, const char *cgroup);

/*
 * Counting starts at unix_ns: open the file of samples, and write the metrics with zeros.
 * Returns -1 after a message if the file of samples cannot be written. If the disk of
 * that file is full, the run goes on without the file, and outputs_failed() reports it.
 */
int outputs_start(struct outputs *out, int64_t unix_ns);

/*
 * Return the sink that takes the records of the run for the file of samples, until
 * outputs_close(); or NULL if there is no such file.
 */
struct sink *outputs_records(const struct outputs *out);

/* Write an interval. skipped: how many intervals were left out so far. */
void outputs_put(struct outputs *out, const struct cpu_interval *i, uint64_t skipped);

/* Returns whether something of the run is missing in a file. */
int outputs_failed(const struct outputs *out);

/* Returns -1, after a message, if the file of samples could not be written to its end. */
int outputs_close(struct outputs *out);

#endif
