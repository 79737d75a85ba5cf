/* ELF files: what the symbols of a process need of them. The only user of libelf. */
#ifndef SYMBOLS_ELF_H
#define SYMBOLS_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/strings.h"
#include "symbols/table.h"

enum { BUILD_ID_MAX = 64 };

struct build_id {
	size_t size; /* 0: not known */
	uint8_t bytes[BUILD_ID_MAX];
};

/* A part of the file that is loaded (PT_LOAD). */
struct elf_segment {
	uint64_t offset, filesz, vaddr, memsz;
};

/* A word that the dynamic linker fills with the address of a function. */
struct elf_slot {
	uint64_t address;
	const char *name; /* of the function; NULL: it is at target */
	uint64_t target;
};

/* A section with the code by which functions of other files are called. */
struct elf_plt {
	uint64_t address, entry_size;
	uint8_t *bytes;
	size_t size;
};

/* Starts as zeros. */
struct elf_file {
	unsigned machine; /* EM_* of <elf.h> */
	struct elf_slot *slots;
	struct elf_plt *plts;
	size_t nslots, nplts;

	struct build_id id;
	struct elf_segment *segments;
	size_t nsegments;
	char *debuglink; /* name of a separate file of debug information, or NULL */
	uint32_t debuglink_crc;
	uint8_t *debugdata; /* an ELF file with more symbols, compressed by xz; or NULL */
	size_t debugdata_size;
	int has_symtab, has_dwarf;
};

/*
 * Read an ELF file from a descriptor, or from memory. The symbols are added to the table,
 * with names in strings. Returns 0; or -1 with ENOEXEC if the file is no ELF file or is
 * malformed, or ENOMEM. Free *f with elf_file_free() in either case.
 */
int elf_file_read(int fd, struct elf_file *f, struct table *t, struct strings *strings);
int elf_file_read_memory(void *bytes, size_t size, struct elf_file *f, struct table *t,
			 struct strings *strings);

/* Convert an offset in the file to an address. Returns 0, or -1 if it is not loaded. */
int elf_file_address(const struct elf_file *f, uint64_t offset, uint64_t *address);

/* Return the segment that contains an address, in memory if not in the file, or NULL. */
const struct elf_segment *elf_file_segment(const struct elf_file *f, uint64_t address);

void elf_file_free(struct elf_file *f);

#endif
