/*
 * Loops of known latencies, without C library. The first letter of the argument selects
 * what is done 1,000,000 times; each result but those of d and i is the next operand.
 *	x	a step of xorshift: 3 shifts and 3 exclusive ors
 *	d	a 64-bit integer division
 *	e	a 32-bit integer division
 *	m	a 64-bit integer multiplication, of the former result
 *	a f v q	an addition, multiplication, division, square root, all of doubles
 *	s	a packed division of singles, of the former result
 *	p	a load of an address, which is the next address
 *	i	an addition of a loaded value to a sum
 *	w	30 instructions that wait for nothing
 *	r	a rep movsb of 0 bytes
 *	b	a rep movsb of 16 bytes, which are two words
 *	c	6 conditional copies by the sign, and 6 shifts
 *	n	nothing: the loop alone
 */
	.globl _start
	.data
	.balign 64
self:	.quad self
value:	.double 1.0
four:	.float 1.0, 1.0, 1.0, 1.0
copy:	.skip 16
	.text
_start:
	mov 16(%rsp), %rax
	mov (%rax), %al
	mov $1000000, %ebp
	mov $12345, %ebx
	mov $7, %esi
	lea self(%rip), %rdi
	movsd value(%rip), %xmm0
	movsd value(%rip), %xmm1
	movups four(%rip), %xmm2
	movups four(%rip), %xmm3
	cmp $'x', %al
	je x
	cmp $'d', %al
	je d
	cmp $'e', %al
	je e
	cmp $'m', %al
	je m
	cmp $'a', %al
	je a
	cmp $'f', %al
	je f
	cmp $'v', %al
	je v
	cmp $'q', %al
	je q
	cmp $'s', %al
	je s
	cmp $'p', %al
	je p
	cmp $'i', %al
	je i
	cmp $'w', %al
	je w
	cmp $'r', %al
	je r
	cmp $'b', %al
	je b
	cmp $'c', %al
	je c
	cmp $'n', %al
	je n
	mov $2, %edi
	jmp exit

	.macro again loop
	dec %ebp
	jnz \loop
	jmp end
	.balign 64
	.endm

x:	mov %rbx, %rdx
	shl $13, %rdx
	xor %rdx, %rbx
	mov %rbx, %rdx
	shr $7, %rdx
	xor %rdx, %rbx
	mov %rbx, %rdx
	shl $17, %rdx
	xor %rdx, %rbx
	again x

d:	mov %rbx, %rax
	xor %edx, %edx
	div %rsi
	again d

e:	mov %ebx, %eax
	xor %edx, %edx
	div %esi
	again e

m:	imul %rbx, %rbx
	again m

a:	addsd %xmm1, %xmm0
	again a

f:	mulsd %xmm1, %xmm0
	again f

v:	divsd %xmm1, %xmm0
	again v

q:	sqrtsd %xmm0, %xmm0
	again q

s:	divps %xmm3, %xmm2
	again s

p:	mov (%rdi), %rdi
	again p

i:	add self(%rip), %rbx
	again i

w:	.rept 30
	nop
	.endr
	again w

r:	xor %ecx, %ecx
	rep movsb
	again r

c:	.irp to, rdx, rcx, r8, r9, r10, r11
	test %rsi, %rsi
	cmovns %rbx, %\to
	sar $2, %\to
	.endr
	again c

b:	mov $16, %ecx
	lea four(%rip), %rsi
	lea copy(%rip), %rdi
	rep movsb
	again b

n:	nop
	again n

end:
	xor %edi, %edi
exit:
	mov $60, %eax
	syscall
	.section .note.GNU-stack, "", @progbits
