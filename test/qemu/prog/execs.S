#include "known.inc"
/*
 * execs K N: run K N turns, then execute this program with K - 1, down to 0. K is one digit, N has dN digits.
 * The last image retires 5 dN + 21 instructions, the others 2 K N + 5 dN + 27.
 */
	.globl	_start
_start:
	argument x21, 1			/* 10 */
	argument x20, 2			/* 5 dN + 5 */
	mul	x0, x21, x20		/* 1 */
	turns	x0			/* 2 K N + 1 */
	cbz	x21, last		/* 1 */
	again				/* 9 */
last:
	quit				/* 3 */
