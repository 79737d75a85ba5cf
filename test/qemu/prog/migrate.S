#include "known.inc"
/*
 * migrate M N: M times move to the other CPU, CPU 1 first, and run N turns there; then sleep for 11.8 ms.
 * It retires M (2 N + 11) + 5 (dM + dN) + 19 instructions, where dM and dN are the numbers of digits.
 */
	.globl	_start
_start:
	argument x21, 1			/* 5 dM + 5 */
	argument x20, 2			/* 5 dN + 5 */
	mov	x22, #2			/* a bit for each CPU */
	sub	sp, sp, #16
move:
	str	x22, [sp]		/* sched_setaffinity(0, 8, sp): 6 */
	mov	x0, #0
	mov	x1, #8
	mov	x2, sp
	call	122
	mov	x0, x20			/* 1 */
	turns	x0			/* 2 N + 1 */
	eor	x22, x22, #3		/* 3 */
	subs	x21, x21, #1
	b.ne	move
	nap				/* 4 */
	quit				/* 3 */
