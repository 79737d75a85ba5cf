/*
 * What the values of BPF programs mean, and the events that they get on each CPU. The
 * functions of engine/bpf/tasks.h and bpf_host_check() are replaced: no program is run.
 */
#include "engine/kernel/lifetimes.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/bpf/host.h"
#include "engine/bpf/tasks.h"
#include "engine/kernel/bind.h"
#include "fake_root.h"

enum { PID = 100, TID, PARENT };

/* The programs that run, and what they report. */
struct bpf_tasks {
	char fds[64]; /* of each event on each CPU: "+" open, "-" lacking, "?" offline */
	uint32_t switches;
	const struct bpf_life *life;
	struct bpf_args args;
	uint32_t missing;
	int unseen, uncounted;
};

static struct bpf_tasks tasks;

int bpf_host_check(struct why *why)
{
	(void)why;
	return 0;
}

struct bpf_tasks *bpf_tasks_open(const struct bpf_tasks_how *how, struct why *why)
{
	char *to = tasks.fds;

	(void)why;
	for (unsigned i = 0; i < how->nparts * how->ncpus; i++) {
		if (i && i % how->ncpus == 0)
			*to++ = ' ';
		*to++ = how->fd[i] >= 0 ? '+' : how->fd[i] == -1 ? '-' : '?';
	}
	*to = '\0';
	tasks.switches = how->switches;
	return &tasks;
}

void bpf_tasks_close(struct bpf_tasks *t)
{
	(void)t;
}

void bpf_tasks_read(struct bpf_tasks *t, int all, void *arg,
		    void (*fn)(void *arg, const struct bpf_life *life))
{
	(void)all;
	fn(arg, t->life);
}

const struct bpf_args *bpf_tasks_args(const struct bpf_tasks *t,
				      const struct bpf_life *life)
{
	return life->kind == BPF_LIFE_EXEC ? &t->args : NULL;
}

int bpf_tasks_living(struct bpf_tasks *t, void *arg,
		     void (*fn)(void *arg, const struct bpf_life *life))
{
	fn(arg, t->life);
	return 0;
}

int bpf_tasks_total(struct bpf_tasks *t, struct bpf_value *val, uint32_t *missing)
{
	memcpy(val, t->life->val, sizeof t->life->val);
	*missing = t->missing;
	return 0;
}

int bpf_tasks_unseen(const struct bpf_tasks *t)
{
	return t->unseen;
}

int bpf_tasks_uncounted(const struct bpf_tasks *t)
{
	return t->uncounted;
}

uint64_t bpf_tasks_lost(const struct bpf_tasks *t)
{
	return t->uncounted ? 7 : 0;
}

/* The tested code enables its events by ioctl(2), but none of them is really open. */
int __wrap_ioctl(int fd, unsigned long request, ...);

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	(void)fd, (void)request;
	return 0;
}

static const char online_cpus[] = "sys/devices/system/cpu/online";

/* What a CPU cannot count: events of this kind, for this reason. */
static struct {
	int cpu, type, error;
	const char *root, *online; /* the CPUs that are online from then on */
} refusal;

static int open_fake(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
		     unsigned long flags)
{
	(void)group_fd, (void)flags;
	if (tid == -1 && cpu == refusal.cpu && (int)attr->type == refusal.type) {
		fake_root_put(refusal.root, online_cpus, refusal.online);
		errno = refusal.error;
		return -1;
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static struct evsel event(char *name, uint32_t type, uint64_t config)
{
	return (struct evsel){.name = name,
			      .factor = 1,
			      .n = 1,
			      .ev = {{.type = type, .config = {config}}}};
}

/* A measurement on a machine whose CPUs 0 and 2 are online at the start. */
struct run {
	char root[40];
	struct kernel_env env;
	struct kernel_host host;
	struct evsel sel[2];
	struct lifetimes *l;
	struct why why;
	/* what was reported */
	struct engine_life life;
	struct count val[2];
	char name[32], args[128];
};

static void prepare(struct run *r)
{
	memset(&tasks, 0, sizeof tasks);
	refusal.cpu = -1;
	*r = (struct run){
		.root = "/tmp/opencpc-programs-XXXXXX",
		.sel = {event((char[]){"instructions"}, PERF_TYPE_HARDWARE,
			      PERF_COUNT_HW_INSTRUCTIONS),
			event((char[]){"cycles"}, PERF_TYPE_HARDWARE,
			      PERF_COUNT_HW_CPU_CYCLES)},
	};
	fake_root_make(r->root, NULL, 0);
	fake_root_put(r->root, online_cpus, "0,2");
	r->env = (struct kernel_env){r->root, open_fake};
	kernel_host_init(&r->host, &r->env);
}

static void begin(struct run *r)
{
	const struct evsel *const sel[] = {&r->sel[0], &r->sel[1]};
	const struct engine_tree tree = {.holder = PARENT};

	r->l = kernel_programs_open(&r->host, &tree, sel, 2, &r->why);
}

static void end(struct run *r)
{
	kernel_programs_close(r->l);
	kernel_host_free(&r->host);
	assert_int_equal(fake_root_remove(r->root), 0);
}

static void note(void *run, const struct engine_life *life)
{
	struct run *r = run;

	r->life = *life;
	snprintf(r->name, sizeof r->name, "%s", life->name);
	snprintf(r->args, sizeof r->args, "%s", life->args ? life->args : "(none)");
	if (life->val)
		memcpy(r->val, life->val, sizeof r->val);
}

/* A CPU has a descriptor of each event that it counts. */
static void each_cpu_has_the_events_that_it_counts(void **state)
{
	static const struct {
		int line, cpu, error;
		const char *online; /* CPUs, when the CPU refuses */
		uint32_t first;	    /* type of the first event */
		const char *fds;    /* "": refused */
	} cases[] = {
		{__LINE__, -1, 0, "0,2", PERF_TYPE_HARDWARE, "+?+ +?+"},
		/* CPU 2 has other cores, without these events. */
		{__LINE__, 2, ENOENT, "0,2", PERF_TYPE_HARDWARE, "+?- +?-"},
		{__LINE__, 2, ENODEV, "0", PERF_TYPE_HARDWARE, "+?? +??"},
		{__LINE__, 2, ENODEV, "0,2", PERF_TYPE_HARDWARE, ""},
		{__LINE__, 2, EACCES, "0,2", PERF_TYPE_HARDWARE, ""},
		/* Each CPU has software events. */
		{__LINE__, 2, ENOENT, "0,2", PERF_TYPE_SOFTWARE, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct run r;

		prepare(&r);
		refusal.cpu = cases[i].cpu;
		refusal.type = PERF_TYPE_HARDWARE;
		refusal.error = cases[i].error;
		refusal.root = r.root;
		refusal.online = cases[i].online;
		r.sel[0].ev[0].type = cases[i].first;
		if (cases[i].first == PERF_TYPE_SOFTWARE)
			r.sel[0].ev[0].config[0] = PERF_COUNT_SW_PAGE_FAULTS;
		begin(&r);
		if (strcmp(tasks.fds, cases[i].fds) != 0 || !r.l != !*cases[i].fds)
			fail_msg("case of line %d: '%s' %s", cases[i].line, tasks.fds,
				 r.why.text);
		end(&r);
	}
}

static const struct bpf_life executed = {
	.kind = BPF_LIFE_EXEC,
	.ns = 5,
	.pid = PID,
	.tid = TID,
	.name = "sixteen letters!",
	.val = {{10, 100, 90}, {20, 80, 70}, {30, 60, 50}},
};

/* An event of two parts, which are counted at the same time. */
static void parts_are_summed(void **state)
{
	struct run r;

	(void)state;
	prepare(&r);
	r.sel[0].n = 2;
	r.sel[0].factor = 3;
	r.sel[0].ev[1] = r.sel[0].ev[0];
	begin(&r);
	assert_non_null(r.l);
	tasks.life = &executed;
	kernel_programs_read(r.l, 1, &r, note);
	assert_int_equal(r.life.kind, LIFE_EXEC);
	assert_int_equal(r.life.ns, 5);
	assert_string_equal(r.name, "sixteen letters!");
	assert_int_equal(r.val[0].count, 3 * 10 + 3 * 20);
	assert_int_equal(r.val[0].enabled, 100);
	assert_int_equal(r.val[0].running, 90);
	assert_int_equal(r.val[1].count, 30);
	assert_int_equal(r.val[1].enabled, 60);
	assert_int_equal(r.val[1].running, 50);
	assert_int_equal(kernel_programs_total(r.l, r.val), 0);
	assert_int_equal(r.val[0].count, 3 * 10 + 3 * 20);
	end(&r);
}

static void births_have_no_values(void **state)
{
	const struct bpf_life born = {.kind = BPF_LIFE_VFORK,
				      .pid = PID,
				      .tid = TID,
				      .parent_pid = PARENT,
				      .parent_tid = PARENT + 1};
	struct run r;

	(void)state;
	prepare(&r);
	begin(&r);
	tasks.life = &born;
	kernel_programs_read(r.l, 1, &r, note);
	assert_int_equal(r.life.kind, LIFE_BIRTH);
	assert_int_equal(r.life.parent_pid, PARENT);
	assert_int_equal(r.life.parent_tid, PARENT + 1);
	assert_int_equal(r.life.parent_sleeps, 1);
	assert_null(r.life.val);
	end(&r);
}

static void arguments_are_words(void **state)
{
	static const struct {
		int line;
		const char *text;
		uint32_t n, count;
		const char *words;
	} cases[] = {
		{__LINE__, "a\0b c\0PATH=/", 13, 2, "a b c"},
		{__LINE__, "a\0b", 3, 9, "a b"},
		{__LINE__, "", 0, 2, "(none)"},
	};
	struct run r;

	(void)state;
	prepare(&r);
	begin(&r);
	tasks.life = &executed;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		tasks.args = (struct bpf_args){.n = cases[i].n, .count = cases[i].count};
		memcpy(tasks.args.text, cases[i].text, cases[i].n);
		kernel_programs_read(r.l, 1, &r, note);
		if (strcmp(r.args, cases[i].words) != 0)
			fail_msg("case of line %d: %s", cases[i].line, r.args);
	}
	/* Arguments without an end. */
	tasks.args.n = BPF_ARGS_SIZE;
	tasks.args.count = 2;
	memset(tasks.args.text, 'x', BPF_ARGS_SIZE);
	kernel_programs_read(r.l, 1, &r, note);
	assert_int_equal(strlen(r.args), BPF_ARGS_SIZE - 1);
	end(&r);
}

static void values_are_absent_for_a_reason(void **state)
{
	struct bpf_life life = executed;
	struct run r;

	(void)state;
	prepare(&r);
	begin(&r);
	tasks.life = &life;
	assert_int_equal(kernel_programs_living(r.l, &r, note), 0);
	assert_int_equal(r.life.kind, LIFE_TICK);
	assert_int_equal(r.val[1].absent, 0);
	tasks.unseen = 1; /* when nothing is missing */
	assert_null(kernel_programs_why_absent(r.l));
	assert_int_equal(kernel_programs_lost(r.l), 0);

	tasks.uncounted = 1;
	tasks.missing = UINT32_MAX;
	assert_int_equal(kernel_programs_total(r.l, r.val), 0);
	assert_int_equal(r.val[0].absent, 1);
	assert_non_null(strstr(kernel_programs_why_absent(r.l), "no room for all LWPs"));
	assert_int_equal(kernel_programs_lost(r.l), 7);

	life.missing = 2;
	kernel_programs_read(r.l, 0, &r, note);
	assert_int_equal(r.val[0].absent, 0);
	assert_int_equal(r.val[1].absent, 1);
	assert_non_null(strstr(kernel_programs_why_absent(r.l), "has hidden"));
	tasks.unseen = 0;
	assert_non_null(strstr(kernel_programs_why_absent(r.l), "came online"));
	end(&r);
}

/* Switches of contexts are counted by the programs, if the kernel would count them. */
static void switches_are_marked(void **state)
{
	static const struct {
		int line;
		unsigned exclude_kernel;
		uint32_t switches;
	} cases[] = {{__LINE__, 0, 2}, {__LINE__, 1, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct run r;

		prepare(&r);
		r.sel[1] = event((char[]){"context-switches"}, PERF_TYPE_SOFTWARE,
				 PERF_COUNT_SW_CONTEXT_SWITCHES);
		r.sel[1].ev[0].exclude_kernel = cases[i].exclude_kernel;
		begin(&r);
		if (tasks.switches != cases[i].switches)
			fail_msg("case of line %d: %s", cases[i].line, r.why.text);
		end(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_cpu_has_the_events_that_it_counts),
		cmocka_unit_test(parts_are_summed),
		cmocka_unit_test(births_have_no_values),
		cmocka_unit_test(arguments_are_words),
		cmocka_unit_test(values_are_absent_for_a_reason),
		cmocka_unit_test(switches_are_marked),
	};

	return cmocka_run_group_tests_name("engine/kernel/programs", tests, NULL, NULL);
}
