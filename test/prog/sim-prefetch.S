/*
 * Prefetches, without C library. The number of arguments selects what is prefetched:
 *	none	100,000 pages that are not mapped
 *	1	a line in each of 1000 blocks of 32 KB, to which the program has no access yet
 *	2	the same, after a load of another line in the block's first page
 */
	.globl _start
	.bss
	.balign 32768
blocks:	.skip 32768 * 1000
	.text
_start:
	mov (%rsp), %rax
	cmp $2, %eax
	je untouched
	ja touched

	mov $100000, %ecx
	mov $0x10000000000, %rdi
1:	prefetcht0 (%rdi)
	add $4096, %rdi
	dec %ecx
	jnz 1b
	jmp end

untouched:
	mov $1000, %ecx
	lea blocks(%rip), %rdi
2:	prefetcht0 256(%rdi)
	add $32768, %rdi
	dec %ecx
	jnz 2b
	jmp end

touched:
	mov $1000, %ecx
	lea blocks(%rip), %rdi
3:	mov (%rdi), %rax
	prefetcht0 256(%rdi)
	add $32768, %rdi
	dec %ecx
	jnz 3b
end:
	mov $60, %eax
	xor %edi, %edi
	syscall
	.section .note.GNU-stack, "", @progbits
