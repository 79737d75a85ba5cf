/* Reports: the tables of a profile as text, CSV or JSON. */
#ifndef SUITE_PROFILE_REPORT_H
#define SUITE_PROFILE_REPORT_H

#include "suite/profile/view.h"

/* The views in the order in which lists and messages name them; NULL after the last. */
extern const struct view *const report_views[];

/* Return the view with this name, or NULL. */
const struct view *report_view(const char *name);

struct report {
	const struct view *const *view;
	unsigned nview;
	struct view_options options;
	enum text_format format;
};

/*
 * Append the report. Text begins with a paragraph for each recording; JSON with a line of
 * record "recording" for each, one of record "report", and one of record "metric" for
 * each metric. In CSV an empty line is between two views. Metrics that have no rows in a
 * view are left out. Returns the number of tables that have rows, or -1 with ENOMEM.
 */
int report_put(struct textbuf *b, const struct profile *p, const struct report *r);

/*
 * Make the sheet of a metric in a view, without rows if the view does not show this
 * metric. Returns 0, or -1 with ENOMEM; the caller frees the sheet in both cases.
 */
int report_sheet(struct sheet *t, const struct profile *p, unsigned metric,
		 const struct view *v, const struct view_options *o);

/* Append the lines above the tables of a text: about the recordings, and what is lost. */
void report_put_head(struct textbuf *b, const struct profile *p);

/* Append what the numbers of a metric are, such as "exact counts, simulated r10000". */
void report_put_metric(struct textbuf *b, const struct profile_metric *m);

#endif
