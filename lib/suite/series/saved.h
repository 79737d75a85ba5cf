/* Runs that were saved as records (opencpc-records(5)), for a comparison with others. */
#ifndef SUITE_SERIES_SAVED_H
#define SUITE_SERIES_SAVED_H

#include "suite/series/comparable.h"
#include "suite/series/warnings.h"
#include "suite/where/counts.h"

/* The runs of one command, of a record of the kind "series". */
struct saved_series {
	struct runs runs;
	struct runs_event *event;
	uint64_t number; /* of the command in the run of the tool */
	struct facts facts;
	struct warnings warnings; /* of which the record has the names */
	struct where *where;	  /* counts by function, or NULL */
	struct saved_node *record;
};

/*
 * Fill *s from a copy of a record, which *s keeps. Returns 0, or -1 with EINVAL if the
 * record is malformed, or with ENOMEM. saved_series_free() is called in each case.
 */
int saved_series_read(struct saved_series *s, const struct saved_node *record);
void saved_series_free(struct saved_series *s);

/*
 * Add a function of a series, of a record of the kind "function". Returns as
 * saved_series_read(). After the last function the caller sorts s->where.
 */
int saved_series_function(struct saved_series *s, const struct saved_node *record);

/*
 * Returns what the runs of a series were made with; run is the record of their run. The
 * strings are those of the records, and the runs those of the series.
 */
struct comparable saved_comparable(const struct saved_node *run,
				   const struct saved_series *s);

/* The last series of a file. The strings live as long as the structure. */
struct saved {
	struct saved_series series;
	struct comparable was; /* what the runs were made with */
	struct saved_node *run;
};

/*
 * Read a file of records. Returns 0; or -1 after writing into err, which has size bytes,
 * why the file has no series that can be read. saved_free() is called in each case.
 */
int saved_read(struct saved *s, const char *path, char *err, size_t size);
void saved_free(struct saved *s);

#endif
