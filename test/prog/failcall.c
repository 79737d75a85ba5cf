/*
 * failcall [-m OFFSET] [-l LOG] [-f KEY:NTH:ERRNO:HOW] [-k WHEN:SIGNAL:WHO] [-t
 * SECONDS] REPORT COMMAND...: runs COMMAND, and lets one of its system calls fail, or
 * kills a process at one of them.
 *
 * Only the first thread of the command itself is traced, not what the command starts,
 * so a command that traces its children works as usual. Calls count from main(), which
 * is OFFSET bytes after the entry of the program, as the start of the C library does
 * not survive failures.
 *
 * -l writes the calls to LOG, as "KEY NTH"; KEY is the name of the call, with the
 * request or the kind of file for calls that have many, and NTH counts the calls of
 * this KEY.
 * -f lets call NTH of KEY fail. HOW says how: "skip" does not make the call; "after"
 * makes it and replaces the result (close(2) releases the descriptor also if it fails);
 * "kill" first kills the process that the second argument names (ptrace(2) gives ESRCH
 * for a killed LWP); "short" makes the call with a length of 1; "brk" makes brk(2)
 * return the break, as the kernel does if it fails.
 * -k sends SIGNAL at the call number WHEN of all, or later as soon as there is a
 * process, or @WHEN microseconds after the start of main(), to WHO: "tool" is the
 * command, and a number chooses one of the processes below it.
 *
 * REPORT is a file: "happened" if the fault or the kill did happen, "status N" or
 * "signal N", "hang KEY" if the command did not end within SECONDS (10), and "left PID
 * STATE TRACER" for each process that still is there SECONDS/2 later. These are killed.
 */
#include "callkeys.h"

#include <elf.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEYS 512

static FILE *call_log, *report;
static char wanted[64], how[16], victim[16];
static long nth, error, kill_call = -1, kill_usec = -1, seconds = 10;
static int sig, happened;
static pid_t tool;
static struct {
	char name[64];
	long n;
} keys[KEYS];
static char last[64];

/* Returns how often key was counted, with this time. */
static long count(const char *key)
{
	for (int i = 0; i < KEYS; i++) {
		if (!keys[i].name[0])
			snprintf(keys[i].name, sizeof(keys[i].name), "%s", key);
		if (!strcmp(keys[i].name, key))
			return ++keys[i].n;
	}
	errx(2, "more than %d kinds of calls", KEYS);
}

/* Calls each(pid, data) for each process below pid. */
static void each_below(pid_t pid, void (*each)(pid_t, void *), void *data)
{
	char path[64];
	int child;
	snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid, pid);
	FILE *f = fopen(path, "re");
	if (!f)
		return;
	while (fscanf(f, "%d", &child) == 1) {
		each(child, data);
		each_below(child, each, data);
	}
	fclose(f);
}

/* Returns a number of /proc/PID/status, or -1. */
static int status_number(pid_t pid, const char *name)
{
	char path[64], line[256];
	int number = -1;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	FILE *f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)) && line[strlen(name)] == ':')
			number = atoi(line + strlen(name) + 1);
	if (f)
		fclose(f);
	return number;
}

/* Kills the process of an LWP that is below the command. Returns 1 if it did. */
static int kill_lwp(long tid)
{
	const pid_t pid =
		tid > 1 && tid < 1L << 30 ? status_number((pid_t)tid, "Tgid") : -1;
	for (pid_t above = pid; above > 1 && pid != tool && pid != getpid();
	     above = status_number(above, "PPid"))
		if (above == tool || above == getpid())
			return !kill(pid, SIGKILL);
	return 0;
}

struct choice {
	long left;
	pid_t pid;
	int n;
};

static void choose(pid_t pid, void *data)
{
	struct choice *c = data;
	c->n++;
	if (c->left-- == 0)
		c->pid = pid;
}

/* Sends the signal of -k to the command, or to the chosen process below it. */
static void strike(void)
{
	struct choice c = {.left = -1};
	if (!strcmp(victim, "tool")) {
		happened = !kill(tool, sig);
		return;
	}
	each_below(tool, choose, &c);
	if (!c.n)
		return;
	c.left = atol(victim) % c.n;
	each_below(tool, choose, &c);
	happened = c.pid && !kill(c.pid, sig);
}

#ifdef __x86_64__
static void set_register(size_t offset, long value)
{
	if (ptrace(PTRACE_POKEUSER, tool, offset, value) == -1 && errno != ESRCH)
		err(2, "cannot change a register");
}
#define SET(reg, value) set_register(offsetof(struct user_regs_struct, reg), value)
#else
#error failcall changes the registers of x86-64 alone
#endif

/*
 * Counts a call that the command enters, and kills the process of -k if this is due.
 * Returns 1 if the call is the one of -f, which is changed so that it fails, else 0.
 */
static int at_entry(const struct __ptrace_syscall_info *info)
{
	static long all;
	make_key(last, sizeof(last), tool, (long)info->entry.nr, info->entry.args);
	const long n = count(last);
	if (call_log)
		fprintf(call_log, "%s %ld\n", last, n);
	if (++all >= kill_call && kill_call > 0 && !happened)
		strike();
	if (n != nth || strcmp(last, wanted) != 0)
		return 0;
	if (!strcmp(how, "kill") && !kill_lwp((long)info->entry.args[1]))
		return 0;
	happened = 1;
	if (!strcmp(how, "brk"))
		SET(rdi, 0);
	else if (!strcmp(how, "short"))
		SET(rdx, 1);
	else if (strcmp(how, "after") != 0)
		SET(orig_rax, -1);
	return 1;
}

/* At the exit of the call that fails: restores arguments, as the kernel does. */
static void at_exit(const uint64_t *args)
{
	if (!strcmp(how, "brk"))
		SET(rdi, (long)args[0]);
	else if (!strcmp(how, "short"))
		SET(rdx, (long)args[2]);
	else
		SET(rax, -error);
}

static unsigned long entry_of(pid_t pid)
{
	char path[64];
	Elf64_auxv_t v;
	snprintf(path, sizeof(path), "/proc/%d/auxv", pid);
	FILE *f = fopen(path, "re");
	while (f && fread(&v, sizeof(v), 1, f) == 1)
		if (v.a_type == AT_ENTRY) {
			fclose(f);
			return v.a_un.a_val;
		}
	errx(2, "cannot find the entry of the program");
}

/* Puts a breakpoint at main(), so that the calls before it are not counted. */
static unsigned long main_at;
static long main_word;

static void stop_at_main(long offset)
{
	main_at = entry_of(tool) + (unsigned long)offset;
	errno = 0;
	main_word = ptrace(PTRACE_PEEKTEXT, tool, main_at, 0);
	if (errno ||
	    ptrace(PTRACE_POKETEXT, tool, main_at, (main_word & ~0xffL) | 0xcc) == -1)
		err(2, "cannot stop the program at main");
}

static int is_at_main(void)
{
	const unsigned long ip = (unsigned long)ptrace(
		PTRACE_PEEKUSER, tool, offsetof(struct user_regs_struct, rip), 0);
	if (!main_at || ip != main_at + 1)
		return 0;
	ptrace(PTRACE_POKETEXT, tool, main_at, main_word);
	SET(rip, (long)main_at);
	main_at = 0;
	return 1;
}

static void on_alarm(int s)
{
	(void)s;
}

static void set_timer(long usec)
{
	const struct itimerval t = {.it_value = {usec / 1000000, usec % 1000000}};
	setitimer(ITIMER_REAL, &t, NULL);
}

/* Starts the command, traced from its first instruction. */
static void start(char **argv)
{
	int gate[2];
	char byte;
	if (pipe(gate) == -1 || (tool = fork()) == -1)
		err(2, "cannot start");
	if (!tool) {
		close(gate[1]);
		(void)!read(gate[0], &byte, 1);
		close(gate[0]);
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	close(gate[0]);
	if (ptrace(PTRACE_SEIZE, tool, 0,
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) == -1)
		err(2, "cannot trace");
	close(gate[1]);
}

/* Returns the request that continues the command after a stop, and the signal for it. */
static int at_stop(int status, long offset, long *deliver)
{
	static int counting, fails;
	static uint64_t args[6];
	struct __ptrace_syscall_info info;
	const int s = WSTOPSIG(status), event = status >> 16;

	*deliver = 0;
	if (event == PTRACE_EVENT_EXEC && !counting && offset)
		stop_at_main(offset);
	if (event == PTRACE_EVENT_STOP && s != SIGTRAP)
		return PTRACE_LISTEN;
	if (event)
		return counting ? PTRACE_SYSCALL : PTRACE_CONT;
	if (s == SIGTRAP && !counting && is_at_main()) {
		counting = 1;
		if (kill_usec >= 0)
			set_timer(kill_usec);
		return PTRACE_SYSCALL;
	}
	if (s != (SIGTRAP | 0x80)) {
		*deliver = s;
		return counting ? PTRACE_SYSCALL : PTRACE_CONT;
	}
	if (ptrace(PTRACE_GET_SYSCALL_INFO, tool, sizeof(info), &info) == -1)
		return PTRACE_SYSCALL;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
		memcpy(args, info.entry.args, sizeof(args));
		fails = at_entry(&info);
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && fails) {
		at_exit(args);
		fails = 0;
	}
	return PTRACE_SYSCALL;
}

/* Writes a line "left" to the report for a process that has not ended, and kills it. */
static void tell_left(pid_t pid, void *data)
{
	char path[64], state = '?';
	(void)data;
	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	FILE *f = fopen(path, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %c", &state) == 1 && state != 'Z' &&
	    state != 'X')
		fprintf(report, "left %d %c %d\n", pid, state,
			status_number(pid, "TracerPid"));
	if (f)
		fclose(f);
	kill(pid, SIGKILL);
}

/* Returns the status of the command, or -1 if it did not end in time. */
static int trace(long offset)
{
	int status, tries = 0;
	long deliver;
	for (;;) {
		if (waitpid(tool, &status, __WALL) == -1) {
			if (errno != EINTR)
				err(2, "cannot wait");
			if (kill_usec >= 0) {
				strike();
				kill_usec = happened || ++tries > 1000 ? -1 : 1000;
				set_timer(happened ? seconds * 1000000 : 1000);
				continue;
			}
			fprintf(report, "hang %s\n", last);
			each_below(tool, tell_left, NULL);
			kill(tool, SIGKILL);
			set_timer(0);
			while (waitpid(tool, &status, __WALL) != -1 && WIFSTOPPED(status))
				ptrace(PTRACE_CONT, tool, 0, 0);
			return -1;
		}
		if (!WIFSTOPPED(status))
			return status;
		const int request = at_stop(status, offset, &deliver);
		ptrace(request, tool, 0, deliver);
	}
}

/* Waits for the processes that the command has left; they are ours now. */
static void wait_for_rest(void)
{
	const struct timespec pause = {0, 2000000};
	pid_t pid;
	for (long i = 0; i < seconds * 250; i++) {
		while ((pid = waitpid(-1, NULL, __WALL | WNOHANG)) > 0)
			;
		if (pid == -1)
			return;
		nanosleep(&pause, NULL);
	}
	each_below(getpid(), tell_left, NULL);
	set_timer(2000000);
	while (waitpid(-1, NULL, __WALL) > 0)
		;
}

static void parse_fault(char *text)
{
	char *word[4];
	for (int i = 0; i < 4; i++)
		if (!(word[i] = strtok(i ? NULL : text, ":")))
			errx(2, "-f takes KEY:NTH:ERRNO:HOW");
	snprintf(wanted, sizeof(wanted), "%s", word[0]);
	nth = atol(word[1]);
	error = atol(word[2]);
	snprintf(how, sizeof(how), "%s", word[3]);
}

static void parse_kill(const char *text)
{
	long *when = *text == '@' ? &kill_usec : &kill_call;
	if (sscanf(text + (*text == '@'), "%ld:%d:%15s", when, &sig, victim) != 3)
		errx(2, "-k takes WHEN:SIGNAL:WHO");
}

int main(int argc, char **argv)
{
	const struct sigaction alarm_action = {.sa_handler = on_alarm};
	long offset = 0;
	for (int c; (c = getopt(argc, argv, "+m:l:f:k:t:")) != -1;) {
		if (c == 'm')
			offset = strtol(optarg, NULL, 0);
		else if (c == 'l')
			call_log = fopen(optarg, "we");
		else if (c == 'f')
			parse_fault(optarg);
		else if (c == 'k')
			parse_kill(optarg);
		else if (c == 't')
			seconds = atol(optarg);
		else
			return 2;
	}
	if (argc - optind < 2 || !(report = fopen(argv[optind], "we")))
		errx(2, "a report and a command are needed");
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigaction(SIGALRM, &alarm_action, NULL);
	start(argv + optind + 1);
	set_timer(seconds * 1000000);
	const int status = trace(offset);
	set_timer(0);
	if (status != -1 && WIFEXITED(status))
		fprintf(report, "status %d\n", WEXITSTATUS(status));
	else if (status != -1)
		fprintf(report, "signal %d\n", WTERMSIG(status));
	if (happened)
		fprintf(report, "happened\n");
	wait_for_rest();
	return 0;
}
