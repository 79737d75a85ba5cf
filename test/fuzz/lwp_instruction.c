/*
 * Decode any bytes as an LWP instruction; what is decoded has a text, an address and an
 * encoding, which is decoded to the same text. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include <lwp.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const uint8_t *data, size_t size, unsigned mode)
{
	static const uint64_t reg[16] = {1, 2, 3, UINT64_MAX, 5, 6, 7, 8};
	uint8_t bytes[LWP_INSTRUCTION_MAX];
	char text[80], again[80];
	lwp_instruction_t i, j;
	const int n = lwp_instruction_decode(&i, data, size, mode);

	if (n < 0)
		return;
	const int m = lwp_instruction_encode(bytes, &i);

	if (n > (int)size || m < 0 || m > n ||
	    lwp_instruction_decode(&j, bytes, (size_t)m, mode) != m)
		abort();
	if (lwp_instruction_text(text, sizeof(text), &i) >= sizeof(text))
		abort();
	lwp_instruction_text(again, sizeof(again), &j);
	j.length = i.length;
	if (strcmp(text, again) != 0 || lwp_instruction_address(&i, reg, 1, 2) !=
						lwp_instruction_address(&j, reg, 1, 2))
		abort();
}

/* Any values of a decoded instruction are safe; its encoding is decoded to a text. */
static void check_members(const uint8_t *data, size_t size)
{
	static const uint64_t reg[16];
	uint8_t bytes[LWP_INSTRUCTION_MAX];
	lwp_instruction_t i, j;
	char text[80];

	if (size < sizeof(i))
		return;
	memcpy(&i, data, sizeof(i));
	lwp_instruction_text(text, sizeof(text), &i);
	lwp_instruction_address(&i, reg, 0, 0);
	const int n = lwp_instruction_encode(bytes, &i);

	if (n >= 0 && (n > LWP_INSTRUCTION_MAX ||
		       lwp_instruction_decode(&j, bytes, (size_t)n, i.mode) != n))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check(data, size, 64);
	check(data, size, 32);
	check_members(data, size);
	return 0;
}
