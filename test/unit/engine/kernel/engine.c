#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "engine/kernel/event.h"
#include "engine/kernel/plan.h"
#include "fake_root.h"
#include "table/table.h"

enum { U = CPC_COUNT_USER, S = CPC_COUNT_SYSTEM, NOBODY = 65534, MAX_SELS = 32 };

/* A session, its evsels, and the result of the last sample. */
struct bench {
	struct engine *e;
	struct evsel *sel[MAX_SELS];
	unsigned n;
	struct group *g;
	struct why why;
	struct count val[MAX_SELS];
	int64_t ns;
	uint64_t tick;
};

static const struct engine_ops *const k = &engine_kernel;

/* Fail the test with the engine's message if ok is 0. */
static void need(struct bench *b, int ok, const char *what)
{
	if (!ok)
		fail_msg("%s: %s (%s)", what, b->why.text, strerror(errno));
}

static struct bench *begin(void)
{
	struct bench *b = calloc(1, sizeof(*b));

	assert_non_null(b);
	b->e = k->open(&b->why);
	need(b, b->e != NULL, "open");
	return b;
}

static void add(struct bench *b, const char *name, const struct event *row,
		unsigned flags)
{
	const struct engine_request req = {name, row, flags, 0, NULL, NULL};

	b->sel[b->n] = k->encode(b->e, &req, &b->why);
	need(b, b->sel[b->n] != NULL, name);
	b->n++;
}

static int try_bind(struct bench *b, pid_t tid, int tree)
{
	const struct target t = {.tid = tid, .tree = tree};

	b->g = k->bind(b->e, &t, (const struct evsel *const *)b->sel, b->n, &b->why);
	return b->g ? 0 : -1;
}

static void sample(struct bench *b)
{
	uint64_t on;

	need(b, k->read(b->g, b->val, &b->ns, &on) == 0, "read");
	b->tick = k->cycles(b->e, on);
}

static void end(struct bench *b)
{
	k->unbind(b->g);
	for (unsigned i = 0; i < b->n; i++)
		k->drop(b->sel[i]);
	k->close(b->e);
	free(b);
}

/* Breakpoints count calls of this function exactly, without a PMU. */
static __attribute__((noinline)) void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static void add_hit(struct bench *b)
{
	char name[64];

	snprintf(name, sizeof(name), "mem:%p:x", (void *)hit);
	add(b, name, NULL, U);
}

static void hit_times(unsigned n)
{
	while (n--)
		hit();
}

/* Cause exactly n page faults; the address sanitizer would touch more pages. */
static __attribute__((no_sanitize("address"))) void touch_pages(unsigned n)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, n * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	assert_true(p != MAP_FAILED);
	madvise((void *)p, n * page, MADV_NOHUGEPAGE);
	for (unsigned i = 0; i < n; i++)
		p[i * page] = 1;
	munmap((void *)p, n * page);
}

struct worker {
	sem_t ready, go;
	pid_t tid;
	unsigned hits;
};

static void *work(void *arg)
{
	struct worker *w = arg;

	w->tid = (pid_t)syscall(SYS_gettid);
	sem_post(&w->ready);
	while (sem_wait(&w->go))
		continue;
	hit_times(w->hits);
	return NULL;
}

static void counts_a_thread_exactly(void **state)
{
	(void)state;
	need_breakpoints();
	struct bench *b = begin();
	struct worker w = {.hits = 12345};
	pthread_t t;

	sem_init(&w.ready, 0, 0);
	sem_init(&w.go, 0, 0);
	assert_int_equal(pthread_create(&t, NULL, work, &w), 0);
	while (sem_wait(&w.ready))
		continue;
	add_hit(b);
	add(b, "task-clock", NULL, U);
	need(b, try_bind(b, w.tid, 0) == 0, "bind");
	sample(b);
	assert_int_equal(b->val[0].count, 0);
	hit_times(3); /* calls of another thread are not counted */
	sem_post(&w.go);
	pthread_join(t, NULL);
	sample(b); /* the thread has ended */
	assert_int_equal(b->val[0].count, 12345);
	assert_true(b->val[1].count > 0);
	assert_true(b->val[0].enabled > 0);
	assert_int_equal(b->val[0].enabled, b->val[0].running);
	assert_true(b->tick > 0);
	const struct bench first = *b;
	sample(b);
	assert_int_equal(b->val[0].count, first.val[0].count);
	assert_int_equal(b->tick, first.tick);
	assert_true(b->ns > first.ns);
	end(b);
}

static void fork_hits(unsigned hits)
{
	const pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		hit_times(hits);
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
}

static void counts_a_tree(void **state)
{
	(void)state;
	need_breakpoints();
	struct bench *tree = begin(), *lone = begin();

	add_hit(tree);
	add_hit(lone);
	need(tree, try_bind(tree, getpid(), 1) == 0, "bind");
	need(lone, try_bind(lone, getpid(), 0) == 0, "bind");
	hit_times(5);
	for (int i = 0; i < 3; i++)
		fork_hits(7);
	sample(tree);
	sample(lone);
	assert_int_equal(tree->val[0].count, 5 + 3 * 7);
	assert_int_equal(lone->val[0].count, 5);
	end(tree);
	end(lone);
}

static const struct event sum_row = {.name = "sum",
				     .host = "~2*perf::PAGE-FAULTS+perf::MINOR-FAULTS"};

static void counts_page_faults_in_one_group(void **state)
{
	(void)state;
	struct bench *b = begin();
	enum { PAGES = 200 };

	add(b, "page-faults", NULL, U);
	add(b, "perf::MINOR-FAULTS", NULL, U);
	add(b, "sum", &sum_row, U);
	assert_int_equal(k->class(b->sel[0]), CPC_EXACT);
	assert_null(k->words->note(b->sel[0]));
	assert_int_equal(k->class(b->sel[2]), CPC_APPROXIMATE);
	assert_string_equal(k->words->note(b->sel[2]),
			    "as ~2*perf::PAGE-FAULTS+perf::MINOR-FAULTS");
	assert_int_equal(k->probe(b->e, b->sel[2], 0, &b->why), 0);
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	touch_pages(1);
	sample(b);
	sample(b); /* after the first sample its own pages are present */
	const struct bench first = *b;
	touch_pages(PAGES);
	sample(b);
	assert_int_equal(b->val[0].count - first.val[0].count, PAGES);
	assert_int_equal(b->val[1].count - first.val[1].count, PAGES);
	assert_int_equal(b->val[2].count - first.val[2].count, 2 * (PAGES + PAGES));
	assert_int_equal(b->val[2].count, 2 * (b->val[0].count + b->val[1].count));
	assert_int_equal(b->val[0].enabled, b->val[2].enabled);
	assert_int_equal(b->val[0].running, b->val[2].running);
	end(b);
}

static int is_near(uint64_t x, uint64_t y)
{
	return x >= y - y / 500 && x <= y + y / 500;
}

/*
 * The msr PMU counts the time-stamp counter itself, which shows whether ticks are right.
 */
static void ticks_as_the_time_stamp_counter(void **state)
{
	(void)state;
	struct bench *b = begin();

	if (access("/sys/bus/event_source/devices/msr/events/tsc", R_OK) || geteuid()) {
		end(b);
		print_message("no msr PMU, or not root\n");
		skip();
	}
	add(b, "msr/tsc/", NULL, U);
	add(b, "task-clock", NULL, U);
	assert_int_equal(k->class(b->sel[0]), CPC_APPROXIMATE);
	assert_string_equal(k->words->note(b->sel[0]), "user and system mode together");
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	/* After 100 ms on the processor, or later if a host delays the reads. */
	uint64_t tsc;
	do {
		sample(b);
		tsc = b->val[0].count;
	} while (b->val[1].count < 100000000 ||
		 (!is_near(b->tick, tsc) && b->val[1].count < 2000000000));
	assert_true(is_near(b->tick, tsc));
	end(b);

	b = begin();
	add(b, "msr/tsc/", NULL, U | S);
	assert_int_equal(k->class(b->sel[0]), CPC_EXACT);
	assert_null(k->words->note(b->sel[0]));
	end(b);
}

static void says_the_modes_that_it_counts(void **state)
{
	static const struct {
		int line;
		const char *name;
		unsigned flags, want;
	} cases[] = {
		{__LINE__, "page-faults", U, U},
		{__LINE__, "page-faults", S, S},
		{__LINE__, "page-faults", U | S, U | S},
		{__LINE__, "page-faults", 0, 0},
		/* a clock has no modes */
		{__LINE__, "task-clock", U, U | S},
		{__LINE__, "cpu-clock", S, U | S},
		{__LINE__, "task-clock", 0, 0},
		{__LINE__, "perf::TASK-CLOCK", U, U | S},
		/* it happens in the kernel, and is counted in all modes */
		{__LINE__, "perf::CONTEXT-SWITCHES", U, U | S},
		{__LINE__, "perf::CONTEXT-SWITCHES", 0, 0},
		/* the name itself has the modes */
		{__LINE__, "perf::PAGE-FAULTS:k", U, S},
	};
	struct bench *b = begin();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		add(b, cases[i].name, NULL, cases[i].flags);
		if (k->words->modes(b->sel[i]) != cases[i].want)
			fail_msg("line %d: %#x", cases[i].line,
				 k->words->modes(b->sel[i]));
	}
	end(b);
}

static const struct {
	int line;
	const char *name;
	unsigned flags;
	int err;
	const char *text;
} refusals[] = {
	{__LINE__, "no_such_event", U, ENOENT,
	 "no_such_event: not an event of this machine"},
	{__LINE__, "mem:12", U, EINVAL, "write mem:0xc/4"},
	{__LINE__, "nopmu/event/", U, ENOENT, "no PMU 'nopmu'"},
	{__LINE__, "perf::CYCLES:nope", U, EINVAL, "invalid event attribute"},
};

static void refuses_bad_names(void **state)
{
	(void)state;
	struct bench *b = begin();

	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		const struct engine_request req = {
			refusals[i].name, NULL, refusals[i].flags, 0, NULL, NULL};
		errno = 0;
		if (k->encode(b->e, &req, &b->why) || errno != refusals[i].err ||
		    !strstr(b->why.text, refusals[i].text))
			fail_msg("line %d: '%s'", refusals[i].line, b->why.text);
	}
	assert_true(k->knows(b->e, "page-faults"));
	assert_false(k->knows(b->e, "no_such_event"));
	end(b);
}

/* A clock whose signals repeat leaves the LWP time to run; one that stops may not. */
static void refuses_signals_of_clocks_that_are_too_frequent(void **state)
{
	static const struct {
		int line;
		uint64_t after;
		int repeats, ok;
	} cases[] = {
		{__LINE__, 1, 1, 0},	  {__LINE__, 99999, 1, 0},
		{__LINE__, 100000, 1, 1}, {__LINE__, INT64_MAX, 1, 1},
		{__LINE__, 99999, 0, 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct bench *b = begin();
		/* SIGURG is ignored. */
		const struct target t = {.after = &cases[i].after,
					 .signo = SIGURG,
					 .repeats = cases[i].repeats};
		add(b, i % 2 ? "cpu-clock" : "task-clock", NULL, U);
		b->g = k->bind(b->e, &t, (const struct evsel *const *)b->sel, b->n,
			       &b->why);
		if (!b->g != !cases[i].ok)
			fail_msg("line %d: %s", cases[i].line, b->why.text);
		if (!b->g &&
		    (errno != EINVAL || !strstr(b->why.text, "-clock: overflows each ") ||
		     !strstr(b->why.text, "choose 100000 ns or more")))
			fail_msg("line %d: %s", cases[i].line, b->why.text);
		end(b);
	}
}

static void refuses_an_lwp_that_has_ended(void **state)
{
	(void)state;
	struct bench *b = begin();
	char text[64];

	const pid_t child = fork();
	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	add(b, "page-faults", NULL, U);
	assert_int_equal(try_bind(b, child, 0), -1);
	assert_int_equal(errno, ESRCH);
	snprintf(text, sizeof(text), "page-faults: LWP %d does not exist", (int)child);
	need(b, strstr(b->why.text, text) != NULL, "text");
	end(b);
}

static void refuses_too_many_breakpoints(void **state)
{
	(void)state;
	static char watched[MAX_SELS * 8] __attribute__((aligned(8)));
	struct bench *b = begin();
	char name[64];

	for (unsigned i = 0; i < MAX_SELS; i++) {
		snprintf(name, sizeof(name), "mem:%p:w", (void *)(watched + 8 * i));
		add(b, name, NULL, U);
	}
	assert_int_equal(try_bind(b, getpid(), 0), -1);
	assert_int_equal(errno, ENOSPC);
	need(b,
	     strstr(b->why.text, "all breakpoint registers of its kind are in use") !=
		     NULL,
	     "text");
	const struct target t = {.tid = getpid()};
	assert_null(k->bind(b->e, &t, (const struct evsel *const *)b->sel, 0, &b->why));
	assert_int_equal(errno, EINVAL);
	end(b);
}

static void counts_instructions_or_says_why_not(void **state)
{
	(void)state;
	struct bench *b = begin();
	const int hardware = !strstr(k->cciname(b->e), "no hardware counters");

	add(b, "perf::INSTRUCTIONS", NULL, U);
	if (hardware) {
		need(b, try_bind(b, getpid(), 0) == 0, "bind");
		hit_times(1000);
		sample(b);
		assert_true(b->val[0].count > 1000);
	} else {
		assert_int_equal(try_bind(b, getpid(), 0), -1);
		assert_int_equal(k->probe(b->e, b->sel[0], 0, &b->why), -1);
		assert_int_equal(errno, ENOENT);
		need(b, strstr(b->why.text, "machine has no hardware counters") != NULL,
		     "text");
	}
	end(b);
}

/* Run fn in a child; fn returns 0 if the test passes. */
static void in_child(int (*fn)(void))
{
	int status;
	const pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0)
		_exit(fn());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

/* Was the last bind refused with this errno and a message that contains text? */
static int is_refused(const struct bench *b, int err, const char *text)
{
	if (!b->g && errno == err && strstr(b->why.text, text))
		return 1;
	fprintf(stderr, "'%s' (%s), not '%s'\n", b->why.text, strerror(errno), text);
	return 0;
}

static int limit_files(rlim_t soft, rlim_t hard)
{
	const struct rlimit lim = {soft, hard};

	return setrlimit(RLIMIT_NOFILE, &lim);
}

static int raise_the_limit(void)
{
	struct bench *b = begin();
	struct rlimit lim;

	for (unsigned i = 0; i < 20; i++)
		add(b, "page-faults", NULL, U);
	const int low = dup(0) + 3;
	if (limit_files((rlim_t)low, 1000) || try_bind(b, 0, 0))
		return 1;
	return getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur != 1000;
}

/* Drop the capability to exceed limits, which root has. */
static int drop_privilege(void)
{
	struct __user_cap_header_struct who = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &who, caps))
		return -1;
	caps[0].effective &= ~(1u << CAP_SYS_RESOURCE);
	return (int)syscall(SYS_capset, &who, caps);
}

static int run_out_of_files(void)
{
	struct bench *b = begin();
	char text[128];

	for (unsigned i = 0; i < 20; i++)
		add(b, "page-faults", NULL, U);
	const int low = dup(0) + 3;
	if (limit_files((rlim_t)low, (rlim_t)low) || drop_privilege())
		return 1;
	snprintf(text, sizeof(text),
		 "of %d file descriptors are open and one more LWP needs 20", low);
	try_bind(b, 0, 0);
	return !is_refused(b, EMFILE, text);
}

static void handles_the_limit_of_files(void **state)
{
	(void)state;
	in_child(raise_the_limit);
	in_child(run_out_of_files);
}

static const struct evcol switches = {"sw", "3", PERF_COUNT_SW_CONTEXT_SWITCHES};
static const struct event kernel_row = {.name = "cs", .ncols = 1, .cols = &switches};

static int paranoid(void)
{
	int level = -1;
	FILE *f = fopen("/proc/sys/kernel/perf_event_paranoid", "r");

	if (f) {
		if (fscanf(f, "%d", &level) != 1)
			level = -1;
		fclose(f);
	}
	return level;
}

/* Sleeping causes a context switch. */
static int counts_switches(struct bench *b)
{
	usleep(1000);
	sample(b);
	return b->val[0].count > 0;
}

static int bind_a_kernel_event_unprivileged(void)
{
	struct bench *b = begin();
	char level[64];

	snprintf(level, sizeof(level), " is %d", paranoid());
	add(b, "cs", &kernel_row, U);
	if (setgid(NOBODY) || setuid(NOBODY))
		return 1;
	if (try_bind(b, 0, 0) == 0)
		return !counts_switches(b); /* this user may count the kernel */
	return !is_refused(b, EACCES, "cs: ") || !strstr(b->why.text, level);
}

static void never_counts_the_kernel_as_0(void **state)
{
	(void)state;
	if (geteuid()) {
		print_message("not root\n");
		skip();
	}
	in_child(bind_a_kernel_event_unprivileged);
	struct bench *b = begin();
	add(b, "cs", &kernel_row, U);
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	assert_true(counts_switches(b));
	end(b);
}

static void count_name(void *arg, const char *name, const char *title)
{
	unsigned *n = arg;

	(void)title;
	n[0]++;
	n[1] += strcasecmp(name, "page-faults") == 0;
	n[2] += strcmp(name, "msr/tsc/") == 0;
	n[3] += strcmp(name, "CYCLES") == 0;
}

static void describes_itself(void **state)
{
	(void)state;
	struct bench *b = begin();
	unsigned n[4] = {0};

	assert_string_equal(k->name, "kernel");
	assert_int_equal(k->npic(b->e), 256);
	const char *name = k->cciname(b->e);
	assert_ptr_equal(strstr(name, "Linux perf_event"), name);
	const struct engine_walk w = {
		.kinds = ENGINE_ALL_NAMES, .arg = n, .name = count_name};
	k->walk(b->e, &w);
	assert_int_equal(n[1], 0); /* page-faults is listed in the software table */
	assert_int_equal(
		n[2], access("/sys/bus/event_source/devices/msr/events/tsc", R_OK) == 0);
	assert_int_equal(n[3], !strstr(name, "no hardware counters"));
	assert_int_equal(n[3], k->has_counters(b->e));
	const char *const *attrs = k->attrs(b->e);
	assert_non_null(attrs);
	assert_ptr_equal(k->attrs(b->e), attrs);
#if defined(__x86_64__)
	int umask = 0;
	for (unsigned i = 0; attrs[i]; i++)
		umask |= strcmp(attrs[i], "umask") == 0;
	assert_true(umask);
#endif
	end(b);
}

/*
 * A fake kernel with a PMU. Software events stand for hardware events: cycles are page
 * faults, other events count nothing.
 */
static struct {
	unsigned capacity; /* hardware events in a group */
	int taken; /* events of a group from this one on open but never run; 0: all run */
	unsigned opens, leaders, on_self;
	unsigned used[1024]; /* by the leader's descriptor: counters in use */
	unsigned core[1024]; /* by the leader's descriptor: kind of core */
} pmu;

/*
 * Can an event not join a group? Counters may be exhausted, the kind of core may differ,
 * and major page faults join no group.
 */
static int is_misfit(const struct perf_event_attr *attr, int leader)
{
	if (attr->type == PERF_TYPE_SOFTWARE)
		return attr->config == PERF_COUNT_SW_PAGE_FAULTS_MAJ;
	return pmu.used[leader] == pmu.capacity ||
	       (pmu.used[leader] && pmu.core[leader] != attr->config >> 32);
}

/* A descriptor that reads like an event which was enabled for 100 ns and never ran. */
static int idle_event(void)
{
	static const uint64_t v[3] = {0, 100, 0};
	int fd[2];

	if (pipe(fd))
		return -1;
	const ssize_t size = write(fd[1], v, sizeof(v));
	close(fd[1]);
	return size == sizeof(v) ? fd[0] : -1;
}

static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	const int hardware = attr->type == PERF_TYPE_HARDWARE;
	const unsigned core = attr->config >> 32;

	if (leader >= 0 && is_misfit(attr, leader)) {
		errno = EINVAL;
		return -1;
	}
	if (hardware) {
		if (pmu.taken && leader >= 0 && tid == 0 && !attr->disabled &&
		    pmu.used[leader] == (unsigned)pmu.taken)
			return idle_event();
		const int faults =
			(attr->config & UINT32_MAX) == PERF_COUNT_HW_CPU_CYCLES;
		attr->type = PERF_TYPE_SOFTWARE;
		attr->config = faults ? PERF_COUNT_SW_PAGE_FAULTS : PERF_COUNT_SW_DUMMY;
	}
	pmu.opens++;
	pmu.leaders += leader < 0;
	pmu.on_self += tid == 0;
	const int fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, leader, flags);
	if (fd >= 0 && leader < 0)
		pmu.used[fd] = 0;
	if (fd >= 0 && hardware) {
		pmu.used[leader < 0 ? fd : leader]++;
		pmu.core[leader < 0 ? fd : leader] = core;
	}
	return fd;
}

static struct bench *begin_fake(const char *root, unsigned capacity, int taken)
{
	struct bench *b = calloc(1, sizeof(*b));
	const struct kernel_env env = {root, fake_open};

	assert_non_null(b);
	memset(&pmu, 0, sizeof(pmu));
	pmu.capacity = capacity;
	pmu.taken = taken;
	b->e = kernel_open(&env, &b->why);
	need(b, b->e != NULL, "open");
	return b;
}

static void forget_opens(void)
{
	pmu.opens = pmu.leaders = pmu.on_self = 0;
}

static const struct {
	int line;
	unsigned capacity;
	int taken;
	unsigned hardware, leaders;
} plans[] = {
	{__LINE__, 4, 0, 1, 1}, {__LINE__, 4, 0, 4, 1}, {__LINE__, 4, 0, 5, 3},
	{__LINE__, 2, 0, 5, 4}, {__LINE__, 1, 0, 3, 4}, {__LINE__, 4, 3, 4, 3},
	{__LINE__, 8, 3, 7, 4},
};

static void check_plan(size_t i)
{
	struct bench *b = begin_fake("", plans[i].capacity, plans[i].taken);

	add(b, "page-faults", NULL, U);
	for (unsigned n = 0; n < plans[i].hardware; n++)
		add(b, "perf::CYCLES", NULL, U);
	for (int again = 0; again < 2; again++) {
		forget_opens();
		need(b, try_bind(b, getpid(), 0) == 0, "bind");
		const int tried = pmu.on_self > 0, due = !again;
		if (tried != due || (!tried && (pmu.leaders != plans[i].leaders ||
						pmu.opens != plans[i].hardware + 1)))
			fail_msg("line %d: %u leaders, %u opens, %u on self",
				 plans[i].line, pmu.leaders, pmu.opens, pmu.on_self);
		touch_pages(10);
		sample(b);
		for (unsigned n = 1; n < b->n; n++)
			if (b->val[n].count < 10 ||
			    b->val[n].enabled != b->val[n].running)
				fail_msg("line %d: value %u", plans[i].line, n);
		if (!again) {
			k->unbind(b->g);
			b->g = NULL;
		}
	}
	end(b);
}

/*
 * A list is split into as few groups as fit, by one trial on the caller. If there is more
 * than one group, the software event has its own.
 */
static void splits_into_groups_that_fit(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(plans) / sizeof(plans[0]); i++)
		check_plan(i);
}

/* Such events are found when a bind opens them; the next bind knows the groups. */
static void splits_where_an_event_joins_no_group(void **state)
{
	(void)state;
	struct bench *b = begin_fake("", 4, 0);

	add(b, "page-faults", NULL, U);
	add(b, "major-faults", NULL, U);
	add(b, "minor-faults", NULL, U);
	add(b, "major-faults", NULL, U);
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	touch_pages(10);
	sample(b);
	assert_true(b->val[2].count >= 10);
	assert_int_equal(b->val[0].count, b->val[2].count);
	k->unbind(b->g);
	forget_opens();
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	assert_int_equal(pmu.opens, 4);
	assert_int_equal(pmu.leaders, 3);
	end(b);
}

static void bind_part(struct bench *b, unsigned n)
{
	const unsigned all = b->n;

	forget_opens();
	b->n = n;
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	b->n = all;
	k->unbind(b->g);
	b->g = NULL;
}

/* Bind n different lists of three evsels. */
static void bind_many(struct bench *b, unsigned n)
{
	const struct target t = {.tid = getpid()};

	for (unsigned i = 0; i < n; i++) {
		const struct evsel *const sel[] = {b->sel[i % MAX_SELS],
						   b->sel[i / MAX_SELS % MAX_SELS],
						   b->sel[i / MAX_SELS / MAX_SELS]};
		struct group *g = k->bind(b->e, &t, sel, 3, &b->why);

		need(b, g != NULL, "bind");
		k->unbind(g);
	}
}

/* Lists with the same first evsels have their own plans; the oldest plans are dropped. */
static void remembers_several_lists(void **state)
{
	(void)state;
	struct bench *b = begin_fake("", 64, 0);

	for (unsigned i = 0; i < MAX_SELS; i++)
		add(b, "perf::CYCLES", NULL, U);
	for (unsigned n = 2; n <= 4; n++) {
		bind_part(b, n);
		assert_int_equal(pmu.on_self, n);
	}
	for (unsigned n = 2; n <= 4; n++) {
		bind_part(b, n);
		assert_int_equal(pmu.on_self, 0);
	}
	for (unsigned n = 5; n <= 20; n++)
		bind_part(b, n);
	bind_part(b, 20);
	assert_int_equal(pmu.on_self, 0);
	bind_part(b, 2);
	assert_int_equal(pmu.on_self, 0);
	bind_many(b, KERNEL_PLAN_MAX);
	bind_part(b, MAX_SELS);
	bind_part(b, MAX_SELS);
	assert_int_equal(pmu.on_self, 0);
	bind_part(b, 2);
	assert_int_equal(pmu.on_self, 2);
	end(b);
}

static char root[] = "/tmp/hybrid-XXXXXX";

static void make_pmu(const char *name, const char *type)
{
	static const char *const file[] = {"type", "cpus"};
	char path[128];

	for (int i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "sys/bus/event_source/devices/%s/%s", name,
			 file[i]);
		fake_root_put(root, path, type);
	}
}

/*
 * The fake PMU counts on both kinds of core at the same time: values are added, and
 * running does not exceed enabled.
 */
static void counts_on_both_kinds_of_core(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(root));
	make_pmu("cpu_core", "4\n");
	make_pmu("cpu_atom", "10\n");
	struct bench *b = begin_fake(root, 8, 0);

	add(b, "page-faults", NULL, U);
	add(b, "perf::CYCLES", NULL, U);
	add(b, "perf::INSTRUCTIONS", NULL, U);
	need(b, try_bind(b, getpid(), 0) == 0, "bind");
	touch_pages(10);
	sample(b);
	sample(b);
	const struct bench first = *b;
	touch_pages(10);
	sample(b);
	assert_int_equal(b->val[0].count - first.val[0].count, 10);
	assert_int_equal(b->val[1].count - first.val[1].count, 20);
	assert_int_equal(b->val[2].count, 0);
	assert_int_equal(b->val[1].enabled, b->val[1].running);
	end(b);
	assert_int_equal(fake_root_remove(root), 0);
}

static int fake_refusal; /* errno of a kernel that refuses all events */

static int refuse_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		       unsigned long flags)
{
	(void)attr, (void)tid, (void)cpu, (void)leader, (void)flags;
	errno = fake_refusal;
	return -1;
}

static const struct {
	int line, refusal;
	int has_pmu; /* sysfs has a PMU of the cores */
	int has_counters;
} machines[] = {
	{__LINE__, ENOENT, 0, 0}, {__LINE__, ENOENT, 1, 0}, {__LINE__, EACCES, 0, 0},
	{__LINE__, EACCES, 1, 1}, {__LINE__, EINVAL, 1, 1},
};

/* A kernel may refuse cycles though the machine has counters. */
static void knows_whether_the_machine_has_counters(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(machines) / sizeof(machines[0]); i++) {
		char folder[] = "/tmp/kernel.XXXXXX";
		const struct kernel_env env = {folder, refuse_open};
		struct why why;

		assert_non_null(mkdtemp(folder));
		if (machines[i].has_pmu)
			fake_root_put(folder, "sys/bus/event_source/devices/cpu/type",
				      "4\n");
		fake_refusal = machines[i].refusal;
		struct engine *e = kernel_open(&env, &why);
		assert_non_null(e);
		if (k->has_counters(e) != machines[i].has_counters)
			fail_msg("line %d: %d", machines[i].line, k->has_counters(e));
		struct evsel *faults = k->encode(
			e,
			&(struct engine_request){"page-faults", NULL, U, 0, NULL, NULL},
			&why);
		assert_non_null(faults);
		assert_int_equal(k->probe(e, faults, 0, NULL), -1);
		assert_int_equal(errno, fake_refusal);
		k->drop(faults);
		k->close(e);
		assert_int_equal(fake_root_remove(folder), 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_a_thread_exactly),
		cmocka_unit_test(counts_a_tree),
		cmocka_unit_test(counts_page_faults_in_one_group),
		cmocka_unit_test(ticks_as_the_time_stamp_counter),
		cmocka_unit_test(says_the_modes_that_it_counts),
		cmocka_unit_test(refuses_bad_names),
		cmocka_unit_test(refuses_signals_of_clocks_that_are_too_frequent),
		cmocka_unit_test(refuses_an_lwp_that_has_ended),
		cmocka_unit_test(refuses_too_many_breakpoints),
		cmocka_unit_test(counts_instructions_or_says_why_not),
		cmocka_unit_test(handles_the_limit_of_files),
		cmocka_unit_test(never_counts_the_kernel_as_0),
		cmocka_unit_test(describes_itself),
		cmocka_unit_test(splits_into_groups_that_fit),
		cmocka_unit_test(splits_where_an_event_joins_no_group),
		cmocka_unit_test(remembers_several_lists),
		cmocka_unit_test(counts_on_both_kinds_of_core),
		cmocka_unit_test(knows_whether_the_machine_has_counters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
