/* Tests the image that a program finds on its stack: words in, bytes out. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/image/image.h"

enum { TOP = 0x20000000, ROOM = 1 << 20 };

/* A stack as a kernel makes it, with entries that only some kernels give. */
struct stack {
	uint64_t word[64];
	uint8_t random[16];
	struct image im;
	uint64_t room[64];
};

static uint64_t *add_strings(uint64_t *to, const char *const *strings)
{
	while (*strings)
		*to++ = (uintptr_t)*strings++;
	*to++ = 0;
	return to;
}

static void make(struct stack *s, const char *const *argv, const char *const *env,
		 uint64_t vendor)
{
	uint64_t *p = s->word + 1;

	memset(s, 0, sizeof *s);
	while (argv[s->word[0]])
		s->word[0]++;
	memset(s->random, (int)vendor, sizeof s->random);
	p = add_strings(add_strings(p, argv), env);
	const uint64_t aux[][2] = {{AT_SYSINFO_EHDR, vendor},
				   {AT_IGNORE, 1},
				   {AT_ENTRY, 0x401000},
				   {AT_HWCAP, vendor},
				   {AT_HWCAP2, vendor},
				   {AT_PAGESZ, 4096},
				   {AT_RANDOM, (uintptr_t)s->random},
				   {AT_EXECFN, (uintptr_t)argv[0]},
				   {AT_PLATFORM, (uintptr_t) "x86_64"},
				   {AT_NULL, 0}};
	memcpy(p, aux, sizeof aux);
	image_copy(s->word, s->room, &s->im);
}

static const char *const argv[] = {"/bin/ls", "-l", NULL};
static const char *const env[] = {"HOME=/root", "PATH=/bin:/usr/bin", NULL};

static void copies_what_the_kernel_made(void **state)
{
	struct stack s;
	uint64_t again[64];

	(void)state;
	make(&s, argv, env, 7);
	assert_int_equal(1 + 3 + 3 + 20, image_words(s.word));
	assert_int_equal(image_words(s.word), image_size(&s.im));
	assert_int_equal(2, s.im.argc);
	assert_int_equal(2, s.im.nenv);
	assert_int_equal(10, s.im.naux);
	image_write(&s.im, again);
	assert_memory_equal(s.word, again, image_size(&s.im) * sizeof again[0]);
}

static void copies_an_empty_image(void **state)
{
	const uint64_t none[] = {0, 0, 0, AT_NULL, 0};
	uint64_t room[5], again[5];
	struct image im;

	(void)state;
	assert_int_equal(5, image_words(none));
	image_copy(none, room, &im);
	image_write(&im, again);
	assert_memory_equal(none, again, sizeof none);
}

static void fixes_the_auxiliary_vector(void **state)
{
	struct stack a, b;

	(void)state;
	make(&a, argv, env, 7);
	make(&b, argv, env, 99);
	image_fix_aux(&a.im);
	image_fix_aux(&b.im);
	assert_int_equal(7, a.im.naux);
	assert_int_equal(7, b.im.naux);
	for (unsigned i = 0; i < 7; i++) {
		assert_int_equal(a.im.aux[i].type, b.im.aux[i].type);
		assert_int_not_equal(AT_IGNORE, a.im.aux[i].type);
		assert_int_not_equal(AT_HWCAP2, a.im.aux[i].type);
		if (a.im.aux[i].type != AT_RANDOM)
			assert_int_equal(a.im.aux[i].value, b.im.aux[i].value);
	}
	assert_int_equal(AT_NULL, a.im.aux[6].type);
	assert_memory_equal(a.random, b.random, sizeof a.random);
	assert_int_not_equal(a.random[0], a.random[1]);
}

/* Checks that every string of an image built in out is where its pointer says. */
static void check_strings(const struct image *im, const uint8_t *out, size_t size)
{
	const uint64_t *const word = (const uint64_t *)out, base = TOP - size;

	assert_int_equal(im->argc, word[0]);
	for (unsigned i = 0; i < im->argc; i++)
		assert_string_equal(im->argv[i],
				    (const char *)out + (word[1 + i] - base));
	for (unsigned i = 0; i < im->nenv; i++)
		assert_string_equal(im->env[i],
				    (const char *)out + (word[2 + im->argc + i] - base));
	const uint64_t *aux = word + 3 + im->argc + im->nenv;
	for (unsigned i = 0; i < im->naux; i++, aux += 2) {
		assert_int_equal(im->aux[i].type, aux[0]);
		if (aux[0] == AT_RANDOM)
			assert_memory_equal(im->aux[i].value, out + (aux[1] - base), 16);
		else if (aux[0] == AT_EXECFN || aux[0] == AT_PLATFORM)
			assert_string_equal(im->aux[i].value, out + (aux[1] - base));
		else
			assert_int_equal(im->aux[i].value, aux[1]);
	}
}

static void builds_the_same_places_for_all_lengths(void **state)
{
	static const char *const longer[] = {"/a/much/longer/name/of/a/folder/ls", "-lrt",
					     NULL};
	static const char *const other[] = {"HOME=/home/somebody/else", "PATH=/bin",
					    NULL};
	uint8_t *const one = malloc(ROOM), *const two = malloc(ROOM);
	struct stack a, b;

	(void)state;
	make(&a, argv, env, 7);
	make(&b, longer, other, 7);
	const size_t size = image_build(&a.im, TOP, one, ROOM);
	assert_int_equal(128 << 10, size);
	assert_int_equal(size, image_build(&b.im, TOP, two, ROOM));
	check_strings(&a.im, one, size);
	check_strings(&b.im, two, size);
	assert_memory_equal(one, two, image_size(&a.im) * 8);
	free(one);
	free(two);
}

static void grows_for_many_strings_and_refuses_too_many(void **state)
{
	static char text[3 << 16];
	const char *const big[] = {"x", text, NULL};
	uint8_t *const out = malloc(ROOM);
	struct stack s;

	(void)state;
	memset(text, 'x', sizeof text - 1);
	make(&s, big, env, 7);
	assert_int_equal(256 << 10, image_build(&s.im, TOP, out, ROOM));
	check_strings(&s.im, out, 256 << 10);
	assert_int_equal(0, image_build(&s.im, TOP, out, 128 << 10));
	assert_int_equal(0, image_build(&s.im, TOP, out, 100));
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(copies_what_the_kernel_made),
		cmocka_unit_test(copies_an_empty_image),
		cmocka_unit_test(fixes_the_auxiliary_vector),
		cmocka_unit_test(builds_the_same_places_for_all_lengths),
		cmocka_unit_test(grows_for_many_strings_and_refuses_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
