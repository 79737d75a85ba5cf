#include "pctx/wake.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"

static const int64_t ms = 1000000;

/* Blocks in a read that only the timer can end (EINTR). Returns the time after it. */
static int64_t wait_interrupted(void)
{
	int fds[2];
	char c;

	assert_int_equal(pipe(fds), 0);
	errno = 0;
	wake_unblock();
	const ssize_t n = read(fds[0], &c, 1);
	const int e = errno;
	wake_block();
	assert_int_equal(n, -1);
	assert_int_equal(e, EINTR);
	close(fds[0]);
	close(fds[1]);
	return clock_ns();
}

static void wakes(void **state)
{
	struct wake w = {0};

	(void)state;
	assert_int_equal(wake_open(&w), 0);
	const int64_t at = clock_ns() + 20 * ms;
	wake_at(&w, at);
	assert_true(wait_interrupted() >= at);
	/* The timer repeats until it is set again. */
	wait_interrupted();
	wait_interrupted();
	/* A time that has passed interrupts at once. */
	wake_at(&w, 1);
	wait_interrupted();
	wake_at(&w, clock_ns() - 5 * ms);
	wait_interrupted();
	wake_close(&w);
}

/* An earlier time replaces a later one, and the other way round. */
static void replaces_the_time(void **state)
{
	struct wake w = {0};

	(void)state;
	assert_int_equal(wake_open(&w), 0);
	const int64_t now = clock_ns();
	wake_at(&w, now + 3600 * 1000 * ms);
	wake_at(&w, now + 5 * ms);
	wait_interrupted();
	const int64_t later = clock_ns() + 30 * ms;
	wake_at(&w, later);
	int64_t woken = wait_interrupted();
	/* A signal that was pending already may come first. */
	while (woken < later) {
		assert_true(woken < now + 3600 * 1000 * ms);
		woken = wait_interrupted();
	}
	wake_close(&w);
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

/* Calls outside of wake_unblock() and wake_block() are not interrupted. */
static void interrupts_no_other_call(void **state)
{
	struct wake w = {0};
	int fds[2], st;
	char buf[4096] = "";

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(wake_open(&w), 0);
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
		struct wake w = {0};
		struct sigaction sa = {.sa_handler = catch}, now;
		sigset_t set, mask;

		caught = 0;
		assert_int_equal(sigaction(SIGRTMAX, &sa, NULL), 0);
		sigemptyset(&set);
		sigaddset(&set, SIGRTMAX);
		sigprocmask(blocked ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
		assert_int_equal(wake_open(&w), 0);
		wake_at(&w, 1);
		wait_interrupted();
		wait_interrupted();
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
		cmocka_unit_test(replaces_the_time),
		cmocka_unit_test(interrupts_no_other_call),
		cmocka_unit_test(restores),
	};

	alarm(20);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
