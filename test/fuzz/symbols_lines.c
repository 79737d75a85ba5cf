/* Fuzzer: debug information of ELF files. */
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/source.h"
#include "symbols/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct source_lines s = {0};

	if (fd >= 0 && write(fd, data, size) == (ssize_t)size && !symbols_lines(fd, &s))
		for (uint64_t a = 0; a < 8192; a += 61) {
			const struct source_function *f = source_function(&s, a);

			source_row(&s, a);
			while (f)
				f = source_caller(&s, f);
		}
	source_free(&s);
	close(fd);
	return 0;
}
