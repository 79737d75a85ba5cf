#include "known.inc"
/*
 * naps K N: K times run N turns and sleep for 11.8 ms. It retires 2 N + 5 (dK + dN) + 16 instructions until
 * the first sleep, where dK and dN are the numbers of digits, 2 N + 8 between two sleeps, and 5 after the last.
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
