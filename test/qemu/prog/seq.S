#include "known.inc"
/*
 * seq K N: K threads one after the other. Thread i runs i N turns and retires 2 i N + 6 instructions, the first
 * thread 18 K + 5 (dK + dN) + 15, where dK and dN are the numbers of digits.
 */
	.globl	_start
_start:
	argument x21, 1			/* 5 dK + 5 */
	argument x20, 2			/* 5 dN + 5 */
	sub	x22, sp, #8		/* 2 */
	mov	x19, #0
next:					/* 18 each */
	add	x19, x19, #1
	thread	x22, body
	join	x22
	cmp	x19, x21
	b.ne	next
	quit				/* 3 */
body:					/* the branch to here: 1 */
	mul	x0, x19, x20		/* 1 */
	turns	x0			/* 2 i N + 1 */
	quit				/* 3 */
