#include "pctx/message.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/procfs.h"
#include "base/text.h"

/* Call errfn of the handle with "%s\n" and its argument. */
__attribute__((format(printf, 3, 4))) static void call_errfn(const struct tracer *t,
							     const char *fn,
							     const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	t->errfn(fn, fmt, ap);
	va_end(ap);
}

void pctx_message(const struct tracer *t, const char *fn, const char *fmt, ...)
{
	const int saved = errno;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	text_message(text, sizeof text, fmt, ap);
	va_end(ap);
	if (t->errfn)
		call_errfn(t, fn, "%s\n", text);
	else
		fprintf(stderr, "libpctx: pctx_%s: %s\n", fn, text);
	errno = saved;
}

int pctx_refuse_in_handler(pctx_errfn_t *errfn, const char *fn)
{
	if (!tracer_is_busy())
		return 0;
	pctx_message(&(struct tracer){.errfn = errfn}, fn,
		     "called in a handler of pctx_run, which controls all processes; "
		     "to control a child, call pctx_follow in the fork handler");
	errno = EBUSY;
	return -1;
}

const char *pctx_seize_rule(char *buf, size_t size)
{
	const int scope = procfs_yama();

	if (scope >= 3)
		snprintf(buf, size, "kernel.yama.ptrace_scope=%d forbids all tracing",
			 scope);
	else if (scope > 0 && geteuid() != 0)
		snprintf(buf, size,
			 "kernel.yama.ptrace_scope=%d allows tracing only with "
			 "CAP_SYS_PTRACE (root)%s",
			 scope,
			 scope == 1 ? " or of programs started by the tracer" : "");
	else if (geteuid() != 0)
		snprintf(buf, size,
			 "the process belongs to another user or is set-id; tracing it "
			 "needs CAP_SYS_PTRACE (root)");
	else
		snprintf(buf, size,
			 "CAP_SYS_PTRACE is missing (in a container?), or a security "
			 "module forbids tracing");
	return buf;
}

const char *pctx_tracer(pid_t pid, char *buf, size_t size)
{
	const long tracer = procfs_status(pid, "TracerPid:", 1);
	char name[64] = "?";

	if (tracer <= 0)
		return NULL;
	procfs_text((pid_t)tracer, "comm", name, sizeof name);
	name[strcspn(name, "\n")] = '\0';
	snprintf(buf, size, "'%s' (pid %ld)", name, tracer);
	return buf;
}
