#include "engine/bpf/object.h"

/* The build defines BPF_OBJECT as the file if a compiler for BPF was found. */
#ifdef BPF_OBJECT

extern const unsigned char bpf_object_begin[], bpf_object_end[];
__asm__(".section .rodata\n"
	"\t.balign 8\n"
	"\t.globl bpf_object_begin, bpf_object_end\n"
	"\t.hidden bpf_object_begin, bpf_object_end\n"
	"bpf_object_begin:\n"
	"\t.incbin \"" BPF_OBJECT "\"\n"
	"bpf_object_end:\n"
	"\t.byte 0\n"
	"\t.text\n");

const unsigned char *bpf_object_built_in(size_t *size)
{
	*size = (size_t)(bpf_object_end - bpf_object_begin);
	return bpf_object_begin;
}

#else

const unsigned char *bpf_object_built_in(size_t *size)
{
	*size = 0;
	return (const unsigned char *)"";
}

#endif
