#include "machine.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/machine.h"
#include "out.h"
#include "status.h"

static void print_mistake(void *arg, const char *text)
{
	(void)arg;
	warnx("%s", text);
}

static int is_list(const struct options_shared *s)
{
	return s->machine && strcmp(s->machine, "list") == 0;
}

/* Read the chosen machine, and its text unless text is NULL. Exits on failure. */
static void read_machine(const struct options_shared *s, struct machine *m, char **text)
{
	const struct machine_choice choice = {s->machine, {s->nset, s->set}};
	struct machine_mistakes mistakes = {NULL, print_mistake, 0};

	if (machine_open(&choice, m, text, &mistakes) == 0)
		return;
	if (!mistakes.n)
		err(EXIT_TOOL, "cannot read machine '%s'", s->machine);
	exit(EXIT_USAGE);
}

/* Without --machine the events choose the machine: only the changes can be checked. */
static void check_changes(const struct options_shared *s)
{
	const struct machine_changes changes = {s->nset, s->set};
	struct machine_mistakes mistakes = {NULL, print_mistake, 0};

	if (machine_check_changes(&changes, &mistakes) == -1)
		exit(EXIT_USAGE);
}

void machine_choose(struct options_shared *s, int alone)
{
	if (!s->machine && !s->nset)
		return;
	if (s->engine && strcmp(s->engine, "sim") != 0 && strcmp(s->engine, "auto") != 0)
		options_bad_long(s->command,
				 "--machine and --set choose what is simulated; leave "
				 "out %s=%s",
				 s->engine_by, s->engine);
	if (is_list(s) && (!alone || s->nset))
		options_bad_long(s->command,
				 "--machine=list prints the names of the machines and "
				 "runs nothing; leave out --set, events and command");
	s->engine = "sim";
	if (is_list(s) || (s->machine && alone))
		s->show = OPTIONS_SHOW_MACHINE;
	else if (s->machine) {
		s->simulated = malloc(sizeof *s->simulated);
		if (!s->simulated)
			err(EXIT_TOOL, "cannot read machine '%s'", s->machine);
		read_machine(s, s->simulated, NULL);
	} else {
		check_changes(s);
	}
}

struct engine_machine machine_chosen(const struct options_shared *s)
{
	return (struct engine_machine){.machine = s->simulated,
				       .name = s->simulated ? s->machine : NULL,
				       .nset = s->nset,
				       .set = s->set};
}

static int print_list(void)
{
	struct machine_mistakes mistakes = {NULL, print_mistake, 0};
	struct machine m;

	for (const struct machine_text *t = machine_texts; t->name; t++) {
		const struct machine_choice choice = {.name = t->name};

		if (machine_open(&choice, &m, NULL, &mistakes) == -1)
			err(EXIT_TOOL, "cannot read machine '%s'", t->name);
		printf("%-14s %s\n", m.name, m.title);
	}
	printf("%-14s %s\n", "native", "the caches of this machine, the rest generic");
	return out_flush_stdout();
}

int machine_show(const struct options_shared *s)
{
	struct machine m;
	char *text;

	if (is_list(s))
		return print_list();
	read_machine(s, &m, &text);
	text_clean(text, "\n\t");
	return out_print(text);
}
