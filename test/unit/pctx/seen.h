/* Handlers of libpctx that log their calls and check the order of the calls. */
#ifndef PCTX_SEEN_H
#define PCTX_SEEN_H

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libpctx.h>
#include "programs.h"

enum { MAX_PROCS = 4096 };

enum { BORN = 1, CREATED, FINISHED, GONE };

struct seen_proc {
	pid_t pid;
	int ended, status;
	id_t nlwps;
	unsigned char state[1024]; /* of each LWP: 0, BORN, CREATED, FINISHED or GONE */
};

struct seen {
	int follow;
	int exec_result, create_result, tick_result, init_result; /* of the handlers */
	unsigned nprocs, inits, ticks, finis;
	unsigned bad_calls; /* in the wrong order or with wrong arguments */
	struct seen_proc *proc;
	char log[4096]; /* of the calls, cut */
};

static inline void note(struct seen *s, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static inline void note(struct seen *s, const char *fmt, ...)
{
	const size_t len = strlen(s->log);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(s->log + len, sizeof s->log - len, fmt, ap);
	va_end(ap);
}

/* Returns the live process with this pid, added if it is new: pids are used again. */
static inline struct seen_proc *find(struct seen *s, pid_t pid)
{
	for (unsigned i = s->nprocs; i-- > 0;)
		if (s->proc[i].pid == pid && !s->proc[i].ended)
			return &s->proc[i];
	if (s->nprocs == MAX_PROCS)
		abort();
	s->proc[s->nprocs] = (struct seen_proc){.pid = pid};
	return &s->proc[s->nprocs++];
}

/*
 * Moves an LWP from one state to the next, and checks that it was in the first. Returns
 * the index of its process.
 */
static inline int step(struct seen *s, pctx_t *pctx, pid_t pid, id_t lwpid, int from,
		       int to)
{
	struct seen_proc *p = find(s, pid);

	if (lwpid < 1 || lwpid >= sizeof p->state || pctx_pid(pctx) != pid ||
	    p->state[lwpid] != from || pctx_tid(pctx, lwpid) <= 0)
		s->bad_calls++;
	else
		p->state[lwpid] = (unsigned char)to;
	return (int)(p - s->proc);
}

static inline int on_init(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct seen *s = arg;
	struct seen_proc *p = find(s, pid);
	void **data = pctx_lwp_data(pctx, lwpid);

	note(s, "%d:init%d ", step(s, pctx, pid, lwpid, 0, BORN), (int)lwpid);
	if (!data || *data)
		s->bad_calls++;
	else
		*data = &p->state[lwpid];
	p->nlwps = lwpid > p->nlwps ? lwpid : p->nlwps;
	s->inits++;
	return s->init_result;
}

static inline int on_create(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct seen *s = arg;

	note(s, "%d:create%d ", step(s, pctx, pid, lwpid, BORN, CREATED), (int)lwpid);
	return s->create_result;
}

static inline int on_fini(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct seen *s = arg;
	struct seen_proc *p = find(s, pid);
	void **data = pctx_lwp_data(pctx, lwpid);
	const int first =
		lwpid == 1 || (lwpid < sizeof p->state && p->state[lwpid] == BORN);

	note(s, "%d:fini%d ", step(s, pctx, pid, lwpid, first ? BORN : CREATED, FINISHED),
	     (int)lwpid);
	if (!data || *data != &p->state[lwpid])
		s->bad_calls++;
	s->finis++;
	return 0;
}

static inline int on_lwp_exit(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct seen *s = arg;

	note(s, "%d:gone%d ", step(s, pctx, pid, lwpid, FINISHED, GONE), (int)lwpid);
	return 0;
}

static inline void on_exit_process(pctx_t *pctx, pid_t pid, id_t lwpid, int status,
				   void *arg)
{
	struct seen *s = arg;
	struct seen_proc *p = find(s, pid);

	note(s, "%d:exit%d=%#x ", step(s, pctx, pid, lwpid, FINISHED, GONE), (int)lwpid,
	     status);
	for (id_t i = 1; i <= p->nlwps; i++)
		s->bad_calls +=
			p->state[i] != GONE && p->state[i] != 0; /* 0: killed at birth */
	p->ended = 1;
	p->status = status;
}

static inline int on_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *cmd, void *arg)
{
	struct seen *s = arg;
	struct seen_proc *p = find(s, pid);

	note(s, "%d:exec%d '%s' ", (int)(p - s->proc), (int)lwpid, cmd ? cmd : "?");
	if (lwpid != 1 || pctx_pid(pctx) != pid || pctx_tid(pctx, 1) != pid)
		s->bad_calls++;
	memset(p->state, 0, sizeof p->state);
	p->nlwps = 0;
	return s->exec_result;
}

static inline void on_fork(pctx_t *pctx, pid_t pid, id_t lwpid, pid_t child, void *arg)
{
	struct seen *s = arg;
	const int parent = (int)(find(s, pid) - s->proc);

	if (pctx_pid(pctx) != child)
		s->bad_calls++;
	note(s, "%d:fork%d ", parent, (int)lwpid);
	if (s->follow)
		pctx_follow(pctx, s);
}

static inline int on_tick(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct seen *s = arg;

	if (pctx_pid(pctx) != pid || pctx_tid(pctx, lwpid) <= 0)
		s->bad_calls++;
	s->ticks++;
	return s->tick_result;
}

/* The last message of the library, after the name of the call, without its newline. */
static char message[1024];

static inline void keep_message(const char *fn, const char *fmt, va_list ap)
{
	const int n = snprintf(message, sizeof message, "%s: ", fn);

	vsnprintf(message + n, sizeof message - (size_t)n, fmt, ap);
	message[strcspn(message, "\n")] = '\0';
	errno = EDOM;
}

static inline pctx_t *create(const char *word, struct seen *s)
{
	char *const argv[] = {(char[]){"program"}, strdup(word), NULL};

	pctx_t *pctx = pctx_create(self, argv, s, 0, keep_message);
	free(argv[1]);
	return pctx;
}

static inline void set_events(pctx_t *pctx)
{
	assert_int_equal(
		pctx_set_events(pctx, PCTX_SYSC_EXEC_EVENT, on_exec, PCTX_SYSC_FORK_EVENT,
				on_fork, PCTX_SYSC_EXIT_EVENT, on_exit_process,
				PCTX_SYSC_LWP_CREATE_EVENT, on_create,
				PCTX_INIT_LWP_EVENT, on_init, PCTX_FINI_LWP_EVENT,
				on_fini, PCTX_SYSC_LWP_EXIT_EVENT, on_lwp_exit,
				PCTX_NULL_EVENT),
		0);
}

static inline struct seen *seen_new(int follow)
{
	struct seen *s = calloc(1, sizeof *s);

	s->proc = calloc(MAX_PROCS, sizeof *s->proc);
	s->follow = follow;
	*message = '\0';
	return s;
}

static inline void seen_free(struct seen *s)
{
	free(s->proc);
	free(s);
}

#endif
