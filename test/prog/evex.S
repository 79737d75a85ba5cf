/* An instruction of AVX-512, and then status 3. */
	.globl _start
_start:
	vpxord %zmm0, %zmm0, %zmm0
	movl $60, %eax
	movl $3, %edi
	syscall
