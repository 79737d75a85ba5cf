#include "known.inc"
/*
 * tour K N: create a thread and a child, then execute this program with K - 1, down to 0. K is one digit, N has
 * dN digits. While the thread runs, and while the child runs, the first thread sleeps for 11.8 ms, so that the
 * order of events is always the same.
 * The first thread retires 5 dN + 30 instructions until its first sleep, 9 until the second, and 16 until its
 * end. (The 16 include a second system call for the sleep, because a tracer stops the process for the child's
 * SIGCHLD.) The last image retires 5 dN + 19, the thread 2 N + 6, the child 4 N + 6.
 */
	.globl	_start
_start:
	argument x21, 1			/* 10 */
	argument x20, 2			/* 5 dN + 5 */
	cbz	x21, last		/* 1 */
	sub	x22, sp, #8		/* 1: below the stack */
	thread	x22, light		/* 9 */
	nap				/* 4 */
	child	heavy			/* 5 */
	nap				/* 4, and 1 */
	wait_child			/* 6 */
	again				/* 9 */
last:
	quit				/* 3 */
heavy:					/* the branch to here: 1 */
	lsl	x0, x20, #1		/* 1 */
	turns	x0			/* 4 N + 1 */
	quit				/* 3 */
light:					/* as above, but 2 N + 1 */
	mov	x0, x20
	turns	x0
	quit
