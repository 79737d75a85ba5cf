/*
 * Sets bound to CPUs. An engine that counts nothing shows where the LWP runs;
 * breakpoints, which the kernel counts exactly, show what is counted. Tests that need
 * CPUs that go offline, or hardware counters, run only in guests (test/qemu), which set a
 * variable of the environment.
 */
#include <libcpc.h>

#include <dirent.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "fake_engine.h"
#include "reported.h"

enum {
	USER = CPC_COUNT_USER,
	SYS = CPC_COUNT_SYSTEM,
	BOTH = CPC_FLAGS_NOPBIND | CPC_FLAGS_NORELE,
	MANY = 5000, /* the size of a big machine's mask of CPUs */
	HITS = 1000,
	TURNS = 1000000
};

/*
 * A replacement for the calls of the kernel of a big machine, when it is switched on: the
 * kernel refuses masks that are shorter than its own, and the caller may run on these
 * CPUs.
 */
static struct {
	int on;
	unsigned char mask[MANY / 8];
} big;

int sched_getaffinity(pid_t pid, size_t size, cpu_set_t *mask)
{
	if (!big.on) {
		memset(mask, 0, size);
		return syscall(SYS_sched_getaffinity, pid, size, mask) < 0 ? -1 : 0;
	}
	if (size < sizeof big.mask) {
		errno = EINVAL;
		return -1;
	}
	memset(mask, 0, size);
	memcpy(mask, big.mask, sizeof big.mask);
	return 0;
}

int sched_setaffinity(pid_t pid, size_t size, const cpu_set_t *mask)
{
	if (!big.on)
		return (int)syscall(SYS_sched_setaffinity, pid, size, mask);
	memset(big.mask, 0, sizeof big.mask);
	memcpy(big.mask, mask, size < sizeof big.mask ? size : sizeof big.mask);
	return 0;
}

static cpc_t *listen_to(cpc_t *cpc)
{
	assert_non_null(cpc);
	cpc_seterrhndlr(cpc, remember);
	memset(&reported, 0, sizeof reported);
	return cpc;
}

static cpc_set_t *set_of(cpc_t *cpc, const char *event, uint64_t preset, unsigned flags)
{
	cpc_set_t *set = cpc_set_create(cpc);

	if (cpc_set_add_request(cpc, set, event, preset, flags, 0, NULL) != 0)
		fail_msg("%s: %s", event, reported.text);
	return set;
}

static void allow(const cpu_set_t *cpus)
{
	assert_int_equal(sched_setaffinity(0, sizeof *cpus, cpus), 0);
}

static void only(int cpu)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET((size_t)cpu, &cpus);
	allow(&cpus);
}

static cpu_set_t allowed(void)
{
	cpu_set_t cpus;

	assert_int_equal(sched_getaffinity(0, sizeof cpus, &cpus), 0);
	return cpus;
}

/* Returns 1 if the caller is bound to this CPU only. */
static int is_on(int cpu)
{
	const cpu_set_t cpus = allowed();

	return CPU_COUNT(&cpus) == 1 && CPU_ISSET((size_t)cpu, &cpus);
}

static int is_allowed(const cpu_set_t *cpus)
{
	const cpu_set_t now = allowed();

	return CPU_EQUAL(&now, cpus) != 0;
}

static void need_two_cpus(void)
{
	const cpu_set_t cpus = allowed();

	if (CPU_ISSET(0, &cpus) && CPU_ISSET(1, &cpus))
		return;
	print_message("not two CPUs\n");
	skip();
}

static void need_privilege(void)
{
	if (geteuid() == 0)
		return;
	print_message("not root\n");
	skip();
}

static void refuses_bad_input(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_t *other = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER), *empty = cpc_set_create(cpc);
	cpc_set_t *foreign = cpc_set_create(other);
	const cpu_set_t before = allowed();

	(void)state;
	FAILS(cpc_bind_cpu(NULL, 0, set, 0), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, NULL, 0), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, foreign, 0), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, empty, 0), EINVAL);
	FAILS(cpc_bind_cpu(cpc, -1, set, 0), EINVAL);
	FAILS(cpc_bind_cpu(cpc, INT32_MIN, set, 0), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, set, 4), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, set, UINT32_MAX), EINVAL);
	/* A caller on another CPU is neither bound nor moved. */
	FAILS(cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE | CPC_FLAGS_NORELE), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE | CPC_FLAGS_NOPBIND), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE | BOTH), EINVAL);
	FAILS(cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE | 4), EINVAL);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	assert_int_equal(reported.calls, 0);
	assert_true(is_allowed(&before));
	cpc_close(other);
	cpc_close(cpc);
	assert_int_equal(fake.groups, 0);
}

static void refuses_what_only_lwps_get(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER | CPC_OVF_NOTIFY_EMT);

	(void)state;
	FAILS(cpc_bind_cpu(cpc, 0, set, 0), ENOTSUP);
	assert_int_equal(reported.subcode, CPC_REQ_INVALID_FLAGS);
	assert_string_equal(reported.fn, "cpc_bind_cpu");
	cpc_close(cpc);
}

static const struct {
	int line, kernel, libcpc;
} errors[] = {
	{__LINE__, ENODEV, ENOSYS}, {__LINE__, EPERM, EACCES},
	{__LINE__, EACCES, EACCES}, {__LINE__, EINVAL, EINVAL},
	{__LINE__, EMFILE, EMFILE},
};

/* A bind that fails does not change where the caller may run. */
static void names_errors_as_libcpc(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
	const cpu_set_t before = allowed();

	(void)state;
	for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
		fake.bind_errno = errors[i].kernel;
		errno = 0;
		if (cpc_bind_cpu(cpc, 0, set, 0) != -1 || errno != errors[i].libcpc)
			fail_msg("line %d: errno %d", errors[i].line, errno);
		assert_int_equal(reported.subcode, CPC_REFUSED);
		assert_string_equal(reported.text, "bind: not here, look elsewhere");
		assert_true(is_allowed(&before));
		FAILS(cpc_unbind(cpc, set), EINVAL);
	}
	cpc_close(cpc);
}

/*
 * Bind with these flags, and check where the caller may run while the set is bound, and
 * after.
 */
static void check_place(cpc_t *cpc, cpc_set_t *set, int from, uint_t flags, int during,
			const cpu_set_t *after)
{
	if (from >= 0)
		only(from);
	assert_int_equal(cpc_bind_cpu(cpc, 1, set, flags), 0);
	if (during >= 0 && !is_on(during))
		fail_msg("from %d, flags %#x: it is elsewhere while bound", from, flags);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	if (!is_allowed(after))
		fail_msg("from %d, flags %#x: it is elsewhere after", from, flags);
}

/* The cases of the manual page, in its order. */
static void places_the_caller(void **state)
{
	cpu_set_t zero, one;

	(void)state;
	need_two_cpus();
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
	const cpu_set_t all = allowed();
	CPU_ZERO(&zero);
	CPU_SET(0, &zero);
	CPU_ZERO(&one);
	CPU_SET(1, &one);
	check_place(cpc, set, -1, CPC_FLAGS_DEFAULT, 1, &all);
	check_place(cpc, set, 0, CPC_FLAGS_DEFAULT, 1, &zero);
	check_place(cpc, set, 1, CPC_FLAGS_DEFAULT, 1, &one);
	check_place(cpc, set, 0, CPC_FLAGS_NORELE, 1, &one);
	check_place(cpc, set, 1, CPC_FLAGS_NOPBIND, 1, &all);
	check_place(cpc, set, 1, BOTH, 1, &one);
	assert_int_equal(reported.calls, 0);
	allow(&all);
	cpc_close(cpc);
}

/*
 * With CPC_FLAGS_REMOTE any CPU can be bound, also where the caller may not run, and the
 * caller is not moved.
 */
static void leaves_the_caller_where_it_is(void **state)
{
	(void)state;
	need_two_cpus();
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
	const cpu_set_t all = allowed();

	for (int from = -1; from < 2; from++) {
		if (from >= 0)
			only(from);
		const cpu_set_t before = allowed();
		for (int cpu = 0; cpu < 3; cpu++) {
			assert_int_equal(cpc_bind_cpu(cpc, cpu == 2 ? MANY : cpu, set,
						      CPC_FLAGS_REMOTE),
					 0);
			assert_int_equal(fake.groups, 1);
			assert_true(is_allowed(&before));
			assert_int_equal(cpc_unbind(cpc, set), 0);
			assert_true(is_allowed(&before));
		}
		allow(&all);
	}
	assert_int_equal(reported.calls, 0);
	cpc_close(cpc);
}

static void wants_the_caller_there(void **state)
{
	(void)state;
	need_two_cpus();
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
	const cpu_set_t all = allowed();

	for (unsigned i = 0; i < 4; i++) {
		if (i & 1)
			only(0);
		const cpu_set_t before = allowed();
		FAILS(cpc_bind_cpu(cpc, 1, set,
				   CPC_FLAGS_NOPBIND | (i & 2 ? CPC_FLAGS_NORELE : 0)),
		      EINVAL);
		assert_int_equal(reported.calls, i + 1);
		assert_int_equal(reported.subcode, CPC_PBIND_FAILED);
		assert_string_equal(
			reported.text,
			"Couldn't bind LWP to requested processor: CPU 1: "
			"CPC_FLAGS_NOPBIND needs the caller to be bound to it already");
		assert_true(is_allowed(&before));
		assert_int_equal(fake.groups, 0);
		FAILS(cpc_unbind(cpc, set), EINVAL);
		allow(&all);
	}
	cpc_close(cpc);
}

/*
 * The engine has such a CPU, but the caller cannot run there: the CPU may be outside its
 * cpuset.
 */
static void tells_where_it_cannot_go(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
	const cpu_set_t before = allowed();

	(void)state;
	FAILS(cpc_bind_cpu(cpc, MANY, set, 0), EINVAL);
	assert_int_equal(reported.subcode, CPC_PBIND_FAILED);
	assert_true(is_allowed(&before));
	assert_int_equal(fake.groups, 0);
	cpc_close(cpc);
}

static void goes_back_on_close_newest_first(void **state)
{
	(void)state;
	need_two_cpus();
	cpc_t *cpc = listen_to(fake_session(NULL));
	const cpu_set_t before = allowed();

	for (int cpu = 0; cpu < 2; cpu++) {
		cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
		assert_int_equal(cpc_bind_cpu(cpc, cpu, set, 0), 0);
		assert_true(is_on(cpu));
	}
	assert_int_equal(fake.groups, 2);
	cpc_close(cpc);
	assert_int_equal(fake.groups, 0);
	assert_true(is_allowed(&before));
}

struct other {
	cpc_t *cpc;
	cpc_set_t *set;
	int stayed;
};

static void *unbind_from_afar(void *arg)
{
	struct other *o = arg;
	const cpu_set_t before = allowed();

	cpc_unbind(o->cpc, o->set);
	o->stayed = is_allowed(&before);
	return NULL;
}

/* An LWP that unbinds a set which another LWP bound moves neither of them. */
static void moves_no_other_lwp(void **state)
{
	pthread_t t;

	(void)state;
	need_two_cpus();
	const cpu_set_t before = allowed();
	struct other o = {.cpc = listen_to(fake_session(NULL))};
	o.set = set_of(o.cpc, "own_alpha", 0, USER);
	assert_int_equal(cpc_bind_cpu(o.cpc, 1, o.set, 0), 0);
	assert_int_equal(pthread_create(&t, NULL, unbind_from_afar, &o), 0);
	pthread_join(t, NULL);
	assert_int_equal(o.stayed, 1);
	assert_true(is_on(1));
	allow(&before);
	cpc_close(o.cpc);
}

static int is_on_big(int cpu)
{
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof big.mask; i++)
		n += (unsigned)__builtin_popcount(big.mask[i]);
	return n == 1 && big.mask[cpu / 8] == 1 << cpu % 8;
}

static void goes_to_cpus_above_1023(void **state)
{
	cpc_t *cpc = listen_to(fake_session(NULL));
	cpc_set_t *set = set_of(cpc, "own_alpha", 0, USER);
	unsigned char before[sizeof big.mask];

	(void)state;
	for (unsigned i = 0; i < sizeof before; i++)
		before[i] = (unsigned char)(i * 37);
	memcpy(big.mask, before, sizeof before);
	big.on = 1;
	assert_int_equal(cpc_bind_cpu(cpc, MANY - 1, set, 0), 0);
	assert_true(is_on_big(MANY - 1));
	assert_int_equal(cpc_unbind(cpc, set), 0);
	assert_memory_equal(big.mask, before, sizeof before);
	FAILS(cpc_bind_cpu(cpc, MANY - 1, set, BOTH), EINVAL);
	assert_int_equal(cpc_bind_cpu(cpc, MANY - 1, set, CPC_FLAGS_NORELE), 0);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	assert_true(is_on_big(MANY - 1));
	assert_int_equal(cpc_bind_cpu(cpc, MANY - 1, set, BOTH), 0);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	assert_int_equal(cpc_bind_cpu(cpc, MANY - 1, set, CPC_FLAGS_NOPBIND), 0);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	for (unsigned i = 0; i < sizeof big.mask; i++)
		assert_int_equal(big.mask[i], 0xff);
	big.on = 0;
	cpc_close(cpc);
}

static int read_offline(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	(void)g, (void)val, (void)ns, (void)on;
	errno = ENODEV;
	return -1;
}

static void samples(void **state)
{
	static struct engine_ops ops;
	cpc_t *cpc = listen_to(fake_session(NULL));
	uint64_t val;

	(void)state;
	ops = fake_ops;
	cpc->scope.ops = &ops;
	cpc_set_t *set = set_of(cpc, "own_alpha", 100, USER);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_cpu(cpc, 0, set, 0), 0);
	fake.val[0].count = 7;
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(cpc_buf_get(cpc, buf, 0, &val), 0);
	assert_int_equal(val, 107);
	ops.read = read_offline;
	FAILS(cpc_set_sample(cpc, set, buf), EAGAIN);
	FAILS(cpc_set_sample(cpc, set, NULL), EINVAL);
	cpc_close(cpc);
}

/* The function whose calls are counted. */
static __attribute__((noinline)) void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

static void hit_often(unsigned n)
{
	while (n--)
		hit();
}

/* Call hit() in a process of its own on a CPU. */
static void hit_there(int cpu, unsigned n)
{
	int st;

	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0) {
		only(cpu);
		hit_often(n);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_int_equal(st, 0);
}

static uint64_t value(cpc_t *cpc, cpc_set_t *set, int index)
{
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	uint64_t val;

	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(cpc_buf_get(cpc, buf, index, &val), 0);
	cpc_buf_destroy(cpc, buf);
	return val;
}

/*
 * Every process on the CPU is counted: the caller, which was moved, and another process;
 * not a process on the other CPU. No other program has code at this very address.
 */
static void counts_what_runs_there(void **state)
{
	char event[64];

	(void)state;
	need_privilege();
	need_two_cpus();
	need_breakpoints();
	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)(uintptr_t)hit);
	for (int cpu = 0; cpu < 2; cpu++) {
		cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
		cpc_set_t *set = set_of(cpc, event, 0, USER);

		if (cpc_bind_cpu(cpc, cpu, set, 0) == -1)
			fail_msg("%s", reported.text);
		hit_often(HITS);
		assert_int_equal(value(cpc, set, 0), HITS);
		hit_there(!cpu, HITS);
		assert_int_equal(value(cpc, set, 0), HITS);
		hit_there(cpu, 3 * HITS);
		assert_int_equal(value(cpc, set, 0), 4 * HITS);
		cpc_close(cpc);
	}
}

/* One LWP counts two CPUs while it runs on one of them. */
static void counts_what_runs_elsewhere(void **state)
{
	char event[64];

	(void)state;
	need_privilege();
	need_two_cpus();
	need_breakpoints();
	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)(uintptr_t)hit);
	const cpu_set_t all = allowed();
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *set[2];

	only(0);
	for (int cpu = 0; cpu < 2; cpu++) {
		set[cpu] = set_of(cpc, event, 0, USER);
		if (cpc_bind_cpu(cpc, cpu, set[cpu], CPC_FLAGS_REMOTE) == -1)
			fail_msg("%s", reported.text);
		assert_true(is_on(0));
	}
	hit_often(HITS);
	hit_there(1, 3 * HITS);
	assert_int_equal(value(cpc, set[0], 0), HITS);
	assert_int_equal(value(cpc, set[1], 0), 3 * HITS);
	cpc_close(cpc);
	assert_true(is_on(0));
	allow(&all);
}

static unsigned descriptors(void)
{
	unsigned n = 0;
	DIR *d = opendir("/proc/self/fd");

	assert_non_null(d);
	while (readdir(d))
		n++;
	closedir(d);
	return n;
}

/* A bind never opens more descriptors than cpc_set_descriptors() has announced. */
static void tells_how_many_descriptors_it_takes(void **state)
{
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_t *other = listen_to(fake_session(NULL));
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	assert_int_equal(cpc_set_descriptors(cpc, set), 0);
	for (unsigned n = 1; n <= 3; n++) {
		assert_int_equal(
			cpc_set_add_request(cpc, set, "page-faults", 0, USER, 0, NULL),
			n - 1);
		assert_int_equal(cpc_set_descriptors(cpc, set), n);
	}
	assert_int_equal(cpc_set_descriptors(other, set_of(other, "own_alpha", 0, USER)),
			 0);
	errno = 0;
	assert_int_equal(cpc_set_descriptors(other, set), 0);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(cpc_set_descriptors(NULL, set), 0);
	assert_int_equal(cpc_set_descriptors(cpc, NULL), 0);
	cpc_close(other);
	need_privilege();
	const unsigned before = descriptors();
	if (cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE) == -1)
		fail_msg("%s", reported.text);
	assert_in_range(descriptors() - before, 1, 3);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	assert_int_equal(descriptors(), before);
	cpc_close(cpc);
}

/*
 * Returns 1 if the caller may exceed limits, as root mostly may. drop: give that
 * privilege up.
 */
static int may_exceed_limits(int drop)
{
	struct __user_cap_header_struct who = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &who, caps))
		return 0;
	const int may = caps[0].effective >> CAP_SYS_RESOURCE & 1;
	caps[0].effective &= ~(1u << CAP_SYS_RESOURCE);
	return drop && syscall(SYS_capset, &who, caps) ? 1 : may && !drop;
}

/*
 * In a process with room for only so many more descriptors: returns 0 if the CPU is bound
 * with these, or refused with the right message.
 */
static int bind_with_few(int room, int may_raise)
{
	enum { EVENTS = 12 };
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *set = set_of(cpc, "page-faults", 0, USER);
	char words[128];

	for (int i = 1; i < EVENTS; i++)
		if (cpc_set_add_request(cpc, set, "page-faults", 0, USER, 0, NULL) != i)
			return 1;
	const rlim_t low = (rlim_t)dup(0) + 3;
	const struct rlimit lim = {low, low + (rlim_t)room};
	if (setrlimit(RLIMIT_NOFILE, &lim) || (!may_raise && may_exceed_limits(1)))
		return 2;
	const int rc = cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_REMOTE);
	if (room || may_raise)
		return rc == 0 ? 0 : 3;
	snprintf(words, sizeof words,
		 "of %llu file descriptors are open and one more CPU needs %d",
		 (unsigned long long)low, EVENTS);
	return rc == -1 && errno == EMFILE && strstr(reported.text, words) &&
			       strstr(reported.text, "fewer events or CPUs")
		       ? 0
		       : 4;
}

/*
 * The limit is raised to the hard limit, and above it with privilege; otherwise the
 * message says how many descriptors one more CPU needs.
 */
static void raises_the_limit_of_descriptors(void **state)
{
	static const struct {
		int room, may_raise;
	} cases[] = {{100, 0}, {0, 1}, {0, 0}};
	int st;

	(void)state;
	need_privilege();
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		if (cases[i].may_raise && !may_exceed_limits(0))
			continue;
		fflush(NULL);
		const pid_t pid = fork();
		if (pid == 0)
			_exit(bind_with_few(cases[i].room, cases[i].may_raise));
		assert_int_equal(waitpid(pid, &st, 0), pid);
		if (st)
			fail_msg("case %zu: %#x", i, st);
	}
}

static void has_no_such_cpu(void **state)
{
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *set = set_of(cpc, "cpu-clock", 0, USER | SYS);

	(void)state;
	need_privilege();
	FAILS(cpc_bind_cpu(cpc, 4094, set, 0), EINVAL);
	assert_non_null(strstr(reported.text, "this machine has no CPU 4094"));
	FAILS(cpc_bind_cpu(cpc, INT32_MAX, set, CPC_FLAGS_NOPBIND), EINVAL);
	assert_non_null(strstr(reported.text, "this machine has no CPU 2147483647"));
	cpc_close(cpc);
}

static int paranoid(void)
{
	char text[16] = "";
	const int fd = open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY);

	if (fd == -1 || read(fd, text, sizeof text - 1) < 1)
		return -1;
	close(fd);
	return atoi(text);
}

/*
 * In a process without privilege: returns 0 if the bind is refused as the manual page
 * says.
 */
static int refused_without_privilege(void)
{
	if (geteuid() == 0 && setresuid(65534, 65534, 65534) == -1)
		return 1;
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *set = set_of(cpc, "page-faults", 0, USER);
	char level[64];
	snprintf(level, sizeof level, "kernel.perf_event_paranoid 0 or less (it is %d)",
		 paranoid());
	return cpc_bind_cpu(cpc, 0, set, 0) != -1	   ? 2
	       : errno != EACCES			   ? 3
	       : strstr(reported.text, level) == 0	   ? 4
	       : strstr(reported.text, "CAP_PERFMON") == 0 ? 5
	       : strstr(reported.text, "run as root") == 0 &&
			       strstr(reported.text, "or as root") == 0
		       ? 6
		       : 0;
}

static void needs_privilege(void **state)
{
	int st;

	(void)state;
	if (paranoid() < 1) {
		print_message("kernel.perf_event_paranoid is %d\n", paranoid());
		skip();
	}
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		_exit(refused_without_privilege());
	assert_int_equal(waitpid(pid, &st, 0), pid);
	assert_true(WIFEXITED(st));
	assert_int_equal(WEXITSTATUS(st), 0);
}

static void online(int cpu, int yes)
{
	char path[80];

	snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/online", cpu);
	const int fd = open(path, O_WRONLY);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, yes ? "1" : "0", 1), 1);
	close(fd);
}

/* Each turn executes at least two instructions. */
static void turn(unsigned n)
{
	for (volatile unsigned i = 0; i < n; i++)
		;
}

/*
 * The set of the CPU that stays online goes on counting; the other set must be bound
 * again.
 */
static void survives_a_cpu_that_goes_offline(void **state)
{
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *stays = set_of(cpc, "CPU_CYCLES", 0, USER);
	cpc_set_t *goes = set_of(cpc, "CPU_CYCLES", 0, USER);
	cpc_buf_t *buf = cpc_buf_create(cpc, goes);

	(void)state;
	assert_int_equal(cpc_bind_cpu(cpc, 1, goes, 0), 0);
	assert_int_equal(cpc_bind_cpu(cpc, 0, stays, CPC_FLAGS_NORELE), 0);
	assert_int_equal(cpc_set_sample(cpc, goes, buf), 0);
	const uint64_t before = value(cpc, stays, 0);
	online(1, 0);
	/* The values from before may be read once. */
	cpc_set_sample(cpc, goes, buf);
	FAILS(cpc_set_sample(cpc, goes, buf), EAGAIN);
	turn(TURNS);
	assert_true(value(cpc, stays, 0) >= before + 2 * TURNS);
	assert_int_equal(cpc_unbind(cpc, goes), 0);
	FAILS(cpc_bind_cpu(cpc, 1, goes, 0), ENOSYS);
	assert_non_null(strstr(reported.text, "CPU 1 is offline"));
	FAILS(cpc_bind_cpu(cpc, 1, goes, BOTH), ENOSYS);
	online(1, 1);
	assert_int_equal(cpc_bind_cpu(cpc, 1, goes, 0), 0);
	turn(TURNS);
	assert_true(value(cpc, goes, 0) >= 2 * TURNS);
	cpc_close(cpc);
}

/* More events than a CPU has counters: they take turns, and none is left out for good. */
static void shares_the_counters_of_a_cpu(void **state)
{
	enum { EVENTS = 9 };
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *set = set_of(cpc, "CPU_CYCLES", 0, USER);
	cpc_value_t v;

	(void)state;
	for (int i = 1; i < EVENTS; i++)
		assert_int_equal(
			cpc_set_add_request(cpc, set, "INST_RETIRED", 0, USER, 0, NULL),
			i);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	if (cpc_bind_cpu(cpc, 1, set, 0) == -1)
		fail_msg("%s", reported.text);
	/* The kernel changes turns at each tick. */
	turn(100 * TURNS);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	for (int i = 0; i < EVENTS; i++) {
		assert_int_equal(cpc_buf_value(cpc, buf, i, &v), 0);
		if (v.quality == CPC_UNAVAILABLE || v.count == 0)
			fail_msg("request %d was left out", i);
	}
	cpc_close(cpc);
}

/*
 * In this guest CPU_CYCLES counts the instructions that were executed (with -p 2: or a
 * turn more).
 */
static void counts_cycles_of_a_cpu(void **state)
{
	cpc_t *cpc = listen_to(cpc_open(CPC_VER_CURRENT));
	cpc_set_t *busy = set_of(cpc, "CPU_CYCLES", 0, USER);
	cpc_set_t *idle = set_of(cpc, "CPU_CYCLES", 0, USER);

	(void)state;
	assert_int_equal(cpc_bind_cpu(cpc, 0, idle, 0), 0);
	assert_int_equal(cpc_bind_cpu(cpc, 1, busy, 0), 0);
	assert_true(is_on(1));
	turn(10 * TURNS);
	assert_true(value(cpc, busy, 0) >= 2 * 10 * TURNS);
	/* No other program executes as much. */
	assert_true(value(cpc, idle, 0) < 10 * TURNS);
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_bad_input),
		cmocka_unit_test(refuses_what_only_lwps_get),
		cmocka_unit_test(names_errors_as_libcpc),
		cmocka_unit_test(places_the_caller),
		cmocka_unit_test(leaves_the_caller_where_it_is),
		cmocka_unit_test(wants_the_caller_there),
		cmocka_unit_test(tells_where_it_cannot_go),
		cmocka_unit_test(goes_back_on_close_newest_first),
		cmocka_unit_test(moves_no_other_lwp),
		cmocka_unit_test(goes_to_cpus_above_1023),
		cmocka_unit_test(samples),
		cmocka_unit_test(counts_what_runs_there),
		cmocka_unit_test(counts_what_runs_elsewhere),
		cmocka_unit_test(tells_how_many_descriptors_it_takes),
		cmocka_unit_test(raises_the_limit_of_descriptors),
		cmocka_unit_test(has_no_such_cpu),
		cmocka_unit_test(needs_privilege),
	};
	const struct CMUnitTest guest_tests[] = {
		cmocka_unit_test(counts_cycles_of_a_cpu),
		cmocka_unit_test(shares_the_counters_of_a_cpu),
		cmocka_unit_test(survives_a_cpu_that_goes_offline),
	};

	alarm(120);
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!getenv("GUEST"))
		return failed;
	return failed + cmocka_run_group_tests(guest_tests, NULL, NULL);
}
