/* cputrack: count events of the LWPs of a process, after Solaris cputrack(1). */
#include <choose.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libcpc.h>
#include <libpctx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "info.h"
#include "options.h"
#include "out.h"
#include "signals.h"
#include "track.h"

/*
 * -D: messages name the library function that they come from. The handlers get nothing
 * but the message.
 */
static int debug;

static void message(const char *fn, const char *fmt, va_list ap)
{
	char text[2048];

	vsnprintf(text, sizeof text, fmt, ap);
	if (debug)
		warnx("%s: %s", fn, text);
	else
		warnx("%s", text);
}

static void cpc_message(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)subcode;
	message(fn, fmt, ap);
}

static cpc_t *open_library(const struct options *o)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, o->cpu, o->engine);

	if (cpc) {
		cpc_seterrhndlr(cpc, cpc_message);
		return cpc;
	}
	if (errno == EINVAL) {
		info_unknown_choice(o);
		exit(EXIT_USAGE);
	}
	err(EXIT_TOOL, "cannot access performance counter library");
}

/*
 * The engine that can count the sets of the -c options; a specification that makes no sense
 * is bad usage, one refused is not.
 */
static struct setgrp *make_sets(const struct options *o, cpc_t **cpc)
{
	const struct choice ask = {o->cpu, o->engine, o->nspecs, o->spec, o->pid != 0};
	struct setgrp *sets;
	char text[4096];

	if (choose_engine(&ask, cpc_message, cpc, &sets, text, sizeof text) == 0)
		return sets;
	switch (errno) {
	case ENODEV:
		if (*text) {
			info_unknown_choice(o);
			exit(EXIT_USAGE);
		}
		exit(EXIT_TOOL);
	case EINVAL:
		if (!*text)
			exit(EXIT_USAGE);
		warnx("%s", text);
		options_bad_spec();
	case ENOMEM:
		warnx("no memory available");
	}
	exit(EXIT_TOOL);
}

/* The exit status for a command that did not start, by the errno of pctx_create(). */
static int start_failed(int e)
{
	switch (e) {
	case ENOENT:
	case ENOTDIR:
		return EXIT_NOT_FOUND;
	case EAGAIN:
	case ENOMEM:
	case EPERM:
	case EMFILE:
	case ENFILE:
	case EFBIG:
		return EXIT_TOOL;
	default:
		return EXIT_CANNOT_EXECUTE;
	}
}

/* The command under what is to count it. NULL: errno as of pctx_create(). */
static pctx_t *start(const struct options *o, cpc_t *cpc, const struct setgrp *sets)
{
	cpc_set_t **all = calloc(sets->n + 1, sizeof *all);
	pctx_t *pctx = NULL;

	if (!all)
		return NULL;
	for (unsigned i = 0; i < sets->n; i++)
		all[i] = sets->set[i].set;
	char *const *words = cpc_command(cpc, o->argv, sets->n, all);
	if (words && words != o->argv)
		pctx = pctx_create_behind(words, NULL, o->debug, message);
	else if (words)
		pctx = pctx_create(o->argv[0], o->argv, NULL, o->debug, message);
	const int e = errno;
	free(all);
	if (pctx && cpc_engine_notice(cpc))
		warnx("%s", cpc_engine_notice(cpc));
	errno = e;
	return pctx;
}

/* A handle of the command or process; without one, the exit status is left in *status. */
static pctx_t *take_control(const struct options *o, cpc_t *cpc,
			    const struct setgrp *sets, int *status)
{
	if (o->pid) {
		pctx_t *pctx = pctx_capture(o->pid, NULL, o->debug, message);

		if (!pctx)
			warnx("failed to capture pid %d", (int)o->pid);
		*status = EXIT_TOOL;
		return pctx;
	}
	pctx_t *pctx = start(o, cpc, sets);
	const int e = errno;
	if (!pctx)
		warnx("failed to start program '%s'", o->argv[0]);
	*status = start_failed(e);
	return pctx;
}

static int command_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/*
 * The measurement was cut short: by a signal, a reader that went away, an LWP that could
 * not be counted.
 */
static int cut_short(struct track *t)
{
	const struct options *o = t->options;
	int status;

	if (!t->begun)
		return EXIT_TOOL;
	if (!t->out->error && signals_last()) {
		track_detach(t);
		if (!t->out->error)
			return o->pid ? 0 : 128 + signals_last();
	}
	if (!o->pid && !signals_last())
		pctx_wait(t->pctx, &status);
	return EXIT_TOOL;
}

static int run(struct track *t)
{
	const struct options *o = t->options;
	const int r = track_run(t);

	if (r == -1 && (t->failed || t->out->error || signals_last()))
		return cut_short(t);
	if (t->exec_left)
		warnx("pid %d executed another program; -e would have followed it",
		      (int)t->root);
	if (r == -1 || t->failed)
		return EXIT_TOOL;
	return o->pid || !t->ended ? 0 : command_status(t->status);
}

static void print_note(void *arg, const char *text)
{
	(void)arg;
	warnx("%s", text);
}

/* What is to be said of the counts; nonzero: some are not what they should be. */
static int print_notes(const struct track *t)
{
	const unsigned of_run = cpc_run_notes(t->cpc, NULL, print_note);

	return (t->notes && notes_print(t->notes, cpc_engine_notice(t->cpc) != NULL)) ||
	       of_run;
}

/* Controls the command or process, and counts it. */
static int count(const struct options *o, cpc_t *cpc, struct setgrp *sets,
		 struct out *out)
{
	struct track track;
	int status = EXIT_TOOL;

	pctx_t *pctx = take_control(o, cpc, sets, &status);
	if (!pctx)
		return status;
	signals_catch(pctx, o->pid ? 0 : pctx_pid(pctx));
	if (track_open(&track, o, cpc, sets, out) == -1 ||
	    track_adopt(&track, pctx, pctx_pid(pctx)) == -1)
		warn("failed to track");
	else
		status = run(&track);
	if (pctx_skipped(pctx))
		warnx("%lu ticks were late and left out", pctx_skipped(pctx));
	if (print_notes(&track) && o->strict)
		status = EXIT_TOOL;
	const int begun = track.begun;
	track_close(&track);
	signals_forget();
	if (o->pid || (begun && !signals_last()))
		pctx_release(pctx);
	else
		pctx_kill(pctx);
	return status;
}

static int count_into(const struct options *o, cpc_t *cpc, struct setgrp *sets)
{
	struct out out;

	if (out_open(&out, o->output) == -1) {
		warnx("cannot open '%s' for writing: %s", o->output, strerror(errno));
		return EXIT_TOOL;
	}
	const int status = count(o, cpc, sets, &out);
	out_close(&out);
	if (!out.error)
		return status;
	warnx("cannot write to %s: %s", out.name, strerror(out.error));
	return EXIT_TOOL;
}

static int measure(const struct options *o)
{
	cpc_t *cpc;
	struct setgrp *sets = make_sets(o, &cpc);
	const int status = count_into(o, cpc, sets);

	setgrp_free(sets);
	cpc_close(cpc);
	return status;
}

static int tell(const struct options *o)
{
	cpc_t *cpc = open_library(o);
	const int status = info(o, cpc);

	cpc_close(cpc);
	return status;
}

/*
 * A standard stream that is closed must not be taken by a file of ours: writing to it is to
 * fail. The command finds it closed as before.
 */
static void guard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			open("/dev/null",
			     (fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) | O_CLOEXEC);
}

int main(int argc, char **argv)
{
	struct options o;

	guard_streams();
	options_parse(&o, argc, argv);
	debug = o.debug;
	const int status = o.action == MEASURE ? measure(&o) : tell(&o);
	free(o.spec);
	return status;
}
