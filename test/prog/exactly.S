/* 4004 instructions: 1000 loads, 1000 stores, 1000 conditional branches (999 taken). */
	.globl _start
_start:
	movl $1000, %ecx
1:	movq from(%rip), %rax
	movq %rax, to(%rip)
	decl %ecx
	jnz 1b
	movl $60, %eax
	xorl %edi, %edi
	syscall

	.bss
	.balign 64
from:	.quad 0
	.balign 64
to:	.quad 0
