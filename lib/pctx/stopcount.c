#include "pctx/stopcount.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

struct stopcount {
	unsigned refs;
	uint64_t n;
	pid_t tid;   /* 0: the LWP makes no more stops */
	int grouped; /* the LWP is in a group stop */
};

struct stopcount *stopcount_new(pid_t tid)
{
	struct stopcount *s = calloc(1, sizeof *s);

	if (s) {
		s->refs = 1;
		s->tid = tid;
	}
	return s;
}

struct stopcount *stopcount_keep(struct stopcount *s)
{
	s->refs++;
	return s;
}

void stopcount_drop(struct stopcount *s)
{
	if (s && --s->refs == 0)
		free(s);
}

/*
 * In a group stop (PTRACE_EVENT_STOP with a stopping signal) the LWP also stops without a
 * tracer. Later reports from the same group stop are stops for the tracer.
 */
static int is_group_stop(int event, int sig)
{
	return event == PTRACE_EVENT_STOP && sig != SIGTRAP;
}

static unsigned switches_of(const struct stopcount *s, int event, int sig)
{
	return !is_group_stop(event, sig) || s->grouped;
}

/*
 * The LWP enters its stop before it leaves the processor; a ptrace request waits for the
 * latter.
 */
uint64_t stopcount_read(const struct stopcount *s)
{
	siginfo_t stop = {0};
	unsigned long message;

	if (!s->tid ||
	    waitid(P_PID, (id_t)s->tid, &stop, WSTOPPED | WNOHANG | WNOWAIT | __WALL) ||
	    stop.si_pid == 0)
		return s->n;
	ptrace(PTRACE_GETEVENTMSG, s->tid, 0, &message);
	return s->n + switches_of(s, stop.si_status >> 8, stop.si_status & 0x7f);
}

void stopcount_add(struct stopcount *s, int event, int sig)
{
	if (!s)
		return;
	s->n += switches_of(s, event, sig);
	s->grouped = is_group_stop(event, sig);
}

void stopcount_rename(struct stopcount *s, pid_t tid)
{
	if (s)
		s->tid = tid;
}

void stopcount_end(struct stopcount *s)
{
	if (s)
		s->tid = 0;
}
