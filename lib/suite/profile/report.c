#include "suite/profile/report.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/quote.h"
#include "suite/profile/view_code.h"
#include "suite/profile/view_data.h"
#include "suite/profile/view_record.h"

const struct view *const report_views[] = {
	&view_symbol, &view_function, &view_module,  &view_file,      &view_line,
	&view_ip,     &view_thread,   &view_core,    &view_branch,    &view_value,
	&view_source, &view_data,     &view_address, &view_cacheline, &view_sharing,
	&view_page,   &view_marker,   NULL};

const struct view *report_view(const char *name)
{
	for (const struct view *const *v = report_views; *v; v++)
		if (strcmp((*v)->name, name) == 0)
			return *v;
	return NULL;
}

/* The time in UTC, which does not depend on the zone of the reader. */
static void put_time(struct textbuf *b, uint64_t unix_ns)
{
	const time_t s = (time_t)(unix_ns / 1000000000);
	struct tm tm;
	char text[64];

	if (!gmtime_r(&s, &tm))
		return;
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm);
	textbuf_str(b, text);
}

static void put_event(struct textbuf *b, const struct recording_event *e)
{
	textbuf_str(b, "  ");
	textbuf_clean(b, e->name);
	textbuf_str(b, ": ");
	textbuf_clean(b, e->source && *e->source ? e->source : "source not known");
	if (e->events != UINT64_MAX) {
		textbuf_str(b, ", ");
		textbuf_num(b, e->events, 0);
		textbuf_str(b, e->events == 1 ? " event" : " events");
	}
	if (e->id && e->interval) {
		textbuf_str(b, ", a record for each");
		if (e->interval > 1) {
			textbuf_char(b, ' ');
			textbuf_num(b, e->interval, 0);
		}
	}
	textbuf_char(b, '\n');
}

static void put_input(struct textbuf *b, const struct profile *p, size_t i)
{
	const struct recording *r = p->input[i].recording;

	textbuf_clean(b, p->input[i].name);
	textbuf_str(b, ": ");
	textbuf_clean(b, r->command   ? r->command
			 : r->program ? r->program
				      : "command not known");
	if (r->pid) {
		textbuf_str(b, ", process ");
		textbuf_num(b, (uint64_t)r->pid, 0);
	}
	if (r->unix_ns) {
		textbuf_str(b, ", ");
		put_time(b, r->unix_ns);
	}
	textbuf_char(b, '\n');
	for (size_t k = 0; k < r->nevent; k++)
		put_event(b, &r->event[k]);
}

static void put_lost(struct textbuf *b, uint64_t n, const char *one, const char *many)
{
	if (n == 0)
		return;
	textbuf_num(b, n, 0);
	textbuf_str(b, n == 1 ? one : many);
}

void report_put_head(struct textbuf *b, const struct profile *p)
{
	for (size_t i = 0; i < p->ninput; i++)
		put_input(b, p, i);
	put_lost(b, p->missed, " event found no room in its ring and is missing.\n",
		 " events found no room in their rings and are missing.\n");
	put_lost(b, p->invalid, " record has no event and is left out.\n",
		 " records have no event and are left out.\n");
	put_lost(b, p->absent, " record is not in its file, which has been cut.\n",
		 " records are not in their files, which have been cut.\n");
	textbuf_str(b, "LWP records have no stacks: each number belongs to the function "
		       "of the instruction itself.\n");
}

void report_put_metric(struct textbuf *b, const struct profile_metric *m)
{
	textbuf_str(b, profile_number_name(m->number));
	if (m->number == PROFILE_WEIGHTED && m->interval) {
		textbuf_char(b, ' ');
		textbuf_num(b, m->interval, 0);
	}
	if (*m->source) {
		textbuf_str(b, ", ");
		textbuf_clean(b, m->source);
	}
}

/* Returns whether a view shows a metric. */
static int shows(const struct view *v, const struct profile_metric *m)
{
	if (m->total == 0 || (v->id && v->id != m->id))
		return 0;
	return v->counts ? !m->covered : m->number != PROFILE_COUNTS;
}

static const char *make_title(struct sheet *t, const struct view *v,
			      const struct profile_metric *m)
{
	struct textbuf b = {0};

	textbuf_char(&b, '\n');
	textbuf_clean(&b, m->event);
	textbuf_char(&b, ' ');
	textbuf_str(&b, v->title);
	textbuf_str(&b, ": ");
	report_put_metric(&b, m);
	textbuf_str(&b, ", ");
	textbuf_num(&b, m->total, 0);
	textbuf_str(&b, " in all\n");
	return sheet_string(t, &b);
}

static struct sheet new_sheet(const struct view *v)
{
	return (struct sheet){
		.name = v->name, .ncolumn = v->ncolumn, .column = v->column};
}

/* Append the table unless it is empty, and free it. Returns whether it has rows. */
static int end_table(struct textbuf *b, struct sheet *t, enum text_format format)
{
	const int has_rows = t->nrow > 0;

	if (has_rows || t->failed)
		sheet_put(b, t, format);
	sheet_free(t);
	return has_rows;
}

int report_sheet(struct sheet *t, const struct profile *p, unsigned metric,
		 const struct view *v, const struct view_options *o)
{
	*t = new_sheet(v);
	if (!shows(v, &p->metric[metric]))
		return 0;
	t->title = make_title(t, v, &p->metric[metric]);
	if (v->rows(t, p, metric, v, o) == -1)
		t->failed = 1;
	return t->failed ? -1 : 0;
}

/* Text has a table for each metric. */
static int put_tables(struct textbuf *b, const struct profile *p, const struct view *v,
		      const struct report *r)
{
	int n = 0;

	for (unsigned m = 0; m < p->nmetric; m++) {
		struct sheet t;

		report_sheet(&t, p, m, v, &r->options);
		n += end_table(b, &t, r->format);
	}
	return n;
}

/* CSV and JSON have one table for all metrics. */
static int put_table(struct textbuf *b, const struct profile *p, const struct view *v,
		     const struct report *r)
{
	struct sheet t = new_sheet(v);

	for (unsigned m = 0; m < p->nmetric; m++)
		if (shows(v, &p->metric[m]) && v->rows(&t, p, m, v, &r->options) == -1)
			t.failed = 1;
	return end_table(b, &t, r->format);
}

static void put_json_input(struct textbuf *b, const struct profile_input *input)
{
	const struct recording *r = input->recording;

	textbuf_str(b, "{\"record\":\"recording\"");
	quote_json_text(b, "file", input->name);
	quote_json_number(b, "pid", r->pid != 0, (uint64_t)r->pid);
	quote_json_text(b, "command", r->command);
	quote_json_text(b, "program", r->program);
	quote_json_number(b, "unix_ns", r->unix_ns != 0, r->unix_ns);
	textbuf_str(b, "}\n");
}

static void put_json_metric(struct textbuf *b, const struct profile_metric *m)
{
	textbuf_str(b, "{\"record\":\"metric\"");
	quote_json_text(b, "event", m->event);
	quote_json_text(b, "number", profile_number_name(m->number));
	quote_json_text(b, "source", *m->source ? m->source : NULL);
	quote_json_number(b, "interval", m->interval != 0, m->interval);
	quote_json_number(b, "records", m->number != PROFILE_COUNTS, m->records);
	quote_json_number(b, "total", 1, m->total);
	textbuf_str(b, "}\n");
}

static void put_json_head(struct textbuf *b, const struct profile *p)
{
	textbuf_str(b, "{\"record\":\"report\",\"schema\":1");
	quote_json_number(b, "records", 1, p->records);
	quote_json_number(b, "missed", 1, p->missed);
	quote_json_number(b, "invalid", 1, p->invalid);
	quote_json_number(b, "absent", 1, p->absent);
	textbuf_str(b, "}\n");
	for (size_t i = 0; i < p->ninput; i++)
		put_json_input(b, &p->input[i]);
	for (unsigned m = 0; m < p->nmetric; m++)
		put_json_metric(b, &p->metric[m]);
}

int report_put(struct textbuf *b, const struct profile *p, const struct report *r)
{
	int n = 0;

	if (r->format == TEXT_PLAIN)
		report_put_head(b, p);
	else if (r->format == TEXT_JSON)
		put_json_head(b, p);
	for (unsigned i = 0; i < r->nview; i++) {
		const size_t old = b->len;

		if (r->format == TEXT_PLAIN)
			n += put_tables(b, p, r->view[i], r);
		else
			n += put_table(b, p, r->view[i], r);
		if (r->format == TEXT_CSV && i + 1 < r->nview && b->len > old)
			textbuf_char(b, '\n');
	}
	if (b->failed) {
		errno = ENOMEM;
		return -1;
	}
	return n;
}
