/*
 * lwp_operands: compare the operands in memory of LWPINS, in all forms of addresses, with
 * what MOV reads, and check that LWPINS changes no register but the carry flag.
 */
#include <asm/prctl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <x86intrin.h>

#define BARRIER() __asm__ volatile("" : : : "memory")

enum { RECORD = 32, SLOTS = 1024, BLOCK = 176, PASSES = 3 };

extern uint64_t (*const moves[])(uint64_t), (*const markers[])(uint64_t);
void preserve(uint64_t *r);

static uint8_t ring[SLOTS][RECORD];
static uint64_t block[BLOCK / 8];

/* Returns the last record. */
static const uint8_t *last(void)
{
	BARRIER();
	__slwpcb();
	BARRIER();
	return ring[(uint32_t)block[2] / RECORD - 1];
}

static unsigned check(unsigned i)
{
	const uint64_t data2 = UINT64_C(0xfeed000000000000) + i;
	const uint32_t expected = (uint32_t)moves[i](data2);
	const uint64_t carry = markers[i](data2);
	const uint8_t *r = last();
	uint32_t data1;
	uint64_t value;
	uint16_t flags;

	memcpy(&data1, r + 4, sizeof data1);
	memcpy(&value, r + 16, sizeof value);
	memcpy(&flags, r + 2, sizeof flags);
	if (carry == 0 && r[0] == 255 && data1 == expected && value == data2 &&
	    flags == i)
		return 0;
	printf("operand %u: read %x, not %x\n", i, data1, expected);
	return 1;
}

static unsigned check_registers(void)
{
	const uint64_t unit = UINT64_C(0x0123456789abcd);
	uint64_t r[18];
	unsigned wrong = 0;

	preserve(r);
	/* After 0x7fffffff + 1 OF, SF, AF and PF are set; DF by STD. */
	wrong += (r[0] & 0xcd5) != 0xc94;
	for (unsigned i = 1; i <= 14; i++)
		wrong += r[i] != i * unit;
	wrong += r[15] != unit;
	wrong += r[16] != 2 * unit;
	if (wrong)
		printf("%u registers have changed; flags are %lx\n", wrong, (long)r[0]);
	return wrong;
}

int main(void)
{
	unsigned n = 0, wrong = 0;

	block[0] = (uint64_t)sizeof ring << 32;
	block[1] = (uint64_t)(uintptr_t)ring;
	/* Offsets from GS are small numbers and addresses of variables. */
	syscall(SYS_arch_prctl, ARCH_SET_GS, 0);
	BARRIER();
	__llwpcb(block);
	BARRIER();
	for (int pass = 0; pass < PASSES; pass++) {
		for (n = 0; moves[n]; n++) {
			const uint64_t base = n == 29 ? (uint64_t)(uintptr_t)ring : 0;

			syscall(SYS_arch_prctl, ARCH_SET_GS, base);
			wrong += check(n);
		}
		wrong += check_registers();
	}
	printf("%u operands, %u wrong\n", n, wrong);
	return wrong != 0;
}
