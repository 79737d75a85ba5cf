/* ELF core files of x86-64: the memory and the notes in them, read by offset. */
#ifndef LWP_CORE_H
#define LWP_CORE_H

#include <stddef.h>
#include <stdint.h>

/* Memory of the process. */
struct core_segment {
	uint64_t start, end; /* its addresses */
	uint64_t offset;     /* of its bytes in the file */
	uint64_t size;	     /* of its bytes in the file, at most end - start */
};

struct core {
	const uint8_t *file;
	size_t size;
	struct core_segment *load; /* in ascending order of start */
	size_t nload;
	struct core_segment *notes; /* only offset and size are set */
	size_t nnotes;
};

/*
 * Read the headers of a core file of size bytes, which must live as long as *c. Returns
 * 0, or -1 with ENOEXEC, EINVAL or ENOMEM and a reason in why, which has room for n
 * bytes. core_close() frees *c.
 */
int core_open(struct core *c, const void *file, size_t size, char *why, size_t n);
void core_close(struct core *c);

/*
 * Return the bytes at an address, of which *n are wanted, and in *n how many of them
 * follow one another in the file; or NULL, with *n 0, if the core does not have them.
 */
const uint8_t *core_memory(const struct core *c, uint64_t address, size_t *n);

/* A note; starts as zeros. */
struct core_note {
	const char *owner; /* not a string: it has owner_size bytes */
	size_t owner_size;
	uint32_t type;
	const uint8_t *desc;
	size_t size;
	size_t segment, at; /* where the next note begins */
};

/*
 * Move *note to the next note. Returns 1; 0 after the last note; or -1 with EINVAL if a
 * note does not end within its segment.
 */
int core_next_note(const struct core *c, struct core_note *note);

/* Return whether a note has this owner and type. */
int core_is_note(const struct core_note *note, const char *owner, uint32_t type);

/*
 * Find the build id of an ELF file of which size bytes are at its start. Returns its
 * length, or 0.
 */
size_t core_build_id(const uint8_t *elf, size_t size, const uint8_t **id);

#endif
