#include "engine/bpf/copies.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { NVALUES = 2, MOST = 5 };

struct value {
	uint64_t changes, count;
};

/* What reads of two values return; the last of them is returned for ever. */
struct reads {
	struct value value[MOST][NVALUES];
	unsigned n, done;
	int fail_at; /* the read that fails with EPERM, or 0 */
};

static int read_values(void *reads, void *to)
{
	struct reads *r = reads;
	const unsigned i = r->done < r->n ? r->done : r->n - 1;

	if (r->fail_at && (unsigned)r->fail_at == r->done + 1) {
		errno = EPERM;
		return -1;
	}
	memcpy(to, r->value[i], sizeof r->value[i]);
	r->done++;
	return 0;
}

static int settle(struct reads *r, struct value *copy)
{
	struct value again[NVALUES];
	unsigned char settled[NVALUES] = {0};
	const struct bpf_copies c = {.n = NVALUES,
				     .size = sizeof *copy,
				     .copy = (unsigned char *)copy,
				     .again = (unsigned char *)again,
				     .settled = settled,
				     .read = read_values,
				     .arg = r};

	read_values(r, copy);
	return bpf_copies_settle(&c);
}

static const struct {
	struct reads reads;
	unsigned done;
	uint64_t count[NVALUES];
} good[] = {
	/* nothing changes */
	{{{{{2, 7}, {4, 8}}}, .n = 1}, 2, {7, 8}},
	/* the first copy was made during a change */
	{{{{{3, 7}, {4, 8}}, {{4, 9}, {4, 8}}}, .n = 2}, 3, {9, 8}},
	/* two copies were made during the same change */
	{{{{{2, 7}, {5, 8}}, {{2, 7}, {5, 8}}, {{2, 7}, {6, 9}}}, .n = 3}, 4, {7, 9}},
	/* a change began and ended while the first copy was made */
	{{{{{2, 9}, {4, 8}}, {{4, 9}, {4, 8}}}, .n = 2}, 3, {9, 8}},
	/* each value settles by itself, though another changes all the time */
	{{{{{2, 1}, {2, 1}}, {{2, 1}, {4, 2}}, {{4, 2}, {6, 3}}, {{6, 3}, {6, 3}}},
	  .n = 4},
	 4,
	 {1, 3}},
};

static void copies_no_change(void **state)
{
	struct value copy[NVALUES];

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct reads r = good[i].reads;

		assert_int_equal(settle(&r, copy), 0);
		assert_int_equal(r.done, good[i].done);
		assert_int_equal(copy[0].count, good[i].count[0]);
		assert_int_equal(copy[1].count, good[i].count[1]);
	}
}

/* A value that is changed between two reads unless they follow each other at once. */
struct busy {
	struct timespec last;
	unsigned done;
	uint64_t changes;
};

static int read_busy(void *busy, void *to)
{
	enum { BUSY_READS = 100, AT_ONCE_NS = 50000 };
	struct busy *b = busy;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (b->done++ < BUSY_READS || now.tv_sec != b->last.tv_sec ||
	    now.tv_nsec - b->last.tv_nsec > AT_ONCE_NS)
		b->changes += 2;
	b->last = now;
	memcpy(to, &(struct value){b->changes, b->changes}, sizeof(struct value));
	return 0;
}

static void copies_what_changes_all_the_time(void **state)
{
	struct busy busy = {.done = 0};
	struct value copy, again;
	unsigned char settled = 0;
	const struct bpf_copies c = {.n = 1,
				     .size = sizeof copy,
				     .copy = (unsigned char *)&copy,
				     .again = (unsigned char *)&again,
				     .settled = &settled,
				     .read = read_busy,
				     .arg = &busy};

	(void)state;
	read_busy(&busy, &copy);
	assert_int_equal(bpf_copies_settle(&c), 0);
	assert_int_equal(copy.changes, busy.changes);
	assert_int_equal(copy.count, busy.changes);
}

static void gives_up(void **state)
{
	struct reads changing = {{{{3, 7}, {4, 8}}}, .n = 1};
	struct reads failing = {{{{3, 7}, {4, 8}}}, .n = 1, .fail_at = 3};
	struct value copy[NVALUES];

	(void)state;
	errno = 0;
	assert_int_equal(settle(&changing, copy), -1);
	assert_int_equal(errno, EAGAIN);
	assert_int_equal(settle(&failing, copy), -1);
	assert_int_equal(errno, EPERM);
}

static void what_is_no_map_has_no_values(void **state)
{
	size_t n;

	(void)state;
	errno = 0;
	assert_null(bpf_copies_hash(-1, sizeof(struct value), &n));
	assert_int_not_equal(errno, 0);
	errno = 0;
	assert_null(bpf_copies_cpus(-1, sizeof(struct value), NVALUES));
	assert_int_not_equal(errno, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_no_change),
		cmocka_unit_test(copies_what_changes_all_the_time),
		cmocka_unit_test(gives_up),
		cmocka_unit_test(what_is_no_map_has_no_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
