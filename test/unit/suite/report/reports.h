/*
 * Reports about the text of a file of records, for tests. To be included once in a
 * program, after records.h.
 */
#ifndef REPORTS_H
#define REPORTS_H

#include "suite/report/report.h"

/* A report: what was written, said and found. It starts as zeros but for the options. */
struct reported {
	const char *format;
	const char *baseline; /* the text of a file, or NULL */
	const char *limits;   /* of --limit, or NULL */
	int strict;
	struct report r;
	struct textbuf out;
	char said[2048]; /* the notes and warnings, each with a bar behind it */
	char why[256];
	int rc; /* of report_file() */
	char *text;
};

static inline int reports_keep(void *arg, const char *text, size_t n)
{
	assert_non_null(text);
	textbuf_put(arg, text, n);
	return 0;
}

static struct reported *reports_now;

static inline void reports_say(void *arg, const char *text)
{
	(void)arg;
	records_put(reports_now->said, sizeof reports_now->said, "%s|", text);
}

/* Reads the file of --baseline, which must be one. */
static inline void reports_baseline(struct saved *s, const char *text)
{
	char path[64], why[256];
	const int fd = records_file(text, path, sizeof path);

	if (saved_read(s, path, why, sizeof why) == -1)
		fail_msg("baseline: %s", why);
	close(fd);
}

/* Makes the report. reports_end() is called after it. */
static inline void reports_make(struct reported *o, const char *records)
{
	struct gate gate = {0};
	struct saved saved = {.run = NULL};
	char path[64];
	const char *bad;
	const int fd = records_file(records, path, sizeof path);

	if (o->baseline)
		reports_baseline(&saved, o->baseline);
	if (o->limits)
		assert_int_equal(gate_add(&gate, o->limits, &bad), 0);
	o->r = (struct report){.writer = report_writer(o->format),
			       .out = {&o->out, reports_keep},
			       .frame = {.rows = 24, .columns = 80},
			       .strict = o->strict,
			       .gate = &gate,
			       .baseline = o->baseline ? &saved : NULL,
			       .baseline_name = "base",
			       .note = reports_say,
			       .warn = reports_say};
	reports_now = o;
	assert_non_null(o->r.writer);
	assert_int_equal(report_begin(&o->r), 0);
	o->rc = report_file(&o->r, path, o->why, sizeof o->why);
	assert_int_equal(report_end(&o->r), 0);
	o->text = textbuf_end(&o->out);
	assert_non_null(o->text);
	saved_free(&saved);
	gate_free(&gate);
	close(fd);
}

static inline void reports_end(struct reported *o)
{
	free(o->text);
}

#endif
