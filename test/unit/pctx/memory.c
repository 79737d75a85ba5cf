/*
 * Tests of libpctx without memory: each allocation of a run fails in turn. No LWP may
 * stay stopped, and each failure that loses an LWP is reported. The linker replaces
 * calloc and others by the functions of this file (--wrap).
 */
#include <libpctx.h>

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/pool.h"
#include "harness.h"

void *__real_calloc(size_t n, size_t size);
void *__real_malloc(size_t size);
void *__real_pool_get(struct pool *pool);
FILE *__real_fopen(const char *path, const char *mode);
ssize_t __real_getdelim(char **line, size_t *size, int delim, FILE *f);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_pool_get(struct pool *pool);
FILE *__wrap_fopen(const char *path, const char *mode);
ssize_t __wrap_getdelim(char **line, size_t *size, int delim, FILE *f);

static unsigned fail_at; /* the number of the call that fails; 0: none */
static unsigned calls;	 /* calls since arm() */

static void arm(unsigned n)
{
	calls = 0;
	fail_at = n;
	*message = '\0';
}

/* No call fails any more. Returns whether one has failed. */
static int disarm(void)
{
	const int failed = calls >= fail_at;

	fail_at = 0;
	return failed;
}

static int fails(void)
{
	if (!fail_at || ++calls != fail_at)
		return 0;
	errno = ENOMEM;
	return 1;
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

/* Processes come from a pool, which allocates memory for many at once. */
void *__wrap_pool_get(struct pool *pool)
{
	return fails() ? NULL : __real_pool_get(pool);
}

FILE *__wrap_fopen(const char *path, const char *mode)
{
	return fails() ? NULL : __real_fopen(path, mode);
}

ssize_t __wrap_getdelim(char **line, size_t *size, int delim, FILE *f)
{
	return fails() ? -1 : __real_getdelim(line, size, delim, f);
}

static const struct {
	int line;
	const char *word;
	int status;    /* of the program */
	unsigned lwps; /* how many init_lwp gets */
} cases[] = {
	{__LINE__, "threads_joined", 0x600, 1 + THREADS},
	{__LINE__, "forks_on", 0, 1 + 60},
	{__LINE__, "spawns", 0x400, 3},
	{__LINE__, "thread_execs", 0x300, 3},
	{__LINE__, "stops", 0xb00, 2},
};

/*
 * A run without memory for one LWP counts all others, and fails when the program has
 * ended.
 */
static void check_run(size_t i, const struct seen *s, int r, int e)
{
	const int lost = r == -1 && e == ENOMEM;

	if ((r != 0 && !lost) || s->bad_calls || !s->proc[0].ended ||
	    s->proc[0].status != cases[i].status ||
	    (lost != (strncmp(message, "run: cannot follow pid ", 23) == 0)) ||
	    (lost ? s->inits >= cases[i].lwps : s->inits != cases[i].lwps))
		fail_msg(
			"line %d, allocation %u: %d, %s, %u bad calls, %u LWPs, '%s': %s",
			cases[i].line, calls, r, strerror(e), s->bad_calls, s->inits,
			message, s->log);
}

static int fails_once(size_t i, unsigned n)
{
	struct seen *s = seen_new(1);

	arm(n);
	pctx_t *pctx = create(cases[i].word, s);
	if (pctx) {
		set_events(pctx);
		const int r = pctx_run(pctx, 0, 0, NULL);
		const int e = errno;

		check_run(i, s, r, e);
		pctx_release(pctx);
	} else {
		assert_int_equal(errno, ENOMEM);
		assert_int_equal(strncmp(message, "create: cannot ", 15), 0);
	}
	seen_free(s);
	return disarm();
}

static void runs_without_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		unsigned n = 0;

		do
			alarm(DEADLINE_S);
		while (fails_once(i, ++n));
		assert_true(n > 1);
	}
	alarm(0);
}

/* A command line is read without memory too, behind a launcher or not. */
static void execs_without_memory(void **state)
{
	static char env[] = "/usr/bin/env", options[] = "--", sh[] = "sh", c[] = "-c",
		    script[] = "exec /usr/bin/env -uX sh -c 'exit 4'";
	char *const argv[] = {env, options, sh, c, script, NULL};

	(void)state;
	for (unsigned n = 1, failed = 1; failed; n++) {
		struct seen *s = seen_new(1);

		alarm(DEADLINE_S);
		arm(n);
		pctx_t *pctx = pctx_create_behind(argv, s, 0, keep_message);
		if (pctx) {
			set_events(pctx);
			assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
			assert_int_equal(s->proc[0].status, 0x400);
			if (!strstr(s->log, "exec1 'sh -c exit 4'"))
				fail_msg("allocation %u: %s", n, s->log);
			pctx_release(pctx);
		}
		failed = (unsigned)disarm();
		seen_free(s);
	}
	alarm(0);
}

static pid_t crowd(void)
{
	int ready[2];
	char byte;

	assert_int_equal(pipe(ready), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		pthread_t t;

		for (int i = 0; i < 5; i++)
			check(pthread_create(&t, NULL, park, NULL) == 0);
		check(write(ready[1], "", 1) == 1);
		_exit(parked());
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/* A process that cannot be captured for want of memory is released as a whole. */
static void captures_without_memory(void **state)
{
	const pid_t pid = crowd();
	unsigned refusals = 0;
	int failed = 1;

	(void)state;
	for (unsigned n = 1; failed; n++) {
		struct seen *s = seen_new(0);

		alarm(DEADLINE_S);
		arm(n);
		pctx_t *pctx = pctx_capture(pid, s, 0, keep_message);
		const int e = errno;
		failed = disarm();
		if (pctx) {
			pctx_release(pctx);
		} else {
			refusals++;
			assert_int_equal(e, ENOMEM);
			assert_int_equal(strncmp(message, "capture: pid ", 13), 0);
		}
		await_state(pid, 'S', 0);
		seen_free(s);
	}
	alarm(0);
	assert_true(refusals >= 6);
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(status_of(pid), SIGTERM);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(runs_without_memory, nothing_left),
		cmocka_unit_test_teardown(execs_without_memory, nothing_left),
		cmocka_unit_test_teardown(captures_without_memory, nothing_left),
	};

	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
