/*
 * includes: a client that includes only libcpc.h, and uses the types and functions that
 * Solaris' header brings.
 */
#include <libcpc.h>

static void on_signal(int sig, siginfo_t *info, void *arg)
{
	const ucontext_t *context = arg;

	if (sig != SIGEMT || info->si_code != EMT_CPCOVF || !context)
		psignal(sig, "includes");
}

static void on_error(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn, (void)subcode, (void)fmt, (void)ap;
}

static int on_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	const processorid_t cpu = 0;
	const uint_t flags = CPC_COUNT_USER;
	const hrtime_t now = 0;

	(void)pctx, (void)arg;
	return (int)pid + (int)lwpid + cpu + (int)flags + (now != 0);
}

int main(void)
{
	struct sigaction act;
	char text[100];
	uint64_t value = UINT64_MAX;

	memset(&act, 0, sizeof act);
	bzero(&act.sa_mask, sizeof act.sa_mask);
	act.sa_sigaction = on_signal;
	if (sigaction(SIGEMT, &act, NULL) == -1 || cpc_seterrhndlr(NULL, on_error) == -1)
		strcpy(text, strerror(EMT_CPCOVF));
	return on_tick(NULL, 0, 0, &value) + (int)strlen(text) + _lwp_self() +
	       (strcmp(text, PRIx64) == 0);
}
