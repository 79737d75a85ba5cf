#include "symbols/symbols.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Return the symbols of this process. */
static struct symbols *own(const struct symbols_options *o)
{
	struct symbols *const s = symbols_new(o);
	FILE *const f = fopen("/proc/self/maps", "r");
	char *text = NULL;
	size_t size = 0;

	assert_non_null(s);
	assert_non_null(f);
	assert_true(getdelim(&text, &size, '\0', f) > 0);
	fclose(f);
	assert_int_equal(symbols_map_text(s, text), 0);
	free(text);
	return s;
}

static __attribute__((noinline)) int known_function(void)
{
	static volatile int calls;

	return ++calls;
}

static void function_of_this_process(void **state)
{
	struct symbols *const s = own(&(struct symbols_options){0});
	struct symbols_frame f;

	(void)state;
	known_function();
	assert_int_equal(symbols_code(s, (uintptr_t)known_function + 1, &f, 1), 1);
	assert_string_equal(f.function, "known_function");
	assert_int_equal(f.offset, 1);
	assert_non_null(strstr(f.module, "unit/symbols/symbols"));
	assert_null(f.file);
	assert_int_equal(f.line, 0);
	assert_int_equal(f.inlined, 0);
	symbols_free(s);
}

static void function_of_a_library(void **state)
{
	struct symbols *const s = own(&(struct symbols_options){0});
	struct symbols_frame f;

	(void)state;
	assert_int_equal(symbols_code(s, (uintptr_t)strsignal, &f, 1), 1);
	assert_string_equal(f.function, "strsignal");
	assert_int_equal(f.offset, 0);
	symbols_free(s);
}

static inline __attribute__((always_inline)) int inlined_function(int *line)
{
	static volatile int calls;

	*line = __LINE__ + 1;
	calls++;
	return calls;
}

static __attribute__((noinline)) int inlines(int *line, int *call_line)
{
	*call_line = __LINE__ + 1;
	return inlined_function(line) + *line;
}

static void lines_and_inlines(void **state)
{
	struct symbols *const s = own(&(struct symbols_options){.lines = symbols_lines});
	struct symbols_frame f[3];
	int line, call_line, found = 0;
	unsigned n;

	(void)state;
	inlines(&line, &call_line);
	for (uintptr_t ip = (uintptr_t)inlines;; ip++) {
		n = symbols_code(s, ip, f, 3);
		if (!f[n - 1].function || strcmp(f[n - 1].function, "inlines") != 0)
			break;
		assert_int_equal(f[n - 1].offset, ip - (uintptr_t)inlines);
		assert_int_equal(f[n - 1].inlined, 0);
		if (n == 1 || f[0].line != (unsigned)line)
			continue;
		found = 1;
		assert_int_equal(n, 2);
		assert_string_equal(f[0].function, "inlined_function");
		assert_int_equal(f[0].inlined, 1);
		assert_non_null(strstr(f[0].file, "test/unit/symbols/symbols.c"));
		assert_int_equal(f[1].line, call_line);
		assert_int_equal(symbols_code(s, ip, f, 1), 1);
		assert_string_equal(f[0].function, "inlined_function");
	}
	assert_true(found);
	symbols_free(s);
}

static void unknown_addresses(void **state)
{
	struct symbols *const s = own(&(struct symbols_options){0});
	struct symbols_frame f;
	int local;

	(void)state;
	assert_int_equal(symbols_code(s, 5, &f, 1), 1);
	assert_null(f.function);
	assert_null(f.module);
	assert_int_equal(f.offset, 5);
	assert_int_equal(symbols_code(s, (uintptr_t)&local, &f, 1), 1);
	assert_null(f.function);
	assert_string_equal(f.module, "[stack]");
	assert_int_equal(symbols_code(s, 5, &f, 0), 0);
	symbols_free(s);
}

static void files_that_cannot_be_read(void **state)
{
	struct symbols *const s = symbols_new(&(struct symbols_options){0});
	struct symbols_frame f;
	const char *why;

	(void)state;
	assert_non_null(s);
	assert_int_equal(
		symbols_map_text(s, "1000-2000 r-xp 00003000 00:00 1 /nonexistent/a\n"
				    "2000-3000 r-xp 00000000 00:00 1 /dev/null\n"
				    "3000-4000 r-xp 00000000 00:00 1 /etc/passwd\n"),
		0);
	assert_null(symbols_problem(s, 0, &why));
	assert_int_equal(symbols_code(s, 0x1234, &f, 1), 1);
	assert_null(f.function);
	assert_string_equal(f.module, "/nonexistent/a");
	assert_int_equal(f.offset, 0x3234);
	assert_int_equal(symbols_code(s, 0x2234, &f, 1), 1);
	assert_int_equal(symbols_code(s, 0x3234, &f, 1), 1);
	assert_string_equal(symbols_problem(s, 0, &why), "/nonexistent/a");
	assert_string_equal(why, "the file cannot be opened");
	assert_string_equal(symbols_problem(s, 1, &why), "/dev/null");
	assert_string_equal(symbols_problem(s, 2, &why), "/etc/passwd");
	assert_string_equal(why, "the file is not a well-formed ELF file");
	assert_null(symbols_problem(s, 3, &why));
	symbols_free(s);
}

/* A file was replaced since it was mapped: it has another build id. */
static void files_that_were_replaced(void **state)
{
	static const uint8_t id[] = {1, 2, 3};
	struct symbols *const s = symbols_new(&(struct symbols_options){0});
	const struct symbols_mapping m = {.start = 4096,
					  .end = 8192,
					  .path = "/proc/self/exe",
					  .build_id = id,
					  .build_id_size = sizeof(id)};
	struct symbols_frame f;
	const char *why;

	(void)state;
	assert_non_null(s);
	assert_int_equal(symbols_map(s, &m), 0);
	assert_int_equal(symbols_code(s, 4100, &f, 1), 1);
	assert_null(f.function);
	assert_string_equal(symbols_problem(s, 0, &why), "/proc/self/exe");
	assert_string_equal(why,
			    "the build id of the file differs from that of the mapping");
	symbols_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(function_of_this_process),
		cmocka_unit_test(function_of_a_library),
		cmocka_unit_test(lines_and_inlines),
		cmocka_unit_test(unknown_addresses),
		cmocka_unit_test(files_that_cannot_be_read),
		cmocka_unit_test(files_that_were_replaced),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
