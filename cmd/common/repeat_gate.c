#include "repeat_gate.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpc/session.h"
#include "message.h"
#include "recording.h"
#include "status.h"
#include "suite/series/limits.h"
#include "suite/where/read.h"
#include "suite/series/markdown.h"

static char *end_text(struct textbuf *b)
{
	char *text = textbuf_end(b);

	if (!text)
		errx(EXIT_TOOL, "no memory available");
	return text;
}

/* Check that the saved runs can be compared with these, and note what may differ. */
static void check_baseline(const struct repeat *r)
{
	const struct arm *candidate = &r->arm[r->narms - 1];
	struct record_run run = {0};
	struct record_host host;
	struct textbuf why = {0}, notes = {0};

	record_run_engine(&run, r->cpc);
	if (record_host(&host, 1) == -1)
		errx(EXIT_TOOL, "no memory available");
	const struct comparable now = {.engine = run.engine,
				       .model = run.model,
				       .reproducible = run.reproducible,
				       .version = VERSION,
				       .processor =
					       *host.cpu_model ? host.cpu_model : NULL,
				       .runs = &candidate->series,
				       .facts = candidate->facts};
	if (comparable_check(&r->saved.was, &now, &why) == -1)
		errx(EXIT_TOOL, "'%s' cannot be compared with these runs: %s",
		     r->s->series.baseline, end_text(&why));
	comparable_notes(&r->saved.was, &now, r->s->series.baseline,
			 r->s->series.gate.n > 0, &notes);
	char *text = end_text(&notes), *rest = text;
	for (char *line; (line = strsep(&rest, "\n")) && *line;)
		message_notef("%s", line);
	free(text);
	record_host_free(&host);
}

struct limits repeat_gate_limits(const struct repeat *r,
				 struct limits_reference *reference)
{
	const struct options_series *o = &r->s->series;

	for (unsigned i = 0; i + 1 < r->narms; i++)
		reference[i] = (struct limits_reference){&r->arm[i].series, i};
	return (struct limits){.gate = &o->gate,
			       .now = &r->arm[r->narms - 1].series,
			       .alpha = o->alpha,
			       .nreferences = r->narms - 1,
			       .reference = reference,
			       .saved = o->baseline ? &r->saved.series.runs : NULL,
			       .saved_name = o->baseline};
}

char *const *repeat_gate_command(const struct repeat *r, const struct arm *a, int *failed)
{
	message_watch();
	char *const *argv = cpc_command(r->cpc, a->argv, r->sets->n, r->set);
	if (argv)
		return argv;
	*failed = status_of_exec(errno);
	if (!message_came())
		warn("cannot start '%s'", a->argv[0]);
	return NULL;
}

/*
 * The functions are counted by a session that simulates programs. Events that need too
 * many counters for that are refused before all runs.
 */
static void check_where(const struct repeat *r)
{
	if (!r->s->series.where)
		return;
	if (session_set_by_code(r->cpc, 0) == -1)
		options_bad_long(r->s->command,
				 "--where: the kernel does not count by function; add "
				 "--engine=sim or --reproducible, which simulate the "
				 "program");
	if (!where_can_read())
		errx(EXIT_TOOL, "--where: this program was built without libelf, which "
				"reads the names of functions");
	int failed = 0;
	session_set_by_code(r->cpc, 1);
	if (!repeat_gate_command(r, &r->arm[0], &failed))
		exit(failed);
	session_set_by_code(r->cpc, 0);
}

int repeat_gate_read_where(const struct repeat *r, struct arm *a)
{
	a->where = where_read(r->cpc, r->sets->n, r->set, r->nevents);
	if (!a->where) {
		warnx("cannot count '%s' by function: %s", a->command,
		      errno == ENOMEM ? strerror(ENOMEM)
				      : "nothing of it was simulated, or memory ran out "
					"while it was");
		return EXIT_TOOL;
	}
	for (unsigned i = 0; i < r->nevents; i++)
		a->where->is_counted[i] = r->event[i].kind == RUNS_COUNT;
	if (a->where->unread)
		message_notef("functions are counted without names, as [no symbol], "
			      "because symbols cannot be read: %s",
			      a->where->unread);
	a->unnamed = a->where->unread != NULL;
	return 0;
}

void repeat_gate_prepare(struct repeat *r)
{
	const struct options_series *o = &r->s->series;
	struct limits_reference reference[r->narms];
	const struct limits l = repeat_gate_limits(r, reference);
	struct textbuf why = {0};
	char text[512];

	check_where(r);
	if (limits_check(&l, &why) == -1)
		options_bad_long(r->s->command, "--limit: %s", end_text(&why));
	if (!o->baseline)
		return;
	if (saved_read(&r->saved, o->baseline, text, sizeof text) == -1)
		errx(EXIT_TOOL, "cannot read '%s': %s", o->baseline, text);
	check_baseline(r);
	if (o->where && !r->saved.series.where)
		message_notef("'%s' has no counts by function: save it with --where, too",
			      o->baseline);
}

/* Returns why the limits have no result, for free(), or NULL. */
static char *obstacle(const struct repeat *r)
{
	struct textbuf b = {0};

	if (r->failed || r->interrupted) {
		textbuf_str(&b, "the runs were ended early");
		return end_text(&b);
	}
	for (unsigned i = 0; i < r->narms; i++)
		if (limits_check_ending(&r->arm[i].series, &b) == -1)
			return end_text(&b);
	return NULL;
}

static void judge_all(const struct repeat *r, struct limits_report *to)
{
	struct limits_reference reference[r->narms];
	const struct limits l = repeat_gate_limits(r, reference);

	if (limits_judge(&l, to) == -1)
		errx(EXIT_TOOL, "no memory available");
}

int repeat_gate_status(struct repeat *r, int status)
{
	if (!r->s->series.gate.n)
		return status;
	r->not_gated = obstacle(r);
	if (r->not_gated) {
		warnx("not gated: %s", r->not_gated);
		return r->interrupted ? status : EXIT_TOOL;
	}
	struct limits_report judged = {.put = NULL};
	judge_all(r, &judged);
	switch (limits_outcome(&judged, r->s->strict)) {
	case LIMITS_EXCEEDED:
		return EXIT_LIMIT;
	case LIMITS_UNKNOWN:
		return EXIT_TOOL;
	case LIMITS_PASSED:
		break;
	}
	return status;
}

void repeat_gate_put(const struct repeat *r, struct textbuf *b)
{
	struct limits_reference reference[r->narms];
	const struct limits l = repeat_gate_limits(r, reference);

	if (r->not_gated || !l.gate->n)
		return;
	if (limits_put(&l, b) == -1)
		errx(EXIT_TOOL, "no memory available");
}

int repeat_gate_markdown(const struct repeat *r, struct textbuf *sum,
			 struct textbuf *tables)
{
	struct limits_report to = {.put = markdown_put_gate, .text = tables};

	if (!r->s->series.gate.n)
		return 0;
	if (r->not_gated) {
		textbuf_str(sum, "not gated: ");
		markdown_put_code(sum, r->not_gated);
		return 1;
	}
	judge_all(r, &to);
	gate_put_sum(sum, to.count);
	return 1;
}

int repeat_gate_record(const struct repeat *r, struct textbuf *b,
		       const struct row_run *run)
{
	struct limits_reference reference[r->narms];
	const struct limits l = repeat_gate_limits(r, reference);

	if (r->not_gated || !l.gate->n)
		return 0;
	if (limits_put_record(&l, b, run) == -1)
		errx(EXIT_TOOL, "no memory available");
	return 1;
}
