/*
 * turns N: N turns of a loop of two instructions, and nothing that is not counted here:
 * no C library, no start-up code. Whatever N, 2 N + 5 a digit + 8 instructions in user mode.
 */
	.globl	_start
_start:
	ldr	x1, [sp, #16]		/* argv[1]: 3 instructions */
	mov	x0, #0
	mov	x3, #10
digit:
	ldrb	w2, [x1], #1		/* 5 for each digit, 2 for the end of the string */
	cbz	w2, turn_if_any
	sub	w2, w2, #'0'
	madd	x0, x0, x3, x2
	b	digit
turn_if_any:
	cbz	x0, done		/* 1 */
turn:
	subs	x0, x0, #1		/* 2 for each turn */
	b.ne	turn
done:
	mov	x8, #93			/* exit(0): 2 */
	svc	#0
