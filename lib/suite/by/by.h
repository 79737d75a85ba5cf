/*
 * Files of records (opencpc-records(5)) joined: what each event has counted for each
 * rank, host, CPU, LWP or label. The files are read record by record.
 */
#ifndef SUITE_BY_BY_H
#define SUITE_BY_BY_H

#include <stdint.h>

#include "suite/by/values.h"

enum by_kind { BY_RANK, BY_HOST, BY_CPU, BY_LWP, BY_LABEL };

/* What was found beside values; the page cpcreport(1) says what becomes of each. */
enum by_problem {
	BY_KILLED,	/* a run has no last record */
	BY_PROVISIONAL, /* the last record of a run is provisional */
	BY_KEYLESS,	/* a run has no key */
	BY_TWICE,	/* a run came a second time, and was left out */
	BY_SHARED,	/* a key has several runs, whose values are added */
	BY_SERIES,	/* a key has several series, of which the first one is taken */
	BY_ORPHANS,	/* a record came without the first record of its run before it */
	BY_PROBLEMS
};

/* How many there were, and the file of the first one. */
struct by_found {
	unsigned n;
	char path[256];
};

/* A rank that has a run. */
struct by_rank {
	uint64_t job; /* a hash of what the rank belongs to */
	uint32_t rank;
	int64_t size; /* the number of ranks, or -1 */
};

/* A run that has begun. */
struct by_state {
	struct by_run *open; /* NULL: it has ended */
	int is_twice;	     /* it came a second time: its records are left out */
};

/* kind and label are the caller's; the others start as zeros. */
struct by {
	enum by_kind kind;
	const char *label; /* BY_LABEL: the key of the label */
	struct values values;
	struct names runs;	/* their ids */
	struct by_state *state; /* [runs.n] */
	unsigned states;
	struct by_run *open; /* the runs that have begun, but not ended */
	struct by_rank *rank;
	unsigned ranks;
	struct by_found found[BY_PROBLEMS];
};

/*
 * Fill kind and label from the text of --by, which lives as long. Returns 0, or -1 if it
 * is no such word.
 */
int by_parse(struct by *b, const char *text);

void by_free(struct by *b);

/* Count a problem, with the file of the first one. */
void by_find(struct by *b, enum by_problem problem, const char *path);

/* Returns the words for keys: "rank" and "ranks"; of labels the key is label. */
const char *by_word(const struct by *b, int many);

/*
 * Returns the text of a key: without its host if all CPUs or LWPs are of one host, which
 * is the case if one_host is 1.
 */
const char *by_key(const struct by *b, unsigned key, int one_host);
int by_one_host(const struct by *b);

#endif
