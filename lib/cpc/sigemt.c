#include "cpc/sigemt.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

/*
 * Each bind installs the handler again, which costs little. A SIGEMT that fn sends comes
 * when fn returns, so that its handler sees the context in which the counter overflowed.
 */
int sigemt_catch(void (*fn)(int signo, siginfo_t *info, void *context))
{
	struct sigaction act = {.sa_sigaction = fn,
				.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};

	sigemptyset(&act.sa_mask);
	sigaddset(&act.sa_mask, SIGEMT);
	return sigaction(EMT_NOTICE, &act, NULL);
}

int sigemt_fd(const siginfo_t *info)
{
	return info->si_code == POLL_IN || info->si_code == POLL_HUP ? info->si_fd : -1;
}

void *sigemt_pc(const void *context)
{
	const ucontext_t *uc = context;

#if defined __x86_64__
	return (void *)uc->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
	return (void *)uc->uc_mcontext.pc;
#else
	(void)uc;
	return NULL;
#endif
}

/* A process may send itself any si_code (rt_tgsigqueueinfo(2)). */
void sigemt_send(void *pc)
{
	const int e = errno;
	siginfo_t info;

	memset(&info, 0, sizeof info);
	info.si_signo = SIGEMT;
	info.si_code = EMT_CPCOVF;
	info.si_addr = pc;
	syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), SIGEMT, &info);
	errno = e;
}

static void notice_alone(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, EMT_NOTICE);
}

void sigemt_block(sigset_t *before)
{
	sigset_t set;

	notice_alone(&set);
	pthread_sigmask(SIG_BLOCK, &set, before);
}

void sigemt_unblock(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* sigtimedwait(3) would be a cancellation point. */
int sigemt_take(void)
{
	const struct timespec now = {0};
	sigset_t set;
	siginfo_t info;

	notice_alone(&set);
	for (;;) {
		if (syscall(SYS_rt_sigtimedwait, &set, &info, &now, _NSIG / 8) < 0)
			return -1;
		if (sigemt_fd(&info) >= 0)
			return sigemt_fd(&info);
	}
}
