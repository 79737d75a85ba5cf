/*
 * cpcsim-launch TOOL-OPTION... [--] PROGRAM [ARG...]: executes PROGRAM under the
 * simulator that is in the same folder as this launcher. The engine executes the
 * launcher, and so does Valgrind's core for each program that a simulated process
 * executes. A program that is not for x86-64 is executed natively, and the page of its
 * process records that.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/image/environment.h"
#include "sim/program.h"
#include "sim/shared/pages.h"
#include "sim_counters.h"

#define TOOL "cpcsim-amd64-linux"

/*
 * Returns the page of this process in the pages file, or NULL. If the process has none
 * and may claim one, that is a new page.
 */
static struct pages_page *open_page(const char *path, int may_claim)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);
	struct pages_head *const h =
		mmap(NULL, sizeof *h, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (h == MAP_FAILED || !pages_valid(h, SIM_NCOUNTERS))
		return NULL;
	int64_t n = pages_find(h, getpid());
	if (n == -1 && may_claim)
		n = pages_claim(h, getpid());
	struct pages_page *const page =
		n == -1 ? MAP_FAILED
			: mmap(NULL, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			       (off_t)pages_offset(n));
	return page == MAP_FAILED ? NULL : page;
}

/*
 * Records in the page that this process had before its exec that the simulator has not
 * yet started.
 */
static void mark_starting(const char *path)
{
	struct pages_page *const page = open_page(path, 0);

	if (!page)
		return;
	pages_begin(page);
	page->notes |= PAGE_NOTE_STARTING;
	pages_end(page);
}

/* Records in the page of this process, with a note, that it is not simulated any more. */
static void mark_native(const char *path, uint32_t note)
{
	struct pages_page *const page = open_page(path, 1);

	if (!page)
		return;
	pages_begin(page);
	page->pid = getpid();
	page->state = PAGE_NATIVE;
	page->notes |= note;
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

/* Executes the program without the simulator; its environment is as it gave it. */
static void run_native(char **argv) __attribute__((noreturn));
static void run_native(char **argv)
{
	execv(argv[0], argv);
	cannot_execute(argv[0]);
}

/* By this option the tool ignores VALGRIND_OPTS and .valgrindrc. */
static char only_option[] = "--command-line-only=yes";

/* Is this the first program of the run? The tool passes its options on to the others. */
static int is_first(char **argv)
{
	return strcmp(argv[1], only_option) != 0;
}

static char **command_line_only(int argc, char **argv)
{
	if (!is_first(argv))
		return argv;
	char **const all = calloc(argc + 2, sizeof *all);
	if (!all)
		err(125, "cannot build the arguments of the simulator");
	all[0] = argv[0];
	all[1] = only_option;
	memcpy(all + 2, argv + 1, argc * sizeof *all);
	return all;
}

/* Stores the path of this launcher, and of its folder; each has PATH_MAX bytes. */
static void find_self(char *self, char *dir)
{
	const ssize_t n = readlink("/proc/self/exe", self, PATH_MAX - 1);

	if (n == -1)
		err(125, "cannot read /proc/self/exe");
	self[n] = '\0';
	memcpy(dir, self, (size_t)n + 1);
	*strrchr(dir, '/') = '\0';
}

/* Sets the variables by which the core finds its launcher and its files. */
static void set_variables(const char *self, const char *dir)
{
	if (setenv("VALGRIND_LAUNCHER", self, 1) || setenv("VALGRIND_LIB", dir, 1))
		err(125, "cannot set the environment");
}

/* Sets a limit to the value that most machines have, if that is allowed. */
static void set_limit(int resource, rlim_t value)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit))
		return;
	limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
	setrlimit(resource, &limit);
}

/* Gives the first program of a run what programs have on every machine. */
static void make_reproducible(void)
{
	static char *clean[ENVIRONMENT_KEPT + 1];

	environment_clean(environ, clean);
	environ = clean;
	set_limit(RLIMIT_STACK, 8 << 20);
	set_limit(RLIMIT_NOFILE, 1024);
}

/* Returns the value of an option of the tool, or NULL. */
static const char *option_value(char **argv, const char *name)
{
	const size_t len = strlen(name);

	for (; *argv && **argv == '-' && strcmp(*argv, "--"); argv++)
		if (!strncmp(*argv, name, len))
			return *argv + len;
	return NULL;
}

int main(int argc, char **argv)
{
	char self[PATH_MAX], dir[PATH_MAX], tool[PATH_MAX + sizeof "/" TOOL];
	int i = 1;

	while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"))
		i++;
	i += i < argc && !strcmp(argv[i], "--");
	if (i >= argc)
		errx(2, "usage: cpcsim-launch TOOL-OPTION... [--] PROGRAM [ARG...]");
	const char *const pages = option_value(argv + 1, "--cpc-pages=");
	find_self(self, dir);
	snprintf(tool, sizeof tool, "%s/" TOOL, dir);
	const enum program kind = program_kind(argv[i], tool);
	if (kind != PROGRAM_SIMULATED && pages)
		mark_native(pages, kind == PROGRAM_FOREIGN ? PAGE_NOTE_32BIT
							   : PAGE_NOTE_OVERLAPS);
	if (kind != PROGRAM_SIMULATED || is_abandoned(pages))
		run_native(argv + i);
	if (is_first(argv) && option_value(argv + 1, "--cpc-reproducible="))
		make_reproducible();
	set_variables(self, dir);
	if (pages)
		mark_starting(pages);
	execv(tool, command_line_only(argc, argv));
	err(125, "cannot execute %s", tool);
}
