/*
 * cpcsim-launch TOOL-OPTION... [--] PROGRAM [ARG...]: execute PROGRAM under the simulator
 * that lies beside this program. The engine executes it so, and Valgrind's core does for each
 * program that a simulated process executes. A program that is not for x86-64 is executed as
 * it is, and its page of the run says so.
 */
#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/shared/pages.h"
#include "sim_counters.h"

#define TOOL "cpcsim-amd64-linux"

/* As many levels of interpreters are followed as the kernel does. */
enum { MAX_SCRIPTS = 4 };

/* The interpreter that a script's first line names, in text; NULL: there is none. */
static char *interpreter(char *text)
{
	char *p = text + 2;

	p += strspn(p, " \t");
	p[strcspn(p, " \t\n")] = '\0';
	return *p ? p : NULL;
}

/* Is what executing path would run for another processor? What cannot be told is not. */
static int is_foreign(const char *path, int level)
{
	char text[256] = "";
	const int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd == -1)
		return 0;
	const ssize_t n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n > 2 && text[0] == '#' && text[1] == '!') {
		const char *const next = interpreter(text);
		return next && level < MAX_SCRIPTS && is_foreign(next, level + 1);
	}
	if (n <= EI_CLASS || memcmp(text, ELFMAG, SELFMAG))
		return 0;
	Elf64_Half machine;
	memcpy(&machine, text + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
	return text[EI_CLASS] != ELFCLASS64 || machine != EM_X86_64;
}

/* Tell in the page of this process that it goes on without the simulator. */
static void mark_native(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	struct pages_head *const h =
		mmap(NULL, sizeof *h, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (h == MAP_FAILED || !pages_valid(h, SIM_NCOUNTERS))
		return;
	int64_t n = pages_find(h, getpid());
	if (n == -1)
		n = pages_claim(h, getpid());
	struct pages_page *const page =
		n == -1 ? MAP_FAILED
			: mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			       (off_t)pages_offset(n));
	if (page == MAP_FAILED)
		return;
	pages_begin(page);
	page->pid = getpid();
	page->state = PAGE_NATIVE;
	page->notes |= PAGE_NOTE_32BIT;
	for (unsigned i = 0; i < PAGES_ROWS; i++)
		if (page->row[i].state == ROW_RUNNING)
			page->row[i].state = ROW_ENDED;
	pages_end(page);
}

/* Has who counts this run ended? Its programs run on without it. */
static int is_abandoned(const char *pages)
{
	return pages && access(pages, F_OK) == -1 && errno == ENOENT;
}

/* What the core puts before a program's own libraries; the program's stay. */
static void drop_preload(void)
{
	static const char ours[] = "/vgpreload_";
	char *const list = getenv("LD_PRELOAD");
	char *to = list;

	if (!list || !strstr(list, ours))
		return;
	for (char *word = list, *end; word; word = *end ? end + 1 : NULL) {
		end = word + strcspn(word, ": ");
		const char last = *end;

		*end = '\0';
		if (*word && !strstr(word, ours)) {
			if (to != list)
				*to++ = ':';
			memmove(to, word, (size_t)(end - word));
			to += end - word;
		}
		if (!last)
			break;
		*end = last;
	}
	*to = '\0';
	if (!*list)
		unsetenv("LD_PRELOAD");
}

static void run_native(const char *pages, char **argv)
{
	if (pages)
		mark_native(pages);
	unsetenv("VALGRIND_LAUNCHER");
	unsetenv("VALGRIND_LIB");
	drop_preload();
	execv(argv[0], argv);
}

/* Neither VALGRIND_OPTS nor a .valgrindrc is for this tool. */
static char **command_line_only(int argc, char **argv)
{
	static char option[] = "--command-line-only=yes";

	if (!strcmp(argv[1], option))
		return argv;
	char **const all = calloc(argc + 2, sizeof *all);
	if (!all)
		err(1, "cannot start");
	all[0] = argv[0];
	all[1] = option;
	memcpy(all + 2, argv + 1, argc * sizeof *all);
	return all;
}

/* Replace this program by the tool, which lies in dir. */
static void run_tool(const char *self, const char *dir, char **argv)
{
	char tool[PATH_MAX + sizeof "/" TOOL];

	snprintf(tool, sizeof tool, "%s/" TOOL, dir);
	if (setenv("VALGRIND_LAUNCHER", self, 1) || setenv("VALGRIND_LIB", dir, 1))
		err(1, "cannot set the environment");
	execv(tool, argv);
	err(1, "cannot execute %s", tool);
}

int main(int argc, char **argv)
{
	static const char pages_option[] = "--cpc-pages=";
	const char *pages = NULL;
	char self[PATH_MAX], dir[PATH_MAX];
	int i = 1;

	for (; i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"); i++)
		if (!strncmp(argv[i], pages_option, sizeof pages_option - 1))
			pages = argv[i] + sizeof pages_option - 1;
	i += i < argc && !strcmp(argv[i], "--");
	if (i >= argc)
		errx(2, "usage: cpcsim-launch TOOL-OPTION... [--] PROGRAM [ARG...]");
	if (is_foreign(argv[i], 0)) {
		run_native(pages, argv + i);
		err(126, "cannot execute %s", argv[i]);
	}
	if (is_abandoned(pages)) {
		run_native(NULL, argv + i);
		err(126, "cannot execute %s", argv[i]);
	}
	const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n == -1)
		err(1, "cannot read /proc/self/exe");
	self[n] = '\0';
	memcpy(dir, self, n + 1);
	*strrchr(dir, '/') = '\0';
	run_tool(self, dir, command_line_only(argc, argv));
}
