#include "whole.h"

#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <libpctx.h>
#include "base/clock.h"
#include "message.h"
#include "status.h"

/* An exec that fails takes less processor time, ns. */
static const int64_t longest_exec_ns = 20000000;

int whole_open(struct whole *w, cpc_t *cpc, unsigned n, cpc_set_t *const *set)
{
	*w = (struct whole){.cpc = cpc,
			    .n = n,
			    .set = set,
			    .pid = -1,
			    .child = {.pid = -1, .process.fd = -1, .fd = -1}};
	w->sample = calloc(n, sizeof *w->sample);
	if (!w->sample)
		return -1;
	for (unsigned i = 0; i < n; i++) {
		w->sample[i] = set[i] ? cpc_buf_create(cpc, set[i]) : NULL;
		if (set[i] && !w->sample[i])
			return -1;
	}
	return 0;
}

void whole_close(struct whole *w)
{
	uncounted_end(&w->uncounted);
	if (w->pid != -1)
		child_end(&w->child);
	lifetimes_close(w->lives);
	for (unsigned i = 0; w->sample && i < w->n; i++)
		if (w->sample[i])
			cpc_buf_destroy(w->cpc, w->sample[i]);
	free(w->sample);
}

static int started(struct whole *w, int rc)
{
	if (rc == -1)
		warn("cannot start '%s'", w->command[0]);
	else
		w->pid = w->child.pid;
	return rc;
}

int whole_start(struct whole *w, char *const *command, char *const *argv, int user)
{
	w->command = command;
	w->argv = argv;
	w->uncounted.why = uncounted_program(command[0]);
	return started(w, child_start(&w->child, argv, user));
}

int whole_start_again(struct whole *w, char *const *command, char *const *argv,
		      const char *uncounted)
{
	w->command = command;
	w->argv = argv;
	w->uncounted.why = uncounted;
	return started(w, child_start_sharing(&w->child, argv));
}

const char *whole_obstacle(cpc_t *cpc, int looks_up, const char *program,
			   enum lifetimes_by by)
{
	if (cpc_engine_notice(cpc))
		return "a simulated program is not counted by the kernel";
	if (looks_up)
		return "a breakpoint at a name needs a tracer, which looks the name up";
	if (by == LIFETIMES_BY_RECORDS && uncounted_program(program))
		return "the kernel ends the records of this program at its exec, as it "
		       "is set-id, privileged or unreadable";
	return NULL;
}

/* The reason is what the library has reported or, if it has reported nothing, errno. */
static void take_reason(char *reason, size_t size)
{
	const char *text = message_capture_text();

	snprintf(reason, size, "%s", *text ? text : strerror(errno));
}

static int check_lives(const struct whole *w, enum lifetimes_by by, char *reason,
		       size_t size)
{
	message_capture_begin();
	const int rc = lifetimes_check(w->cpc, by);
	message_capture_end();
	if (rc == -1)
		take_reason(reason, size);
	return rc;
}

static int start_recorded(struct whole *w, const struct whole_lives *how, char *reason,
			  size_t size)
{
	if (check_lives(w, how->by, reason, size) == -1)
		return -1;
	if (child_hold(&w->child, w->argv) == -1) {
		snprintf(reason, size, "no process can be created: %s", strerror(errno));
		return -1;
	}
	const struct engine_tree tree = {.holder = w->child.holder.pid,
					 .follow_fork = how->follow_fork,
					 .follow_exec = how->follow_exec};
	message_capture_begin();
	w->lives = lifetimes_open(w->cpc, how->by, &tree, w->n, w->set);
	message_capture_end();
	if (!w->lives) {
		take_reason(reason, size);
		return -1;
	}
	if (!lifetimes_has_end(w->lives, holder_probe(&w->child.holder))) {
		snprintf(reason, size, "%s", lifetimes_no_end);
		return -1;
	}
	if (child_start_held(&w->child) == 0)
		return 0;
	snprintf(reason, size, "no process can be created: %s", strerror(errno));
	return -1;
}

int whole_start_recorded(struct whole *w, char *const *command, char *const *argv,
			 const struct whole_lives *how, char *reason, size_t size)
{
	w->command = command;
	w->argv = argv;
	w->uncounted.why = uncounted_program(command[0]);
	w->counts_all = how->by == LIFETIMES_BY_BPF;
	const int rc = start_recorded(w, how, reason, size);
	if (rc == 0)
		w->pid = w->child.pid;
	else
		child_abandon(&w->child);
	return rc;
}

int whole_bind(const struct whole *w, unsigned i)
{
	return cpc_bind_child(w->cpc, w->pid, w->set[i], CPC_BIND_TREE | CPC_BIND_EXEC);
}

int whole_go(struct whole *w)
{
	if (!w->counts_all)
		uncounted_begin(&w->uncounted, w->cpc, w->pid);
	/* Afterwards the command may run before this process does. */
	w->begun = clock_ns();
	w->begun_unix = clock_unix_ns();
	if (child_go(&w->child) == 0)
		return 0;
	warn("cannot start '%s'", w->command[0]);
	return -1;
}

/*
 * If the file of a program is damaged, the kernel may kill the process in its exec, when
 * it cannot return any more. The process looks as if the program had begun and had been
 * killed, so another exec is tried, which ends before the first instruction.
 */
static int is_damaged(const struct whole *w)
{
	const int sig = status_signal(w->child.status);

	if ((sig != SIGSEGV && sig != SIGKILL) || w->child.use.ns > longest_exec_ns ||
	    w->argv != w->command)
		return 0;
	message_capture_begin();
	pctx_t *pctx = pctx_create(w->command[0], w->command, NULL, 0, message_pctx);
	const int damaged = !pctx && errno == ECHILD;
	message_capture_end();
	pctx_kill(pctx);
	if (damaged)
		message_print(message_capture_text());
	return damaged;
}

int whole_not_begun(struct whole *w)
{
	const int error = child_exec_error(&w->child);

	if (error)
		return status_not_executed(w->argv[0], w->argv != w->command, error);
	return is_damaged(w) ? EXIT_CANNOT_EXECUTE : 0;
}

int whole_ended_early(const struct whole *w)
{
	return !lifetimes_lost(w->lives) && w->child.pid == -1 &&
	       WIFSIGNALED(w->child.status);
}

unsigned whole_sample(const struct whole *w)
{
	if (w->lives)
		return lifetimes_total(w->lives, w->sample) == 0 ? w->n : 0;
	for (unsigned i = 0; i < w->n; i++)
		if (w->set[i] && cpc_set_sample(w->cpc, w->set[i], w->sample[i]) == -1)
			return i;
	return w->n;
}

/* Returns the time for which the sets were counted until the last sample, ns. */
static uint64_t enabled(const struct whole *w)
{
	uint64_t most = 0;

	for (unsigned i = 0; i < w->n; i++) {
		cpc_value_t v;

		if (w->set[i] && cpc_buf_value(w->cpc, w->sample[i], 0, &v) == 0 &&
		    v.enabled > most)
			most = v.enabled;
	}
	return most;
}

enum uncounted_part whole_uncounted(const struct whole *w, char *words, size_t size)
{
	if (w->counts_all)
		return UNCOUNTED_NOTHING;
	return uncounted_check(&w->uncounted, &w->child.use, enabled(w), words, size);
}

void whole_value(const struct whole *w, unsigned set, unsigned request,
		 enum uncounted_part part, cpc_value_t *v)
{
	cpc_buf_value(w->cpc, w->sample[set], (int)request, v);
	if (part == UNCOUNTED_ALL)
		*v = (cpc_value_t){.quality = CPC_UNAVAILABLE};
	else if (part == UNCOUNTED_SOME && v->quality < CPC_APPROXIMATE)
		v->quality = CPC_APPROXIMATE;
}
