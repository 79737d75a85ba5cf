/* lwprec: read, report and make recordings of AMD Lightweight Profiling (LWP). */
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "common/out.h"
#include "common/status.h"
#include "options.h"

static const char synopsis[] = "Usage:\n"
			       "\t%1$s [decode] [options] [file]\n"
			       "\t%1$s report [options] file ...\n"
			       "\t%1$s annotate [options] file function\n"
			       "\t%1$s diff [options] file file\n"
			       "\t%1$s record [options] [--] command [args]\n"
			       "\t%1$s caps [options]\n"
			       "\t%1$s scan [options] file ...\n";

static const char details[] =
	"\n"
	"\tdecode    print the records of a recording, a core file or a ring\n"
	"\treport    show where events happened: functions, lines, branches, data\n"
	"\tannotate  show the source lines of a function with their events\n"
	"\tdiff      compare two recordings, function by function\n"
	"\trecord    run a command and record its events\n"
	"\tcaps      show what LWP can do on this machine\n"
	"\tscan      list the LWP instructions of a program\n"
	"\n"
	"\t-h, --help    print this text, or after a subcommand the subcommand's\n"
	"\t--version     print the version\n"
	"\n"
	"\tSee lwprec(1).\n";

static const struct options_command command = {
	.name = "lwprec",
	.synopsis = synopsis,
	.details = details,
	.hint = "Try '%1$s -h' or '%1$s report -h'.\n",
};

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} commands[] = {
	{"annotate", command_annotate}, {"caps", command_caps},
	{"decode", command_decode},	{"diff", command_diff},
	{"record", command_record},	{"report", command_report},
	{"scan", command_scan},
};

/* Handle -h, --help and --version if they come before a subcommand. */
static void show(int argc, char **argv)
{
	struct options_shared s;

	if (argc < 2)
		options_bad(&command, "give the name of a file, or a subcommand");
	options_shared_begin(&s, &command, argv);
	if (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)
		options_lwprec_parse(&s, OPTIONS_HELP);
	if (strcmp(argv[1], "--version") == 0)
		options_lwprec_parse(&s, OPTIONS_VERSION);
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
		if (strcmp(argv[1], commands[i].name) != 0)
			continue;
		argv[1] = argv[0];
		return commands[i].run(argc - 1, argv + 1);
	}
	return command_decode(argc, argv);
}
