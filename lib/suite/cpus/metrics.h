/*
 * The counts of a run as OpenMetrics text, in a file that is replaced as a whole, so that
 * a scraper can read it at any time. Counters only grow; an unavailable value has no
 * line.
 *
 * The run has one sample of each of these for each counter of each set (labels "set",
 * "pic", "event", "mode" and "attrs") on each CPU (labels "cpu", "core" and "socket"),
 * core (labels "core" and "socket") or socket (label "socket"), since the run began,
 * modulo 2^64 (times in ns). Values are summed over the CPUs of the core or socket, times
 * are the mean of those that had a value. An unknown id is "". Samples of cgroups also
 * have the label "cgroup", and only that one if they stand for all CPUs; their times are
 * sums.
 *     opencpc_events_total             the values as they are printed
 *     opencpc_enabled_seconds_total    time for which the event was to be counted
 *     opencpc_running_seconds_total    time for which it was counted
 * Intervals without a value are left out of the times too, so that events / enabled is
 * the true rate. A sample appears with its announcement, or else with the first value. A
 * CPU that has gone offline keeps its samples, so that scrapers do not miss its counts.
 * Those of a cgroup that is gone are in the text of one more interval.
 * One sample for each set:
 *     opencpc_bound_seconds_total      time for which it was bound
 * One sample for each counter of each set:
 *     opencpc_request_info             1; also labels "spec" and "note" of struct row_set
 * One sample for the run:
 *     opencpc_samples_total            intervals in which a CPU was sampled
 *     opencpc_samples_skipped_total    intervals that were left out
 *     opencpc_start_time_seconds       start of the run, since 1970
 *     opencpc_last_sample_timestamp_seconds    since 1970; appears with the first sample
 *     opencpc_cpus                     CPUs sampled in the last interval
 *     opencpc_cgroups                  cgroups sampled in the last interval, if any are
 * All samples have the labels of the options. Without them no label differs between runs,
 * and a folder of node_exporter's textfile collector can have the file of only one run.
 *
 * Source: OpenMetrics 1.0.0; Prometheus, "Exposition formats", text format 0.0.4
 */
#ifndef SUITE_CPUS_METRICS_H
#define SUITE_CPUS_METRICS_H

#include <stdint.h>

#include "suite/cpus/interval.h"
#include "suite/row/row.h"

struct openmetrics;

/* The options of the command line. */
struct openmetrics_options {
	const char *path;
	/* ROW_CPUS, ROW_CORES or ROW_SOCKETS; with cgroups also ROW_CGROUPS */
	enum row_scope scope;
	int cgroups; /* the samples are of cgroups */
	unsigned nlabels;
	/* of all samples; openmetrics_has_label() returns 0 for their keys */
	const struct openmetrics_label {
		const char *key, *value;
	} * label;
};

/*
 * Does a family have a label with this key, so that all samples cannot have it as a
 * constant one?
 */
int openmetrics_has_label(const char *key);

/*
 * Prepare to write the file o->path; openmetrics_start() replaces it. If path ends in
 * ".prom", as files for node_exporter do, HELP and TYPE name counters by their samples
 * (..._total) and the info is a gauge, as the Prometheus text format needs; no text suits
 * the parsers of both formats. *o can be freed after the call. The nsets sets must
 * outlive the result, which the caller frees with openmetrics_free().
 *
 * Returns NULL with ENOMEM; EISDIR; EINVAL if path is neither a file nor a folder, or for
 * another scope; or errno of open(2) of a new file in the folder of path.
 */
struct openmetrics *openmetrics_new(const struct openmetrics_options *o,
				    const struct row_set *const *set, unsigned nsets);

/* Free m, but keep its file; or do nothing for NULL. */
void openmetrics_free(struct openmetrics *m);

/*
 * Announce the counters of a set that have a value in *i, or had time to be counted: they
 * begin at 0. The values themselves are not used. Returns -1 with ENOMEM.
 */
int openmetrics_announce(struct openmetrics *m, const struct cpu_interval *i);

/*
 * Write the file before the first interval, with zeros for what was announced, so that a
 * scraper sees a restart. unix_ns is the start of the run in ns since 1970, not negative.
 * Returns -1 as openmetrics_write() does.
 */
int openmetrics_start(struct openmetrics *m, int64_t unix_ns);

/*
 * Write the file again, with zeros for what was announced since. Returns -1 as
 * openmetrics_write() does.
 */
int openmetrics_again(struct openmetrics *m);

/* A cgroup is gone: the text of the next interval has no samples of it. */
void openmetrics_drop(struct openmetrics *m, const char *cgroup);

/*
 * After openmetrics_start(): returns 0 if the file is locked, or 1 with errno of flock(2)
 * if it cannot be locked.
 */
int openmetrics_lock(const struct openmetrics *m);

/*
 * Add an interval and replace the file. skipped is the number of intervals left out so
 * far; unix_ns is the end of the interval in ns since 1970, not negative. The mode of the
 * file is that of any new file (open(2), umask(2)); a symbolic link is replaced, not its
 * target.
 *
 * Returns -1 with ENOMEM, an errno of openmetrics_new(), write(2), close(2) or rename(2);
 * the file is then unchanged. The next text contains the counts of the interval, except
 * perhaps after ENOMEM.
 */
int openmetrics_write(struct openmetrics *m, const struct cpu_interval *i,
		      uint64_t skipped, int64_t unix_ns);

#endif
