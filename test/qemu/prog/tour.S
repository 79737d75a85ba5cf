#include "known.inc"
/*
 * tour K N: all that can happen to a process: a thread, a child, and an exec of itself with K - 1, down
 * to 0; K is of one digit. It sleeps for 11.8 ms each while the thread and the child run, so that nothing
 * depends on who comes first.
 * To its first sleep: 5 dN + 30 instructions; from that to the second: 9; from that to its end: 16,
 * for the signal of the child's end, which a tracer gets to see, interrupts the sleep, and the system call
 * is made once more.
 * The last image: 5 dN + 19. The thread: 2 N + 6; the child: 4 N + 6.
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
