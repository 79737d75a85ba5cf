#include "suite/cpus/metrics_text.h"

static const struct {
	const char *suffix;  /* of the names of samples */
	const char *type[2]; /* indexed by enum openmetrics_form */
} types[] = {
	[OPENMETRICS_COUNTER] = {"_total", {"counter", "counter"}},
	[OPENMETRICS_GAUGE] = {"", {"gauge", "gauge"}},
	[OPENMETRICS_INFO] = {"_info", {"info", "gauge"}},
};

void metrics_text_name(struct textbuf *b, const struct openmetrics_family *f)
{
	textbuf_str(b, f->name);
	textbuf_str(b, types[f->type].suffix);
}

static void line(struct textbuf *b, const char *word, const struct openmetrics_family *f,
		 enum openmetrics_form form, const char *text)
{
	textbuf_str(b, word);
	if (form == OPENMETRICS_PROM)
		metrics_text_name(b, f);
	else
		textbuf_str(b, f->name);
	textbuf_char(b, ' ');
	textbuf_str(b, text);
	textbuf_char(b, '\n');
}

void metrics_text_head(struct textbuf *b, const struct openmetrics_family *f,
		       enum openmetrics_form form)
{
	line(b, "# HELP ", f, form, f->help);
	line(b, "# TYPE ", f, form, types[f->type].type[form]);
	if (f->unit)
		line(b, "# UNIT ", f, form, f->unit);
}

/* Source: OpenMetrics 1.0.0, ABNF, escaped-string */
void metrics_text_quoted(struct textbuf *b, const char *s)
{
	textbuf_char(b, '"');
	while (*s) {
		if (*s == '\n') {
			textbuf_str(b, "\\n");
			s++;
			continue;
		}
		if (*s == '"' || *s == '\\')
			textbuf_char(b, '\\');
		s += textbuf_utf8(b, s);
	}
	textbuf_char(b, '"');
}

void metrics_text_end(struct textbuf *b)
{
	textbuf_str(b, "# EOF\n");
}
