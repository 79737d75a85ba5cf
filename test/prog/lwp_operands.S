/*
 * Each form of an operand in memory twice: read by MOV, which the processor executes, and
 * by LWPINS. lwp_operands.c calls them.
 */
	.section .tdata, "awT", @progbits
	.globl variable
variable:
	.set i, 0
	.rept 64
	.long 0x5a000000 + i
	.set i, i + 4
	.endr
	.section .bss
	.data
	.balign 64
pool:
	.set i, 0
	.rept 4096
	.long 0xc0000000 + i
	.set i, i + 4
	.endr

	.text
/* The program is linked at addresses below 4 GiB; its registers point into the pool. */
.macro begin
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rdi, %r10
	movabs $0x1111111111111111, %rax
	mov %rax, -8(%rsp)
	movabs $0x2222222233333333, %rax
	mov %rax, -120(%rsp)
	movabs $0x4444444455555555, %rax
	mov %rax, -104(%rsp)
	mov $pool + 0x800, %eax
	mov %rax, %rbx
	mov %rax, %rdi
	mov %rax, %rbp
	mov %rax, %r12
	mov %rax, %r8
	mov %rax, %r13
	mov %rax, %rdx
	shr $2, %rdx
	mov %rax, %r11
	shr $3, %r11
	mov $2, %ecx
	mov $3, %r9d
	mov $5, %esi
	mov $4, %r15d
	mov $variable@tpoff + 0x14, %r14
.endm

.macro end
	pop %r15
	pop %r14
	pop %r13
	pop %r12
	pop %rbp
	pop %rbx
	ret
.endm

/* The carry flag is set before, and must be clear after. */
#define OPERAND(n, ...) \
	.pushsection .rodata.moves, "a"; \
	.quad move##n; \
	.popsection; \
	.pushsection .rodata.markers, "a"; \
	.quad marker##n; \
	.popsection; \
	move##n: begin; \
	mov __VA_ARGS__, %eax; \
	end; \
	marker##n: begin; \
	stc; \
	lwpins $(0x70000000 + n), __VA_ARGS__, %r10; \
	sbb %eax, %eax; \
	end

	.section .rodata.moves, "a"
	.globl moves
moves:
	.section .rodata.markers, "a"
	.globl markers
markers:
	.text
	OPERAND(0, (%rax))
	OPERAND(1, 8(%rbx))
	OPERAND(2, -128(%rdi))
	OPERAND(3, -129(%rdi))
	OPERAND(4, (%rax, %rcx))
	OPERAND(5, (%rax, %rcx, 2))
	OPERAND(6, (%rbx, %r9, 4))
	OPERAND(7, (%r8, %rsi, 8))
	OPERAND(8, 16(%rbp, %r15, 8))
	OPERAND(9, (%rbp))
	OPERAND(10, (%r13))
	OPERAND(11, (%r12))
	OPERAND(12, 0x40(%r12, %r15))
	OPERAND(13, (, %rdx, 4))
	OPERAND(14, 0x40(, %r11, 8))
	OPERAND(15, pool(%rip))
	OPERAND(16, pool + 0x20(%rip))
	OPERAND(17, (%rsp))
	OPERAND(18, 8(%rsp))
	OPERAND(19, -8(%rsp))
	OPERAND(20, -120(%rsp, %rcx, 8))
	OPERAND(21, (%eax))
	OPERAND(22, 4(%ebx, %r9d, 4))
	OPERAND(23, %fs:variable@tpoff)
	OPERAND(24, %fs:(%r14))
	OPERAND(25, %fs:variable@tpoff(, %rcx, 4))
	OPERAND(26, pool)
	OPERAND(27, pool + 0x10(, %rcx, 8))
	OPERAND(28, %gs:pool + 0x30)
	OPERAND(29, %gs:(%rcx, %r15, 4))
	.section .rodata.moves, "a"
	.quad 0

/*
 * void preserve(uint64_t r[18]): fill all registers, execute LWPINS, and store flags, the
 * registers from rbx to r14, xmm0 and xmm15.
 */
	.text
	.globl preserve
preserve:
	push %rbx
	push %rbp
	push %r12
	push %r13
	push %r14
	push %r15
	mov %rdi, %r15
	.set n, 1
	.irp r, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14
	movabs $0x0123456789abcd * n, %\r
	.set n, n + 1
	.endr
	movq %rax, %xmm0
	movq %rbx, %xmm15
	mov $0x7fffffff, %eax
	add $1, %eax
	std
	movabs $0x0123456789abcd, %rax
	lwpins $7, %r15d, %r14
	pushfq
	cld
	push %rax
	mov 8(%rsp), %rax
	mov %rax, (%r15)
	pop %rax
	.set n, 1
	.irp r, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14
	mov %\r, 8 * n(%r15)
	.set n, n + 1
	.endr
	movq %xmm0, 120(%r15)
	movq %xmm15, 128(%r15)
	pop %rax
	end

	.section .note.GNU-stack, "", @progbits
