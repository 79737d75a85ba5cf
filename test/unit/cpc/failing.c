/*
 * Sessions, sets and binds while calls of the C library and of the kernel fail: each
 * refusal has the errno of the call, and nothing is left open, allocated or moved.
 */
#include <libpctx.h>
#include <opencpc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "cpc/lifetimes.h"
#include "cpc/place.h"
#include "cpc/session.h"
#include "failing.h"
#include "reported.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { USER = CPC_COUNT_USER, SMPL = CPC_HW_SMPL, EMT = CPC_OVF_NOTIFY_EMT };

/* A session with a set. */
struct user {
	cpc_t *cpc;
	cpc_set_t *set;
	cpc_buf_t *buf;
};

static int begin(struct user *u)
{
	memset(&reported, 0, sizeof reported);
	*u = (struct user){.cpc = cpc_open(CPC_VER_CURRENT)};
	if (u->cpc)
		cpc_seterrhndlr(u->cpc, remember);
	if (u->cpc)
		u->set = cpc_set_create(u->cpc);
	return u->set ? 0 : -1;
}

/* Closes the session, and returns rc with errno and the words of the refusal. */
static int end(struct user *u, int rc, char *words, size_t size)
{
	const int err = errno;

	snprintf(words, size, "%s", reported.calls ? reported.text : "(errno alone)");
	cpc_close(u->cpc);
	errno = err;
	return rc;
}

static int add(struct user *u, const char *event, uint_t flags, cpc_attr_t *attr)
{
	return cpc_set_add_request(u->cpc, u->set, event, UINT64_MAX - 999, USER | flags,
				   attr != NULL, attr) == -1;
}

static int make_buf(struct user *u)
{
	u->buf = cpc_buf_create(u->cpc, u->set);
	return u->buf ? 0 : -1;
}

static int sample(struct user *u)
{
	return cpc_set_sample(u->cpc, u->set, u->buf);
}

static int counts_itself(char *words, size_t size)
{
	struct user u;

	const int rc = begin(&u) || add(&u, "page-faults", 0, NULL) ||
		       add(&u, "task-clock", 0, NULL) || make_buf(&u) ||
		       cpc_bind_curlwp(u.cpc, u.set, 0) || sample(&u) ||
		       cpc_disable(u.cpc) || cpc_enable(u.cpc) ||
		       cpc_set_restart(u.cpc, u.set) || cpc_unbind(u.cpc, u.set);
	return end(&u, -rc, words, size);
}

static int takes_records(char *words, size_t size)
{
	cpc_attr_t nrecs = {(char[]){"smpl_nrecs"}, 10};
	struct user u;

	const int rc = begin(&u) || add(&u, "page-faults", SMPL | EMT, &nrecs) ||
		       add(&u, "minor-faults", SMPL, &nrecs) || make_buf(&u) ||
		       cpc_bind_curlwp(u.cpc, u.set, 0) || sample(&u) ||
		       cpc_request_preset(u.cpc, 0, UINT64_MAX - 99) ||
		       cpc_set_restart(u.cpc, u.set) || cpc_disable(u.cpc) ||
		       cpc_enable(u.cpc);
	return end(&u, -rc, words, size);
}

static int overflows(char *words, size_t size)
{
	struct user u;

	const int rc = begin(&u) || add(&u, "page-faults", EMT, NULL) ||
		       cpc_bind_curlwp(u.cpc, u.set, 0) || cpc_set_restart(u.cpc, u.set);
	return end(&u, -rc, words, size);
}

static int dups_a_set(char *words, size_t size)
{
	struct user u;

	int rc = begin(&u) || add(&u, "page-faults", 0, NULL);
	if (!rc) {
		cpc_set_t *dup = cpc_set_dup(u.cpc, u.set);
		rc = !dup || cpc_bind_curlwp(u.cpc, dup, 0);
	}
	return end(&u, -rc, words, size);
}

/* Events of tables take attributes, which requests keep. */
static int keeps_attributes(char *words, size_t size)
{
	cpc_attr_t attr = {(char[]){"picnum"}, 1};
	struct user u;

	const int rc = begin(&u) || add(&u, "page-faults", 0, &attr);
	return end(&u, -rc, words, size);
}

/* Breaks the rules of the flags: where the caller runs is restored. */
static int counts_a_cpu(char *words, size_t size)
{
	static const uint_t flags[] = {0, CPC_FLAGS_NORELE, CPC_FLAGS_NOPBIND,
				       CPC_FLAGS_REMOTE};
	struct user u;

	int rc = begin(&u) || add(&u, "cpu-clock", 0, NULL) || make_buf(&u);
	for (size_t i = 0; !rc && i < COUNT(flags); i++)
		rc = cpc_bind_cpu(u.cpc, sched_getcpu(), u.set, flags[i]) || sample(&u);
	return end(&u, -rc, words, size);
}

static int counts_a_child(char *words, size_t size)
{
	int gate[2], status;
	struct user u;

	assert_int_equal(pipe(gate), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		char byte;

		close(gate[1]);
		_exit(__real_read(gate[0], &byte, 1) != 0);
	}
	close(gate[0]);
	const int rc = begin(&u) || add(&u, "page-faults", 0, NULL) || make_buf(&u) ||
		       cpc_bind_child(u.cpc, pid, u.set, CPC_BIND_TREE) || sample(&u);
	const int result = end(&u, -rc, words, size), err = errno;
	close(gate[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	errno = err;
	return result;
}

static void take_life(void *arg, const struct cpc_life *life)
{
	(void)arg;
	(void)life;
}

/* Count the LWPs that a process will start, which waits until the gate is closed. */
static int counts_lives(enum lifetimes_by by, char *words, size_t size)
{
	int gate[2], status;
	struct cpc_lifetimes *l = NULL;
	struct user u;

	assert_int_equal(pipe(gate), 0);
	const pid_t pid = fork();
	if (pid == 0) {
		char byte;

		close(gate[1]);
		_exit(__real_read(gate[0], &byte, 1) != 0);
	}
	close(gate[0]);
	const struct engine_tree tree = {
		.holder = pid, .follow_fork = 1, .follow_exec = 1};
	int rc = begin(&u) || add(&u, "page-faults", 0, NULL) ||
		 add(&u, "task-clock", 0, NULL) || make_buf(&u);
	if (!rc) {
		l = lifetimes_open(u.cpc, by, &tree, 1, &u.set);
		rc = !l;
	}
	if (!rc) {
		lifetimes_read(l, 0, NULL, take_life);
		lifetimes_read(l, 1, NULL, take_life);
		rc = lifetimes_total(l, &u.buf);
		if (by == LIFETIMES_BY_BPF)
			rc = rc || lifetimes_living(l, NULL, take_life);
		else if (!rc)
			FAILS(lifetimes_living(l, NULL, take_life), ENOTSUP);
	}
	const int error = errno;
	lifetimes_close(l);
	errno = error;
	const int result = end(&u, -rc, words, size), err = errno;
	close(gate[1]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	errno = err;
	return result;
}

static int records_lives(char *words, size_t size)
{
	return counts_lives(LIFETIMES_BY_RECORDS, words, size);
}

static int counts_lives_by_bpf(char *words, size_t size)
{
	return counts_lives(LIFETIMES_BY_BPF, words, size);
}

static void remember_control(const char *fn, const char *fmt, va_list ap)
{
	remember(fn, 0, fmt, ap);
}

/*
 * A child that fails to execute the program ends, so the library gives another errno: of
 * the wait, or EPERM of ptrace(2), which cannot seize a process that has ended.
 */
static int counts_a_controlled_program(char *words, size_t size)
{
	char *const argv[] = {(char[]){"/bin/true"}, NULL};
	const struct engine_place place = {.address = 4096, .access = ENGINE_EXECUTE};
	struct user u;
	pctx_t *pctx = NULL;

	int rc = begin(&u);
	if (!rc) {
		u.cpc->places = 1;
		rc = add(&u, "mem:somewhere:x", 0, NULL) ||
		     add(&u, "context-switches", 0, NULL) || make_buf(&u);
	}
	if (!rc) {
		pctx = pctx_create(argv[0], argv, NULL, 0, remember_control);
		rc = !pctx || cpc_bind_pctx(u.cpc, pctx, 1, u.set, 0) || sample(&u) ||
		     cpc_place(u.cpc, u.set, 0, &place);
	}
	if (!rc)
		FAILS(cpc_place(u.cpc, u.set, 2, &place), EINVAL);
	const int result = end(&u, -rc, words, size), err = errno;
	pctx_kill(pctx);
	errno = err;
	return result;
}

/* With CPC_STRICT=1, a file has the generation of binds. */
static int is_strict(char *words, size_t size)
{
	struct user u;

	setenv("CPC_STRICT", "1", 1);
	int rc = begin(&u) || add(&u, "cpu-clock", 0, NULL) || make_buf(&u) ||
		 cpc_bind_curlwp(u.cpc, u.set, 0) || sample(&u) ||
		 cpc_bind_cpu(u.cpc, sched_getcpu(), u.set, 0);
	unsetenv("CPC_STRICT");
	return end(&u, -rc, words, size);
}

static void *run_nothing(void *arg)
{
	return arg;
}

/* An LWP that cannot be created gives back its counters. */
static int counts_a_new_lwp(char *words, size_t size)
{
	pthread_t thread;
	struct user u;

	signal(SIGEMT, SIG_IGN); /* which the new LWP gets */

	int rc = begin(&u) || add(&u, "page-faults", EMT, NULL) ||
		 cpc_bind_curlwp(u.cpc, u.set, CPC_BIND_LWP_INHERIT);
	if (!rc) {
		rc = errno = pthread_create(&thread, NULL, run_nothing, NULL);
		if (!rc)
			pthread_join(thread, NULL);
	}
	return end(&u, rc ? -1 : 0, words, size);
}

static char *const *behind_nothing(struct engine *e, char *const *argv,
				   const struct evsel *const *sel, unsigned n,
				   struct why *why)
{
	(void)e, (void)sel, (void)n, (void)why;
	return argv;
}

/* An engine that starts programs gets a list of the events of all sets. */
static int makes_a_command(char *words, size_t size)
{
	char *const argv[] = {(char[]){"true"}, NULL};
	struct engine_ops ops = engine_kernel;
	struct user u;

	ops.command = behind_nothing;
	int rc = begin(&u) || add(&u, "page-faults", 0, NULL);
	if (!rc) {
		u.cpc->scope.ops = &ops;
		rc = cpc_command(u.cpc, argv, 1, &u.set) != argv;
		u.cpc->scope.ops = &engine_kernel;
	}
	return end(&u, -rc, words, size);
}

static void note_event(void *arg, const char *name)
{
	(void)name;
	++*(unsigned *)arg;
}

/* Lists that cannot be made are shorter. */
static int walks_events(char *words, size_t size)
{
	unsigned n = 0;
	struct user u;

	const int rc = begin(&u);
	if (!rc) {
		cpc_walk_events_all(u.cpc, &n, note_event);
		cpc_walk_attrs(u.cpc, &n, note_event);
		assert_true(cpc_caps(u.cpc) || failing.nth);
	}
	return end(&u, rc, words, size);
}

/* The answer about an event has the errno and the words of a bind. */
static int asks_for_a_status(char *words, size_t size)
{
	cpc_event_status_t st = {.error = 0};
	struct user u;

	int rc = begin(&u) || cpc_event_status(u.cpc, "page-faults", &st);
	if (st.error) {
		errno = st.error;
		rc = 1;
	}
	rc = end(&u, -rc, words, size);
	snprintf(words, size, "%s", st.error ? st.reason : "(errno alone)");
	return rc;
}

/* Two requests for one counter take turns. */
static int takes_turns(char *words, size_t size)
{
	cpc_attr_t first = {(char *)"picnum", 0};
	struct user u;

	const int rc = begin(&u) || add(&u, "page-faults", 0, &first) ||
		       add(&u, "task-clock", 0, &first) ||
		       cpc_set_flags(u.cpc, u.set, CPC_SET_MULTIPLEX) || make_buf(&u) ||
		       cpc_bind_curlwp(u.cpc, u.set, 0) || sample(&u);
	return end(&u, -rc, words, size);
}

static int counts_by_tid(char *words, size_t size)
{
	struct user u;

	const int rc = begin(&u) || add(&u, "page-faults", 0, NULL) || make_buf(&u) ||
		       cpc_bind_tid(u.cpc, gettid(), u.set, 0) || sample(&u);
	return end(&u, -rc, words, size);
}

static const struct failure failures[] = {
	{"memory", ENOMEM},
	{"perf_event_open", EBUSY},
	{"perf_event_open", EACCES},
	{"perf_event_open", EMFILE},
	{"ioctl", EIO},
	{"fcntl", ENOLCK},
	{"mmap", EPERM},
	{"read", EIO},
	{"open", EMFILE},
	{"pwrite", ENOSPC},
	{"sigaction", EINVAL},
	{"pthread_setspecific", ENOMEM},
	{"sched_getaffinity", EFAULT},
	{"sched_setaffinity", EINVAL},
	{"pipe2", EMFILE},
	{"seize", EPERM},
	{"bpf", EPERM},
	{"bpf", E2BIG},
};

static const struct act acts[] = {
	{.name = "counts_itself", .run = counts_itself},
	{.name = "takes_records", .run = takes_records},
	{.name = "overflows", .run = overflows},
	{.name = "dups_a_set", .run = dups_a_set},
	{.name = "keeps_attributes", .run = keeps_attributes},
	/* A caller whose CPUs cannot be read is not on the CPU. */
	{.name = "counts_a_cpu", .run = counts_a_cpu, .for_root = 1, .others = {EINVAL}},
	{.name = "counts_a_child", .run = counts_a_child},
	{.name = "counts_a_controlled_program",
	 .run = counts_a_controlled_program,
	 .for_breakpoints = 1,
	 .others = {ECHILD, EPERM}},
	{.name = "counts_a_new_lwp", .run = counts_a_new_lwp, .others = {EAGAIN}},
	{.name = "makes_a_command", .run = makes_a_command},
	/* Other errors of the file are reasons of a bind. */
	{.name = "is_strict", .run = is_strict, .for_root = 1, .others = {EACCES}},
	{.name = "walks_events", .run = walks_events},
	{.name = "counts_by_tid", .run = counts_by_tid},
	{.name = "takes_turns", .run = takes_turns},
	{.name = "asks_for_a_status", .run = asks_for_a_status},
};

/* The caller may run on the same CPUs as before. */
static void reports_each_failure(void **state)
{
	cpu_set_t before, after;

	assert_int_equal(__real_sched_getaffinity(0, sizeof before, &before), 0);
	failing_each(*state, failures, COUNT(failures));
	assert_int_equal(__real_sched_getaffinity(0, sizeof after, &after), 0);
	__real_sched_setaffinity(0, sizeof before, &before);
}

static const struct act lives[] = {
	{.name = "records_lives", .run = records_lives},
	{.name = "counts_lives_by_bpf", .run = counts_lives_by_bpf, .for_root = 1},
};

/* Not each kernel, and not each user, can count LWPs without a tracer. */
static void reports_failures_of_lives(void **state)
{
	const struct act *a = *state;
	char words[1024];

	if (a->run(words, sizeof words) == -1) {
		print_message("%s\n", words);
		skip();
	}
	reports_each_failure(state);
}

static char dir[] = "/tmp/failing-XXXXXX";

static int make_dir(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(dir));
	return setenv("XDG_RUNTIME_DIR", dir, 1);
}

static int remove_dir(void **state)
{
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/opencpc.strict", dir);
	unlink(path);
	return rmdir(dir);
}

/* The key is made once in a process: each case is a child. */
static void reports_that_no_key_is_left(void **state)
{
	int status;

	(void)state;
	const pid_t pid = fork();
	if (pid == 0) {
		struct user u;

		failing.failure = (struct failure){"pthread_key_create", EAGAIN};
		failing.nth = 1;
		if (begin(&u) || add(&u, "page-faults", 0, NULL))
			_exit(2);
		for (int i = 0; i < 2; i++)
			if (cpc_bind_curlwp(u.cpc, u.set, 0) != -1 || errno != EAGAIN)
				_exit(1);
		_exit(cpc_close(u.cpc));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

int main(void)
{
	struct CMUnitTest tests[1 + COUNT(acts) + COUNT(lives)];

	tests[0] = (struct CMUnitTest)cmocka_unit_test(reports_that_no_key_is_left);
	for (size_t i = 0; i < COUNT(acts); i++)
		tests[i + 1] = (struct CMUnitTest){.name = acts[i].name,
						   .test_func = reports_each_failure,
						   .initial_state = (void *)&acts[i]};
	for (size_t i = 0; i < COUNT(lives); i++)
		tests[1 + COUNT(acts) + i] =
			(struct CMUnitTest){.name = lives[i].name,
					    .test_func = reports_failures_of_lives,
					    .initial_state = (void *)&lives[i]};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
