/*
 * lwp_oracle SEED STEPS: execute LWP instructions in a random order, and compare all that
 * they write with a model of them that follows the specification (publication 43724)
 * word by word. Prints the first difference and exits with 1, or prints a line for the
 * control block and a line for each slot of the ring.
 *
 * The choices that the specification leaves: the head in memory is always up to date,
 * and random bits come from xorshift64 (13, 7, 17), which each LLWPCB seeds.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <x86intrin.h>

#define BARRIER() __asm__ volatile("" : : : "memory")

enum { BLOCK = 176, RING = 256 * 32 };

static uint8_t block[BLOCK] __attribute__((aligned(64)));
static uint8_t ring[RING] __attribute__((aligned(4096)));

/* The model: copies of the memory, and the state that a processor has. */
static uint8_t model_block[BLOCK], model_ring[RING];
static struct {
	int on;
	uint32_t flags, size, head, threshold, filters, random;
	uint64_t low, high, seed;
	long interval, counter;
	unsigned long interrupts, stored, missed, events;
} m;

static uint32_t get(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, 4);
	return v;
}

static void put(uint8_t *p, uint32_t v)
{
	memcpy(p, &v, 4);
}

static uint64_t get_long(const uint8_t *p)
{
	return get(p) | (uint64_t)get(p + 4) << 32;
}

static void put_long(uint8_t *p, uint64_t v)
{
	put(p, (uint32_t)v);
	put(p + 4, (uint32_t)(v >> 32));
}

/* Bits 25 to 0 as a signed number. */
static long number(uint32_t v)
{
	const long n = v % (1 << 26);

	return n < 1 << 25 ? n : n - (1 << 26);
}

static void model_flush(void)
{
	if (!m.on)
		return;
	put(model_block + 16, m.head);
	if (m.flags & 2)
		put(model_block + 132, (uint32_t)m.counter & 0x3ffffff);
}

static void model_stop(void)
{
	model_flush();
	m.on = 0;
}

/* Returns 0 if the buffer is too small: general protection. */
static int model_start(void)
{
	model_stop();
	m.size = get(model_block + 4) % (1 << 28);
	if (m.size < 32 * 32)
		return 0;
	m.size -= m.size % 32;
	m.random = get(model_block + 4) >> 28;
	m.head = get(model_block + 16);
	if (m.head > m.size - 32)
		m.head = 0;
	m.head -= m.head % 32;
	m.threshold = get(model_block + 32);
	m.threshold -= m.threshold % 32;
	m.filters = get(model_block + 36);
	m.low = get_long(model_block + 40);
	m.high = get_long(model_block + 48);
	m.flags = get(model_block) & 0x80000002;
	put(model_block, m.flags);
	m.interval = number(get(model_block + 128));
	m.counter = number(get(model_block + 132));
	if (m.interval < 0)
		m.interval = 0;
	if (m.counter < 0)
		m.counter = 0;
	if (m.flags & 2)
		put(model_block + 128, (uint32_t)m.interval);
	m.seed = 0x9e3779b97f4a7c15;
	m.on = 1;
	return 1;
}

/* Returns whether the ring was full. */
static int model_store(uint8_t id, uint16_t flags, uint32_t data1, uint64_t ip,
		       uint64_t data2)
{
	uint8_t *r = model_ring + m.head;
	const uint32_t next = (m.head + 32) % m.size, tail = get(model_block + 64);

	memset(r, 0, 32);
	r[0] = id;
	memcpy(r + 2, &flags, 2);
	put(r + 4, data1);
	put_long(r + 8, ip);
	put_long(r + 16, data2);
	m.events++;
	if (next == tail) {
		put_long(model_block + 24, get_long(model_block + 24) + 1);
		m.missed++;
		return 1;
	}
	m.stored++;
	m.head = next;
	put(model_block + 16, m.head);
	if (m.flags >> 31 && (m.head + m.size - tail) % m.size >= m.threshold)
		m.interrupts++;
	return 0;
}

static void model_value(uint16_t flags, uint32_t data1, uint64_t ip, uint64_t data2)
{
	const int inside = ip >= m.low && ip <= m.high;

	if (!m.on || !(m.flags & 2))
		return;
	if (m.filters >> 31 && inside == (int)(m.filters >> 30 & 1))
		return;
	if (--m.counter >= 0)
		return;
	model_store(1, flags, data1, ip, data2);
	m.counter = m.interval;
	if (m.random) {
		const long bits = 1L << m.random;

		m.seed ^= m.seed << 13;
		m.seed ^= m.seed >> 7;
		m.seed ^= m.seed << 17;
		m.counter = m.counter / bits * bits + (long)(m.seed % (uint64_t)bits);
	}
}

static int model_marker(uint16_t flags, uint32_t data1, uint64_t ip, uint64_t data2)
{
	return m.on && model_store(255, flags, data1, ip, data2);
}

/* The instructions, each in a function of its own. */
static uint32_t memory[4] = {0x11111111, 0x22222222, 0x33333333, 0x44444444};

#define STUB(name, call)                                                          \
	__attribute__((noinline)) static int name(uint64_t data2, uint32_t data1) \
	{                                                                         \
		int carry = 0;                                                    \
		(void)data1;                                                      \
		BARRIER();                                                        \
		call;                                                             \
		BARRIER();                                                        \
		return carry;                                                     \
	}

STUB(value32, __lwpval32((uint32_t)data2, data1, 0x1234))
STUB(value64, __lwpval64(data2, data1, 0x78fffe))
STUB(value_memory, __lwpval64(data2, memory[data1 % 4], 7))
STUB(marker32, carry = __lwpins32((uint32_t)data2, data1, 0xffff))
STUB(marker64, carry = __lwpins64(data2, data1, 0))
STUB(marker_memory, carry = __lwpins32((uint32_t)data2, memory[data1 % 4], 0x4242))

static struct {
	int (*call)(uint64_t, uint32_t);
	int wide, reads_memory, marks;
	uint16_t flags;
	uint64_t ip;
} stubs[] = {
	{value32, 0, 0, 0, 0x1234, 0}, {value64, 1, 0, 0, 0xfffe, 0},
	{value_memory, 1, 1, 0, 7, 0}, {marker32, 0, 0, 1, 0xffff, 0},
	{marker64, 1, 0, 1, 0, 0},     {marker_memory, 0, 1, 1, 0x4242, 0},
};

enum { STUBS = sizeof stubs / sizeof stubs[0] };

/* Returns the address of the instruction in a function: 8f, map 0a, opcode 12. */
static uint64_t find(int (*call)(uint64_t, uint32_t))
{
	const uint8_t *p = (const uint8_t *)(uintptr_t)call;

	while (!(p[0] == 0x8f && (p[1] & 0x1f) == 10 && p[3] == 0x12))
		p++;
	return (uint64_t)(uintptr_t)p;
}

static uint64_t state;

static uint64_t random_below(uint64_t n)
{
	state = state * 6364136223846793005 + 1442695040888963407;
	return (state >> 33) % n;
}

static volatile unsigned long interrupts;
static sigjmp_buf after_fault;
static volatile int fault_code;

static void on_interrupt(int sig)
{
	(void)sig;
	interrupts++;
}

static void on_fault(int sig, siginfo_t *info, void *context)
{
	(void)sig;
	(void)context;
	fault_code = info->si_code;
	siglongjmp(after_fault, 1);
}

static void check(int ok, const char *what, long step)
{
	if (ok)
		return;
	printf("step %ld: %s differs\n", step, what);
	exit(1);
}

/* The control block holds the address of its own ring. */
static void compare(long step)
{
	check(memcmp(block, model_block, BLOCK) == 0, "the control block", step);
	check(memcmp(ring, model_ring, RING) == 0, "the ring", step);
	check(interrupts == m.interrupts, "the number of interrupts", step);
}

/* A control block with some of what programs get wrong. */
static void configure(void)
{
	const uint32_t sizes[] = {1024, 1056, 2050, 4095, RING, 1023, 0};
	const uint32_t size = sizes[random_below(7)];
	const uint64_t a = stubs[random_below(STUBS)].ip,
		       b = stubs[random_below(STUBS)].ip;

	put(block, (uint32_t)random_below(2) * 0x7ffffffe + 2 +
			   (uint32_t)random_below(2) * 0x80000000);
	put(block + 4, size | (uint32_t)(random_below(3) ? 0 : random_below(6)) << 28);
	put(block + 16, (uint32_t)random_below(size + 64));
	put(block + 32, (uint32_t)random_below(size + 64));
	put(block + 36, (uint32_t)random_below(4) << 30);
	put_long(block + 40, a < b ? a : b);
	put_long(block + 48, a < b ? b : a);
	put(block + 64, (uint32_t)random_below(size / 32 + 1) * 32);
	put(block + 128, (uint32_t)(random_below(4) ? random_below(20) : 0x3ffffff));
	put(block + 132, (uint32_t)(random_below(4) ? random_below(30) : 0x2000000));
	if (get(block + 64) + 32 > size)
		put(block + 64, 0);
}

static void start(long step)
{
	BARRIER();
	__llwpcb(NULL);
	BARRIER();
	model_stop();
	compare(step);
	configure();
	memcpy(model_block, block, BLOCK);
	fault_code = 0;
	if (sigsetjmp(after_fault, 1) == 0) {
		BARRIER();
		__llwpcb(block);
		BARRIER();
	}
	const int started = model_start();
	check(fault_code == (started ? 0 : SI_KERNEL), "general protection", step);
	compare(step);
}

/* Software takes some of the records. */
static void take(void)
{
	if (!m.on)
		return;
	const uint32_t tail = get(block + 64), used = (m.head + m.size - tail) % m.size;
	const uint32_t next =
		(tail + (uint32_t)random_below(used / 32 + 1) * 32) % m.size;

	put(block + 64, next);
	put(model_block + 64, next);
}

static void query(long step)
{
	BARRIER();
	const void *cb = __slwpcb();
	BARRIER();
	model_flush();
	check(cb == (m.on ? block : NULL), "the result of SLWPCB", step);
	compare(step);
}

static void execute(long step)
{
	const unsigned i = (unsigned)random_below(STUBS);
	uint64_t data2 = random_below(UINT64_MAX) << 32 | random_below(UINT32_MAX);
	uint32_t data1 = (uint32_t)random_below(UINT32_MAX);
	const int carry = stubs[i].call(data2, data1);
	int expected = 0;

	if (stubs[i].reads_memory)
		data1 = memory[data1 % 4];
	if (!stubs[i].wide)
		data2 = (uint32_t)data2;
	if (stubs[i].marks)
		expected = model_marker(stubs[i].flags, data1, stubs[i].ip, data2);
	else
		model_value(stubs[i].flags, data1, stubs[i].ip, data2);
	check(carry == expected, "the carry flag", step);
}

static void print(void)
{
	printf("%lu events, %lu stored, %lu missed, %lu interrupts\n", m.events, m.stored,
	       m.missed, m.interrupts);
	for (unsigned i = 0; i < BLOCK; i++)
		if (i < 8 || i >= 16)
			printf("%02x", block[i]);
	for (unsigned i = 0; i < RING; i++)
		printf("%s%02x", i % 32 ? "" : "\n", ring[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	const struct sigaction fault = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO};
	const long steps = argc > 2 ? atol(argv[2]) : 1000;

	state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	sigaction(SIGSEGV, &fault, NULL);
	signal(SIGSTKFLT, on_interrupt);
	for (unsigned i = 0; i < STUBS; i++)
		stubs[i].ip = find(stubs[i].call);
	put_long(block + 8, (uint64_t)(uintptr_t)ring);
	memcpy(model_block, block, BLOCK);
	start(-1);
	for (long step = 0; step < steps; step++) {
		const uint64_t kind = random_below(100);

		if (kind == 0)
			start(step);
		else if (kind < 3)
			query(step);
		else if (kind < 6)
			take();
		else
			execute(step);
		compare(step);
	}
	query(steps);
	print();
	return m.events == m.stored + m.missed ? 0 : 1;
}
