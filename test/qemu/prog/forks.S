#include "known.inc"
/*
 * forks K N: K children at the same time. Child i runs i N turns and retires 2 i N + 6 instructions, the
 * parent 16 K + 5 (dK + dN) + 14, where dK and dN are the numbers of digits.
 */
	.globl	_start
_start:
	argument x21, 1			/* 5 dK + 5 */
	argument x20, 2			/* 5 dN + 5 */
	mov	x19, #0			/* 1 */
create:					/* 8 each */
	add	x19, x19, #1
	child	body
	cmp	x19, x21
	b.ne	create
wait:					/* 8 each */
	wait_child
	subs	x19, x19, #1
	b.ne	wait
	quit				/* 3 */
body:					/* the branch to here: 1 */
	mul	x0, x19, x20		/* 1 */
	turns	x0			/* 2 i N + 1 */
	quit				/* 3 */
