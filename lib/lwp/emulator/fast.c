/*
 * This code runs in the middle of the program's, at an instruction that changes no
 * register but SLWPCB's. It saves the general registers and the arithmetic flags, and is
 * compiled without vector registers.
 *
 * A signal handler may run between any two instructions here, and execute LWP
 * instructions itself. The record is therefore stored by a restartable sequence
 * (rseq(2)): if a signal comes before the store that advances the head, the kernel
 * restarts the sequence behind the records of the handler.
 */
#include "lwp/emulator/fast.h"

#include <stddef.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include "lwp/emulator/report.h"

__thread struct emulate_state fast_state;

_Static_assert(offsetof(struct emulate_state, cb) == 0 &&
		       offsetof(struct emulate_state, base) == 8 &&
		       offsetof(struct emulate_state, size) == 16 &&
		       offsetof(struct emulate_state, head) == 20 &&
		       offsetof(struct emulate_state, rseq) == 24 &&
		       offsetof(struct site, resume) == 8 &&
		       offsetof(struct report_frame, flags) == 128 &&
		       offsetof(struct report_frame, site) == 136,
	       "the code below knows these offsets");

/*
 * The frame is a struct report_frame; above it are rax or where to resume, rdi, and the
 * red zone. ADD sets OF if AL was 1.
 */
asm(".pushsection lwp_entry, \"ax\", @progbits\n"
    ".globl fast_entry\n"
    ".hidden fast_entry\n"
    ".type fast_entry, @function\n"
    "fast_entry:\n"
    "	endbr64\n"
    "	push %rax\n"
    "	lahf\n"
    "	seto %al\n"
    "	lea -144(%rsp), %rsp\n"
    "	mov %rcx, 8(%rsp)\n"
    "	mov %rdx, 16(%rsp)\n"
    "	mov %rbx, 24(%rsp)\n"
    "	mov %rbp, 40(%rsp)\n"
    "	mov %rsi, 48(%rsp)\n"
    "	mov %r8, 64(%rsp)\n"
    "	mov %r9, 72(%rsp)\n"
    "	mov %r10, 80(%rsp)\n"
    "	mov %r11, 88(%rsp)\n"
    "	mov %r12, 96(%rsp)\n"
    "	mov %r13, 104(%rsp)\n"
    "	mov %r14, 112(%rsp)\n"
    "	mov %r15, 120(%rsp)\n"
    "	mov 144(%rsp), %rcx\n"
    "	mov 152(%rsp), %rdx\n"
    "	lea 288(%rsp), %r8\n"
    "	mov %rcx, (%rsp)\n"
    "	mov %rdx, 56(%rsp)\n"
    "	mov %r8, 32(%rsp)\n"
    "	mov %rax, 128(%rsp)\n"
    "	mov %rdi, 136(%rsp)\n"
    "	mov %rsp, %rbp\n"
    "	mov %rsp, %rsi\n"
    "	and $-16, %rsp\n"
    "	call fast_execute\n"
    "	mov %rbp, %rsp\n"
    "	mov 136(%rsp), %rcx\n"
    "	mov 56(%rsp), %rdx\n"
    "	mov 8(%rcx), %rcx\n"
    "	mov %rdx, 152(%rsp)\n"
    "	mov %rcx, 144(%rsp)\n"
    "	mov 128(%rsp), %eax\n"
    "	add $127, %al\n"
    "	sahf\n"
    "	mov (%rsp), %rax\n"
    "	mov 8(%rsp), %rcx\n"
    "	mov 16(%rsp), %rdx\n"
    "	mov 24(%rsp), %rbx\n"
    "	mov 40(%rsp), %rbp\n"
    "	mov 48(%rsp), %rsi\n"
    "	mov 64(%rsp), %r8\n"
    "	mov 72(%rsp), %r9\n"
    "	mov 80(%rsp), %r10\n"
    "	mov 88(%rsp), %r11\n"
    "	mov 96(%rsp), %r12\n"
    "	mov 104(%rsp), %r13\n"
    "	mov 112(%rsp), %r14\n"
    "	mov 120(%rsp), %r15\n"
    "	lea 144(%rsp), %rsp\n"
    "	jmp *(%rsp)\n"
    ".size fast_entry, . - fast_entry\n"
    ".popsection\n");

/*
 * uint64_t fast_store(struct emulate_state *, uint64_t word0, uint64_t ip, uint64_t
 * data2): store a record of these words. Returns BufferTailOffset if the head has
 * advanced, FAST_FULL if the event was missed, FAST_OFF if LWP is not enabled any more.
 * The copy of the head in memory is written again if a signal handler has changed the
 * head meanwhile. 0x53053053 is the signature that the kernel wants before the code to
 * which it jumps.
 */
#define FAST_FULL UINT64_MAX
#define FAST_OFF  (UINT64_MAX - 1)

uint64_t fast_store(struct emulate_state *s, uint64_t word0, uint64_t ip, uint64_t data2)
	__attribute__((visibility("hidden")));

asm(".pushsection .data.rel.ro, \"aw\", @progbits\n"
    ".balign 32\n"
    "fast_sequence:\n"
    "	.long 0, 0\n"
    "	.quad 1f, 3f - 1f, 6f\n"
    ".popsection\n"
    ".pushsection lwp_fast, \"ax\", @progbits\n"
    ".hidden fast_store\n"
    ".globl fast_store\n"
    ".type fast_store, @function\n"
    "fast_store:\n"
    "	mov 24(%rdi), %r8\n"
    "	lea fast_sequence(%rip), %rax\n"
    "	mov %rax, 8(%r8)\n"
    "1:	mov (%rdi), %r11\n"
    "	test %r11, %r11\n"
    "	jz 5f\n"
    "	mov 20(%rdi), %r9d\n"
    "	mov 8(%rdi), %r10\n"
    "	mov %rsi, (%r10, %r9)\n"
    "	mov %rdx, 8(%r10, %r9)\n"
    "	mov %rcx, 16(%r10, %r9)\n"
    "	movq $0, 24(%r10, %r9)\n"
    "	add $32, %r9d\n"
    "	cmp 16(%rdi), %r9d\n"
    "	jb 2f\n"
    "	xor %r9d, %r9d\n"
    "2:	mov 64(%r11), %eax\n"
    "	cmp %eax, %r9d\n"
    "	je 4f\n"
    "	mov %r9d, 20(%rdi)\n"
    "3:	mov 20(%rdi), %r9d\n"
    "	mov %r9d, 16(%r11)\n"
    "	cmp 20(%rdi), %r9d\n"
    "	jne 3b\n"
    "	ret\n"
    "4:	incq 24(%r11)\n"
    "	mov $-1, %rax\n"
    "	ret\n"
    "5:	mov $-2, %rax\n"
    "	ret\n"
    "	.byte 0x0f, 0xb9, 0x3d\n"
    "	.long 0x53053053\n"
    "6:	jmp fast_store\n"
    ".size fast_store, . - fast_store\n"
    ".popsection\n");

#define IN_FAST __attribute__((section("lwp_fast")))

int fast_reads_bases(void)
{
	return (getauxval(AT_HWCAP2) & 2) != 0; /* HWCAP2_FSGSBASE */
}

IN_FAST static inline uint64_t segment_base(uint8_t prefix)
{
	uint64_t base = 0;

	if (prefix == 0x64)
		asm("rdfsbase %0" : "=r"(base));
	else if (prefix == 0x65)
		asm("rdgsbase %0" : "=r"(base));
	return base;
}

/* Returns the value for data1. Computes addresses as lwp_instruction_address() does. */
IN_FAST static inline uint32_t operand(const struct site *site, const uint64_t *reg)
{
	const lwp_instruction_t *const i = &site->instruction;
	uint64_t a = (uint64_t)(int64_t)i->displacement;

	if (!i->memory)
		return (uint32_t)reg[i->rm];
	if (i->base == LWP_REG_RIP)
		a += site->ip + i->length;
	else if (i->base != LWP_REG_NONE)
		a += reg[i->base];
	if (i->index != LWP_REG_NONE)
		a += reg[i->index] << i->scale;
	if (i->address_size == 32)
		a = (uint32_t)a;
	a += segment_base(i->segment);
	return *(const volatile uint32_t *)(uintptr_t)a;
}

IN_FAST static inline long call(long number, long a, long b, long c, long d)
{
	register long r10 asm("r10") = d;
	long result;

	asm volatile("syscall"
		     : "=a"(result)
		     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
		     : "rcx", "r11", "memory");
	return result;
}

IN_FAST void fast_interrupt(void)
{
	struct { /* the kernel's struct sigaction */
		uint64_t handler, flags, restorer, mask;
	} now;

	if (call(SYS_rt_sigaction, FAST_INTERRUPT, 0, (long)&now, 8) == 0 &&
	    now.handler > 1) /* neither SIG_DFL nor SIG_IGN */
		call(SYS_tgkill, call(SYS_getpid, 0, 0, 0, 0),
		     call(SYS_gettid, 0, 0, 0, 0), FAST_INTERRUPT, 0);
}

/* Stores the record of an LWPINS or LWPVAL. Returns as fast_store(). */
IN_FAST static inline uint64_t record(struct emulate_state *s, const struct site *site,
				      const uint64_t *reg, uint64_t id)
{
	const lwp_instruction_t *const i = &site->instruction;
	const uint64_t data1 = operand(site, reg), value = reg[i->reg];
	const uint64_t tail =
		fast_store(s, id | (uint64_t)(uint16_t)i->immediate << 16 | data1 << 32,
			   site->ip, i->wide ? value : (uint32_t)value);

	if (tail < FAST_OFF && __builtin_expect((s->flags & LWP_FLAG_INT) != 0, 0) &&
	    emulate_interrupts(s, (uint32_t)tail))
		fast_interrupt();
	return tail;
}

/* One instruction, so that a signal handler comes before or after it. */
IN_FAST static inline void count(uint64_t *events)
{
	asm volatile("incq %0" : "+m"(*events));
}

IN_FAST static inline void lwpval(struct emulate_state *s, const struct site *site,
				  const uint64_t *reg)
{
	if (!emulate_counts(s, site->ip))
		return;
	if (s->counter > 0) {
		asm volatile("decl %0" : "+m"(s->counter));
	} else {
		if (record(s, site, reg, LWP_EVENT_VAL) == FAST_OFF)
			return;
		s->counter = emulate_reset(s, s->counter - 1);
	}
	count(&s->values);
}

/* SLWPCB, section 5.2: the copy of the head in memory is never older than the record. */
IN_FAST static inline void slwpcb(struct emulate_state *s, const struct site *site,
				  uint64_t *reg)
{
	const lwp_instruction_t *const i = &site->instruction;

	if (s->cb) {
		volatile uint32_t *const block = (volatile uint32_t *)(uintptr_t)s->cb;

		block[LWP_BLOCK_HEAD / 4] = s->head;
		if (s->flags & LWP_FLAG(LWP_EVENT_VAL))
			block[EMULATE_COUNTER / 4] = (uint32_t)s->counter & 0x3ffffff;
	}
	reg[i->reg] = i->wide ? s->cb : (uint32_t)s->cb;
}

void fast_execute(const struct site *site, struct report_frame *f)
	__attribute__((visibility("hidden")));

IN_FAST void fast_execute(const struct site *site, struct report_frame *f)
{
	struct emulate_state *const s = &fast_state;

	if (site->instruction.op == LWP_OP_LWPINS) {
		const uint64_t tail =
			s->cb ? record(s, site, f->reg, LWP_EVENT_INS) : FAST_OFF;

		if (tail != FAST_OFF)
			count(&s->markers);
		f->flags = (f->flags & ~UINT64_C(0x100)) | (uint64_t)(tail == FAST_FULL)
								   << 8;
	} else if (site->instruction.op == LWP_OP_LWPVAL) {
		if (s->cb)
			lwpval(s, site, f->reg);
	} else {
		slwpcb(s, site, f->reg);
	}
}
