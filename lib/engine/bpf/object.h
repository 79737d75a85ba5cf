/*
 * Programs in an object that a compiler has made for BPF: an ELF file of which only the
 * sections of programs, their relocations and the names of symbols matter. Pure
 * functions.
 */
#ifndef ENGINE_BPF_OBJECT_H
#define ENGINE_BPF_OBJECT_H

#include <stddef.h>
#include <stdint.h>

/* A map that programs know by a name. is_value: its only value is like a variable. */
struct bpf_object_map {
	const char *name;
	int is_value;
	int fd;
};

/* The object that is built in; *size 0: this build has none. */
const unsigned char *bpf_object_built_in(size_t *size);

/*
 * Find the program in the section program/NAME, and put the descriptors of the maps where
 * it uses them. Returns its instructions, *n of 8 bytes, which the caller frees; or NULL
 * with ENOENT if there is no such program, EINVAL if the object is malformed or uses
 * another map, or ENOMEM.
 */
uint64_t *bpf_object_program(const unsigned char *object, size_t size, const char *name,
			     const struct bpf_object_map *map, unsigned nmaps, size_t *n);

#endif
