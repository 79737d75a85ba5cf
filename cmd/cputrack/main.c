/* cputrack: count events of the LWPs of a process, after Solaris cputrack(1). */
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <libcpc.h>
#include <libpctx.h>
#include "base/file.h"
#include "base/program.h"
#include "common/catalog.h"
#include "common/chart.h"
#include "common/forward.h"
#include "common/info.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/out.h"
#include "common/recording.h"
#include "common/screen.h"
#include "common/repeat.h"
#include "common/status.h"
#include "options.h"
#include "pctx/control.h"
#include "rows.h"
#include "suite/screen/summary.h"
#include "table.h"
#include "total.h"
#include "track.h"
#include "tracker.h"

/* With -p the process already runs and cannot be simulated. */
static struct engine_choice choice_of(const struct options *o)
{
	return (struct engine_choice){
		.cpu = o->shared.cpu,
		.engine = o->shared.engine,
		.nspecs = o->nspecs,
		.spec = o->spec,
		.running = o->pid != 0,
		.places = 1,
		.machine = machine_chosen(&o->shared),
		.reproducible = o->shared.reproducible,
	};
}

/* Opens the engine that can count the sets of the -c options. Exits on failure. */
static struct sets *make_sets(const struct options *o, cpc_t **cpc)
{
	const struct engine_choice choice = choice_of(o);

	return info_open_sets(&o->shared, &choice, cpc);
}

/*
 * Starts the command, behind a launcher if the engine needs one. Returns what
 * pctx_create() returns. If the command's program cannot be executed, *status becomes the
 * exit status for this. Other errors leave *status as it is: EPERM, which means that
 * ptrace(2) failed, and a launcher that cannot be started.
 */
static pctx_t *start(const struct options *o, cpc_t *cpc, const struct sets *sets,
		     int *status)
{
	cpc_set_t **all = calloc(sets->n + 1, sizeof *all);
	pctx_t *pctx = NULL;

	if (!all)
		return NULL;
	for (unsigned i = 0; i < sets->n; i++)
		all[i] = sets->member[i].set;
	char *const *words = cpc_command(cpc, o->argv, sets->n, all);
	if (words)
		forward_block();
	if (words && words != o->argv)
		pctx = pctx_create_behind(words, NULL, o->debug, message_pctx);
	else if (words)
		pctx = pctx_create(o->argv[0], o->argv, NULL, o->debug, message_pctx);
	const int e = errno;
	if (!pctx && e != EPERM && (!words || words == o->argv))
		*status = status_of_exec(e);
	free(all);
	errno = e;
	return pctx;
}

/*
 * Starts the command or attaches to -p. On failure returns NULL with the exit status in
 * *status.
 */
static pctx_t *take_control(const struct options *o, cpc_t *cpc, const struct sets *sets,
			    int *status)
{
	message_watch();
	*status = EXIT_TOOL;
	if (o->pid) {
		pctx_t *pctx = pctx_capture(o->pid, NULL, o->debug, message_pctx);

		if (!pctx && !message_came())
			warn("failed to capture pid %d", (int)o->pid);
		return pctx;
	}
	pctx_t *pctx = start(o, cpc, sets, status);
	if (!pctx && !message_came())
		warn("failed to start program '%s'", o->argv[0]);
	return pctx;
}

/*
 * Ends a run that a signal, an error of the output or an LWP that could not be counted
 * has interrupted. Returns the exit status.
 */
static int finish_interrupted(struct track *t)
{
	const struct options *o = t->options;
	int status;

	if (!t->started || t->refused)
		return EXIT_TOOL;
	if (!t->out->error && forward_stopped()) {
		track_detach(t);
		if (!t->out->error && o->pid)
			return 0;
		if (!t->out->error)
			return t->ended ? status_of_wait(t->status)
					: 128 + forward_stopped();
	}
	if (!o->pid && forward_wait(t->pctx, &status) == 0)
		track_compare(t);
	return EXIT_TOOL;
}

static int run(struct track *t)
{
	const struct options *o = t->options;
	const int r = track_run(t);

	if (r == -1 && (t->failed || t->out->error || forward_stopped()))
		return finish_interrupted(t);
	if (t->exec_not_followed)
		total_exec_left(t->root);
	if (r == -1 || t->failed)
		return EXIT_TOOL;
	if (o->pid && !t->started) {
		warnx("pid %d ended before it could be counted", (int)o->pid);
		return EXIT_TOOL;
	}
	return o->pid || !t->ended ? 0 : status_of_wait(t->status);
}

/* Prints the notes about the counts. Returns whether a count is not exact. */
static int print_notes(const struct track *t)
{
	if (t->refused)
		return 0;
	const unsigned of_run = cpc_run_notes(t->cpc, NULL, message_note);
	const int of_turns = rows_print_turns(t);

	const unsigned of_names = named_notes(t->named, NULL, message_note);

	return (t->notes && notes_print(t->notes, cpc_engine_notice(t->cpc) != NULL)) ||
	       of_run || of_turns || of_names || t->missed;
}

/* So many stops for signals take a noticeable time. */
enum { MANY_SIGNALS = 1000 };

static void note_signals(const struct options *o, unsigned long stops)
{
	if (stops >= MANY_SIGNALS)
		message_notef("the tracer stopped the program %lu times for signals, "
			      "which made it slower%s",
			      stops,
			      o->pid ? "" : "; --tracker=records -T 0 does not stop it");
}

/* Writes the end of the recording. */
static void end_recording(const struct track *t, pctx_t *pctx, int status)
{
	int signal = forward_stopped();

	if (t->ended)
		recording_ended(t->recording, t->status, NULL);
	if (!signal && t->ended)
		signal = status_signal(t->status);
	recording_end(t->recording, status, signal, pctx_skipped(pctx));
}

/* Counts the command or process. Returns the exit status. */
static int count(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out,
		 struct recording *recording)
{
	struct track track;
	int status = EXIT_TOOL;

	pctx_t *pctx = take_control(o, cpc, sets, &status);
	if (!pctx)
		return status;
	forward_begin(pctx, o->pid ? 0 : pctx_pid(pctx));
	if (cpc_engine_notice(cpc))
		message_notef("%s", cpc_engine_notice(cpc));
	/* The program has inherited the old limit of open files already. */
	file_raise_limit(0);
	if (track_open(&track, o, cpc, sets, out, recording) == -1 ||
	    track_adopt(&track, pctx, pctx_pid(pctx)) == -1)
		warn("cannot count pid %d", (int)pctx_pid(pctx));
	else
		status = run(&track);
	recording_complete(recording);
	notes_skipped(pctx_skipped(pctx));
	note_signals(o, pctx_signal_stops(pctx));
	if (!o->pid && track.started)
		notes_launcher(o->argv[0]);
	if ((print_notes(&track) && o->shared.strict) ||
	    (cpc_run_failed(cpc) && !forward_stopped()))
		status = EXIT_TOOL;
	if (track.refused)
		status = EXIT_USAGE;
	end_recording(&track, pctx, status);
	const int released =
		o->pid || track.ended || (track.started && !forward_stopped());
	track_close(&track);
	forward_end();
	if (released)
		pctx_release(pctx);
	else
		pctx_kill(pctx);
	return status;
}

/* What takes the text: a summary, a chart and a table of threads are blocks. */
static struct sink *make_text_sink(const struct options *o, const char *what,
				   const struct row_style *style, struct screen *screen)
{
	struct out *out = screen->out;
	const struct sink_output output = {out, out_write};

	if (o->chart)
		return chart_sink(ROW_LWPS, o->follow_fork, screen);
	if (o->threads)
		return table_new(o, screen, NULL);
	if (o->shared.summary)
		return summary_sink(what, isatty(out->fd), output);
	return recording_lines(style, !o->no_title, out);
}

static struct sink *make_sink(const struct options *o, const char *what,
			      const struct sets *sets, struct screen *screen)
{
	const struct row_style style = track_style(o, sets);
	struct sink *sink;

	if (o->shared.format == TEXT_PLAIN)
		sink = make_text_sink(o, what, &style, screen);
	else
		sink = recording_lines(&style, !o->no_title, screen->out);
	if (sink && o->threads && o->shared.format != TEXT_PLAIN)
		sink = table_new(o, screen, sink);
	if (!sink)
		err(EXIT_TOOL, "cannot prepare the output");
	return sink;
}

/*
 * Counts by records of the kernel or by BPF programs. Returns the exit status; or -1 if a
 * tracer is to count, because the options choose it or neither of the others can do what
 * they ask for. terminal: the output is a terminal.
 */
static int count_untraced(const struct options *o, cpc_t *cpc, struct sets *sets,
			  struct out *out, struct recording *r, int terminal)
{
	static const struct {
		enum tracker tracker;
		enum lifetimes_by by;
	} ways[] = {{TRACKER_RECORDS, LIFETIMES_BY_RECORDS},
		    {TRACKER_BPF, LIFETIMES_BY_BPF}};
	char reason[1024];

	for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		const enum lifetimes_by by = ways[i].by;
		const char *const name = options_tracker_name(ways[i].tracker);

		if (o->tracker != TRACKER_AUTO && o->tracker != ways[i].tracker)
			continue;
		const char *obstacle = tracker_obstacle(o, cpc, sets, by, terminal);
		if (!obstacle && tracker_wanted(o, sets, by)) {
			r->run.tracker = name;
			const int status = total_count_lwps(o, cpc, sets, by, out, r,
							    reason, sizeof reason);
			if (status != -1)
				return status;
			obstacle = reason;
		}
		if (o->tracker == ways[i].tracker) {
			warnx("--tracker=%s: %s", name, obstacle);
			return EXIT_TOOL;
		}
	}
	return -1;
}

/* Counts inherited totals, or LWPs without or with a tracer. Returns the exit status. */
static int count_by(const struct options *o, cpc_t *cpc, struct sets *sets,
		    struct out *out, struct recording *r, int terminal)
{
	char path[PATH_MAX];
	int status = -1;

	if (o->shared.summary && !o->pid && !tracker_looks_names_up(sets))
		return total_count(o, cpc, sets, out, r);
	/* start() reports a program that does not exist, whatever the tracker. */
	if (o->pid || program_find(o->argv[0], path) == 0)
		status = count_untraced(o, cpc, sets, out, r, terminal);
	if (status != -1)
		return status;
	r->run.tracker = options_tracker_name(TRACKER_PTRACE);
	return count(o, cpc, sets, out, r);
}

static int record(const struct options *o, cpc_t *cpc, struct sets *sets, struct out *out)
{
	char *const command = o->pid ? NULL : recording_join(o->argv);
	char process[32];
	struct screen screen;
	struct recording r;

	if (!o->pid && !command)
		err(EXIT_TOOL, "cannot store the command");
	snprintf(process, sizeof process, "process %d", (int)o->pid);
	screen_open(&screen, out);
	recording_open(&r, &o->shared, cpc,
		       make_sink(o, command ? command : process, sets, &screen));
	if (o->chart)
		forward_on_resize(chart_resize, r.sink);
	if (o->threads)
		forward_on_resize(table_redraw, r.sink);
	r.run.command = command;
	r.run.interval_ns = o->msec * INT64_C(1000000);
	if (!o->nspecs && !o->shared.summary && !o->chart && !o->threads)
		notes_columns(&sets->member[0].show);
	const int status = count_by(o, cpc, sets, out, &r, screen.terminal);
	recording_close(&r);
	free(command);
	return status;
}

static int count_into(const struct options *o, cpc_t *cpc, struct sets *sets)
{
	struct out out;

	if (out_open(&out, o->output, STDOUT_FILENO, "standard output") == -1)
		return EXIT_TOOL;
	const int status = record(o, cpc, sets, &out);
	return out_finish(&out) == -1 ? EXIT_TOOL : status;
}

static int repeat(const struct options *o)
{
	const struct engine_choice choice = choice_of(o);
	struct out out;

	if (out_open(&out, o->output, STDOUT_FILENO, "standard output") == -1)
		return EXIT_TOOL;
	const int status = repeat_run(&o->shared, &choice, NULL, o->argv, &out);
	return out_finish(&out) == -1 ? EXIT_TOOL : status;
}

static int measure(const struct options *o)
{
	cpc_t *cpc;
	struct sets *sets = make_sets(o, &cpc);
	const int status = count_into(o, cpc, sets);

	sets_free(sets);
	cpc_close(cpc);
	return status;
}

static int explain(const struct options *o)
{
	struct explain_options request = {.choice = choice_of(o)};

	return info_explain(&o->shared, &request);
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	out_prepare();
	options_parse(&o, argc, argv);
	message_debug(o.debug);
	if (o.capabilities)
		status = info_capabilities(&o.shared);
	else if (o.shared.show == OPTIONS_SHOW_EXPLAIN)
		status = explain(&o);
	else if (o.shared.show == OPTIONS_SHOW_LIST)
		status = catalog_show(&o.shared, NULL);
	else if (o.shared.show)
		status = info_show(&o.shared);
	else
		status = o.shared.series.on ? repeat(&o) : measure(&o);
	free(o.spec);
	free(o.output);
	options_shared_free(&o.shared);
	return status;
}
