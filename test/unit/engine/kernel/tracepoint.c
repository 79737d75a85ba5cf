#include "engine/kernel/tracepoint.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
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

#include "engine/kernel/event.h"
#include "fake_root.h"

#define NEW "new/sys/kernel/tracing/events/"
#define OLD "old/sys/kernel/debug/tracing/events/"

/*
 * Four machines, each in a folder below root: with tracefs in its new place, with tracefs
 * in its old place, with tracefs not mounted, and with a kernel without tracepoints.
 */
static const struct fake_file files[] = {
	{NEW "enable", "0\n"},
	{NEW "sched/enable", "0\n"},
	{NEW "sched/sched_switch/id", "316\n"},
	{NEW "sched/sched_switch/format", "name: sched_switch\n"},
	{NEW "sched/sched_wakeup/id", "319\n"},
	{NEW "irq/softirq_entry/id", "141\n"},
	{NEW "xhci-hcd/xhci_ring_alloc/id", "7\n"},
	{NEW "Mixed/Case.d/id", "8\n"},
	{NEW "ftrace/print/format", "name: print\n"},
	{NEW "od^d/name/id", "9\n"},
	{NEW "odd/-name/id", "9\n"},
	{NEW "odd/empty/id", ""},
	{NEW "odd/word/id", "x\n"},
	{OLD "sched/sched_switch/id", "42\n"},
	{"unmounted/sys/kernel/tracing/README", ""},
	{"none/sys/kernel/x", ""},
};

static char root[] = "/tmp/tracefs-XXXXXX";

static int make_tree(void **state)
{
	(void)state;
	fake_root_make(root, files, sizeof(files) / sizeof(files[0]));
	return chmod(root, 0755);
}

static int remove_tree(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

static const char *machine(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", root, name);
	return path;
}

static const struct {
	int line;
	const char *on, *name;
	enum trace_found found;
	int err; /* 0: it encodes */
	uint64_t id;
	const char *text; /* part of the refusal */
} names[] = {
	{__LINE__, "new", "sched:sched_switch", TRACE_GROUP, 0, 316, NULL},
	{__LINE__, "old", "sched:sched_switch", TRACE_GROUP, 0, 42, NULL},
	{__LINE__, "new", "xhci-hcd:xhci_ring_alloc", TRACE_GROUP, 0, 7, NULL},
	{__LINE__, "new", "Mixed:Case.d", TRACE_GROUP, 0, 8, NULL},
	{__LINE__, "new", "sched:sched_swich", TRACE_GROUP, ENOENT, 0,
	 "no tracepoint 'sched_swich' in group 'sched'; did you mean 'sched_switch'"},
	{__LINE__, "new", "sched:nothing_near_it_at_all", TRACE_GROUP, ENOENT, 0,
	 "no tracepoint 'nothing_near_it_at_all' in group 'sched'"},
	{__LINE__, "new", "shced:sched_switch", TRACE_POSSIBLE, ENOENT, 0,
	 "no tracepoints of group 'shced'; did you mean 'sched'"},
	{__LINE__, "new", "ftrace:print", TRACE_GROUP, ENOENT, 0,
	 "the kernel cannot count this tracepoint, which has no id"},
	{__LINE__, "new", "odd:empty", TRACE_GROUP, EIO, 0,
	 "cannot read the id of this tracepoint: Input"},
	{__LINE__, "new", "odd:word", TRACE_GROUP, EIO, 0,
	 "cannot read the id of this tracepoint: Input"},
	{__LINE__, "unmounted", "sched:sched_switch", TRACE_POSSIBLE, ENOENT, 0,
	 "tracefs is not mounted; as root, run 'mount -t tracefs nodev "
	 "/sys/kernel/tracing'"},
	{__LINE__, "none", "sched:sched_switch", TRACE_POSSIBLE, ENOENT, 0,
	 "this kernel shows no tracepoints"},
	/* capitals, modifiers and numbers speak for an event of a processor */
	{__LINE__, "new", "INST_RETIRED:ANY_P", TRACE_NONE, ENOENT, 0, "of group"},
	{__LINE__, "none", "Inst_retired:any_p", TRACE_NONE, ENOENT, 0, "shows no"},
	{__LINE__, "new", "cycels:u", TRACE_NONE, ENOENT, 0, "of group"},
	{__LINE__, "new", "cycels:uk", TRACE_NONE, ENOENT, 0, "of group"},
	{__LINE__, "new", "0x3c:abc", TRACE_NONE, ENOENT, 0, "of group"},
	{__LINE__, "new", "sched", TRACE_NONE, EINVAL, 0, "the form must be GROUP:NAME"},
	{__LINE__, "new", "sched:", TRACE_NONE, EINVAL, 0, "the form must be GROUP:NAME"},
	{__LINE__, "new", ":sched_switch", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "sched::sched_switch", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "sched:sched_switch:u", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "../new:sched", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "..:sched", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "sched:..", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "sched:sched_switch/id", TRACE_NONE, EINVAL, 0,
	 "the form must be GROUP:NAME"},
	{__LINE__, "new", "", TRACE_NONE, EINVAL, 0, "the form must be GROUP:NAME"},
};

static void finds_tracepoints(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *on = machine(names[i].on);
		struct kernel_event ev = {.type = 77};
		struct why why = {""};

		errno = EDOM;
		int good = kernel_tracepoint_find(on, names[i].name) == names[i].found &&
			   errno == EDOM;
		const int rc = kernel_tracepoint_encode(on, names[i].name, &ev, &why);
		if (names[i].err)
			good = good && rc == -1 && errno == names[i].err &&
			       strstr(why.text, names[i].text);
		else
			good = good && rc == 0 && ev.type == PERF_TYPE_TRACEPOINT &&
			       ev.config[0] == names[i].id;
		if (!good)
			fail_msg("line %d: rc %d, %llu, '%s'", names[i].line, rc,
				 (unsigned long long)ev.config[0], why.text);
	}
}

/* A long name is accepted whole or refused, never cut. */
static void refuses_long_names(void **state)
{
	char name[600];
	struct kernel_event ev;
	struct why why;

	(void)state;
	memset(name, 'a', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	for (size_t colon = 1; colon < sizeof(name) - 2; colon += 99) {
		name[colon] = ':';
		assert_int_equal(kernel_tracepoint_find(machine("new"), name),
				 TRACE_NONE);
		assert_int_equal(
			kernel_tracepoint_encode(machine("new"), name, &ev, &why), -1);
		assert_int_equal(errno, EINVAL);
		name[colon] = 'a';
	}
}

static void collect(void *arg, const char *name, const char *title)
{
	assert_null(title);
	strcat(strcat(arg, name), " ");
}

static void walk(const char *machine_root, char *all)
{
	const struct engine_walk w = {.arg = all, .name = collect};

	kernel_tracepoint_walk(machine_root, &w);
}

/* Tracepoints without an id are left out, and errno is kept. */
static void lists_tracepoints(void **state)
{
	char all[512] = "";

	(void)state;
	errno = EDOM;
	walk(machine("new"), all);
	assert_string_equal(all, "Mixed:Case.d irq:softirq_entry odd:empty odd:word "
				 "sched:sched_switch sched:sched_wakeup "
				 "xhci-hcd:xhci_ring_alloc ");
	*all = '\0';
	walk(machine("old"), all);
	assert_string_equal(all, "sched:sched_switch ");
	*all = '\0';
	walk(machine("unmounted"), all);
	walk(machine("none"), all);
	assert_string_equal(all, "");
	assert_int_equal(errno, EDOM);
}

static void append(void *arg, const char *text)
{
	strcat(arg, text);
}

/* A list that cannot be read is reported, but not that a kernel has no tracepoints. */
static void reports_an_unmounted_tracefs(void **state)
{
	char all[512] = "";
	const struct engine_walk w = {.arg = all, .name = collect, .unread = append};

	(void)state;
	kernel_tracepoint_walk(machine("none"), &w);
	assert_string_equal(all, "");
	kernel_tracepoint_walk(machine("unmounted"), &w);
	assert_string_equal(
		all, "tracepoints are not listed: tracefs is not mounted; as root, "
		     "run 'mount -t tracefs nodev /sys/kernel/tracing'");
}

/* Run as a user who may not read tracefs. Returns 0 if the refusal says so. */
static int look_unprivileged(void)
{
	struct kernel_event ev;
	struct why why = {""};
	char all[512] = "";

	if (geteuid() == 0 && setresuid(65534, 65534, 65534))
		return 1;
	if (kernel_tracepoint_find(machine("new"), "sched:sched_switch") !=
		    TRACE_POSSIBLE ||
	    kernel_tracepoint_find(machine("new"), "Mixed:Case.d") != TRACE_NONE)
		return 2;
	if (kernel_tracepoint_encode(machine("new"), "sched:sched_switch", &ev, &why) !=
		    -1 ||
	    errno != EACCES ||
	    !strstr(why.text, "this user may not read /sys/kernel/tracing") ||
	    !strstr(why.text, "run as root"))
		return 3;
	const struct engine_walk w = {.arg = all, .name = collect, .unread = append};

	kernel_tracepoint_walk(machine("new"), &w);
	return strcmp(all, "tracepoints are not listed: this user may not read "
			   "/sys/kernel/tracing (Permission denied); run as root")
		       ? 4
		       : 0;
}

static void names_a_missing_permission(void **state)
{
	char closed[128];
	int st;

	(void)state;
	snprintf(closed, sizeof(closed), "%s/sys/kernel/tracing", machine("new"));
	for (char *p = strchr(closed + strlen(root) + 1, '/'); p;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		assert_int_equal(chmod(closed, 0755), 0);
		*p = '/';
	}
	assert_int_equal(chmod(closed, 0), 0);
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(look_unprivileged());
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_int_equal(chmod(closed, 0700), 0);
	assert_true(WIFEXITED(st));
	assert_int_equal(WEXITSTATUS(st), 0);
}

/* Stands for the kernel: opens every tracepoint, or refuses with errno refusal. */
static unsigned opens;
static int refusal;

static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	(void)tid, (void)cpu, (void)leader, (void)flags;
	opens++;
	assert_int_equal(attr->type, PERF_TYPE_TRACEPOINT);
	assert_int_equal(attr->exclude_kernel, 0);
	errno = refusal;
	return refusal ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/*
 * Closing a tracepoint takes long and thousands are listed: once one tracepoint has been
 * opened, the others are not tried.
 */
static void tries_one_for_all(void **state)
{
	static const char *const points[] = {"sched:sched_switch", "irq:softirq_entry"};
	const struct engine_ops *const k = &engine_kernel;
	const struct kernel_env env = {machine("new"), fake_open};
	struct why why;
	struct engine *e = kernel_open(&env, &why);

	(void)state;
	for (int works = 0; works < 2; works++) {
		opens = 0;
		refusal = works ? 0 : EACCES;
		for (int i = 0; i < 2; i++) {
			const struct engine_request req = {
				points[i], NULL, CPC_COUNT_USER, 0, NULL, NULL};

			assert_true(k->knows(e, points[i]));
			struct evsel *s = k->encode(e, &req, &why);
			assert_non_null(s);
			assert_int_equal(k->probe(e, s, 0, &why), works - 1);
			k->drop(s);
		}
		assert_int_equal(opens, works ? 1 : 2);
	}
	k->close(e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_tracepoints),
		cmocka_unit_test(refuses_long_names),
		cmocka_unit_test(lists_tracepoints),
		cmocka_unit_test(reports_an_unmounted_tracefs),
		cmocka_unit_test(names_a_missing_permission),
		cmocka_unit_test(tries_one_for_all),
	};
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
