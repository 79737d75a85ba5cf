#include "child.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "engine/sim/inside.h"
#include "signals.h"

static void choose_signals(sigset_t *set, int user)
{
	sigemptyset(set);
	sigaddset(set, SIGCHLD);
	signals_passed(set);
	if (user) {
		sigaddset(set, SIGUSR1);
		sigaddset(set, SIGUSR2);
	}
}

/* The child to which signals are passed on while text is written, or NULL. */
static struct child *volatile writer;

static int is_passed(const struct child *c, int sig)
{
	return sig != SIGCHLD && !signals_is_ignored(sig) &&
	       !(c->user && (sig == SIGUSR1 || sig == SIGUSR2));
}

/* Async-signal-safe. */
static void take(struct child *c, int sig, const siginfo_t *info)
{
	const int no_child = c->pid == -1 && signals_is_ending(sig);

	if ((sig == SIGINT || no_child) && signals_is_second(&c->first_int)) {
		c->given_up = sig;
		return;
	}
	c->asked = c->asked || no_child;
	if (c->pid != -1)
		signals_pass_on(&c->process, info);
	if (signals_is_ending(sig))
		c->passed = sig;
	if (signals_is_warning(&c->seen, info))
		c->warned = 1;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	const int saved = errno;

	(void)context;
	if (writer)
		take(writer, sig, info);
	signals_give_up_output(sig, writer && writer->pid != -1 && !writer->given_up);
	errno = saved;
}

/* Runs in the child, which has the signal handlers of its parent. */
static void execute(void *arg, int fd)
{
	const struct child *c = arg;

	launch_execute(&c->launch, fd);
}

/* The mask of signals with which this command was started, and whether it is changed. */
static sigset_t before;
static int held;

/*
 * Block the signals for which child_next() waits, and find the launcher, which may send
 * some of them. A command with several children does so once: each child begins with the
 * mask that the command was started with.
 */
static void hold_signals(struct child *c)
{
	if (!held) {
		signals_find_launcher();
		held = signals_hold(&c->waited, &before) == 0;
	}
	c->mask = before;
}

/* The handler, which finds the child by the name writer, stays for later children. */
static void catch_signals(void)
{
	static int caught;

	if (!caught)
		signals_catch(on_signal);
	caught = 1;
}

/* Prepare to start a child, which gets fd[1]. Returns -1 with errno. */
static int prepare(struct child *c, char *const *argv, int user, int fd[2])
{
	const struct sigaction plain = {.sa_handler = SIG_DFL};

	*c = (struct child){.pid = -1,
			    .holder = HOLDER_NONE,
			    .process.fd = -1,
			    .fd = -1,
			    .user = user};
	sigemptyset(&c->seen);
	if (launch_prepare(&c->launch, argv) == -1 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) == -1) {
		launch_end(&c->launch);
		return -1;
	}
	c->launch.chld = &c->chld;
	c->launch.mask = &c->mask;
	signals_ending(&c->launch.reset);
	c->fd = fd[0];
	choose_signals(&c->waited, user);
	/* A process that ignores SIGCHLD cannot wait for its children. */
	sigaction(SIGCHLD, &plain, &c->chld);
	hold_signals(c);
	return 0;
}

/* The child exists, or it could not be created: then errno is kept. */
static int started(struct child *c)
{
	const int e = errno;

	if (c->pid == -1) {
		child_end(c);
	} else {
		process_open(&c->process, c->pid);
		writer = c;
	}
	catch_signals();
	errno = e;
	return c->pid == -1 ? -1 : 0;
}

static pid_t fork_child(const struct child *c, const int fd[2])
{
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	close(fd[0]);
	launch_execute(&c->launch, fd[1]);
}

static int start(struct child *c, char *const *argv, int user, int is_sharing)
{
	int fd[2];

	if (prepare(c, argv, user, fd) == -1)
		return -1;
	if (is_sharing && !sim_inside_valgrind())
		c->pid = launch_sharing(&c->launch, fd);
	if (c->pid == -1)
		c->pid = fork_child(c, fd);
	const int e = errno;
	close(fd[1]);
	errno = e;
	return started(c);
}

int child_start(struct child *c, char *const *argv, int user)
{
	return start(c, argv, user, 0);
}

int child_start_sharing(struct child *c, char *const *argv)
{
	return start(c, argv, 0, 1);
}

int child_hold(struct child *c, char *const *argv)
{
	int fd[2];

	if (prepare(c, argv, 0, fd) == -1)
		return -1;
	const int rc = holder_start(&c->holder, fd, execute, c);
	const int e = errno;
	close(fd[1]);
	if (rc == -1)
		child_end(c);
	errno = e;
	return rc;
}

int child_start_held(struct child *c)
{
	c->pid = holder_create(&c->holder);
	return started(c);
}

/* Returns the processor time of a process, ns, or 0 if it is not known. */
static int64_t processor_time(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) == -1)
		return 0;
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int child_go(struct child *c)
{
	c->begun_ns = processor_time(c->pid);
	return send(c->fd, "", 1, MSG_NOSIGNAL) == 1 ? 0 : -1;
}

/* The time to wait: without a limit, a day at a time. */
static struct timespec left_until(int64_t until)
{
	const int64_t s = 1000000000, now = until ? clock_ns() : 0;

	if (!until)
		return (struct timespec){.tv_sec = 86400};
	if (until <= now)
		return (struct timespec){0};
	return (struct timespec){(until - now) / s, (until - now) % s};
}

static int64_t ns_of(struct timeval t)
{
	return t.tv_sec * INT64_C(1000000000) + t.tv_usec * INT64_C(1000);
}

/* Returns whether the child has ended. */
static int reap(struct child *c)
{
	struct rusage use;

	if (c->pid == -1 || wait4(c->pid, &c->status, WNOHANG, &use) != c->pid)
		return 0;
	c->pid = -1;
	/* The child has done little but system calls before its exec. */
	const int64_t system_ns = ns_of(use.ru_stime) - c->begun_ns;
	c->use = (struct child_use){
		.ns = ns_of(use.ru_utime) + system_ns,
		.user_ns = ns_of(use.ru_utime),
		.system_ns = system_ns > 0 ? system_ns : 0,
		.faults = (uint64_t)use.ru_minflt + (uint64_t)use.ru_majflt,
		.switches = use.ru_nvcsw,
		.preemptions = use.ru_nivcsw,
		.rss_kib = use.ru_maxrss,
	};
	return 1;
}

/* Returns whether what the signals have asked for is due, as *event. */
static int is_due(struct child *c, enum child_event *event)
{
	if (!c->given_up && !c->asked && !c->warned)
		return 0;
	if (c->given_up)
		*event = CHILD_GIVEN_UP;
	else if (c->asked)
		*event = CHILD_ASKED;
	else
		*event = CHILD_WARNED;
	if (*event == CHILD_ASKED)
		c->asked = 0;
	else
		c->warned = 0;
	return 1;
}

enum child_event child_next(struct child *c, int64_t until)
{
	enum child_event event;

	while (!is_due(c, &event)) {
		const struct timespec left = left_until(until);
		siginfo_t info;
		const int sig = sigtimedwait(&c->waited, &info, &left);

		if (sig == SIGCHLD && reap(c))
			return CHILD_ENDED;
		if (c->user && sig == SIGUSR1)
			return CHILD_START;
		if (c->user && sig == SIGUSR2)
			return CHILD_STOP;
		if (sig > 0 && is_passed(c, sig))
			take(c, sig, &info);
		if (sig == -1 && errno == EAGAIN && until && clock_ns() >= until)
			return CHILD_TIME;
	}
	return event;
}

int child_exec_error(struct child *c)
{
	int e;

	return recv(c->fd, &e, sizeof e, MSG_DONTWAIT) == sizeof e ? e : 0;
}

void child_leave(struct child *c)
{
	c->pid = -1;
}

void child_abandon(struct child *c)
{
	if (c->fd != -1)
		child_end(c);
	if (held)
		signals_release(&before);
	held = 0;
}

void child_end(struct child *c)
{
	if (c->pid > 0) {
		process_signal(&c->process, SIGKILL);
		waitpid(c->pid, &c->status, 0);
	}
	holder_end(&c->holder);
	launch_end(&c->launch);
	writer = NULL;
	process_close(&c->process);
	if (c->fd >= 0)
		close(c->fd);
	sigaction(SIGCHLD, &c->chld, NULL);
	c->pid = c->fd = -1;
}
