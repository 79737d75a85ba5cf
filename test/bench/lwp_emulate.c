/*
 * lwp_emulate [--smoke]: the time of an LWP instruction that the preloaded emulator
 * executes, in ns: the least of many rounds, as other programs only add time. Goals are
 * printed, not enforced.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <x86intrin.h>

#define BARRIER() __asm__ volatile("" : : : "memory")

enum { RECORD = 32, SLOTS = 1 << 14, EACH = 8192, BLOCK = 176 };

static uint8_t ring[SLOTS][RECORD];
static uint32_t block[BLOCK / 4] __attribute__((aligned(64)));
static uint32_t operand[4] = {1, 2, 3, 4};

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* The records are read, so that the ring has room for the next ones. */
static void take(void)
{
	BARRIER();
	block[16] = block[4];
	BARRIER();
}

static void mark_register(void)
{
	for (uint32_t i = 0; i < EACH; i++)
		__lwpins64(i, i, 1);
}

static void mark_memory(void)
{
	for (uint32_t i = 0; i < EACH; i++)
		__lwpins64(i, operand[i & 3], 1);
}

static void sample(void)
{
	for (uint32_t i = 0; i < EACH; i++)
		__lwpval32(i, i, 1);
}

static void query(void)
{
	for (uint32_t i = 0; i < EACH; i++)
		__slwpcb();
}

static const struct {
	const char *name;
	void (*run)(void);
	int interval; /* of LWPVAL */
	double goal;  /* ns; 0: none */
} cases[] = {
	{"LWPINS, operand in a register", mark_register, 0, 25},
	{"LWPINS, operand in memory", mark_memory, 0, 25},
	{"LWPVAL, a record each time", sample, 0, 25},
	{"LWPVAL, a record for 1,000", sample, 999, 0},
	{"SLWPCB", query, 0, 0},
};

static double measure(unsigned i, int rounds)
{
	double best = 1e9;

	BARRIER();
	__llwpcb(NULL);
	memset(block, 0, sizeof block);
	block[0] = 2;
	block[1] = sizeof ring;
	memcpy(block + 2, &(uint64_t){(uint64_t)(uintptr_t)ring}, 8);
	block[32] = block[33] = (uint32_t)cases[i].interval;
	BARRIER();
	__llwpcb(block);
	BARRIER();
	for (int round = 0; round < rounds; round++) {
		const int64_t begin = now();
		cases[i].run();
		const double each = (double)(now() - begin) / EACH;

		best = each < best ? each : best;
		take();
	}
	return best;
}

int main(int argc, char **argv)
{
	const int smoke = argc > 1 && strcmp(argv[1], "--smoke") == 0;

	printf("%-34s %9s %9s\n", "LWP instructions, emulated", "ns", "goal");
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const double ns = measure(i, smoke ? 2 : 2000), goal = cases[i].goal;

		if (smoke || goal == 0)
			printf("%-34s %9.1f %9s\n", cases[i].name, ns, "-");
		else
			printf("%-34s %9.1f %9.0f  %s\n", cases[i].name, ns, goal,
			       ns <= goal ? "met" : "not met");
	}
	return 0;
}
