#include "notes.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

struct notes *notes_new(const struct row_set *const *set, unsigned nsets)
{
	struct notes *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	n->note = calloc(nsets, sizeof *n->note);
	if (!n->note) {
		free(n);
		return NULL;
	}
	n->set = set;
	for (; n->nsets < nsets; n->nsets++) {
		n->note[n->nsets] = calloc(set[n->nsets]->n + 1, sizeof **n->note);
		if (!n->note[n->nsets]) {
			notes_free(n);
			return NULL;
		}
	}
	return n;
}

void notes_free(struct notes *n)
{
	if (!n)
		return;
	for (unsigned i = 0; i < n->nsets; i++)
		free(n->note[i]);
	free(n->note);
	free(n);
}

void notes_add_one(struct notes *n, unsigned set, unsigned i, const cpc_value_t *value)
{
	struct note *note = &n->note[set][i];

	note->rows++;
	if (value->quality == CPC_UNAVAILABLE) {
		note->missing++;
		return;
	}
	note->enabled += value->enabled;
	note->running += value->running;
	if (value->quality > note->worst)
		note->worst = value->quality;
}

void notes_add(struct notes *n, unsigned set, const cpc_value_t *value)
{
	for (unsigned i = 0; i < n->set[set]->n; i++)
		notes_add_one(n, set, i, &value[i]);
}

/* Is it one that is always 0? That is told, lest it be taken for a count. */
static int is_zero(const char *how)
{
	return strncmp(how, "as 0", 4) == 0;
}

/* Of the rows that have no value. */
static void print_missing(const struct row_set *set, unsigned i, const struct note *note,
			  int simulated)
{
	const char *how = set->note[i] ? set->note[i] : "";
	const char *sep = *how ? ", counted " : "";

	if (simulated)
		warnx("%s: not counted in %lu of %lu rows: the program ran without the simulator",
		      set->event[i], note->missing, note->rows);
	else if (note->missing < note->rows)
		warnx("%s: not counted in %lu of %lu rows%s%s: the kernel found no counters for it then",
		      set->event[i], note->missing, note->rows, sep, how);
	else
		warnx("%s: not counted%s%s: the kernel never found counters for it; %s",
		      set->event[i], sep, how,
		      set->n > 1 ? "ask for fewer events in its set"
				 : "others hold them (perf, the NMI watchdog)");
}

/* Of the rows that have one. */
static void print(const struct row_set *set, unsigned i, const struct note *note)
{
	const char *how = set->note[i] ? set->note[i] : "";
	const char *sep = *how ? ", counted " : "";

	if (note->running < note->enabled)
		warnx("%s: %s: counted %.2f %% of the time, the rest is extrapolated%s%s",
		      set->event[i], cpc_class_name(note->worst),
		      100.0 * (double)note->running / (double)note->enabled, sep, how);
	else if (note->worst == CPC_SIMULATED && !is_zero(how))
		return; /* the notice of the run says so for all */
	else if (note->worst != CPC_EXACT)
		warnx("%s: %s%s%s", set->event[i], cpc_class_name(note->worst), sep, how);
	else if (*how)
		warnx("%s: counted %s", set->event[i], how);
}

int notes_print(const struct notes *n, int simulated)
{
	int inexact = 0;

	for (unsigned s = 0; s < n->nsets; s++)
		for (unsigned i = 0; i < n->set[s]->n; i++) {
			const struct note *note = &n->note[s][i];

			if (note->missing > 0)
				print_missing(n->set[s], i, note, simulated);
			if (note->missing < note->rows)
				print(n->set[s], i, note);
			inexact |= note->missing > 0 || note->worst > CPC_SIMULATED;
		}
	return inexact;
}
