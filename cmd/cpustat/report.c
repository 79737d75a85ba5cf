#include "report.h"

#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cpulist.h"
#include "common/chart.h"
#include "common/message.h"
#include "common/status.h"
#include "suite/screen/summary.h"

/* The width of the column of paths; longer paths are printed in full. */
enum { CGROUP_MIN = sizeof "cgroup" - 1, CGROUP_MAX = 60 };

static void make_view(struct report *r, const struct options *o, int64_t unix_ns)
{
	const struct cpu_view_options req = {
		.scope = o->scope,
		.cgroups = r->cgroups > 0,
		.bins = o->bins,
		.means = o->means,
		.keys = o->keys,
		.limit = o->limit,
		.unix_ns = unix_ns,
	};
	char text[512];

	r->view = cpu_view_new(&req, r->set, r->nsets, text, sizeof text);
	if (r->view)
		return;
	if (errno == EINVAL)
		errx(EXIT_USAGE, "-k: %s", text);
	err(EXIT_TOOL, "cannot prepare the rows");
}

/* The text of --summary and --chart is a block; other formats have rows. */
static struct sink *make_sink(struct report *r, const struct options *o)
{
	const struct sink_output output = {&r->out, out_write};
	const struct row_style style = {.format = o->shared.format,
					.scope = o->scope,
					.cgroups = r->cgroups,
					.tick = o->tick,
					.nsets = (int)r->nsets,
					.stamp = o->stamp};

	if (o->chart)
		return chart_sink(o->scope, 0, &r->screen);
	if (!o->shared.summary || o->shared.format != TEXT_PLAIN)
		return recording_lines(&style, !o->no_title, &r->out);
	struct sink *sink = summary_sink(NULL, isatty(r->out.fd), output);
	if (!sink)
		err(EXIT_TOOL, "cannot prepare the summary");
	return sink;
}

void report_cgroups(struct report *r, unsigned width)
{
	r->cgroups = width < CGROUP_MIN	  ? CGROUP_MIN
		     : width > CGROUP_MAX ? CGROUP_MAX
					  : width;
}

void report_open(struct report *r, const struct options *o, cpc_t *cpc,
		 const struct row_set *const *set, unsigned nsets, int64_t unix_ns)
{
	*r = (struct report){.nsets = nsets, .set = set, .cgroups = r->cgroups};
	make_view(r, o, unix_ns);
	r->notes = notes_new(set, nsets);
	r->absent = absent_new(set, nsets);
	r->counted = calloc(nsets, sizeof *r->counted);
	if (!r->notes || !r->absent || !r->counted)
		err(EXIT_TOOL, "cannot store the notes");
	out_open(&r->out, NULL, STDOUT_FILENO, "standard output");
	screen_open(&r->screen, &r->out);
	recording_open(&r->recording, &o->shared, cpc, make_sink(r, o));
	r->recording.run.nsets = nsets;
	r->recording.run.set = set;
}

void report_begin(struct report *r, int64_t ns, int64_t unix_ns, int64_t interval_ns)
{
	r->recording.run.interval_ns = interval_ns;
	recording_begin(&r->recording, ns, unix_ns);
}

/* A value that was never enabled means that the CPU lacks the event. */
static void note(struct report *r, const struct cpu_interval *i, unsigned request)
{
	struct note note = r->notes->note[i->set][request];

	for (unsigned k = 0; k < i->n; k++) {
		const cpc_value_t *v = &i->sample[k].value[request];

		if (v->quality != CPC_UNAVAILABLE || v->enabled > 0)
			note_add(&note, v);
		else if (absent_add(r->absent, i->set, request, i->sample[k].cpu) == -1)
			r->out.error = ENOMEM;
	}
	r->notes->note[i->set][request] = note;
}

int report_interval(struct report *r, const struct cpu_interval *i)
{
	unsigned n = 0;

	if (cpu_view_rows(r->view, i, &n) == -1)
		r->out.error = ENOMEM;
	struct sink *sink = r->recording.sink;
	for (unsigned k = 0; k < n; k++)
		sink->row(sink, cpu_view_row(r->view, k));
	sink->flush(sink);
	for (unsigned k = 0; k < r->set[i->set]->n; k++)
		note(r, i, k);
	r->counted[i->set] |= i->n > 0;
	return r->out.error ? -1 : 0;
}

static void put_total(struct report *r, const struct row *row)
{
	struct sink *sink = r->recording.sink, *file = r->recording.file;

	if (row)
		sink->row(sink, row);
	if (row && file)
		file->row(file, row);
}

static void put_cgroup(struct report *r, unsigned at)
{
	for (unsigned i = 0; i < r->nsets; i++)
		put_total(r, cpu_view_cgroup_total(r->view, at, i));
}

void report_ended(struct report *r, const char *cgroup)
{
	const unsigned at = cpu_view_cgroup(r->view, cgroup);

	if (at == -1u)
		return;
	put_cgroup(r, at);
	cpu_view_drop_cgroup(r->view, at);
	r->recording.sink->flush(r->recording.sink);
}

void report_totals(struct report *r)
{
	struct sink *sink = r->recording.sink;

	for (unsigned i = 0; !r->cgroups && i < r->nsets; i++)
		put_total(r, cpu_view_total(r->view, i));
	for (unsigned at = 0; r->cgroups && at < cpu_view_cgroups(r->view); at++)
		put_cgroup(r, at);
	sink->flush(sink);
	recording_complete(&r->recording);
}

void report_skipped(uint64_t n)
{
	if (n)
		message_notef("%" PRIu64 " sample%s late and left out", n,
			      n == 1 ? " was" : "s were");
}

/* Print the sets that had no turn. Returns nonzero if there are any. */
static int print_turns(const struct report *r)
{
	int missing = 0;

	for (unsigned i = 0; i < r->nsets; i++) {
		if (r->counted[i])
			continue;
		missing = 1;
		message_notef("set %u (%s): never counted; a turn of all sets takes %u "
			      "intervals",
			      i, r->set[i]->spec ? r->set[i]->spec : r->set[i]->event[0],
			      r->nsets);
	}
	return missing;
}

int report_notes(const struct report *r, const struct options *o)
{
	const int inexact = notes_print(r->notes, 0) | absent_print(r->absent) |
			    (r->out.error ? 0 : print_turns(r));

	return inexact && o->shared.strict ? EXIT_TOOL : 0;
}

void report_end(struct report *r, int status, int signal, uint64_t skipped)
{
	recording_end(&r->recording, status, signal, skipped);
}

int report_close(struct report *r)
{
	recording_close(&r->recording);
	out_close(&r->out);
	cpu_view_free(r->view);
	notes_free(r->notes);
	absent_free(r->absent);
	free(r->counted);
	if (!r->out.error)
		return 0;
	if (r->out.error == ENOMEM)
		warnx("cannot prepare the rows: %s", strerror(ENOMEM));
	else
		warnx("cannot write to %s: %s", r->out.name, out_strerror(r->out.error));
	return -1;
}

struct absent {
	const struct row_set *const *set;
	unsigned nsets;
	struct cpulist **cpus; /* [nsets][set[]->n] */
};

struct absent *absent_new(const struct row_set *const *set, unsigned nsets)
{
	struct absent *a = calloc(1, sizeof *a);

	if (!a)
		return NULL;
	a->set = set;
	a->cpus = calloc(nsets, sizeof *a->cpus);
	if (!a->cpus) {
		free(a);
		return NULL;
	}
	for (; a->nsets < nsets; a->nsets++) {
		a->cpus[a->nsets] = calloc(set[a->nsets]->n + 1, sizeof **a->cpus);
		if (!a->cpus[a->nsets]) {
			absent_free(a);
			return NULL;
		}
	}
	return a;
}

void absent_free(struct absent *a)
{
	if (!a)
		return;
	for (unsigned s = 0; s < a->nsets; s++) {
		for (unsigned i = 0; i < a->set[s]->n; i++)
			cpulist_free(&a->cpus[s][i]);
		free(a->cpus[s]);
	}
	free(a->cpus);
	free(a);
}

int absent_add(struct absent *a, unsigned set, unsigned i, int cpu)
{
	return cpulist_add(&a->cpus[set][i], cpu);
}

int absent_print(const struct absent *a)
{
	int found = 0;

	for (unsigned s = 0; s < a->nsets; s++)
		for (unsigned i = 0; i < a->set[s]->n; i++) {
			if (a->cpus[s][i].n == 0)
				continue;
			char *text = cpulist_text(&a->cpus[s][i]);
			message_notef(
				"%s: not counted on CPUs %s, whose PMU lacks this event",
				a->set[s]->event[i], text ? text : "?");
			free(text);
			found = 1;
		}
	return found;
}
