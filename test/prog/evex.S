/* Executes an AVX-512 instruction, then exits with status 3. */
	.globl _start
_start:
	vpxord %zmm0, %zmm0, %zmm0
	movl $60, %eax
	movl $3, %edi
	syscall
