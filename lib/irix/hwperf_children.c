#include "irix/hwperf_children.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/lock.h"
#include "base/process.h"
#include "irix/hwperf_call.h"
#include "irix/hwperf_programs.h"
#include "irix/hwperf_share.h"

/*
 * The parent opens counters of the child, whose counts it gets at the end, and the child
 * opens counters of its own. The child runs on when the parent has opened its counters.
 * The lock is held from prepare() until the parent and the child have left fork(2).
 */
static struct {
	struct hwperf_process *parent; /* NULL: the LWP that forks is not counted */
	int end[2]; /* a pair of sockets: of the parent, of the child */
} at_fork;

/* Returns 1 if the kernel reaps the children itself, so that nobody waits for them. */
static int reaps_itself(void)
{
	struct sigaction act;

	return sigaction(SIGCHLD, NULL, &act) == 0 &&
	       (act.sa_handler == SIG_IGN || act.sa_flags & SA_NOCLDWAIT);
}

/*
 * Returns 1 if the counts of the child, which has ended, are to be added to those of its
 * heir p now. The child was waited for only if the resources of children that were waited
 * for have grown since the child lived. If they have grown and the kernel reaps children
 * itself now, the child may have been waited for before: then the counts of p become
 * incomplete.
 */
static int is_due(struct hwperf_process *p, const struct hwperf_process *child,
		  enum hwperf_life life)
{
	if (child->saved)
		return 1;
	if (life != HWPERF_REAPED || child->waited == process_waited_usage())
		return 0;
	if (!reaps_itself())
		return 1;
	p->incomplete = 1;
	return 0;
}

/*
 * Returns 1 if the parent and the child count the same event under an index, or, if one
 * of them counts no more, have last counted it.
 */
static int counts_too(const struct hwperf_process *p, const struct hwperf_process *child,
		      unsigned i)
{
	if (p->counters.setup && child->counters.setup)
		return hwperf_setup_agree(p->counters.setup, child->counters.setup, i);
	return child->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec ==
	       p->arg.hwp_evctrargs.hwp_evctrl[i].hwperf_spec;
}

/* Events that the parent counts no more, or counts in other modes, are left out. */
static void inherit(struct hwperf_process *p, struct hwperf_process *child)
{
	hwperf_values_t all = child->sum;

	if (hwperf_counters_read(&child->counters, &all) == -1)
		p->incomplete = 1;
	for (unsigned i = 0; i < HWPERF_EVENTMAX; i++)
		if (!counts_too(p, child, i))
			memset(&all.hwp_value[i], 0, sizeof all.hwp_value[i]);
	hwperf_values_add(&p->sum, &all);
	p->incomplete |= child->incomplete;
}

/* Frees the block of a child that has ended, if its counts are not needed any more. */
static void settle_ended(struct hwperf_process *p, struct hwperf_process *child,
			 enum hwperf_life life)
{
	const int due = is_due(p, child, life);

	if (due)
		inherit(p, child);
	if (due || life == HWPERF_REAPED) {
		hwperf_programs_forget(p, child);
		hwperf_table_drop(child);
	}
}

/* A child that lives is not among the children that were waited for before. */
void hwperf_children_settle(struct hwperf_process *p)
{
	const uint64_t waited = process_waited_usage();

	for (struct hwperf_process *c = hwperf_table_first(), *next; c; c = next) {
		next = c->next;
		if (c->heir != p->tid || c == p)
			continue;
		const enum hwperf_life life = hwperf_table_life(c);
		if (life == HWPERF_LIVES)
			c->waited = waited;
		else
			settle_ended(p, c, life);
	}
}

/* Send or receive a byte; returns 0, or -1 if the other side has ended. */
static int transmit(int fd)
{
	return send(fd, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

static int receive(int fd, struct msghdr *msg)
{
	ssize_t got;

	do
		got = recvmsg(fd, msg, MSG_CMSG_CLOEXEC);
	while (got == -1 && errno == EINTR);
	return got == 1 ? 0 : -1;
}

/*
 * Returns the id of the child, which the kernel adds to the child's byte, or -1: in a new
 * PID namespace the child itself knows another id (unix(7), SO_PASSCRED).
 */
static pid_t receive_id(int fd)
{
	char byte;
	union {
		struct cmsghdr header;
		char space[CMSG_SPACE(sizeof(struct ucred))];
	} control;
	struct iovec data = {&byte, 1};
	struct msghdr msg = {.msg_iov = &data,
			     .msg_iovlen = 1,
			     .msg_control = &control,
			     .msg_controllen = sizeof control};

	if (receive(fd, &msg) == -1)
		return -1;
	const struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	struct ucred from;
	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_CREDENTIALS)
		return -1;
	memcpy(&from, CMSG_DATA(c), sizeof from);
	return from.pid > 0 ? from.pid : -1;
}

/* Create the pair of sockets. That of the parent receives the id of the sender, too. */
static int open_ends(void)
{
	const int on = 1;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, at_fork.end) == 0) {
		if (setsockopt(at_fork.end[0], SOL_SOCKET, SO_PASSCRED, &on, sizeof on) ==
		    0)
			return 0;
		close(at_fork.end[0]);
		close(at_fork.end[1]);
	}
	at_fork.end[0] = at_fork.end[1] = -1;
	return -1;
}

/* Choose the LWP that forks as the parent, if it is counted. */
static void choose_parent(void)
{
	struct hwperf_process *p = hwperf_table_of(gettid());

	if (!p || !p->counters.setup || p->losses != hwperf_share_losses())
		return;
	at_fork.parent = p;
	hwperf_children_settle(p);
	if (open_ends() == -1)
		p->incomplete = 1;
}

/*
 * If a signal handler that has interrupted a call forks, hwperf_call_begin() fails in all
 * handlers of fork(2), and the child is not counted.
 */
static void before_fork(void)
{
	const int is_first = hwperf_call_begin() == 0;

	lock_hold();
	at_fork.parent = NULL;
	if (!is_first)
		return;
	choose_parent();
	hwperf_call_end();
}

/* Open counters for a process with the set-up of another, and counts of 0. */
static int count_as(struct hwperf_process *p, const struct hwperf_process *model,
		    struct hwperf_setup *setup, const struct hwperf_target *t)
{
	p->arg = model->arg;
	p->rule = model->rule;
	p->generation = model->generation;
	if (hwperf_share_user() == -1)
		return -1;
	p->losses = hwperf_share_losses();
	if (hwperf_programs_begin(p, setup, t) == 0)
		return 0;
	p->losses = HWPERF_NO_LOSSES;
	hwperf_share_user_end();
	return -1;
}

static struct hwperf_process *block_of(pid_t pid)
{
	const int handle = hwperf_open(pid);
	struct hwperf_process *p = handle == -1 ? NULL : hwperf_table_get(handle);

	if (handle != -1)
		close(handle);
	return p;
}

/* The child's own children are counted with it: it may execute another program. */
static int count_child(struct hwperf_process *parent, pid_t pid)
{
	const struct hwperf_target t = {.tid = pid, .pid = pid, .tree = 1};
	struct hwperf_process *child = block_of(pid);

	if (!child)
		return -1;
	child->waited = process_waited_usage();
	if (hwperf_programs_leave_out(parent, child) == 0 &&
	    count_as(child, parent, parent->counters.setup, &t) == 0) {
		child->heir = parent->tid;
		return 0;
	}
	hwperf_table_drop(child);
	return -1;
}

/*
 * This process closes its copy of the child's end first. If fork(2) has failed, nobody
 * else has the end open, and receive_id() returns -1 at once. A handler of fork(2) that
 * the program has registered may have released the counters.
 */
static void admit_child(struct hwperf_process *p)
{
	if (at_fork.end[0] == -1)
		return;
	close(at_fork.end[1]);
	const pid_t child = receive_id(at_fork.end[0]);
	if (child != -1 && p->counters.setup && count_child(p, child) == -1)
		p->incomplete = 1;
	transmit(at_fork.end[0]);
	close(at_fork.end[0]);
}

static void after_fork_parent(void)
{
	const int e = errno;
	const int is_first = hwperf_call_begin() == 0;

	if (is_first && at_fork.parent)
		admit_child(at_fork.parent);
	lock_release();
	if (is_first)
		hwperf_call_end();
	errno = e;
}

/*
 * In the child: free its copies of the parent's blocks, whose counters do not count the
 * child. hwperf_share_forked() comes first: without it, to free a block would release
 * locks of the parent.
 */
static void forget_all(struct hwperf_process *except)
{
	hwperf_share_forked();
	for (struct hwperf_process *p = hwperf_table_first(), *next; p; p = next) {
		next = p->next;
		if (p != except)
			hwperf_table_drop(p);
	}
}

static void await_parent(void)
{
	char byte;
	struct iovec data = {&byte, 1};
	struct msghdr msg = {.msg_iov = &data, .msg_iovlen = 1};

	if (at_fork.end[0] == -1)
		return;
	close(at_fork.end[0]);
	if (transmit(at_fork.end[1]) == 0)
		receive(at_fork.end[1], &msg);
	close(at_fork.end[1]);
}

/*
 * The child opens its counters last, so that they count only its own work. If they cannot
 * be opened, the child has lost the counters of its parent, so its generation rises.
 */
static void count_self(struct hwperf_process *model)
{
	struct hwperf_setup *setup = hwperf_setup_keep(model->counters.setup);
	struct hwperf_process *self = block_of(getpid());
	const struct hwperf_target t = {
		.tid = gettid(), .pid = getpid(), .signo = model->signo};

	hwperf_counters_close(&model->counters);
	hwperf_counters_close(&model->programs);
	await_parent();
	if (self && setup) {
		self->signo = model->signo;
		self->names = model->names;
		memset(&model->names, 0, sizeof model->names);
		if (count_as(self, model, setup, &t) == -1) {
			self->generation++;
			self->incomplete = 1;
		}
	}
	hwperf_table_drop(model);
	hwperf_setup_drop(setup);
}

static void begin_child(void)
{
	forget_all(at_fork.parent);
	if (at_fork.parent)
		count_self(at_fork.parent);
}

static void after_fork_child(void)
{
	const int e = errno;
	const int is_first = hwperf_call_begin() == 0;

	if (is_first)
		begin_child();
	lock_release();
	if (is_first)
		hwperf_call_end();
	errno = e;
}

static struct {
	pthread_once_t once;
	int err;
} prepared = {.once = PTHREAD_ONCE_INIT};

static void prepare(void)
{
	prepared.err = pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

int hwperf_children_prepare(void)
{
	pthread_once(&prepared.once, prepare);
	return prepared.err;
}
