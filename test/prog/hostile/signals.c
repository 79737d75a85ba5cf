/* Modes that stop, signal and ignore. */
#include "modes.h"

#include <err.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../hit.h"

/* Another process stops and continues this one while its threads start and end. */
void mode_stops(void)
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

/* Half of the children stop themselves, and the parent stops the others as they start. */
void mode_stopped(void)
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

/* The program sends itself SIGTRAP with the codes that ptrace(2) and breakpoints give. */
void mode_traps(void)
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

/* SIGTRAP ends the program. */
void mode_trap_death(void)
{
	hit_and_report(3);
	raise(SIGTRAP);
}

/* A child in a session of its own kills its process group. */
void mode_session(void)
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

/* All signals are ignored and blocked, in the program and in its child. */
void mode_deaf(void)
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
