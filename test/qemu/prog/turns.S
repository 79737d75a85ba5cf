#include "known.inc"
/*
 * turns N: N turns of a loop of two instructions, and nothing that is not counted here:
 * no C library, no start-up code. Whatever N, 2 N + 5 a digit + 8 instructions in user mode.
 */
	.globl	_start
_start:
	argument x0, 1			/* 5 d + 5 */
	turns	x0			/* 2 N + 1 */
	call	93			/* exit(0): 2 */
