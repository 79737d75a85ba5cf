#include "engine/kernel/tsc.h"

#include <linux/perf_event.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

enum { MEASURE_NS = 2000000 }; /* readings err by up to 50 ns each: 5e-5 at worst */

static int64_t raw_ns(void)
{
	struct timespec ts;

	/*
	 * Like the kernel's event times, and unlike CLOCK_MONOTONIC, NTP does not adjust
	 * it.
	 */
	clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/*
 * Leaf 0x15 has the ratio to the rate of a crystal, and that rate, which may be 0 (Intel
 * SDM, CPUID). Leaf 0x16 has only nominal MHz and is not used. Hypervisors report kHz in
 * leaf 0x40000010 (VMware's convention, which KVM and others follow).
 */
uint64_t tsc_cpuid_hz(const struct tsc_cpuid *c)
{
	if (c->denominator && c->numerator && c->crystal_hz)
		return (uint64_t)c->crystal_hz * c->numerator / c->denominator;
	return (uint64_t)c->hypervisor_khz * 1000;
}

#if defined(__x86_64__) || defined(__i386__)

static uint64_t counter(void)
{
	return __rdtsc();
}

static uint64_t reported_hz(void)
{
	struct tsc_cpuid c = {0};
	unsigned a, b, cx, d;

	if (__get_cpuid(0x15, &a, &b, &cx, &d)) {
		c.denominator = a;
		c.numerator = b;
		c.crystal_hz = cx;
	}
	/* Leaves from 0x40000000 on are valid only if this bit reports a hypervisor. */
	if (__get_cpuid(1, &a, &b, &cx, &d) && cx & 1u << 31) {
		__cpuid(0x40000000, a, b, cx, d);
		if (a >= 0x40000010 && a < 0x40010000) {
			__cpuid(0x40000010, a, b, cx, d);
			c.hypervisor_khz = a;
		}
	}
	return tsc_cpuid_hz(&c);
}

#elif defined(__aarch64__)

static uint64_t counter(void)
{
	uint64_t v;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(v));
	return v;
}

static uint64_t reported_hz(void)
{
	uint64_t v;

	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(v));
	return v;
}

#else

/* On other architectures a cycle is a nanosecond. */
static uint64_t counter(void)
{
	return raw_ns();
}

static uint64_t reported_hz(void)
{
	return 1000000000;
}

#endif

/*
 * Read the counter and the clock at the same time. The caller may lose the processor in
 * between, so take the try during which the counter advanced least.
 */
static void read_both(uint64_t *tick, int64_t *ns)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		const uint64_t before = counter();
		const int64_t now = raw_ns();
		const uint64_t gap = counter() - before;
		if (gap < least) {
			least = gap;
			*tick = before + gap / 2;
			*ns = now;
		}
	}
}

/*
 * The page of any event has the rate (struct perf_event_mmap_page in perf_event_open(2)).
 */
uint64_t tsc_kernel_hz(const struct kernel_env *env)
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
		 * ns = cycles * time_mult >> time_shift. The event is disabled, so the
		 * kernel does not write the page.
		 */
		if (p->cap_user_time && p->time_mult && p->time_shift < 34)
			hz = 1000000000ull * (1ull << p->time_shift) / p->time_mult;
		munmap((void *)p, size);
	}
	close(fd);
	return hz;
}

void tsc_start(struct tsc *t)
{
	*t = (struct tsc){0};
	read_both(&t->tick0, &t->ns0);
}

void tsc_set(struct tsc *t, uint64_t hz)
{
	__atomic_store_n(&t->hz, hz, __ATOMIC_RELAXED);
}

static uint64_t measured_hz(const struct tsc *t)
{
	uint64_t tick = 0;
	int64_t ns = 0;

	if (raw_ns() - t->ns0 < MEASURE_NS)
		return 0;
	read_both(&tick, &ns);
	return (uint64_t)((double)(tick - t->tick0) * 1e9 / (double)(ns - t->ns0));
}

uint64_t tsc_rate(struct tsc *t)
{
	uint64_t hz = __atomic_load_n(&t->hz, __ATOMIC_RELAXED);

	if (hz)
		return hz;
	hz = reported_hz();
	if (!hz)
		hz = measured_hz(t);
	if (hz)
		tsc_set(t, hz);
	return hz;
}

uint64_t tsc_wait(struct tsc *t)
{
	for (;;) {
		const uint64_t hz = tsc_rate(t);
		if (hz)
			return hz;
		const int64_t left = t->ns0 + MEASURE_NS - raw_ns();
		const struct timespec ts = {.tv_nsec = left > 0 ? left : 1};
		nanosleep(&ts, NULL);
	}
}

uint64_t tsc_cycles(uint64_t hz, uint64_t ns)
{
	/* In two steps: the product of both may need more than 64 bits. */
	return ns / 1000000000 * hz + ns % 1000000000 * hz / 1000000000;
}
