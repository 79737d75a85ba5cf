#include "suite/cpus/statfile.h"

#include <errno.h>
#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/cpus/lines.h"

/* A set that was read; show has the same pointers. */
struct set {
	struct row_set show;
	char *spec;
	char **event, **note;
	unsigned *pic;
};

struct statfile_reader {
	struct statfile_lines in;
	struct statfile_head head;
	struct set *set;
	const struct row_set **show; /* of each set */
	uint64_t intervals, samples, skipped;
	int done;   /* the end was read */
	int failed; /* errno of what nothing is read after; in.why has the words */
	struct cpu_interval now;
	struct cpu_sample *sample;
	cpc_value_t *value;
	size_t sample_room, value_room;
};

/* The next line, whose first field is word. */
static int expect(struct statfile_reader *r, const char *word)
{
	const int rc = statfile_lines_take(&r->in);

	if (rc == 0)
		return statfile_lines_bad(&r->in,
					  "it is missing: the file was cut before it");
	if (rc == -1 || statfile_lines_check(&r->in) == -1)
		return -1;
	if (!statfile_lines_is(&r->in, word))
		return statfile_lines_bad(&r->in, "\"%s\" is expected there", word);
	return 0;
}

static int number(struct statfile_reader *r, uint64_t max, uint64_t *v)
{
	return statfile_lines_num(&r->in, max, v);
}

/* -1: EBADMSG, ENOMEM. */
static int text(struct statfile_reader *r, char **s)
{
	*s = statfile_lines_text(&r->in);
	return *s ? 0 : -1;
}

/* A number of a core or a socket, or -1: not known. */
static int place(struct statfile_reader *r, int *id)
{
	uint64_t v;

	*id = -1;
	if (statfile_lines_is(&r->in, "-1"))
		return 0;
	if (number(r, INT_MAX, &v) == -1)
		return -1;
	*id = (int)v;
	return 0;
}

/*
 * The first line. Its version is looked at before anything else: a newer file may have
 * other checksums.
 */
static int magic(struct statfile_reader *r)
{
	static const char none[] = "this is not a file of cpustat's samples";
	struct statfile_lines *const in = &r->in;
	uint64_t version;

	const int rc = statfile_lines_take(in);
	if (rc == -1 && errno != EBADMSG)
		return -1;
	if (rc == 0)
		return statfile_lines_bad(in, "it is missing: the file is empty");
	const char *const line = in->at;
	if (rc == -1 || !statfile_lines_is(in, "cpustat-samples"))
		return statfile_lines_bad(in, none);
	if (number(r, UINT32_MAX, &version) == -1 || version < 1)
		return statfile_lines_bad(in, none);
	if (version > 1)
		return statfile_lines_bad(in,
					  "the file was made by a newer cpustat: version "
					  "%" PRIu64 ", this one reads 1",
					  version);
	/* the checksum is of the whole line */
	in->at = line;
	in->field = 1;
	if (statfile_lines_check(in) == -1)
		return -1;
	return statfile_lines_is(in, "cpustat-samples") && !number(r, 1, &version) &&
			       !statfile_lines_end(in)
		       ? 0
		       : -1;
}

static int run(struct statfile_reader *r)
{
	uint64_t unix_ns, interval_ns, nsets;

	if (expect(r, "run") == -1 || number(r, INT64_MAX, &unix_ns) == -1 ||
	    number(r, INT64_MAX, &interval_ns) == -1 ||
	    number(r, STATFILE_SETS, &nsets) == -1 || statfile_lines_end(&r->in) == -1)
		return -1;
	if (!nsets)
		return statfile_lines_bad(&r->in, "it says that there are no sets");
	r->head = (struct statfile_head){.unix_ns = (int64_t)unix_ns,
					 .interval_ns = (int64_t)interval_ns};
	r->set = calloc(nsets, sizeof *r->set);
	r->show = calloc(nsets, sizeof *r->show);
	if (!r->set || !r->show)
		return statfile_lines_failed(&r->in);
	r->head.set = r->show;
	r->head.nsets = (unsigned)nsets;
	return 0;
}

static int head_fits(struct statfile_reader *r)
{
	if (r->in.bytes <= STATFILE_HEAD)
		return 0;
	return statfile_lines_bad(&r->in, "there is too much before the first interval");
}

static int request(struct statfile_reader *r, struct set *s, unsigned i)
{
	uint64_t pic;

	if (expect(r, "request") == -1 || number(r, UINT_MAX, &pic) == -1 ||
	    text(r, &s->event[i]) == -1)
		return -1;
	s->pic[i] = (unsigned)pic;
	/* without a note the line ends before it */
	if (r->in.at && text(r, &s->note[i]) == -1)
		return -1;
	return statfile_lines_end(&r->in) == -1 ? -1 : head_fits(r);
}

static int set_line(struct statfile_reader *r, unsigned index, uint64_t *n)
{
	uint64_t told;

	if (expect(r, "set") == -1 || number(r, STATFILE_SETS, &told) == -1 ||
	    number(r, STATFILE_REQUESTS, n) == -1 || text(r, &r->set[index].spec) == -1 ||
	    statfile_lines_end(&r->in) == -1)
		return -1;
	if (told != index)
		return statfile_lines_bad(&r->in, "set %u is expected there", index);
	return head_fits(r);
}

static int set(struct statfile_reader *r, unsigned index)
{
	struct set *const s = &r->set[index];
	uint64_t n;

	if (set_line(r, index, &n) == -1)
		return -1;
	s->event = calloc(n + 1, sizeof *s->event);
	s->note = calloc(n + 1, sizeof *s->note);
	s->pic = calloc(n + 1, sizeof *s->pic);
	if (!s->event || !s->note || !s->pic)
		return statfile_lines_failed(&r->in);
	s->show = (struct row_set){
		.spec = s->spec,
		.n = (unsigned)n,
		.event = (const char *const *)s->event,
		.pic = s->pic,
		.note = (const char *const *)s->note,
	};
	r->show[index] = &s->show;
	for (unsigned i = 0; i < n; i++)
		if (request(r, s, i) == -1)
			return -1;
	return 0;
}

static int head(struct statfile_reader *r, const char *path)
{
	if (statfile_lines_open(&r->in, path) == -1 || magic(r) == -1 || run(r) == -1)
		return -1;
	for (unsigned i = 0; i < r->head.nsets; i++)
		if (set(r, i) == -1)
			return -1;
	return 0;
}

static void set_free(struct set *s)
{
	for (unsigned i = 0; i < s->show.n; i++) {
		free(s->event[i]);
		free(s->note[i]);
	}
	free(s->spec);
	free(s->event);
	free(s->note);
	free(s->pic);
}

void statfile_close(struct statfile_reader *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->head.nsets; i++)
		set_free(&r->set[i]);
	free(r->set);
	free(r->show);
	free(r->sample);
	free(r->value);
	statfile_lines_close(&r->in);
	free(r);
}

struct statfile_reader *statfile_open(const char *path, char *err, size_t size)
{
	struct statfile_reader *r = calloc(1, sizeof *r);

	if (!r) {
		snprintf(err, size, "%m");
		return NULL;
	}
	if (head(r, path) == 0)
		return r;
	const int e = errno;
	snprintf(err, size, "%s", r->in.why);
	statfile_close(r);
	errno = e;
	return NULL;
}

const struct statfile_head *statfile_head(const struct statfile_reader *r)
{
	return &r->head;
}

/* A number, or that it is the same as the one before. */
static int again(struct statfile_reader *r, uint64_t before, uint64_t *v)
{
	*v = before;
	if (statfile_lines_is(&r->in, "="))
		return 0;
	if (number(r, UINT64_MAX, v) == -1)
		return -1;
	if (*v == before)
		return statfile_lines_bad(&r->in, "field %u is not \"=\"",
					  r->in.field - 1);
	return 0;
}

static int value(struct statfile_reader *r, cpc_value_t *v)
{
	unsigned class = CPC_EXACT;

	while (class <= CPC_UNAVAILABLE &&
	       !statfile_lines_is(&r->in, cpc_class_name(class)))
		class ++;
	if (class > CPC_UNAVAILABLE)
		return statfile_lines_bad(&r->in, "field %u is not a class", r->in.field);
	*v = (cpc_value_t){.quality = class};
	if (class == CPC_UNAVAILABLE) {
		if (!statfile_lines_is(&r->in, "-") || !statfile_lines_is(&r->in, "-"))
			return statfile_lines_bad(&r->in, "field %u is not \"-\"",
						  r->in.field);
	} else if (number(r, UINT64_MAX, &v->value) == -1 ||
		   again(r, v->value, &v->count) == -1) {
		return -1;
	}
	return number(r, UINT64_MAX, &v->enabled) == -1 ||
			       again(r, v->enabled, &v->running) == -1
		       ? -1
		       : 0;
}

/* All but the values. */
static int place_and_time(struct statfile_reader *r, struct cpu_sample *s)
{
	uint64_t cpu, ns;

	if (expect(r, "cpu") == -1 || number(r, STATFILE_CPUS - 1, &cpu) == -1 ||
	    place(r, &s->core) == -1 || place(r, &s->socket) == -1 ||
	    number(r, INT64_MAX, &ns) == -1 || number(r, UINT64_MAX, &s->tick) == -1)
		return -1;
	s->cpu = (int)cpu;
	s->ns = (int64_t)ns;
	return 0;
}

/*
 * Place for n samples, or values. It grows with what was read, not with what the file
 * says that there will be.
 */
static int fit_samples(struct statfile_reader *r, size_t n)
{
	if (n <= r->sample_room)
		return 0;
	struct cpu_sample *grown = reallocarray(r->sample, 2 * n, sizeof *grown);
	if (!grown)
		return statfile_lines_failed(&r->in);
	r->sample = grown;
	r->sample_room = 2 * n;
	return 0;
}

static int fit_values(struct statfile_reader *r, size_t n)
{
	if (n <= r->value_room)
		return 0;
	cpc_value_t *grown = reallocarray(r->value, 2 * n, sizeof *grown);
	if (!grown)
		return statfile_lines_failed(&r->in);
	r->value = grown;
	r->value_room = 2 * n;
	return 0;
}

static int sample(struct statfile_reader *r, unsigned i, unsigned requests)
{
	const size_t first = (size_t)i * requests;

	if (fit_samples(r, i + 1) == -1 || fit_values(r, first + requests) == -1)
		return -1;
	struct cpu_sample *const s = &r->sample[i];
	if (place_and_time(r, s) == -1)
		return -1;
	if (i && s->cpu <= s[-1].cpu)
		return statfile_lines_bad(&r->in, "CPU %d comes after CPU %d", s->cpu,
					  s[-1].cpu);
	for (unsigned k = 0; k < requests; k++)
		if (value(r, &r->value[first + k]) == -1)
			return -1;
	return statfile_lines_end(&r->in);
}

/* What an interval begins with, behind its first word; into r->now. */
static int interval_line(struct statfile_reader *r)
{
	uint64_t told, index, n;

	if (number(r, UINT64_MAX, &told) == -1 ||
	    number(r, r->head.nsets - 1, &index) == -1 ||
	    number(r, STATFILE_CPUS, &n) == -1 || statfile_lines_end(&r->in) == -1)
		return -1;
	if (told <= r->now.number)
		return statfile_lines_bad(
			&r->in, "interval %" PRIu64 " comes after interval %" PRIu64,
			told, r->now.number);
	if (n * r->show[index]->n > STATFILE_VALUES)
		return statfile_lines_bad(&r->in, "an interval of too many values");
	r->now = (struct cpu_interval){
		.number = told, .set = (unsigned)index, .n = (unsigned)n};
	return 0;
}

static int interval(struct statfile_reader *r)
{
	if (interval_line(r) == -1)
		return -1;
	const unsigned requests = r->show[r->now.set]->n;
	for (unsigned i = 0; i < r->now.n; i++)
		if (sample(r, i, requests) == -1)
			return -1;
	/* only now do the values stay where they are */
	for (unsigned i = 0; i < r->now.n; i++)
		r->sample[i].value = requests ? r->value + (size_t)i * requests : NULL;
	r->now.sample = r->sample;
	r->intervals++;
	r->samples += r->now.n;
	return 1;
}

/* The last line, behind its first word. */
static int end(struct statfile_reader *r)
{
	struct statfile_lines *const in = &r->in;
	uint64_t intervals, samples, skipped;

	if (number(r, UINT64_MAX, &intervals) == -1 ||
	    number(r, UINT64_MAX, &samples) == -1 ||
	    number(r, UINT64_MAX, &skipped) == -1 || statfile_lines_end(in) == -1)
		return -1;
	if (intervals != r->intervals || samples != r->samples)
		return statfile_lines_bad(in, "it counts other intervals or samples than "
					      "there are");
	const int rc = statfile_lines_take(in);
	if (rc == 1 || (rc == -1 && errno == EBADMSG))
		return statfile_lines_bad(in, "there is something behind the end");
	if (rc == -1)
		return -1;
	r->skipped = skipped;
	r->done = 1;
	return 0;
}

/* An interval or the end. */
static int next(struct statfile_reader *r)
{
	const int rc = statfile_lines_take(&r->in);

	if (rc == 0)
		return statfile_lines_bad(&r->in, "it is missing: the file has no end");
	if (rc == -1 || statfile_lines_check(&r->in) == -1)
		return -1;
	if (statfile_lines_is(&r->in, "interval"))
		return interval(r);
	if (statfile_lines_is(&r->in, "end"))
		return end(r);
	return statfile_lines_bad(&r->in, "it is no interval, and no end");
}

int statfile_read(struct statfile_reader *r, const struct cpu_interval **i, char *err,
		  size_t size)
{
	int rc = -1;

	if (r->done)
		return 0;
	if (!r->failed)
		rc = next(r);
	if (rc == 1)
		*i = &r->now;
	if (rc == -1) {
		r->failed = r->failed ? r->failed : errno;
		snprintf(err, size, "%s", r->in.why);
		errno = r->failed;
	}
	return rc;
}

uint64_t statfile_skipped(const struct statfile_reader *r)
{
	return r->skipped;
}
