/*
 * The LWP instructions in the code of an ELF file. Each byte of the code is tried, so
 * that data among the code, or the end of one instruction and the begin of the next, can
 * look like an LWP instruction; this is rare. A prefix counts if the operand is in
 * memory.
 */
#ifndef LWP_SITES_H
#define LWP_SITES_H

#include <lwp.h>

struct site {
	uint64_t address; /* in the file's own addresses; of an object file: in section */
	uint64_t offset;  /* in the file */
	const char *section; /* its name, in the file; "" if the file has no sections */
	lwp_instruction_t instruction;
};

/* A search. Other files read only mode. */
struct sites {
	unsigned mode; /* bits of the mode of the code: 64 or 32 */
	const uint8_t *file;
	size_t size;
	int is_64;		       /* the headers are those of ELFCLASS64 */
	int is_sections;	       /* the table has sections, else segments */
	uint64_t table, entry_size, n; /* of headers: its offset, bytes of one, number */
	uint64_t names, names_size;    /* the names of the sections: offset and bytes */
	uint64_t i;		       /* the next entry of the table */
	uint64_t offset, end;	       /* of the bytes that are left to search */
	uint64_t bias;		       /* their addresses less their offsets */
	const char *section;
};

/*
 * Begin to search the ELF file of size bytes at file, which must live as long. Sections
 * are searched that have instructions, or executable segments if there are no sections.
 * Returns 0, or -1 with errno: ENOEXEC if it is not an ELF file of x86, EINVAL if its
 * tables are outside the file.
 */
int sites_begin(struct sites *s, const void *file, size_t size);

/* Fill *site with the next instruction. Returns 1, or 0 if there are no more. */
int sites_next(struct sites *s, struct site *site);

#endif
