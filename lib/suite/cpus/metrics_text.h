/* Families of metrics as text: their descriptions, names and labels. */
#ifndef SUITE_CPUS_METRICS_TEXT_H
#define SUITE_CPUS_METRICS_TEXT_H

#include "base/text.h"

enum openmetrics_type { OPENMETRICS_COUNTER, OPENMETRICS_GAUGE, OPENMETRICS_INFO };

/* OpenMetrics, or the text format of Prometheus, to which the extras are comments. */
enum openmetrics_form { OPENMETRICS_STRICT, OPENMETRICS_PROM };

struct openmetrics_family {
	const char *name; /* ends in the unit; without the suffix of the type */
	enum openmetrics_type type;
	const char *unit; /* or NULL */
	const char *help; /* without characters that need escapes */
};

/* Append the lines HELP, TYPE and UNIT. */
void metrics_text_head(struct textbuf *b, const struct openmetrics_family *f,
		       enum openmetrics_form form);

/* Append the name of the family's samples. */
void metrics_text_name(struct textbuf *b, const struct openmetrics_family *f);

/*
 * Append the value of a label in quotes. Bytes that are not UTF-8 become U+FFFD, and
 * control characters except a line break '?'.
 */
void metrics_text_quoted(struct textbuf *b, const char *s);

/* Append the end of the text. */
void metrics_text_end(struct textbuf *b);

#endif
