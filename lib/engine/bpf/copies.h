/*
 * Copies of values of maps that programs in the kernel change while they are copied. A
 * value begins with a number of 64 bits, to which a program adds 1 before it changes the
 * value, and once more afterwards, so that the number is odd in between.
 */
#ifndef ENGINE_BPF_COPIES_H
#define ENGINE_BPF_COPIES_H

#include <stddef.h>

/* n values, each of size bytes. */
struct bpf_copies {
	size_t n, size;
	unsigned char *copy;		  /* [n * size]: the result of a first read */
	unsigned char *again;		  /* [n * size]: scratch */
	unsigned char *settled;		  /* [n]: zeros */
	int (*read)(void *arg, void *to); /* fill to with all values; -1: an error */
	void *arg;
};

/*
 * Read until no program was changing a value while it was copied, for each value of
 * c->copy. Returns -1 with the errno of read; with EAGAIN if a value is always changed.
 */
int bpf_copies_settle(const struct bpf_copies *c);

/*
 * Copy all values of a hash with keys of 8 bytes. Their number becomes *n. Returns an
 * array for free(), which is never NULL without an error; or NULL with errno.
 */
unsigned char *bpf_copies_hash(int map, size_t size, size_t *n);

/* Copy value 0 of a map that has it for each of n CPUs. Returns as bpf_copies_hash(). */
unsigned char *bpf_copies_cpus(int map, size_t size, size_t n);

#endif
