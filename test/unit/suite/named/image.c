/* The place of a breakpoint at a name, for names that a test makes up. */
#include "suite/named/image.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "symbols/symbols.h"

/* The only object of the process; its name is "thing". */
static struct symbols_object object;

struct symbols *symbols_new(const struct symbols_options *o)
{
	(void)o;
	return (struct symbols *)&object;
}

void symbols_free(struct symbols *s)
{
	assert_ptr_equal(s, &object);
}

int symbols_map_text(struct symbols *s, const char *text)
{
	(void)s;
	(void)text;
	return 0;
}

int symbols_find(struct symbols *s, const char *name, struct symbols_object *o)
{
	(void)s;
	assert_string_equal(name, "thing");
	*o = object;
	return 0;
}

const char *symbols_suggest(struct symbols *s, const char *name, char *buf, unsigned size)
{
	(void)s, (void)name, (void)size;
	*buf = '\0';
	return buf;
}

const char *symbols_problem(struct symbols *s, unsigned i, const char **why)
{
	(void)s, (void)i, (void)why;
	return NULL;
}

static const struct {
	int line;
	const char *event;
	uint64_t address, size;
	unsigned function : 1, indirect : 1, thread_local : 1;
	uint64_t length; /* of the breakpoint; 0: the name is refused */
	enum engine_access access;
	const char *why; /* part of the refusal */
} cases[] = {
	{__LINE__, "mem:thing:w", 0x1000, 4, 0, 0, 0, 4, ENGINE_WRITE, NULL},
	{__LINE__, "mem:thing", 0x1008, 8, 0, 0, 0, 8, ENGINE_WRITE, NULL},
	{__LINE__, "mem:thing/2:rw", 0x1002, 64, 0, 0, 0, 2, ENGINE_READ_WRITE, NULL},
	{__LINE__, "mem:thing:w", 0x1002, 4, 0, 0, 0, 0, 0,
	 "'thing' is at address 0x1002, which is not a multiple of 4; give a shorter "
	 "length, as in mem:thing/1:w"},
	{__LINE__, "mem:thing/8:w", 0x1004, 64, 0, 0, 0, 0, 0,
	 "'thing' is at address 0x1004, which is not a multiple of 8"},
	{__LINE__, "mem:thing/1:w", 0x1001, 64, 0, 0, 0, 1, ENGINE_WRITE, NULL},
	{__LINE__, "mem:thing:w", 0x1000, 12, 0, 0, 0, 0, 0,
	 "'thing' in /bin/one has 12 bytes, and a breakpoint covers 1, 2, 4 or 8"},
	{__LINE__, "mem:thing:w", 0x1000, 0, 0, 0, 0, 0, 0,
	 "the size of 'thing' in /bin/one is not known"},
	{__LINE__, "mem:thing:w", 0x1000, 4, 1, 0, 0, 0, 0,
	 "'thing' is a function in /bin/one; give the length of the data"},
	{__LINE__, "mem:thing:x", 0x1000, 4, 0, 0, 0, 0, 0,
	 "'thing' is a variable in /bin/one; use w or rw"},
	{__LINE__, "mem:thing:x", 0x1000, 4, 1, 1, 0, 0, 0,
	 "'thing' in /bin/one is chosen among several functions"},
	{__LINE__, "mem:thing", 0x1000, 4, 0, 0, 1, 0, 0,
	 "'thing' in /bin/one is thread-local"},
};

static void places_breakpoints(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct wanted w = {.event = cases[i].event, .symbol = (char *)"thing"};
		struct image *im = image_new(getpid());
		struct found f = {0};
		struct why why;

		object =
			(struct symbols_object){.name = "thing",
						.address = cases[i].address,
						.size = cases[i].size,
						.module = "/bin/one",
						.is_function = cases[i].function,
						.is_indirect = cases[i].indirect,
						.is_thread_local = cases[i].thread_local};
		assert_non_null(im);
		assert_int_equal(breakpoint_parse(w.event, &w.breakpoint, &why), 0);
		assert_int_equal(image_look(im, &w, &f, 1, 0), 1);
		if (f.state != (cases[i].length ? FOUND : FOUND_NOT))
			fail_msg("line %d: %s", cases[i].line, f.why ? f.why : "found");
		if (f.state == FOUND) {
			assert_int_equal(f.place.address, cases[i].address);
			assert_int_equal(f.place.length, cases[i].length);
			assert_int_equal(f.place.access, cases[i].access);
		} else if (!strstr(f.why, cases[i].why)) {
			fail_msg("line %d: %s", cases[i].line, f.why);
		}
		free(f.why);
		image_free(im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(places_breakpoints),
	};

	return cmocka_run_group_tests_name("suite/named/image", tests, NULL, NULL);
}
