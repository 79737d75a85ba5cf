#include "engine/kernel/rdpmc.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"

enum { TRIES = 8 };

typedef const volatile struct perf_event_mmap_page page;

/*
 * It lies in a page of its own, which is all zero in a forked child: the pages of the
 * events are not there at all.
 */
struct kernel_rdpmc {
	pthread_t owner;
	unsigned n;
	page *page[KERNEL_GROUP_PARTS]; /* of each part of the group */
};

#if defined(__x86_64__)
enum { HAVE_USER = 1 };

/* Counter number index - 1. 0: it can be read. */
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
enum { HAVE_USER = 1 };

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
enum { HAVE_USER = 0 };

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
 * arm64: config1 bit 1, which is the field rdpmc of the PMU's format, asks for it, where
 * the sysctl allows it (Documentation/arm64/perf.rst, "Perf Userspace PMU Hardware
 * Counter Access").
 */
void kernel_rdpmc_ask(const char *root, const struct kernel_core *core, unsigned ncores,
		      struct kernel_open_how *m)
{
	struct kernel_event ev = {0};
	char on[2];
	struct why why;

	if (!HAVE_USER || ncores != 1)
		return;
	if (file_read(on, sizeof(on), "%s/proc/sys/kernel/perf_user_access", root) != 1 ||
	    on[0] != '1' || kernel_sysfs_set(root, core->name, "rdpmc", 1, &ev, &why))
		return;
	m->core = core->type;
	m->config1 = ev.config[1];
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void kernel_rdpmc_close(struct kernel_rdpmc *u)
{
	if (!u)
		return;
	const int err = errno;
	for (unsigned i = 0; i < u->n; i++)
		munmap((void *)(uintptr_t)u->page[i], page_size());
	munmap(u, sizeof(*u));
	errno = err;
}

/* 0: values of the event can be had through its page. */
static int add_page(struct kernel_rdpmc *u, int fd)
{
	page *p = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);

	if (p == MAP_FAILED)
		return -1;
	u->page[u->n++] = p;
	return p->cap_user_rdpmc && p->cap_user_time ? 0 : -1;
}

static struct kernel_rdpmc *user_new(void)
{
	struct kernel_rdpmc *u = mmap(NULL, sizeof(*u), PROT_READ | PROT_WRITE,
				      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (u == MAP_FAILED)
		return NULL;
	if (madvise(u, sizeof(*u), MADV_WIPEONFORK)) {
		munmap(u, sizeof(*u));
		return NULL;
	}
	u->owner = pthread_self();
	return u;
}

struct kernel_rdpmc *kernel_rdpmc_open(const struct group *g)
{
	const int err = errno;
	struct kernel_rdpmc *u = HAVE_USER ? user_new() : NULL;

	for (unsigned i = 0; u && i < g->n; i++)
		if (add_page(u, g->part[i].fd)) {
			kernel_rdpmc_close(u);
			u = NULL;
		}
	errno = err;
	return u;
}

uint64_t kernel_rdpmc_count(page *p, uint64_t pmc)
{
	const unsigned unused = 64 - p->pmc_width;

	/* The counter's width is that of a signed number. */
	return (uint64_t)(p->offset + ((int64_t)(pmc << unused) >> unused));
}

uint64_t kernel_rdpmc_since(page *p, uint64_t cycles)
{
	if (p->cap_user_time_short)
		cycles = p->time_cycles + ((cycles - p->time_cycles) & p->time_mask);
	const uint64_t rest = cycles & ((UINT64_C(1) << p->time_shift) - 1);
	return p->time_offset + (cycles >> p->time_shift) * p->time_mult +
	       (rest * p->time_mult >> p->time_shift);
}

/*
 * Each page has a sequence number, which only grows: if the sum has not changed, none
 * has. The kernel writes a page on the processor where its event counts, which is the
 * caller's: it is never seen in the midst of it.
 */
static uint64_t sequence(const struct kernel_rdpmc *u)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < u->n; i++)
		sum += u->page[i]->lock;
	return sum;
}

/* 0 means that an event is on no counter now, and that only the kernel knows its value. */
static int add_all(const struct kernel_rdpmc *u, const struct group *g, struct count *val)
{
	const uint64_t now = read_clock();

	for (unsigned i = 0; i < u->n; i++) {
		page *p = u->page[i];
		struct count *c = &val[g->part[i].sel];
		const uint32_t index = p->index;
		uint64_t pmc;

		if (!index || !p->cap_user_rdpmc || !p->cap_user_time ||
		    read_counter(index, &pmc))
			return 0;
		const uint64_t since = kernel_rdpmc_since(p, now);
		c->count += kernel_rdpmc_count(p, pmc) * g->factor[g->part[i].sel];
		/* All are on counters of this one core. */
		c->enabled = p->time_enabled + since;
		c->running = p->time_running + since;
	}
	return 1;
}

static void barrier(void)
{
	__asm__ volatile("" : : : "memory");
}

int kernel_rdpmc_read(const struct kernel_rdpmc *u, const struct group *g,
		      struct count *val, uint64_t *enabled)
{
	if (!pthread_equal(u->owner, pthread_self()))
		return -1;
	for (int i = 0; i < TRIES; i++) {
		const uint64_t before = sequence(u);

		barrier();
		memset(val, 0, g->nsel * sizeof(*val));
		const int done = add_all(u, g, val);
		barrier();
		if (sequence(u) != before)
			continue;
		*enabled = val[g->part[0].sel].enabled;
		return done ? 0 : -1;
	}
	return -1;
}
