/* The sums of a region over the threads of a process, as a table and as JSON. */
#include "region/summary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "region/format.h"

enum { EVENTS = 2, THREADS = 4 };

static struct region_events events = {.n = EVENTS};
static struct ring threads;
static struct region_name *work, *idle;

static int open_session(void **state)
{
	static const char *const name[EVENTS] = {"page-faults", "task-clock"};

	(void)state;
	events.cpc = cpc_open(CPC_VER_CURRENT);
	assert_non_null(events.cpc);
	events.set = cpc_set_create(events.cpc);
	assert_non_null(events.set);
	for (unsigned i = 0; i < EVENTS; i++)
		assert_true(cpc_set_add_request(events.cpc, events.set, name[i], 0,
						CPC_COUNT_USER, 0, NULL) >= 0);
	work = calloc(1, sizeof *work + sizeof "work\033");
	idle = calloc(1, sizeof *idle + sizeof "idle");
	assert_true(work && idle);
	strcpy(work->text, "work\033");
	strcpy(idle->text, "idle");
	ring_init(&threads);
	return 0;
}

static int close_session(void **state)
{
	(void)state;
	free(work);
	free(idle);
	return cpc_close(events.cpc);
}

/* Add a thread that has called a region, with the counts of its first event. */
static void add_thread(const struct region_name *name, uint64_t calls, unsigned depth,
		       const uint64_t count[REGION_NSUMS])
{
	struct region_thread *t = calloc(1, sizeof *t);
	struct region *r =
		calloc(1, sizeof *r + REGION_NSUMS * EVENTS * sizeof r->sum[0]);

	assert_true(t && r);
	*r = (struct region){.name = name, .calls = calls, .cut = 1, .depth = depth};
	for (unsigned kind = 0; kind < REGION_NSUMS; kind++) {
		r->enabled[kind] = 10 * count[kind];
		r->sum[kind * EVENTS].count = count[kind];
	}
	t->region = calloc(1, sizeof(struct region *));
	assert_non_null(t->region);
	t->region[0] = r;
	t->nregions = 1;
	ring_add(&threads, &t->link);
}

static void free_threads(void)
{
	while (threads.next != &threads) {
		struct region_thread *t = (struct region_thread *)threads.next;

		ring_drop(&t->link);
		free(t->region[0]);
		free(t->region);
		free(t);
	}
}

static void test_sums(void **state)
{
	/* All calls, those inside others of the region, and what regions inside had. */
	static const uint64_t count[THREADS][REGION_NSUMS] = {
		{100, 10, 30}, {7, 0, 2}, {50, 0, 60}, {1000, 0, 0}};

	(void)state;
	for (unsigned i = 0; i < THREADS; i++)
		add_thread(work, 3, i == 0, count[i]);
	add_thread(idle, 1, 0, count[3]);
	struct region_summary *s = region_summary_new(&events, &threads, work);
	assert_non_null(s);
	assert_string_equal(s->name, "work\033");
	assert_int_equal(s->threads, THREADS);
	assert_int_equal(s->calls, 12);
	assert_int_equal(s->cut, 4);
	assert_int_equal(s->open, 1);
	assert_int_equal(s->value[0].inclusive.value, 90 + 7 + 50 + 1000);
	/* A thread that goes on may have more in its inner regions: 50 - 60 is 0. */
	assert_int_equal(s->value[0].exclusive.value, 70 + 5 + 0 + 1000);
	assert_int_equal(s->value[0].min, 7);
	assert_int_equal(s->value[0].median, (50 + 90) / 2);
	assert_int_equal(s->value[0].max, 1000);
	free(s);
	/* Calls that have not ended have no values. */
	free_threads();
	add_thread(work, 0, 1, count[0]);
	s = region_summary_new(&events, &threads, work);
	assert_non_null(s);
	assert_int_equal(s->value[0].inclusive.quality, CPC_UNAVAILABLE);
	free(s);
	free_threads();
}

static void same(struct textbuf *b, const char *want)
{
	char *text = textbuf_end(b);

	assert_non_null(text);
	assert_string_equal(text, want);
	free(text);
	*b = (struct textbuf){0};
}

static void test_formats(void **state)
{
	struct region_summary *s =
		calloc(1, sizeof *s + EVENTS * sizeof(struct region_values));
	const struct region_process p = {.command = "prog",
					 .host = "h",
					 .pid = 7,
					 .unix_ns = 9,
					 .provisional = 1,
					 .failed = 2,
					 .events = &events,
					 .n = 1,
					 .summary = &s};
	struct textbuf b = {0};

	(void)state;
	assert_non_null(s);
	s->name = work->text;
	s->threads = 1;
	s->calls = 3;
	s->cut = 4;
	s->open = 5;
	s->value[0] = (struct region_values){{6, 6, 8, 8, CPC_EXACT},
					     {5, 5, 8, 8, CPC_EXACT},
					     .min = 6,
					     .median = 6,
					     .max = 6};
	s->value[1].inclusive.quality = CPC_UNAVAILABLE;
	s->value[1].exclusive.quality = CPC_UNAVAILABLE;
	region_format_table(&b, &p);
	same(&b, "regions of prog, process 7, counted by kernel, which goes on\n"
		 "region     threads      calls  event            inclusive     "
		 "exclusive    min/thread        median           max  class\n"
		 "work?            1          3  page-faults              6             "
		 "5             6             6             6  exact\n"
		 "                               task-clock               -             "
		 "-             -             -             -  unavailable\n"
		 "note: work?: calls that ended with their thread or process, not by "
		 "cpc_region_end(): 4\n"
		 "note: work?: calls that have not ended, which are left out: 5\n"
		 "note: threads without counters, whose regions are left out: 2\n");
	region_format_json(&b, &p);
	same(&b,
	     "{\"schema\":1,\"record\":\"region\",\"command\":\"prog\",\"host\":\"h\","
	     "\"pid\":7,\"unix_ns\":9,\"provisional\":true,\"engine\":\"kernel\","
	     "\"failed\":2,\"region\":\"work\\u001b\",\"threads\":1,\"calls\":3,"
	     "\"cut\":4,\"open\":5,\"values\":[{\"name\":\"page-faults\","
	     "\"inclusive\":6,\"exclusive\":5,\"min\":6,\"median\":6,\"max\":6,"
	     "\"count\":6,\"enabled_ns\":8,\"running_ns\":8,\"class\":\"exact\","
	     "\"note\":null},{\"name\":\"task-clock\",\"inclusive\":null,"
	     "\"exclusive\":null,\"min\":null,\"median\":null,\"max\":null,"
	     "\"count\":null,\"enabled_ns\":0,\"running_ns\":0,\"class\":"
	     "\"unavailable\",\"note\":null}]}\n");
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_formats),
	};

	return cmocka_run_group_tests(tests, open_session, close_session);
}
