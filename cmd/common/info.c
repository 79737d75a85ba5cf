#include "info.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <opencpc.h>
#include "base/text.h"
#include "cpc/cpc.h"
#include "cpc/session.h"
#include "machine.h"
#include "message.h"
#include "out.h"
#include "status.h"
#include "usage.h"
#include "warn.h"
#include "suite/request/defaults.h"
#include "suite/tell/capabilities.h"
#include "suite/tell/doctor.h"

static void print_cpu(void *arg, const char *cpu, const char *title)
{
	(void)arg;
	fprintf(stderr, "\t%-14s %s\n", cpu, title);
}

struct search {
	const char *cpu;
	int found;
};

static void find_cpu(void *arg, const char *cpu, const char *title)
{
	struct search *search = arg;

	(void)title;
	search->found |= strcmp(search->cpu, cpu) == 0;
}

void info_unknown_choice(const struct options_shared *s)
{
	struct search search = {s->cpu, 0};

	if (s->cpu)
		cpc_cpus(&search, find_cpu);
	if (s->cpu && !search.found) {
		warnx("--cpu: no event table is named '%s'; the tables are:", s->cpu);
		cpc_cpus(NULL, print_cpu);
	} else {
		warnx("%s: no engine is named '%s'; the engines are auto, kernel and sim",
		      s->engine_by, s->engine);
		options_bad_spec(s->command);
	}
	exit(EXIT_USAGE);
}

cpc_t *info_open(const struct options_shared *s)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, s->cpu, s->engine);

	if (!cpc && errno == EINVAL)
		info_unknown_choice(s);
	if (!cpc)
		err(EXIT_TOOL, "cannot access performance counter library");
	cpc_seterrhndlr(cpc, message_cpc);
	/* The commands that count programs look names of breakpoints up in them. */
	cpc->places = !s->command->cpus;
	const struct engine_machine machine = machine_chosen(s);
	if (session_machine(cpc, &machine) == -1)
		exit(EXIT_TOOL);
	return cpc;
}

int info_capabilities(const struct options_shared *s)
{
	cpc_t *cpc = info_open(s);

	usage_all(s->command, stdout);
	putchar('\n');
	const int status = out_print(capabilities_text(cpc));
	cpc_close(cpc);
	return status;
}

/*
 * choose_engine() or explain_sets() failed with errno and text. Exits; prints action
 * for an error that the library has not reported.
 */
static void failed(const struct options_shared *s, const char *text, const char *action)
	__attribute__((noreturn));

static void failed(const struct options_shared *s, const char *text, const char *action)
{
	switch (errno) {
	case ENODEV:
		if (*text)
			info_unknown_choice(s);
		break;
	case EINVAL:
		if (!*text)
			exit(EXIT_USAGE);
		warn_lines(text);
		options_bad_spec(s->command);
	case ENOMEM:
		warnx("no memory available");
		break;
	default:
		if (action)
			warn("%s", action);
	}
	exit(EXIT_TOOL);
}

int info_explain(const struct options_shared *s, struct explain_options *req)
{
	char err[4096], *text;
	int works;

	if (s->format == TEXT_CSV) {
		warnx("--explain: the format must be text or json");
		options_bad_spec(s->command);
	}
	/* libpfm4 reads this at its first use, and then knows other processors too. */
	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	req->format = s->format;
	if (explain_sets(req, message_cpc, &text, &works, err, sizeof err) == -1)
		failed(s, err, "cannot explain");
	const int status = out_print(text);
	return status ? status : works ? 0 : EXIT_TOOL;
}

int info_show(const struct options_shared *s)
{
	if (s->show == OPTIONS_SHOW_MACHINE)
		return machine_show(s);
	cpc_t *cpc = info_open(s);
	const int status = out_print(doctor_text(cpc));

	cpc_close(cpc);
	return status;
}

/* Let choice name the default events; d->spec is the caller's. Exits on failure. */
static void use_defaults(const struct options_shared *s, struct engine_choice *choice,
			 struct defaults *d)
{
	if (defaults_find(d, choice, s->command->cpus) == -1) {
		if (errno == EINVAL)
			info_unknown_choice(s);
		err(EXIT_TOOL, "cannot find events to count");
	}
	if (d->no_counters)
		message_notef("the processor's events cannot be counted here; %s",
			      d->can_simulate
				      ? "--engine=sim simulates instructions, cycles, "
					"branches and caches"
				      : "--doctor says why");
	choice->session = d->session;
	choice->tried = d->tried;
	choice->nspecs = 1;
	choice->spec = (const char *const *)&d->spec;
	/* Events of which the processor cannot count all at once take turns. */
	choice->set_flags = CPC_SET_MULTIPLEX;
}

struct sets *info_open_sets(const struct options_shared *s,
			    const struct engine_choice *choice, cpc_t **cpc)
{
	struct engine_choice complete = *choice;
	struct defaults d = {0};
	struct sets *sets;
	char text[4096];

	if (complete.nspecs == 0)
		use_defaults(s, &complete, &d);
	if (choose_engine(&complete, message_cpc, cpc, &sets, text, sizeof text) == -1)
		failed(s, text, NULL);
	free(d.spec);
	return sets;
}
