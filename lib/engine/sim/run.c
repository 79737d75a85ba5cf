#include "engine/sim/run.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"
#include "engine/sim/locate.h"
#include "engine/why.h"

/*
 * What the simulator itself prints must not get between the program's own output: it
 * tells by its pages what there is to tell.
 */
static const char *const options[] = {
	"-q",
	"--vgdb=no",
	"--trace-children=yes",
	"--log-file=/dev/null",
	"--tool=cpcsim",
	/*
	 * LWPs at once, each with a row in its page. The core takes this from options
	 * alone.
	 */
	"--max-threads=4096",
};
enum { NOPTIONS = sizeof options / sizeof options[0] };

static uint64_t asked(const struct sim_run *run, const struct evsel *const *sel,
		      unsigned n)
{
	uint64_t bits = UINT64_C(1) << CTR_INSN;

	for (unsigned i = 0; i < n; i++)
		bits |= sim_expression_needs(&sel[i]->x, sim_machine(&run->machine));
	return bits;
}

/* launcher, options, pages, machine, "--", program, its arguments. */
static int compose(const struct sim_run *run, struct sim_words *w, const char *launcher,
		   const char *program, char *const *argv)
{
	unsigned n = 0, k = 0;

	while (argv[n])
		n++;
	w->argv = calloc(n + NOPTIONS + 6, sizeof *w->argv);
	const int len =
		asprintf(&w->text, "%s%c%s%c--cpc-pages=/proc/%d/fd/%d%c--cpc-machine=%s",
			 launcher, 0, program, 0, (int)getpid(), run->pages.fd, 0,
			 sim_machine(&run->machine)->name);
	if (len < 0)
		w->text = NULL;
	if (!w->argv || !w->text)
		return -1;
	char *const path = w->text + strlen(w->text) + 1;
	char *const pages = path + strlen(path) + 1;
	w->argv[k++] = w->text;
	for (unsigned i = 0; i < NOPTIONS; i++)
		w->argv[k++] = (char *)options[i];
	w->argv[k++] = pages;
	w->argv[k++] = pages + strlen(pages) + 1;
	w->argv[k++] = (char *)"--";
	w->argv[k++] = path;
	for (unsigned i = 1; i < n; i++)
		w->argv[k++] = argv[i];
	return 0;
}

void sim_run_forget(struct sim_words *w)
{
	const int e = errno;

	free(w->argv);
	free(w->text);
	*w = (struct sim_words){0};
	errno = e;
}

int sim_run_command(struct sim_run *run, struct sim_words *w, char *const *argv,
		    const struct evsel *const *sel, unsigned n, struct why *why)
{
	char launcher[PATH_MAX], program[PATH_MAX];

	if (run->inside)
		return why_refuse(why, ENOTSUP,
				  "this program is itself simulated, and cannot simulate "
				  "others");
	if (sim_locate(launcher, why) == -1 ||
	    sim_locate_program(argv[0], program, why) == -1)
		return -1;
	sim_run_forget(w);
	sim_pages_free(&run->pages);
	if (sim_pages_make(&run->pages, asked(run, sel, n), argv[0]) == -1)
		return why_refuse(why, errno,
				  "cannot make the pages of a simulated run: %s",
				  strerror(errno));
	if (compose(run, w, launcher, program, argv) == 0)
		return 0;
	sim_run_forget(w);
	return why_refuse(why, ENOMEM, "%s", strerror(ENOMEM));
}

/* Of a bit of struct pages_page's notes. */
static const struct {
	uint32_t bit;
	const char *text; /* after the pid */
	int pc;		  /* it has one */
} known[] = {
	{PAGE_NOTE_AVX512,
	 "an instruction of AVX-512, which is not simulated, ended in SIGILL", 1},
	{PAGE_NOTE_UNKNOWN, "an instruction that is not simulated ended in SIGILL", 1},
	{PAGE_NOTE_32BIT,
	 "it executed a program that is not for x86-64, which ran natively and is not "
	 "counted",
	 0},
	{PAGE_NOTE_SETID,
	 "a set-id or privileged program was refused (EACCES), as it cannot be simulated",
	 0},
	{PAGE_NOTE_ROWS, "it had too many LWPs at once; some are in the total alone", 0},
};

struct teller {
	void *arg;
	void (*fn)(void *arg, const char *text);
	unsigned told;
};

static void tell(struct teller *t, pid_t pid, const char *what, uint64_t pc)
{
	char text[256], at[32] = "";

	if (pc)
		snprintf(at, sizeof at, " (at %#" PRIx64 ")", pc);
	snprintf(text, sizeof text, "pid %d: %s%s", (int)pid, what, at);
	t->fn(t->arg, text);
	t->told++;
}

static int is_gone(pid_t pid)
{
	const char state = procfs_state(pid, &(unsigned){0});

	return state == '?' || state == 'Z' || state == 'X';
}

unsigned sim_run_notes(struct sim_run *run, void *arg,
		       void (*fn)(void *arg, const char *text))
{
	const unsigned n = sim_pages_count(&run->pages);
	struct teller t = {.arg = arg, .fn = fn};
	struct sim_page page;

	if (!n && run->pages.fd != -1) {
		fn(arg, "the simulator ended before the program could start");
		t.told++;
	}
	for (unsigned i = 0; i < n; i++) {
		if (sim_pages_read(&run->pages, (long)i, &page) == -1)
			continue;
		for (unsigned k = 0; k < sizeof known / sizeof known[0]; k++)
			if (page.notes & known[k].bit)
				tell(&t, page.pid, known[k].text,
				     known[k].pc ? page.note_pc : 0);
		if (page.state == PAGE_RUNNING && is_gone(page.pid))
			tell(&t, page.pid,
			     "it was killed; what it did since its last system call may "
			     "not be counted",
			     0);
	}
	return t.told;
}
