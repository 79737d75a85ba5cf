/*
 * The counters of hwperf.h and libperfex.h on the engine of fake_engine.h: the linker
 * replaces the calls of cpc_open_cpu() in the library by the function of this file
 * (--wrap). A test chooses which binds and reads fail. Each group of one event reads
 * fake.val[0]; the groups that count programs of children read faked.programs.
 *
 * To be included once in a program.
 */
#ifndef FAKE_COUNTERS_H
#define FAKE_COUNTERS_H

#include <fcntl.h>
#include <hwperf.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_engine.h"

enum { INDEX = 3 };

/* Calls of the engine that fail. */
struct faked_calls {
	uint64_t which;	 /* bit n: call n from now on, from 0 */
	int error;	 /* their errno */
	pid_t except_in; /* they do not fail in this process */
};

static struct {
	struct faked_calls bind, read;
	int no_threads; /* a bind with new threads is refused, as before Linux 5.13 */
	int threads;	/* of the last bind */
	struct count programs;
} faked;

static inline int faked_fails(struct faked_calls *c)
{
	const uint64_t which = c->which;

	if (getpid() == c->except_in)
		return 0;
	c->which >>= 1;
	if (which & 1)
		errno = c->error;
	return which & 1;
}

static inline struct group *faked_bind(struct engine *e, const struct target *t,
				       const struct evsel *const *sel, unsigned n,
				       struct why *why)
{
	faked.threads = t->threads;
	e->bind_errno = faked_fails(&faked.bind)	 ? faked.bind.error
			: t->threads && faked.no_threads ? EINVAL
							 : 0;
	return fake_bind(e, t, sel, n, why);
}

static inline int faked_read(struct group *g, struct count *val, int64_t *ns,
			     uint64_t *on)
{
	if (faked_fails(&faked.read))
		return -1;
	fake_read(g, val, ns, on);
	if (g->on_exec)
		*val = faked.programs;
	return 0;
}

/* The counts of a group change only when the test changes them. */
static inline int faked_freeze(struct group *g)
{
	(void)g;
	return 0;
}

static inline int faked_thaw(struct group *g, const uint64_t *after)
{
	(void)g;
	(void)after;
	return 0;
}

cpc_t *__real_cpc_open_cpu(int ver, const char *cpu, const char *engine);
cpc_t *__wrap_cpc_open_cpu(int ver, const char *cpu, const char *engine);

cpc_t *__wrap_cpc_open_cpu(int ver, const char *cpu, const char *engine)
{
	static struct engine_ops ops;
	cpc_t *cpc = __real_cpc_open_cpu(ver, cpu, engine);

	ops = fake_ops;
	ops.bind = faked_bind;
	ops.read = faked_read;
	ops.freeze = faked_freeze;
	ops.thaw = faked_thaw;
	fake_enter(cpc, &ops);
	return cpc;
}

/* Let each event be counted 10 times, and no call fail. */
static inline void faked_reset(void)
{
	memset(&faked, 0, sizeof faked);
	faked.programs = (struct count){.enabled = 8, .running = 8};
	fake.val[0] = (struct count){.count = 10, .enabled = 8, .running = 8};
	fake.val[1] = fake.val[0];
}

/* What the calls below start: the event of INDEX, in these modes. */
static inline hwperf_profevctrarg_t *faked_args(int modes)
{
	static hwperf_profevctrarg_t args;

	args.hwp_evctrargs.hwp_evctrl[INDEX].hwperf_spec = (short)(INDEX << 5 | modes);
	return &args;
}

/* Returns a handle, for which INDEX is an event of the engine. */
static inline int faked_open(pid_t pid)
{
	const hwperf_evname_t name = {INDEX, "own_alpha"};
	const int handle = hwperf_open(pid);

	assert_int_not_equal(handle, -1);
	assert_int_equal(hwperf_ioctl(handle, PIOCSETEVNAME, &name), 0);
	return handle;
}

/* Returns the generation. */
static inline int faked_start(int handle)
{
	const int generation =
		hwperf_ioctl(handle, PIOCENEVCTRS, faked_args(HWPERF_CNTEN_U));

	assert_true(generation > 0);
	return generation;
}

/* Returns the generation by PIOCGETEVCTRL, or -1. */
static inline int faked_generation(int handle)
{
	hwperf_eventctrl_t ctrl;

	return hwperf_ioctl(handle, PIOCGETEVCTRL, &ctrl);
}

static inline hwperf_value_t faked_value(int handle)
{
	hwperf_values_t values;

	if (hwperf_ioctl(handle, PIOCGETEVVALS, &values) == -1)
		return (hwperf_value_t){.hwv_class = -1};
	return values.hwp_value[INDEX];
}

#define faked_check(handle, value, class)                           \
	do {                                                        \
		const hwperf_value_t checked = faked_value(handle); \
                                                                    \
		assert_int_equal(checked.hwv_class, class);         \
		assert_int_equal(checked.hwv_value, value);         \
	} while (0)

/* A child that waits until its pipe is closed, or for a minute if the test fails. */
struct faked_child {
	pid_t pid;
	int gate;
};

/* What the child does first returns its exit status, or -1: the child waits. */
static inline struct faked_child faked_fork(int (*first)(void))
{
	int end[2];
	char byte;

	assert_int_equal(pipe2(end, O_CLOEXEC), 0);
	fflush(stdout);
	const pid_t pid = fork();
	if (pid == 0) {
		alarm(60);
		close(end[1]);
		const int status = first ? first() : -1;
		exit(status != -1 ? status : (int)read(end[0], &byte, 1));
	}
	assert_int_not_equal(pid, -1);
	close(end[0]);
	return (struct faked_child){pid, end[1]};
}

/* Returns the status of the child. */
static inline int faked_wait(const struct faked_child *child)
{
	int status = -1;

	close(child->gate);
	assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
	return status;
}

#endif
