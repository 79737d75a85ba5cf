#include "suite/cpus/statfile.h"

#include <errno.h>
#include <limits.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/cpus/lines.h"

/* A set from the file; show has the same pointers. */
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
	int failed; /* errno of the first failure, whose message is in.why; or 0 */
	struct cpu_interval now;
	struct cpu_sample *sample;
	cpc_value_t *value;
	size_t sample_room, value_room;
};

/* Read the next line, whose first field must be word. */
static int read_line(struct statfile_reader *r, const char *word)
{
	const int rc = statfile_lines_next(&r->in);

	if (rc == 0)
		return statfile_lines_bad(
			&r->in, "the line is missing: the file was cut before it");
	if (rc == -1 || statfile_lines_check(&r->in) == -1)
		return -1;
	if (!statfile_lines_is(&r->in, word))
		return statfile_lines_bad(&r->in, "the line does not begin with \"%s\"",
					  word);
	return 0;
}

static int read_number(struct statfile_reader *r, uint64_t max, uint64_t *v)
{
	return statfile_lines_num(&r->in, max, v);
}

static int read_text(struct statfile_reader *r, char **s)
{
	*s = statfile_lines_text(&r->in);
	return *s ? 0 : -1;
}

/* Read the number of a core or socket, or -1. */
static int read_id(struct statfile_reader *r, int *id)
{
	uint64_t v;

	*id = -1;
	if (statfile_lines_is(&r->in, "-1"))
		return 0;
	if (read_number(r, INT_MAX, &v) == -1)
		return -1;
	*id = (int)v;
	return 0;
}

/*
 * Read the first line. Its version is checked before its checksum: a newer file may have
 * other checksums.
 */
static int read_magic(struct statfile_reader *r)
{
	static const char other_file[] = "this is not a file of cpustat's samples";
	struct statfile_lines *const in = &r->in;
	uint64_t version;

	const int rc = statfile_lines_next(in);
	if (rc == -1 && errno != EBADMSG)
		return -1;
	if (rc == 0)
		return statfile_lines_bad(in, "the line is missing: the file is empty");
	const char *const line = in->at;
	if (rc == -1 || !statfile_lines_is(in, "cpustat-samples"))
		return statfile_lines_bad(in, other_file);
	if (read_number(r, UINT32_MAX, &version) == -1 || version < 1)
		return statfile_lines_bad(in, other_file);
	if (version > 1)
		return statfile_lines_bad(in,
					  "the file was made by a newer cpustat: version "
					  "%" PRIu64 ", this one reads 1",
					  version);
	/* go back: the checksum is that of the whole line */
	in->at = line;
	in->field = 1;
	if (statfile_lines_check(in) == -1)
		return -1;
	return statfile_lines_is(in, "cpustat-samples") && !read_number(r, 1, &version) &&
			       !statfile_lines_end(in)
		       ? 0
		       : -1;
}

static int read_run(struct statfile_reader *r)
{
	uint64_t unix_ns, interval_ns, nsets;

	if (read_line(r, "run") == -1 || read_number(r, INT64_MAX, &unix_ns) == -1 ||
	    read_number(r, INT64_MAX, &interval_ns) == -1 ||
	    read_number(r, STATFILE_SETS, &nsets) == -1 ||
	    statfile_lines_end(&r->in) == -1)
		return -1;
	if (!nsets)
		return statfile_lines_bad(&r->in, "the number of sets is 0");
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
	return statfile_lines_bad(&r->in, "more than %d bytes precede the first interval",
				  STATFILE_HEAD);
}

static int read_request(struct statfile_reader *r, struct set *s, unsigned i)
{
	uint64_t pic;

	if (read_line(r, "request") == -1 || read_number(r, UINT_MAX, &pic) == -1 ||
	    read_text(r, &s->event[i]) == -1)
		return -1;
	s->pic[i] = (unsigned)pic;
	/* the note is the last field, and optional */
	if (r->in.at && read_text(r, &s->note[i]) == -1)
		return -1;
	return statfile_lines_end(&r->in) == -1 ? -1 : head_fits(r);
}

static int read_set_line(struct statfile_reader *r, unsigned index, uint64_t *n)
{
	uint64_t number;

	if (read_line(r, "set") == -1 || read_number(r, STATFILE_SETS, &number) == -1 ||
	    read_number(r, STATFILE_REQUESTS, n) == -1 ||
	    read_text(r, &r->set[index].spec) == -1 || statfile_lines_end(&r->in) == -1)
		return -1;
	if (number != index)
		return statfile_lines_bad(&r->in, "the line is not that of set %u",
					  index);
	return head_fits(r);
}

static int read_set(struct statfile_reader *r, unsigned index)
{
	struct set *const s = &r->set[index];
	uint64_t n;

	if (read_set_line(r, index, &n) == -1)
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
		if (read_request(r, s, i) == -1)
			return -1;
	return 0;
}

static int read_head(struct statfile_reader *r, const char *path)
{
	if (statfile_lines_open(&r->in, path) == -1 || read_magic(r) == -1 ||
	    read_run(r) == -1)
		return -1;
	for (unsigned i = 0; i < r->head.nsets; i++)
		if (read_set(r, i) == -1)
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
	if (read_head(r, path) == 0)
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

/* Read a number, or "=" if it equals the number before. */
static int read_or_repeat(struct statfile_reader *r, uint64_t before, uint64_t *v)
{
	*v = before;
	if (statfile_lines_is(&r->in, "="))
		return 0;
	if (read_number(r, UINT64_MAX, v) == -1)
		return -1;
	if (*v == before)
		return statfile_lines_bad(&r->in, "field %u is not \"=\"",
					  r->in.field - 1);
	return 0;
}

static int read_value(struct statfile_reader *r, cpc_value_t *v)
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
	} else if (read_number(r, UINT64_MAX, &v->value) == -1 ||
		   read_or_repeat(r, v->value, &v->count) == -1) {
		return -1;
	}
	return read_number(r, UINT64_MAX, &v->enabled) == -1 ||
			       read_or_repeat(r, v->enabled, &v->running) == -1
		       ? -1
		       : 0;
}

/* Read the fields before the values. */
static int read_cpu(struct statfile_reader *r, struct cpu_sample *s)
{
	uint64_t cpu, ns;

	if (read_line(r, "cpu") == -1 || read_number(r, STATFILE_CPUS - 1, &cpu) == -1 ||
	    read_id(r, &s->core) == -1 || read_id(r, &s->socket) == -1 ||
	    read_number(r, INT64_MAX, &ns) == -1 ||
	    read_number(r, UINT64_MAX, &s->tick) == -1)
		return -1;
	s->cpu = (int)cpu;
	s->ns = (int64_t)ns;
	return 0;
}

/*
 * Make room for n samples. Memory grows with the lines that were read, not with the
 * number of samples that the file announces.
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

static int read_sample(struct statfile_reader *r, unsigned i, unsigned requests)
{
	const size_t first = (size_t)i * requests;

	if (fit_samples(r, i + 1) == -1 || fit_values(r, first + requests) == -1)
		return -1;
	struct cpu_sample *const s = &r->sample[i];
	if (read_cpu(r, s) == -1)
		return -1;
	if (i && s->cpu <= s[-1].cpu)
		return statfile_lines_bad(&r->in, "CPU %d comes after CPU %d", s->cpu,
					  s[-1].cpu);
	for (unsigned k = 0; k < requests; k++)
		if (read_value(r, &r->value[first + k]) == -1)
			return -1;
	return statfile_lines_end(&r->in);
}

/* Read the rest of the line "interval" into r->now. */
static int read_interval_line(struct statfile_reader *r)
{
	uint64_t number, index, n;

	if (read_number(r, UINT64_MAX, &number) == -1 ||
	    read_number(r, r->head.nsets - 1, &index) == -1 ||
	    read_number(r, STATFILE_CPUS, &n) == -1 || statfile_lines_end(&r->in) == -1)
		return -1;
	if (number <= r->now.number)
		return statfile_lines_bad(
			&r->in, "interval %" PRIu64 " comes after interval %" PRIu64,
			number, r->now.number);
	if (n * r->show[index]->n > STATFILE_VALUES)
		return statfile_lines_bad(&r->in, "the interval has too many values");
	r->now = (struct cpu_interval){
		.number = number, .set = (unsigned)index, .n = (unsigned)n};
	return 0;
}

static int read_interval(struct statfile_reader *r)
{
	if (read_interval_line(r) == -1)
		return -1;
	const unsigned requests = r->show[r->now.set]->n;
	for (unsigned i = 0; i < r->now.n; i++)
		if (read_sample(r, i, requests) == -1)
			return -1;
	/* the array of values does not move any more */
	for (unsigned i = 0; i < r->now.n; i++)
		r->sample[i].value = requests ? r->value + (size_t)i * requests : NULL;
	r->now.sample = r->sample;
	r->intervals++;
	r->samples += r->now.n;
	return 1;
}

/* Read the rest of the line "end". */
static int read_end(struct statfile_reader *r)
{
	struct statfile_lines *const in = &r->in;
	uint64_t intervals, samples, skipped;

	if (read_number(r, UINT64_MAX, &intervals) == -1 ||
	    read_number(r, UINT64_MAX, &samples) == -1 ||
	    read_number(r, UINT64_MAX, &skipped) == -1 || statfile_lines_end(in) == -1)
		return -1;
	if (intervals != r->intervals || samples != r->samples)
		return statfile_lines_bad(in, "the numbers of intervals and samples "
					      "are not those of the file");
	const int rc = statfile_lines_next(in);
	if (rc == 1 || (rc == -1 && errno == EBADMSG))
		return statfile_lines_bad(in, "the file goes on after its end");
	if (rc == -1)
		return -1;
	r->skipped = skipped;
	r->done = 1;
	return 0;
}

/* Read an interval or the end. */
static int read_next(struct statfile_reader *r)
{
	const int rc = statfile_lines_next(&r->in);

	if (rc == 0)
		return statfile_lines_bad(&r->in,
					  "the line is missing: the file has no end");
	if (rc == -1 || statfile_lines_check(&r->in) == -1)
		return -1;
	if (statfile_lines_is(&r->in, "interval"))
		return read_interval(r);
	if (statfile_lines_is(&r->in, "end"))
		return read_end(r);
	return statfile_lines_bad(&r->in,
				  "the line does not begin with \"interval\" or \"end\"");
}

int statfile_read(struct statfile_reader *r, const struct cpu_interval **i, char *err,
		  size_t size)
{
	int rc = -1;

	if (r->done)
		return 0;
	if (!r->failed)
		rc = read_next(r);
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
