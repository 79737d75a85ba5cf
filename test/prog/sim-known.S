/*
 * A program that executes only the instructions below: it has no C library.
 *
 *		   times  insn  load  store  branch  taken
 * set up		1     2
 * loop		      100     6     2      1       1  99 of 100
 * locked		1     3     3      3
 * unused		1     3     3
 * string		1     4     2      2
 * call			1     2     1      1
 * exit			1     3
 */
	.globl _start
	.bss
	.balign 64
words:	.skip 128
	.text
	.balign 64
_start:
	lea words(%rip), %rbx
	mov $100, %ecx
loop:
	mov (%rbx), %rax
	add 8(%rbx), %rax
	mov %rax, 16(%rbx)
	nop
	dec %ecx
	jnz loop

	lock incl 24(%rbx)
	lock cmpxchg %ecx, 32(%rbx)
	xchg %ecx, 40(%rbx)

	/* The program does not use the values of these loads. */
	mov (%rbx), %rax
	mov 8(%rbx), %rax
	cmp 16(%rbx), %rax

	/* 16 bytes are two 8-byte words: two loads and two stores. */
	lea 64(%rbx), %rdi
	mov %rbx, %rsi
	mov $16, %ecx
	rep movsb

	call done
	mov $60, %eax
	xor %edi, %edi
	syscall
done:
	ret
	.section .note.GNU-stack, "", @progbits
