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
 * command, and a number chooses one of the processes below it that have not ended.
 * WHO.N sends the signal to a thread of this process. SIGNAL may be FIRST+USEC+SECOND:
 * so many microseconds later, the same process gets a second signal.
 *
 * REPORT is a file: "happened" if the fault or the kill did happen, "status N" or
 * "signal N", "hang KEY" if the command did not end within SECONDS (10), and "left PID
 * STATE TRACER" for each process that still is there SECONDS/2 later. These are killed.
 */
#include "callkeys.h"
#include "procs.h"

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
static char wanted[64], how[16];
static long nth, error, seconds = 10;
static int happened;
static pid_t tool;
static struct {
	char name[64];
	long n;
} keys[KEYS];
static char last[64];

/* Adds 1 to the number of calls with this key, and returns the sum. */
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

/*
 * Kills the process of an LWP if the process is a descendant of the command. Returns 1 if
 * the process was killed, else 0.
 */
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

/* The values of -k, and the process that gets the signals. */
static struct {
	long call, usec;   /* when: a number of calls, or microseconds; or -1 */
	int first, second; /* signals */
	long gap;	   /* microseconds between them */
	int of_tool;
	long process, thread; /* thread -1: the signals are for the whole process */
	long at, second_at;   /* times of now_usec(), or 0 */
	pid_t pid, tid;	      /* the receiver of the first signal */
} blow = {.call = -1, .usec = -1, .thread = -1};

static long now_usec(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000L + t.tv_nsec / 1000;
}

struct choice {
	long left;
	pid_t pid;
	int n;
};

static void choose(pid_t pid, void *data)
{
	struct choice *c = data;
	if (has_ended(pid))
		return;
	c->n++;
	if (c->left-- == 0)
		c->pid = pid;
}

static int send_signal(int sig)
{
	if (blow.thread == -1)
		return !kill(blow.pid, sig);
	return !syscall(SYS_tgkill, blow.pid, blow.tid, sig);
}

/* Sends the first signal to the command, or to the chosen process below it. */
static void strike(void)
{
	struct choice c = {.left = -1};
	blow.pid = tool;
	if (!blow.of_tool) {
		each_below(tool, choose, &c);
		if (!c.n)
			return;
		c = (struct choice){.left = blow.process % c.n};
		each_below(tool, choose, &c);
		blow.pid = c.pid;
	}
	if (blow.pid && blow.thread != -1)
		blow.tid = thread_of(blow.pid, blow.thread);
	happened = blow.pid && send_signal(blow.first);
	if (happened && blow.second)
		blow.second_at = now_usec() + blow.gap;
}

/* Sends the signals whose time has come. */
static void strike_in_time(void)
{
	if (blow.at && !happened && now_usec() >= blow.at)
		strike();
	if (blow.second_at && now_usec() >= blow.second_at) {
		if (!send_signal(blow.second))
			kill(blow.pid, blow.second);
		blow.second_at = 0;
	}
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
 * The command enters a system call. Counts the call, sends the signal of -k if the
 * command has now made as many calls as WHEN says, and changes the registers if -f says
 * that this call fails. Returns 1 if the call fails, else 0.
 */
static int at_entry(const struct __ptrace_syscall_info *info)
{
	static long all;
	make_key(last, sizeof(last), tool, (long)info->entry.nr, info->entry.args);
	const long n = count(last);
	if (call_log)
		fprintf(call_log, "%s %ld\n", last, n);
	if (++all >= blow.call && blow.call > 0 && !happened)
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

/*
 * The call that fails has returned to the command. Sets its result, or restores the
 * argument that at_entry() has changed, as the kernel changes no arguments.
 */
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

/* The address of main(), later 0, and the code that the breakpoint replaces. */
static unsigned long main_at;
static long main_word;

/* Sets a breakpoint at main(), so that the calls before main() are not counted. */
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

/* Has SIGALRM interrupt waitpid(2) once in so many microseconds. */
static void set_timer(long usec)
{
	const struct timeval each = {usec / 1000000, usec % 1000000};
	setitimer(ITIMER_REAL, &(struct itimerval){each, each}, NULL);
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
		if (blow.usec >= 0)
			blow.at = now_usec() + blow.usec;
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
	(void)data;
	if (!has_ended(pid))
		fprintf(report, "left %d %c %d\n", pid, state_of(pid),
			status_number(pid, "TracerPid"));
	kill(pid, SIGKILL);
}

static void end_hang(void)
{
	int status;
	fprintf(report, "hang %s\n", last);
	each_below(tool, tell_left, NULL);
	kill(tool, SIGKILL);
	set_timer(0);
	while (waitpid(tool, &status, __WALL) != -1 && WIFSTOPPED(status))
		ptrace(PTRACE_CONT, tool, 0, 0);
}

/* Returns the status of the command, or -1 if it did not end in time. */
static int trace(long offset)
{
	const long end = now_usec() + seconds * 1000000;
	int status;
	long deliver;
	set_timer(blow.usec >= 0 || blow.second ? 500 : 100000);
	for (;;) {
		const pid_t pid = waitpid(tool, &status, __WALL);
		if (pid == -1 && errno != EINTR)
			err(2, "cannot wait");
		if (pid == tool && !WIFSTOPPED(status))
			return status;
		if (pid == tool) {
			const int request = at_stop(status, offset, &deliver);
			ptrace(request, tool, 0, deliver);
		}
		strike_in_time();
		if (now_usec() >= end) {
			end_hang();
			return -1;
		}
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
	const int is_time = *text == '@';
	char signals[64], who[32];
	const char *thread;
	if (sscanf(text + is_time, "%ld:%63[^:]:%31s", is_time ? &blow.usec : &blow.call,
		   signals, who) != 3 ||
	    sscanf(signals, "%d+%ld+%d", &blow.first, &blow.gap, &blow.second) < 1)
		errx(2, "-k takes WHEN:SIGNAL:WHO");
	blow.of_tool = !strncmp(who, "tool", 4);
	blow.process = blow.of_tool ? 0 : atol(who);
	thread = strchr(who, '.');
	if (thread)
		blow.thread = atol(thread + 1);
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
