/* The files that a run of cpustat writes: samples (-O) and metrics (--openmetrics). */
#ifndef CPUSTAT_OUTPUTS_H
#define CPUSTAT_OUTPUTS_H

#include <stdint.h>

#include "options.h"
#include "suite/cpus/interval.h"
#include "suite/cpus/metrics.h"
#include "suite/cpus/statfile.h"

struct outputs {
	const struct options *options;
	struct statfile_writer *samples; /* NULL without -O, or after an error */
	struct openmetrics *metrics;	 /* NULL without --openmetrics */
	int metrics_error;		 /* errno of the last attempt to write, or 0 */
	int lost;			 /* samples could not be written */
};

/*
 * Open the files that the options name. head->set must outlive *out. Returns -1 after a
 * message if a file cannot be written. If the disk of -O's file is full, the run goes on
 * without the file, and outputs_failed() reports it.
 */
int outputs_open(struct outputs *out, const struct options *o,
		 const struct statfile_head *head);

/* Write an interval. skipped: how many intervals were left out so far. */
void outputs_put(struct outputs *out, const struct cpu_interval *i, uint64_t skipped);

/* Complete the file of samples. */
void outputs_end(struct outputs *out, uint64_t skipped);

/* Returns whether something of the run is missing in a file. */
int outputs_failed(const struct outputs *out);

void outputs_close(struct outputs *out);

#endif
