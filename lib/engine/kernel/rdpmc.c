#include "engine/kernel/rdpmc.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"

enum { TRIES = 8 }; /* attempts before the caller has to use read(2) */

typedef const volatile struct perf_event_mmap_page page;

/*
 * This structure has a page of its own, which is zeroed in a forked child: the child does
 * not inherit the pages of the events.
 */
struct kernel_rdpmc {
	pthread_t owner;
	unsigned n;
	page *page[KERNEL_GROUP_PARTS]; /* for each part of the group */
};

#if defined(__x86_64__)
enum { HAVE_RDPMC = 1 };

/* Read counter index - 1. Returns 0, or -1 if it cannot be read. */
static inline int read_counter(uint32_t index, uint64_t *pmc)
{
	uint32_t lo, hi;

	__asm__ volatile("rdpmc" : "=a"(lo), "=d"(hi) : "c"(index - 1));
	*pmc = (uint64_t)hi << 32 | lo;
	return 0;
}

static inline uint64_t read_clock(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}
#elif defined(__aarch64__)
enum { HAVE_RDPMC = 1 };

/* Index 1 to 31: event counters 0 to 30; 32: the cycle counter (armv8_pmuv3). */
static inline int read_counter(uint32_t index, uint64_t *pmc)
{
	switch (index - 1) {
#define COUNTER(n)                                                           \
	case n:                                                              \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(*pmc)); \
		return 0
		COUNTER(0);
		COUNTER(1);
		COUNTER(2);
		COUNTER(3);
		COUNTER(4);
		COUNTER(5);
		COUNTER(6);
		COUNTER(7);
		COUNTER(8);
		COUNTER(9);
		COUNTER(10);
		COUNTER(11);
		COUNTER(12);
		COUNTER(13);
		COUNTER(14);
		COUNTER(15);
		COUNTER(16);
		COUNTER(17);
		COUNTER(18);
		COUNTER(19);
		COUNTER(20);
		COUNTER(21);
		COUNTER(22);
		COUNTER(23);
		COUNTER(24);
		COUNTER(25);
		COUNTER(26);
		COUNTER(27);
		COUNTER(28);
		COUNTER(29);
		COUNTER(30);
#undef COUNTER
	case 31:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(*pmc));
		return 0;
	}
	return -1;
}

static inline uint64_t read_clock(void)
{
	uint64_t cycles;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(cycles));
	return cycles;
}
#else
enum { HAVE_RDPMC = 0 };

static inline int read_counter(uint32_t index, uint64_t *pmc)
{
	(void)index, (void)pmc;
	return -1;
}

static inline uint64_t read_clock(void)
{
	return 0;
}
#endif

/*
 * arm64: field rdpmc of the PMU's format, which is bit 1 of config1, requests it if the
 * sysctl allows it (Documentation/arm64/perf.rst, "Perf Userspace PMU Hardware Counter
 * Access").
 */
void kernel_rdpmc_request(const char *root, const struct kernel_core *core,
			  unsigned ncores, struct kernel_open_how *how)
{
	struct kernel_event ev = {0};
	char on[2];
	struct why why;

	if (!HAVE_RDPMC || ncores != 1)
		return;
	if (file_read(on, sizeof(on), "%s/proc/sys/kernel/perf_user_access", root) != 1 ||
	    on[0] != '1' || kernel_sysfs_set(root, core->name, "rdpmc", 1, &ev, &why))
		return;
	how->core = core->type;
	how->config1 = ev.config[1];
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void kernel_rdpmc_close(struct kernel_rdpmc *r)
{
	if (!r)
		return;
	const int err = errno;
	for (unsigned i = 0; i < r->n; i++)
		munmap((void *)(uintptr_t)r->page[i], page_size());
	munmap(r, sizeof(*r));
	errno = err;
}

/* Returns 0 if the page allows reads of the event, else -1. */
static int add_page(struct kernel_rdpmc *r, int fd)
{
	page *p = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -1;
	r->page[r->n++] = p;
	return p->cap_user_rdpmc && p->cap_user_time ? 0 : -1;
}

static struct kernel_rdpmc *rdpmc_new(void)
{
	struct kernel_rdpmc *r = mmap(NULL, sizeof(*r), PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (r == MAP_FAILED)
		return NULL;
	if (madvise(r, sizeof(*r), MADV_WIPEONFORK)) {
		munmap(r, sizeof(*r));
		return NULL;
	}
	r->owner = pthread_self();
	return r;
}

struct kernel_rdpmc *kernel_rdpmc_open(const struct group *g)
{
	const int err = errno;
	struct kernel_rdpmc *r = HAVE_RDPMC ? rdpmc_new() : NULL;

	for (unsigned i = 0; r && i < g->n; i++)
		if (add_page(r, g->part[i].fd)) {
			kernel_rdpmc_close(r);
			r = NULL;
		}
	errno = err;
	return r;
}

uint64_t kernel_rdpmc_count(page *p, uint64_t pmc)
{
	const unsigned unused = 64 - p->pmc_width;

	/* The counter is a signed number of this width. */
	return (uint64_t)(p->offset + ((int64_t)(pmc << unused) >> unused));
}

uint64_t kernel_rdpmc_since(page *p, uint64_t cycles)
{
	const unsigned shift = p->time_shift;
	const uint64_t mult = p->time_mult;

	if (p->cap_user_time_short)
		cycles = p->time_cycles + ((cycles - p->time_cycles) & p->time_mask);
	const uint64_t rest = cycles & ((UINT64_C(1) << shift) - 1);
	return p->time_offset + (cycles >> shift) * mult + (rest * mult >> shift);
}

/*
 * The sum of the pages' sequence numbers. They only grow, so an unchanged sum means
 * unchanged pages. The kernel writes a page on the processor where its event counts,
 * which is the caller's: the caller never sees a page half written.
 */
static uint64_t sequence(const struct kernel_rdpmc *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < r->n; i++)
		sum += r->page[i]->lock;
	return sum;
}

/* Returns 1 if the page says that its event and its times can be read. */
static inline int is_readable(page *p)
{
	const struct perf_event_mmap_page can = {.capabilities = p->capabilities};

	return can.cap_user_rdpmc && can.cap_user_time;
}

/* Returns 0 if the event of part i is not on a counter now. */
static inline int read_part(const struct kernel_rdpmc *r, const struct group *g,
			    unsigned i, uint64_t *count)
{
	page *p = r->page[i];
	const uint32_t index = p->index;
	uint64_t pmc;

	if (!index || !is_readable(p) || read_counter(index, &pmc))
		return 0;
	*count = kernel_rdpmc_count(p, pmc) * g->factor[g->part[i].sel];
	return 1;
}

/*
 * The parts of a plain group are on counters at the same time, for which its leader
 * stands, as in read(2). Returns 0 if an event is not on a counter now.
 */
static inline int read_plain(const struct kernel_rdpmc *r, const struct group *g,
			     struct count *val)
{
	const uint64_t since = kernel_rdpmc_since(r->page[0], read_clock());
	const uint64_t enabled = r->page[0]->time_enabled + since;
	const uint64_t running = r->page[0]->time_running + since;

	for (unsigned i = 0; i < r->n; i++) {
		uint64_t count;

		if (!read_part(r, g, i, &count))
			return 0;
		val[g->part[i].sel] = (struct count){count, enabled, running, 0, 0};
	}
	return 1;
}

/* As read_plain(), for any group: only the kernel knows values of events that wait. */
static int add_all(const struct kernel_rdpmc *r, const struct group *g, struct count *val)
{
	const uint64_t now = read_clock();

	memset(val, 0, g->nsel * sizeof(*val));
	for (unsigned i = 0; i < r->n; i++) {
		page *p = r->page[i];
		struct count *c = &val[g->part[i].sel];
		uint64_t count;

		if (!read_part(r, g, i, &count))
			return 0;
		const uint64_t since = kernel_rdpmc_since(p, now);
		c->count += count;
		/* All parts are on counters of this core: their times agree. */
		c->enabled = p->time_enabled + since;
		c->running = p->time_running + since;
	}
	return 1;
}

static void barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

int kernel_rdpmc_read(const struct kernel_rdpmc *r, const struct group *g,
		      struct count *val, uint64_t *enabled)
{
	if (!pthread_equal(r->owner, pthread_self()))
		return -1;
	for (int i = 0; i < TRIES; i++) {
		const uint64_t before = sequence(r);

		barrier();
		const int done = g->plain ? read_plain(r, g, val) : add_all(r, g, val);
		barrier();
		if (sequence(r) != before)
			continue;
		*enabled = val[g->part[0].sel].enabled;
		return done ? 0 : -1;
	}
	return -1;
}
