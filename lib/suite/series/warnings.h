/*
 * Reasons to distrust the values of repeated runs. Drift and bursts matter for one
 * command alone: in pairs they meet both commands alike.
 */
#ifndef SUITE_SERIES_WARNINGS_H
#define SUITE_SERIES_WARNINGS_H

#include "base/text.h"
#include "suite/series/runs.h"

enum warning_id {
	WARNING_TOO_FEW,  /* for any statement about what varies */
	WARNING_DRIFT,	  /* from the first run to the last */
	WARNING_BURSTS,	  /* neighbours are alike */
	WARNING_OUTLIERS, /* a tenth of the values */
	WARNING_SHARED,	  /* runs waited for a CPU */
	WARNING_STEAL,	  /* the host of this virtual machine took time from it */
	WARNING_SEED	  /* counts differ in each run, as with a random hash seed */
};

struct warning {
	enum warning_id id;
	const char *event; /* of struct runs; NULL: the runs as a whole */
};

/* A list. It starts as zeros. */
struct warnings {
	size_t n;
	struct warning *list;
};

/* What is known about the runs besides their values. */
struct warnings_facts {
	double alpha;		/* the probability of a false alarm; 0: not known */
	const uint64_t *cpu_ns; /* the processor time of each run, ns; NULL: not known */
	double stolen;		/* part of the time of all CPUs that was stolen */
	const char
		*interpreter; /* that draws a hash seed, of interpreter_of(); or NULL */
};

/*
 * Find the warnings about the runs of one command; pairs: about one of several commands.
 * facts can be NULL. Returns -1 with ENOMEM. The caller frees the list in each case.
 */
int warnings_find(struct warnings *w, const struct runs *s,
		  const struct warnings_facts *facts, int pairs);
void warnings_free(struct warnings *w);

/*
 * Add a warning that was saved, by its name in records. event is of the runs, or NULL.
 * A name that is not known is left out. Returns -1 with ENOMEM.
 */
int warnings_add(struct warnings *w, const char *name, const char *event);

/* Returns the name that records have: "drift". */
const char *warnings_name(enum warning_id id);

/*
 * Append a warning as a sentence; facts are those by which the warning was found. With
 * NULL, the sentence leaves them out.
 */
void warnings_put(struct textbuf *b, const struct warning *w, const struct runs *s,
		  const struct warnings_facts *facts);

/*
 * Returns the part of the time of all CPUs that was stolen between two readings of
 * /proc/stat, from 0 to 1.
 */
double warnings_stolen(const char *before, const char *after);

#endif
