/*
 * Memory that runs out while a file with .gnu_debugdata is read: the symbols are those of
 * the file, or the problem of the file says that memory ran out.
 */
#include <elf.h>
#include <lzma.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "failing.h"

#include "symbols/symbols.h"

enum { TEXT = 1, SYMBOLS, NAMES, SECTIONS, DATA = SYMBOLS, START = 4096 };

static const char names[] = "\0inner\0.gnu_debugdata";
enum { INNER = 1, DEBUGDATA = 7 };

/* A file with sections: the outer file has compressed data, the inner one symbols. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr load;
	Elf64_Shdr section[SECTIONS];
	char names[sizeof names];
	Elf64_Sym symbol[2];
	char data[];
};

static void make_header(struct image *m)
{
	m->header = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_phoff = offsetof(struct image, load),
		.e_shoff = offsetof(struct image, section),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 1,
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = SECTIONS,
		.e_shstrndx = NAMES,
	};
	m->load = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_vaddr = START, .p_filesz = 256, .p_memsz = 256};
	m->section[TEXT] = (Elf64_Shdr){.sh_type = SHT_NOBITS,
					.sh_flags = SHF_ALLOC | SHF_EXECINSTR,
					.sh_addr = START,
					.sh_size = 256};
	m->section[NAMES] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
					 .sh_offset = offsetof(struct image, names),
					 .sh_size = sizeof names,
					 .sh_addralign = 1};
	memcpy(m->names, names, sizeof names);
}

static void make_inner(struct image *m)
{
	make_header(m);
	m->section[SYMBOLS] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
					   .sh_offset = offsetof(struct image, symbol),
					   .sh_size = sizeof m->symbol,
					   .sh_link = NAMES,
					   .sh_entsize = sizeof *m->symbol,
					   .sh_addralign = 8};
	m->symbol[1] = (Elf64_Sym){.st_name = INNER,
				   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
				   .st_shndx = TEXT,
				   .st_value = START + 16,
				   .st_size = 16};
}

static char path[64];

/* Writes the outer file with the inner one in it; flip: a byte of its data is changed. */
static void make_file(int flip)
{
	struct image inner = {.names = ""};
	static union {
		struct image m;
		char bytes[sizeof(struct image) + 4096];
	} outer;
	size_t size = 0;

	make_inner(&inner);
	memset(&outer, 0, sizeof outer);
	make_header(&outer.m);
	assert_int_equal(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL,
						 (const uint8_t *)&inner, sizeof inner,
						 (uint8_t *)outer.m.data, &size, 4096),
			 LZMA_OK);
	outer.m.data[size / 2] ^= (char)flip;
	outer.m.section[DATA] = (Elf64_Shdr){.sh_name = DEBUGDATA,
					     .sh_type = SHT_PROGBITS,
					     .sh_offset = offsetof(struct image, data),
					     .sh_size = size,
					     .sh_addralign = 1};
	const int fd = memfd_create("debugdata", MFD_CLOEXEC);
	assert_true(fd >= 0 && write(fd, &outer, sizeof outer) == sizeof outer);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
}

/* Returns 0 if the name of the function is found, else -1 with the problem as words. */
static int find(struct symbols *s, char *words, size_t size)
{
	const struct symbols_mapping map = {
		.start = 0x10000, .end = 0x11000, .path = path};
	struct symbols_frame frame;
	const char *why = "no problem";

	if (symbols_map(s, &map)) {
		snprintf(words, size, "%s", strerror(errno));
		return -1;
	}
	if (symbols_code(s, 0x10011, &frame, 1) == 1 && frame.function &&
	    strcmp(frame.function, "inner") == 0)
		return 0;
	symbols_problem(s, 0, &why);
	snprintf(words, size, "%s", why);
	errno = strcmp(why, "memory ran out") == 0 ? ENOMEM : EINVAL;
	return -1;
}

static int read_symbols(char *words, size_t size)
{
	const struct symbols_options plain = {.mangled = 1};
	struct symbols *s = symbols_new(&plain);

	if (!s) {
		snprintf(words, size, "%s", strerror(errno));
		return -1;
	}
	const int rc = find(s, words, size), err = errno;
	symbols_free(s);
	errno = err;
	return rc;
}

static void memory_runs_out(void **state)
{
	static const struct act act = {.name = "debugdata", .run = read_symbols};
	static const struct failure failure = {"memory", ENOMEM};

	(void)state;
	make_file(0);
	failing_each(&act, &failure, 1);
}

static void data_are_malformed(void **state)
{
	char words[64];

	(void)state;
	make_file(1);
	assert_int_equal(read_symbols(words, sizeof words), -1);
	assert_string_equal(words, "its section .gnu_debugdata is malformed");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_runs_out),
		cmocka_unit_test(data_are_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
