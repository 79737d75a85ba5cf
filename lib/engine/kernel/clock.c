#include "engine/kernel/clock.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The kernel tells the rate in the page of any event, if its own clock runs by the same
 * counter.
 */
uint64_t kernel_clock_hz(const struct kernel_env *env)
{
	const struct kernel_event dummy = {.type = PERF_TYPE_SOFTWARE,
					   .config = {PERF_COUNT_SW_DUMMY},
					   .exclude_kernel = 1,
					   .exclude_hv = 1};
	const size_t size = (size_t)sysconf(_SC_PAGESIZE);
	uint64_t hz = 0;

	struct perf_event_attr attr;

	kernel_event_attr(&dummy, &attr);
	attr.disabled = 1;
	const int fd = kernel_event_open(env, &attr, 0, -1, -1);
	if (fd < 0)
		return 0;
	const struct perf_event_mmap_page *p =
		mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	if (p != MAP_FAILED) {
		/*
		 * ns = cycles * time_mult >> time_shift; the event is off, nothing
		 * writes the page.
		 */
		if (p->cap_user_time && p->time_mult && p->time_shift < 34)
			hz = 1000000000ull * (1ull << p->time_shift) / p->time_mult;
		munmap((void *)p, size);
	}
	close(fd);
	return hz;
}
