/* Helpers for tests of statfiles: files in memory, example contents, and a reader. */
#ifndef SUITE_CPUS_STATFILE_FILES_H
#define SUITE_CPUS_STATFILE_FILES_H

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "suite/cpus/statfile.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

enum { MOST_INTERVALS = 4 };

/* A number of bytes. */
struct bytes {
	char *s;
	size_t n;
};

/* A file in memory, and a path that opens the file once more. */
struct memory {
	int fd;
	char path[64];
};

static inline struct memory memory_new(const char *s, size_t n)
{
	struct memory m = {.fd = memfd_create("statfile", MFD_CLOEXEC)};

	assert_int_not_equal(m.fd, -1);
	assert_int_equal(write(m.fd, s, n), (ssize_t)n);
	snprintf(m.path, sizeof m.path, "/proc/self/fd/%d", m.fd);
	return m;
}

static inline size_t memory_size(const struct memory *m)
{
	struct stat st;

	assert_int_equal(fstat(m->fd, &st), 0);
	return (size_t)st.st_size;
}

static inline struct bytes memory_bytes(const struct memory *m)
{
	struct bytes b = {.n = memory_size(m)};

	b.s = malloc(b.n + 1);
	assert_non_null(b.s);
	assert_int_equal(pread(m->fd, b.s, b.n, 0), (ssize_t)b.n);
	b.s[b.n] = '\0';
	return b;
}

/* Two sets and their samples; the second interval has no CPU. */
static const unsigned pics[] = {0, 3};
static const char *const events[] = {"cycles", "cpu/event=0x1,umask=0x2/"};
static const char *const notes[] = {"as ~L2_RQSTS:MISS, 100%", NULL};
static const struct row_set two = {.spec = "pic0=cycles,cpu/event=0x1,umask=0x2/",
				   .n = 2,
				   .event = events,
				   .pic = pics,
				   .note = notes};
static const char *const nasty[] = {"\x01\t\n%\\\"\x7f\xc3\xa9\xff e"};
static const struct row_set one = {.spec = "", .n = 1, .event = nasty, .pic = pics + 1};
static const struct row_set *const sets[] = {&two, &one};
static const struct statfile_head head = {
	.unix_ns = INT64_C(1700000000123456789),
	.interval_ns = 1000000000,
	.nsets = 2,
	.set = sets,
};

static const cpc_value_t cpu0[] = {
	{765308, 765308, 1000, 1000, CPC_EXACT},
	{400, 100, 2000, 500, CPC_SCALED},
};
static const cpc_value_t cpu7[] = {
	{UINT64_MAX, 0, UINT64_MAX, 10, CPC_APPROXIMATE},
	{0, 0, 500, 0, CPC_UNAVAILABLE},
};
static const cpc_value_t cpu9[] = {{9, 99, 100, 101, CPC_ESTIMATED}};
static const struct cpu_sample both[] = {
	{0, 0, 0, 1000000123, 2400000000, cpu0, NULL},
	{7, -1, -1, INT64_MAX, UINT64_MAX, cpu7, NULL},
};
static const struct cpu_sample last[] = {
	{(1 << 20) - 1, INT_MAX, 2, 0, 0, cpu9, NULL},
};
static const struct cpu_interval intervals[] = {
	{1, 0, 2, both, 0},
	{3, 1, 0, NULL, 0},
	{UINT64_MAX, 1, 1, last, 0},
};

static const char golden[] =
	"cpustat-samples\t1\n"
	"run\t1700000000123456789\t1000000000\t2\n"
	"set\t0\t2\tpic0=cycles,cpu/event=0x1,umask=0x2/\n"
	"request\t0\tcycles\tas ~L2_RQSTS:MISS, 100%25\n"
	"request\t3\tcpu/event=0x1,umask=0x2/\n"
	"set\t1\t1\t\n"
	"request\t3\t%01%09%0A%25\\\"%7F\xc3\xa9\xff e\n"
	"interval\t1\t0\t2\n"
	"cpu\t0\t0\t0\t1000000123\t2400000000\texact\t765308\t=\t1000\t="
	"\tscaled\t400\t100\t2000\t500\n"
	"cpu\t7\t-1\t-1\t9223372036854775807\t18446744073709551615\tapproximate"
	"\t18446744073709551615\t0\t18446744073709551615\t10"
	"\tunavailable\t-\t-\t500\t0\n"
	"interval\t3\t1\t0\n"
	"interval\t18446744073709551615\t1\t1\n"
	"cpu\t1048575\t2147483647\t2\t0\t0\testimated\t9\t99\t100\t101\n"
	"end\t3\t3\t12\n";

/* The definition of the checksum, a bit at a time. Source: RFC 1952, 8 */
static inline uint32_t crc32(uint32_t crc, const char *s, size_t n)
{
	crc = ~crc;
	while (n--) {
		crc ^= (unsigned char)*s++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	}
	return ~crc;
}

/* Return the lines of text, which end in newlines, with valid checksums. */
static inline struct bytes sealed(const char *text)
{
	struct bytes b;
	FILE *f = open_memstream(&b.s, &b.n);
	uint32_t crc = 0;

	assert_non_null(f);
	while (*text) {
		const char *const newline = strchr(text, '\n');
		char sum[10];

		fprintf(f, "%.*s\t", (int)(newline - text), text);
		crc = crc32(crc, text, (size_t)(newline - text));
		crc = crc32(crc, "\t", 1);
		snprintf(sum, sizeof sum, "%08" PRIx32 "\n", crc);
		fputs(sum, f);
		crc = crc32(crc, sum, 9);
		text = newline + 1;
	}
	assert_int_equal(fclose(f), 0);
	return b;
}

/* The outcome of reading a file. */
struct outcome {
	int rc, err;	    /* of the last call */
	unsigned intervals; /* that were returned */
	uint64_t skipped;
	char why[256];
	struct bytes text;		 /* all that was returned, as text */
	size_t upto[MOST_INTERVALS + 1]; /* the size of text before each interval */
};

static inline void tell_head(FILE *f, const struct statfile_head *h)
{
	fprintf(f, "%" PRId64 " %" PRId64 "\n", h->unix_ns, h->interval_ns);
	for (unsigned s = 0; s < h->nsets; s++) {
		const struct row_set *const set = h->set[s];
		fprintf(f, "set %s\n", set->spec);
		for (unsigned i = 0; i < set->n; i++)
			fprintf(f, "%u %s %s\n", set->pic[i], set->event[i],
				set->note && set->note[i] ? set->note[i] : "(none)");
	}
}

static inline void tell_interval(FILE *f, const struct statfile_head *h,
				 const struct cpu_interval *i)
{
	fprintf(f, "%" PRIu64 " %u:", i->number, i->set);
	for (unsigned k = 0; k < i->n; k++) {
		const struct cpu_sample *const s = &i->sample[k];
		fprintf(f, " cpu%d %d %d %" PRId64 " %" PRIu64, s->cpu, s->core,
			s->socket, s->ns, s->tick);
		for (unsigned v = 0; v < h->set[i->set]->n; v++) {
			const cpc_value_t *const val = &s->value[v];
			const int known = val->quality != CPC_UNAVAILABLE;
			fprintf(f,
				" (%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 ")",
				val->quality, known ? val->value : 0,
				known ? val->count : 0, val->enabled, val->running);
		}
	}
	fputc('\n', f);
}

static inline void read_all(struct statfile_reader *r, struct outcome *o, FILE *f)
{
	const struct statfile_head *const h = statfile_head(r);
	const struct cpu_interval *i;

	tell_head(f, h);
	for (;;) {
		fflush(f);
		if (o->intervals <= MOST_INTERVALS)
			o->upto[o->intervals] = o->text.n;
		assert_int_equal(statfile_skipped(r), 0);
		o->rc = statfile_read(r, &i, o->why, sizeof o->why);
		o->err = errno;
		if (o->rc != 1)
			break;
		tell_interval(f, h, i);
		o->intervals++;
	}
	o->skipped = statfile_skipped(r);
	/* later calls return the same */
	char why[sizeof o->why] = "";
	assert_int_equal(statfile_read(r, &i, why, sizeof why), o->rc);
	if (o->rc == -1) {
		assert_int_equal(errno, o->err);
		assert_string_equal(why, o->why);
	}
}

/* Read the file path. The caller frees o->text.s. */
static inline void read_path(const char *path, struct outcome *o)
{
	*o = (struct outcome){.rc = -1};
	FILE *f = open_memstream(&o->text.s, &o->text.n);
	assert_non_null(f);
	struct statfile_reader *r = statfile_open(path, o->why, sizeof o->why);
	o->err = errno;
	if (r)
		read_all(r, o, f);
	statfile_close(r);
	assert_int_equal(fclose(f), 0);
}

static inline void read_bytes(const char *s, size_t n, struct outcome *o)
{
	const struct memory m = memory_new(s, n);

	read_path(m.path, o);
	close(m.fd);
}

static inline struct bytes text_of(const struct statfile_head *h,
				   const struct cpu_interval *i, unsigned n)
{
	struct bytes b;
	FILE *f = open_memstream(&b.s, &b.n);

	assert_non_null(f);
	tell_head(f, h);
	while (n--)
		tell_interval(f, h, i++);
	assert_int_equal(fclose(f), 0);
	return b;
}

/* upto is NULL, or gets the size of the file before each interval and after the last. */
static inline struct bytes written(const struct statfile_head *h,
				   const struct cpu_interval *i, unsigned n,
				   uint64_t skipped, size_t *upto)
{
	static const char old[1 << 16];
	const struct memory m = memory_new(old, sizeof old);
	struct statfile_writer *w = statfile_create(m.path, h);

	assert_non_null(w);
	for (unsigned k = 0; k <= n; k++) {
		if (upto)
			upto[k] = memory_size(&m);
		if (k < n)
			assert_int_equal(statfile_write(w, &i[k]), 0);
	}
	assert_int_equal(statfile_end(w, skipped), 0);
	const struct bytes b = memory_bytes(&m);
	close(m.fd);
	return b;
}
/* The golden file, the ends of its intervals, and its contents. */
struct good {
	struct bytes file;
	size_t upto[LEN(intervals) + 1];
	struct outcome o;
};

static inline struct good good_new(void)
{
	struct good g;

	g.file = written(&head, intervals, LEN(intervals), 12, g.upto);
	read_bytes(g.file.s, g.file.n, &g.o);
	assert_int_equal(g.o.rc, 0);
	return g;
}

static inline void good_free(struct good *g)
{
	free(g->file.s);
	free(g->o.text.s);
}

/* Return the number of complete intervals in the first n bytes. */
static inline unsigned whole(const struct good *g, size_t n)
{
	unsigned k = 0;

	while (k < LEN(intervals) && g->upto[k + 1] <= n)
		k++;
	return k;
}

/*
 * Return the bytes that malloc(3) has allocated; with sanitizers it does not know them.
 */
static inline size_t in_use(void)
{
	const struct mallinfo2 m = mallinfo2();

	return m.uordblks + m.hblkhd;
}

#endif
