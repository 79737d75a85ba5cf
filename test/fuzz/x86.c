/*
 * Decodes any bytes as an instruction: no byte beyond the given ones is read, and bytes
 * after the instruction do not change the result. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/x86/decode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct x86_insn x, more;
	/* A block of this very size, so that the sanitizer reports reads beyond it. */
	uint8_t *p = malloc(size + 1), longer[64];

	check(p != NULL, "memory");
	memcpy(p, data, size);
	memset(&x, 0, sizeof x);
	memset(&more, 0, sizeof more);
	const int rc = x86_decode(p, (unsigned)size, &x);
	free(p);
	if (rc == -1 || size > 15)
		return 0;
	check(x.mem.base >= -1 && x.mem.base < 16 && x.mem.index >= -1 &&
		      x.mem.index < 16 && x.mem.scale < 4,
	      "register numbers are in range");
	memset(longer, 0xf0, sizeof longer);
	memcpy(longer, data, size);
	check(x86_decode(longer, (unsigned)size, &more) == 0 && x.kind == more.kind &&
		      x.flags == more.flags && x.fp == more.fp &&
		      x.fp_ops == more.fp_ops && x.mem.disp == more.mem.disp,
	      "bytes after the instruction do not matter");
	return 0;
}
