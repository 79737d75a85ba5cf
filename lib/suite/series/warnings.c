#include "suite/series/warnings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "suite/series/interpreter.h"
#include "suite/series/stats.h"

/* The numbers of runs below which nothing can be said: 95 %, 99 %, and counts. */
enum { LEAST = 6, LEAST_99 = 8, LEAST_COUNTS = 3 };

static int add(struct warnings *w, enum warning_id id, const char *event)
{
	if (array_grow(&w->list, w->n, sizeof *w->list) == -1)
		return -1;
	w->list[w->n++] = (struct warning){id, event};
	return 0;
}

void warnings_free(struct warnings *w)
{
	free(w->list);
	*w = (struct warnings){0};
}

static int has_kind(const struct runs *s, enum runs_kind kind)
{
	for (unsigned i = 0; i < s->nevents; i++)
		if (s->event[i].kind == kind)
			return 1;
	return 0;
}

/* Returns the number of runs that the series needs. */
static size_t least_of(const struct runs *s, const struct warnings_facts *facts)
{
	if (!has_kind(s, RUNS_NOISY) || has_kind(s, RUNS_COUNT))
		return LEAST_COUNTS;
	return facts->alpha > 0 && facts->alpha < 0.05 ? LEAST_99 : LEAST;
}

/* A run waited if its ratio is so many times that at the 10 % quantile. */
static const double longer = 1.2;

/*
 * A command that computes in one thread takes as long as its processor time, unless it
 * waits for a CPU. Commands that wait for other things, or compute in several threads,
 * are left out by the quantile. [judgement: their limits]
 */
static int is_shared(double *ratio, size_t n)
{
	const double usual = stats_quantile(ratio, n, 0.1);
	size_t waited = 0;

	if (n < LEAST || usual < 0.9 || usual > 1.25)
		return 0;
	for (size_t i = 0; i < n; i++)
		waited += ratio[i] > longer * usual;
	return 10 * waited >= n;
}

static int warn_shared(struct warnings *w, const struct runs *s, const uint64_t *cpu_ns)
{
	const int elapsed = runs_find(s, "elapsed", NULL);

	if (!cpu_ns || elapsed < 0)
		return 0;
	double *ratio = runs_values(s, (unsigned)elapsed);
	if (!ratio)
		return -1;
	int known = 1;
	for (size_t i = 0; i < s->n; i++) {
		known &= cpu_ns[i] > 0;
		ratio[i] /= (double)cpu_ns[i];
	}
	const int shared = known && is_shared(ratio, s->n);
	free(ratio);
	return shared ? add(w, WARNING_SHARED, NULL) : 0;
}

static int warn_noisy(struct warnings *w, const struct runs *s, unsigned event)
{
	const char *name = s->event[event].name;
	double *v = runs_values(s, event);
	struct stats_spread spread = {0};
	int drifts = -1, bursts = -1, rc = 0;

	if (v && stats_spread(&spread, v, s->n) == 0) {
		drifts = stats_drifts(v, s->n);
		bursts = stats_has_bursts(v, s->n);
	}
	free(v);
	if (drifts == -1 || bursts == -1)
		return -1;
	if (drifts)
		rc |= add(w, WARNING_DRIFT, name);
	if (bursts)
		rc |= add(w, WARNING_BURSTS, name);
	if (10 * (spread.below + spread.above) >= s->n && s->n >= 10)
		rc |= add(w, WARNING_OUTLIERS, name);
	return rc;
}

/* Counts that differ in each run: more values than half the runs. */
static int warn_count(struct warnings *w, const struct runs *s, unsigned event)
{
	struct runs_constancy c;

	runs_constancy(&c, s, event);
	if (s->n < LEAST_COUNTS || c.distinct <= s->n / 2)
		return 0;
	return add(w, WARNING_SEED, s->event[event].name);
}

static int warn_events(struct warnings *w, const struct runs *s,
		       const struct warnings_facts *facts, int pairs)
{
	for (unsigned i = 0; i < s->nevents; i++) {
		if (runs_missing(s, i))
			continue;
		if (s->event[i].kind == RUNS_NOISY && !pairs && warn_noisy(w, s, i) == -1)
			return -1;
		if (s->event[i].kind == RUNS_COUNT && facts->interpreter &&
		    warn_count(w, s, i) == -1)
			return -1;
	}
	return 0;
}

/* The counts of a simulation do not depend on what the host does. */
static int warn_stolen(struct warnings *w, const struct runs *s, double stolen)
{
	for (unsigned i = 0; stolen > 0.01 && i < s->nevents; i++)
		if (s->event[i].kind == RUNS_NOISY)
			return add(w, WARNING_STEAL, NULL);
	return 0;
}

static const struct warnings_facts unknown;

int warnings_find(struct warnings *w, const struct runs *s,
		  const struct warnings_facts *facts, int pairs)
{
	if (!facts)
		facts = &unknown;
	if (s->n == 0)
		return 0;
	if (s->n < least_of(s, facts) && add(w, WARNING_TOO_FEW, NULL) == -1)
		return -1;
	if (warn_events(w, s, facts, pairs) == -1 ||
	    warn_shared(w, s, facts->cpu_ns) == -1)
		return -1;
	return warn_stolen(w, s, facts->stolen);
}

static const char *const names[] = {
	[WARNING_TOO_FEW] = "too few", [WARNING_DRIFT] = "drift",
	[WARNING_BURSTS] = "bursts",   [WARNING_OUTLIERS] = "outliers",
	[WARNING_SHARED] = "shared",   [WARNING_STEAL] = "steal",
	[WARNING_SEED] = "seed",
};

enum { NNAMES = sizeof names / sizeof names[0] };

int warnings_add(struct warnings *w, const char *name, const char *event)
{
	for (unsigned i = 0; i < NNAMES; i++)
		if (strcmp(names[i], name) == 0)
			return add(w, (enum warning_id)i, event);
	return 0;
}

const char *warnings_name(enum warning_id id)
{
	return names[id];
}

static void put_too_few(struct textbuf *b, const struct runs *s,
			const struct warnings_facts *facts)
{
	const size_t least = least_of(s, facts);

	/* A saved warning about so many runs is of a confidence of 99 %. */
	textbuf_format(b, "%zu %s too few to tell what varies: it takes %zu", s->n,
		       s->n == 1 ? "run is" : "runs are",
		       s->n < least ? least : (size_t)LEAST_99);
}

static void put_stolen(struct textbuf *b, double stolen)
{
	char part[32] = "";

	if (stolen > 0)
		snprintf(part, sizeof part, "%.1f %% of the ", 100 * stolen);
	textbuf_str(b, "the host of this virtual machine took ");
	textbuf_str(b, part);
	textbuf_str(b, "processor time: times vary with it");
}

void warnings_put(struct textbuf *b, const struct warning *w, const struct runs *s,
		  const struct warnings_facts *facts)
{
	static const char *const words[] = {
		[WARNING_DRIFT] = "the values drift from the first run to the last",
		[WARNING_BURSTS] = "the values come in bursts, as when other programs "
				   "disturb; --vs compares two commands all the same",
		[WARNING_OUTLIERS] = "a tenth of the runs or more are outliers",
		[WARNING_SHARED] = "the command waited for a CPU in a tenth of the runs "
				   "or more: other programs compute at the same time",
		[WARNING_SEED] = "the counts differ in each run, as with a random seed "
				 "for hashes; --reproducible fixes it",
	};

	if (!facts)
		facts = &unknown;
	if (w->event) {
		textbuf_clean(b, w->event);
		textbuf_str(b, ": ");
	}
	if (w->id == WARNING_TOO_FEW)
		put_too_few(b, s, facts);
	else if (w->id == WARNING_STEAL)
		put_stolen(b, facts->stolen);
	else if (w->id == WARNING_SEED && facts->interpreter)
		interpreter_put_hint(b, facts->interpreter);
	else
		textbuf_str(b, words[w->id]);
}

/* Read the first line of /proc/stat: the time of all CPUs, and what was stolen of it. */
static int read_times(const char *text, uint64_t *all, uint64_t *stolen)
{
	/* user, nice, system, idle, iowait, irq, softirq, steal: proc_stat(5) */
	uint64_t t[8] = {0};

	if (sscanf(text,
		   "cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   " %" SCNu64 " %" SCNu64 " %" SCNu64,
		   &t[0], &t[1], &t[2], &t[3], &t[4], &t[5], &t[6], &t[7]) != 8)
		return -1;
	*all = 0;
	for (unsigned i = 0; i < 8; i++)
		*all += t[i];
	*stolen = t[7];
	return 0;
}

double warnings_stolen(const char *before, const char *after)
{
	uint64_t all[2], stolen[2];

	if (read_times(before, &all[0], &stolen[0]) == -1 ||
	    read_times(after, &all[1], &stolen[1]) == -1 || all[1] <= all[0] ||
	    stolen[1] < stolen[0])
		return 0;
	return (double)(stolen[1] - stolen[0]) / (double)(all[1] - all[0]);
}
