#include "known.inc"
/*
 * turns N: N turns of a loop of two instructions, without a C library or start-up code. If N has d digits, the
 * program retires 2 N + 5 d + 8 instructions in user mode.
 */
	.globl	_start
_start:
	argument x0, 1			/* 5 d + 5 */
	turns	x0			/* 2 N + 1 */
	call	93			/* exit(0): 2 */
