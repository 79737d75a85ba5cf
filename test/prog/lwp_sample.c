/*
 * lwp_sample [threads [rounds [slots [interval]]]]: profile values and mark phases with
 * the LWP instructions, in a ring of each thread. divide() samples each (interval + 1)th
 * of its divisors by LWPVAL, and LWPINS marks the begin and the end of each phase. Prints
 * what the rings must have.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <x86intrin.h>

enum { RECORD = 32, PHASES = 3, DIVISORS = 32, HOT = 16, MAX_THREADS = 64 };

/* The low 16 bits of the immediate operands, which the records have as flags. */
enum { FLAGS_DIVISOR = 0xd1, FLAGS_BEGIN = 0xb, FLAGS_END = 0xe };

/* The LWPCB of version 1, with the intervals and counters at offset 128. */
struct block {
	uint32_t flags, size;
	uint64_t base;
	uint32_t head, reserved1;
	uint64_t missed;
	uint32_t threshold, filters;
	uint64_t base_ip, limit_ip, reserved2;
	uint32_t tail, reserved3;
	uint64_t software[2], reserved4[5];
	struct {
		uint32_t interval, counter;
	} event[6];
} __attribute__((aligned(64)));

struct worker {
	struct block block;
	pthread_t thread;
	unsigned number, rounds, seed, phase;
	unsigned values, markers, refused, times[DIVISORS];
};

static struct worker workers[MAX_THREADS];

/* LWP reads and writes memory behind the compiler's back. */
#define BARRIER() __asm__ volatile("" : : : "memory")

__attribute__((noinline)) static unsigned divide(unsigned value, unsigned divisor)
{
	BARRIER();
	__lwpval32(divisor, value, FLAGS_DIVISOR);
	BARRIER();
	return value / divisor;
}

__attribute__((noinline)) static void mark_begin(struct worker *w)
{
	BARRIER();
	w->refused += __lwpins32(w->number, w->phase, FLAGS_BEGIN);
	BARRIER();
	w->markers++;
}

__attribute__((noinline)) static void mark_end(struct worker *w)
{
	BARRIER();
	w->refused += __lwpins64(UINT64_C(0x100000000) + w->number, w->phase, FLAGS_END);
	BARRIER();
	w->markers++;
}

/* Three of four divisors are HOT. */
static unsigned next_divisor(struct worker *w)
{
	w->seed = w->seed * 1103515245 + 12345;
	const unsigned random = w->seed >> 16;

	return random % 4 ? HOT : 1 + random / 4 % (DIVISORS - 1);
}

static void *work(void *arg)
{
	struct worker *w = arg;
	volatile unsigned sum = 0;

	BARRIER();
	__llwpcb(&w->block);
	BARRIER();
	for (w->phase = 0; w->phase < PHASES; w->phase++) {
		mark_begin(w);
		for (unsigned i = 0; i < w->rounds; i++) {
			const unsigned divisor = next_divisor(w);

			sum = sum + divide(i, divisor);
			w->values++;
			w->times[divisor]++;
		}
		mark_end(w);
	}
	BARRIER();
	__llwpcb(NULL);
	BARRIER();
	return NULL;
}

static int prepare(struct worker *w, unsigned slots, unsigned interval)
{
	void *ring = mmap(NULL, (size_t)slots * RECORD, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (ring == MAP_FAILED)
		return -1;
	w->seed = w->number + 1;
	w->block.flags = 1 << 1;
	w->block.size = slots * RECORD;
	w->block.base = (uintptr_t)ring;
	w->block.event[0].interval = w->block.event[0].counter = interval;
	return 0;
}

static void print(const struct worker *w)
{
	printf("thread %u: %u values, %u markers, %u stored, %" PRIu64
	       " missed, %u refused\n",
	       w->number, w->values, w->markers, w->block.head / RECORD, w->block.missed,
	       w->refused);
	for (unsigned i = 0; i < DIVISORS; i++)
		if (w->times[i])
			printf("thread %u: divisor %u, %u times\n", w->number, i,
			       w->times[i]);
}

int main(int argc, char **argv)
{
	unsigned given[4] = {1, 1000, 4096, 0};

	for (int i = 1; i < argc && i <= 4; i++)
		given[i - 1] = (unsigned)strtoul(argv[i], NULL, 0);
	const unsigned threads = given[0];

	if (threads < 1 || threads > MAX_THREADS || given[2] < 1) {
		fputs("usage: lwp_sample [threads [rounds [slots [interval]]]]\n",
		      stderr);
		return 2;
	}
	for (unsigned i = 0; i < threads; i++) {
		workers[i].number = i;
		workers[i].rounds = given[1];
		if (prepare(&workers[i], given[2], given[3]) != 0)
			return 1;
	}
	/* The first ring is that of the main thread. */
	for (unsigned i = 1; i < threads; i++)
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
			return 1;
	work(&workers[0]);
	for (unsigned i = 1; i < threads; i++)
		pthread_join(workers[i].thread, NULL);
	for (unsigned i = 0; i < threads; i++)
		print(&workers[i]);
	return 0;
}
