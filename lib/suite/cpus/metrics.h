/*
 * The counts so far as OpenMetrics text in a file that a scraper reads at any time: it is
 * replaced as a whole. Counters only grow; a value that there is none of has no line.
 *
 * Of each counter of each set ("set", "pic" and "event") and each CPU ("cpu", "core" and
 * "socket"), core ("core" and "socket") or socket ("socket"), since the run began, summed
 * over the CPUs of a core or socket, modulo 2^64 (of ns). A number not known is "".
 *     opencpc_events_total             values, as they are printed
 *     opencpc_enabled_seconds_total    for which the event was to be counted
 *     opencpc_running_seconds_total    for which it was
 * There is none before the first value. A CPU that has gone offline keeps its last ones,
 * so that no scraper misses what it counted.
 * Of each counter of each set:
 *     opencpc_request_info             1; also "spec" and "note", as in struct row_set
 * Of the run:
 *     opencpc_samples_total            intervals in which a CPU was sampled
 *     opencpc_samples_skipped_total    intervals left out
 *     opencpc_last_sample_timestamp_seconds    since 1970; none before the first
 *     opencpc_cpus                     sampled in the last interval
 * No label tells one run from another, so that a folder of node_exporter's textfile
 * collector can have the file of one run alone.
 *
 * Source: OpenMetrics 1.0.0; Prometheus, "Exposition formats", text format 0.0.4
 */
#ifndef SUITE_CPUS_METRICS_H
#define SUITE_CPUS_METRICS_H

#include <stdint.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

struct openmetrics;

/*
 * path: what is replaced; nothing yet. If it ends in ".prom", as the files that
 * node_exporter reads, counters are described by the names of their samples (..._total)
 * and the info is a gauge, as in the Prometheus text format, which knows no others: no
 * text suits the parsers of both. scope: what a counter is of: ROW_CPUS, ROW_CORES or
 * ROW_SOCKETS. set: nsets of them, which must outlive m. NULL: ENOMEM; and what can be
 * told before there is anything to write: EISDIR, EINVAL (path is there and is neither a
 * file nor a folder; another scope), as open(2) of a new file in path's folder.
 */
struct openmetrics *openmetrics_new(const char *path, enum row_scope scope,
				    const struct row_set *const *set, unsigned nsets);

/* NULL is allowed. The file stays. */
void openmetrics_free(struct openmetrics *m);

/*
 * Add an interval; skipped: intervals left out so far; unix_ns: when it ended, ns since
 * 1970, not negative. Then replace the file by a new one, of the mode that open(2) and
 * the process' umask give any new file; a symbolic link is replaced itself. -1: ENOMEM,
 * as openmetrics_new(), write(2), close(2), rename(2); the file is what it was, and what
 * the interval counted is in the next text, except after ENOMEM, when it may be in none.
 */
int openmetrics_write(struct openmetrics *m, const struct cpu_interval *i,
		      uint64_t skipped, int64_t unix_ns);

#endif
