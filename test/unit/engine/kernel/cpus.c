/*
 * The CPUs that have an event: lists of CPUs in sysfs, and binds to the CPUs of a fake
 * machine with a hybrid processor and two packages.
 */
#include "engine/kernel/cpus.h"

#include <errno.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/kernel/event.h"
#include "fake_root.h"

#define DEVICES "sys/bus/event_source/devices/"

enum {
	CORE = 4,
	ATOM = 10,
	POWER = 24,
	MUTE = 25, /* sysfs lists no CPUs for it */
	UNCORE = 26,
	BROKEN = 27,
	NEW = 28 /* added by a test */
};

static const struct fake_file files[] = {
	{DEVICES "cpu_core/type", "4\n"},
	{DEVICES "cpu_core/cpus", "0-3\n"},
	{DEVICES "cpu_core/format/event", "config:0-7\n"},
	{DEVICES "cpu_atom/type", "10\n"},
	{DEVICES "cpu_atom/cpus", "4-6\n"},
	{DEVICES "cpu_atom/format/event", "config:0-7\n"},
	{DEVICES "power/type", "24\n"},
	{DEVICES "power/cpumask", "0,2\n"},
	{DEVICES "power/format/event", "config:0-7\n"},
	{DEVICES "power/events/energy-pkg", "event=2\n"},
	{DEVICES "msr/type", "25\n"},
	{DEVICES "msr/events/tsc", "event=0\n"},
	{DEVICES "msr/format/event", "config:0-7\n"},
	{DEVICES "uncore/type", "26\n"},
	{DEVICES "uncore/cpumask", "\n"},
	{DEVICES "uncore/format/event", "config:0-7\n"},
	{DEVICES "broken/type", "27\n"},
	{DEVICES "broken/cpumask", "zero\n"},
	{DEVICES "software/type", "1\n"},
	{"sys/devices/system/cpu/online", "0-6\n"},
	{"sys/devices/system/cpu/cpu0/x", ""},
	{"sys/devices/system/cpu/cpu3/x", ""},
	{"sys/devices/system/cpu/cpu4/x", ""},
	{"sys/devices/system/cpu/cpu7/x", ""},
	{"proc/sys/kernel/perf_event_paranoid", "-1\n"},
};

static char root[] = "/tmp/lack-XXXXXX";

static int make_tree(void **state)
{
	(void)state;
	fake_root_make(root, files, sizeof(files) / sizeof(files[0]));
	return 0;
}

static int remove_tree(void **state)
{
	(void)state;
	return fake_root_remove(root);
}

static const struct {
	int line;
	struct kernel_event ev;
	uint32_t pmu;
} pmus[] = {
	{__LINE__, {.type = PERF_TYPE_HARDWARE, .config = {1}}, 0},
	{__LINE__, {.type = PERF_TYPE_HARDWARE, .config = {10ull << 32 | 1}}, 10},
	{__LINE__, {.type = PERF_TYPE_HW_CACHE, .config = {4ull << 32 | 1}}, 4},
	{__LINE__, {.type = PERF_TYPE_RAW, .config = {10ull << 32 | 1}}, 4},
	{__LINE__, {.type = PERF_TYPE_SOFTWARE, .config = {1}}, 0},
	{__LINE__, {.type = PERF_TYPE_TRACEPOINT, .config = {1}}, 0},
	{__LINE__, {.type = PERF_TYPE_BREAKPOINT}, 0},
	{__LINE__, {.type = 24, .config = {10ull << 32}}, 24},
};

static void finds_the_pmu_of_an_event(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(pmus) / sizeof(pmus[0]); i++)
		if (kernel_pmu_of(&pmus[i].ev) != pmus[i].pmu)
			fail_msg("line %d: %u", pmus[i].line, kernel_pmu_of(&pmus[i].ev));
}

static const struct {
	int line;
	uint32_t type;
	int listed, err;
	const char *cpus;
	int first; /* the CPU that counts for its whole package; -1: none */
} lists[] = {
	{__LINE__, CORE, 1, 0, "0-3", -1}, {__LINE__, ATOM, 1, 0, "4-6", -1},
	{__LINE__, POWER, 1, 0, "0,2", 0}, {__LINE__, MUTE, 0, 0, "", -1},
	{__LINE__, UNCORE, 1, 0, "", -1},  {__LINE__, BROKEN, -1, EINVAL, "", -1},
	{__LINE__, 77, 0, 0, "", -1},	   {__LINE__, 0, 0, 0, "", -1},
};

static void reads_lists(void **state)
{
	struct kernel_pmus p = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct cpulist l;
		int first = -1;

		errno = 0;
		const int listed = kernel_pmu_cpus(&p, root, lists[i].type, &l);
		const int err = errno;
		char *text = cpulist_text(&l);
		kernel_pmu_is_percpu(&p, root, lists[i].type, &first);
		if (listed != lists[i].listed || strcmp(text, lists[i].cpus) != 0 ||
		    (lists[i].err && err != lists[i].err) || first != lists[i].first)
			fail_msg("line %d: %d '%s', first %d", lists[i].line, listed,
				 text, first);
		free(text);
		cpulist_free(&l);
	}
	kernel_pmu_free(&p);
}

/* CPUs go offline, and another CPU counts; a module adds a PMU. */
static void reads_pmus_when_the_limit_of_files_is_reached(void **state)
{
	struct kernel_pmus p = {0};
	struct rlimit before;
	const int next = dup(STDIN_FILENO);

	(void)state;
	assert_int_not_equal(next, -1);
	close(next);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	const struct rlimit low = {(rlim_t)next, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
	const int rc = kernel_pmu_read(&p, root);
	setrlimit(RLIMIT_NOFILE, &before);
	assert_int_equal(rc, 0);
	assert_true(p.n > 0);
	kernel_pmu_free(&p);
}

static void sees_what_changes(void **state)
{
	struct kernel_pmus p = {0};
	struct cpulist l;

	(void)state;
	assert_int_equal(kernel_pmu_cpus(&p, root, POWER, &l), 1);
	cpulist_free(&l);
	fake_root_put(root, DEVICES "power/cpumask", "1\n");
	assert_int_equal(kernel_pmu_cpus(&p, root, POWER, &l), 1);
	assert_int_equal(l.n, 1);
	assert_int_equal(l.cpu[0], 1);
	cpulist_free(&l);
	fake_root_put(root, DEVICES "power/cpumask", "0,2\n");
	assert_int_equal(kernel_pmu_cpus(&p, root, NEW, &l), 0);
	fake_root_put(root, DEVICES "new/type", "28\n");
	fake_root_put(root, DEVICES "new/cpumask", "5\n");
	assert_int_equal(kernel_pmu_cpus(&p, root, NEW, &l), 1);
	assert_int_equal(l.cpu[0], 5);
	cpulist_free(&l);
	kernel_pmu_free(&p);
}

#define EV(t, c)                     \
	{                            \
		.type = t, .core = c \
	}

/* Evsels, and the parts that CPUs 0 (core), 4 (atom) and 9 (neither) lack. */
static const struct {
	int line;
	struct evsel s;
	uint32_t lacks[3];
} evsels[] = {
	{__LINE__, {.n = 1, .ev = {EV(PERF_TYPE_SOFTWARE, 0)}}, {0, 0, 0}},
	{__LINE__, {.n = 1, .ev = {EV(MUTE, 0)}}, {0, 0, 0}},
	{__LINE__, {.n = 1, .ev = {EV(CORE, 0)}}, {0, 1, 1}},
	{__LINE__, {.n = 1, .ev = {EV(POWER, 0)}}, {0, 1, 1}},
	{__LINE__, {.n = 1, .ev = {EV(UNCORE, 0)}}, {1, 1, 1}},
	{__LINE__, {.n = 2, .ev = {EV(ATOM, 0), EV(CORE, 1)}}, {1, 2, 3}},
	{__LINE__,
	 {.n = 4, .ev = {EV(ATOM, 0), EV(ATOM, 0), EV(CORE, 1), EV(CORE, 1)}},
	 {3, 12, 15}},
	/* a sum needs all its terms on the CPU */
	{__LINE__, {.n = 2, .ev = {EV(CORE, 0), EV(POWER, 0)}}, {0, 3, 3}},
	{__LINE__, {.n = 2, .ev = {EV(PERF_TYPE_SOFTWARE, 0), EV(ATOM, 0)}}, {3, 0, 3}},
};

static void finds_lacking_parts(void **state)
{
	static const int cpu[] = {0, 4, 9};
	struct kernel_pmus p = {0};
	struct kernel_cpus l;

	(void)state;
	for (size_t i = 0; i < 3 * sizeof(evsels) / sizeof(evsels[0]); i++) {
		const struct evsel *s = &evsels[i / 3].s;
		const uint32_t want = evsels[i / 3].lacks[i % 3];
		const unsigned parts = s->n - (unsigned)__builtin_popcount(want);

		assert_int_equal(kernel_cpus_look(&l, &p, root, cpu[i % 3], &s, 1), 0);
		if (l.lacks[0] != want || l.present != (parts > 0) || l.parts != parts)
			fail_msg("line %d, CPU %d: %#x", evsels[i / 3].line, cpu[i % 3],
				 l.lacks[0]);
		kernel_cpus_free(&l);
	}
	kernel_pmu_free(&p);
}

/* A fake kernel, whose PMUs count nothing. */
static struct {
	unsigned n, leaders;
	uint32_t type[64];
	int cpu[64];
	int nothing;	   /* refuses all events with this errno; 0: no */
	unsigned counters; /* of a PMU; 0: enough for all */
	unsigned used[64]; /* by the leader's descriptor: counters in use */
	int off[64];	   /* by the leader's descriptor: it was opened disabled */
} seen;

/* Is a group full? The kernel does not check groups whose leader is disabled. */
static int is_full(uint32_t type, int leader)
{
	return seen.counters && leader >= 0 && type >= CORE && !seen.off[leader] &&
	       seen.used[leader] >= seen.counters;
}

static int is_core_of(uint32_t type, int cpu)
{
	return (type != CORE || cpu <= 3) && (type != ATOM || (cpu >= 4 && cpu <= 6));
}

/* POWER also opens on other CPUs of its package, as the kernel lets it. */
static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int leader,
		     unsigned long flags)
{
	const struct kernel_event ev = {.type = attr->type, .config = {attr->config}};
	const uint32_t type = kernel_pmu_of(&ev);

	errno = seen.nothing					       ? seen.nothing
		: tid == -1 && cpu > 6				       ? ENODEV
		: tid == -1 && !is_core_of(type, cpu)		       ? ENOENT
		: is_full(type, leader)				       ? EINVAL
		: type == POWER && (tid != -1 || attr->exclude_kernel) ? EINVAL
								       : 0;
	if (errno)
		return -1;
	seen.type[seen.n % 64] = type ? type : attr->type;
	seen.cpu[seen.n++ % 64] = tid == -1 ? cpu : -1;
	seen.leaders += leader < 0;
	*attr = (struct perf_event_attr){.type = PERF_TYPE_SOFTWARE,
					 .size = sizeof(*attr),
					 .config = PERF_COUNT_SW_DUMMY,
					 .read_format = attr->read_format,
					 .disabled = attr->disabled,
					 .exclude_kernel = 1,
					 .exclude_hv = 1};
	const int off = attr->disabled;
	const int fd = (int)syscall(SYS_perf_event_open, attr, 0, -1, leader, flags);
	if (fd >= 0 && fd < 64 && leader < 0) {
		seen.used[fd] = type >= CORE;
		seen.off[fd] = off;
	} else if (fd >= 0 && leader >= 0 && leader < 64) {
		seen.used[leader] += type >= CORE;
	}
	return fd;
}

enum { MAX = 4 };

static const struct {
	int line;
	int cpu;
	const char *names[MAX];
	unsigned opened; /* bit n: name n is opened */
	int err;	 /* 0: it binds */
	const char *text;
} binds[] = {
	{__LINE__, 0, {"cpu_core/event=1/"}, 1, 0, NULL},
	{__LINE__, 4, {"cpu_core/event=1/"}, 0, ENOENT, "CPUs 0-3 only, not on CPU 4"},
	{__LINE__,
	 3,
	 {"power/energy-pkg/"},
	 0,
	 ENOENT,
	 "power/energy-pkg/: its PMU counts on CPUs 0,2 only, not on CPU 3"},
	{__LINE__, 2, {"power/energy-pkg/"}, 1, 0, NULL},
	{__LINE__, 0, {"uncore/event=1/"}, 0, ENOENT, "counts on no CPU now"},
	/* an evsel that is left out does not lead a group, whatever its index */
	{__LINE__, 4, {"cpu_core/event=1/", "cpu_atom/event=1/"}, 2, 0, NULL},
	{__LINE__, 3, {"cpu_core/event=1/", "cpu_atom/event=1/"}, 1, 0, NULL},
	{__LINE__,
	 3,
	 {"power/energy-pkg/", "page-faults", "cpu_atom/event=1/", "cpu_core/event=2/"},
	 0xa,
	 0,
	 NULL},
	{__LINE__, 0, {"power/energy-pkg/", "msr/tsc/", "page-faults"}, 7, 0, NULL},
	{__LINE__, 5, {"power/energy-pkg/", "msr/tsc/", "page-faults"}, 6, 0, NULL},
	/* an event of both kinds of core opens once, on the CPU's own PMU */
	{__LINE__, 0, {"perf::CYCLES", "perf::INSTRUCTIONS"}, 3, 0, NULL},
	{__LINE__, 6, {"perf::CYCLES", "cpu_core/event=1/"}, 1, 0, NULL},
	{__LINE__, 0, {"perf::CYCLES", "cpu_atom/event=1/"}, 1, 0, NULL},
	/* a CPU that is offline or absent is reported before events that it lacks */
	{__LINE__, 7, {"power/energy-pkg/"}, 0, ENODEV, "CPU 7 is offline"},
	{__LINE__, 7, {"perf::CYCLES"}, 0, ENODEV, "CPU 7 is offline"},
	{__LINE__, 8, {"power/energy-pkg/"}, 0, EINVAL, "no CPU 8"},
	{__LINE__, 8, {"perf::CYCLES", "cpu_core/event=1/"}, 0, EINVAL, "no CPU 8"},
	{__LINE__, 0, {"broken/config=1/"}, 0, EINVAL, "broken/config=1/"},
};

static const struct engine_ops *const k = &engine_kernel;

/* The session and the evsels of binds[i]. */
struct bench {
	struct engine *e;
	struct evsel *sel[MAX];
	unsigned n;
	struct group *g;
	struct why why;
};

static void begin(struct bench *b, size_t i)
{
	const struct kernel_env env = {root, fake_open};
	const struct target t = {.tid = -1, .cpu = binds[i].cpu};

	*b = (struct bench){.e = kernel_open(&env, &b->why)};
	assert_non_null(b->e);
	for (; b->n < MAX && binds[i].names[b->n]; b->n++) {
		const struct engine_request req = {
			binds[i].names[b->n], NULL, CPC_COUNT_USER, 0, NULL, NULL};
		b->sel[b->n] = k->encode(b->e, &req, &b->why);
		if (!b->sel[b->n])
			fail_msg("line %d: %s", binds[i].line, b->why.text);
	}
	memset(&seen, 0, sizeof(seen));
	errno = 0;
	b->g = k->bind(b->e, &t, (const struct evsel *const *)b->sel, b->n, &b->why);
}

static void end(struct bench *b)
{
	k->unbind(b->g);
	for (unsigned n = 0; n < b->n; n++)
		k->drop(b->sel[n]);
	k->close(b->e);
}

/* Was everything opened on that CPU, and POWER only on a CPU of its list? */
static int is_opened_correctly(int cpu)
{
	for (unsigned i = 0; i < seen.n && i < 64; i++)
		if (seen.cpu[i] != cpu || (seen.type[i] == POWER && cpu != 0 && cpu != 2))
			return 0;
	return seen.n <= 64;
}

/* Values of evsels that the CPU lacks are absent: neither 0 nor values of another CPU. */
static void check_values(const struct bench *b, size_t i)
{
	struct count val[MAX];
	int64_t ns;
	uint64_t on;

	assert_int_equal(k->read(b->g, val, &ns, &on), 0);
	for (unsigned n = 0; n < b->n; n++) {
		const int is = binds[i].opened >> n & 1;

		if (val[n].absent != !is || (val[n].enabled > 0) != is ||
		    (!is && (val[n].running || val[n].count)))
			fail_msg("line %d: %s is%s absent, enabled %llu", binds[i].line,
				 binds[i].names[n], val[n].absent ? "" : " not",
				 (unsigned long long)val[n].enabled);
	}
}

static void opens_only_events_of_the_cpu(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(binds) / sizeof(binds[0]); i++) {
		struct bench b;

		begin(&b, i);
		const int err = b.g ? 0 : errno;
		if (err != binds[i].err || !is_opened_correctly(binds[i].cpu) ||
		    (err && !strstr(b.why.text, binds[i].text)))
			fail_msg("line %d: errno %d, '%s'", binds[i].line, err,
				 b.why.text);
		if (b.g)
			check_values(&b, i);
		end(&b);
	}
}

/*
 * Groups are planned without the evsels that are left out; the next bind knows the plan.
 */
static void groups_only_events_of_the_cpu(void **state)
{
	static const char *const names[] = {"cpu_core/event=1/", "cpu_atom/event=1/",
					    "page-faults",	 "cpu_core/event=2/",
					    "cpu_atom/event=2/", "cpu_atom/event=3/"};
	enum { N = 6 };
	static const struct {
		int cpu;
		unsigned opens, leaders;
	} want[] = {{4, 4, 3}, {0, 3, 1}};
	const struct kernel_env env = {root, fake_open};
	struct why why;
	struct engine *e = kernel_open(&env, &why);
	struct evsel *sel[N];

	(void)state;
	for (int i = 0; i < N; i++) {
		const struct engine_request req = {names[i], NULL, CPC_COUNT_USER,
						   0,	     NULL, NULL};
		sel[i] = k->encode(e, &req, &why);
		assert_non_null(sel[i]);
	}
	for (int i = 0; i < 4; i++) {
		const struct target t = {.tid = -1, .cpu = want[i & 1].cpu};
		struct count val[N];
		int64_t ns;
		uint64_t on;

		memset(&seen, 0, sizeof(seen));
		seen.counters = 2;
		struct group *g =
			k->bind(e, &t, (const struct evsel *const *)sel, N, &why);
		if (!g)
			fail_msg("%s", why.text);
		assert_int_equal(k->read(g, val, &ns, &on), 0);
		for (int n = 0; n < N; n++)
			assert_int_equal(val[n].absent,
					 n != 2 && (n == 0 || n == 3) == (i % 2 == 0));
		assert_int_equal(g->n, want[i & 1].opens);
		assert_int_equal(g->ngroups, want[i & 1].leaders);
		if (i >= 2)
			assert_int_equal(seen.n, want[i & 1].opens); /* no trial */
		k->unbind(g);
	}
	for (int i = 0; i < N; i++)
		k->drop(sel[i]);
	k->close(e);
}

/* LWPs move between CPUs: all parts are opened, and nothing is absent. */
static void leaves_nothing_out_for_lwps(void **state)
{
	const struct target t = {.tid = 0};
	struct bench b;

	(void)state;
	begin(&b, 0);
	struct evsel *cycles =
		k->encode(b.e,
			  &(struct engine_request){"perf::CYCLES", NULL, CPC_COUNT_USER,
						   0, NULL, NULL},
			  &b.why);
	memset(&seen, 0, sizeof(seen));
	struct group *g =
		k->bind(b.e, &t, (const struct evsel *const[]){cycles}, 1, &b.why);
	assert_non_null(g);
	assert_int_equal(seen.n, 2);
	assert_int_equal(seen.type[0] + seen.type[1], CORE + ATOM);
	k->unbind(g);
	k->drop(cycles);
	end(&b);
}

/* If a PMU counts only CPUs, the modes that it takes are found on a CPU. */
static void finds_the_modes_of_a_cpu(void **state)
{
	const struct kernel_env env = {root, fake_open};
	struct engine_request req = {"power/energy-pkg/",
				     NULL,
				     CPC_COUNT_USER | CPC_COUNT_SYSTEM,
				     0,
				     NULL,
				     NULL};
	struct why why;
	struct engine *e = kernel_open(&env, &why);

	(void)state;
	for (int both = 1; both >= 0; both--) {
		struct evsel *s = k->encode(e, &req, &why);
		assert_non_null(s);
		assert_int_equal(k->class(s), both ? CPC_EXACT : CPC_APPROXIMATE);
		assert_int_equal(k->words->modes(s), CPC_COUNT_USER | CPC_COUNT_SYSTEM);
		/* the PMU does not count LWPs */
		assert_int_equal(k->probe(e, s, 0, &why), -1);
		assert_int_equal(errno, EINVAL);
		assert_non_null(strstr(why.text, "count the event per CPU"));
		k->drop(s);
		req.flags = CPC_COUNT_USER;
	}
	k->close(e);
}

/* Events that CPUs count are tried on a CPU that has their PMU. */
static void probes_cpus(void **state)
{
	static const struct {
		const char *name, *text; /* NULL: it can be counted */
	} cases[] = {
		{"power/energy-pkg/", NULL},
		{"page-faults", NULL},
		{"uncore/event=1/", "its PMU counts on no CPU now"},
	};
	const struct kernel_env env = {root, fake_open};
	struct why why;
	struct cpulist cpus;
	char first[16], path[64];

	(void)state;
	assert_int_equal(cpulist_allowed(&cpus), 0);
	snprintf(first, sizeof(first), "%d\n", cpus.cpu[cpus.n - 1]);
	cpulist_free(&cpus);
	if (atoi(first) > 6) {
		print_message("the fake machine has no CPU %s", first);
		skip();
	}
	snprintf(path, sizeof(path), "sys/devices/system/cpu/cpu%d/x", atoi(first));
	fake_root_put(root, path, "");
	fake_root_put(root, DEVICES "power/cpumask", first);
	struct engine *e = kernel_open(&env, &why);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct evsel *s =
			k->encode(e,
				  &(struct engine_request){cases[i].name, NULL,
							   CPC_COUNT_USER, 0, NULL, NULL},
				  &why);
		assert_non_null(s);
		const int rc = k->probe(e, s, 1, &why);
		if (cases[i].text ? rc == 0 || !strstr(why.text, cases[i].text) : rc != 0)
			fail_msg("%s: %s", cases[i].name, why.text);
		k->drop(s);
	}
	k->close(e);
	fake_root_put(root, DEVICES "power/cpumask", "0,2\n");
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

/*
 * Returns 0 if the test passes: a list that cannot be opened must not count as missing.
 */
static int read_without_files(int known, rlim_t room, int want, int err)
{
	struct kernel_pmus p = {0};
	struct cpulist l;

	if (known && kernel_pmu_cpus(&p, root, POWER, &l) != 1)
		return 3;
	if (known)
		cpulist_free(&l);
	const rlim_t low = (rlim_t)dup(0) + 1;
	const struct rlimit lim = {low, low + room};
	if (setrlimit(RLIMIT_NOFILE, &lim) || drop_privilege())
		return 1;
	errno = 0;
	if (kernel_pmu_cpus(&p, root, POWER, &l) != want || (err && errno != err))
		return 2;
	cpulist_free(&l);
	kernel_pmu_free(&p);
	return 0;
}

static void handles_the_limit_of_files(void **state)
{
	static const struct {
		int known; /* the PMUs were looked up before */
		rlim_t room;
		int want, err;
	} cases[] = {
		{0, 100, 1, 0}, {0, 0, -1, EMFILE}, {1, 100, 1, 0}, {1, 0, -1, EMFILE}};

	(void)state;
	for (int i = 0; i < 4; i++) {
		int st;

		fflush(NULL);
		const pid_t pid = fork();
		if (pid == 0)
			_exit(read_without_files(cases[i].known, cases[i].room,
						 cases[i].want, cases[i].err));
		assert_int_equal(waitpid(pid, &st, 0), pid);
		assert_int_equal(st, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_the_pmu_of_an_event),
		cmocka_unit_test(reads_lists),
		cmocka_unit_test(reads_pmus_when_the_limit_of_files_is_reached),
		cmocka_unit_test(sees_what_changes),
		cmocka_unit_test(finds_lacking_parts),
		cmocka_unit_test(opens_only_events_of_the_cpu),
		cmocka_unit_test(groups_only_events_of_the_cpu),
		cmocka_unit_test(leaves_nothing_out_for_lwps),
		cmocka_unit_test(finds_the_modes_of_a_cpu),
		cmocka_unit_test(probes_cpus),
		cmocka_unit_test(handles_the_limit_of_files),
	};
	return cmocka_run_group_tests(tests, make_tree, remove_tree);
}
