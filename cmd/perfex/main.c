/* perfex: count events of a command, after IRIX perfex(1). */
#include <err.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/program.h"
#include "common/info.h"
#include "common/machine.h"
#include "common/message.h"
#include "common/notes.h"
#include "common/out.h"
#include "common/repeat.h"
#include "common/forward.h"
#include "common/status.h"
#include "irix/costs.h"
#include "events.h"
#include "options.h"
#include "recorded.h"
#include "run.h"
#include "set_list.h"
#include "show.h"
#include "threads.h"
#include "total.h"

/*
 * Records have no report of each program that a process executes, so that they must be
 * asked for. BPF programs have the reports of a tracer.
 */
static int suits_bpf(const struct run *run)
{
	char path[PATH_MAX];

	return run->o->tracker == TRACKER_BPF ||
	       (run->o->tracker == TRACKER_AUTO && sets_suit_cpus(run->s->sets) &&
		program_find(run->o->argv[0], path) == 0);
}

/* Count each thread. Returns the exit status. */
static int count_threads(struct run *run)
{
	const int by_bpf = suits_bpf(run);
	char reason[1024];

	if (by_bpf || run->o->tracker == TRACKER_RECORDS) {
		run->recording.run.tracker =
			options_tracker_name(by_bpf ? TRACKER_BPF : TRACKER_RECORDS);
		const int status = recorded_run(
			run, by_bpf ? LIFETIMES_BY_BPF : LIFETIMES_BY_RECORDS, reason,
			sizeof reason);
		if (status != -1)
			return status;
		if (run->o->tracker != TRACKER_AUTO) {
			warnx("--tracker=%s: %s", run->recording.run.tracker, reason);
			return EXIT_TOOL;
		}
	}
	run->recording.run.tracker = options_tracker_name(TRACKER_PTRACE);
	return threads_run(run);
}

/* Notes are printed only if the command ran. */
static int count(const struct options *o, struct set_list *s, struct out *out,
		 const struct costs *costs)
{
	struct run run;
	int status;

	if (run_open(&run, o, s, out, costs, &status) == -1)
		return status;
	if (o->mode == MODE_THREADS)
		status = count_threads(&run);
	else if (set_list_named(s))
		status = threads_run(&run);
	else
		status = total_run(&run);
	if (run.start)
		notes_launcher(o->argv[0]);
	if (run.start && (set_list_notes(s) || run.unnamed) && o->shared.strict)
		status = EXIT_TOOL;
	if (run.start && cpc_run_failed(s->cpc) && !forward_stopped())
		status = EXIT_TOOL;
	run_end(&run, status);
	run_close(&run);
	return status;
}

static const struct costs *load_costs(const char *name)
{
	struct costs_error error;
	const struct costs *c = costs_load(name, &error);

	if (!c && error.line)
		errx(EXIT_USAGE, "%s:%u: %s", name, error.line, error.text);
	if (!c)
		err(EXIT_TOOL, "'%s' is %s", name, error.text);
	return c;
}

/* Return the table of costs of -y and -t for costs_free(). Exits after a message. */
static const struct costs *costs_open(const struct options *o)
{
	const struct costs *c = o->costs ? load_costs(o->costs) : costs_of(o->shared.cpu);

	if (!c)
		errx(EXIT_TOOL, "no table of costs for %s; -c FILE names one",
		     o->shared.cpu);
	if (strcmp(c->cpu, o->shared.cpu) != 0)
		errx(EXIT_USAGE,
		     "%s: this table has costs of %s, but the events are of %s", o->costs,
		     c->cpu, o->shared.cpu);
	return c;
}

static int repeat_events(const struct options *o, const struct events *events)
{
	const char *spec[events->n], *event[events->n], *label[events->n];
	int number[events->n];
	struct out out;

	for (unsigned i = 0; i < events->n; i++) {
		spec[i] = events->event[i].spec;
		event[i] = events->event[i].name;
		label[i] = events->event[i].label;
		number[i] = events->event[i].number;
	}
	const struct repeat_names names = {event, number, label};
	const struct engine_choice choice = {
		.engine = o->shared.engine,
		.nspecs = events->n,
		.spec = spec,
		.places = 1,
		.machine = machine_chosen(&o->shared),
		.reproducible = o->shared.reproducible,
	};
	if (out_open(&out, o->output, STDERR_FILENO, "standard error") == -1)
		exit(EXIT_TOOL);
	const int status = repeat_run(&o->shared, &choice, &names, o->argv, &out);
	return out_finish(&out) == -1 ? EXIT_TOOL : status;
}

static void note_default(const struct events *events)
{
	if (events->by_default)
		message_notef("no -e was given: counting event 0 (%s); -e NAME counts "
			      "another event, -a all 32, --list shows them",
			      events->event[0].label);
}

static int repeat(const struct options *o)
{
	struct events events;

	events_choose(&events, o);
	note_default(&events);
	const int status = repeat_events(o, &events);
	events_free(&events);
	return status;
}

static int measure(const struct options *o)
{
	const struct costs *costs = o->statistics ? costs_open(o) : NULL;
	struct events events;
	struct set_list sets;
	struct out out;

	if (o->exceptions)
		message_notef(
			"-x: no effect: Linux counts exceptions as system mode (-k)");
	events_choose(&events, o);
	note_default(&events);
	set_list_open(&sets, o, &events);
	if ((o->mode == MODE_PERIODS || o->mode == MODE_SIGNALS) && set_list_named(&sets))
		options_bad(
			o->shared.command,
			"%s: -s and -p cannot count it, as a name is looked up in each "
			"process; give an address, or leave -s and -p out",
			set_list_named(&sets));
	if (out_open(&out, o->output, STDERR_FILENO, "standard error") == -1)
		exit(EXIT_TOOL);
	int status = count(o, &sets, &out, costs);
	if (out_finish(&out) == -1)
		status = EXIT_TOOL;
	set_list_close(&sets);
	events_free(&events);
	costs_free(costs);
	return status;
}

static int print_costs(const struct options *o)
{
	const struct costs *costs = costs_open(o);
	const int status = out_print(costs_text(costs));

	costs_free(costs);
	return status;
}

/* The report is about this machine, not about the processor of --cpu. */
static int doctor(const struct options *o)
{
	struct options_shared here = o->shared;

	here.cpu = NULL;
	return info_show(&here);
}

int main(int argc, char **argv)
{
	struct options o;
	int status;

	out_prepare();
	options_parse(&o, argc, argv);
	if (o.shared.show == OPTIONS_SHOW_LIST)
		status = show_list(&o);
	else if (o.shared.show == OPTIONS_SHOW_EXPLAIN)
		status = show_explain(&o);
	else if (o.shared.show == OPTIONS_SHOW_DOCTOR)
		status = doctor(&o);
	else if (o.shared.show == OPTIONS_SHOW_MACHINE)
		status = machine_show(&o.shared);
	else if (o.table)
		status = print_costs(&o);
	else
		status = o.shared.series.on ? repeat(&o) : measure(&o);
	free(o.event);
	free(o.output);
	options_shared_free(&o.shared);
	return status;
}
