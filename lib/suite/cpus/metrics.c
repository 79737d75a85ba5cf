#include "suite/cpus/metrics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/replace.h"
#include "suite/cpus/metrics_text.h"

/* The state of a counter; the text has a sample of it if ANNOUNCED or COUNTED. */
enum state {
	UNKNOWN,
	ANNOUNCED, /* it exists, and was not yet sampled */
	EMPTY,	   /* it was sampled, and no value was available */
	COUNTED	   /* a value was available */
};

struct times {
	uint64_t enabled, running; /* ns */
};

/* The total of a counter over the intervals that gave a value. */
struct total {
	uint64_t value;
	struct times times;
	enum state state;
	/* of the interval that is being added: the sum over CPUs with a value */
	struct times sum;
	unsigned cpus;
};

/* A CPU, core or socket. Ids are -1 if not known or not in the scope. */
struct place {
	int cpu, core, socket;
	struct total *total; /* of all counters, set by set */
};

struct openmetrics {
	char *path;
	enum row_scope scope;
	enum openmetrics_form form;
	unsigned nsets;
	const struct row_set *const *set;
	unsigned ncounters;
	unsigned *first; /* index of the first counter of each set */
	char **labels;	 /* of each counter, without the labels of places */
	unsigned nplaces;
	struct place *place; /* sorted by compare() */
	uint64_t samples, skipped;
	int64_t unix_ns, start_ns;
	unsigned cpus;
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
		m->first[set] = at;
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

struct openmetrics *openmetrics_new(const char *path, enum row_scope scope,
				    const struct row_set *const *set, unsigned nsets)
{
	if (scope != ROW_CPUS && scope != ROW_CORES && scope != ROW_SOCKETS) {
		errno = EINVAL;
		return NULL;
	}
	struct openmetrics *m = calloc(1, sizeof *m);
	if (!m)
		return NULL;
	m->scope = scope;
	m->form = form_of(path);
	m->nsets = nsets;
	m->set = set;
	for (unsigned s = 0; s < nsets; s++)
		m->ncounters += set[s]->n;
	/* at least one element: calloc(3) of none may return NULL */
	m->first = calloc(nsets + 1, sizeof *m->first);
	m->labels = calloc(m->ncounters + 1, sizeof *m->labels);
	m->path = strdup(path);
	replace_open(&m->file, m->path);
	if (m->first && m->labels && m->path && make_labels(m) == 0 && try_file(m) == 0)
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
	for (unsigned p = 0; p < m->nplaces; p++)
		free(m->place[p].total);
	free(m->place);
	for (unsigned c = 0; m->labels && c < m->ncounters; c++)
		free(m->labels[c]);
	free(m->labels);
	free(m->first);
	free(m->path);
	replace_close(&m->file);
	free(m);
}

static struct place place_of(enum row_scope scope, const struct cpu_sample *s)
{
	return (struct place){.cpu = scope == ROW_CPUS ? s->cpu : -1,
			      .core = scope == ROW_SOCKETS ? -1 : s->core,
			      .socket = s->socket};
}

/* CPUs are compared by number only: their core and socket may become known later. */
static int compare(const struct place *a, const struct place *b)
{
	if (a->cpu != b->cpu || a->cpu != -1)
		return a->cpu < b->cpu ? -1 : a->cpu > b->cpu;
	if (a->core != b->core)
		return a->core < b->core ? -1 : 1;
	return a->socket < b->socket ? -1 : a->socket > b->socket;
}

/* Return the index of p, or where to insert p. */
static unsigned find_place(const struct openmetrics *m, const struct place *p)
{
	unsigned low = 0, high = m->nplaces;

	while (low < high) {
		const unsigned mid = low + (high - low) / 2;
		if (compare(&m->place[mid], p) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Add the place of a sample if it is new. */
static int add_place(struct openmetrics *m, const struct cpu_sample *s)
{
	struct place p = place_of(m->scope, s);
	const unsigned at = find_place(m, &p);

	if (at < m->nplaces && compare(&m->place[at], &p) == 0)
		return 0;
	struct place *grown = reallocarray(m->place, m->nplaces + 1, sizeof *grown);
	if (!grown)
		return -1;
	m->place = grown;
	p.total = calloc(m->ncounters + 1, sizeof *p.total);
	if (!p.total)
		return -1;
	memmove(grown + at + 1, grown + at, (m->nplaces - at) * sizeof *grown);
	grown[at] = p;
	m->nplaces++;
	return 0;
}

static void add_sample(struct openmetrics *m, unsigned set, const struct cpu_sample *s)
{
	const struct place p = place_of(m->scope, s);
	struct place *to = &m->place[find_place(m, &p)];
	struct total *t = to->total + m->first[set];

	if (p.core != -1)
		to->core = p.core;
	if (p.socket != -1)
		to->socket = p.socket;
	for (unsigned i = 0; i < m->set[set]->n; i++, t++) {
		const cpc_value_t *v = &s->value[i];
		if (v->quality == CPC_UNAVAILABLE) {
			if (t->state != COUNTED)
				t->state = EMPTY;
			continue;
		}
		/* Times without a value would make events / enabled too small. */
		t->sum.enabled += v->enabled;
		t->sum.running += v->running;
		t->cpus++;
		t->value += v->value;
		t->state = COUNTED;
	}
}

/*
 * The time of a core or socket is the mean of its CPUs, so that events / enabled is the
 * rate of all of them.
 */
static void add_times(struct openmetrics *m, unsigned set)
{
	for (unsigned p = 0; p < m->nplaces; p++) {
		struct total *t = m->place[p].total + m->first[set];
		for (unsigned i = 0; i < m->set[set]->n; i++, t++) {
			if (!t->cpus)
				continue;
			t->times.enabled += t->sum.enabled / t->cpus;
			t->times.running += t->sum.running / t->cpus;
			t->sum = (struct times){0};
			t->cpus = 0;
		}
	}
}

static int add_places(struct openmetrics *m, const struct cpu_interval *i)
{
	for (unsigned s = 0; s < i->n; s++)
		if (add_place(m, &i->sample[s]) == -1)
			return -1;
	return 0;
}

/* A value that was never enabled means that the CPU lacks the event. */
static void announce(struct openmetrics *m, unsigned set, const struct cpu_sample *s)
{
	const struct place p = place_of(m->scope, s);
	struct total *t = m->place[find_place(m, &p)].total + m->first[set];

	for (unsigned i = 0; i < m->set[set]->n; i++) {
		const cpc_value_t *v = &s->value[i];
		if (v->quality != CPC_UNAVAILABLE || v->enabled > 0)
			t[i].state = ANNOUNCED;
	}
}

int openmetrics_announce(struct openmetrics *m, const struct cpu_interval *i)
{
	if (add_places(m, i) == -1)
		return -1;
	for (unsigned s = 0; s < i->n; s++)
		announce(m, i->set, &i->sample[s]);
	return 0;
}

/* Add all samples of an interval, or none. */
static int add_interval(struct openmetrics *m, const struct cpu_interval *i)
{
	if (add_places(m, i) == -1)
		return -1;
	for (unsigned s = 0; s < i->n; s++)
		add_sample(m, i->set, &i->sample[s]);
	add_times(m, i->set);
	m->cpus = i->n;
	return 0;
}

static void put_label(struct textbuf *b, const char *name, int number)
{
	textbuf_str(b, name);
	textbuf_str(b, "=\"");
	if (number >= 0)
		textbuf_num(b, (uint64_t)number, 0);
	textbuf_str(b, "\",");
}

static void put_place(struct textbuf *b, enum row_scope scope, const struct place *p)
{
	textbuf_char(b, '{');
	if (scope == ROW_CPUS)
		put_label(b, "cpu", p->cpu);
	if (scope != ROW_SOCKETS)
		put_label(b, "core", p->core);
	put_label(b, "socket", p->socket);
}

static void put_total(struct textbuf *b, unsigned family, const struct total *t)
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
	for (unsigned p = 0; p < m->nplaces; p++) {
		for (unsigned c = 0; c < m->ncounters; c++) {
			const struct total *t = &m->place[p].total[c];
			if (t->state != ANNOUNCED && t->state != COUNTED)
				continue;
			metrics_text_name(b, &totals[family]);
			put_place(b, m->scope, &m->place[p]);
			textbuf_str(b, m->labels[c]);
			put_total(b, family, t);
			textbuf_char(b, '\n');
			replace_grown(&m->file);
		}
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
	metrics_text_name(b, f);
	textbuf_char(b, ' ');
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
	metrics_text_name(b, f);
	textbuf_char(b, ' ');
	textbuf_fixed(b, (uint64_t)unix_ns, 9, 0);
	textbuf_char(b, '\n');
}

static int put_file(struct openmetrics *m)
{
	if (replace_begin(&m->file) == -1)
		return -1;
	for (unsigned f = 0; f < sizeof totals / sizeof *totals; f++)
		put_totals(m, f);
	put_requests(m);
	put_number(m, &samples, m->samples);
	put_number(m, &skipped_samples, m->skipped);
	put_time(m, &start_time, m->start_ns, 1);
	put_time(m, &timestamp, m->unix_ns, m->samples > 0);
	put_number(m, &cpus, m->cpus);
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

int openmetrics_write(struct openmetrics *m, const struct cpu_interval *i,
		      uint64_t skipped, int64_t unix_ns)
{
	if (add_interval(m, i) == -1)
		return -1;
	m->skipped = skipped;
	if (i->n) {
		m->samples++;
		m->unix_ns = unix_ns;
	}
	return put_file(m);
}
