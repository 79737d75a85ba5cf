/*
 * failcall [-m OFFSET | -c PROGRAM] [-l LOG] [-f KEY:NTH:ERRNO:HOW] [-k
 * WHEN:SIGNAL:WHO] [-b PID] [-t SECONDS] REPORT COMMAND...: runs COMMAND, and lets one of
 * its system calls fail, or kills a process at one of them.
 *
 * The threads of the command itself are traced, not what the command starts, so a command
 * that traces its children works as usual. Calls count from main(), which is OFFSET bytes
 * after the entry of the program, as the start of the C library does not survive
 * failures.
 *
 * With -c, nothing is traced, and the calls of the processes below the command count
 * while they run PROGRAM, by a filter of seccomp(2): those that a command makes before
 * it executes another program if PROGRAM is the command's own file. HOW is "skip" then,
 * and -k cannot be used.
 *
 * -l writes the calls to LOG, as "KEY NTH"; KEY is the name of the call, with the
 * request or the kind of file for calls that have many, and NTH counts the calls of
 * this KEY. "thread/" precedes the KEY of a thread that is not the first, and "child/"
 * that of a process below the command.
 * -f lets call NTH of KEY fail; "2-4" lets three calls fail. HOW says how: "skip" does
 * not make the call; "after" makes it and replaces the result (close(2) releases the
 * descriptor also if it fails); "kill" first kills the process that the second argument
 * names (ptrace(2) gives ESRCH for a killed LWP); "short" makes the call with a length of
 * 1; "brk" makes brk(2) return the break, as the kernel does if it fails.
 * -k sends SIGNAL at the call number WHEN of all, or later as soon as there is a
 * process, or @WHEN microseconds after the start of main(), to WHO: "tool" is the
 * command, and a number chooses one of the processes below it that have not ended.
 * WHO.N sends the signal to a thread of this process. SIGNAL may be FIRST+USEC+SECOND:
 * so many microseconds later, the same process gets a second signal.
 * -b names a process that is not below the command, but that -f and -k may kill.
 *
 * REPORT is a file: "happened" if the fault or the kill did happen, "status N" or
 * "signal N", "hang KEY" if the command did not end within SECONDS (10), and "left PID
 * STATE TRACER" for each process that still is there SECONDS/2 later. These are killed.
 */
#include "answer.h"
#include "blow.h"
#include "callkeys.h"
#include "procs.h"

#include <elf.h>
#include <err.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KEYS 512

static FILE *call_log, *report;
static char wanted[64], how[16];
static long first, final, error, seconds = 10;
static int listener = -1;   /* of -c */
static struct stat program; /* of -c */
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
 * Kills the process of an LWP if the process is a descendant of the command, or the one
 * of -b. Returns 1 if the process was killed, else 0.
 */
static int kill_lwp(long tid)
{
	const pid_t pid =
		tid > 1 && tid < 1L << 30 ? status_number((pid_t)tid, "Tgid") : -1;
	if (beside && pid == beside)
		return !kill(pid, SIGKILL);
	for (pid_t above = pid; above > 1 && pid != tool && pid != getpid();
	     above = status_number(above, "PPid"))
		if (above == tool || above == getpid())
			return !kill(pid, SIGKILL);
	return 0;
}

#ifdef __x86_64__
static void set_register(pid_t tid, size_t offset, long value)
{
	if (ptrace(PTRACE_POKEUSER, tid, offset, value) == -1 && errno != ESRCH)
		err(2, "cannot change a register");
}
#define SET(tid, reg, value) \
	set_register(tid, offsetof(struct user_regs_struct, reg), value)
#else
#error failcall changes the registers of x86-64 alone
#endif

/*
 * Counts a call that a thread enters; whose precedes the key. Returns whether the call is
 * the one of -f.
 */
static int is_wanted(const char *whose, pid_t tid, long nr, const uint64_t *args)
{
	snprintf(last, sizeof(last), "%s", whose);
	make_key(last + strlen(whose), sizeof(last) - strlen(whose), tid, nr, args);
	const long n = count(last);
	if (call_log)
		fprintf(call_log, "%s %ld\n", last, n);
	return n >= first && n <= final && !strcmp(last, wanted);
}

/* Decides about a call of a process below the command, for answer_call(). */
static int decide(pid_t tid, long nr, const uint64_t *args)
{
	if (tid == tool || !runs_program(tid, &program) ||
	    status_number(tid, "Tgid") == tool || !is_wanted("child/", tid, nr, args))
		return 0;
	happened = 1;
	return (int)error;
}

/*
 * Counts a call that a thread of the command enters, and kills the process that -k names
 * if the call is the one at which -k kills. If the call is the one that -f names, changes
 * it so that it fails, and returns 1; else returns 0.
 */
static int at_entry(pid_t tid, const struct __ptrace_syscall_info *info)
{
	static long all;
	const int wants = is_wanted(tid == tool ? "" : "thread/", tid,
				    (long)info->entry.nr, info->entry.args);
	if (++all >= blow.call && blow.call > 0 && !happened)
		strike();
	if (!wants || (!strcmp(how, "kill") && !kill_lwp((long)info->entry.args[1])))
		return 0;
	happened = 1;
	if (!strcmp(how, "brk"))
		SET(tid, rdi, 0);
	else if (!strcmp(how, "short"))
		SET(tid, rdx, 1);
	else if (strcmp(how, "after") != 0)
		SET(tid, orig_rax, -1);
	return 1;
}

/*
 * The call that fails has returned to the command. Sets its result, or restores the
 * argument that at_entry() has changed, as the kernel changes no arguments.
 */
static void at_exit(pid_t tid, const uint64_t *args)
{
	if (!strcmp(how, "brk"))
		SET(tid, rdi, (long)args[0]);
	else if (!strcmp(how, "short"))
		SET(tid, rdx, (long)args[2]);
	else
		SET(tid, rax, -error);
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

/* Sets a breakpoint at main(), so that the calls before main() are not counted. */
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
	SET(tool, rip, (long)main_at);
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

/*
 * Starts the command with the filter of -c. Both processes share their descriptors until
 * the command is executed, for which it already needs an answer.
 */
static void start_filtered(char **argv)
{
	volatile int *const fd = mmap(NULL, sizeof(*fd), PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const struct timespec pause = {0, 100000};
	if (fd == MAP_FAILED)
		err(2, "cannot start");
	tool = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	if (tool == -1)
		err(2, "cannot start");
	if (!tool) {
		*fd = listener_new();
		if (*fd == -1)
			err(2, "cannot filter calls");
		execvp(argv[0], argv);
		err(127, "%s", argv[0]);
	}
	while (!*fd && !has_ended(tool))
		nanosleep(&pause, NULL);
	listener = *fd;
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
		   PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEEXEC | PTRACE_O_TRACECLONE |
			   PTRACE_O_EXITKILL) == -1)
		err(2, "cannot trace");
	close(gate[1]);
}

/* The call that fails, between its entry and its exit. */
static struct {
	pid_t tid; /* or 0 */
	uint64_t args[6];
} failing;

/* Returns the request that continues a thread after a stop, and the signal for it. */
static int at_stop(pid_t tid, int status, long offset, long *deliver)
{
	static int counting;
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
	if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof(info), &info) == -1)
		return PTRACE_SYSCALL;
	if (info.op == PTRACE_SYSCALL_INFO_ENTRY && at_entry(tid, &info)) {
		memcpy(failing.args, info.entry.args, sizeof(failing.args));
		failing.tid = tid;
	} else if (info.op == PTRACE_SYSCALL_INFO_EXIT && failing.tid == tid) {
		at_exit(tid, failing.args);
		failing.tid = 0;
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
		const pid_t pid =
			waitpid(-1, &status, __WALL | (listener == -1 ? 0 : WNOHANG));
		if (pid == -1 && errno != EINTR)
			err(2, "cannot wait");
		if (pid == tool && !WIFSTOPPED(status))
			return status;
		if (pid > 0 && WIFSTOPPED(status)) {
			const int request = at_stop(pid, status, offset, &deliver);
			ptrace(request, pid, 0, deliver);
		} else if (pid == 0) {
			answer_call(listener, 4, decide);
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
	for (const long end = now_usec() + seconds * 500000; now_usec() < end;) {
		while ((pid = waitpid(-1, NULL, __WALL | WNOHANG)) > 0)
			;
		if (pid == -1)
			return;
		if (listener == -1)
			nanosleep(&pause, NULL);
		else
			answer_call(listener, 2, decide);
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
	char *range;
	first = final = strtol(word[1], &range, 10);
	if (*range == '-')
		final = atol(range + 1);
	error = atol(word[2]);
	snprintf(how, sizeof(how), "%s", word[3]);
}

int main(int argc, char **argv)
{
	const struct sigaction alarm_action = {.sa_handler = on_alarm};
	long offset = 0;
	int filtered = 0;
	for (int c; (c = getopt(argc, argv, "+m:c:l:f:k:b:t:")) != -1;) {
		if (c == 'm')
			offset = strtol(optarg, NULL, 0);
		else if (c == 'c' && stat(optarg, &program) == -1)
			err(2, "%s", optarg);
		else if (c == 'c')
			filtered = 1;
		else if (c == 'b')
			beside = (pid_t)atol(optarg);
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
	(filtered ? start_filtered : start)(argv + optind + 1);
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
