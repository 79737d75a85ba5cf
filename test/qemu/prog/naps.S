#include "known.inc"
/*
 * naps K N: K times N turns and a sleep of 11.8 ms.
 * To the first sleep: 2 N + 5 (dK + dN) + 16 instructions; from one to the next: 2 N + 8;
 * from the last on: 5.
 */
	.globl	_start
_start:
	argument x21, 1			/* 5 dK + 5 */
	argument x20, 2			/* 5 dN + 5 */
more:
	mov	x0, x20			/* 1 */
	turns	x0			/* 2 N + 1 */
	nap				/* 4 */
	subs	x21, x21, #1		/* 2 */
	b.ne	more
	quit				/* 3 */
