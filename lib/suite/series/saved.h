/* Runs that were saved as records (opencpc-records(5)), for a comparison with others. */
#ifndef SUITE_SERIES_SAVED_H
#define SUITE_SERIES_SAVED_H

#include "suite/series/comparable.h"

/* The last series of a file. The strings live as long as the structure. */
struct saved {
	struct runs runs;
	struct runs_event *event;
	struct comparable was;	     /* what the runs were made with */
	struct json_t *run, *series; /* own the strings */
};

/*
 * Read a file of records. Returns 0; or -1 after writing into err, which has size bytes,
 * why the file has no series that can be read. saved_free() is called in each case.
 */
int saved_read(struct saved *s, const char *path, char *err, size_t size);
void saved_free(struct saved *s);

#endif
