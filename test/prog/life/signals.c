/*
 * sim-signals: sends itself signals of faults in each way, with the data of the kernel's
 * and with its own, and prints what it receives and how. Prints the same wherever it
 * runs.
 */
#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
enum { FAULTS = sizeof(faults) / sizeof(faults[0]) };

/* The data of a fault, of a forger, and of the kernel for other things. */
static const int codes[] = {SEGV_ACCERR, SI_KERNEL, SI_QUEUE, SI_TKILL};

static void show(const char *how, int result, const siginfo_t *info)
{
	if (result == -1)
		printf("%s: %s\n", how, strerror(errno));
	else if (info->si_code == SI_USER ||
		 (info->si_code == SI_TKILL && !info->si_errno))
		printf("%s: signal %d code %d pid %s\n", how, info->si_signo,
		       info->si_code, info->si_pid == getpid() ? "own" : "other");
	else
		printf("%s: signal %d code %d errno %d address %p\n", how, info->si_signo,
		       info->si_code, info->si_errno, info->si_addr);
	fflush(stdout);
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	(void)context;
	if (sig != info->si_signo)
		printf("not signal %d\n", sig);
	show("handler", 0, info);
}

enum way { KILL, TKILL, TGKILL, QUEUE, TGQUEUE, WAYS };

static int send_to_self(enum way way, int sig, int code)
{
	siginfo_t info = {.si_signo = sig, .si_errno = 5, .si_code = code};

	info.si_addr = (void *)0x123456789abc;
	switch (way) {
	case KILL:
		return kill(getpid(), sig);
	case TKILL:
		return (int)syscall(SYS_tkill, gettid(), sig);
	case TGKILL:
		return (int)syscall(SYS_tgkill, getpid(), gettid(), sig);
	case QUEUE:
		return (int)syscall(SYS_rt_sigqueueinfo, getpid(), sig, &info);
	default:
		return (int)syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), sig,
				    &info);
	}
}

/* Each way, with each code if the way has one. Returns the last result. */
static void send_all(int sig)
{
	for (enum way way = KILL; way < WAYS; way++)
		for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
			if (way >= QUEUE || i == 0)
				printf("sent %d\n", send_to_self(way, sig, codes[i]));
	fflush(stdout);
}

static void set_blocked(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < FAULTS; i++)
		sigaddset(&set, faults[i]);
	pthread_sigmask(how, &set, NULL);
}

/* A blocked signal is pending until a wait takes it, or it is not blocked any more. */
static void wait_for(int sig)
{
	const struct timespec now = {0, 0};
	siginfo_t info = {.si_signo = 0};
	sigset_t set;

	sigpending(&set);
	printf("%d pending %d\n", sig, sigismember(&set, sig));
	sigemptyset(&set);
	sigaddset(&set, sig);
	show("wait", sigtimedwait(&set, &info, &now), &info);
}

static void block(int sig)
{
	set_blocked(SIG_BLOCK);
	send_to_self(TGQUEUE, sig, SEGV_ACCERR);
	send_to_self(TGQUEUE, sig, SI_KERNEL); /* the first is pending already */
	send_to_self(KILL, sig, 0);
	wait_for(sig);
	wait_for(sig);
	wait_for(sig);
	send_to_self(QUEUE, sig, SI_KERNEL);
	set_blocked(SIG_UNBLOCK);
}

/* In a child, by the default action, and ignored. */
static void end_by(int sig, enum way way)
{
	int status;
	const pid_t pid = fork();

	if (pid == 0) {
		signal(sig, SIG_IGN);
		send_to_self(way, sig, SI_KERNEL);
		signal(sig, SIG_DFL);
		send_to_self(way, sig, SI_KERNEL);
		_exit(1);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	printf("ended by %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	fflush(stdout);
}

/* Nothing is pending in a child. */
static void inherit(int sig)
{
	set_blocked(SIG_BLOCK);
	send_to_self(TGQUEUE, sig, SEGV_ACCERR);
	fflush(stdout);
	const pid_t pid = fork();
	if (pid == 0) {
		wait_for(sig);
		exit(0);
	}
	if (waitpid(pid, NULL, 0) != pid)
		err(1, "waitpid");
	wait_for(sig);
	set_blocked(SIG_UNBLOCK);
}

/* Another thread than the first may not give its process the data of the kernel. */
static void *in_thread(void *arg)
{
	for (size_t i = 0; i < FAULTS; i++) {
		printf("thread %d\n", send_to_self(QUEUE, faults[i], SEGV_ACCERR));
		printf("thread %d\n", send_to_self(TGQUEUE, faults[i], SI_QUEUE));
	}
	return arg;
}

/* A real fault after the others. */
static void fault(volatile int *nowhere)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0) {
		signal(SIGSEGV, SIG_DFL);
		*nowhere = 0;
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		err(1, "waitpid");
	printf("fault %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
}

int main(void)
{
	pthread_t t;

	for (size_t i = 0; i < FAULTS; i++) {
		struct sigaction on = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO};

		sigaction(faults[i], &on, NULL);
		send_all(faults[i]);
		block(faults[i]);
		end_by(faults[i], KILL);
		end_by(faults[i], QUEUE);
		sigaction(faults[i], &on, NULL);
		inherit(faults[i]);
	}
	if (pthread_create(&t, NULL, in_thread, NULL) == 0)
		pthread_join(t, NULL);
	fflush(stdout);
	fault(NULL);
	return 0;
}
