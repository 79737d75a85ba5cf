#include "preload.h"

#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/program.h"
#include "common/message.h"
#include "common/status.h"
#include "lwp/sites.h"

/* The folder where the emulator is installed; the build defines it. */
#ifndef SIMDIR
#define SIMDIR "/usr/local/libexec/opencpc"
#endif

#define EMULATOR "lwpemulate.so"

/* Write the path of a file in a folder if it can be read. */
static int in_folder(const char *folder, char path[PATH_MAX])
{
	char name[2 * PATH_MAX + sizeof EMULATOR];

	snprintf(name, sizeof name, "%s/" EMULATOR, folder);
	return access(name, R_OK) == 0 && realpath(name, path);
}

static int find(char path[PATH_MAX])
{
	static const char *const beside[] = {"../sim", "../libexec/opencpc"};
	const char *set = secure_getenv("CPC_SIM_DIR");
	char own[PATH_MAX], folder[2 * PATH_MAX];

	if (set && *set)
		return in_folder(set, path);
	const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	own[n > 0 ? n : 0] = '\0';
	char *slash = strrchr(own, '/');
	if (slash)
		*slash = '\0';
	for (unsigned i = 0; slash && i < sizeof beside / sizeof beside[0]; i++) {
		snprintf(folder, sizeof folder, "%s/%s", own, beside[i]);
		if (in_folder(folder, path))
			return 1;
	}
	return in_folder(SIMDIR, path);
}

/* Returns 0; or -1 with a sentence in why, which has room for n bytes. */
static int add_emulator(char *why, size_t n)
{
	const char *before = getenv("LD_PRELOAD");
	char path[PATH_MAX], *list;

	if (!find(path)) {
		snprintf(why, n,
			 "there is no " EMULATOR " in $CPC_SIM_DIR, beside the program "
			 "or in " SIMDIR);
		return -1;
	}
	if (strpbrk(path, " :\t\n")) {
		snprintf(why, n,
			 "LD_PRELOAD cannot name '%s', which has a blank or a colon",
			 path);
		return -1;
	}
	if (asprintf(&list, "%s%s%s", path, before && *before ? ":" : "",
		     before ? before : "") == -1 ||
	    setenv("LD_PRELOAD", list, 1) == -1) {
		snprintf(why, n, "memory ran out");
		return -1;
	}
	free(list);
	return 0;
}

struct program {
	const uint8_t *file;
	size_t size;
	const Elf64_Phdr *segment;
	unsigned nsegment;
};

/* Map a program for x86-64. Returns 0, or -1 if the file is none. */
static int open_program(struct program *p, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	*p = (struct program){.file = MAP_FAILED};
	if (fd == -1)
		return -1;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size >= (off_t)sizeof(Elf64_Ehdr)) {
		p->size = (size_t)st.st_size;
		p->file = mmap(NULL, p->size, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	if (p->file == MAP_FAILED)
		return -1;
	Elf64_Ehdr h;
	memcpy(&h, p->file, sizeof h);
	if (memcmp(h.e_ident, ELFMAG, SELFMAG) == 0 &&
	    h.e_ident[EI_CLASS] == ELFCLASS64 && h.e_machine == EM_X86_64 &&
	    h.e_phentsize == sizeof(Elf64_Phdr) && h.e_phoff % 8 == 0 &&
	    h.e_phoff <= p->size &&
	    h.e_phnum <= (p->size - h.e_phoff) / sizeof(Elf64_Phdr)) {
		p->segment = (const void *)(p->file + h.e_phoff);
		p->nsegment = h.e_phnum;
		return 0;
	}
	munmap((void *)p->file, p->size);
	return -1;
}

static void close_program(const struct program *p)
{
	munmap((void *)p->file, p->size);
}

/* Is this a program for x86-64 that the dynamic linker does not load? */
static int is_static(const char *path)
{
	struct program p;
	int is_static = 1;

	if (open_program(&p, path) == -1)
		return 0;
	for (unsigned i = 0; i < p.nsegment; i++)
		if (p.segment[i].p_type == PT_INTERP)
			is_static = 0;
	close_program(&p);
	return is_static;
}

/* Other code hardly contains the bytes of LLWPCB by chance. */
int preload_finds_lwp(const char *path)
{
	struct program p;
	struct sites sites;
	struct site site;
	int found = 0;

	if (open_program(&p, path) == -1)
		return 0;
	if (sites_begin(&sites, p.file, p.size) == 0)
		while (!found && sites_next(&sites, &site))
			found = site.instruction.op == LWP_OP_LLWPCB;
	close_program(&p);
	return found;
}

/* A stop of the program takes much less time if the tracer runs on the same CPU. */
static void use_one_cpu(void)
{
	const int cpu = sched_getcpu();
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu >= 0 && cpu < CPU_SETSIZE) {
		CPU_SET(cpu, &set);
		sched_setaffinity(0, sizeof set, &set);
	}
}

void preload_prepare(enum record_emulation way, const char *command)
{
	char path[PATH_MAX], why[PATH_MAX + 128];

	if (way == RECORD_TRACED || (way == RECORD_EMULATED &&
				     program_find(command, path) == 0 && is_static(path)))
		use_one_cpu();
	if (way == RECORD_TRACED || add_emulator(why, sizeof why) == 0)
		return;
	if (way == RECORD_PRELOADED)
		errx(EXIT_TOOL, "cannot emulate LWP instructions in the program: %s",
		     why);
	message_notef("LWP instructions are emulated from outside, which takes long: %s",
		      why);
}
