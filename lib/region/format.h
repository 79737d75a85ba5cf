/* The results of regions as text: a table, or JSON lines (opencpc-regions(5)). */
#ifndef REGION_FORMAT_H
#define REGION_FORMAT_H

#include "base/text.h"
#include "region/summary.h"

/* The process whose regions these are. */
struct region_process {
	const char *command; /* the name of its program */
	const char *host;
	long pid;
	int64_t unix_ns; /* when the report was made, since 1970 */
	int provisional; /* the process goes on */
	unsigned failed; /* threads that could not get counters */
	const struct region_events *events;
	unsigned n;
	struct region_summary *const *summary; /* n */
};

/* Append a table. It has no bytes that a terminal would take for commands. */
void region_format_table(struct textbuf *b, const struct region_process *p);

/* Append a JSON object in a line for each region. */
void region_format_json(struct textbuf *b, const struct region_process *p);

#endif
