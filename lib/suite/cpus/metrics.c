#include "suite/cpus/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/replace.h"
#include "suite/cpus/metrics_text.h"
#include "suite/cpus/places.h"

struct openmetrics {
	char *path;
	enum openmetrics_form form;
	unsigned nsets;
	const struct row_set *const *set;
	char *constant; /* the labels of all samples, each with a comma after it */
	char **labels;	/* of each counter, without the labels of places */
	struct places places;
	uint64_t samples, skipped;
	uint64_t *bound_ns; /* of each set */
	int64_t unix_ns, start_ns;
	unsigned cpus, cgroups; /* of the last interval */
	struct replace file;
};

/* The families with a sample for each place and counter, indexed as in put_total(). */
static const struct openmetrics_family totals[] = {
	{"opencpc_events", OPENMETRICS_COUNTER, NULL,
	 "The event happened so many times in the enabled time; the number is "
	 "extrapolated if the event was counted for a part of it. Divide its rate by "
	 "that of opencpc_enabled_seconds_total, because sets take turns."},
	{"opencpc_enabled_seconds", OPENMETRICS_COUNTER, "seconds",
	 "The event was to be counted for this time. Only intervals that gave a value "
	 "are included."},
	{"opencpc_running_seconds", OPENMETRICS_COUNTER, "seconds",
	 "The event was counted for this time."},
};

/* The family with a sample for each set. */
static const struct openmetrics_family bound = {
	"opencpc_bound_seconds", OPENMETRICS_COUNTER, "seconds",
	"The set was bound for this time. Divide the rate of the events of cgroups by "
	"the rate of this, because they are enabled only while the cgroup runs."};

static const struct openmetrics_family request = {
	"opencpc_request", OPENMETRICS_INFO, NULL,
	"The labels describe a request of -c; the label note tells how the event is "
	"counted if this differs from the request."};

static const struct openmetrics_family samples = {
	"opencpc_samples", OPENMETRICS_COUNTER, NULL, "So many intervals were sampled."};

static const struct openmetrics_family skipped_samples = {
	"opencpc_samples_skipped", OPENMETRICS_COUNTER, NULL,
	"So many intervals were left out because they were late."};

static const struct openmetrics_family start_time = {
	"opencpc_start_time_seconds", OPENMETRICS_GAUGE, "seconds",
	"The run began at this time, in seconds since 1970. All totals were 0 then."};

static const struct openmetrics_family timestamp = {
	"opencpc_last_sample_timestamp_seconds", OPENMETRICS_GAUGE, "seconds",
	"The last interval that was sampled ended at this time, in seconds since "
	"1970."};

static const struct openmetrics_family cpus = {
	"opencpc_cpus", OPENMETRICS_GAUGE, NULL,
	"So many CPUs were sampled in the last interval."};

static const struct openmetrics_family sampled_cgroups = {
	"opencpc_cgroups", OPENMETRICS_GAUGE, NULL,
	"So many cgroups were sampled in the last interval."};

/* Append the labels of a counter. */
static void put_counter(struct textbuf *b, unsigned set, const struct row_set *s,
			unsigned i)
{
	textbuf_str(b, "set=\"");
	textbuf_num(b, set, 0);
	textbuf_str(b, "\",pic=\"");
	textbuf_num(b, s->pic[i], 0);
	textbuf_str(b, "\",event=");
	metrics_text_quoted(b, s->event[i]);
	if (s->mode) {
		textbuf_str(b, ",mode=");
		metrics_text_quoted(b, s->mode[i]);
	}
	if (s->attrs) {
		textbuf_str(b, ",attrs=");
		metrics_text_quoted(b, s->attrs[i]);
	}
}

static int make_labels(struct openmetrics *m)
{
	unsigned at = 0;

	for (unsigned set = 0; set < m->nsets; set++) {
		for (unsigned i = 0; i < m->set[set]->n; i++) {
			struct textbuf b = {0};
			put_counter(&b, set, m->set[set], i);
			textbuf_str(&b, "} ");
			m->labels[at] = textbuf_end(&b);
			if (!m->labels[at++])
				return -1;
		}
	}
	return 0;
}

/* The names of the labels of all families. */
static const char *const label_names[] = {"cpu",   "core", "socket", "cgroup",
					  "set",   "pic",  "event",  "mode",
					  "attrs", "spec", "note"};

int openmetrics_has_label(const char *key)
{
	for (unsigned i = 0; i < sizeof label_names / sizeof *label_names; i++)
		if (strcmp(label_names[i], key) == 0)
			return 1;
	return 0;
}

static char *make_constant(const struct openmetrics_options *o)
{
	struct textbuf b = {0};

	for (unsigned i = 0; i < o->nlabels; i++) {
		textbuf_str(&b, o->label[i].key);
		textbuf_char(&b, '=');
		metrics_text_quoted(&b, o->label[i].value);
		textbuf_char(&b, ',');
	}
	return textbuf_end(&b);
}

static enum openmetrics_form form_of(const char *path)
{
	static const char prom[] = ".prom";
	const size_t len = strlen(path), end = sizeof prom - 1;

	return len >= end && strcmp(path + len - end, prom) == 0 ? OPENMETRICS_PROM
								 : OPENMETRICS_STRICT;
}

/* Test whether the file can be written. */
static int try_file(struct openmetrics *m)
{
	if (replace_begin(&m->file) == -1)
		return -1;
	replace_drop(&m->file);
	return 0;
}

static int is_scope(const struct openmetrics_options *o)
{
	return o->scope == ROW_CPUS || o->scope == ROW_CORES || o->scope == ROW_SOCKETS ||
	       (o->scope == ROW_CGROUPS && o->cgroups);
}

struct openmetrics *openmetrics_new(const struct openmetrics_options *o,
				    const struct row_set *const *set, unsigned nsets)
{
	if (!is_scope(o)) {
		errno = EINVAL;
		return NULL;
	}
	struct openmetrics *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->form = form_of(o->path);
	m->nsets = nsets;
	m->set = set;
	const int opened = places_open(&m->places, o->scope, o->cgroups, set, nsets);
	/* at least one element: calloc(3) of none may return NULL */
	m->labels = calloc(m->places.ncounters + 1, sizeof *m->labels);
	m->bound_ns = calloc(nsets + 1, sizeof *m->bound_ns);
	m->constant = make_constant(o);
	m->path = strdup(o->path);
	replace_open(&m->file, m->path);
	if (opened == 0 && m->labels && m->bound_ns && m->constant && m->path &&
	    make_labels(m) == 0 && try_file(m) == 0)
		return m;
	const int e = errno;
	openmetrics_free(m);
	errno = e;
	return NULL;
}

void openmetrics_free(struct openmetrics *m)
{
	if (!m)
		return;
	for (unsigned c = 0; m->labels && c < m->places.ncounters; c++)
		free(m->labels[c]);
	free(m->labels);
	free(m->bound_ns);
	free(m->constant);
	places_close(&m->places);
	free(m->path);
	replace_close(&m->file);
	free(m);
}

int openmetrics_announce(struct openmetrics *m, const struct cpu_interval *i)
{
	return places_announce(&m->places, i);
}

void openmetrics_drop(struct openmetrics *m, const char *cgroup)
{
	places_drop(&m->places, cgroup);
}

static void put_label(struct textbuf *b, const char *name, int number)
{
	textbuf_str(b, name);
	textbuf_str(b, "=\"");
	if (number >= 0)
		textbuf_num(b, (uint64_t)number, 0);
	textbuf_str(b, "\",");
}

static void put_place(struct textbuf *b, const struct openmetrics *m,
		      const struct place *p)
{
	const enum row_scope scope = m->places.scope;

	textbuf_char(b, '{');
	textbuf_str(b, m->constant);
	if (p->cgroup) {
		textbuf_str(b, "cgroup=");
		metrics_text_quoted(b, p->cgroup);
		textbuf_char(b, ',');
	}
	if (scope == ROW_CGROUPS)
		return;
	if (scope == ROW_CPUS)
		put_label(b, "cpu", p->cpu);
	if (scope != ROW_SOCKETS)
		put_label(b, "core", p->core);
	put_label(b, "socket", p->socket);
}

/* Append the labels of a place, which are made once. */
static void put_labels(struct textbuf *b, const struct openmetrics *m, struct place *p)
{
	if (!p->labels) {
		struct textbuf text = {0};

		put_place(&text, m, p);
		p->labels = textbuf_end(&text);
	}
	if (p->labels)
		textbuf_str(b, p->labels);
	else
		b->failed = 1;
}

/* Append a name, and the constant labels without the last comma. */
static void put_name(struct textbuf *b, const struct openmetrics *m,
		     const struct openmetrics_family *f)
{
	metrics_text_name(b, f);
	if (*m->constant) {
		textbuf_char(b, '{');
		textbuf_put(b, m->constant, strlen(m->constant) - 1);
		textbuf_char(b, '}');
	}
	textbuf_char(b, ' ');
}

static void put_total(struct textbuf *b, unsigned family, const struct place_total *t)
{
	if (family == 0)
		textbuf_num(b, t->value, 0);
	else
		textbuf_fixed(b, family == 1 ? t->times.enabled : t->times.running, 9, 0);
}

static void put_totals(struct openmetrics *m, unsigned family)
{
	struct textbuf *b = &m->file.text;

	metrics_text_head(b, &totals[family], m->form);
	for (unsigned p = 0; p < m->places.n; p++) {
		for (unsigned c = 0; c < m->places.ncounters; c++) {
			const struct place_total *t = &m->places.place[p].total[c];
			if (!place_total_is_shown(t))
				continue;
			metrics_text_name(b, &totals[family]);
			put_labels(b, m, &m->places.place[p]);
			textbuf_str(b, m->labels[c]);
			put_total(b, family, t);
			textbuf_char(b, '\n');
			replace_grown(&m->file);
		}
	}
}

static void put_bound(struct openmetrics *m)
{
	struct textbuf *b = &m->file.text;

	metrics_text_head(b, &bound, m->form);
	for (unsigned set = 0; set < m->nsets; set++) {
		metrics_text_name(b, &bound);
		textbuf_char(b, '{');
		textbuf_str(b, m->constant);
		textbuf_str(b, "set=\"");
		textbuf_num(b, set, 0);
		textbuf_str(b, "\"} ");
		textbuf_fixed(b, m->bound_ns[set], 9, 0);
		textbuf_char(b, '\n');
	}
}

static void put_requests(struct openmetrics *m)
{
	struct textbuf *b = &m->file.text;

	metrics_text_head(b, &request, m->form);
	for (unsigned set = 0; set < m->nsets; set++) {
		const struct row_set *s = m->set[set];
		for (unsigned i = 0; i < s->n; i++) {
			const char *note = s->note ? s->note[i] : NULL;
			metrics_text_name(b, &request);
			textbuf_char(b, '{');
			textbuf_str(b, m->constant);
			put_counter(b, set, s, i);
			textbuf_str(b, ",spec=");
			metrics_text_quoted(b, s->spec ? s->spec : "");
			textbuf_str(b, ",note=");
			metrics_text_quoted(b, note ? note : "");
			textbuf_str(b, "} 1\n");
			replace_grown(&m->file);
		}
	}
}

static void put_number(struct openmetrics *m, const struct openmetrics_family *f,
		       uint64_t v)
{
	struct textbuf *b = &m->file.text;

	metrics_text_head(b, f, m->form);
	put_name(b, m, f);
	textbuf_num(b, v, 0);
	textbuf_char(b, '\n');
}

/* A time in ns since 1970 that is not known is not written. */
static void put_time(struct openmetrics *m, const struct openmetrics_family *f,
		     int64_t unix_ns, int known)
{
	struct textbuf *b = &m->file.text;

	metrics_text_head(b, f, m->form);
	if (!known)
		return;
	put_name(b, m, f);
	textbuf_fixed(b, (uint64_t)unix_ns, 9, 0);
	textbuf_char(b, '\n');
}

static int put_file(struct openmetrics *m)
{
	if (replace_begin(&m->file) == -1)
		return -1;
	for (unsigned f = 0; f < sizeof totals / sizeof *totals; f++)
		put_totals(m, f);
	put_bound(m);
	put_requests(m);
	put_number(m, &samples, m->samples);
	put_number(m, &skipped_samples, m->skipped);
	put_time(m, &start_time, m->start_ns, 1);
	put_time(m, &timestamp, m->unix_ns, m->samples > 0);
	put_number(m, &cpus, m->cpus);
	if (m->places.cgroups)
		put_number(m, &sampled_cgroups, m->cgroups);
	metrics_text_end(&m->file.text);
	return replace_replace(&m->file);
}

int openmetrics_lock(const struct openmetrics *m)
{
	return m->file.lock == -1 ? 0 : outfile_lock(m->file.lock);
}

int openmetrics_start(struct openmetrics *m, int64_t unix_ns)
{
	m->start_ns = unix_ns;
	return put_file(m);
}

int openmetrics_again(struct openmetrics *m)
{
	return put_file(m);
}

/* Count the cgroups of an interval, and the CPUs of the cgroup that has most. */
static void count_cpus(struct openmetrics *m, const struct cpu_interval *i)
{
	m->cpus = 0;
	m->cgroups = 0;
	for (unsigned s = 0, n; s < i->n; s += n) {
		const char *cgroup = i->sample[s].cgroup;
		for (n = 1; s + n < i->n && i->sample[s + n].cgroup == cgroup; n++)
			;
		m->cgroups++;
		if (m->cpus < n)
			m->cpus = n;
	}
}

int openmetrics_write(struct openmetrics *m, const struct cpu_interval *i,
		      uint64_t skipped, int64_t unix_ns)
{
	if (places_add(&m->places, i) == -1)
		return -1;
	count_cpus(m, i);
	m->bound_ns[i->set] += (uint64_t)i->bound_ns;
	m->skipped = skipped;
	if (i->n) {
		m->samples++;
		m->unix_ns = unix_ns;
	}
	return put_file(m);
}
