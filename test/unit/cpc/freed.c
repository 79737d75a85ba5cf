/*
 * Sets, bufs and sessions that were freed: every call that is given one fails with
 * EINVAL, and changes nothing else.
 */
#include <libcpc.h>

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "reported.h"

enum { USER = CPC_COUNT_USER };

static cpc_t *cpc;
static cpc_set_t *set;
static cpc_buf_t *buf;
static unsigned calls; /* of actions of walks */

static int make(cpc_t *session, cpc_set_t **new_set, cpc_buf_t **new_buf)
{
	*new_set = cpc_set_create(session);
	if (!*new_set ||
	    cpc_set_add_request(session, *new_set, "page-faults", 0, USER, 0, NULL) == -1)
		return -1;
	*new_buf = cpc_buf_create(session, *new_set);
	return *new_buf ? 0 : -1;
}

static int begin(void **state)
{
	(void)state;
	calls = 0;
	cpc = cpc_open(CPC_VER_CURRENT);
	return cpc ? make(cpc, &set, &buf) : -1;
}

static int end(void **state)
{
	(void)state;
	return cpc_close(cpc);
}

/* Checks a call that returns NULL or 0 if it fails. */
#define REFUSES(call)                            \
	do {                                     \
		errno = 0;                       \
		assert_true((call) == 0);        \
		assert_int_equal(errno, EINVAL); \
	} while (0)

/* Checks a call that returns nothing. */
#define IGNORES(call)                            \
	do {                                     \
		errno = 0;                       \
		call;                            \
		assert_int_equal(errno, EINVAL); \
	} while (0)

static void count_event(void *arg, const char *event)
{
	(void)arg, (void)event;
	calls++;
}

static void count_pic(void *arg, uint_t picno, const char *event)
{
	(void)arg, (void)picno, (void)event;
	calls++;
}

static void count_request(void *arg, int index, const char *event, uint64_t preset,
			  uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	(void)arg, (void)index, (void)event, (void)preset, (void)flags, (void)nattrs;
	(void)attrs;
	calls++;
}

static void count_item(void *arg, const char *name, int index)
{
	(void)arg, (void)name, (void)index;
	calls++;
}

static void count_item_of(void *arg, cpc_set_t *of, int index, const char *name, int item)
{
	(void)arg, (void)of, (void)index, (void)name, (void)item;
	calls++;
}

static void refuses_set(cpc_t *session, cpc_set_t *old, cpc_buf_t *sample)
{
	char *argv[] = {(char *)"true", NULL};

	FAILS(cpc_set_destroy(session, old), EINVAL);
	FAILS(cpc_set_add_request(session, old, "page-faults", 0, USER, 0, NULL), EINVAL);
	FAILS(cpc_bind_curlwp(session, old, 0), EINVAL);
	FAILS(cpc_bind_child(session, getpid(), old, 0), EINVAL);
	FAILS(cpc_bind_cpu(session, 0, old, CPC_FLAGS_REMOTE), EINVAL);
	FAILS(cpc_unbind(session, old), EINVAL);
	FAILS(cpc_set_restart(session, old), EINVAL);
	FAILS(cpc_set_sample(session, old, sample), EINVAL);
	REFUSES(cpc_set_dup(session, old));
	REFUSES(cpc_buf_create(session, old));
	REFUSES(cpc_set_descriptors(session, old));
	REFUSES(cpc_command(session, argv, 1, &old));
	REFUSES(cpc_request_note(session, old, 0));
	IGNORES(cpc_walk_requests(session, old, NULL, count_request));
	IGNORES(cpc_walk_smpl_recitems_req(session, old, 0, NULL, count_item_of));
	assert_int_equal(calls, 0);
}

static void refuses_buf(cpc_t *session, cpc_set_t *of, cpc_buf_t *old)
{
	cpc_value_t value;
	uint64_t val;
	uint_t n;

	FAILS(cpc_buf_destroy(session, old), EINVAL);
	FAILS(cpc_set_sample(session, of, old), EINVAL);
	FAILS(cpc_buf_get(session, old, 0, &val), EINVAL);
	FAILS(cpc_buf_set(session, old, 0, 1), EINVAL);
	FAILS(cpc_buf_value(session, old, 0, &value), EINVAL);
	FAILS(cpc_buf_smpl_rec_count(session, old, 0, &n), EINVAL);
	FAILS(cpc_buf_smpl_get_item(session, old, 0, 0, 0, &val), EINVAL);
	FAILS(cpc_buf_smpl_lost(session, old, 0, &val), EINVAL);
	REFUSES(cpc_buf_smpl_get_record(session, old, 0, 0));
	REFUSES(cpc_buf_hrtime(session, old));
	REFUSES(cpc_buf_tick(session, old));
	IGNORES(cpc_buf_zero(session, old));
	IGNORES(cpc_buf_copy(session, old, old));
	IGNORES(cpc_buf_add(session, old, old, old));
	IGNORES(cpc_buf_sub(session, old, old, old));
}

static void refuses_session(cpc_t *old)
{
	char *argv[] = {(char *)"true", NULL}, text[64];
	uint64_t pics;

	FAILS(cpc_seterrhndlr(old, NULL), EINVAL);
	FAILS(cpc_enable(old), EINVAL);
	FAILS(cpc_disable(old), EINVAL);
	FAILS(cpc_request_preset(old, 0, 0), EINVAL);
	FAILS(cpc_event_pics(old, "page-faults", &pics), EINVAL);
	REFUSES(cpc_npic(old));
	REFUSES(cpc_caps(old));
	REFUSES(cpc_cciname(old));
	REFUSES(cpc_cpuref(old));
	REFUSES(cpc_set_create(old));
	REFUSES(cpc_smpl_npic(old));
	REFUSES(cpc_smpl_iname(old));
	REFUSES(cpc_get_smpl_max_rec_count(old));
	REFUSES(cpc_command(old, argv, 0, NULL));
	REFUSES(cpc_run_notes(old, NULL, count_event));
	REFUSES(cpc_engine_notice(old));
	REFUSES(cpc_engine_name(old));
	IGNORES(cpc_walk_events_all(old, NULL, count_event));
	IGNORES(cpc_walk_events_pic(old, 0, NULL, count_pic));
	IGNORES(cpc_walk_generic_events_all(old, NULL, count_event));
	IGNORES(cpc_walk_generic_events_pic(old, 0, NULL, count_pic));
	IGNORES(cpc_walk_events_all_common(old, NULL, CPC_TARGET_SMPL, count_event));
	IGNORES(cpc_walk_events_pic_common(old, 0, NULL, CPC_TARGET_SMPL, count_pic));
	IGNORES(cpc_walk_attrs_common(old, NULL, CPC_TARGET_SMPL, count_event));
	IGNORES(cpc_walk_attrs(old, NULL, count_event));
	IGNORES(cpc_walk_smpl_recitems(old, NULL, count_item));
	assert_int_equal(calls, 0);
	assert_string_equal(cpc_suggest(old, "page-fault", text, sizeof text), "");
	assert_int_equal(cpc_event_takes_counter(old, "page-faults"), 1);
}

static void set_was_destroyed(void **state)
{
	cpc_set_t *other = cpc_set_create(cpc);

	(void)state;
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	assert_int_equal(cpc_set_destroy(cpc, set), 0);
	refuses_set(cpc, set, buf);
	assert_int_equal(cpc_set_destroy(cpc, other), 0);
}

static void buf_was_destroyed(void **state)
{
	cpc_buf_t *other = cpc_buf_create(cpc, set);

	(void)state;
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	assert_int_equal(cpc_buf_destroy(cpc, buf), 0);
	refuses_buf(cpc, set, buf);
	assert_int_equal(cpc_set_sample(cpc, set, other), 0);
	assert_int_equal(cpc_buf_destroy(cpc, other), 0);
}

static void session_was_closed(void **state)
{
	cpc_t *session = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *its_set;
	cpc_buf_t *its_buf;

	(void)state;
	assert_non_null(session);
	assert_int_equal(make(session, &its_set, &its_buf), 0);
	assert_int_equal(cpc_bind_curlwp(session, its_set, 0), 0);
	assert_int_equal(cpc_close(session), 0);
	FAILS(cpc_close(session), EINVAL);
	refuses_session(session);
	refuses_set(session, its_set, its_buf);
	refuses_buf(session, its_set, its_buf);
	/* In the hands of another session, too. */
	refuses_set(cpc, its_set, its_buf);
	refuses_buf(cpc, its_set, its_buf);
}

static void no_session(void **state)
{
	(void)state;
	refuses_session(NULL);
	refuses_set(NULL, set, buf);
	refuses_set(cpc, NULL, buf);
	refuses_buf(NULL, set, buf);
	refuses_buf(cpc, set, NULL);
	assert_int_equal(cpc_close(NULL), 0);
}

static void *hold_session(void *arg)
{
	pthread_barrier_t *meet = arg;

	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	pthread_barrier_wait(meet);
	pthread_barrier_wait(meet);
	return NULL;
}

/* A session whose counters an LWP still has is closed all the same. */
static void session_that_an_lwp_keeps(void **state)
{
	pthread_barrier_t meet;
	pthread_t thread;
	cpc_t *closed = cpc;

	(void)state;
	pthread_barrier_init(&meet, NULL, 2);
	assert_int_equal(pthread_create(&thread, NULL, hold_session, &meet), 0);
	pthread_barrier_wait(&meet);
	assert_int_equal(cpc_close(cpc), 0);
	FAILS(cpc_close(closed), EINVAL);
	refuses_session(closed);
	refuses_set(closed, set, buf);
	pthread_barrier_wait(&meet);
	pthread_join(thread, NULL);
	FAILS(cpc_close(closed), EINVAL);
	cpc = NULL;
}

/* The object that takes the place of a freed one is left alone for a while. */
static void second_frees_hit_nothing_else(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 100; i++) {
		cpc_set_t *old_set, *new_set;
		cpc_buf_t *old_buf, *new_buf;

		assert_int_equal(make(cpc, &old_set, &old_buf), 0);
		assert_int_equal(cpc_set_destroy(cpc, old_set), 0);
		assert_int_equal(cpc_buf_destroy(cpc, old_buf), 0);
		assert_int_equal(make(cpc, &new_set, &new_buf), 0);
		FAILS(cpc_set_destroy(cpc, old_set), EINVAL);
		FAILS(cpc_buf_destroy(cpc, old_buf), EINVAL);
		assert_int_equal(cpc_set_destroy(cpc, new_set), 0);
		assert_int_equal(cpc_buf_destroy(cpc, new_buf), 0);
	}
}

static long pages(void)
{
	long size, resident = 0;
	FILE *f = fopen("/proc/self/statm", "r");

	assert_non_null(f);
	assert_int_equal(fscanf(f, "%ld %ld", &size, &resident), 2);
	fclose(f);
	return resident;
}

/*
 * One byte for each turn would be more. AddressSanitizer keeps freed memory for a while.
 */
static void memory_is_reused(void **state)
{
	enum { FIRST = 10000, ALL = 1000000, TURNS_OF_SESSION = 10 };
	long resident = 0;

	(void)state;
	for (unsigned i = 0; i < ALL; i++) {
		if (i == FIRST)
			resident = pages();
		cpc_set_t *other = cpc_set_dup(cpc, set);
		cpc_buf_t *sample = cpc_buf_create(cpc, set);
		assert_int_equal(cpc_set_destroy(cpc, other), 0);
		assert_int_equal(cpc_buf_destroy(cpc, sample), 0);
		if (i % TURNS_OF_SESSION == 0)
			assert_int_equal(cpc_close(cpc_open(CPC_VER_CURRENT)), 0);
	}
#ifndef __SANITIZE_ADDRESS__
	assert_in_range(pages(), 0, resident + 24);
#else
	(void)resident;
#endif
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(set_was_destroyed),	 TEST(buf_was_destroyed),
		TEST(session_was_closed),	 TEST(no_session),
		TEST(session_that_an_lwp_keeps), TEST(second_frees_hit_nothing_else),
		TEST(memory_is_reused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
