/*
 * Decodes any bytes as an instruction: no byte beyond the given ones is read, and bytes
 * after the instruction do not change the result. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include <string.h>

#include "fuzz.h"
#include "sim/x86/decode.h"

static int is_same(const struct x86_insn *a, const struct x86_insn *b)
{
	return a->kind == b->kind && a->flags == b->flags && a->fp == b->fp &&
	       a->fp_ops == b->fp_ops && a->mem.base == b->mem.base &&
	       a->mem.index == b->mem.index && a->mem.scale == b->mem.scale &&
	       a->mem.rip == b->mem.rip && a->mem.seg == b->mem.seg &&
	       a->mem.addr32 == b->mem.addr32 && a->mem.disp == b->mem.disp;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct x86_insn x, more;
	/* A block of this very size, so that the sanitizer reports reads beyond it. */
	uint8_t *p = malloc(size ? size : 1), longer[64];

	check(p != NULL, "there is enough memory");
	if (size)
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
	check(x86_decode(longer, sizeof longer, &more) == 0 && is_same(&x, &more),
	      "bytes after the instruction do not matter");
	return 0;
}
