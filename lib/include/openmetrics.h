/*
 * The counts so far as OpenMetrics text in a file that a scraper reads at any time: it is
 * replaced as a whole. Counters only grow.
 */
#ifndef OPENMETRICS_H
#define OPENMETRICS_H

#include <stdint.h>

#include "cpu_interval.h"
#include "row.h"

struct openmetrics;

/*
 * path: what is replaced. If it ends in ".prom", as the files that node_exporter's textfile
 * collector reads, counters are described by the names of their samples (..._total), as in
 * the Prometheus text format, which knows no others. scope: what a counter is of: ROW_CPUS,
 * ROW_CORES or ROW_SOCKETS. set: nsets of them, which must outlive m. NULL: ENOMEM.
 */
struct openmetrics *openmetrics_new(const char *path, enum row_scope scope,
				    const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. The file stays. */
void openmetrics_free(struct openmetrics *m);

/*
 * Add an interval; skipped: intervals left out so far; unix_ns: when it ended, ns since
 * 1970. Then replace the file. -1: ENOMEM, as open(2), write(2), rename(2).
 */
int openmetrics_write(struct openmetrics *m, const struct cpu_interval *i,
		      uint64_t skipped, int64_t unix_ns);

#endif
