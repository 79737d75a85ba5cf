/*
 * Reads any bytes as the pages of a simulated run, in the head and in the first page: all
 * reads stay within the pages, and end. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "engine/sim/pages.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

/*
 * Write the first half of the bytes to the end of the head, the rest to the first page.
 */
static void scribble(int fd, const uint8_t *data, size_t size)
{
	const size_t half = size / 2;

	check(pwrite(fd, data, half, offsetof(struct pages_head, npages)) >= 0,
	      "cannot write the head");
	check(pwrite(fd, data + half, size - half, PAGES_HEAD_SIZE) >= 0,
	      "cannot write the page");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_pages pages = {.fd = -1};
	struct sim_page page;
	uint64_t count[PAGES_COUNTERS];
	unsigned hint = size ? data[0] : 0;
	static const struct machine none;
	const struct sim_pages_run run = {UINT64_MAX, "x", &none, 0};

	if (size < 8)
		return 0;
	check(sim_pages_make(&pages, &run) == 0, "cannot make the file");
	scribble(pages.fd, data + 1, size - 1);
	if (data[0] & 1)
		check(ftruncate(pages.fd, PAGES_HEAD_SIZE + data[0]) == 0,
		      "cannot cut the file");
	const unsigned n = sim_pages_count(&pages);
	check(n <= PAGES_MAX, "at most PAGES_MAX pages");
	for (unsigned i = 0; i < n && i < 4; i++) {
		const long at = sim_pages_of(&pages, pages.pid[i], -1);

		check(at >= -1 && at < (long)n, "the number of a page or -1");
		if (sim_pages_read(&pages, i, &page) == 0)
			sim_pages_row(&pages, i, page.pid, &hint, &page, count);
	}
	sim_pages_free(&pages);
	return 0;
}
