/*
 * hostile MODE: does what makes tracing hard, and prints the same whether it is traced or
 * not. "hostile modes" prints the modes, and "hostile address" the address of hit().
 */
#include "modes.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"

static char **self; /* argv, for the modes that execute the program again */
volatile sig_atomic_t received;

void on_signal(int sig)
{
	(void)sig;
	received++;
}

pid_t child(void)
{
	fflush(stdout);
	const pid_t pid = fork();
	if (pid == -1)
		err(1, "fork");
	if (pid == 0)
		alarm(LIMIT_S);
	return pid;
}

int await(pid_t pid)
{
	int st;
	while (waitpid(pid, &st, __WALL) == -1)
		if (errno != EINTR)
			err(1, "waitpid");
	return st;
}

void exec_self(const char *mode)
{
	execl("/proc/thread-self/exe", self[0], mode, (char *)NULL);
	_exit(127);
}

pthread_t start(void *(*body)(void *), void *arg)
{
	pthread_t t;
	errno = pthread_create(&t, NULL, body, arg);
	if (errno)
		err(1, "thread");
	return t;
}

void *one_hit(void *arg)
{
	(void)arg;
	hit_and_report(1);
	return NULL;
}

static void mode_one(void)
{
	hit_and_report(1);
}

static const struct {
	const char *name;
	void (*run)(void);
} mode[] = {
	{"one", mode_one},
	{"stops", mode_stops},
	{"stopped", mode_stopped},
	{"traps", mode_traps},
	{"trap_death", mode_trap_death},
	{"traceme", mode_traceme},
	{"debugger", mode_debugger},
	{"seize", mode_seize},
	{"seize_end", mode_seize_end},
	{"perf_off", mode_perf_off},
	{"nproc", mode_nproc},
	{"nofile", mode_nofile},
	{"close", mode_close},
	{"exec_race", mode_exec_race},
	{"exit_race", mode_exit_race},
	{"births", mode_births},
	{"kill_race", mode_kill_race},
	{"leader_gone", mode_leader_gone},
	{"vforks", mode_vforks},
	{"clones", mode_clones},
	{"shared", mode_shared},
	{"session", mode_session},
	{"deaf", mode_deaf},
	{"undumpable", mode_undumpable},
	{"orphans", mode_orphans},
	{"namespace", mode_namespace},
	{"siblings", mode_siblings},
	{"untraced", mode_untraced},
	{"filter_errno", mode_filter_errno},
	{"filter_trap", mode_filter_trap},
	{"filter_kill", mode_filter_kill},
	{"strict", mode_strict},
};

int main(int argc, char **argv)
{
	alarm(LIMIT_S);
	self = argv;
	if (argc == 2 && strcmp(argv[1], "address") == 0) {
		hit_print_address();
		return 0;
	}
	for (size_t i = 0; argc == 2 && i < sizeof(mode) / sizeof(mode[0]); i++) {
		if (strcmp(argv[1], "modes") == 0)
			printf("%s\n", mode[i].name);
		else if (strcmp(argv[1], mode[i].name) == 0) {
			mode[i].run();
			return 0;
		}
	}
	return argc == 2 && strcmp(argv[1], "modes") == 0 ? 0 : 2;
}
