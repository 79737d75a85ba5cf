/*
 * hostile MODE: does what makes tracing hard, and prints the same whether it is traced or
 * not.
 *
 * The calls of hit() are reported as oracle.c does it. Each mode signals, stops and ends
 * only processes that it has created, and all end within alarm(2) seconds.
 */
#include "hit.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 20, THREADS = 4, LIMIT_S = 60 };

static char **self; /* argv, for the modes that execute the program again */
static volatile sig_atomic_t received;

static void on_signal(int sig)
{
	(void)sig;
	received++;
}

static pid_t child(void)
{
	fflush(stdout);
	const pid_t pid = fork();
	if (pid == -1)
		err(1, "fork");
	if (pid == 0)
		alarm(LIMIT_S);
	return pid;
}

/* Waits for the end of a child and returns its wait status. */
static int await(pid_t pid)
{
	int st;
	while (waitpid(pid, &st, __WALL) == -1)
		if (errno != EINTR)
			err(1, "waitpid");
	return st;
}

static void exec_self(const char *mode)
{
	execl("/proc/thread-self/exe", self[0], mode, (char *)NULL);
	_exit(127);
}

static pthread_t start(void *(*body)(void *), void *arg)
{
	pthread_t t;
	errno = pthread_create(&t, NULL, body, arg);
	if (errno)
		err(1, "thread");
	return t;
}

static void *one_hit(void *arg)
{
	(void)arg;
	hit_and_report(1);
	return NULL;
}

static void one(void)
{
	hit_and_report(1);
}

/* Another process stops and continues this one while its threads come and go. */
static void stops(void)
{
	const pid_t victim = getpid(), pid = child();
	if (pid == 0) {
		for (int i = 0; i < ROUNDS; i++) {
			kill(victim, SIGSTOP);
			kill(victim, SIGCONT);
		}
		_exit(0);
	}
	for (int i = 0; i < ROUNDS; i++)
		pthread_join(start(one_hit, NULL), NULL);
	await(pid);
	hit_and_report(2);
}

/* Children that stop themselves, and children that are stopped as they are born. */
static void stopped(void)
{
	int st, n = 0;
	for (int i = 0; i < ROUNDS; i++) {
		const pid_t pid = child();
		if (pid == 0) {
			if (i % 2)
				raise(SIGSTOP);
			hit_and_report(1);
			_exit(0);
		}
		if (i % 2 == 0)
			kill(pid, SIGSTOP);
		if (waitpid(pid, &st, WUNTRACED) != pid)
			err(1, "waitpid");
		n += WIFSTOPPED(st);
		kill(pid, SIGCONT);
		if (WIFSTOPPED(st))
			await(pid);
	}
	printf("%d with a stop of their own\n", n >= ROUNDS / 2);
}

/* SIGTRAP as ptrace(2) and breakpoints give it, but of the program itself. */
static void traps(void)
{
	siginfo_t info = {.si_signo = SIGTRAP};
	signal(SIGTRAP, on_signal);
	for (int event = 0; event <= 8; event++) {
		info.si_code = event == 8 ? TRAP_HWBKPT : SIGTRAP | event << 8;
		syscall(SYS_rt_sigqueueinfo, getpid(), SIGTRAP, &info);
		syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGTRAP, &info);
		raise(SIGTRAP);
		kill(getpid(), SIGTRAP);
#ifdef __x86_64__
		__asm__ volatile("int3");
#endif
		hit_and_report(1);
	}
	printf("%d\n", (int)received);
}

static void trap_death(void)
{
	hit_and_report(3);
	raise(SIGTRAP);
}

static void traceme(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	hit_and_report(4);
}

/* A debugger, which does its work or does without if its child is traced already. */
static void debugger(void)
{
	for (int i = 0; i < 4; i++) {
		const pid_t pid = child();
		if (pid == 0) {
			if (i % 2 == 0 && ptrace(PTRACE_TRACEME, 0, 0, 0) == 0)
				raise(SIGSTOP);
			hit_and_report(1);
			_exit(7);
		}
		if (i % 2)
			ptrace(PTRACE_SEIZE, pid, 0, 0);
		int st;
		while (waitpid(pid, &st, WUNTRACED) == pid && WIFSTOPPED(st))
			if (ptrace(PTRACE_CONT, pid, 0, 0) == -1)
				kill(pid, SIGCONT);
		printf("%d\n", WIFEXITED(st) ? WEXITSTATUS(st) : -1);
	}
}

/* Traces the parent, with the stops that this makes of it. */
static void seize(void)
{
	const pid_t parent = getppid();
	sigset_t set;
	int st;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	const int seized = parent > 1 && ptrace(PTRACE_SEIZE, parent, 0, 0) == 0;
	hit_and_report(3);
	if (seized) {
		ptrace(PTRACE_INTERRUPT, parent, 0, 0);
		while (waitpid(parent, &st, __WALL) == parent && WIFSTOPPED(st) &&
		       st >> 16 != PTRACE_EVENT_STOP)
			ptrace(PTRACE_CONT, parent, 0, WSTOPSIG(st));
		ptrace(PTRACE_DETACH, parent, 0, 0);
	}
}

/* Traces the parent until the end. */
static void seize_end(void)
{
	sigset_t set;
	sigfillset(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	hit_and_report(3);
	ptrace(PTRACE_SEIZE, getppid(), 0, 0);
}

static void *perf_off_thread(void *arg)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
	return one_hit(arg);
}

static void perf_off(void)
{
	prctl(PR_TASK_PERF_EVENTS_DISABLE, 0, 0, 0, 0);
	hit_and_report(3);
	pthread_join(start(perf_off_thread, NULL), NULL);
}

/* The user may have no further process. */
static void nproc(void)
{
	const struct rlimit none = {0, 0};
	hit_and_report(3);
	if (getuid() == 0 && setresuid(54321, 54321, 54321) == -1)
		err(1, "setresuid");
	setrlimit(RLIMIT_NPROC, &none);
	for (int i = 0; i < ROUNDS; i++)
		if (fork() != -1 || errno != EAGAIN)
			err(1, "fork");
}

static void nofile(void)
{
	const struct rlimit none = {0, 0};
	hit_report(3);
	setrlimit(RLIMIT_NOFILE, &none);
	hits(3);
	const pid_t pid = child();
	if (pid == 0)
		_exit(3);
	printf("%d\n", WEXITSTATUS(await(pid)));
}

static void close_all(void)
{
	hit_report(3);
	for (int fd = 0; fd < 1024; fd++)
		close(fd);
	hits(3);
	_exit(5);
}

static pthread_barrier_t gate;

static void *racing_exec(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	exec_self("one");
	return arg;
}

static void *racing_exit(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	_exit(3);
	return arg;
}

static void *no_hit(void *arg)
{
	return arg;
}

static void *racing_births(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	for (;;) {
		pthread_t t;
		if (pthread_create(&t, NULL, no_hit, NULL) == 0)
			pthread_join(t, NULL);
	}
	return arg;
}

static void *racing_death(void *arg)
{
	hit_and_report(1);
	pthread_barrier_wait(&gate);
	kill(getpid(), SIGKILL);
	return arg;
}

/* All threads of a child go at once, half of them with a body that executes. */
static void race(void *(*other)(void *))
{
	for (int i = 0; i < ROUNDS / 4; i++) {
		const pid_t pid = child();
		if (pid == 0) {
			pthread_barrier_init(&gate, NULL, THREADS + 1);
			for (int n = 0; n < THREADS; n++)
				start(n % 2 ? racing_exec : other, NULL);
			(i % 2 ? racing_exec : other)(NULL);
		}
		const int st = await(pid), code = WEXITSTATUS(st);
		if (WIFSIGNALED(st) ? WTERMSIG(st) != SIGKILL || other != racing_death
				    : code != 0 && (code != 3 || other != racing_exit))
			printf("status %x\n", (unsigned)st);
	}
}

static void exec_race(void)
{
	race(racing_exec);
}

static void exit_race(void)
{
	race(racing_exit);
}

static void birth_race(void)
{
	race(racing_births);
}

static void kill_race(void)
{
	race(racing_death);
}

static void *exec_later(void *arg)
{
	pthread_join(*(pthread_t *)arg, NULL);
	exec_self("one");
	return NULL;
}

/* A thread executes when the first thread has ended. */
static void leader_gone(void)
{
	static pthread_t first;
	first = pthread_self();
	hit_and_report(2);
	start(exec_later, &first);
	pthread_exit(NULL);
}

/* A child of vfork(2) that hangs until it is killed, and one that executes. */
static void vforks(void)
{
	int fd[2];
	if (pipe(fd) == -1)
		err(1, "pipe");
	const pid_t killer = child();
	if (killer == 0) {
		pid_t victim;
		if (read(fd[0], &victim, sizeof(victim)) == sizeof(victim))
			kill(victim, SIGKILL);
		_exit(0);
	}
	const pid_t hung = vfork();
	if (hung == 0) {
		const pid_t me = getpid();
		(void)!write(fd[1], &me, sizeof(me));
		for (;;)
			pause();
	}
	printf("signal %d\n", WTERMSIG(await(hung)));
	await(killer);
	const pid_t other = vfork();
	if (other == 0)
		exec_self("one");
	printf("status %d\n", WEXITSTATUS(await(other)));
	hit_and_report(2);
}

static int shared_child(void *arg)
{
	(void)arg;
	hit_and_report(1);
	_exit(0);
}

/* Children with unusual flags of clone(2), with no signal at their end or another one. */
static void clones(void)
{
	static const int flags[] = {
		0,
		SIGUSR1,
		CLONE_VM,
		CLONE_VM | SIGCHLD,
		CLONE_VM | CLONE_FILES,
		CLONE_VM | CLONE_VFORK | SIGUSR1,
		CLONE_PTRACE | SIGCHLD,
	};
	static char stack[65536] __attribute__((aligned(64)));
	signal(SIGUSR1, on_signal);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		fflush(stdout);
		const pid_t pid =
			clone(shared_child, stack + sizeof(stack), flags[i], NULL);
		if (pid == -1)
			err(1, "clone");
		printf("%d\n", await(pid));
	}
}

static void new_session(void)
{
	const pid_t pid = child();
	if (pid == 0) {
		setsid();
		hit_and_report(2);
		kill(0, SIGKILL);
	}
	setpgid(0, 0);
	printf("signal %d\n", WTERMSIG(await(pid)));
	hit_and_report(1);
}

static void deaf(void)
{
	sigset_t set;
	for (int sig = 1; sig <= SIGRTMAX; sig++)
		signal(sig, SIG_IGN);
	sigfillset(&set);
	sigprocmask(SIG_SETMASK, &set, NULL);
	if (child() == 0) {
		hit_and_report(1);
		exec_self("one");
	}
	while (wait(NULL) != -1)
		;
	pthread_join(start(one_hit, NULL), NULL);
	for (int sig = 1; sig < 32; sig++)
		if (sig != SIGKILL && sig != SIGSTOP)
			raise(sig);
	hit_and_report(1);
}

static void undumpable(void)
{
	prctl(PR_SET_DUMPABLE, 0);
	hit_and_report(1);
	pthread_join(start(one_hit, NULL), NULL);
	const pid_t pid = child();
	if (pid == 0) {
		hit_and_report(1);
		_exit(0);
	}
	await(pid);
}

/* Processes whose parents have ended, some of them stopped for a while. */
static void orphans(void)
{
	int fd[2];
	char byte;
	if (pipe(fd) == -1)
		err(1, "pipe");
	const pid_t pid = child();
	if (pid == 0) {
		for (int i = 0; i < THREADS; i++)
			if (child() == 0) {
				close(fd[0]);
				while (getppid() == pid)
					sched_yield();
				hit_and_report(1);
				_exit(0);
			}
		_exit(0);
	}
	await(pid);
	close(fd[1]);
	if (read(fd[0], &byte, 1) != 0)
		err(1, "read");
	hit_and_report(1);
}

static const struct {
	const char *name;
	void (*run)(void);
} mode[] = {
	{"one", one},		{"stops", stops},	    {"stopped", stopped},
	{"traps", traps},	{"trap_death", trap_death}, {"traceme", traceme},
	{"debugger", debugger}, {"seize", seize},	    {"seize_end", seize_end},
	{"perf_off", perf_off}, {"nproc", nproc},	    {"nofile", nofile},
	{"close", close_all},	{"exec_race", exec_race},   {"exit_race", exit_race},
	{"births", birth_race}, {"kill_race", kill_race},   {"leader_gone", leader_gone},
	{"vforks", vforks},	{"clones", clones},	    {"session", new_session},
	{"deaf", deaf},		{"undumpable", undumpable}, {"orphans", orphans},
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
