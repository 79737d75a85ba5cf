#include "engine/sim/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/say.h"
#include "engine/sim/locate.h"
#include "engine/why.h"

/*
 * The simulator must not print anything among the program's own output: it reports in its
 * pages.
 */
static const char *const options[] = {
	"-q",
	"--vgdb=no",
	"--trace-children=yes",
	"--log-file=/dev/null",
	"--tool=cpcsim",
	/*
	 * Each LWP has a row in its page. Valgrind's core reads this limit only from
	 * options.
	 */
	"--max-threads=4096",
};
enum { NOPTIONS = sizeof options / sizeof options[0] };

/* The option of the tool for each level of x86-64, which begins at position LEVEL. */
static const char *const levels[] = {"--cpc-reproducible=v1", "--cpc-reproducible=v2",
				     "--cpc-reproducible=v3"};
enum { LEVEL = sizeof "--cpc-reproducible=" - 1 };

/* Does this processor have the features of a level that VEX shows to programs? */
static int has_level(const char *level)
{
#ifdef __x86_64__
	if (strcmp(level, "v3") == 0)
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi");
	if (strcmp(level, "v2") == 0)
		return __builtin_cpu_supports("ssse3");
#endif
	(void)level;
	return 1;
}

int sim_run_reproduce(struct sim_run *run, const char *level, struct why *why)
{
	for (unsigned i = 0; i < sizeof levels / sizeof levels[0]; i++)
		if (strcmp(levels[i] + LEVEL, level) == 0 && has_level(level)) {
			run->option = levels[i];
			return 0;
		}
	return why_refuse(why, ENOTSUP,
			  "this processor cannot run programs of x86-64-%s; use a lower "
			  "level",
			  level);
}

const char *sim_run_level(const struct sim_run *run)
{
	return run->option ? run->option + LEVEL : NULL;
}

/* Compose launcher, options, pages, "--", program, and its arguments. */
static int compose(const struct sim_run *run, struct sim_command *c, const char *launcher,
		   const char *program, char *const *argv)
{
	unsigned n = 0, k = 0;

	while (argv[n])
		n++;
	c->argv = calloc(n + NOPTIONS + 7, sizeof *c->argv);
	const int len = asprintf(&c->text, "%s%c%s%c--cpc-pages=/proc/%d/fd/%d", launcher,
				 0, program, 0, (int)getpid(), run->pages.fd);
	if (len < 0)
		c->text = NULL;
	if (!c->argv || !c->text)
		return -1;
	char *const path = c->text + strlen(c->text) + 1;
	char *const pages = path + strlen(path) + 1;
	c->argv[k++] = c->text;
	for (unsigned i = 0; i < NOPTIONS; i++)
		c->argv[k++] = (char *)options[i];
	if (run->option)
		c->argv[k++] = (char *)run->option;
	if (run->records)
		c->argv[k++] = (char *)run->records;
	c->argv[k++] = pages;
	c->argv[k++] = (char *)"--";
	c->argv[k++] = path;
	for (unsigned i = 1; i < n; i++)
		c->argv[k++] = argv[i];
	return 0;
}

void sim_run_free_command(struct sim_command *c)
{
	const int e = errno;

	free(c->argv);
	free(c->text);
	*c = (struct sim_command){0};
	errno = e;
}

/*
 * Returns the argv[0] for a program that is called as argv0. In a reproducible run, a
 * program that PATH finds has the same name in whatever way it is called.
 */
static const char *name_of(const struct sim_run *run, const char *argv0,
			   const char *program)
{
	const char *const slash = strrchr(argv0, '/');
	char found[PATH_MAX];
	struct stat a, b;
	struct why why;

	if (!run->option || !slash || sim_locate_program(slash + 1, found, &why) == -1 ||
	    stat(found, &a) == -1 || stat(program, &b) == -1)
		return argv0;
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino ? slash + 1 : argv0;
}

static int make_pages(struct sim_run *run, const char *argv0,
		      const struct evsel *const *sel, unsigned n)
{
	const struct sim_pages_run of = {.requested = run->needs |
						      sim_group_needs(run, sel, n),
					 .argv0 = argv0,
					 .machine = sim_machine(&run->machine, NULL),
					 .chosen = run->machine.chosen};

	if (of.machine)
		return sim_pages_make(&run->pages, &of);
	errno = ENOMEM;
	return -1;
}

int sim_run_command(struct sim_run *run, struct sim_command *c, char *const *argv,
		    const struct evsel *const *sel, unsigned n, struct why *why)
{
	char launcher[PATH_MAX], program[PATH_MAX];

	if (run->inside)
		return why_refuse(why, ENOTSUP,
				  "a simulated program cannot simulate another program");
	if (sim_locate(launcher, why) == -1 ||
	    sim_locate_program(argv[0], program, why) == -1)
		return -1;
	sim_run_free_command(c);
	sim_pages_free(&run->pages);
	if (make_pages(run, name_of(run, argv[0], program), sel, n) == -1)
		/* ENOENT and EACCES would tell the caller that exec has failed. */
		return why_refuse(why, errno == ENOMEM ? ENOMEM : ENOTSUP,
				  "cannot create the file for the counts of a simulated "
				  "run: %s",
				  strerror(errno));
	if (compose(run, c, launcher, program, argv) == 0)
		return 0;
	sim_run_free_command(c);
	return why_refuse(why, ENOMEM, "cannot compose the command of the simulator: %s",
			  strerror(ENOMEM));
}

/* The remark for a bit of the notes of struct pages_page. */
static const struct {
	uint32_t bit;
	const char *text; /* follows the pid */
	int pc;		  /* the note has the address of an instruction */
} notes[] = {
	{PAGE_NOTE_AVX512,
	 "an instruction of AVX-512, which is not simulated, ended in SIGILL", 1},
	{PAGE_NOTE_UNKNOWN, "an instruction that is not simulated ended in SIGILL", 1},
	{PAGE_NOTE_32BIT,
	 "it executed a program that is not for x86-64, which ran natively and is not "
	 "counted",
	 0},
	{PAGE_NOTE_OVERLAPS,
	 "it executed a program that needs the simulator's own addresses, as Valgrind's "
	 "tools do, which ran natively and is not counted",
	 0},
	{PAGE_NOTE_TRACED,
	 "a simulated debugger traces it; the program that it executed ran natively and "
	 "is not counted",
	 0},
	{PAGE_NOTE_SETID,
	 "a set-id, privileged or unreadable program was refused (EACCES), as it cannot "
	 "be simulated",
	 0},
	{PAGE_NOTE_CLONE,
	 "its clone(2) of a process that shares memory or files with it was refused "
	 "(EINVAL), as it cannot be simulated",
	 0},
	{PAGE_NOTE_ROWS,
	 "it had too many LWPs at once; some are counted only in the total", 0},
};

/* The caller's function for remarks, its argument, and the number of its calls. */
struct remarks {
	void *arg;
	void (*fn)(void *arg, const char *text);
	unsigned n;
};

static void report(struct remarks *t, pid_t pid, const char *what, uint64_t pc)
{
	char text[512], at[32] = "";

	if (pc)
		snprintf(at, sizeof at, " (at %#" PRIx64 ")", pc);
	snprintf(text, sizeof text, "pid %d: %s%s", (int)pid, what, at);
	t->fn(t->arg, text);
	t->n++;
}

int sim_run_unstarted(struct sim_run *run)
{
	return run->pages.fd != -1 && !sim_pages_begun(&run->pages);
}

/* How the process of a page has ended. */
enum end {
	END_KNOWN, /* it runs, or the simulator has seen its end */
	END_KILLED,
	END_STARTING, /* before a further program could start */
	END_GAVE_UP   /* the simulator ended it */
};

static enum end end_of(const struct sim_page *page)
{
	if (page->state != PAGE_RUNNING || !sim_group_has_ended(page->pid))
		return END_KNOWN;
	if (page->notes & PAGE_NOTE_GAVE_UP)
		return END_GAVE_UP;
	return page->notes & PAGE_NOTE_STARTING ? END_STARTING : END_KILLED;
}

int sim_run_failed(struct sim_run *run)
{
	const unsigned n = sim_pages_count(&run->pages);
	struct sim_page page;

	for (unsigned i = 0; i < n; i++)
		if (sim_pages_read(&run->pages, (long)i, &page) == 0 &&
		    end_of(&page) >= END_STARTING)
			return 1;
	return sim_run_unstarted(run);
}

/* The remarks on what a reproducible run has read that differs between machines. */
static const struct {
	uint32_t bit;
	const char *text;
} reads[] = {
	{PAGE_NOTE_READ_FILES, "files of /proc or /sys, or random numbers of /dev"},
	{PAGE_NOTE_READ_PIDS, "process ids"},
	{PAGE_NOTE_READ_FOLDER, "the working directory"},
};

/*
 * Reports what the processes of a reproducible run have read; the counts are what they
 * are, so this is no remark on them.
 */
static void report_reads(const struct remarks *t, uint32_t bits)
{
	char text[256] = "reproducible, but the program read ";
	const size_t start = strlen(text);

	for (unsigned i = 0; i < sizeof reads / sizeof reads[0]; i++)
		if (bits & reads[i].bit)
			say_add(text, sizeof text, "%s%s", text[start] ? "; " : "",
				reads[i].text);
	if (!text[start])
		return;
	say_add(text, sizeof text, ": where these differ, counts may differ");
	t->fn(t->arg, text);
}

static const char killed[] =
	"it was killed; what it did since its last system call may not be counted";
static const char by_seccomp[] =
	"it was killed, perhaps by its own seccomp(2) rules, which the simulator's calls "
	"in its process must obey, too; what it did since its last system call may not "
	"be counted";

/* Reports why a process has ended without publishing its last counts, if it has. */
static void report_end(struct remarks *t, const struct sim_pages *pages, long number,
		       const struct sim_page *page)
{
	char reason[PAGES_REASON], text[PAGES_REASON + 128] = "";

	switch (end_of(page)) {
	case END_KNOWN:
		return;
	case END_KILLED:
		report(t, page->pid,
		       page->notes & PAGE_NOTE_SECCOMP ? by_seccomp : killed, 0);
		return;
	case END_STARTING:
		report(t, page->pid,
		       "the simulator ended before the program that it executed could "
		       "start",
		       0);
		return;
	case END_GAVE_UP:
		sim_pages_reason(pages, number, reason);
		say_add(text, sizeof text,
			"the simulator could not go on and ended it: %s; what it did "
			"since its last system call may not be counted",
			reason[0] ? reason : "no reason is known");
		report(t, page->pid, text, 0);
	}
}

unsigned sim_run_notes(struct sim_run *run, void *arg,
		       void (*fn)(void *arg, const char *text))
{
	const int unstarted = sim_run_unstarted(run);
	const unsigned n = sim_pages_count(&run->pages);
	struct remarks t = {.arg = arg, .fn = fn};
	uint32_t bits = 0;
	struct sim_page page;

	if (unstarted) {
		fn(arg, "the simulator ended before the program could start");
		t.n++;
	}
	for (unsigned i = 0; i < n; i++) {
		if (sim_pages_read(&run->pages, (long)i, &page) == -1)
			continue;
		bits |= page.notes;
		for (unsigned k = 0; k < sizeof notes / sizeof notes[0]; k++)
			if (page.notes & notes[k].bit)
				report(&t, page.pid, notes[k].text,
				       notes[k].pc ? page.note_pc : 0);
		if (!unstarted || (page.notes & PAGE_NOTE_GAVE_UP))
			report_end(&t, &run->pages, (long)i, &page);
	}
	report_reads(&t, bits);
	return t.n;
}
