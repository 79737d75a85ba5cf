#include "sim/program.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* The kernel, too, follows this many levels of interpreters (fs/exec.c). */
enum { MAX_SCRIPTS = 4, MAX_SEGMENTS = 64 };

/* The addresses of a program's segments. */
struct range {
	uint64_t low, high; /* low is high if no address is known */
};

/* Returns the addresses of a program that cannot be loaded elsewhere. */
static struct range addresses(int fd)
{
	struct range r = {UINT64_MAX, 0};
	Elf64_Ehdr head;
	Elf64_Phdr segment;

	if (pread(fd, &head, sizeof head, 0) != sizeof head || head.e_type != ET_EXEC)
		return (struct range){0, 0};
	for (unsigned i = 0; i < head.e_phnum && i < MAX_SEGMENTS; i++) {
		const off_t at = (off_t)(head.e_phoff + i * sizeof segment);

		if (pread(fd, &segment, sizeof segment, at) != sizeof segment)
			break;
		if (segment.p_type != PT_LOAD)
			continue;
		if (segment.p_vaddr < r.low)
			r.low = segment.p_vaddr;
		if (segment.p_vaddr + segment.p_memsz > r.high)
			r.high = segment.p_vaddr + segment.p_memsz;
	}
	return r.low < r.high ? r : (struct range){0, 0};
}

/* Do two programs need the same addresses? */
static int overlap(int fd, const char *tool)
{
	const int tool_fd = open(tool, O_RDONLY | O_CLOEXEC);

	if (tool_fd == -1)
		return 0;
	const struct range a = addresses(fd), b = addresses(tool_fd);
	close(tool_fd);
	return a.low < b.high && b.low < a.high;
}

/* Returns the interpreter that a script's first line names, a part of text, or NULL. */
static char *interpreter(char *text)
{
	char *p = text + 2;

	p += strspn(p, " \t");
	p[strcspn(p, " \t\n")] = '\0';
	return *p ? p : NULL;
}

static enum program elf_kind(int fd, const char *text, const char *tool)
{
	Elf64_Half machine;

	memcpy(&machine, text + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
	if (text[EI_CLASS] != ELFCLASS64 || machine != EM_X86_64)
		return PROGRAM_FOREIGN;
	return overlap(fd, tool) ? PROGRAM_OVERLAPS : PROGRAM_SIMULATED;
}

static enum program kind(const char *path, const char *tool, int level)
{
	char text[256] = "";
	enum program k = PROGRAM_SIMULATED;
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return k;
	const ssize_t n = read(fd, text, sizeof text - 1);
	if (n > 2 && text[0] == '#' && text[1] == '!') {
		const char *const next = interpreter(text);
		if (next && level < MAX_SCRIPTS)
			k = kind(next, tool, level + 1);
	} else if (n > EI_CLASS && !memcmp(text, ELFMAG, SELFMAG)) {
		k = elf_kind(fd, text, tool);
	}
	close(fd);
	return k;
}

enum program program_kind(const char *path, const char *tool)
{
	return kind(path, tool, 0);
}
