/* A program for 32-bit x86 that exits with status 7. */
	.code32
	.globl _start
_start:
	movl $1, %eax
	movl $7, %ebx
	int $0x80
