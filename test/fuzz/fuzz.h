/* What the fuzzers share: the function that libFuzzer calls, and a check. */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* For functions of a fuzzer itself whose branches tell nothing about the library. */
#define NOT_COVERED __attribute__((no_sanitize("coverage")))

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the fuzzer, which keeps the input, unless ok is true. */
static inline void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

/* Checks that lines of UTF-8 have only characters that a terminal prints. */
NOT_COVERED static inline void check_printable(const char *text, size_t n)
{
	const uint8_t *const p = (const uint8_t *)text;

	for (size_t i = 0; i < n; i++) {
		const int is_c1 = p[i] == 0xc2 && i + 1 < n && p[i + 1] < 0xa0;

		check((p[i] >= ' ' && p[i] != 0x7f && !is_c1) || p[i] == '\n',
		      "no line has a control character");
	}
}

/* Returns the bytes as a string, which the caller frees. */
static inline char *string_of(const uint8_t *data, size_t size)
{
	char *const s = malloc(size + 1);

	check(s != NULL, "there is enough memory");
	if (size)
		__builtin_memcpy(s, data, size);
	s[size] = '\0';
	return s;
}

#endif
