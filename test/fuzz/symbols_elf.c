/* Fuzzer: ELF files as the mapped file of a process, with their symbols. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/elf.h"
#include "symbols/plt.h"
#include "symbols/xz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(uint8_t *bytes, size_t size, int depth)
{
	struct elf_file f = {0};
	struct table t = {0};
	struct strings strings = {0};
	uint64_t address;

	if (!elf_file_read_memory(bytes, size, &f, &t, &strings) &&
	    !plt_add(&f, &t, &strings) && !table_finish(&t)) {
		for (uint64_t a = 0; a < 4096; a += 61) {
			table_function(&t, a);
			table_object(&t, a);
			elf_file_address(&f, a, &address);
			elf_file_segment(&f, a);
		}
		table_named(&t, "main");
	}
	if (f.debugdata && !depth) {
		size_t expanded;
		uint8_t *const inner =
			xz_expand(f.debugdata, f.debugdata_size, &expanded);

		if (inner)
			read_all(inner, expanded, depth + 1);
		free(inner);
	}
	elf_file_free(&f);
	table_free(&t);
	strings_free(&strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/*
	 * Memory of this very size, so that the sanitizer reports reads beyond it, and to
	 * which libelf may write.
	 */
	uint8_t *const copy = malloc(size ? size : 1);

	if (copy && size)
		read_all(memcpy(copy, data, size), size, 0);
	free(copy);
	return 0;
}
