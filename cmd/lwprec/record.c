/* lwprec record: run a command and record its events. */
#include "record.h"

#include <string.h>

#include "base/program.h"
#include "commands.h"
#include "common/machine.h"
#include "common/status.h"
#include "options_table.h"

static const struct options_command *const command = &lwprec_record;

static enum record_emulation emulation(const char *way)
{
	if (!way)
		return RECORD_EMULATED;
	if (strcmp(way, "preload") == 0)
		return RECORD_PRELOADED;
	if (strcmp(way, "ptrace") == 0)
		return RECORD_TRACED;
	options_bad_long(command, "--emulate: '%s' is not preload or ptrace", way);
}

static void parse(struct record *r, int argc, char **argv)
{
	int c;

	options_shared_begin(&r->shared, command, argv);
	while ((c = options_read(&r->shared, argc, argv)) != -1) {
		if (c == 'e')
			r->events = optarg;
		else if (c == 'o')
			r->file = optarg;
		else if (c == LWPREC_EMULATE)
			r->emulate = emulation(optarg);
		else
			options_shared_parse(&r->shared, c);
	}
	r->argv = argv + optind;
	machine_choose(&r->shared, !r->argv[0]);
	if (!r->argv[0] && r->shared.show == OPTIONS_MEASURE)
		options_bad(command, "no command is given");
	if (r->emulate && r->events)
		options_bad_long(command, "--emulate records what the program's LWPCB "
					  "says; -e chooses nothing there");
	if (r->emulate && r->shared.engine &&
	    strcmp(r->shared.engine_by, "--engine") == 0)
		options_bad_long(command, "--emulate records LWP instructions alone; "
					  "leave out --engine or --emulate");
}

/* Has the command LWP instructions, so that its own records are wanted? */
static int has_lwp(const struct record *r)
{
	char path[PATH_MAX];

	return !r->emulate && !r->events && !r->shared.engine &&
	       program_find(r->argv[0], path) == 0 && preload_finds_lwp(path);
}

/* The simulator is the source unless the user says, or the machine has, another. */
static int is_sim(const struct record *r)
{
	const char *name = r->shared.engine;

	if (name && strcmp(name, "sim") == 0)
		return 1;
	if (name && strcmp(name, "kernel") == 0)
		return 0;
	if (name && strcmp(name, "auto") != 0)
		options_bad_long(command, "%s: '%s' is not auto, sim or kernel",
				 r->shared.engine_by, name);
	return r->shared.machine || r->shared.nset || r->shared.reproducible ||
	       !record_perf_suits(r->events);
}

/* Run the recorder. Returns its exit status. */
static int record(struct record *r)
{
	if (r->shared.show == OPTIONS_SHOW_MACHINE)
		return machine_show(&r->shared);
	if (has_lwp(r))
		r->emulate = RECORD_EMULATED;
	if (r->emulate)
		return record_emulate(r);
	return is_sim(r) ? record_sim(r) : record_perf(r);
}

int command_record(int argc, char **argv)
{
	struct record r = {.file = "lwprec.core"};

	parse(&r, argc, argv);
	const int status = record(&r);
	options_shared_free(&r.shared);
	return status;
}
