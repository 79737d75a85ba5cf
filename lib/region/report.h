/* Writes the results of regions to the file of CPC_REGIONS_FILE, or to stderr. */
#ifndef REGION_REPORT_H
#define REGION_REPORT_H

#include "base/ring.h"
#include "region/settings.h"
#include "region/thread.h"

struct region_results {
	const struct region_settings *settings;
	const struct region_events *events;
	const struct ring *threads;
	unsigned failed; /* threads that could not get counters */
};

/*
 * Write what has been counted until now, by one write(2) if possible; nothing if no
 * region has begun. provisional: the process goes on. If the file cannot be written, the
 * session's error handler gets the reason, and the report goes to stderr. The caller
 * holds the lock.
 */
void region_report(const struct region_results *r, int provisional);

#endif
