/*
 * 45000 rounds of 100,000 instructions in a straight line: 4,500,135,000 in all, more than
 * 32 bits hold, and no system call before the end. VEX checks for events in each round
 * once, as all jumps but the last lead forward.
 */
	.globl _start
	.text
_start:	mov $45000, %ecx
1:	.rept 100000
	nop
	.endr
	dec %ecx
	jz 2f
	jmp 1b
2:	mov $60, %eax
	xor %edi, %edi
	syscall
