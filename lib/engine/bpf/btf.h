/*
 * Offsets in structures of the kernel, from the kernel's own description of its types
 * (BTF, Documentation/bpf/btf.rst of Linux). A pure function.
 */
#ifndef ENGINE_BPF_BTF_H
#define ENGINE_BPF_BTF_H

#include <stddef.h>
#include <stdint.h>

struct bpf_btf_place {
	const char *structure;
	const char *member; /* NULL: the size of the structure is wanted */
	uint32_t *bytes;    /* gets the offset or the size */
	int found;
};

/*
 * Find the places in a description. Returns 0 if all were found, else -1 with ENOENT, or
 * with EINVAL if the description is malformed.
 */
int bpf_btf_find(const unsigned char *btf, size_t size, struct bpf_btf_place *place,
		 unsigned n);

#endif
