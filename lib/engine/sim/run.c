#include "engine/sim/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* Compose launcher, options, pages, machine, "--", program, and its arguments. */
static int compose(const struct sim_run *run, struct sim_command *c, const char *launcher,
		   const char *program, char *const *argv)
{
	unsigned n = 0, k = 0;

	while (argv[n])
		n++;
	c->argv = calloc(n + NOPTIONS + 6, sizeof *c->argv);
	const int len =
		asprintf(&c->text, "%s%c%s%c--cpc-pages=/proc/%d/fd/%d%c--cpc-machine=%s",
			 launcher, 0, program, 0, (int)getpid(), run->pages.fd, 0,
			 sim_machine(&run->machine)->name);
	if (len < 0)
		c->text = NULL;
	if (!c->argv || !c->text)
		return -1;
	char *const path = c->text + strlen(c->text) + 1;
	char *const pages = path + strlen(path) + 1;
	c->argv[k++] = c->text;
	for (unsigned i = 0; i < NOPTIONS; i++)
		c->argv[k++] = (char *)options[i];
	c->argv[k++] = pages;
	c->argv[k++] = pages + strlen(pages) + 1;
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
	if (sim_pages_make(&run->pages, sim_group_needs(run, sel, n), argv[0]) == -1)
		return why_refuse(why, errno,
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
	{PAGE_NOTE_SETID,
	 "a set-id, privileged or unreadable program was refused (EACCES), as it cannot "
	 "be simulated",
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
	char text[256], at[32] = "";

	if (pc)
		snprintf(at, sizeof at, " (at %#" PRIx64 ")", pc);
	snprintf(text, sizeof text, "pid %d: %s%s", (int)pid, what, at);
	t->fn(t->arg, text);
	t->n++;
}

int sim_run_failed(struct sim_run *run)
{
	return run->pages.fd != -1 && !sim_pages_begun(&run->pages);
}

unsigned sim_run_notes(struct sim_run *run, void *arg,
		       void (*fn)(void *arg, const char *text))
{
	const int has_failed = sim_run_failed(run);
	const unsigned n = sim_pages_count(&run->pages);
	struct remarks t = {.arg = arg, .fn = fn};
	struct sim_page page;

	if (has_failed) {
		fn(arg, "the simulator ended before the program could start");
		t.n++;
	}
	for (unsigned i = 0; i < n; i++) {
		if (sim_pages_read(&run->pages, (long)i, &page) == -1)
			continue;
		for (unsigned k = 0; k < sizeof notes / sizeof notes[0]; k++)
			if (page.notes & notes[k].bit)
				report(&t, page.pid, notes[k].text,
				       notes[k].pc ? page.note_pc : 0);
		if (!has_failed && page.state == PAGE_RUNNING &&
		    sim_group_has_ended(page.pid))
			report(&t, page.pid,
			       "it was killed; what it did since its last system call "
			       "may not be counted",
			       0);
	}
	return t.n;
}
