/*
 * 1000 rounds of two conditional branches: the first is taken in every second round, the
 * second in all but the last.
 */
	.globl _start
	.text
_start:	mov $1000, %ecx
1:	test $1, %ecx
	jz 2f
	nop
2:	dec %ecx
	jnz 1b
	mov $60, %eax
	xor %edi, %edi
	syscall
