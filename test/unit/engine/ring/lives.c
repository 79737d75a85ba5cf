#include "engine/ring/lives.h"

#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 4096 };

/* A ring into which a test writes as the kernel does. */
struct writer {
	unsigned char data[SIZE];
	uint64_t head;
	struct kernel_ring ring;
};

static void start(struct writer *w)
{
	memset(w, 0xee, sizeof *w);
	w->head = 0;
	w->ring = (struct kernel_ring){.data = w->data, .size = SIZE};
}

static void put(struct writer *w, const void *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w->data[w->head++ % SIZE] = ((const unsigned char *)bytes)[i];
}

static void put_header(struct writer *w, uint32_t type, uint16_t misc, size_t body)
{
	const struct perf_event_header h = {
		.type = type, .misc = misc, .size = (uint16_t)(sizeof h + body)};

	put(w, &h, sizeof h);
}

/* The end of each record: the LWP and the time. */
static void put_id(struct writer *w, uint32_t pid, uint32_t tid, uint64_t ns)
{
	const uint32_t lwp[2] = {pid, tid};

	put(w, lwp, sizeof lwp);
	put(w, &ns, sizeof ns);
}

static void put_fork(struct writer *w, uint32_t pid, uint32_t tid, uint64_t ns)
{
	const uint32_t ids[4] = {pid, 1, tid, 2};

	put_header(w, PERF_RECORD_FORK, 0, sizeof ids + 24);
	put(w, ids, sizeof ids);
	put(w, &ns, sizeof ns);
	put_id(w, 1, 2, ns);
}

static void put_comm(struct writer *w, uint16_t misc, uint32_t tid, const char *name,
		     uint64_t ns)
{
	const uint32_t ids[2] = {1, tid};
	char text[16] = {0};

	memcpy(text, name, strlen(name));
	put_header(w, PERF_RECORD_COMM, misc, sizeof ids + sizeof text + 16);
	put(w, ids, sizeof ids);
	put(w, text, sizeof text);
	put_id(w, 1, tid, ns);
}

static void put_value(struct writer *w, uint32_t tid, uint64_t id, uint64_t value,
		      uint64_t ns)
{
	const uint32_t ids[2] = {1, tid};
	const uint64_t values[4] = {value, 100, 50, id};

	put_header(w, PERF_RECORD_READ, 0, sizeof ids + sizeof values + 16);
	put(w, ids, sizeof ids);
	put(w, values, sizeof values);
	put_id(w, 1, tid, ns);
}

/* What was reported, a line for each life. */
struct report {
	char text[1024];
};

static void write_life(void *arg, const struct engine_life *life)
{
	static const char *const words[] = {"birth", "name", "exec", "end"};
	struct report *r = arg;
	size_t n = strlen(r->text);

	n += (size_t)snprintf(r->text + n, sizeof r->text - n, "%lld %s %d",
			      (long long)life->ns, words[life->kind], (int)life->tid);
	if (life->kind == LIFE_BIRTH)
		n += (size_t)snprintf(r->text + n, sizeof r->text - n, " of %d/%d",
				      (int)life->parent_pid, (int)life->parent_tid);
	if (life->name)
		n += (size_t)snprintf(r->text + n, sizeof r->text - n, " %s", life->name);
	for (int i = 0; life->val && i < 2; i++)
		n += (size_t)snprintf(r->text + n, sizeof r->text - n, " %s%llu/%llu",
				      life->val[i].absent ? "absent " : "",
				      (unsigned long long)life->val[i].count,
				      (unsigned long long)life->val[i].running);
	snprintf(r->text + n, sizeof r->text - n, "\n");
}

/* Two evsels; the second is the sum of two parts that run at the same time. */
static const struct kernel_lives_part parts[] = {
	{.id = 7, .sel = 0, .factor = 1},
	{.id = 8, .sel = 1, .factor = 2},
	{.id = 9, .sel = 1, .factor = 2, .with_previous = 1},
};

static const struct kernel_lives two = {.nsel = 2, .nparts = 3, .part = parts};

static void test_records_come_in_the_order_of_time(void **state)
{
	struct kernel_lives v = two;
	struct writer births, values;
	struct report r = {""};

	(void)state;
	start(&births);
	start(&values);
	put_value(&values, 5, 7, 30, 400);
	put_value(&values, 5, 8, 4, 401);
	put_value(&values, 5, 9, 6, 402);
	put_fork(&births, 1, 5, 100);
	put_comm(&births, 0, 5, "worker", 200);
	put_comm(&births, PERF_RECORD_MISC_COMM_EXEC, 1, "true", 300);
	kernel_lives_take(&v, &values.ring, values.head);
	kernel_lives_take(&v, &births.ring, births.head);
	kernel_lives_emit(&v, 401, &r, write_life);
	assert_string_equal(r.text, "100 birth 5 of 1/2\n"
				    "200 name 5 worker\n"
				    "300 exec 1 true\n");
	kernel_lives_emit(&v, 402, &r, write_life);
	assert_non_null(strstr(r.text, "402 end 5 30/50 20/50\n"));
	assert_int_equal(v.lost, 0);
	kernel_lives_free(&v);
}

static void test_records_that_are_left_keep_their_order(void **state)
{
	struct kernel_lives v = two;
	struct writer a, b;
	struct report r = {""};

	(void)state;
	start(&a);
	start(&b);
	put_comm(&a, 0, 1, "a", 100);
	put_comm(&a, 0, 1, "b", 300);
	put_comm(&a, 0, 1, "c", 500);
	put_comm(&b, 0, 2, "d", 200);
	put_comm(&b, 0, 2, "e", 500);
	kernel_lives_take(&v, &a.ring, a.head);
	kernel_lives_take(&v, &b.ring, b.head);
	kernel_lives_emit(&v, 200, &r, write_life);
	assert_string_equal(r.text, "100 name 1 a\n200 name 2 d\n");
	r.text[0] = '\0';
	/* The clock of this ring goes back once. */
	put_comm(&a, 0, 1, "f", 600);
	put_comm(&a, 0, 1, "g", 400);
	kernel_lives_take(&v, &a.ring, a.head);
	kernel_lives_emit(&v, 400, &r, write_life);
	assert_string_equal(r.text, "300 name 1 b\n400 name 1 g\n");
	r.text[0] = '\0';
	kernel_lives_emit(&v, INT64_MAX, &r, write_life);
	assert_string_equal(r.text, "500 name 1 c\n500 name 2 e\n600 name 1 f\n");
	kernel_lives_emit(&v, INT64_MAX, &r, write_life);
	assert_int_equal(v.lost, 0);
	kernel_lives_free(&v);
}

static void test_values_that_are_lost_are_absent(void **state)
{
	struct kernel_lives v = two;
	struct writer w;
	struct report r = {""};

	(void)state;
	start(&w);
	put_value(&w, 5, 7, 30, 400);
	kernel_lives_take(&v, &w.ring, w.head);
	kernel_lives_emit(&v, INT64_MAX, &r, write_life);
	assert_string_equal(r.text, "");
	kernel_lives_end(&v, &r, write_life);
	assert_string_equal(r.text, "400 end 5 30/50 absent 0/0\n");
	kernel_lives_free(&v);
}

static void test_a_number_of_an_lwp_is_used_again(void **state)
{
	struct kernel_lives v = two;
	struct writer w;
	struct report r = {""};

	(void)state;
	start(&w);
	put_value(&w, 5, 7, 30, 400);
	put_value(&w, 5, 7, 1, 500);
	put_value(&w, 5, 8, 1, 501);
	put_value(&w, 5, 9, 1, 502);
	kernel_lives_take(&v, &w.ring, w.head);
	kernel_lives_emit(&v, INT64_MAX, &r, write_life);
	assert_string_equal(r.text, "400 end 5 30/50 absent 0/0\n"
				    "502 end 5 1/50 4/50\n");
	kernel_lives_free(&v);
}

static void test_records_that_are_not_understood_count_as_lost(void **state)
{
	struct kernel_lives v = two;
	struct writer w;
	struct report r = {""};
	const uint64_t words[3] = {0};

	(void)state;
	start(&w);
	put_value(&w, 5, 99, 30, 400); /* an event that is none of the parts */
	put_header(&w, PERF_RECORD_FORK, 0, sizeof words);
	put(&w, words, sizeof words);
	put_header(&w, PERF_RECORD_EXIT, 0, sizeof words);
	put(&w, words, sizeof words);
	kernel_lives_take(&v, &w.ring, w.head);
	kernel_lives_emit(&v, INT64_MAX, &r, write_life);
	assert_string_equal(r.text, "");
	assert_int_equal(v.lost, 2);
	kernel_lives_free(&v);
}

/* Parts of one evsel that run one after another, each for half of the time. */
static void test_an_evsel_runs_at_most_while_it_is_enabled(void **state)
{
	static const struct kernel_lives_part three[] = {
		{.id = 7, .sel = 0, .factor = 1},
		{.id = 8, .sel = 1, .factor = 1},
		{.id = 9, .sel = 1, .factor = 1},
		{.id = 10, .sel = 1, .factor = 1},
	};
	struct kernel_lives v = {.nsel = 2, .nparts = 4, .part = three};
	struct writer w;
	struct report r = {""};

	(void)state;
	start(&w);
	for (uint64_t id = 7; id <= 10; id++)
		put_value(&w, 5, id, 2, 400 + id);
	kernel_lives_take(&v, &w.ring, w.head);
	kernel_lives_emit(&v, INT64_MAX, &r, write_life);
	assert_string_equal(r.text, "410 end 5 2/50 6/100\n");
	kernel_lives_free(&v);
}

static void test_events_write_the_value_of_each_lwp(void **state)
{
	struct perf_event_attr attr = {0};

	(void)state;
	kernel_lives_attr(&attr);
	assert_true(attr.inherit_stat && attr.sample_id_all);
	assert_int_equal(attr.sample_type,
			 PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ);
	assert_int_equal(attr.read_format, PERF_FORMAT_TOTAL_TIME_ENABLED |
						   PERF_FORMAT_TOTAL_TIME_RUNNING |
						   PERF_FORMAT_ID);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_records_come_in_the_order_of_time),
		cmocka_unit_test(test_records_that_are_left_keep_their_order),
		cmocka_unit_test(test_values_that_are_lost_are_absent),
		cmocka_unit_test(test_a_number_of_an_lwp_is_used_again),
		cmocka_unit_test(test_records_that_are_not_understood_count_as_lost),
		cmocka_unit_test(test_an_evsel_runs_at_most_while_it_is_enabled),
		cmocka_unit_test(test_events_write_the_value_of_each_lwp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
