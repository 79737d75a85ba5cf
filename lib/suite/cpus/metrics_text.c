#include "suite/cpus/metrics_text.h"

static const struct {
	const char *suffix;  /* of samples */
	const char *type[2]; /* by form */
} types[] = {
	[OPENMETRICS_COUNTER] = {"_total", {"counter", "counter"}},
	[OPENMETRICS_GAUGE] = {"", {"gauge", "gauge"}},
	[OPENMETRICS_INFO] = {"_info", {"info", "gauge"}},
};

void openmetrics_text_name(struct rowbuf *b, const struct openmetrics_family *f)
{
	rowbuf_str(b, f->name);
	rowbuf_str(b, types[f->type].suffix);
}

static void line(struct rowbuf *b, const char *word, const struct openmetrics_family *f,
		 enum openmetrics_form form, const char *text)
{
	rowbuf_str(b, word);
	if (form == OPENMETRICS_PROM)
		openmetrics_text_name(b, f);
	else
		rowbuf_str(b, f->name);
	rowbuf_char(b, ' ');
	rowbuf_str(b, text);
	rowbuf_char(b, '\n');
}

void openmetrics_text_head(struct rowbuf *b, const struct openmetrics_family *f,
			   enum openmetrics_form form)
{
	line(b, "# HELP ", f, form, f->help);
	line(b, "# TYPE ", f, form, types[f->type].type[form]);
	if (f->unit)
		line(b, "# UNIT ", f, form, f->unit);
}

/* Source: OpenMetrics 1.0.0, ABNF, escaped-string */
void openmetrics_text_quoted(struct rowbuf *b, const char *s)
{
	rowbuf_char(b, '"');
	while (*s) {
		if (*s == '\n') {
			rowbuf_str(b, "\\n");
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			rowbuf_char(b, '\\');
		s += rowbuf_utf8(b, s);
	}
	rowbuf_char(b, '"');
}

void openmetrics_text_end(struct rowbuf *b)
{
	rowbuf_str(b, "# EOF\n");
}
