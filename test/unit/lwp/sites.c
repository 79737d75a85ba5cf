/* LWP instructions in ELF files that the tests make, of both classes. */
#include "lwp/sites.h"

#include <elf.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LLWPCB	    0x8f, 0xe9, 0x78, 0x12, 0xc0
#define LWPINS	    0x8f, 0xea, 0x78, 0x12, 0xc0, 1, 0, 0, 0
#define LWPINS_MEM  0x8f, 0xea, 0x78, 0x12, 0x00, 1, 0, 0, 0
#define LWPINS_LONG 0x8f, 0xea, 0x78, 0x12, 0x04, 0x25, 0, 0, 0, 0, 1, 0, 0, 0
#define POP_MEM	    0x8f, 0x00
#define TEXT_OFFSET 512
#define ADDRESS	    0x401000

static const uint8_t code[] = {
	0x90,	 LLWPCB,		  /* 1 */
	POP_MEM, LWPINS,		  /* 8 */
	0x64,	 LWPINS,		  /* 18: the prefix is that of no operand */
	0x64,	 LWPINS_MEM,		  /* 27: FS */
	0x65,	 0x67,	     LWPINS_MEM,  /* 37: GS, and an address of 32 bits */
	0x64,	 LLWPCB,		  /* 49 */
	0x8f,	 LLWPCB,		  /* 55 */
	0x64,	 0x65,	     LWPINS_LONG, /* 61: GS; two prefixes are one too many */
	0x8f,	 0xe9,	     0x78,	  0x12, /* the section ends in the instruction */
};

static const uint64_t offsets[] = {1, 8, 18, 27, 37, 49, 55, 61};

static const char names[] = "\0.text\0.data";

/* An ELF file whose code is code[], before an LLWPCB that is in no section. */
struct image {
	uint8_t bytes[TEXT_OFFSET + sizeof(code) + 5];
};

static void fill_end(struct image *m)
{
	static const uint8_t more[] = {0xc0, LLWPCB};

	memcpy(m->bytes + TEXT_OFFSET, code, sizeof(code));
	memcpy(m->bytes + TEXT_OFFSET + sizeof(code), more + 1, 5);
}

/* A file with sections: the null section, data, code and names. */
#define SECTIONS(bits)                                                                \
	static void make_sections##bits(struct image *m, unsigned machine)            \
	{                                                                             \
		const Elf##bits##_Ehdr e = {                                          \
			.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS##bits, ELFDATA2LSB, \
				    1},                                               \
			.e_machine = machine,                                         \
			.e_shoff = sizeof(e),                                         \
			.e_shentsize = sizeof(Elf##bits##_Shdr),                      \
			.e_shnum = 4,                                                 \
			.e_shstrndx = 3,                                              \
		};                                                                    \
		const Elf##bits##_Shdr s[4] = {                                       \
			{0},                                                          \
			{.sh_name = 7,                                                \
			 .sh_type = SHT_PROGBITS,                                     \
			 .sh_flags = SHF_ALLOC,                                       \
			 .sh_offset = TEXT_OFFSET,                                    \
			 .sh_size = sizeof(code)},                                    \
			{.sh_name = 1,                                                \
			 .sh_type = SHT_PROGBITS,                                     \
			 .sh_flags = SHF_ALLOC | SHF_EXECINSTR,                       \
			 .sh_addr = ADDRESS,                                          \
			 .sh_offset = TEXT_OFFSET,                                    \
			 .sh_size = sizeof(code)},                                    \
			{.sh_type = SHT_STRTAB,                                       \
			 .sh_offset = sizeof(e) + sizeof(s),                          \
			 .sh_size = sizeof(names)},                                   \
		};                                                                    \
                                                                                      \
		memset(m, 0, sizeof(*m));                                             \
		memcpy(m->bytes, &e, sizeof(e));                                      \
		memcpy(m->bytes + sizeof(e), s, sizeof(s));                           \
		memcpy(m->bytes + sizeof(e) + sizeof(s), names, sizeof(names));       \
		fill_end(m);                                                          \
	}                                                                             \
                                                                                      \
	static void make_segments##bits(struct image *m, unsigned machine)            \
	{                                                                             \
		const Elf##bits##_Ehdr e = {                                          \
			.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS##bits, ELFDATA2LSB, \
				    1},                                               \
			.e_machine = machine,                                         \
			.e_phoff = sizeof(e),                                         \
			.e_phentsize = sizeof(Elf##bits##_Phdr),                      \
			.e_phnum = 2,                                                 \
		};                                                                    \
		const Elf##bits##_Phdr p[2] = {                                       \
			{.p_type = PT_LOAD,                                           \
			 .p_flags = PF_R | PF_W,                                      \
			 .p_offset = TEXT_OFFSET,                                     \
			 .p_filesz = sizeof(code)},                                   \
			{.p_type = PT_LOAD,                                           \
			 .p_flags = PF_R | PF_X,                                      \
			 .p_offset = TEXT_OFFSET,                                     \
			 .p_vaddr = ADDRESS,                                          \
			 .p_filesz = sizeof(code)},                                   \
		};                                                                    \
                                                                                      \
		memset(m, 0, sizeof(*m));                                             \
		memcpy(m->bytes, &e, sizeof(e));                                      \
		memcpy(m->bytes + sizeof(e), p, sizeof(p));                           \
		fill_end(m);                                                          \
	}

SECTIONS(64)
SECTIONS(32)

static void check(const struct image *m, unsigned mode, const char *section)
{
	struct sites s;
	struct site site;

	assert_int_equal(sites_begin(&s, m->bytes, sizeof(m->bytes)), 0);
	assert_int_equal(s.mode, mode);
	for (unsigned i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		assert_int_equal(sites_next(&s, &site), 1);
		assert_int_equal(site.offset, TEXT_OFFSET + offsets[i]);
		assert_int_equal(site.address, ADDRESS + offsets[i]);
		assert_string_equal(site.section, section);
		assert_int_equal(site.instruction.segment, i == 3	      ? 0x64
							   : i == 4 || i == 7 ? 0x65
									      : 0);
	}
	assert_int_equal(sites_next(&s, &site), 0);
	assert_int_equal(sites_next(&s, &site), 0);
}

static void all_kinds(void **state)
{
	struct image m;

	(void)state;
	make_sections64(&m, EM_X86_64);
	check(&m, 64, ".text");
	make_sections32(&m, EM_386);
	check(&m, 32, ".text");
	make_sections32(&m, EM_X86_64); /* x32 */
	check(&m, 64, ".text");
	make_segments64(&m, EM_X86_64);
	check(&m, 64, "");
	make_segments32(&m, EM_386);
	check(&m, 32, "");
}

/* The number of sections and the index of the names are in the first section. */
static void many_sections(void **state)
{
	struct image m;
	Elf64_Ehdr e;
	Elf64_Shdr first = {.sh_size = 4, .sh_link = 3};

	(void)state;
	make_sections64(&m, EM_X86_64);
	memcpy(&e, m.bytes, sizeof(e));
	e.e_shnum = 0;
	e.e_shstrndx = SHN_XINDEX;
	memcpy(m.bytes, &e, sizeof(e));
	memcpy(m.bytes + sizeof(e), &first, sizeof(first));
	check(&m, 64, ".text");
}

static const struct {
	int line;
	size_t at; /* in the header, or in the one of the code section */
	uint64_t value;
	size_t size;
	int error; /* or 0: there are this many sites */
	unsigned sites;
} damages[] = {
	{__LINE__, 0, 0, 1, ENOEXEC, 0},
	{__LINE__, EI_CLASS, 3, 1, ENOEXEC, 0},
	{__LINE__, EI_DATA, ELFDATA2MSB, 1, ENOEXEC, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_machine), EM_AARCH64, 2, ENOEXEC, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_shoff), UINT64_MAX, 8, EINVAL, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_shoff), sizeof(struct image) - 4, 8, EINVAL, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_shentsize), 63, 2, EINVAL, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_shnum), 65535, 2, EINVAL, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_shnum), 2, 2, 0, 0},
	{__LINE__, offsetof(Elf64_Ehdr, e_shstrndx), 9, 2, 0, 8},
#define CODE(member) \
	sizeof(Elf64_Ehdr) + 2 * sizeof(Elf64_Shdr) + offsetof(Elf64_Shdr, member)
	{__LINE__, CODE(sh_name), UINT32_MAX, 4, 0, 8},
	{__LINE__, CODE(sh_name), sizeof(names) - 1, 4, 0, 8},
	{__LINE__, CODE(sh_type), SHT_NOBITS, 4, 0, 0},
	{__LINE__, CODE(sh_offset), UINT64_MAX, 8, 0, 0},
	{__LINE__, CODE(sh_offset), sizeof(struct image), 8, 0, 0},
	{__LINE__, CODE(sh_size), UINT64_MAX, 8, 0, 9},
	{__LINE__, CODE(sh_size), sizeof(struct image), 8, 0, 9},
	{__LINE__, CODE(sh_size), 0, 8, 0, 0},
	{__LINE__, CODE(sh_addr), UINT64_MAX, 8, 0, 8},
#undef CODE
};

/* Memory of exactly the file's size, so that sanitizers see each byte beyond. */
static void damaged(void **state)
{
	struct image *m = malloc(sizeof(*m));

	(void)state;
	assert_non_null(m);
	for (size_t k = 0; k < sizeof(damages) / sizeof(*damages); k++) {
		struct sites s;
		struct site site;
		unsigned n = 0;

		make_sections64(m, EM_X86_64);
		memcpy(m->bytes + damages[k].at, &damages[k].value, damages[k].size);
		errno = 0;
		const int rc = sites_begin(&s, m->bytes, sizeof(*m));

		if (rc != (damages[k].error ? -1 : 0) ||
		    (rc && errno != damages[k].error))
			fail_msg("line %d: %d, %d", damages[k].line, rc, errno);
		while (!rc && sites_next(&s, &site))
			n++;
		if (n != damages[k].sites)
			fail_msg("line %d: %u sites", damages[k].line, n);
	}
	free(m);
}

static void damaged_segments(void **state)
{
	static const struct {
		int line;
		size_t at;
		uint16_t value;
		int error;
		unsigned sites;
	} cases[] = {
		{__LINE__, offsetof(Elf64_Ehdr, e_phnum), 65535, EINVAL, 0},
		{__LINE__, offsetof(Elf64_Ehdr, e_phnum), 1, 0, 0},
		{__LINE__, offsetof(Elf64_Ehdr, e_phnum), 0, 0, 0},
		{__LINE__, offsetof(Elf64_Ehdr, e_phentsize), 55, EINVAL, 0},
		{__LINE__, offsetof(Elf64_Ehdr, e_phentsize), 56, 0, 8},
		{__LINE__, offsetof(Elf64_Ehdr, e_phoff), 0xffff, EINVAL, 0},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(*cases); k++) {
		struct image m;
		struct sites s;
		struct site site;
		unsigned n = 0;

		make_segments64(&m, EM_X86_64);
		memcpy(m.bytes + cases[k].at, &cases[k].value, 2);
		errno = 0;
		const int rc = sites_begin(&s, m.bytes, sizeof(m.bytes));

		while (!rc && sites_next(&s, &site))
			n++;
		if (rc != (cases[k].error ? -1 : 0) || (rc && errno != cases[k].error) ||
		    n != cases[k].sites)
			fail_msg("line %d: %d, %u sites", cases[k].line, rc, n);
	}
}

static void short_files(void **state)
{
	struct image m;

	(void)state;
	make_sections64(&m, EM_X86_64);
	for (size_t size = 0; size < TEXT_OFFSET + 1; size++) {
		uint8_t *bytes = malloc(size + 1);
		struct sites s;
		struct site site;

		assert_non_null(bytes);
		memcpy(bytes, m.bytes, size);
		if (sites_begin(&s, bytes, size) == 0)
			assert_int_equal(sites_next(&s, &site), 0);
		else
			assert_int_equal(errno,
					 size < sizeof(Elf64_Ehdr) ? ENOEXEC : EINVAL);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_kinds),   cmocka_unit_test(many_sections),
		cmocka_unit_test(damaged),     cmocka_unit_test(damaged_segments),
		cmocka_unit_test(short_files),
	};

	return cmocka_run_group_tests_name("lwp sites", tests, NULL, NULL);
}
