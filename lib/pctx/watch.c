#include "pctx/watch.h"

#include <elf.h>
#include <errno.h>
#include <stdint.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#include "pctx/start.h"
#include "pctx/table.h"

int pctx_watch(pctx_t *pctx, const struct pctx_watch *w)
{
	if (!pctx_is_handle(pctx)) {
		errno = EINVAL;
		return -1;
	}
	pctx->t->watch = w;
	for (const struct lwp *l = pctx->first; l; l = l->next)
		if (pctx_seize_watched(l->tid) == -1)
			return -1;
	return 0;
}

void pctx_watch_calls(pctx_t *pctx, id_t lwpid, int on)
{
	struct lwp *l = lwp_by_number(pctx, lwpid);

	if (l)
		l->calls = on;
}

int pctx_registers(pid_t tid, struct user_regs_struct *r)
{
	struct iovec v = {r, sizeof *r};

	return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &v) == -1 ? -1 : 0;
}

int pctx_set_registers(pid_t tid, const struct user_regs_struct *r)
{
	struct user_regs_struct copy = *r;
	struct iovec v = {&copy, sizeof copy};

	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &v) == -1 ? -1 : 0;
}

int pctx_signal(pid_t tid, siginfo_t *info)
{
	return ptrace(PTRACE_GETSIGINFO, tid, 0, info) == -1 ? -1 : 0;
}

int pctx_set_signal(pid_t tid, const siginfo_t *info)
{
	siginfo_t copy = *info;

	return ptrace(PTRACE_SETSIGINFO, tid, 0, &copy) == -1 ? -1 : 0;
}

int pctx_unblock(pid_t tid, int sig)
{
	uint64_t mask;

	if (ptrace(PTRACE_GETSIGMASK, tid, sizeof mask, &mask) == -1)
		return -1;
	mask &= ~(UINT64_C(1) << (sig - 1));
	return ptrace(PTRACE_SETSIGMASK, tid, sizeof mask, &mask) == -1 ? -1 : 0;
}
