/*
 * symbolize [-m] [-s] [-r ROOT] FILE | -p PID: for each hexadecimal address of a file or
 * of a process on stdin, print the frames as addr2line -f -i does: a line with the
 * function, a line FILE:LINE. An empty line ends the frames of an address.
 *   -m  names are not demangled
 *   -s  symbol tables alone, no DWARF
 *   -d  print the variable at each address instead: NAME+OFFSET
 *   -r  FILE is below the folder ROOT
 *   -n  stdin has names; print "NAME ADDRESS SIZE", or "? NEAREST"
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/symbols.h"

enum { FRAMES = 200 };

/* Let each part of the file, which is below root, be mapped where the file wants it. */
static void map(struct symbols *s, const char *root, const char *path)
{
	char *name = NULL;
	const int fd = path && asprintf(&name, "%s%s", root ? root : "", path) > 0
			       ? open(name, O_RDONLY)
			       : -1;
	Elf *elf;
	GElf_Phdr p;

	free(name);
	if (fd < 0)
		err(1, "cannot open the file");
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	for (int i = 0; gelf_getphdr(elf, i, &p); i++) {
		if (p.p_type != PT_LOAD)
			continue;
		if (symbols_map(s,
				&(struct symbols_mapping){.start = p.p_vaddr,
							  .end = p.p_vaddr + p.p_filesz,
							  .offset = p.p_offset,
							  .path = path}))
			err(1, "%s", path);
		if (p.p_memsz > p.p_filesz &&
		    symbols_map(s,
				&(struct symbols_mapping){.start = p.p_vaddr + p.p_filesz,
							  .end = p.p_vaddr + p.p_memsz}))
			err(1, "%s", path);
	}
	elf_end(elf);
	close(fd);
}

/* Map what a process maps. */
static void map_process(struct symbols *s, pid_t pid)
{
	char path[32], *text = NULL;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	f = fopen(path, "r");
	if (!f || getdelim(&text, &size, '\0', f) < 0 || symbols_map_text(s, text))
		err(1, "%s", path);
	free(text);
	fclose(f);
}

static void print_code(struct symbols *s, uint64_t address)
{
	struct symbols_frame frame[FRAMES];
	const unsigned n = symbols_code(s, address, frame, FRAMES);

	for (unsigned i = 0; i < n; i++) {
		char digits[12], *d = digits + sizeof(digits);

		fputs_unlocked(frame[i].function ? frame[i].function : "??", stdout);
		putchar_unlocked('\n');
		fputs_unlocked(frame[i].file ? frame[i].file : "??", stdout);
		*--d = '\0';
		for (unsigned v = frame[i].line; v || !*d; v /= 10)
			*--d = '0' + v % 10;
		*--d = ':';
		fputs_unlocked(d, stdout);
		putchar_unlocked('\n');
	}
	putchar_unlocked('\n');
}

static void print_data(struct symbols *s, uint64_t address)
{
	struct symbols_object o;

	if (symbols_data(s, address, &o))
		puts("??");
	else
		printf("%s+%ju\n", o.name, (uintmax_t)(address - o.address));
}

static void print_named(struct symbols *s, const char *name)
{
	struct symbols_object o;
	char near[1024];

	if (!symbols_find(s, name, &o) && o.is_thread_local)
		printf("%s thread-local %ju\n", o.name, (uintmax_t)o.size);
	else if (o.name)
		printf("%s %#jx %ju\n", o.name, (uintmax_t)o.address, (uintmax_t)o.size);
	else
		printf("? %s\n", symbols_suggest(s, name, near, sizeof near));
}

static void map_real(struct symbols *s, const char *name)
{
	char *const path = realpath(name, NULL);

	if (!path)
		err(1, "%s", name);
	map(s, NULL, path);
	free(path);
}

int main(int argc, char **argv)
{
	struct symbols_options o = {.lines = symbols_lines};
	void (*print)(struct symbols *, uint64_t) = print_code;
	char line[4096];
	const char *why, *path;
	int by_name = 0;

	for (int c; (c = getopt(argc, argv, "dmnp:r:s")) != -1;) {
		if (c == 'd')
			print = print_data;
		else if (c == 'm')
			o.mangled = 1;
		else if (c == 'n')
			by_name = 1;
		else if (c == 'p')
			o.pid = atoi(optarg);
		else if (c == 'r')
			o.root = optarg;
		else if (c == 's')
			o.lines = NULL;
		else
			return 2;
	}
	if (optind + !o.pid != argc)
		errx(2, "usage: symbolize [-dmns] [-r ROOT] FILE | -p PID");

	struct symbols *const s = symbols_new(&o);

	if (!s)
		err(1, NULL);
	setvbuf(stdout, NULL, _IOFBF, 1 << 20);
	if (o.pid)
		map_process(s, o.pid);
	else if (o.root)
		map(s, o.root, argv[optind]);
	else
		map_real(s, argv[optind]);
	while (fgets_unlocked(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		if (by_name)
			print_named(s, line);
		else
			print(s, strtoull(line, NULL, 16));
	}
	for (unsigned i = 0; (path = symbols_problem(s, i, &why)); i++)
		warnx("%s: %s", path, why);
	symbols_free(s);
	return 0;
}
