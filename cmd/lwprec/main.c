/* lwprec: read, report and make recordings of AMD Lightweight Profiling (LWP). */
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/options.h"
#include "common/out.h"
#include "common/status.h"
#include "options_table.h"

static const struct options_command *const command = &lwprec_command;

static const struct {
	const struct options_command *options;
	int (*run)(int argc, char **argv);
} commands[] = {
	{&lwprec_annotate, command_annotate}, {&lwprec_caps, command_caps},
	{&lwprec_decode, command_decode},     {&lwprec_diff, command_diff},
	{&lwprec_record, command_record},     {&lwprec_report, command_report},
	{&lwprec_scan, command_scan},
};

/* Handle -h, --help and --version if they come before a subcommand. */
static void show(int argc, char **argv)
{
	struct options_shared s;

	if (argc < 2)
		options_bad(command, "give the name of a file, or a subcommand");
	options_shared_begin(&s, command, argv);
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
		options_shared_parse(&s, OPTIONS_HELP);
	if (strcmp(argv[1], "--version") == 0)
		options_shared_parse(&s, OPTIONS_VERSION);
}

/* SIGBUS: recordings and programs are mapped, and another process has cut one short. */
static void on_bus(int sig, siginfo_t *info, void *context)
{
	static const char text[] = "lwprec: a file became shorter while it was read; "
				   "try again when nothing writes it\n";

	(void)context;
	if (info->si_code != BUS_ADRERR) {
		raise(sig); /* SA_RESETHAND: this ends the process after the handler */
		return;
	}
	const ssize_t written = write(STDERR_FILENO, text, sizeof text - 1);
	(void)written;
	_exit(EXIT_TOOL);
}

static void watch_files(void)
{
	const struct sigaction action = {.sa_sigaction = on_bus,
					 .sa_flags = SA_SIGINFO | (int)SA_RESETHAND};

	sigaction(SIGBUS, &action, NULL);
}

int main(int argc, char **argv)
{
	out_prepare();
	watch_files();
	show(argc, argv);
	for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		if (strcmp(argv[1], commands[i].options->subcommand) != 0)
			continue;
		argv[1] = argv[0];
		return commands[i].run(argc - 1, argv + 1);
	}
	return command_decode(argc, argv);
}
