/*
 * The image that a program finds on its stack when it starts (System V ABI, AMD64
 * supplement, 3.4.1): argc, the pointers of argv, 0, the pointers of the environment, 0,
 * and the auxiliary vector, which ends with AT_NULL. Compiled without a C library.
 */
#ifndef SIM_IMAGE_IMAGE_H
#define SIM_IMAGE_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/* An entry of the auxiliary vector (getauxval(3)). */
struct image_aux {
	uint64_t type, value;
};

/* The parts of an image. The arrays belong to the caller. */
struct image {
	unsigned argc, nenv;
	unsigned naux; /* with AT_NULL */
	char **argv, **env;
	struct image_aux *aux;
};

/* Returns the number of 8-byte words from argc to the value of AT_NULL. */
size_t image_words(const uint64_t *sp);

/* Copies the words at sp to room, which has image_words(sp), and points *im there. */
void image_copy(const uint64_t *sp, uint64_t *room, struct image *im);

/* Returns the number of words that image_write() writes. */
size_t image_size(const struct image *im);
void image_write(const struct image *im, uint64_t *to);

/*
 * Makes the auxiliary vector the same on every machine: only the entries that every
 * kernel gives remain, in a fixed order, AT_HWCAP is constant, and the 16 bytes of
 * AT_RANDOM, which are overwritten, are constant too. Drops what a later kernel may add.
 */
void image_fix_aux(struct image *im);

/*
 * Builds the image in out, which has room bytes, as it will be at the addresses from
 * top - size to top. Returns size, or 0 if the image does not fit. The size is the same
 * for all images that fit 128 KB. Each string has a place of its own, so that the length
 * of one, up to the size of its place, does not change the addresses of the others:
 * 4096 bytes for argv[0] and for AT_EXECFN, 512 for the others.
 */
size_t image_build(const struct image *im, uint64_t top, void *out, size_t room);

#endif
