#include "known.inc"
/*
 * migrate M N: M times to the other CPU, CPU 1 first, and N turns there; then a sleep of 11.8 ms.
 * M (2 N + 11) + 5 (dM + dN) + 19 instructions.
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
