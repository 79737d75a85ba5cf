#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Append i to the n elements of an array. */
static void append(unsigned **array, size_t n, unsigned i)
{
	assert_int_equal(array_grow(array, n, sizeof **array), 0);
	(*array)[n] = i;
}

static void test_growing(void **state)
{
	enum { MANY = 1000 };
	unsigned *array = NULL;

	(void)state;
	for (unsigned i = 0; i < MANY; i++)
		append(&array, i, i);
	for (unsigned i = 0; i < MANY; i++)
		assert_int_equal(array[i], i);
	free(array);
}

/* An array that has lost elements at its end keeps the others when it grows again. */
static void test_shrinking(void **state)
{
	(void)state;
	for (size_t most = 1; most < 40; most++) {
		for (size_t least = 0; least < most; least++) {
			unsigned *array = NULL;

			for (unsigned i = 0; i < most; i++)
				append(&array, i, i);
			for (size_t n = least; n < 40; n++)
				append(&array, n, (unsigned)n);
			for (unsigned i = 0; i < 40; i++)
				assert_int_equal(array[i], i);
			free(array);
		}
	}
}

/* More bytes than an address can name: the array stays as it was. */
static void test_no_memory(void **state)
{
	static const size_t sizes[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 8};
	unsigned *array = NULL, *const none = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		errno = 0;
		assert_int_equal(array_grow(&array, 0, sizes[i]), -1);
		assert_int_equal(errno, ENOMEM);
		assert_ptr_equal(array, none);
	}
	for (unsigned i = 0; i < 4; i++)
		append(&array, i, i);
	unsigned *const before = array;
	assert_int_equal(array_grow(&array, 4, SIZE_MAX / 4), -1);
	assert_ptr_equal(array, before);
	assert_int_equal(array[3], 3);
	free(array);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_growing),
		cmocka_unit_test(test_shrinking),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
