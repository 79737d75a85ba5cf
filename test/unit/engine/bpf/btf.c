#include "engine/bpf/btf.h"

#include <errno.h>
#include <linux/btf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "\0task_struct\0pid\0level\0numbers\0other";
enum { TASK = 1, PID = 13, LEVEL = 17, NUMBERS = 23, OTHER = 31 };

/* A description of types, without its texts. */
static const uint32_t types[] = {
	/* int other: 4 bytes more; int numbers[]: 12 bytes more */
	OTHER,
	BTF_KIND_INT << 24,
	4,
	32,
	0,
	BTF_KIND_ARRAY << 24,
	0,
	1,
	1,
	3,
	/* union pid { level; }: a union is no structure */
	PID,
	BTF_KIND_UNION << 24 | 1,
	8,
	LEVEL,
	1,
	64,
	/* struct pid { other; level; numbers[]; } */
	PID,
	BTF_KIND_STRUCT << 24 | 3,
	40,
	OTHER,
	1,
	0,
	LEVEL,
	1,
	32,
	NUMBERS,
	2,
	256,
	/* enum with one value, of 64 bits */
	OTHER,
	19u << 24 | 1,
	8,
	OTHER,
	1,
	1,
	/* struct task_struct { pid; }; the size of a bit field is above an offset */
	TASK,
	1u << 31 | BTF_KIND_STRUCT << 24 | 1,
	128,
	PID,
	1,
	5u << 24 | 512,
};

/* The bytes of a file; the caller frees them. */
static unsigned char *file(const void *type, uint32_t type_len, size_t *size)
{
	const struct btf_header h = {.magic = BTF_MAGIC,
				     .version = BTF_VERSION,
				     .hdr_len = sizeof h,
				     .type_len = type_len,
				     .str_off = type_len,
				     .str_len = sizeof text};

	*size = sizeof h + type_len + sizeof text;
	unsigned char *f = malloc(*size);
	assert_non_null(f);
	memcpy(f, &h, sizeof h);
	memcpy(f + sizeof h, type, type_len);
	memcpy(f + sizeof h + type_len, text, sizeof text);
	return f;
}

static void finds_offsets_and_sizes(void **state)
{
	uint32_t task = 0, level = 0, numbers = 0, bytes = 0;
	struct bpf_btf_place place[] = {{"task_struct", "pid", &task, 0},
					{"pid", "level", &level, 0},
					{"pid", "numbers", &numbers, 0},
					{"pid", NULL, &bytes, 0}};
	size_t size;
	unsigned char *f = file(types, sizeof types, &size);

	(void)state;
	assert_int_equal(bpf_btf_find(f, size, place, 4), 0);
	assert_int_equal(task, 64);
	assert_int_equal(level, 4);
	assert_int_equal(numbers, 32);
	assert_int_equal(bytes, 40);
	free(f);
}

static void reports_what_is_missing(void **state)
{
	static const struct {
		int line;
		const char *structure, *member;
	} cases[] = {
		{__LINE__, "pid", "absent"},
		{__LINE__, "absent", "level"},
		{__LINE__, "task", "pid"},
		{__LINE__, "task_struct", "level"},
	};
	size_t size;
	unsigned char *f = file(types, sizeof types, &size);

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t bytes;
		struct bpf_btf_place p = {cases[i].structure, cases[i].member, &bytes, 0};

		errno = 0;
		if (bpf_btf_find(f, size, &p, 1) != -1 || errno != ENOENT)
			fail_msg("line %d", cases[i].line);
	}
	free(f);
}

/* Any part of a description, and any kind, is refused or gives what is known. */
static void refuses_malformed_descriptions(void **state)
{
	uint32_t bytes, type[sizeof types / sizeof types[0]];
	size_t size;
	unsigned char *f = file(types, sizeof types, &size);

	(void)state;
	for (size_t n = 0; n < size; n++) {
		struct bpf_btf_place p = {"absent", NULL, &bytes, 0};
		unsigned char *part = malloc(n + 1);

		assert_non_null(part);
		memcpy(part, f, n);
		assert_int_equal(bpf_btf_find(part, n, &p, 1), -1);
		assert_int_equal(errno, EINVAL);
		free(part);
	}
	free(f);
	memcpy(type, types, sizeof types);
	f = file(types, sizeof types - 4, &size); /* the last member is cut off */
	assert_int_equal(
		bpf_btf_find(f, size, &(struct bpf_btf_place){"x", NULL, &bytes, 0}, 1),
		-1);
	assert_int_equal(errno, EINVAL);
	free(f);
	f = file(types, sizeof types - 16, &size); /* the last type is cut off */
	assert_int_equal(
		bpf_btf_find(f, size, &(struct bpf_btf_place){"x", NULL, &bytes, 0}, 1),
		-1);
	assert_int_equal(errno, EINVAL);
	free(f);
	type[1] = 20u << 24; /* a kind that is not known */
	f = file(type, sizeof type, &size);
	assert_int_equal(
		bpf_btf_find(f, size, &(struct bpf_btf_place){"pid", NULL, &bytes, 0}, 1),
		-1);
	assert_int_equal(errno, EINVAL);
	f[0] ^= 1;
	assert_int_equal(
		bpf_btf_find(f, size, &(struct bpf_btf_place){"pid", NULL, &bytes, 0}, 1),
		-1);
	free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_offsets_and_sizes),
		cmocka_unit_test(reports_what_is_missing),
		cmocka_unit_test(refuses_malformed_descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
