/* ELF files: what the symbols of a process need of them. The only user of libelf. */
#ifndef SYMBOLS_ELF_H
#define SYMBOLS_ELF_H

#include <stddef.h>
#include <stdint.h>

#include "symbols/strings.h"
#include "symbols/table.h"

typedef struct Elf Elf;

enum { BUILD_ID_MAX = 64 };

struct build_id {
	size_t size; /* 0: not known */
	uint8_t bytes[BUILD_ID_MAX];
};

/* A part of the file that is loaded (PT_LOAD). */
struct elf_segment {
	uint64_t offset, filesz, vaddr, memsz;
};

/* Starts as zeros. */
struct elf_file {
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

/*
 * Open a file whose debug information is to be read by libdw, which expands compressed
 * sections: *size gets the size of all its sections of debug information then. Returns
 * NULL with ENOEXEC if the file is malformed or if a section would become too big; or
 * NULL with ENOMEM. End it with elf_close_dwarf().
 */
Elf *elf_open_dwarf(int fd, uint64_t *size);
void elf_close_dwarf(Elf *elf);

/* Fill *bytes and *size by the section of a name, or by NULL and 0. */
void elf_section(Elf *elf, const char *name, const uint8_t **bytes, size_t *size);

/* Return 1 if the file has the byte order that begins with the highest byte. */
int elf_is_big_endian(Elf *elf);

void elf_file_free(struct elf_file *f);

#endif
