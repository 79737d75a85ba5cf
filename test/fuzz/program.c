/*
 * Reads any files as programs, scripts and the simulator that is to execute them
 * (descriptors.h; the first line is the path of the program, the simulator is /tool).
 * Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "sim/program.h"

#include <elf.h>

#include "descriptors.h"

static int is_elf(const struct file *f)
{
	return f && f->size > EI_CLASS && !memcmp(f->text, ELFMAG, SELFMAG);
}

static int is_script(const struct file *f)
{
	return f && f->size > 2 && !memcmp(f->text, "#!", 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const path = files_open(data, size);
	char one[PATH_MAX] = "";
	const struct file *const f =
		files_format(one, "%s", path) == 0 ? files_find(one) : NULL;
	const enum program kind = program_kind(path, "/tool");

	check(kind == PROGRAM_SIMULATED || kind == PROGRAM_FOREIGN ||
		      kind == PROGRAM_OVERLAPS,
	      "a program is of one kind");
	check(kind == PROGRAM_SIMULATED || is_elf(f) || is_script(f),
	      "what cannot be executed is simulated");
	check(kind != PROGRAM_OVERLAPS || files_find("/tool"),
	      "a program overlaps with a tool");
	descriptors_close();
	return 0;
}
