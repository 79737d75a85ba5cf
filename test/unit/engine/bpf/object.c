#include "engine/bpf/object.h"

#include <elf.h>
#include <errno.h>
#include <linux/bpf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The sections of a small object. */
enum { NONE, CODE, REL, SYMBOLS, TEXT, NSECTIONS };

static const char text[] = "\0program/one\0tasks\0config";
enum { PROGRAM = 1, TASKS = 13, CONFIG = 19 };

struct file {
	Elf64_Ehdr head;
	struct bpf_insn insn[5];
	Elf64_Rel rel[2];
	Elf64_Sym symbol[3];
	char text[sizeof text];
	Elf64_Shdr section[NSECTIONS];
};

static const struct bpf_object_map maps[] = {{"tasks", 0, 7}, {"config", 1, 8}};

static Elf64_Shdr section(unsigned type, size_t at, size_t size)
{
	return (Elf64_Shdr){.sh_type = type, .sh_offset = at, .sh_size = size};
}

/* A program that uses a map, and a value at offset 16 of a variable at 4. */
static struct file make(void)
{
	const uint8_t load = BPF_LD | BPF_DW | BPF_IMM;
	struct file f = {
		.head = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
			 .e_machine = EM_BPF,
			 .e_shoff = offsetof(struct file, section),
			 .e_shnum = NSECTIONS,
			 .e_shstrndx = TEXT},
		.insn = {{.code = load},
			 {0},
			 {.code = load, .imm = 16},
			 {0},
			 {.code = BPF_JMP | BPF_EXIT}},
		.rel = {{.r_offset = 0, .r_info = ELF64_R_INFO(1, 1)},
			{.r_offset = 16, .r_info = ELF64_R_INFO(2, 1)}},
		.symbol = {{0}, {.st_name = TASKS}, {.st_name = CONFIG, .st_value = 4}},
	};

	memcpy(f.text, text, sizeof text);
	f.section[CODE] =
		section(SHT_PROGBITS, offsetof(struct file, insn), sizeof f.insn);
	f.section[CODE].sh_flags = SHF_EXECINSTR;
	f.section[CODE].sh_name = PROGRAM;
	f.section[REL] = section(SHT_REL, offsetof(struct file, rel), sizeof f.rel);
	f.section[REL].sh_info = CODE;
	f.section[REL].sh_link = SYMBOLS;
	f.section[SYMBOLS] =
		section(SHT_SYMTAB, offsetof(struct file, symbol), sizeof f.symbol);
	f.section[SYMBOLS].sh_link = TEXT;
	f.section[TEXT] = section(SHT_STRTAB, offsetof(struct file, text), sizeof text);
	return f;
}

static uint64_t *program(const struct file *f, size_t size, const char *name, size_t *n)
{
	errno = 0;
	return bpf_object_program((const unsigned char *)f, size, name, maps, 2, n);
}

static void puts_maps_in_their_places(void **state)
{
	const struct file f = make();
	struct bpf_insn insn[5];
	size_t n;
	uint64_t *code = program(&f, sizeof f, "one", &n);

	(void)state;
	assert_non_null(code);
	assert_int_equal(n, 5);
	memcpy(insn, code, sizeof insn);
	assert_int_equal(insn[0].src_reg, BPF_PSEUDO_MAP_FD);
	assert_int_equal(insn[0].imm, 7);
	assert_int_equal(insn[2].src_reg, BPF_PSEUDO_MAP_VALUE);
	assert_int_equal(insn[2].imm, 8);
	assert_int_equal(insn[3].imm, 20);
	free(code);
	assert_null(program(&f, sizeof f, "on", &n));
	assert_int_equal(errno, ENOENT);
}

static void refuses_malformed_objects(void **state)
{
	size_t n;

	(void)state;
	struct file f = make();
	f.head.e_machine = EM_X86_64;
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.rel[1].r_offset = 32; /* the last instruction has no second half */
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.insn[0].code = BPF_JMP | BPF_CALL; /* a use of something that is no map */
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.text[TASKS] = 'x'; /* a map that does not exist */
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.section[REL].sh_link = NSECTIONS;
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.head.e_shnum = NSECTIONS + 1; /* a section behind the end */
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	assert_null(program(&f, sizeof f, "two", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.section[CODE].sh_size = sizeof f;
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.section[SYMBOLS].sh_link = NSECTIONS;
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.section[TEXT].sh_size = CONFIG + 1; /* the last name does not end */
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	f.section[TEXT].sh_offset = sizeof f;
	assert_null(program(&f, sizeof f, "one", &n));
	assert_int_equal(errno, EINVAL);
	f = make();
	for (size_t size = 0; size < sizeof f; size++) {
		unsigned char *part = malloc(size + 1);

		assert_non_null(part);
		memcpy(part, &f, size);
		assert_null(bpf_object_program(part, size, "one", maps, 2, &n));
		assert_int_equal(errno, EINVAL);
		free(part);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(puts_maps_in_their_places),
		cmocka_unit_test(refuses_malformed_objects),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
