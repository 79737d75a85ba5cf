/* Children that are counted without libpctx, and the choice of the engine. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "cpc/cpc.h"
#include "suite/request/choose_engine.h"

static char reported[4096]; /* the messages, a line each */

static void on_words(const char *fn, int subcode, const char *fmt, va_list ap)
{
	const size_t len = strlen(reported);

	(void)fn;
	(void)subcode;
	vsnprintf(reported + len, sizeof reported - len, fmt, ap);
}

/* Breakpoints count the calls of this function. */
static __attribute__((noinline)) void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static void hit_times(unsigned n)
{
	while (n--)
		hit();
}

/* Open a session whose set counts calls of hit(), or an event of another name. */
static cpc_t *session(const char *event, cpc_set_t **set)
{
	char name[64];
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");

	assert_non_null(cpc);
	snprintf(name, sizeof name, "mem:%p:x", (void *)hit);
	*set = cpc_set_create(cpc);
	assert_non_null(*set);
	assert_int_equal(cpc_set_add_request(cpc, *set, event ? event : name, 0,
					     CPC_COUNT_USER, 0, NULL),
			 0);
	return cpc;
}

static uint64_t value(cpc_t *cpc, cpc_set_t *set)
{
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	uint64_t v = UINT64_MAX;

	assert_non_null(buf);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(cpc_buf_get(cpc, buf, 0, &v), 0);
	cpc_buf_destroy(cpc, buf);
	return v;
}

/* Calls hit() 5 times, and 7 times in each of two children that run side by side. */
static void family(void)
{
	hit_times(5);
	for (int i = 0; i < 2; i++)
		if (fork() == 0) {
			hit_times(7);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

/*
 * Start a child that waits until *go is closed and then runs family() or executes a
 * program.
 */
static pid_t waiting_child(int *go, int executes)
{
	int ends[2];
	char c;

	assert_int_equal(pipe(ends), 0);
	const pid_t pid = fork();
	assert_true(pid >= 0);
	*go = ends[1];
	if (pid > 0) {
		close(ends[0]);
		return pid;
	}
	close(ends[1]);
	if (read(ends[0], &c, 1) != 0)
		_exit(1);
	execl("/nonexistent", "/nonexistent", (char *)NULL);
	family();
	if (executes)
		execl("/bin/sh", "sh", "-c", ":", (char *)NULL);
	_exit(0);
}

static void end_child(pid_t pid, int go)
{
	int status;

	close(go);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void counts_children(void **state)
{
	static const struct {
		int line;
		unsigned flags;
		uint64_t want;
	} cases[] = {
		{__LINE__, 0, 5},
		{__LINE__, CPC_BIND_TREE, 5 + 2 * 7},
		/* An exec that fails does not count. */
		{__LINE__, CPC_BIND_EXEC, 0},
		{__LINE__, CPC_BIND_EXEC | CPC_BIND_TREE, 0},
	};

	(void)state;
	need_breakpoints();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cpc_set_t *set;
		int go;
		cpc_t *cpc = session(NULL, &set);
		const pid_t pid = waiting_child(&go, 0);

		assert_int_equal(cpc_bind_child(cpc, pid, set, cases[i].flags), 0);
		end_child(pid, go);
		const uint64_t got = value(cpc, set);
		if (got != cases[i].want)
			fail_msg("line %d: %lu", cases[i].line, (unsigned long)got);
		cpc_close(cpc);
	}
}

/* Two sets on one child: one begins at the exec, the other at once. */
static void begins_at_the_exec(void **state)
{
	cpc_set_t *before, *after;
	int go;
	cpc_t *cpc = session("page-faults", &before);
	const pid_t pid = waiting_child(&go, 1);

	(void)state;
	after = cpc_set_dup(cpc, before);
	assert_non_null(after);
	assert_int_equal(cpc_bind_child(cpc, pid, before, CPC_BIND_TREE), 0);
	assert_int_equal(cpc_bind_child(cpc, pid, after, CPC_BIND_TREE | CPC_BIND_EXEC),
			 0);
	end_child(pid, go);
	assert_true(value(cpc, after) > 0);
	assert_true(value(cpc, before) > value(cpc, after));
	cpc_close(cpc);
}

static void refuses_children(void **state)
{
	cpc_set_t *set;
	cpc_t *cpc = session("page-faults", &set);
	const pid_t pid = fork();

	(void)state;
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	errno = 0;
	assert_int_equal(cpc_bind_child(cpc, pid, set, 0), -1);
	assert_int_equal(errno, ESRCH);
	for (unsigned i = 0; i < 4; i++) {
		errno = 0;
		assert_int_equal(cpc_bind_child(i == 0 ? NULL : cpc,
						i == 1 ? 0 : getpid(),
						i == 2 ? NULL : set, i == 3),
				 -1);
		assert_int_equal(errno, EINVAL);
	}
	cpc_close(cpc);
}

/* The kernel engine does not change commands. */
static void leaves_commands(void **state)
{
	char *const argv[] = {(char *)"true", NULL}, *const none[] = {NULL};
	cpc_set_t *set;
	cpc_t *cpc = session("page-faults", &set);

	(void)state;
	assert_ptr_equal(cpc_command(cpc, argv, 1, &set), argv);
	assert_null(cpc_engine_notice(cpc));
	assert_int_equal(cpc_run_notes(cpc, NULL, (void (*)(void *, const char *))abort),
			 0);
	assert_null(cpc_command(cpc, none, 1, &set));
	assert_null(cpc_command(cpc, argv, 1, NULL));
	assert_null(cpc_command(NULL, argv, 0, NULL));
	cpc_close(cpc);
}

/*
 * The engine that is requested, and the result on a machine without counters of the
 * processor.
 */
static const struct {
	int line;
	const char *cpu, *engine, *spec;
	int running, err;
	const char *is;	  /* the name of the engine, or a part of the message */
	const char *also; /* another part of the message */
} choices[] = {
	{__LINE__, NULL, NULL, "page-faults", 0, 0, "kernel", NULL},
	{__LINE__, NULL, "auto", "page-faults", 1, 0, "kernel", NULL},
	{__LINE__, NULL, "kernel", "page-faults", 0, 0, "kernel", NULL},
	{__LINE__, NULL, "sim", "insn,nouser,sys", 0, ENOTSUP, "user mode only", NULL},
	{__LINE__, NULL, NULL, "page-faultz", 0, EINVAL, "bad token 'page-faultz'",
	 "did you mean 'page-faults'?"},
	{__LINE__, NULL, "sim", "insm", 0, EINVAL, "'insm'", "'insn'"},
	{__LINE__, NULL, "sim", "insn", 1, ENOTSUP, "running process", NULL},
	{__LINE__, NULL, "none", "insn", 0, ENODEV, "no engine is named 'none'", NULL},
	{__LINE__, "z80", NULL, "insn", 0, ENODEV, "no event table is named 'z80'", NULL},
	/*
	 * Neither engine counts the event: the message has the kernel's reason and the
	 * simulator's.
	 */
	{__LINE__, NULL, NULL, "us3::PC_port0_rd", 0, -1, "PC_port0_rd",
	 "the simulation cannot count either"},
};

static void chooses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
		const struct engine_choice ask = {.cpu = choices[i].cpu,
						  .engine = choices[i].engine,
						  .nspecs = 1,
						  .spec = &choices[i].spec,
						  .running = choices[i].running};
		const char *also = choices[i].also ? choices[i].also : "";
		struct sets *sets;
		cpc_t *cpc;
		char err[4096 + sizeof reported];

		reported[0] = '\0';
		errno = 0;
		const int e =
			choose_engine(&ask, on_words, &cpc, &sets, err, 4096) ? errno : 0;
		strcat(err, reported);
		const char *words = e ? err : cpc->scope.ops->name;
		const int same = choices[i].err == -1 ? e != 0 : e == choices[i].err;
		if (!same || !strstr(words, choices[i].is) || !strstr(words, also))
			fail_msg("line %d: errno %d, %s", choices[i].line, e, words);
		if (e)
			continue;
		assert_string_equal(err, "");
		sets_free(sets);
		cpc_close(cpc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_children),  cmocka_unit_test(begins_at_the_exec),
		cmocka_unit_test(refuses_children), cmocka_unit_test(leaves_commands),
		cmocka_unit_test(chooses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
