#include "notes.h"

#include <err.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/launcher.h"
#include "base/text.h"
#include "engine/breakpoint.h"
#include "message.h"

struct notes *notes_new(const struct row_set *const *set, unsigned nsets)
{
	struct notes *n = calloc(1, sizeof *n);

	if (!n)
		return NULL;
	n->note = calloc(nsets, sizeof *n->note);
	if (!n->note) {
		free(n);
		return NULL;
	}
	n->set = set;
	for (; n->nsets < nsets; n->nsets++) {
		n->note[n->nsets] = calloc(set[n->nsets]->n + 1, sizeof **n->note);
		if (!n->note[n->nsets]) {
			notes_free(n);
			return NULL;
		}
	}
	return n;
}

void notes_free(struct notes *n)
{
	if (!n)
		return;
	for (unsigned i = 0; i < n->nsets; i++)
		free(n->note[i]);
	free(n->note);
	free(n);
}

void notes_add(struct notes *n, unsigned set, const cpc_value_t *value)
{
	for (unsigned i = 0; i < n->set[set]->n; i++)
		notes_add_one(n, set, i, &value[i]);
}

/* A value that is always 0 is reported, so that the user does not take it for a count. */
static int is_zero(const char *how)
{
	return strncmp(how, "as 0", 4) == 0;
}

static const char *separator(const char *how)
{
	return *how ? ", counted " : "";
}

void notes_words(const char *name, const cpc_value_t *value, const char *how)
{
	const char *class = cpc_class_name(value->quality);

	how = how ? how : "";
	if (value->running < value->enabled)
		message_notef("%s: %s: counted %.2f %% of the time, the rest is "
			      "extrapolated%s%s",
			      name, class,
			      100.0 * (double)value->running / (double)value->enabled,
			      separator(how), how);
	else if (value->quality == CPC_SIMULATED && !is_zero(how))
		return; /* cpc_engine_notice() says so for all events */
	else if (value->quality == CPC_APPROXIMATE && !*how)
		message_notef(
			"%s: approximate: the stops for the tracer were taken off, but a "
			"program waits less often while it is traced; --summary "
			"counts without a tracer",
			name);
	else if (value->quality != CPC_EXACT)
		message_notef("%s: %s%s%s", name, class, separator(how), how);
	else if (*how)
		message_notef("%s: counted %s", name, how);
}

void notes_no_counters(const char *name, const char *how, unsigned n)
{
	how = how ? how : "";
	message_notef("%s: not counted%s%s: the kernel never found counters for it; %s",
		      name, separator(how), how,
		      n > 1 ? "ask for fewer events in its set"
			    : "perf or the NMI watchdog may hold them");
}

void notes_launcher(const char *program)
{
	const enum launcher_starter starter = launcher_starter(program);
	const char *tool = program_invocation_short_name;

	if (starter == LAUNCHER_COMMAND)
		message_notef("%s: only its ranks on this host are counted; for a report "
			      "of each rank run '%s ... %s -o FILE.%%r ... PROGRAM'",
			      program, program, tool);
	else if (starter == LAUNCHER_DAEMON)
		message_notef("%s: its ranks are not counted, because daemons start "
			      "them; run '%s ... %s -o FILE.%%r ... PROGRAM'",
			      program, program, tool);
}

void notes_columns(const struct row_set *set)
{
	struct textbuf b = {0};

	for (unsigned i = 0; i < set->n; i++) {
		textbuf_str(&b, i ? ", pic" : "pic");
		textbuf_num(&b, set->pic[i], 0);
		textbuf_str(&b, " is ");
		textbuf_str(&b, set->event[i]);
	}
	char *text = textbuf_end(&b);
	if (text)
		message_notef("no events were given: %s", text);
	free(text);
}

static void print_missing(const struct notes *n, const struct row_set *set, unsigned i,
			  const struct note *note, int simulated)
{
	const char *how = set->note[i] ? set->note[i] : "";

	if (n->uncounted)
		message_notef("%s: not counted: %s", set->event[i], n->uncounted);
	else if (simulated)
		message_notef(
			"%s: not counted in %lu of %lu rows: the program ran without the "
			"simulator",
			set->event[i], note->missing, note->rows);
	else if (n->absent)
		message_notef("%s: not counted in %lu of %lu rows: %s", set->event[i],
			      note->missing, note->rows, n->absent);
	else if (note->missing < note->rows)
		message_notef(
			"%s: not counted in %lu of %lu rows%s%s: the kernel found no "
			"counters for it then",
			set->event[i], note->missing, note->rows, separator(how), how);
	else
		notes_no_counters(set->event[i], how, set->n);
}

int notes_print(const struct notes *n, int simulated)
{
	int inexact = 0;

	for (unsigned s = 0; s < n->nsets; s++)
		for (unsigned i = 0; i < n->set[s]->n; i++) {
			const struct note *note = &n->note[s][i];

			if (note->missing > 0 &&
			    !breakpoint_is_named(n->set[s]->event[i]))
				print_missing(n, n->set[s], i, note, simulated);
			if (note->missing < note->rows)
				notes_words(n->set[s]->event[i], &note->all,
					    n->set[s]->note[i]);
			inexact |= note->missing > 0 || note->all.quality > CPC_SIMULATED;
		}
	return inexact;
}

void notes_skipped(unsigned long ticks)
{
	if (ticks == 1)
		message_notef("1 tick was skipped because it was late");
	else if (ticks)
		message_notef("%lu ticks were skipped because they were late", ticks);
}

void notes_waiting(pid_t first, unsigned more)
{
	char others[32] = "";

	if (more)
		snprintf(others, sizeof others, " and %u more", more);
	warnx("the command has ended; waiting for pid %d%s; send the signal again to "
	      "stop counting",
	      (int)first, others);
}

int notes_is_pipe(void)
{
	struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
	struct stat st;

	if (fstat(STDIN_FILENO, &st) == -1 || !S_ISFIFO(st.st_mode))
		return 0;
	return poll(&p, 1, 0) != 1 || !(p.revents & POLLHUP) || (p.revents & POLLIN);
}

void notes_pipe(int was_pipe)
{
	if (was_pipe && !notes_is_pipe())
		message_notef(
			"standard input was a pipe, which only one run can read, so "
			"that the others have read nothing; each run reads a file "
			"from the same place (< FILE)");
}
