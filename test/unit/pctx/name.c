/* Tests of pctx_name(): names of LWPs that live, that end and that execute. */
#include "pctx/name.h"

#include <errno.h>

#include <sys/stat.h>

#include "harness.h"

enum { LWPS = 8 };

/*
 * What the handlers have seen of each LWP, "WORD NAME" each, with "-" for no name. LWPs
 * that end at the same time are reported in any order.
 */
struct names {
	char log[LWPS][64];
	char all[512]; /* "LWP: WORD NAME, ...\n" of each */
};

static int add(struct names *n, const char *word, pctx_t *pctx, id_t lwpid)
{
	struct name name;
	const char *text = pctx_name(pctx, lwpid, &name);

	assert_in_range(lwpid, 1, LWPS - 1);
	const size_t len = strlen(n->log[lwpid]);
	snprintf(n->log[lwpid] + len, sizeof n->log[lwpid] - len, "%s%s %s",
		 len ? ", " : "", word, text ? text : "-");
	return 0;
}

static const char *all(struct names *n)
{
	char *end = n->all;

	for (unsigned i = 0; i < LWPS; i++)
		if (*n->log[i])
			end += sprintf(end, "%u: %s\n", i, n->log[i]);
	return n->all;
}

static int name_fini(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid;
	return add(arg, "fini", pctx, lwpid);
}

static int name_lwp_exit(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid;
	return add(arg, "lwp_exit", pctx, lwpid);
}

static int name_exec(pctx_t *pctx, pid_t pid, id_t lwpid, char *cmd, void *arg)
{
	(void)pid;
	(void)cmd;
	return add(arg, "exec", pctx, lwpid);
}

static void name_exit(pctx_t *pctx, pid_t pid, id_t lwpid, int status, void *arg)
{
	(void)pid;
	(void)status;
	add(arg, "exit", pctx, lwpid);
}

static void run(pctx_t *pctx, int keep)
{
	assert_non_null(pctx);
	assert_int_equal(pctx_set_events(pctx, PCTX_FINI_LWP_EVENT, name_fini,
					 PCTX_SYSC_LWP_EXIT_EVENT, name_lwp_exit,
					 PCTX_SYSC_EXEC_EVENT, name_exec,
					 PCTX_SYSC_EXIT_EVENT, name_exit,
					 PCTX_NULL_EVENT),
			 0);
	if (keep)
		pctx_keep_names(pctx);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	pctx_release(pctx);
}

/* Runs a program of this file's main(). */
static const char *log_of(const char *word, int keep)
{
	static struct names n;
	char *argv[] = {self, (char *)word, NULL};

	n = (struct names){0};
	run(pctx_create(self, argv, &n, 0, keep_message), keep);
	return all(&n);
}

static void *renamed(void *arg)
{
	prctl(PR_SET_NAME, arg);
	return NULL;
}

static void join(void *(*work)(void *), const char *arg)
{
	pthread_t t;

	if (pthread_create(&t, NULL, work, (void *)arg) || pthread_join(t, NULL))
		_exit(99);
}

/* Each thread renames itself just before its end; names can be empty or odd. */
static int renames(void)
{
	prctl(PR_SET_NAME, "leader");
	join(nothing, NULL);
	join(renamed, "seventeen letters");
	join(renamed, "");
	join(renamed, "\x1b\n");
	return 0;
}

static void *execute(void *arg)
{
	execl("/bin/true", "other", (char *)NULL);
	return arg;
}

/* The first LWP ends when the second one executes, which the kernel does not report. */
static int executes(void)
{
	prctl(PR_SET_NAME, "leader");
	join(execute, NULL);
	return 1;
}

static const char *words[] = {"renames", "executes"};
static int (*const runs[])(void) = {renames, executes};

static void at_the_end(void **state)
{
	(void)state;
	assert_string_equal(log_of("renames", 1),
			    "1: fini leader, exit leader\n"
			    "2: fini leader, lwp_exit leader\n"
			    "3: fini seventeen lette, lwp_exit seventeen lette\n"
			    "4: fini , lwp_exit \n"
			    "5: fini \x1b\n, lwp_exit \x1b\n\n");
}

/* Without pctx_keep_names() the name is not known at the end, and never a wrong one. */
static void not_kept(void **state)
{
	(void)state;
	assert_string_equal(log_of("renames", 0), "1: fini -, exit -\n"
						  "2: fini -, lwp_exit -\n"
						  "3: fini -, lwp_exit -\n"
						  "4: fini -, lwp_exit -\n"
						  "5: fini -, lwp_exit -\n");
}

static void after_exec(void **state)
{
	(void)state;
	assert_string_equal(log_of("executes", 1),
			    "1: fini -, lwp_exit -, exec true, fini true, exit true\n"
			    "2: fini true\n");
}

/* Makes a launcher, which executes the program after "--" in its place. */
static void make_launcher(const char *path)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs("#!/bin/sh\nshift\nshift\nexec \"$@\"\n", f);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, 0755), 0);
}

static int name_init(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	(void)pid;
	return add(arg, "init", pctx, lwpid);
}

/* What a launcher runs natively has its own name from the beginning. */
static void behind_launcher(void **state)
{
	char path[] = "/tmp/pctx-name-XXXXXX", script[sizeof path + 8];
	struct names n = {0};
	char quiet[] = "-q", end[] = "--", program[] = "/bin/true";
	char *argv[] = {script, quiet, end, program, NULL};

	(void)state;
	assert_non_null(mkdtemp(path));
	snprintf(script, sizeof script, "%s/launch", path);
	make_launcher(script);
	pctx_t *pctx = pctx_create_behind(argv, &n, 0, keep_message);
	assert_non_null(pctx);
	pctx_set_events(pctx, PCTX_INIT_LWP_EVENT, name_init, PCTX_NULL_EVENT);
	run(pctx, 1);
	unlink(script);
	rmdir(path);
	assert_string_equal(all(&n), "1: init true, fini true, exit true\n");
}

static void no_such_lwp(void **state)
{
	struct name name;

	(void)state;
	pctx_keep_names(NULL);
	assert_null(pctx_name(NULL, 1, &name));
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(at_the_end, nothing_left),
		cmocka_unit_test_teardown(not_kept, nothing_left),
		cmocka_unit_test_teardown(after_exec, nothing_left),
		cmocka_unit_test_teardown(behind_launcher, nothing_left),
		cmocka_unit_test(no_such_lwp),
	};

	for (size_t i = 0; argc > 1 && i < sizeof words / sizeof words[0]; i++)
		if (strcmp(argv[1], words[i]) == 0)
			_exit(runs[i]());
	prepare(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
