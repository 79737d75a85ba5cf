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
