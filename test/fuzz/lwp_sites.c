/*
 * Search an ELF file of any bytes for LWP instructions. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "lwp/sites.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sites s;
	struct site site;
	size_t named = 0;

	if (sites_begin(&s, data, size) != 0)
		return 0;
	/* A table of many sections can name the same code again and again. */
	for (unsigned n = 0; n < 1000 && sites_next(&s, &site); n++) {
		if (site.offset > size || site.instruction.length > size - site.offset)
			abort();
		named += strlen(site.section);
	}
	return named > (size_t)1 << 40;
}
