/*
 * cpcsim-launch TOOL-OPTION... [--] PROGRAM [ARG...]: executes PROGRAM under the
 * simulator that is in the same folder as this launcher. The engine executes the
 * launcher, and so does Valgrind's core for each program that a simulated process
 * executes. A program that is not for x86-64 is executed natively, and the page of its
 * process records that.
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

/* The kernel, too, follows this many levels of interpreters (fs/exec.c). */
enum { MAX_SCRIPTS = 4 };

/* Returns the interpreter that a script's first line names, a part of text, or NULL. */
static char *interpreter(char *text)
{
	char *p = text + 2;

	p += strspn(p, " \t");
	p[strcspn(p, " \t\n")] = '\0';
	return *p ? p : NULL;
}

/* Returns whether path, or its interpreter, is for another processor; 0 if unknown. */
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

/* Records in the page of this process that it runs on without the simulator. */
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

/* Has the engine ended, and with it the pages file? Programs then run on natively. */
static int is_abandoned(const char *pages)
{
	return pages && access(pages, F_OK) == -1 && errno == ENOENT;
}

/* Removes Valgrind's own libraries from LD_PRELOAD and keeps the program's. */
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

/* Adds the option by which the tool ignores VALGRIND_OPTS and .valgrindrc. */
static char **command_line_only(int argc, char **argv)
{
	static char option[] = "--command-line-only=yes";

	if (!strcmp(argv[1], option))
		return argv;
	char **const all = calloc(argc + 2, sizeof *all);
	if (!all)
		err(1, "cannot build the arguments of the simulator");
	all[0] = argv[0];
	all[1] = option;
	memcpy(all + 2, argv + 1, argc * sizeof *all);
	return all;
}

/* Executes the tool, which is in dir, in place of this program. */
static void run_tool(const char *self, const char *dir, char **argv)
{
	char tool[PATH_MAX + sizeof "/" TOOL];

	snprintf(tool, sizeof tool, "%s/" TOOL, dir);
	if (setenv("VALGRIND_LAUNCHER", self, 1) || setenv("VALGRIND_LIB", dir, 1))
		err(1, "cannot set the environment");
	execv(tool, argv);
	err(1, "cannot execute %s", tool);
}

/*
 * Ends the program after exec(2) has failed. The message has '?' for each byte of the
 * path that could be part of a command to the terminal.
 */
static void cannot_execute(char *path) __attribute__((noreturn));
static void cannot_execute(char *path)
{
	for (char *c = path; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	err(126, "cannot execute %s", path);
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
		cannot_execute(argv[i]);
	}
	if (is_abandoned(pages)) {
		run_native(NULL, argv + i);
		cannot_execute(argv[i]);
	}
	const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n == -1)
		err(1, "cannot read /proc/self/exe");
	self[n] = '\0';
	memcpy(dir, self, n + 1);
	*strrchr(dir, '/') = '\0';
	run_tool(self, dir, command_line_only(argc, argv));
}
