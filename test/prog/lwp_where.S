/* A program for recordings of lwp_made: two functions with a line for each 16 bytes, and two variables. */
	.text
	.globl	_start
	.type	_start, @function
_start:
	.p2align 8
	.globl	alpha
	.type	alpha, @function
alpha:
	nop
	.p2align 4
	nop
	.p2align 4
	nop
	.p2align 4
	nop
	.p2align 4
	.size	alpha, . - alpha
	.globl	beta
	.type	beta, @function
beta:
	nop
	.p2align 4
	nop
	.p2align 4
	.size	beta, . - beta
	.size	_start, . - _start

	.data
	.p2align 12
	.globl	table
	.type	table, @object
table:
	.skip	512
	.size	table, 512
	.globl	counters
	.type	counters, @object
counters:
	.skip	64
	.size	counters, 64
	.section .note.GNU-stack, "", @progbits
