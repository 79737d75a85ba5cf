#include "engine/kernel/rdpmc.h"

#include <errno.h>
#include <linux/perf_event.h>
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
	const char *owner; /* the address of its variable "here" */
	int simple;	   /* the values are the counts of the parts, in their order */
	unsigned n;
	page *page[KERNEL_GROUP_PARTS]; /* for each part of the group */
};

/* Each thread has this variable at an address of its own. */
static _Thread_local char here __attribute__((tls_model("initial-exec")));

/* A page names a counter by its number + 1: does it exist, and what is in it? */
#if defined(__x86_64__)
enum { HAVE_RDPMC = 1 };

static inline int is_counter(uint32_t number)
{
	return number != UINT32_MAX;
}

static inline uint64_t read_counter(uint32_t number)
{
	uint32_t lo, hi;

	__asm__ volatile("rdpmc" : "=a"(lo), "=d"(hi) : "c"(number));
	return (uint64_t)hi << 32 | lo;
}

static inline uint64_t read_clock(void)
{
	uint32_t lo, hi;

	__asm__ volatile("rdtsc" : "=a"(lo), "=d"(hi));
	return (uint64_t)hi << 32 | lo;
}
#elif defined(__aarch64__)
enum { HAVE_RDPMC = 1 };

static inline int is_counter(uint32_t number)
{
	return number < 32;
}

/* 0 to 30: event counters; 31: the cycle counter (armv8_pmuv3). */
static inline uint64_t read_counter(uint32_t number)
{
	uint64_t pmc;

	switch (number % 32) {
#define COUNTER(n)                                                          \
	case n:                                                             \
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0" : "=r"(pmc)); \
		break
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
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(pmc));
	}
	return pmc;
}

static inline uint64_t read_clock(void)
{
	uint64_t cycles;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(cycles));
	return cycles;
}
#else
enum { HAVE_RDPMC = 0 };

static inline int is_counter(uint32_t number)
{
	(void)number;
	return 0;
}

static inline uint64_t read_counter(uint32_t number)
{
	(void)number;
	return 0;
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
	r->owner = &here;
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
	if (r)
		r->simple = g->plain;
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

	if (p->cap_user_time_short) {
		const uint64_t from = p->time_cycles;
		cycles = from + ((cycles - from) & p->time_mask);
	}
	const uint64_t rest = cycles & ((UINT64_C(1) << shift) - 1);
	return p->time_offset + (cycles >> shift) * mult + (rest * mult >> shift);
}

/* What an attempt to read a group has found. */
enum found {
	VALUES,
	CHANGED, /* the kernel has written a page meanwhile */
	WAITING	 /* an event is not on a counter now */
};

/* Only the kernel knows values of events that wait: their pages name no counter. */
static inline int is_readable(page *p, uint32_t number)
{
	return is_counter(number) && p->cap_user_rdpmc;
}

/*
 * The kernel writes a page on the processor where its event counts, which is the
 * caller's: the caller never sees a page half written. Between two equal sequence numbers
 * a page was not written.
 *
 * The parts of a simple group come on counters and leave them at the same time. So the
 * times of its leader are those of all, as in read(2), and its leader's page is written
 * whenever they do. A page is also written when its counter overflows.
 */
static inline enum found read_simple(const struct kernel_rdpmc *r, struct count *val)
{
	page *leader = r->page[0];
	const uint32_t leaders = leader->lock;

	if (!leader->cap_user_time)
		return WAITING;
	const uint64_t since = kernel_rdpmc_since(leader, read_clock());
	const uint64_t enabled = leader->time_enabled + since;
	const uint64_t running = leader->time_running + since;
	page *const *at = r->page, *const *const end = at + r->n;
	do {
		page *p = *at;
		const uint32_t sequence = p->lock, number = p->index - 1;

		if (!is_readable(p, number))
			return WAITING;
		const uint64_t count = kernel_rdpmc_count(p, read_counter(number));
		if (p->lock != sequence)
			return CHANGED;
		*val++ = (struct count){count, enabled, running, 0, 0};
	} while (++at < end);
	return leader->lock == leaders ? VALUES : CHANGED;
}

/* The sum of the pages' sequence numbers, which only grow. */
static uint64_t sequences(const struct kernel_rdpmc *r)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < r->n; i++)
		sum += r->page[i]->lock;
	return sum;
}

/* As read_simple(), for any group. */
static enum found read_pages(const struct kernel_rdpmc *r, const struct group *g,
			     struct count *val)
{
	const uint64_t before = sequences(r);
	const uint64_t now = read_clock();

	memset(val, 0, g->nsel * sizeof(*val));
	for (unsigned i = 0; i < r->n; i++) {
		page *p = r->page[i];
		struct count *c = &val[g->part[i].sel];
		const uint32_t number = p->index - 1;

		if (!is_readable(p, number) || !p->cap_user_time)
			return WAITING;
		const uint64_t pmc = read_counter(number);
		/* All parts are on counters of this core: their times agree. */
		const uint64_t since = kernel_rdpmc_since(p, now);
		c->count += kernel_rdpmc_count(p, pmc) * g->factor[g->part[i].sel];
		c->enabled = p->time_enabled + since;
		c->running = p->time_running + since;
	}
	return sequences(r) == before ? VALUES : CHANGED;
}

int kernel_rdpmc_try(const struct kernel_rdpmc *r, const struct group *g,
		     struct count *val)
{
	enum found found = CHANGED;

	if (r->owner != &here)
		return -1;
	for (int i = 0; found == CHANGED && i < TRIES; i++)
		found = read_pages(r, g, val);
	return found == VALUES ? 0 : -1;
}

static __attribute__((noinline)) int read_group(struct group *g, struct count *val,
						uint64_t *on)
{
	if (kernel_rdpmc_try(g->rdpmc, g, val) == -1)
		return kernel_group_read(g, val, on);
	if (on)
		*on = val[g->part[0].sel].enabled;
	return 0;
}

int kernel_rdpmc_read(struct group *g, struct count *val, uint64_t *on)
{
	const struct kernel_rdpmc *r = g->rdpmc;

	if (!r->simple || r->owner != &here || read_simple(r, val) != VALUES)
		return read_group(g, val, on);
	if (on)
		*on = val[0].enabled;
	return 0;
}
