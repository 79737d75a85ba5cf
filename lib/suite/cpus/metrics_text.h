/* Families of metrics as text: how they are described, their names and labels. */
#ifndef SUITE_CPUS_METRICS_TEXT_H
#define SUITE_CPUS_METRICS_TEXT_H

#include "base/text.h"

enum openmetrics_type { OPENMETRICS_COUNTER, OPENMETRICS_GAUGE, OPENMETRICS_INFO };

/* OpenMetrics, or the text format of Prometheus, where OpenMetrics' own is comment. */
enum openmetrics_form { OPENMETRICS_STRICT, OPENMETRICS_PROM };

struct openmetrics_family {
	const char *name; /* without what the type adds; ends in the unit */
	enum openmetrics_type type;
	const char *unit; /* NULL: none */
	const char *help; /* to be written as it is */
};

/* HELP, TYPE and UNIT. */
void metrics_text_head(struct textbuf *b, const struct openmetrics_family *f,
		       enum openmetrics_form form);

/* The name of the family's samples. */
void metrics_text_name(struct textbuf *b, const struct openmetrics_family *f);

/* s as the value of a label, with its quotes. Bytes that are not UTF-8 become U+FFFD. */
void metrics_text_quoted(struct textbuf *b, const char *s);

/* The end of the text. */
void metrics_text_end(struct textbuf *b);

#endif
