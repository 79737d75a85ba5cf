/*
 * Reads any bytes as the pages of a simulated run, in the head and in the first page: all
 * reads stay within the pages, and end, and counts are those of the LWP's row. The pages
 * are in memory: the linker replaces pread(2) and sched_yield(2) by the functions here.
 * Build with clang -fsanitize=fuzzer,address,undefined and
 * -Wl,--wrap=pread,--wrap=sched_yield.
 */
#include "engine/sim/pages.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "fuzz.h"

/* PAGES is the number of pages that the file in memory has, SIZE its size in bytes. */
enum { PAGES = 4, SIZE = PAGES_HEAD_SIZE + PAGES * PAGES_PAGE_SIZE };

/*
 * To wait for a dead writer, and to search all rows of a page, takes long: only inputs
 * do that whose first two bytes have this value.
 */
enum { KILLED = 254, ALL_ROWS = 28 };

ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at);
int __wrap_sched_yield(void);

static struct {
	uint8_t *bytes;
	size_t size;   /* to which the file is truncated */
	int is_killed; /* the writer of the pages never ends its write */
} memory;

NOT_COVERED ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at)
{
	(void)fd;
	check(at >= 0, "an offset is in the file");
	if ((size_t)at >= memory.size)
		return 0;
	const size_t left = memory.size - (size_t)at;

	n = n < left ? n : left;
	memcpy(to, memory.bytes + at, n);
	return (ssize_t)n;
}

/* The reader waits for the writer, which ends its write unless it was killed. */
NOT_COVERED int __wrap_sched_yield(void)
{
	for (int i = 0; i < PAGES && !memory.is_killed; i++) {
		struct pages_page *const page =
			(struct pages_page *)(memory.bytes + pages_offset(i));

		if (page->seq & 1)
			pages_end(page);
	}
	return 0;
}

NOT_COVERED static const struct pages_page *page_at(unsigned i)
{
	return (const struct pages_page *)(memory.bytes + pages_offset(i));
}

/* Returns whether a page has a row of the LWP in the first n rows. */
NOT_COVERED static int has_row(unsigned i, pid_t tid, unsigned n)
{
	for (unsigned k = 0; k < n; k++)
		if (page_at(i)->row[k].state != ROW_FREE && page_at(i)->row[k].tid == tid)
			return 1;
	return 0;
}

static void read_page(const struct sim_pages *pages, unsigned i, unsigned hint)
{
	uint64_t count[PAGES_COUNTERS];
	struct sim_page page;

	if (sim_pages_read(pages, i, &page) == -1) {
		check(memory.size < pages_offset(i + 1), "a whole page can be read");
		return;
	}
	const pid_t tid = page.pid;
	const unsigned n = page.nrows < PAGES_ROWS ? page.nrows : PAGES_ROWS;
	if (sim_pages_row(pages, i, tid, &hint, &page, count)) {
		const struct pages_row *const row = &page_at(i)->row[hint];

		check(hint < n && row->tid == tid && row->state != ROW_FREE,
		      "the row is that of the LWP");
		check(memcmp(count, row->count, sizeof count) == 0,
		      "the counts are those of the row");
	} else if (memory.size == SIZE) {
		check(!has_row(i, tid, n), "a row of the LWP is found");
	}
	check(memcmp(page.total, page_at(i)->total, sizeof page.total) == 0,
	      "the totals are those of the page");
}

static void read_pages(struct sim_pages *pages, unsigned hint)
{
	const unsigned n = sim_pages_count(pages);

	check(n <= PAGES_MAX, "at most PAGES_MAX pages");
	/* All pages but the first are zeros: to wait for the writer of one is enough. */
	for (unsigned i = 0; i < n && i < (memory.is_killed ? 1 : PAGES); i++) {
		const long at = sim_pages_of(pages, pages->pid[i], -1);

		check(at >= (long)i && at < (long)n && pages->pid[at] == pages->pid[i],
		      "the newest page of a pid");
		read_page(pages, i, hint);
	}
	sim_pages_begun(pages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int32_t pid[PAGES_MAX];
	struct sim_pages pages = {.fd = 0, .pid = pid};

	if (size < 8 || size > PAGES_HEAD_SIZE / 2)
		return 0;
	if (!memory.bytes)
		memory.bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	check(memory.bytes != MAP_FAILED, "there is enough memory");
	const unsigned hint = *data++;
	const size_t half = --size / 2;
	uint8_t *const head = memory.bytes + offsetof(struct pages_head, npages);
	uint8_t *const page = memory.bytes + PAGES_HEAD_SIZE;

	memory.size = hint & 1 ? PAGES_HEAD_SIZE + (hint << 4) : SIZE;
	memory.is_killed = hint == KILLED && *data == KILLED;
	const int has_all_rows = hint == ALL_ROWS && *data == ALL_ROWS;
	memcpy(head, data, half);
	memcpy(page, data + half, size - half);
	if (!has_all_rows)
		((struct pages_page *)page)->nrows %= 64;
	read_pages(&pages, hint);
	memset(head, 0, half);
	memset(page, 0, size - half);
	/* -1 makes no other inputs of one that takes long. */
	return memory.is_killed || has_all_rows ? -1 : 0;
}
