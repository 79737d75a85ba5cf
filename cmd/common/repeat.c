#include "repeat.h"

#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/file.h"
#include "engine/breakpoint.h"
#include "base/shell.h"
#include "cpc/session.h"
#include "info.h"
#include "message.h"
#include "notes.h"
#include "recording.h"
#include "status.h"
#include "suite/series/interpreter.h"
#include "suite/series/stop.h"
#include "repeat_gate.h"
#include "repeat_report.h"
#include "whole.h"

/* A simulation counts the same in each run, and its time is not that of the program. */
static int is_simulated(const struct repeat *r)
{
	return cpc_engine_notice(r->cpc) != NULL;
}

/* What a model has counted is a count; what the kernel has counted is not. */
static enum runs_kind kind_of(const struct repeat *r, unsigned set, unsigned request)
{
	const enum source source = sets_source(&r->sets->member[set], request);

	return is_simulated(r) && (source == SOURCE_COUNTER || source == SOURCE_COSTS)
		       ? RUNS_COUNT
		       : RUNS_NOISY;
}

/* Show set i by the names of perfex. */
static void rename_set(struct row_set *show, const struct repeat_names *names, unsigned i)
{
	if (!names || show->n != 1)
		return;
	show->event = &names->event[i];
	show->number = &names->number[i];
	show->label = &names->label[i];
}

static void make_events(struct repeat *r, const struct repeat_names *names)
{
	unsigned n = 0;

	for (unsigned i = 0; i < r->sets->n; i++)
		n += r->sets->member[i].show.n;
	r->event = calloc(n + 1, sizeof *r->event);
	r->set = calloc(r->sets->n, sizeof *r->set);
	r->show = calloc(r->sets->n, sizeof *r->show);
	r->shown = calloc(r->sets->n, sizeof *r->shown);
	if (!r->event || !r->set || !r->show || !r->shown)
		repeat_no_memory();
	for (unsigned i = 0; i < r->sets->n; i++) {
		struct row_set *show = &r->show[i];

		*show = r->sets->member[i].show;
		rename_set(show, names, i);
		r->set[i] = r->sets->member[i].set;
		r->shown[i] = show;
		for (unsigned k = 0; k < show->n; k++)
			r->event[r->nevents++] =
				(struct runs_event){.name = show->event[k],
						    .mode = show->mode[k],
						    .unit = show->unit[k],
						    .kind = kind_of(r, i, k)};
	}
	if (!is_simulated(r))
		r->event[r->nevents++] =
			(struct runs_event){.name = "elapsed", .unit = "ns"};
	r->notes = notes_new(r->shown, r->sets->n);
	if (!r->notes)
		repeat_no_memory();
}

static void make_arm(struct repeat *r, char *const *argv)
{
	struct arm *a = &r->arm[r->narms++];

	a->argv = argv;
	a->command = recording_join(argv);
	if (!a->command)
		repeat_no_memory();
}

/* Only files have the facts, and they take time to find. */
static void find_facts(const struct repeat *r)
{
	const struct options_series *o = &r->s->series;
	char *cwd;

	for (unsigned i = 0; i < r->narms; i++) {
		facts_none(&r->arm[i].facts);
		r->arm[i].interpreter =
			is_simulated(r) ? interpreter_of(r->arm[i].argv) : NULL;
	}
	if (!o->save && !o->baseline && r->s->format != TEXT_JSON)
		return;
	cwd = getcwd(NULL, 0);
	for (unsigned i = 0; i < r->narms; i++)
		facts_find(&r->arm[i].facts, r->arm[i].argv, environ, cwd);
	free(cwd);
}

/*
 * The events are known: make room for their values, and find out whether the kernel will
 * count the command.
 */
static void prepare_arm(const struct repeat *r, struct arm *a)
{
	a->why = is_simulated(r) ? NULL : uncounted_program(a->argv[0]);
	a->value = calloc(r->nevents + 1, sizeof *a->value);
	a->quality = calloc(r->nevents + 1, sizeof *a->quality);
	a->series = (struct runs){
		.command = a->command, .nevents = r->nevents, .event = r->event};
	if (!a->value || !a->quality)
		repeat_no_memory();
}

/* The references of --vs come first. */
static void make_arms(struct repeat *r, char *const *argv)
{
	const struct options_series *o = &r->s->series;

	r->arm = calloc(o->nvs + 1, sizeof *r->arm);
	if (!r->arm)
		repeat_no_memory();
	for (unsigned i = 0; i < o->nvs; i++) {
		char **words = shell_words(o->vs[i]);

		if (!words)
			repeat_no_memory();
		make_arm(r, words);
		r->arm[i].words = words;
	}
	make_arm(r, argv);
}

/* Print once for each command what the kernel has not counted. */
static void note_uncounted(struct arm *a, enum uncounted_part part, const char *words)
{
	if (!a->uncounted && part == UNCOUNTED_ALL)
		message_notef("%s: not counted: %s", a->command, words);
	else if (!a->uncounted)
		message_notef("%s: approximate, counted %s", a->command, words);
	a->uncounted = 1;
}

/* Store the values of a run that has ended. */
static int read_run(struct repeat *r, struct whole *w, struct arm *a, int64_t elapsed)
{
	const unsigned read = whole_sample(w);
	char words[160];
	unsigned n = 0;

	if (read < r->sets->n) {
		warn("cannot read the counts of '%s'", a->command);
		return -1;
	}
	const enum uncounted_part part = whole_uncounted(w, words, sizeof words);
	if (part != UNCOUNTED_NOTHING)
		note_uncounted(a, part, words);
	for (unsigned i = 0; i < r->sets->n; i++)
		for (unsigned k = 0; k < r->shown[i]->n; k++) {
			cpc_value_t v;

			whole_value(w, i, k, part, &v);
			if (part == UNCOUNTED_NOTHING)
				notes_add_one(r->notes, i, k, &v);
			a->value[n] = v.value;
			a->quality[n++] = v.quality;
		}
	a->cpu = w->child.use.ns;
	if (!is_simulated(r)) {
		a->value[n] = (uint64_t)elapsed;
		a->quality[n] = CPC_EXACT;
	}
	return 0;
}

static int start_run(struct repeat *r, struct whole *w, const struct arm *a)
{
	int failed = 0;
	char *const *argv = repeat_gate_command(r, a, &failed);

	if (!argv)
		return failed;
	if (whole_start_again(w, a->argv, argv, a->why) == -1)
		return EXIT_TOOL;
	for (unsigned i = 0; i < r->sets->n; i++)
		if (whole_bind(w, i) == -1) {
			if (!message_came())
				warn("cannot count '%s'", a->command);
			return EXIT_TOOL;
		}
	return whole_go(w) == -1 ? EXIT_TOOL : 0;
}

/* Wait for the end of the run. Returns the exit status of the tool, or 0. */
static int await_run(struct repeat *r, struct whole *w, struct arm *a)
{
	enum child_event ev;

	while ((ev = child_next(&w->child, 0)) == CHILD_WARNED)
		;
	const int64_t elapsed = clock_ns() - w->begun;
	if (ev != CHILD_ENDED) {
		r->interrupted = SIGINT;
		return 0;
	}
	const int not_begun = whole_not_begun(w);
	if (not_begun)
		return not_begun;
	r->interrupted = w->child.passed;
	return read_run(r, w, a, elapsed) == -1 ? EXIT_TOOL : 0;
}

/* Each run reads standard input from the same place, if that is possible. */
static void rewind_input(const struct repeat *r)
{
	if (r->input != -1)
		lseek(STDIN_FILENO, r->input, SEEK_SET);
}

/*
 * Run a command once. Returns 0, with *ending; or the exit status of the tool, after a
 * message, if the run was not counted.
 */
static int run_once(struct repeat *r, struct arm *a, struct runs_ending *ending)
{
	struct whole w;

	rewind_input(r);
	if (whole_open(&w, r->cpc, r->sets->n, r->set) == -1)
		repeat_no_memory();
	int failed = start_run(r, &w, a);
	if (!failed)
		failed = await_run(r, &w, a);
	*ending = (struct runs_ending){.signal = status_signal(w.child.status),
				       .status = WEXITSTATUS(w.child.status)};
	whole_close(&w);
	for (unsigned i = 0; i < r->sets->n; i++)
		cpc_unbind(r->cpc, r->set[i]);
	if (!failed && cpc_run_failed(r->cpc) && !r->interrupted)
		failed = EXIT_TOOL;
	return failed;
}

/* The first run of each command warms the caches of the machine, and is not shown. */
static int warm_up(struct repeat *r)
{
	for (unsigned i = 0; i < r->narms && !r->interrupted; i++) {
		const int failed = run_once(r, &r->arm[i], &r->arm[i].series.ending);

		if (failed)
			return failed;
	}
	return 0;
}

/* Returns whether a run ended as those before it; else after a message. */
static int is_alike(const struct arm *a, const struct runs_ending *ending)
{
	struct textbuf b = {0};

	if (runs_status(ending) == runs_status(&a->series.ending))
		return 1;
	textbuf_char(&b, '\'');
	textbuf_str(&b, a->command);
	textbuf_str(&b, "' ");
	runs_put_ending(&b, ending);
	textbuf_str(&b, ", and before it ");
	runs_put_ending(&b, &a->series.ending);
	char *text = textbuf_end(&b);
	warnx("%s: the runs are not alike", text ? text : a->command);
	free(text);
	return 0;
}

static void keep_run(struct arm *a)
{
	const size_t n = a->series.n;

	if (array_grow(&a->cpu_ns, n, sizeof *a->cpu_ns) == -1)
		repeat_no_memory();
	a->cpu_ns[n] = a->cpu > 0 ? (uint64_t)a->cpu : 0;
	if (runs_add(&a->series, a->value, a->quality) == -1)
		repeat_no_memory();
}

/* Run a command once, which ends as it did before, or fails. */
static int run_again(struct repeat *r, struct arm *a)
{
	struct runs_ending ending;
	const int failed = run_once(r, a, &ending);

	if (failed || r->interrupted)
		return failed;
	return is_alike(a, &ending) ? 0 : EXIT_TOOL;
}

/* Run each command once, in an order that is drawn. Returns 0, or the tool's status. */
static int run_round(struct repeat *r, struct runs_order *order)
{
	unsigned at[r->narms];

	runs_draw_order(order, at, r->narms);
	for (unsigned i = 0; i < r->narms; i++) {
		const int failed = run_again(r, &r->arm[at[i]]);

		if (failed || r->interrupted)
			return failed;
	}
	for (unsigned i = 0; i < r->narms; i++)
		keep_run(&r->arm[i]);
	return 0;
}

/* Are the rounds so far enough? */
static int is_enough(const struct repeat *r)
{
	const struct options_series *o = &r->s->series;
	const struct stop stop = {.rounds = o->runs,
				  .is_count = is_simulated(r),
				  .seconds = o->seconds,
				  .width = o->precision,
				  .alpha = o->alpha};
	const struct runs *command[r->narms];

	for (unsigned i = 0; i < r->narms; i++)
		command[i] = &r->arm[i].series;
	const int due = stop_is_due(&stop, command, r->narms,
				    (double)(clock_ns() - r->start) / 1e9);
	if (due == -1)
		repeat_no_memory();
	return due;
}

/* Returns 0, or the tool's status after a message. */
static int run_all(struct repeat *r)
{
	const struct options_series *o = &r->s->series;
	char before[512], after[512];
	int failed = warm_up(r);

	file_read(before, sizeof before, "/proc/stat");
	r->start = clock_ns();
	r->unix_ns = clock_unix_ns();
	progress_begin(&r->progress, r->start);
	r->seed = o->has_seed ? o->seed : (uint64_t)r->unix_ns;
	struct runs_order order = {r->seed};
	for (size_t n = 0; !failed && !r->interrupted && !is_enough(r);) {
		failed = run_round(r, &order);
		n += !failed && !r->interrupted;
		progress_show(&r->progress, n, r->narms > 1 ? "rounds" : "runs");
	}
	progress_end(&r->progress);
	file_read(after, sizeof after, "/proc/stat");
	r->stolen = warnings_stolen(before, after);
	return failed;
}

static int print_notes(const struct repeat *r)
{
	const char *notice = cpc_engine_notice(r->cpc);
	int incomplete = 0;

	for (unsigned i = 0; i < r->narms; i++)
		incomplete |= r->arm[i].uncounted | r->arm[i].unnamed;
	if (notice)
		message_notef("%s", notice);
	return incomplete | cpc_run_notes(r->cpc, NULL, message_note) |
	       notes_print(r->notes, notice != NULL);
}

static void free_all(struct repeat *r)
{
	for (unsigned i = 0; i < r->narms; i++) {
		struct arm *a = &r->arm[i];

		runs_free(&a->series);
		where_free(a->where);
		free(a->words);
		free(a->command);
		free(a->value);
		free(a->cpu_ns);
		free(a->quality);
	}
	free(r->arm);
	notes_free(r->notes);
	free(r->shown);
	free(r->show);
	free(r->set);
	free(r->event);
	free(r->not_gated);
	saved_free(&r->saved);
	sets_free(r->sets);
	cpc_close(r->cpc);
}

/* Run a command once more, with counts by function. */
static int run_where(struct repeat *r, struct arm *a)
{
	const int failed = run_again(r, a);

	return failed || r->interrupted ? failed : repeat_gate_read_where(r, a);
}

/* --where: run each command once more. Returns 0, or the tool's status. */
static int run_all_where(struct repeat *r)
{
	int failed = 0;

	session_set_by_code(r->cpc, 1);
	for (unsigned i = 0; i < r->narms && !failed && !r->interrupted; i++)
		failed = run_where(r, &r->arm[i]);
	return failed;
}

/* A tracer looks names up in each process; repeated runs have no tracer. */
static void refuse_names(const struct repeat *r)
{
	for (unsigned i = 0; i < r->nevents; i++)
		if (breakpoint_is_named(r->event[i].name))
			options_bad_long(
				r->s->command,
				"%s: --repeat and --vs cannot count it, as a name is "
				"looked up in each process; give an address",
				r->event[i].name);
}

int repeat_run(const struct options_shared *s, const struct engine_choice *choice,
	       const struct repeat_names *names, char *const *argv, struct out *out)
{
	struct repeat r = {.s = s, .is_pipe = notes_is_pipe()};

	r.input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	make_arms(&r, argv);
	r.sets = info_open_sets(s, choice, &r.cpc);
	make_events(&r, names);
	refuse_names(&r);
	for (unsigned i = 0; i < r.narms; i++)
		prepare_arm(&r, &r.arm[i]);
	find_facts(&r);
	repeat_gate_prepare(&r);
	repeat_save_prepare(&r);
	int status = run_all(&r);
	if (s->series.where && !status && !r.interrupted)
		status = run_all_where(&r);
	r.failed = status != 0;
	if (!r.failed)
		status = r.interrupted ? 128 + r.interrupted
				       : runs_status(&r.arm[r.narms - 1].series.ending);
	notes_pipe(r.is_pipe);
	if (!r.failed && print_notes(&r) && s->strict)
		status = EXIT_TOOL;
	status = repeat_gate_status(&r, status);
	if (r.arm[r.narms - 1].series.n > 0 || r.interrupted)
		repeat_report(&r, out, status);
	if (repeat_save(&r, status) == -1 && !r.interrupted)
		status = EXIT_TOOL;
	free_all(&r);
	return status;
}
