/* Tests of the emulation of LWP instructions: faults, and what they leave. */
#include "lwp/emulate.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/bytes.h"

enum { PAGE = 4096, RING_SIZE = 32 * LWP_EVENT_SIZE, RCX = 1, RBX = 3 };

/* Three pages: an LWPCB, a ring, and one that a test makes inaccessible. */
static uint8_t *memory;

static uint8_t *ring(void)
{
	return memory + PAGE;
}

static uint8_t *other(void)
{
	return memory + 2 * PAGE;
}

static int setup(void **state)
{
	(void)state;
	memory = mmap(NULL, 3 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		      -1, 0);
	return memory == MAP_FAILED ? -1 : 0;
}

static int teardown(void **state)
{
	(void)state;
	return munmap(memory, 3 * PAGE);
}

static void prepare_block(uint8_t *block, uint32_t flags)
{
	memset(block, 0, EMULATE_BLOCK_SIZE);
	bytes_put32(block + LWP_BLOCK_FLAGS, flags);
	bytes_put32(block + LWP_BLOCK_SIZE, RING_SIZE);
	bytes_put64(block + LWP_BLOCK_BASE, (uintptr_t)ring());
}

static int execute_at(struct emulate_state *s, pid_t pid, const lwp_instruction_t *i,
		      struct emulate_registers *r, struct emulate_fault *f)
{
	r->ip = 0x1000;
	memset(f, 0, sizeof *f);
	return emulate(s, pid, i, r, f);
}

static int execute(struct emulate_state *s, const lwp_instruction_t *i,
		   struct emulate_registers *r, struct emulate_fault *f)
{
	return execute_at(s, getpid(), i, r, f);
}

static const lwp_instruction_t llwpcb = {
	.op = LWP_OP_LLWPCB, .mode = 64, .length = 5, .wide = 1, .reg = RBX};
static const lwp_instruction_t slwpcb = {
	.op = LWP_OP_SLWPCB, .mode = 64, .length = 5, .wide = 1, .reg = RCX};
static const lwp_instruction_t lwpins = {
	.op = LWP_OP_LWPINS, .mode = 64, .length = 9, .reg = RCX, .rm = RBX};
static const lwp_instruction_t lwpins_memory = {.op = LWP_OP_LWPINS,
						.mode = 64,
						.length = 9,
						.memory = 1,
						.base = RBX,
						.index = LWP_REG_NONE,
						.address_size = 64};
static const lwp_instruction_t lwpval_memory = {.op = LWP_OP_LWPVAL,
						.mode = 64,
						.length = 9,
						.memory = 1,
						.base = RBX,
						.index = LWP_REG_NONE,
						.address_size = 64};

static void enable(struct emulate_state *s, uint32_t flags)
{
	struct emulate_registers r = {.reg[RBX] = (uintptr_t)memory};
	struct emulate_fault f;

	prepare_block(memory, flags);
	assert_int_equal(execute(s, &llwpcb, &r, &f), 0);
	assert_int_equal(r.ip, 0x1005);
	assert_int_equal(s->cb, (uintptr_t)memory);
}

static uint32_t head(void)
{
	return bytes_get32(memory + LWP_BLOCK_HEAD);
}

/* Addresses of an LWPCB or a ring with which LLWPCB faults. */
static void llwpcb_faults(void **state)
{
	static const struct {
		int line, code;
		uint64_t cb, base; /* 0: those of the test */
		uint32_t size;
	} cases[] = {
		{__LINE__, SI_KERNEL, UINT64_C(1) << 47, 0, RING_SIZE},
		{__LINE__, SI_KERNEL, (UINT64_C(1) << 47) - 100, 0, RING_SIZE},
		{__LINE__, SI_KERNEL, UINT64_MAX - 64, 0, RING_SIZE},
		{__LINE__, SI_KERNEL, 0, (UINT64_C(1) << 47) - RING_SIZE + 1, RING_SIZE},
		{__LINE__, SI_KERNEL, 0, UINT64_MAX, RING_SIZE},
		{__LINE__, SI_KERNEL, 0, 0, RING_SIZE - 1},
		{__LINE__, SI_KERNEL, 0, 0, 0},
		{__LINE__, SEGV_MAPERR, 64, 0, RING_SIZE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct emulate_state s = {0};
		struct emulate_fault f;
		struct emulate_registers r = {
			.reg[RBX] = cases[i].cb ? cases[i].cb : (uintptr_t)memory};

		enable(&s, 0);
		prepare_block(memory, 0);
		bytes_put32(memory + LWP_BLOCK_SIZE, cases[i].size);
		if (cases[i].base)
			bytes_put64(memory + LWP_BLOCK_BASE, cases[i].base);
		if (execute(&s, &llwpcb, &r, &f) != -1 || f.code != cases[i].code)
			fail_msg("line %d: code %d", cases[i].line, f.code);
		/* LWP is off, and the instruction can be executed again. */
		assert_int_equal(s.cb, 0);
		assert_int_equal(r.ip, 0x1000);
		assert_int_equal(f.address, f.code == SI_KERNEL ? 0 : cases[i].cb);
	}
}

/* If the flush of the old LWPCB faults, it stays in force. */
static void flush_fault(void **state)
{
	struct emulate_registers r = {.reg[RBX] = (uintptr_t)other()};
	struct emulate_state s = {0};
	struct emulate_fault f;

	(void)state;
	enable(&s, 0);
	prepare_block(other(), 0);
	assert_int_equal(mprotect(memory, PAGE, PROT_READ), 0);
	assert_int_equal(execute(&s, &llwpcb, &r, &f), -1);
	assert_int_equal(f.code, SEGV_ACCERR);
	assert_int_equal(f.address, (uintptr_t)memory + LWP_BLOCK_HEAD);
	assert_int_equal(s.cb, (uintptr_t)memory);
	assert_int_equal(execute(&s, &slwpcb, &r, &f), -1);
	assert_int_equal(r.reg[RCX], 0);
	assert_int_equal(mprotect(memory, PAGE, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(execute(&s, &llwpcb, &r, &f), 0);
	assert_int_equal(s.cb, (uintptr_t)other());
}

/* A record whose ring cannot be written is stored by the second attempt, once. */
static void ring_fault(void **state)
{
	struct emulate_registers r = {.reg[RBX] = 7, .reg[RCX] = 8, .flags = 1};
	struct emulate_state s = {0};
	struct emulate_fault f;

	(void)state;
	enable(&s, 0);
	assert_int_equal(mprotect(ring(), PAGE, PROT_READ), 0);
	assert_int_equal(execute(&s, &lwpins, &r, &f), -1);
	assert_int_equal(f.address, (uintptr_t)ring());
	assert_int_equal(r.flags, 1);
	assert_int_equal(head(), 0);
	assert_int_equal(s.markers, 0);
	assert_int_equal(mprotect(ring(), PAGE, PROT_READ | PROT_WRITE), 0);
	assert_int_equal(execute(&s, &lwpins, &r, &f), 0);
	assert_int_equal(r.flags, 0);
	assert_int_equal(head(), LWP_EVENT_SIZE);
	assert_int_equal(s.markers, 1);
}

static void operand_fault(void **state)
{
	struct emulate_registers r = {.reg[RBX] = UINT64_C(1) << 63};
	struct emulate_state s = {0};
	struct emulate_fault f;

	(void)state;
	enable(&s, LWP_FLAG(LWP_EVENT_VAL));
	assert_int_equal(execute(&s, &lwpins_memory, &r, &f), -1);
	assert_int_equal(f.code, SI_KERNEL);
	r.reg[RBX] = (uintptr_t)other() - 2;
	assert_int_equal(mprotect(other(), PAGE, PROT_NONE), 0);
	assert_int_equal(execute(&s, &lwpins_memory, &r, &f), -1);
	assert_int_equal(f.address, (uintptr_t)other());
	/* LWPVAL reads memory only for a record; its counter waits for that. */
	s.counter = 1;
	assert_int_equal(execute(&s, &lwpval_memory, &r, &f), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(execute(&s, &lwpval_memory, &r, &f), -1);
		assert_int_equal(s.counter, 0);
	}
	assert_int_equal(s.values, 1);
	assert_int_equal(head(), 0);
	assert_int_equal(mprotect(other(), PAGE, PROT_READ | PROT_WRITE), 0);
}

/* The two lowest bits of an interval of 15 are random: a record each 13 to 16 values. */
static void random_intervals(void **state)
{
	struct emulate_registers r = {.reg[RBX] = (uintptr_t)memory};
	struct emulate_state s = {0};
	struct emulate_fault f;
	unsigned seen = 0, n = 0;

	(void)state;
	prepare_block(memory, LWP_FLAG(LWP_EVENT_VAL));
	bytes_put32(memory + LWP_BLOCK_SIZE, RING_SIZE | UINT32_C(2) << 28);
	bytes_put32(memory + EMULATE_INTERVAL, 15);
	assert_int_equal(execute(&s, &llwpcb, &r, &f), 0);
	assert_int_equal(s.random, 2);
	r.reg[RBX] = (uintptr_t)other();
	for (unsigned i = 0; i < 2000; i++) {
		const uint32_t before = s.head;

		assert_int_equal(execute(&s, &lwpval_memory, &r, &f), 0);
		n++;
		if (s.head == before)
			continue;
		/* The program reads the record, so that the ring is never full. */
		bytes_put32(memory + LWP_BLOCK_TAIL, s.head);
		if (i >= 16)
			assert_in_range(n, 13, 16);
		seen |= i >= 16 ? 1u << (n - 13) : 0;
		n = 0;
	}
	assert_int_equal(seen, 15);
}

/* While LWP is off, no operand is read and nothing is stored. */
static void off(void **state)
{
	struct emulate_registers r = {.reg[RBX] = 1, .reg[RCX] = 9, .flags = 0xd7};
	struct emulate_state s = {0};
	struct emulate_fault f;

	(void)state;
	assert_int_equal(execute(&s, &lwpval_memory, &r, &f), 0);
	assert_int_equal(r.flags, 0xd7);
	assert_int_equal(execute(&s, &lwpins_memory, &r, &f), 0);
	assert_int_equal(r.flags, 0xd6);
	assert_int_equal(r.ip, 0x1009);
	assert_int_equal(execute(&s, &slwpcb, &r, &f), 0);
	assert_int_equal(r.reg[RCX], 0);
	assert_int_equal(s.values + s.markers, 0);
}

/* Operands of 32 bits: addresses are cut off, and SLWPCB clears the upper half. */
static void narrow(void **state)
{
	lwp_instruction_t load = llwpcb, query = slwpcb;
	struct emulate_registers r = {.reg[RBX] = UINT64_C(1) << 32,
				      .reg[RCX] = UINT64_MAX};
	struct emulate_state s = {0};
	struct emulate_fault f;

	(void)state;
	load.wide = query.wide = 0;
	enable(&s, 0);
	assert_int_equal(execute(&s, &query, &r, &f), 0);
	assert_int_equal(r.reg[RCX], (uint32_t)(uintptr_t)memory);
	assert_int_equal(execute(&s, &load, &r, &f), 0);
	assert_int_equal(s.cb, 0);
}

/* The memory of another process is written, and not our own. */
static void other_process(void **state)
{
	struct emulate_registers r = {.reg[RBX] = (uintptr_t)memory};
	struct emulate_state s = {0};
	struct emulate_fault f;
	uint8_t bytes[4];
	int go[2];

	(void)state;
	prepare_block(memory, UINT32_MAX);
	memset(ring(), 0, PAGE);
	assert_int_equal(pipe(go), 0);
	const pid_t child = fork();
	if (child == 0) {
		close(go[1]);
		_exit(read(go[0], bytes, 1) == 0 ? 0 : 1);
	}
	close(go[0]);
	const int loaded = execute_at(&s, child, &llwpcb, &r, &f);
	const int marked = execute_at(&s, child, &lwpins, &r, &f);
	const size_t n = emulate_read(child, (uintptr_t)ring(), bytes, sizeof bytes);
	close(go[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(loaded, 0);
	/* With a threshold of 0 each record interrupts. */
	assert_int_equal(marked, 1);
	assert_int_equal(n, sizeof bytes);
	assert_int_equal(bytes[0], LWP_EVENT_INS);
	assert_int_equal(ring()[0], 0);
	assert_int_equal(bytes_get32(memory + LWP_BLOCK_FLAGS), UINT32_MAX);
	/* The process has gone. */
	assert_int_equal(execute_at(&s, child, &lwpins, &r, &f), -1);
}

/* CPUID has the sizes and features that the emulation has. */
static void features(void **state)
{
	lwp_features_t f;
	lwp_cpuid_t c;

	(void)state;
	lwp_features_encode(&c, &emulate_features);
	lwp_features_decode(&f, &c);
	assert_int_equal(f.available, LWP_FLAG(LWP_EVENT_VAL) | LWP_FLAG_INT);
	assert_int_equal(f.block_size, 176);
	assert_int_equal(f.event_offset, 128);
	assert_true(f.has_ip_filtering);
	assert_false(f.has_cache_levels);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(llwpcb_faults, setup, teardown),
		cmocka_unit_test_setup_teardown(flush_fault, setup, teardown),
		cmocka_unit_test_setup_teardown(ring_fault, setup, teardown),
		cmocka_unit_test_setup_teardown(operand_fault, setup, teardown),
		cmocka_unit_test_setup_teardown(random_intervals, setup, teardown),
		cmocka_unit_test_setup_teardown(off, setup, teardown),
		cmocka_unit_test_setup_teardown(narrow, setup, teardown),
		cmocka_unit_test_setup_teardown(other_process, setup, teardown),
		cmocka_unit_test(features),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
