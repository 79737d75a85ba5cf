/*
 * Names in processes, whose images and system calls a test makes up. The linker replaces
 * cpc_place() and pctx_watch_calls() by functions of this file (--wrap).
 */
#include "suite/named/named.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "cpc/place.h"
#include "fake_engine.h"
#include "pctx/watch.h"
#include "suite/named/image.h"

enum { PID = 10, OTHER = 20, CHILD = 11, LWP = 1, ENTRY = 0x1000, HIT = 0x2000 };

/* What the next look finds, and what the calls have done. */
static struct {
	enum found_state state;
	int last;    /* the argument of the last look */
	int watched; /* the argument of the last pctx_watch_calls(), or -1 */
	unsigned images, places;
	uint64_t address; /* of the last place; 0: the breakpoint is nowhere */
} seen;

struct image {
	int unused;
};

static struct image the_image;

struct image *image_new(pid_t pid)
{
	(void)pid;
	seen.images++;
	return &the_image;
}

void image_free(struct image *im)
{
	seen.images -= im != NULL;
}

struct engine_place image_entry(const struct image *im)
{
	assert_ptr_equal(im, &the_image);
	return (struct engine_place){.address = ENTRY, .is_provisional = 1};
}

int image_has_loader(const struct image *im)
{
	return im == &the_image;
}

int image_look(struct image *im, const struct wanted *w, struct found *f, size_t n,
	       int last)
{
	assert_ptr_equal(im, &the_image);
	assert_int_equal(n, 1);
	assert_string_equal(w->symbol, "hit");
	seen.last = last;
	f->state = last && seen.state == FOUND_NOT_YET ? FOUND_NOT : seen.state;
	if (f->state == FOUND)
		f->place = (struct engine_place){.address = HIT};
	if (f->state == FOUND_NOT && !f->why)
		f->why = strdup("it is not there");
	return f->state != FOUND_NOT_YET;
}

int __wrap_cpc_place(cpc_t *cpc, cpc_set_t *set, unsigned i,
		     const struct engine_place *place);
void __wrap_pctx_watch_calls(pctx_t *pctx, id_t lwpid, int on);

int __wrap_cpc_place(cpc_t *cpc, cpc_set_t *set, unsigned i,
		     const struct engine_place *place)
{
	(void)cpc;
	assert_non_null(set);
	assert_int_equal(i, 0);
	seen.places++;
	seen.address = place ? place->address : 0;
	return 0;
}

void __wrap_pctx_watch_calls(pctx_t *pctx, id_t lwpid, int on)
{
	assert_null(pctx);
	assert_int_equal(lwpid, LWP);
	seen.watched = on;
}

static int knows_all(struct engine *e, const char *name)
{
	(void)e;
	(void)name;
	return 1;
}

static cpc_t *cpc;
static cpc_set_t *set;
static struct named *n;
static struct engine_ops ops;

static int begin(void **arg)
{
	(void)arg;
	memset(&seen, 0, sizeof seen);
	seen.watched = -1;
	cpc = fake_session(NULL);
	ops = fake_ops;
	ops.knows = knows_all;
	cpc->scope.ops = &ops;
	cpc->places = 1;
	set = cpc_set_create(cpc);
	assert_int_equal(
		cpc_set_add_request(cpc, set, "mem:hit:x", 0, CPC_COUNT_USER, 0, NULL),
		0);
	assert_int_equal(named_open(&n, cpc, 1, &set, 0), 0);
	assert_non_null(n);
	return 0;
}

static int end(void **arg)
{
	(void)arg;
	named_free(n);
	assert_int_equal(seen.images, 0);
	return cpc_close(cpc);
}

static unsigned notes;

static void note(void *arg, const char *text)
{
	(void)arg;
	assert_string_equal(text, "mem:hit:x: not counted in 1 program: it is not there");
	notes++;
}

/* Until the name is found, the breakpoint is at the entry, and calls are watched. */
static void a_name_is_looked_for_at_each_call(void **arg)
{
	const char *event;

	(void)arg;
	assert_int_equal(named_begin(n, NULL, PID, LWP), 0);
	assert_int_equal(seen.watched, 1);
	assert_int_equal(seen.last, 0);
	assert_false(named_is_pending(n, PID));
	assert_int_equal(named_bound(n, PID, 0, set), 0);
	assert_int_equal(seen.address, ENTRY);
	assert_true(named_is_pending(n, PID));
	assert_int_equal(named_call(n, NULL, PID, LWP), 0);
	assert_int_equal(seen.places, 1);
	assert_int_equal(seen.watched, 1);
	assert_true(named_is_pending(n, PID));
	seen.state = FOUND;
	assert_int_equal(named_call(n, NULL, PID, LWP), 0);
	assert_int_equal(seen.places, 2);
	assert_int_equal(seen.address, HIT);
	assert_int_equal(seen.watched, 0);
	assert_false(named_is_pending(n, PID));
	assert_null(named_refusal(n, PID, &event));
	assert_int_equal(named_notes(n, NULL, note), 0);
}

/* The calls of a process without names, or whose names are found, are not watched. */
static void calls_of_other_processes_are_not_watched(void **arg)
{
	(void)arg;
	assert_int_equal(named_call(n, NULL, OTHER, LWP), 0);
	assert_int_equal(seen.watched, 0);
	assert_false(named_is_pending(n, OTHER));
	seen.state = FOUND;
	assert_int_equal(named_begin(n, NULL, PID, LWP), 0);
	seen.watched = 1;
	assert_int_equal(named_call(n, NULL, PID, LWP), 0);
	assert_int_equal(seen.watched, 0);
	seen.watched = 1;
	assert_int_equal(named_call(NULL, NULL, PID, LWP), 0);
	assert_int_equal(seen.watched, 0);
}

/* A child of fork(2) shares the image of its parent, which decides. */
static void a_name_that_is_not_found_is_refused(void **arg)
{
	const char *event = NULL;

	(void)arg;
	assert_int_equal(named_begin(n, NULL, PID, LWP), 0);
	assert_int_equal(named_bound(n, PID, 0, set), 0);
	assert_int_equal(named_fork(n, PID, CHILD), 0);
	named_settle(n, CHILD);
	named_settle(n, OTHER);
	named_settle(NULL, PID);
	assert_true(named_is_pending(n, PID));
	assert_null(named_refusal(n, PID, &event));
	assert_null(event);
	named_settle(n, PID);
	assert_int_equal(seen.last, 1);
	assert_int_equal(seen.address, 0);
	assert_false(named_is_pending(n, PID));
	assert_string_equal(named_refusal(n, PID, &event), "it is not there");
	assert_string_equal(event, "mem:hit:x");
	assert_string_equal(named_refusal(n, CHILD, &event), "it is not there");
	const unsigned places = seen.places;
	named_settle(n, PID);
	assert_int_equal(seen.places, places);
	named_end(n, PID);
	named_end(n, CHILD);
	notes = 0;
	assert_int_equal(named_notes(n, NULL, note), 1);
	assert_int_equal(notes, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_name_is_looked_for_at_each_call),
		TEST(calls_of_other_processes_are_not_watched),
		TEST(a_name_that_is_not_found_is_refused),
	};

	return cmocka_run_group_tests_name("suite/named/named", tests, NULL, NULL);
}
