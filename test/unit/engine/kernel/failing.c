/*
 * The kernel engine while calls of the C library and of the kernel fail: each refusal has
 * the errno of the call and words, and nothing is left open or allocated.
 */
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/kernel/event.h"
#include "fake_root.h"
#include "failing.h"
#include "table/table.h"

#define DEVICES	 "sys/bus/event_source/devices/"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { MAX = 8 };

static const struct engine_ops *const k = &engine_kernel;

static const struct fake_file files[] = {
	{DEVICES "cpu_core/type", "4\n"},
	{DEVICES "cpu_core/cpus", "0-3\n"},
	{DEVICES "cpu_core/format/event", "config:0-7\n"},
	{DEVICES "cpu_core/format/ldlat", "config1:0-15\n"},
	{DEVICES "cpu_atom/type", "10\n"},
	{DEVICES "cpu_atom/cpus", "4-6\n"},
	{DEVICES "cpu_atom/format/event", "config:0-7\n"},
	{DEVICES "cpu_atom/format/ldlat", "config1:0-15\n"},
	{DEVICES "power/type", "24\n"},
	{DEVICES "power/cpumask", "0,2\n"},
	{DEVICES "power/format/event", "config:0-7\n"},
	{DEVICES "power/events/energy-pkg", "event=2\n"},
	{DEVICES "power/events/energy-pkg.unit", "Joules\n"},
	{"sys/devices/system/cpu/online", "0-6\n"},
	{"sys/devices/system/cpu/cpu0/x", ""},
	{"proc/sys/kernel/perf_event_paranoid", "-1\n"},
	{"sys/kernel/tracing/events/sched/sched_switch/id", "77\n"},
};

static char root[] = "/tmp/failing-XXXXXX";

static int make_tree(void **state)
{
	(void)state;
	fake_root_make(root, files, COUNT(files));
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

/*
 * The kernel of the machine below root: each event is one that never counts. It refuses
 * precise events of PMUs of a machine without interrupts.
 */
static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	(void)tid, (void)cpu;
	if (failing_now("perf_event_open"))
		return -1;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->config1 = attr->config2 = attr->precise_ip = 0;
	attr->exclude_kernel = attr->exclude_hv = 1;
	return (int)syscall(SYS_perf_event_open, attr, 0, -1, leader, flags);
}

static const struct kernel_env machine = {root, fake_open};

/* A machine without these events. */
static int open_none(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	(void)attr, (void)tid, (void)cpu, (void)leader, (void)flags;
	errno = ENOENT;
	return -1;
}

static const struct kernel_env poor_machine = {root, open_none};

/* A session, and what a test has made in it. */
struct bench {
	struct engine *e;
	struct evsel *sel[MAX];
	unsigned n;
	struct group *g;
	struct smpl_source *src;
	struct why why;
};

static int begin(struct bench *b, const struct kernel_env *env)
{
	*b = (struct bench){.n = 0};
	b->e = kernel_open(env, &b->why);
	return b->e ? 0 : -1;
}

/* Undoes all and returns rc, with errno and the words of the refusal. */
static int end(struct bench *b, int rc, char *words, size_t size)
{
	const int err = errno;

	snprintf(words, size, "%s", b->why.text);
	k->records->close(b->src);
	k->unbind(b->g);
	for (unsigned i = 0; i < b->n; i++)
		k->drop(b->sel[i]);
	k->close(b->e);
	errno = err;
	return rc;
}

static int take(struct bench *b, struct evsel *s)
{
	if (s)
		b->sel[b->n++] = s;
	return s ? 0 : -1;
}

static int add(struct bench *b, const char *name)
{
	const struct engine_request req = {.name = name, .flags = CPC_COUNT_USER};

	return take(b, k->encode(b->e, &req, &b->why));
}

static int add_row(struct bench *b, const char *table, const char *name)
{
	const struct evtab *tab = evtab_find(table);
	const struct event *row = tab ? evtab_name(tab, name) : NULL;

	if (!row)
		fail_msg("%s::%s is not in the tables", table, name);
	const struct engine_request req = {
		.name = name, .row = row, .flags = CPC_COUNT_USER, .tab = tab};
	return take(b, k->encode(b->e, &req, &b->why));
}

static int bind_to(struct bench *b, const struct target *t)
{
	b->g = k->bind(b->e, t, (const struct evsel *const *)b->sel, b->n, &b->why);
	return b->g ? 0 : -1;
}

/* Calls without words of their own give errno alone. */
static int only_errno(struct bench *b, int rc)
{
	if (rc)
		snprintf(b->why.text, sizeof(b->why.text), "%s", "(errno alone)");
	return rc;
}

static int sample(struct bench *b)
{
	struct count val[MAX];
	int64_t ns;
	uint64_t on;

	return only_errno(b, k->read(b->g, val, &ns, &on));
}

/* Breakpoints of this function overflow exactly. */
__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("nop");
}

static const char *at_hit(void)
{
	static char name[64];

	snprintf(name, sizeof(name), "mem:%p:x", (void *)(uintptr_t)hit);
	return name;
}

static int counts(char *words, size_t size)
{
	struct bench b;

	const int rc = begin(&b, &kernel_env_host) || add(&b, "page-faults") ||
		       add(&b, "task-clock") || add(&b, at_hit()) ||
		       k->probe(b.e, b.sel[0], 0, &b.why) ||
		       bind_to(&b, &(struct target){0}) || sample(&b) ||
		       only_errno(&b, k->freeze(b.g)) ||
		       only_errno(&b, k->thaw(b.g, NULL));
	return end(&b, -rc, words, size);
}

static int overflows(char *words, size_t size)
{
	const uint64_t after[] = {INT64_MAX, 0, 1000};
	const struct target t = {.after = after, .signo = SIGUSR1};
	struct bench b;

	const int rc = begin(&b, &kernel_env_host) || add(&b, "page-faults") ||
		       add(&b, "task-clock") || add(&b, "context-switches") ||
		       bind_to(&b, &t) || only_errno(&b, k->freeze(b.g)) ||
		       only_errno(&b, k->thaw(b.g, after));
	return end(&b, -rc, words, size);
}

static int moves_breakpoints(char *words, size_t size)
{
	const struct engine_place p = {.address = (uintptr_t)hit,
				       .access = ENGINE_EXECUTE};
	struct bench b;

	const int rc = begin(&b, &kernel_env_host) || add(&b, "mem:somewhere:x") ||
		       bind_to(&b, &(struct target){0}) ||
		       k->place(b.g, b.sel[0], 0, &p, &b.why) ||
		       k->place(b.g, b.sel[0], 0, NULL, &b.why);
	return end(&b, -rc, words, size);
}

static int counts_a_cpu(char *words, size_t size)
{
	const struct target t = {.tid = -1, .cpu = 0};
	struct bench b;

	const int rc = begin(&b, &machine) || add(&b, "cpu_atom/event=1/") ||
		       add(&b, "cpu_core/event=1/") || add(&b, "power/energy-pkg/") ||
		       add(&b, "perf::CYCLES") || add(&b, "page-faults") ||
		       k->probe(b.e, b.sel[4], 1, &b.why) || bind_to(&b, &t) ||
		       sample(&b);
	return end(&b, -rc, words, size);
}

static int counts_kinds_of_cores(char *words, size_t size)
{
	struct bench b;

	const int rc = begin(&b, &machine) || add(&b, "perf::CYCLES") ||
		       add(&b, "perf::INSTRUCTIONS") ||
		       add_row(&b, "generic", "PAPI_tot_ins") ||
		       bind_to(&b, &(struct target){0}) || sample(&b) ||
		       only_errno(&b, k->freeze(b.g));
	return end(&b, -rc, words, size);
}

/* The reason is kept. */
static int encodes_what_is_lacking(char *words, size_t size)
{
	struct bench b;

	const int rc = begin(&b, &poor_machine) || add(&b, "cpu_core/event=1/") ||
		       !k->lacking(b.sel[0]);
	return end(&b, -rc, words, size);
}

static int counts_a_tracepoint(char *words, size_t size)
{
	struct bench b;

	const int rc = begin(&b, &machine) || add(&b, "sched:sched_switch") ||
		       bind_to(&b, &(struct target){0});
	return end(&b, -rc, words, size);
}

static int takes_records_of(const struct kernel_env *env, const char *name, char *words,
			    size_t size)
{
	const struct engine_request req = {.name = name, .flags = CPC_COUNT_USER};
	const struct engine_sampling how = {
		.period = INT64_MAX, .nrecs = 10, .signo = SIGUSR1};
	struct smpl_state state;
	uint64_t rec[ENGINE_NITEMS];
	struct bench b;

	int rc = begin(&b, env) || take(&b, k->records->encode(b.e, &req, 0, &b.why)) ||
		 !k->records->probe(b.e, b.sel[0], &b.why);
	if (!rc) {
		b.src = k->records->open(b.e, b.sel[0], &how, &b.why);
		rc = !b.src || only_errno(&b, k->records->freeze(b.src)) ||
		     only_errno(&b, k->records->period(b.src, 1000)) ||
		     only_errno(&b, k->records->thaw(b.src)) ||
		     only_errno(&b, k->records->read(b.src, rec, 1, &state));
	}
	return end(&b, -rc, words, size);
}

static int takes_records(char *words, size_t size)
{
	return takes_records_of(&kernel_env_host, "page-faults", words, size);
}

static int takes_records_of_a_tracepoint(char *words, size_t size)
{
	return takes_records_of(&machine, "sched:sched_switch", words, size);
}

static int takes_records_of_kinds_of_cores(char *words, size_t size)
{
	return takes_records_of(&machine, "perf::CYCLES", words, size);
}

/* The event is encoded a second time, with the threshold. */
static int encodes_a_threshold(char *words, size_t size)
{
	const struct engine_request req = {.name = "cpu_core/event=1/",
					   .flags = CPC_COUNT_USER};
	struct bench b;

	const int rc = begin(&b, &machine) ||
		       take(&b, k->records->encode(b.e, &req, 10, &b.why)) ||
		       strcmp(b.sel[0] ? k->records->iname(b.e) : "", "") == 0;
	return end(&b, -rc, words, size);
}

static void note_name(void *arg, const char *name, const char *title)
{
	(void)name, (void)title;
	++*(unsigned *)arg;
}

static void note_finding(void *arg, enum finding finding, const char *what,
			 const char *text)
{
	(void)finding, (void)what, (void)text;
	++*(unsigned *)arg;
}

/* Lists that cannot be made are shorter. */
static int lists(char *words, size_t size)
{
	unsigned n = 0;
	struct bench b;

	const int rc = begin(&b, &machine);
	if (!rc) {
		const struct engine_walk w = {
			.kinds = ENGINE_ALL_NAMES, .arg = &n, .name = note_name};
		k->walk(b.e, &w);
		k->words->doctor(b.e, &n, note_finding);
		assert_non_null(k->attrs(b.e));
		const char *const name = k->cciname(b.e);
		assert_non_null(name);
		assert_ptr_equal(k->cciname(b.e), name);
	}
	return end(&b, rc, words, size);
}

static const struct failure failures[] = {
	{"memory", ENOMEM},
	{"perf_event_open", EBUSY},
	{"perf_event_open", EMFILE},
	{"perf_event_open", EINVAL},
	{"perf_event_open", ENOENT},
	{"perf_event_open", EOPNOTSUPP},
	{"ioctl", EIO},
	{"ioctl", ENOTTY},
	{"fcntl", EINVAL},
	{"mmap", EPERM},
	{"mmap", EAGAIN},
	{"read", EIO},
	{"open", EMFILE},
	{"open", EACCES},
	{"opendir", EACCES},
	{"opendir", EMFILE},
	{"madvise", EINVAL},
	{"sched_getaffinity", EFAULT},
};

static const struct act acts[] = {
	{.name = "counts", .run = counts},
	/* An event that opens without a period alone cannot interrupt. */
	{.name = "overflows", .run = overflows, .others = {ENOTSUP}},
	{.name = "moves_breakpoints", .run = moves_breakpoints},
	/* An event whose PMU cannot be read is not known. */
	{.name = "counts_a_cpu", .run = counts_a_cpu, .others = {ENOENT, EINVAL}},
	{.name = "counts_kinds_of_cores",
	 .run = counts_kinds_of_cores,
	 .others = {ENOENT}},
	/* A tracepoint that cannot be found is not known. */
	{.name = "counts_a_tracepoint",
	 .run = counts_a_tracepoint,
	 .others = {ENOENT, EINVAL}},
	{.name = "takes_records_of_a_tracepoint",
	 .run = takes_records_of_a_tracepoint,
	 .others = {ENOENT, EINVAL, ENOTSUP}},
	{.name = "encodes_what_is_lacking",
	 .run = encodes_what_is_lacking,
	 .others = {ENOENT, EINVAL}},
	{.name = "takes_records", .run = takes_records, .others = {ENOTSUP}},
	{.name = "takes_records_of_kinds_of_cores",
	 .run = takes_records_of_kinds_of_cores,
	 .others = {ENOTSUP}},
	{.name = "encodes_a_threshold",
	 .run = encodes_a_threshold,
	 .others = {ENOENT, EINVAL}},
	{.name = "lists", .run = lists},
};

static void reports_each_failure(void **state)
{
	failing_each(*state, failures, COUNT(failures));
}

int main(void)
{
	struct CMUnitTest tests[COUNT(acts)];

	for (size_t i = 0; i < COUNT(acts); i++)
		tests[i] = (struct CMUnitTest){.name = acts[i].name,
					       .test_func = reports_each_failure,
					       .initial_state = (void *)&acts[i]};
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
