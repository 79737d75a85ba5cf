#include "pctx/wake.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sched.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

static const int64_t ms = 1000000;

/* A child that lives as long as the tests, so that there is something to wait for. */
static pid_t child;

static int start_child(void **state)
{
	(void)state;
	child = fork();
	if (child == 0)
		for (;;)
			pause();
	return child == -1;
}

static int end_child(void **state)
{
	(void)state;
	kill(child, SIGKILL);
	return waitpid(child, NULL, 0) != child;
}

/* Waits for a child until the time of wake_at(). Returns the time after it. */
static int64_t wait_interrupted(struct wake *w)
{
	int st;

	errno = 0;
	assert_int_equal(wake_wait(w, &st), -1);
	assert_int_equal(errno, EINTR);
	return clock_ns();
}

/* polls: no timer is left. */
static void open_wake(struct wake *w, int polls)
{
	struct rlimit was, none;

	assert_int_equal(getrlimit(RLIMIT_SIGPENDING, &was), 0);
	none = (struct rlimit){polls ? 0 : was.rlim_cur, was.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &none), 0);
	wake_open(w);
	assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &was), 0);
	assert_int_equal(w->polls, polls);
}

static void check_times(int polls)
{
	struct wake w;

	open_wake(&w, polls);
	const int64_t at = clock_ns() + 20 * ms;
	wake_at(&w, at);
	assert_true(wait_interrupted(&w) >= at);
	/* It comes again until another time is set. */
	wait_interrupted(&w);
	wait_interrupted(&w);
	/* A time that has passed interrupts at once. */
	wake_at(&w, 1);
	wait_interrupted(&w);
	wake_at(&w, clock_ns() - 5 * ms);
	wait_interrupted(&w);
	wake_close(&w);
}

static void wakes(void **state)
{
	(void)state;
	check_times(0);
	check_times(1);
}

static void finds_children(void **state)
{
	(void)state;
	for (int polls = 0; polls < 2; polls++) {
		struct wake w;
		int st;

		open_wake(&w, polls);
		const pid_t pid = fork();
		if (pid == 0)
			_exit(3);
		assert_int_equal(wake_wait(&w, &st), pid);
		assert_int_equal(st, 0x300);
		wake_close(&w);
	}
}

/* An earlier time replaces a later one, and the other way round. */
static void check_replacement(int polls)
{
	struct wake w;

	open_wake(&w, polls);
	const int64_t now = clock_ns();
	wake_at(&w, now + 3600 * 1000 * ms);
	wake_at(&w, now + 5 * ms);
	wait_interrupted(&w);
	const int64_t later = clock_ns() + 30 * ms;
	wake_at(&w, later);
	int64_t woken = wait_interrupted(&w);
	/* A signal that was pending already may come first. */
	while (woken < later) {
		assert_true(woken < now + 3600 * 1000 * ms);
		woken = wait_interrupted(&w);
	}
	wake_close(&w);
}

static void replaces_the_time(void **state)
{
	(void)state;
	check_replacement(0);
	check_replacement(1);
}

/* Waits until a process sleeps; here it sleeps in write(2) to a full pipe. */
static void wait_asleep(pid_t pid)
{
	char path[64], text[512] = "", state = 'R';

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	while (state != 'S') {
		FILE *f = fopen(path, "re");

		if (!f || !fgets(text, sizeof text, f) ||
		    sscanf(text, "%*d (%*[^)]) %c", &state) != 1)
			_exit(1);
		fclose(f);
		sched_yield();
	}
}

/* What wake_peek() reports can still be collected. */
static void peeks(void **state)
{
	struct wake w;
	siginfo_t info;
	int st;

	(void)state;
	for (int polls = 0; polls <= 1; polls++) {
		open_wake(&w, polls);
		const pid_t pid = fork();
		if (pid == 0)
			_exit(7);
		for (int i = 0; i < 2; i++) {
			assert_int_equal(wake_peek(&w, &info), pid);
			assert_int_equal(info.si_code, CLD_EXITED);
			assert_int_equal(info.si_status, 7);
		}
		assert_int_equal(wake_wait(&w, &st), pid);
		wake_at(&w, clock_ns());
		assert_int_equal(wake_peek(&w, &info), -1);
		assert_int_equal(errno, EINTR);
		wake_close(&w);
	}
}

/* What resume() of wake_pass() does. */
struct passing {
	unsigned n;	/* calls */
	int refuses;	/* the wait reports the stop */
	struct wake *w; /* the time of wake_at() comes at the second call, or NULL */
};

static int resume(void *arg, pid_t tid, int sig)
{
	struct passing *p = arg;

	p->n++;
	assert_int_equal(sig, SIGWINCH);
	if (p->refuses)
		return 0;
	if (p->w && p->n == 2)
		wake_at(p->w, 1);
	assert_int_equal(ptrace(PTRACE_CONT, tid, 0, (long)sig), 0);
	return 1;
}

/* Starts a traced child that ends with status 5 after three signals, which it ignores. */
static pid_t start_signalled(void)
{
	int go[2];
	char c;

	assert_int_equal(pipe(go), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		close(go[1]);
		if (read(go[0], &c, 1) != 0)
			_exit(1);
		for (int i = 0; i < 3; i++)
			raise(SIGWINCH);
		_exit(5);
	}
	assert_int_equal(ptrace(PTRACE_SEIZE, pid, 0, 0), 0);
	close(go[0]);
	close(go[1]);
	return pid;
}

/* Stops for signals are passed to a function, whether a wait collects or peeks. */
static void check_passes(int polls, int peeks_first)
{
	struct passing p = {0};
	struct wake w;
	siginfo_t info;
	int st;

	open_wake(&w, polls);
	wake_pass(&w, resume, &p);
	const pid_t pid = start_signalled();
	if (peeks_first) {
		assert_int_equal(wake_peek(&w, &info), pid);
		assert_int_equal(info.si_code, CLD_EXITED);
	}
	assert_int_equal(wake_wait(&w, &st), pid);
	assert_int_equal(st, 0x500);
	assert_int_equal(p.n, 3);
	wake_close(&w);
}

static void passes_signals(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++)
		check_passes(i & 1, i >> 1);
}

static void reports_what_is_refused(void **state)
{
	struct passing p = {.refuses = 1};
	struct wake w;
	int st;

	(void)state;
	open_wake(&w, 0);
	wake_pass(&w, resume, &p);
	const pid_t pid = start_signalled();
	for (unsigned i = 1; i <= 3; i++) {
		assert_int_equal(wake_wait(&w, &st), pid);
		assert_int_equal(st, SIGWINCH << 8 | 0x7f);
		assert_int_equal(p.n, i);
		assert_int_equal(ptrace(PTRACE_CONT, pid, 0, 0L), 0);
	}
	assert_int_equal(wake_wait(&w, &st), pid);
	assert_int_equal(st, 0x500);
	wake_close(&w);
}

/* Signals that come one after another do not keep a wait from ending at its time. */
static void ends_between_signals(void **state)
{
	(void)state;
	for (int polls = 0; polls <= 1; polls++) {
		struct wake w;
		struct passing p = {.w = &w};
		int st;

		open_wake(&w, polls);
		wake_pass(&w, resume, &p);
		const pid_t pid = start_signalled();
		wait_interrupted(&w);
		assert_int_equal(p.n, 2);
		wake_at(&w, clock_ns() + 3600 * 1000 * ms);
		assert_int_equal(wake_wait(&w, &st), pid);
		assert_int_equal(st, 0x500);
		assert_int_equal(p.n, 3);
		wake_close(&w);
	}
}

/* Calls outside of wake_wait() are not interrupted. */
static void interrupts_no_other_call(void **state)
{
	struct wake w;
	int fds[2], st;
	char buf[4096] = "";

	(void)state;
	assert_int_equal(pipe(fds), 0);
	open_wake(&w, 0);
	const pid_t writer = getpid();
	const pid_t pid = fork();
	if (pid == 0) {
		close(fds[1]);
		wait_asleep(writer);
		/* Let the writer sleep for some periods of the timer. */
		const int64_t end = clock_ns() + 10 * ms;
		while (clock_ns() < end)
			sched_yield();
		while (read(fds[0], buf, sizeof buf) > 0)
			;
		_exit(0);
	}
	close(fds[0]);
	wake_at(&w, 1);
	for (int i = 0; i < 64; i++)
		assert_int_equal(write(fds[1], buf, sizeof buf), sizeof buf);
	close(fds[1]);
	assert_int_equal(waitpid(pid, &st, 0), pid);
	wake_close(&w);
}

static volatile sig_atomic_t caught;

static void catch (int sig)
{
	(void)sig;
	caught++;
}

/* wake_close() restores the caller's signal action and mask, blocked or not. */
static void restores(void **state)
{
	(void)state;
	for (int blocked = 0; blocked < 2; blocked++) {
		struct wake w;
		struct sigaction sa = {.sa_handler = catch}, now;
		sigset_t set, mask;

		caught = 0;
		assert_int_equal(sigaction(SIGRTMAX, &sa, NULL), 0);
		sigemptyset(&set);
		sigaddset(&set, SIGRTMAX);
		sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
		open_wake(&w, 0);
		wake_at(&w, 1);
		wait_interrupted(&w);
		wait_interrupted(&w);
		wake_close(&w);
		assert_int_equal(w.open, 0);
		assert_int_equal(caught, 0);
		sigaction(SIGRTMAX, NULL, &now);
		assert_ptr_equal(now.sa_handler, catch);
		sigprocmask(SIG_SETMASK, NULL, &mask);
		assert_int_equal(sigismember(&mask, SIGRTMAX), blocked);
		sigprocmask(SIG_UNBLOCK, &set, NULL);
		assert_int_equal(caught, 0);
		raise(SIGRTMAX);
		assert_int_equal(caught, 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wakes),
		cmocka_unit_test(finds_children),
		cmocka_unit_test(replaces_the_time),
		cmocka_unit_test(interrupts_no_other_call),
		cmocka_unit_test(peeks),
		cmocka_unit_test(passes_signals),
		cmocka_unit_test(reports_what_is_refused),
		cmocka_unit_test(ends_between_signals),
		cmocka_unit_test(restores),
	};

	alarm(20);
	return cmocka_run_group_tests(tests, start_child, end_child);
}
