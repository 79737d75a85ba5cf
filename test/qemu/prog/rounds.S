#include "known.inc"
/*
 * rounds K N: K threads at the same time. Thread i runs i N turns and sleeps for 11.8 ms, 40 times, and retires
 * 80 i N + 326 instructions. The first thread retires 22 K + 5 (dK + dN) + 15, where dK and dN are the numbers of
 * digits.
 */
	.globl	_start
_start:
	argument x21, 1			/* 5 dK + 5 */
	argument x20, 2			/* 5 dN + 5 */
	mov	x22, sp			/* 2 */
	mov	x19, #0
create:					/* 13 each */
	add	x19, x19, #1
	sub	x22, x22, #8		/* the thread's word, below the stack */
	thread	x22, body
	cmp	x19, x21
	b.ne	create
wait:					/* 9 each */
	join	x22
	add	x22, x22, #8
	subs	x19, x19, #1
	b.ne	wait
	quit				/* 3 */
body:					/* the branch to here: 1 */
	mul	x20, x19, x20		/* 2 */
	mov	x21, #40
round:					/* 2 i N + 8 each */
	mov	x0, x20
	turns	x0
	nap
	subs	x21, x21, #1
	b.ne	round
	quit				/* 3 */
