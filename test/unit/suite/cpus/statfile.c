/* Files of raw samples: what is written equals what is read. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "statfile_files.h"
#include "suite/cpus/crc.h"

static void test_checksum(void **state)
{
	(void)state;
	static struct statfile_crc t;
	char s[64];

	statfile_crc_init(&t);
	assert_int_equal(statfile_crc(&t, 0, "123456789", 9), 0xcbf43926);
	for (unsigned i = 0; i < sizeof s; i++)
		s[i] = (char)(i * 37 + (i << 5));
	for (unsigned n = 0; n <= sizeof s; n++) {
		assert_int_equal(statfile_crc(&t, 0, s, n), crc32(0, s, n));
		/* the same bytes in two calls */
		const uint32_t first = statfile_crc(&t, 0, s, n);
		assert_int_equal(statfile_crc(&t, first, s + n, sizeof s - n),
				 crc32(0, s, sizeof s));
	}
}

static void test_bytes(void **state)
{
	(void)state;
	const struct bytes expected = sealed(golden);
	const struct bytes b = written(&head, intervals, LEN(intervals), 12, NULL);

	assert_string_equal(b.s, expected.s);
	assert_int_equal(b.n, expected.n);
	free(b.s);
	free(expected.s);
}

static void test_read(void **state)
{
	(void)state;
	const struct bytes b = sealed(golden);
	const struct bytes expected = text_of(&head, intervals, LEN(intervals));
	struct outcome o;

	read_bytes(b.s, b.n, &o);
	assert_string_equal(o.why, "");
	assert_int_equal(o.rc, 0);
	assert_int_equal(o.intervals, 3);
	assert_int_equal(o.skipped, 12);
	assert_string_equal(o.text.s, expected.s);
	free(o.text.s);
	free(expected.s);
	free(b.s);
}

/* An unavailable value is not written as a number. */
static void test_unavailable(void **state)
{
	(void)state;
	const cpc_value_t v[] = {{1234, 5678, 500, 0, CPC_UNAVAILABLE}};
	const struct cpu_sample s[] = {{0, 0, 0, 0, 0, v, NULL}};
	const struct cpu_interval i[] = {{1, 1, 1, s, 0}};
	const struct bytes b = written(&head, i, 1, 0, NULL);
	const struct memory m = memory_new(b.s, b.n);
	char why[64];
	struct statfile_reader *r = statfile_open(m.path, why, sizeof why);
	const struct cpu_interval *read;

	assert_non_null(r);
	assert_int_equal(statfile_read(r, &read, why, sizeof why), 1);
	const cpc_value_t *const got = read->sample[0].value;
	assert_int_equal(got->quality, CPC_UNAVAILABLE);
	assert_int_equal(got->value, 0);
	assert_int_equal(got->count, 0);
	assert_int_equal(got->enabled, 500);
	statfile_close(r);
	close(m.fd);
	free(b.s);
}

/* An interval is returned as soon as it is complete in the file. */
static void test_follow(void **state)
{
	(void)state;
	int fd[2];
	char path[64], why[64];
	const struct cpu_interval *i;

	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd[1]);
	struct statfile_writer *w = statfile_create(path, &head);
	assert_non_null(w);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd[0]);
	struct statfile_reader *r = statfile_open(path, why, sizeof why);
	assert_non_null(r);
	for (unsigned k = 0; k < LEN(intervals); k++) {
		assert_int_equal(statfile_write(w, &intervals[k]), 0);
		assert_int_equal(statfile_read(r, &i, why, sizeof why), 1);
		assert_int_equal(i->number, intervals[k].number);
	}
	assert_int_equal(statfile_end(w, 5), 0);
	close(fd[1]);
	assert_int_equal(statfile_read(r, &i, why, sizeof why), 0);
	assert_int_equal(statfile_skipped(r), 5);
	statfile_close(r);
	close(fd[0]);
}

static void test_full(void **state)
{
	(void)state;
	errno = 0;
	assert_null(statfile_create("/dev/full", &head));
	assert_int_equal(errno, ENOSPC);
	errno = 0;
	assert_null(statfile_create("/nonexistent/file", &head));
	assert_int_equal(errno, ENOENT);
}

/* A device becomes full in an interval: the intervals before can be read. */
static void test_becomes_full(void **state)
{
	(void)state;
	struct good g = good_new();
	struct rlimit old;
	struct outcome o;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	void (*const handler)(int) = signal(SIGXFSZ, SIG_IGN);
	for (size_t size = g.upto[0]; size < g.file.n; size += 7) {
		const struct memory m = memory_new("", 0);
		struct statfile_writer *w = statfile_create(m.path, &head);
		assert_non_null(w);
		const struct rlimit less = {size, old.rlim_max};
		unsigned k = 0;
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &less), 0);
		while (k < LEN(intervals) && !statfile_write(w, &intervals[k]))
			k++;
		assert_int_equal(k, whole(&g, size));
		/* with room again, the writer must not go on within the interval */
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		if (k < LEN(intervals)) {
			errno = 0;
			assert_int_equal(statfile_write(w, &intervals[k]), -1);
			assert_int_equal(errno, EFBIG);
			errno = 0;
			assert_int_equal(statfile_end(w, 0), -1);
			assert_int_equal(errno, EFBIG);
			assert_int_equal(memory_size(&m), size);
		} else {
			statfile_drop(w);
		}
		read_path(m.path, &o);
		assert_int_equal(o.rc, -1);
		assert_int_equal(o.intervals, k);
		free(o.text.s);
		close(m.fd);
	}
	signal(SIGXFSZ, handler);
	good_free(&g);
}

static void test_reader_gone(void **state)
{
	(void)state;
	int fd[2];
	char path[64];

	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd[1]);
	struct statfile_writer *w = statfile_create(path, &head);
	assert_non_null(w);
	close(fd[0]);
	close(fd[1]);
	void (*const handler)(int) = signal(SIGPIPE, SIG_IGN);
	for (unsigned again = 0; again < 2; again++) {
		errno = 0;
		assert_int_equal(statfile_write(w, intervals), -1);
		assert_int_equal(errno, EPIPE);
	}
	errno = 0;
	assert_int_equal(statfile_end(w, 0), -1);
	assert_int_equal(errno, EPIPE);
	signal(SIGPIPE, handler);
}

static void test_bad_heads(void **state)
{
	(void)state;
	static const struct row_set no_spec = {.n = 1, .event = events, .pic = pics};
	static const struct row_set many = {
		.spec = "", .n = STATFILE_REQUESTS + 1, .event = events, .pic = pics};
	static const struct row_set *const bad[] = {&no_spec, &many};
	char *const text = malloc(STATFILE_LINE + 1);
	assert_non_null(text);
	memset(text, 'x', STATFILE_LINE);
	text[STATFILE_LINE] = '\0';
	const struct row_set long_one = {.spec = text};
	const struct row_set *const too_long = &long_one;
	const struct statfile_head heads[] = {
		{-1, 1, 1, sets},     {0, -1, 1, sets},
		{0, 1, 0, sets},      {0, 1, STATFILE_SETS + 1, sets},
		{0, 1, 1, bad},	      {0, 1, 1, bad + 1},
		{0, 1, 1, &too_long},
	};
	const struct memory m = memory_new("old", 3);

	for (size_t i = 0; i < LEN(heads); i++) {
		errno = 0;
		assert_null(statfile_create(m.path, &heads[i]));
		assert_int_equal(errno, EINVAL);
		/* the old file is unchanged */
		assert_int_equal(memory_size(&m), 3);
	}
	errno = 0;
	assert_null(statfile_create("-", &head));
	assert_int_equal(errno, EINVAL);
	close(m.fd);

	/* the longest line */
	text[STATFILE_LINE - (int)sizeof "set\t0\t0\t\t12345678"] = '\0';
	struct outcome o;
	const struct statfile_head fits = {0, 1, 1, &too_long};
	const struct bytes b = written(&fits, NULL, 0, 0, NULL);
	read_bytes(b.s, b.n, &o);
	assert_int_equal(o.rc, 0);
	free(o.text.s);
	free(b.s);
	free(text);
}

/* Each line is short enough, but the head is too long. */
static void test_long_head(void **state)
{
	(void)state;
	enum { LENGTH = STATFILE_LINE / 2, MOST = STATFILE_HEAD / LENGTH };
	char *const text = malloc(LENGTH);
	assert_non_null(text);
	memset(text, 'x', LENGTH - 1);
	text[LENGTH - 1] = '\0';
	const struct row_set set = {.spec = text};
	const struct row_set *many[MOST];
	for (unsigned i = 0; i < MOST; i++)
		many[i] = &set;
	const struct statfile_head too_many = {0, 1, MOST, many};
	const struct statfile_head fits = {0, 1, MOST - 1, many};
	struct outcome o;

	errno = 0;
	assert_null(statfile_create("/nonexistent/file", &too_many));
	assert_int_equal(errno, EINVAL);
	const struct bytes b = written(&fits, NULL, 0, 0, NULL);
	read_bytes(b.s, b.n, &o);
	assert_int_equal(o.rc, 0);
	free(o.text.s);
	free(b.s);
	free(text);
}

/* Bad intervals are refused, and later good intervals are written. */
static void test_bad_intervals(void **state)
{
	(void)state;
	static const cpc_value_t odd[] = {{0, 0, 0, 0, CPC_UNAVAILABLE + 1}};
	static const struct cpu_sample samples[] = {
		{-1, 0, 0, 0, 0, cpu9, NULL}, {STATFILE_CPUS, 0, 0, 0, 0, cpu9, NULL},
		{0, -2, 0, 0, 0, cpu9, NULL}, {0, 0, -2, 0, 0, cpu9, NULL},
		{0, 0, 0, -1, 0, cpu9, NULL}, {0, 0, 0, 0, 0, odd, NULL},
		{4, 0, 0, 0, 0, cpu9, NULL},  {4, 0, 0, 0, 0, cpu9, NULL},
	};
	static const struct cpu_interval bad[] = {
		{0, 0, 0, NULL, 0},	   {1, 2, 0, NULL, 0},
		{1, 1, 1, samples, 0},	   {1, 1, 1, samples + 1, 0},
		{1, 1, 1, samples + 2, 0}, {1, 1, 1, samples + 3, 0},
		{1, 1, 1, samples + 4, 0}, {1, 1, 1, samples + 5, 0},
		{1, 1, 2, samples + 6, 0}, {1, 0, STATFILE_VALUES / 2 + 1, NULL, 0},
	};
	const struct memory m = memory_new("", 0);
	struct statfile_writer *w = statfile_create(m.path, &head);
	struct good g = good_new();

	assert_non_null(w);
	for (unsigned k = 0; k <= LEN(intervals); k++) {
		for (size_t i = 0; i < LEN(bad); i++) {
			errno = 0;
			assert_int_equal(statfile_write(w, &bad[i]), -1);
			assert_int_equal(errno, EINVAL);
		}
		if (k < LEN(intervals))
			assert_int_equal(statfile_write(w, &intervals[k]), 0);
	}
	assert_int_equal(statfile_write(w, &intervals[0]), -1);
	assert_int_equal(statfile_end(w, 12), 0);
	const struct bytes b = memory_bytes(&m);
	assert_int_equal(b.n, g.file.n);
	assert_memory_equal(b.s, g.file.s, b.n);
	free(b.s);
	close(m.fd);
	good_free(&g);
}

/* Return a small number, a number near a power of two or ten, or the largest. */
static uint64_t any_number(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	const uint64_t r = *seed >> 24;
	uint64_t ten = 1;

	switch (r % 5) {
	case 0:
		return r / 5 % 3;
	case 1:
		return UINT64_MAX - r / 5 % 3;
	case 2:
		return (UINT64_C(1) << r / 5 % 64) - r / 400 % 2;
	case 3:
		for (uint64_t i = r / 5 % 20; i; i--)
			ten *= 10;
		return ten - r / 200 % 2;
	default:
		return *seed ^ *seed >> 29;
	}
}

/* Return a string of any bytes, which the caller frees. */
static char *any_text(uint64_t *seed)
{
	const size_t n = any_number(seed) % 40;
	char *s = malloc(n + 1);

	assert_non_null(s);
	for (size_t i = 0; i < n; i++)
		s[i] = (char)(any_number(seed) % 255 + 1);
	s[n] = '\0';
	return s;
}

enum { ANY_SETS = 4, ANY_REQUESTS = 9, ANY_CPUS = 12 };

/* A file with all kinds of contents. */
struct any {
	struct statfile_head head;
	struct row_set set[ANY_SETS];
	const struct row_set *sets[ANY_SETS];
	const char *event[ANY_SETS][ANY_REQUESTS], *note[ANY_SETS][ANY_REQUESTS];
	unsigned pic[ANY_SETS][ANY_REQUESTS];
	struct cpu_interval interval[MOST_INTERVALS];
	struct cpu_sample sample[MOST_INTERVALS][ANY_CPUS];
	cpc_value_t value[MOST_INTERVALS][ANY_CPUS][ANY_REQUESTS];
};

static void any_set(struct any *a, unsigned s, uint64_t *seed)
{
	a->set[s] = (struct row_set){
		.spec = any_text(seed),
		.n = (unsigned)(any_number(seed) % (ANY_REQUESTS + 1)),
		.event = a->event[s],
		.pic = a->pic[s],
		.note = any_number(seed) % 3 ? a->note[s] : NULL,
	};
	for (unsigned i = 0; i < a->set[s].n; i++) {
		a->event[s][i] = any_text(seed);
		a->note[s][i] = any_number(seed) % 3 ? any_text(seed) : NULL;
		a->pic[s][i] = (unsigned)any_number(seed);
	}
	a->sets[s] = &a->set[s];
}

static void any_interval(struct any *a, unsigned k, uint64_t *seed)
{
	struct cpu_interval *const i = &a->interval[k];

	i->number = (k ? i[-1].number : 0) + any_number(seed) % (UINT64_MAX / 8) + 1;
	i->set = (unsigned)(any_number(seed) % a->head.nsets);
	i->n = (unsigned)(any_number(seed) % (ANY_CPUS + 1));
	i->sample = a->sample[k];
	for (unsigned c = 0; c < i->n; c++) {
		struct cpu_sample *const s = &a->sample[k][c];
		s->cpu = (c ? s[-1].cpu + 1 : 0) +
			 (int)(any_number(seed) % (STATFILE_CPUS / (ANY_CPUS + 1)));
		s->core = (int)(any_number(seed) & INT_MAX) - (any_number(seed) % 2 == 1);
		s->socket = (int)(any_number(seed) % 3) - 1;
		s->ns = (int64_t)(any_number(seed) & INT64_MAX);
		s->tick = any_number(seed);
		s->value = a->value[k][c];
		for (unsigned v = 0; v < ANY_REQUESTS; v++)
			a->value[k][c][v] =
				(cpc_value_t){any_number(seed), any_number(seed),
					      any_number(seed), any_number(seed),
					      any_number(seed) % (CPC_UNAVAILABLE + 1)};
	}
}

static struct any *any_new(uint64_t *seed)
{
	struct any *a = calloc(1, sizeof *a);

	assert_non_null(a);
	a->head = (struct statfile_head){
		.unix_ns = (int64_t)(any_number(seed) & INT64_MAX),
		.interval_ns = (int64_t)(any_number(seed) & INT64_MAX),
		.nsets = (unsigned)(any_number(seed) % ANY_SETS) + 1,
		.set = a->sets,
	};
	for (unsigned s = 0; s < a->head.nsets; s++)
		any_set(a, s, seed);
	for (unsigned k = 0; k < MOST_INTERVALS; k++)
		any_interval(a, k, seed);
	return a;
}

static void any_free(struct any *a)
{
	for (unsigned s = 0; s < a->head.nsets; s++) {
		for (unsigned i = 0; i < a->set[s].n; i++) {
			free((char *)a->event[s][i]);
			free((char *)a->note[s][i]);
		}
		free((char *)a->set[s].spec);
	}
	free(a);
}

/* Random contents are read as they were written. */
static void test_round_trip(void **state)
{
	(void)state;
	uint64_t seed = 6;

	for (unsigned round = 0; round < 500; round++) {
		struct any *const a = any_new(&seed);
		const uint64_t skipped = any_number(&seed);
		const struct bytes text = text_of(&a->head, a->interval, MOST_INTERVALS);
		const struct bytes b =
			written(&a->head, a->interval, MOST_INTERVALS, skipped, NULL);
		struct outcome o;

		read_bytes(b.s, b.n, &o);
		assert_string_equal(o.why, "");
		assert_int_equal(o.rc, 0);
		assert_int_equal(o.skipped, skipped);
		assert_int_equal(o.text.n, text.n);
		assert_memory_equal(o.text.s, text.s, text.n);
		free(o.text.s);
		free(text.s);
		free(b.s);
		any_free(a);
	}
}
/* The memory in use does not grow with the number of intervals. */
static void test_memory(void **state)
{
	(void)state;
	enum { MANY = 2000 };
	const struct memory m = memory_new("", 0);
	struct statfile_writer *w = statfile_create(m.path, &head);
	struct cpu_interval i = {0, 0, 2, both, 0};
	size_t used = 0;

	assert_non_null(w);
	for (unsigned k = 1; k <= MANY; k++) {
		i.number = k;
		assert_int_equal(statfile_write(w, &i), 0);
		if (k == 1)
			used = in_use();
	}
	assert_int_equal(in_use(), used);
	assert_int_equal(statfile_end(w, 0), 0);

	char why[64];
	struct statfile_reader *r = statfile_open(m.path, why, sizeof why);
	const struct cpu_interval *read;
	assert_non_null(r);
	for (unsigned k = 1; k <= MANY; k++) {
		assert_int_equal(statfile_read(r, &read, why, sizeof why), 1);
		assert_int_equal(read->number, k);
		if (k == 1)
			used = in_use();
	}
	assert_int_equal(in_use(), used);
	assert_int_equal(statfile_read(r, &read, why, sizeof why), 0);
	statfile_close(r);
	close(m.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_checksum),      cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_read),	      cmocka_unit_test(test_unavailable),
		cmocka_unit_test(test_follow),	      cmocka_unit_test(test_full),
		cmocka_unit_test(test_becomes_full),  cmocka_unit_test(test_reader_gone),
		cmocka_unit_test(test_bad_heads),     cmocka_unit_test(test_long_head),
		cmocka_unit_test(test_bad_intervals), cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
