/*
 * Samples software events and breakpoints, whose records are known exactly. The tests of
 * hardware events run only in guests (test/qemu), which set GUEST in the environment.
 */
#include "breakpoints.h"
#include "engine/kernel/sampling.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/kernel/event.h"

#define BIT(item) (UINT64_C(1) << (item))

enum { USER = CPC_COUNT_USER, MAX = 4096, RECORD = ENGINE_NITEMS };

static const struct engine_ops *const k = &engine_kernel;

static struct {
	struct engine *e;
	struct evsel *sel;
	struct smpl_source *src;
	struct smpl_state state;
	struct why why;
	uint64_t rec[MAX * RECORD];
} t;

static const uint64_t plain =
	BIT(ITEM_PC) | BIT(ITEM_TID) | BIT(ITEM_TIME) | BIT(ITEM_CPU);

/* Tests set breakpoints on the first instruction of this function. */
__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("nop");
}

static void hits(unsigned n)
{
	while (n--)
		hit();
}

static void encode(const char *event, unsigned latency)
{
	const struct engine_request req = {.name = event, .flags = USER};

	t.sel = k->records->encode(t.e, &req, latency, &t.why);
	if (!t.sel)
		fail_msg("%s: %s", event, t.why.text);
}

static void begin_with(const char *event, const struct engine_sampling *how)
{
	t.e = k->open(&t.why);
	assert_non_null(t.e);
	encode(event, 0);
	t.src = k->records->open(t.e, t.sel, how, &t.why);
	if (!t.src)
		fail_msg("%s: %s", event, t.why.text);
}

static void begin(const char *event, uint64_t period, unsigned nrecs)
{
	begin_with(event, &(struct engine_sampling){.period = period, .nrecs = nrecs});
}

/* Returns the name of a breakpoint on hit(). */
static const char *at_hit(void)
{
	static char name[64];

	snprintf(name, sizeof name, "mem:%p:x", (void *)(uintptr_t)hit);
	return name;
}

static void end(void)
{
	k->records->close(t.src);
	k->drop(t.sel);
	k->close(t.e);
	t.src = NULL;
	t.sel = NULL;
}

static int take(unsigned max)
{
	return k->records->read(t.src, t.rec, max, &t.state);
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void samples_each_breakpoint(void **state)
{
	const uint64_t before = now();

	(void)state;
	need_breakpoints();
	begin(at_hit(), 1, 100);
	assert_int_equal(k->records->probe(t.e, t.sel, &t.why), plain | BIT(ITEM_ADDR));
	hits(20);
	assert_int_equal(take(MAX), 20);
	uint64_t last = before;
	for (unsigned i = 0; i < 20; i++) {
		const uint64_t *r = &t.rec[i * RECORD];

		assert_int_equal(r[ITEM_PC], (uintptr_t)hit);
		assert_int_equal(r[ITEM_ADDR], (uintptr_t)hit);
		assert_int_equal(r[ITEM_TID], syscall(SYS_gettid));
		assert_true(r[ITEM_CPU] < (uint64_t)sysconf(_SC_NPROCESSORS_CONF));
		assert_int_equal(r[ITEM_PERIOD], 0);
		assert_true(r[ITEM_TIME] >= last);
		assert_int_equal(r[ITEM_LATENCY], 0);
		assert_int_equal(r[ITEM_DATA_SRC], 0);
		last = r[ITEM_TIME];
	}
	assert_true((uint64_t)t.state.ns >= last && now() >= (uint64_t)t.state.ns);
	assert_true(t.state.on > 0 && t.state.on <= now() - before);
	assert_int_equal(t.state.lost, 0);
	assert_int_equal(take(MAX), 0);
	end();
}

/* A record for every 5th of 23 hits. */
static void samples_one_of_a_period(void **state)
{
	(void)state;
	need_breakpoints();
	begin(at_hit(), 5, 100);
	hits(23);
	assert_int_equal(take(MAX), 4);
	hits(2); /* the 25th */
	assert_int_equal(take(MAX), 1);
	end();
}

static void gives_the_oldest_first(void **state)
{
	uint64_t last = 0;

	(void)state;
	need_breakpoints();
	begin(at_hit(), 1, 10);
	hits(25);
	for (int left = 25; left > 0; left -= 10) {
		const int n = take(10);

		assert_int_equal(n, left < 10 ? left : 10);
		for (int i = 0; i < n; i++) {
			assert_true(t.rec[i * RECORD + ITEM_TIME] >= last);
			last = t.rec[i * RECORD + ITEM_TIME];
		}
	}
	assert_int_equal(take(10), 0);
	end();
}

__attribute__((noinline, aligned(64))) static void touch(volatile char *at)
{
	*at = 1;
}

/* Each page faults once, in touch(), and the record has the address of the byte. */
static void samples_addresses_of_faults(void **state)
{
	enum { PAGES = 50 };
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned found = 0;

	(void)state;
	begin("page-faults", 1, 1000);
	char *map = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(map != MAP_FAILED);
	madvise(map, PAGES * page, MADV_NOHUGEPAGE);
	for (unsigned i = 0; i < PAGES; i++)
		touch(map + i * page + 3 * i);
	assert_int_equal(k->records->freeze(t.src), 0);
	const int n = take(MAX);
	for (int i = 0; i < n; i++) {
		const uint64_t *r = &t.rec[i * RECORD];

		if (r[ITEM_ADDR] < (uintptr_t)map ||
		    r[ITEM_ADDR] >= (uintptr_t)map + PAGES * page)
			continue;
		assert_int_equal(r[ITEM_ADDR], (uintptr_t)map + found * page + 3 * found);
		assert_in_range(r[ITEM_PC], (uintptr_t)touch, (uintptr_t)touch + 64);
		found++;
	}
	assert_int_equal(found, PAGES);
	assert_int_equal(t.state.lost, 0);
	munmap(map, PAGES * page);
	end();
}

/* Work that the compiler cannot remove; on arm64 a turn has 6 instructions. */
__attribute__((noinline, aligned(64), no_sanitize("address"),
	       no_sanitize("undefined"))) static void
spin(uint64_t turns)
{
#ifdef __aarch64__
	__asm__ volatile("1: nop; nop; nop; nop; subs %0, %0, #1; b.ne 1b"
			 : "+r"(turns)
			 :
			 : "cc");
#else
	for (volatile uint64_t i = 0; i < turns; i++)
		;
#endif
}

/*
 * A record for each 0.1 ms of 50 ms of the LWP's clock; a few may be missing where a
 * timer was late. Most records are in the loop.
 */
static void samples_the_clock(void **state)
{
	unsigned inside = 0;

	(void)state;
	begin("task-clock", 100000, 1000);
	assert_int_equal(k->records->probe(t.e, t.sel, &t.why), plain);
	struct timespec cpu;
	uint64_t spent;
	do {
		spin(100000);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
		spent = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
	} while (t.state.on < 50000000 && take(0) == 0 && spent < 10000000000u);
	k->records->freeze(t.src);
	const int n = take(MAX);
	for (int i = 0; i < n; i++) {
		const uint64_t pc = t.rec[i * RECORD + ITEM_PC];

		inside += pc >= (uintptr_t)spin && pc < (uintptr_t)spin + 128;
	}
	if (n < 50 || n > 600 || inside < (unsigned)n / 2)
		fail_msg("%d records, %u of them in the loop", n, inside);
	end();
}

/*
 * 73 records fit in the smallest ring. The number of lost records is reported by read(2),
 * or by a record of its own before the next sample.
 */
static void reports_lost_records(void **state)
{
	int n = 0, got;

	(void)state;
	need_breakpoints();
	begin(at_hit(), 1, 1);
	hits(500);
	while ((got = take(7)) > 0)
		n += got;
	assert_true(n >= 2 && n < 500);
	hit();
	while ((got = take(7)) > 0)
		n += got;
	assert_int_equal(n + t.state.lost, 501);
	end();
}

static void freezes(void **state)
{
	(void)state;
	need_breakpoints();
	begin(at_hit(), 3, 10);
	hits(2);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(k->records->freeze(t.src), 0);
		hits(7);
		assert_int_equal(take(MAX), 0);
		assert_int_equal(k->records->thaw(t.src), 0);
	}
	hit(); /* the third hit that is sampled */
	assert_int_equal(take(MAX), 1);
	end();
}

/* Before the new period holds, the kernel records one event and one old period more. */
static void changes_the_period(void **state)
{
	(void)state;
	need_breakpoints();
	begin(at_hit(), 10, 10);
	hits(10);
	assert_int_equal(take(MAX), 1);
	assert_int_equal(k->records->period(t.src, 2), 0);
	hits(20);
	take(MAX);
	hits(10);
	assert_int_equal(take(MAX), 5);
	end();
}

/* What the signal handler has seen; take: the handler reads records too. */
static struct {
	volatile sig_atomic_t owned, other, taken;
	int take;
} seen;

static void on_signal(int signo, siginfo_t *si, void *context)
{
	(void)signo, (void)context;
	if (k->records->owns(t.src, si->si_fd)) {
		seen.owned++;
		if (seen.take)
			seen.taken += k->records->read(t.src, t.rec, 4, &t.state);
	} else {
		seen.other++;
	}
}

static void handle(int signo, int takes)
{
	struct sigaction sa = {.sa_flags = SA_SIGINFO | SA_RESTART};

	memset(&seen, 0, sizeof seen);
	seen.take = takes;
	sa.sa_sigaction = on_signal;
	sigemptyset(&sa.sa_mask);
	assert_int_equal(sigaction(signo, &sa, NULL), 0);
}

/*
 * On arm64 the return from a signal at a breakpoint hits the breakpoint again, so the
 * number of hits is not known; a test with cycles replaces this one there.
 */
static int breakpoints_survive_signals(void)
{
#if defined(__x86_64__)
	return 1;
#else
	print_message("breakpoints count signals' returns too\n");
	skip();
	return 0;
#endif
}

/* 41 records, with a signal at every 4th. */
static void signals(void **state)
{
	const int signo = SIGRTMIN + 9;

	(void)state;
	need_breakpoints();
	if (!breakpoints_survive_signals())
		return;
	handle(signo, 0);
	begin_with(at_hit(),
		   &(struct engine_sampling){.period = 2, .nrecs = 4, .signo = signo});
	hits(2 * 41);
	assert_int_equal(seen.owned, 10);
	assert_int_equal(k->records->owns(t.src, -1), 0);
	assert_int_equal(k->records->owns(t.src, 0), 0);
	assert_int_equal(take(MAX), 41);
	end();
	signal(signo, SIG_DFL);
}

/* The kernel signals more often; owns() rejects those signals. */
static void signals_every_nrecs(void **state)
{
	const int signo = SIGRTMIN + 9;

	(void)state;
	need_breakpoints();
	if (!breakpoints_survive_signals())
		return;
	handle(signo, 1);
	begin_with(at_hit(),
		   &(struct engine_sampling){.period = 1, .nrecs = 4, .signo = signo});
	hits(20000);
	assert_int_equal(seen.owned, 5000);
	assert_int_equal(seen.taken, 20000);
	assert_true(seen.other > 0);
	assert_int_equal(t.state.lost, 0);
	end();
	signal(signo, SIG_DFL);
}

/* Records of a clock leave the LWP time to run, also after a new period. */
static void refuses_short_periods_of_clocks(void **state)
{
	const struct engine_sampling how = {.period = 99999, .nrecs = 10};

	(void)state;
	t.e = k->open(&t.why);
	encode("cpu-clock", 0);
	assert_null(k->records->open(t.e, t.sel, &how, &t.why));
	assert_int_equal(errno, EINVAL);
	assert_non_null(strstr(t.why.text, "choose 100000 ns or more"));
	end();
	begin("task-clock", 100000, 10);
	assert_int_equal(k->records->period(t.src, 99999), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(k->records->period(t.src, 200000), 0);
	end();
}

static void refuses_sums(void **state)
{
	const struct engine_sampling how = {.period = 1, .nrecs = 1};

	(void)state;
	t.e = k->open(&t.why);
	encode("page-faults", 0);
	t.sel->n = 2;
	t.sel->ev[1] = t.sel->ev[0];
	for (int factor = 1; factor <= 2; factor++) {
		t.sel->factor = (uint64_t)factor;
		errno = 0;
		assert_null(k->records->open(t.e, t.sel, &how, &t.why));
		assert_int_equal(errno, ENOTSUP);
		assert_non_null(
			strstr(t.why.text,
			       "because it is counted as a sum of events (several)"));
		t.sel->n = 1;
	}
	end();
}

/* The events of all kinds of core write their records into one ring. */
static void joins_cores(void **state)
{
	const struct engine_sampling how = {.period = 1, .nrecs = 10};

	(void)state;
	need_breakpoints();
	t.e = k->open(&t.why);
	encode(at_hit(), 0);
	t.sel->n = 2;
	t.sel->ev[1] = t.sel->ev[0];
	t.sel->ev[1].core = 1;
	t.src = k->records->open(t.e, t.sel, &how, &t.why);
	if (!t.src)
		fail_msg("%s", t.why.text);
	hits(5);
	assert_int_equal(take(MAX), 10);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(t.rec[i * RECORD + ITEM_PC], (uintptr_t)hit);
	end();
}

/* 16 MB are more than a user may lock at the kernel's default limits. */
static int locks_too_much(void)
{
	const struct rlimit none = {0, 0};
	const struct engine_sampling how = {.period = 1, .nrecs = 65536};

	if (setrlimit(RLIMIT_MEMLOCK, &none) ||
	    (geteuid() == 0 && setresuid(65534, 65534, 65534)))
		return 10;
	t.e = k->open(&t.why);
	const struct engine_request event = {.name = "page-faults", .flags = USER};
	t.sel = k->records->encode(t.e, &event, 0, &t.why);
	t.src = k->records->open(t.e, t.sel, &how, &t.why);
	if (t.src)
		return 11;
	if (errno != EPERM && errno != ENOMEM)
		return 12;
	return strstr(t.why.text, "perf_event_mlock_kb") &&
			       strstr(t.why.text, "ulimit -l")
		       ? 0
		       : 13;
}

static int read_number(const char *file)
{
	char text[32] = "";
	const int fd = open(file, O_RDONLY);

	if (fd >= 0 && read(fd, text, sizeof text - 1) < 0)
		text[0] = '\0';
	close(fd);
	return atoi(text);
}

static void names_the_limits_of_the_ring(void **state)
{
	int status;

	(void)state;
	if (read_number("/proc/sys/kernel/perf_event_mlock_kb") >
		    8192 / (int)sysconf(_SC_NPROCESSORS_ONLN) ||
	    read_number("/proc/sys/kernel/perf_event_paranoid") < 0 ||
	    read_number("/proc/sys/kernel/perf_event_paranoid") > 2) {
		print_message("there is no such limit here, or users may not sample\n");
		skip();
	}
	const pid_t pid = fork();
	if (pid == 0)
		_exit(locks_too_much());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static const struct {
	int line;
	const char *event;
	unsigned latency;
	uint64_t config1; /* 0: refused */
} thresholds[] = {
	{__LINE__, "MEM_TRANS_RETIRED:LOAD_LATENCY", 100, 100},
	{__LINE__, "mem_trans_retired.load_latency", 100, 100},
	{__LINE__, "MEM_TRANS_RETIRED:LOAD_LATENCY", 65535, 65535},
	{__LINE__, "MEM_TRANS_RETIRED:LOAD_LATENCY:u", 30, 30},
	{__LINE__, "INST_RETIRED:ANY_P", 100, 0},
	{__LINE__, "page-faults", 100, 0},
	{__LINE__, "0x1cd", 100, 0},
	{__LINE__, "mem:0x1000:x", 100, 0},
	{__LINE__, "software/config=2/", 100, 0},
};

/* Runs in a process of its own, in which libpfm4 takes this processor for a Skylake. */
static int finds_thresholds(void)
{
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	t.e = k->open(&t.why);
	for (unsigned i = 0; i < sizeof thresholds / sizeof thresholds[0]; i++) {
		const struct engine_request req = {.name = thresholds[i].event,
						   .flags = USER};

		errno = 0;
		t.sel = k->records->encode(t.e, &req, thresholds[i].latency, &t.why);
		const int ok = thresholds[i].config1
				       ? t.sel &&
						 t.sel->ev[0].config[1] ==
							 thresholds[i].config1 &&
						 strcmp(t.sel->name, req.name) == 0
				       : !t.sel && errno == EINVAL;
		if (!ok)
			fprintf(stderr, "line %d: %s\n", thresholds[i].line, t.why.text);
		k->drop(t.sel);
		if (!ok)
			return 1;
	}
	k->close(t.e);
	return 0;
}

static void accepts_thresholds_of_loads(void **state)
{
	int status;

	(void)state;
#if !defined(__x86_64__)
	print_message("libpfm4 has no Intel PMUs here\n");
	skip();
#endif
	const pid_t pid = fork();
	if (pid == 0)
		_exit(finds_thresholds());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* Stands for a kernel that refuses precision and formats; keeps the last request. */
static struct {
	unsigned calls, precise; /* the highest precise_ip that it accepts */
	uint64_t formats;
	struct perf_event_attr attr;
} asked;

static int picky_open(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
		      unsigned long flags)
{
	(void)tid, (void)cpu, (void)group_fd, (void)flags;
	asked.calls++;
	asked.attr = *attr;
	if (attr->precise_ip > asked.precise) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (attr->read_format & ~asked.formats) {
		errno = EINVAL;
		return -1;
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void opens_the_most_precise(void **state)
{
	const struct kernel_env env = {"/nowhere", picky_open};
	const struct select_env senv = {.root = "/nowhere"};
	struct evsel s = {.name = (char[]){"x"},
			  .factor = 1,
			  .n = 1,
			  .ev = {{.type = PERF_TYPE_RAW,
				  .config = {1, 2, 3},
				  .exclude_kernel = 1}}};
	struct kernel_failure f;

	(void)state;
	for (unsigned precise = 0; precise <= 2; precise++)
		for (unsigned old = 0; old < 2; old++) {
			asked.calls = 0;
			asked.precise = precise;
			asked.formats = old ? 3 : 3 | 16;
			assert_int_equal(
				kernel_sampling_probe(&env, &senv, &s, &f, &t.why),
				plain | BIT(ITEM_PERIOD));
			assert_int_equal(asked.attr.precise_ip, precise);
			assert_int_equal(asked.attr.read_format, asked.formats);
		}
	assert_int_equal(asked.attr.config, 1);
	assert_int_equal(asked.attr.config1, 2);
	assert_int_equal(asked.attr.config2, 3);
	assert_int_equal(asked.attr.exclude_kernel, 1);
	assert_int_equal(asked.attr.exclude_user, 0);
	assert_int_equal(asked.attr.sample_type,
			 PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
				 PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD);
	asked.calls = 0;
	s.ev[0].type = PERF_TYPE_SOFTWARE;
	assert_true(kernel_sampling_probe(&env, &senv, &s, &f, &t.why) != 0);
	assert_int_equal(asked.attr.precise_ip, 0);
	assert_false(asked.attr.sample_type & PERF_SAMPLE_PERIOD);
}

/*
 * Samples the loop every 20,000 of about 3,000,000 cycles: a turn has 6 instructions of
 * one cycle each. The kernel would pause at more than 100,000 records a second.
 */
static void samples_cycles(void **state)
{
	unsigned inside = 0;

	(void)state;
	begin("cycles", 20000, 200);
	spin(500000);
	k->records->freeze(t.src);
	const int n = take(MAX);
	for (int i = 0; i < n; i++) {
		const uint64_t pc = t.rec[i * RECORD + ITEM_PC];

		inside += pc >= (uintptr_t)spin && pc < (uintptr_t)spin + 128;
		assert_int_equal(t.rec[i * RECORD + ITEM_PERIOD], 20000);
	}
	print_message("%d records, %u in the loop\n", n, inside);
	assert_in_range(n, 140, 160);
	assert_true(inside >= (unsigned)n - 1);
	assert_int_equal(t.state.lost, 0);
	assert_int_equal(k->records->probe(t.e, t.sel, &t.why), plain | BIT(ITEM_PERIOD));
	end();
}

/* A signal at every 10th record. */
static void signals_of_cycles(void **state)
{
	const int signo = SIGRTMIN + 9;

	(void)state;
	handle(signo, 0);
	begin_with("cycles", &(struct engine_sampling){
				     .period = 20000, .nrecs = 10, .signo = signo});
	spin(250000);
	k->records->freeze(t.src);
	const int n = take(MAX);
	print_message("%d records, %d signals\n", n, (int)seen.owned);
	assert_true(n >= 70 && n < 85); /* 85 fill the ring of one page */
	assert_int_equal(seen.owned, n / 10);
	assert_int_equal(t.state.lost, 0);
	end();
	signal(signo, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(accepts_thresholds_of_loads), /* before libpfm4 starts */
		cmocka_unit_test(samples_each_breakpoint),
		cmocka_unit_test(samples_one_of_a_period),
		cmocka_unit_test(gives_the_oldest_first),
		cmocka_unit_test(samples_addresses_of_faults),
		cmocka_unit_test(samples_the_clock),
		cmocka_unit_test(reports_lost_records),
		cmocka_unit_test(freezes),
		cmocka_unit_test(changes_the_period),
		cmocka_unit_test(signals),
		cmocka_unit_test(signals_every_nrecs),
		cmocka_unit_test(refuses_short_periods_of_clocks),
		cmocka_unit_test(refuses_sums),
		cmocka_unit_test(joins_cores),
		cmocka_unit_test(names_the_limits_of_the_ring),
		cmocka_unit_test(opens_the_most_precise),
	};
	const struct CMUnitTest guest_tests[] = {
		cmocka_unit_test(samples_cycles),
		cmocka_unit_test(signals_of_cycles),
	};

	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!getenv("GUEST"))
		return failed;
	return failed + cmocka_run_group_tests(guest_tests, NULL, NULL);
}
