#include "engine/kernel/group.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

enum { PARTS = 4, GROUPS = 2, WORDS = 3 + PARTS };

/*
 * Groups, and for each what read(2) returns: number of values, enabled, running, values.
 */
static const struct {
	int line;
	unsigned n;
	int plain;
	struct part part[PARTS]; /* -, sel, -, -, group */
	uint64_t factor[PARTS];
	unsigned words[GROUPS];
	uint64_t read[GROUPS][WORDS];
	struct count val[2];
	int err;
} cases[] = {
	{.line = __LINE__,
	 .n = 1,
	 .plain = 1,
	 .part = {{.sel = 0}},
	 .factor = {1},
	 .words = {4},
	 .read = {{1, 100, 40, 7}},
	 .val = {{7, 100, 40, 0, 0}}},
	/* the second evsel leads the group */
	{.line = __LINE__,
	 .n = 2,
	 .part = {{.sel = 1}, {.sel = 0}},
	 .factor = {1, 10},
	 .words = {5},
	 .read = {{2, 100, 40, 7, 5}},
	 .val = {{5, 100, 40, 0, 0}, {70, 100, 40, 0, 0}}},
	/* the parts of a sum in one group run at the same time */
	{.line = __LINE__,
	 .n = 3,
	 .part = {{.sel = 0}, {.sel = 0}, {.sel = 1}},
	 .factor = {4, 1},
	 .words = {6},
	 .read = {{3, 100, 40, 1, 2, 5}},
	 .val = {{12, 100, 40, 0, 0}, {5, 100, 40, 0, 0}}},
	/* and so they do beside a second group */
	{.line = __LINE__,
	 .n = 3,
	 .part = {{.sel = 0}, {.sel = 0}, {.sel = 1, .group = 1}},
	 .factor = {1, 1},
	 .words = {5, 4},
	 .read = {{2, 100, 40, 1, 2}, {1, 100, 30, 5}},
	 .val = {{3, 100, 40, 0, 0}, {5, 100, 30, 0, 0}}},
	/* parts on several kinds of cores run at different times */
	{.line = __LINE__,
	 .n = 4,
	 .part = {{.sel = 0}, {.sel = 0, .group = 1}, {.sel = 1}, {.sel = 1, .group = 1}},
	 .factor = {1, 10},
	 .words = {5, 5},
	 .read = {{2, 100, 40, 1, 2}, {2, 101, 50, 30, 4}},
	 .val = {{31, 101, 90, 0, 0}, {60, 101, 90, 0, 0}}},
	{.line = __LINE__,
	 .n = 2,
	 .part = {{.sel = 0}, {.sel = 1, .group = 1}},
	 .factor = {1, 1},
	 .words = {4, 4},
	 .read = {{1, 100, 0, 0}, {1, 100, 100, 9}},
	 .val = {{0, 100, 0, 0, 0}, {9, 100, 100, 0, 0}}},
	/*
	 * the kernel returns nothing for an event in error state; short
	 * adds_up_what_is_read fail too
	 */
	{.line = __LINE__,
	 .n = 2,
	 .plain = 1,
	 .part = {{.sel = 0}, {.sel = 1}},
	 .factor = {1, 1},
	 .words = {5},
	 .read = {{2, 100, 40, 7, 5}},
	 .val = {{7, 100, 40, 0, 0}, {5, 100, 40, 0, 0}}},
	{.line = __LINE__, .n = 1, .factor = {1}, .words = {0}, .err = EIO},
	{.line = __LINE__,
	 .n = 1,
	 .factor = {1},
	 .words = {3},
	 .read = {{0, 100, 40}},
	 .err = EIO},
	{.line = __LINE__,
	 .n = 1,
	 .factor = {1},
	 .words = {3},
	 .read = {{1, 100, 40}},
	 .err = EIO},
};

static struct group *make(size_t i)
{
	struct group *g = calloc(1, sizeof(*g) + PARTS * sizeof(g->part[0]));

	assert_non_null(g);
	g->factor = calloc(PARTS, sizeof(*g->factor));
	assert_non_null(g->factor);
	memcpy(g->factor, cases[i].factor, sizeof(cases[i].factor));
	memcpy(g->part, cases[i].part, sizeof(cases[i].part));
	g->n = cases[i].n;
	g->plain = cases[i].plain;
	for (unsigned p = 0; p < g->n; p++) {
		int fd[2];
		const unsigned group = g->part[p].group;
		const size_t size = cases[i].words[group] * sizeof(uint64_t);
		assert_int_equal(pipe(fd), 0);
		assert_int_equal(write(fd[1], cases[i].read[group], size), size);
		close(fd[1]);
		g->part[p].fd = fd[0];
		if (g->ngroups < group + 1)
			g->ngroups = group + 1;
		if (g->nsel < g->part[p].sel + 1)
			g->nsel = g->part[p].sel + 1;
	}
	return g;
}

static int same(const struct count *a, const struct count *b)
{
	return a->count == b->count && a->enabled == b->enabled &&
	       a->running == b->running && a->absent == b->absent;
}

static void adds_up_what_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct group *g = make(i);
		struct count val[2] = {{.count = 99, .absent = 1}, {0}};
		uint64_t on = 0;
		errno = 0;
		const int rc = kernel_group_read(g, val, &on);
		const int good = cases[i].err
					 ? rc == -1 && errno == cases[i].err
					 : rc == 0 && same(&val[0], &cases[i].val[0]) &&
						   same(&val[1], &cases[i].val[1]) &&
						   on == cases[i].read[0][1];
		if (!good)
			fail_msg("line %d: rc %d, %llu in %llu of %llu", cases[i].line,
				 rc, (unsigned long long)val[0].count,
				 (unsigned long long)val[0].running,
				 (unsigned long long)val[0].enabled);
		kernel_group_close(g);
	}
}

/* The first list can be read; what follows a list that cannot be read is not read. */
static void reads_lists_one_after_the_other(void **state)
{
	(void)state;
	assert_int_equal(cases[0].err, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct group *g[] = {make(0), make(i), make(0)};
		const unsigned all = cases[i].err ? 1 : 3;
		struct count val[6] = {{0}};
		uint64_t on[3];

		errno = 0;
		if (kernel_group_read_all(g, 3, 2, val, on) != all ||
		    errno != cases[i].err || !same(&val[0], &cases[0].val[0]) ||
		    on[0] != cases[0].read[0][1])
			fail_msg("line %d: %s", cases[i].line, strerror(errno));
		for (unsigned k = 0; all == 3 && k < 2; k++)
			assert_true(same(&val[2 + k], &cases[i].val[k]));
		if (all == 3)
			assert_true(same(&val[4], &cases[0].val[0]));
		for (unsigned k = 0; k < 3; k++)
			kernel_group_close(g[k]);
	}
}

/*
 * What each of two parts returns to its reads. words[] says how many words a part
 * returns: with fewer than 4 its read ends early.
 */
static const struct {
	int line;
	unsigned words[2];
	uint64_t read[2][4];
	enum part_place place;
	struct count val[2];
	int err;
} offline[] = {
	{__LINE__,
	 {4, 4},
	 {{1, 100, 40, 7}, {1, 90, 30, 5}},
	 PLACE_OWN,
	 {{14, 100, 40, 0, 0}, {5, 90, 30, 0, 0}},
	 0},
	{__LINE__,
	 {4, 4},
	 {{1, 100, 40, 7}, {1, 90, 30, 5}},
	 PLACE_NONE,
	 {{14, 100, 40, 0, 0}, {0, 90, 30, 1, 0}},
	 0},
	{__LINE__,
	 {4, 4},
	 {{1, 100, 40, 7}, {1, 90, 30, 5}},
	 PLACE_PROVISIONAL,
	 {{14, 100, 40, 0, 0}, {5, 90, 30, 1, 0}},
	 0},
	{__LINE__, {4, 0}, {{1, 100, 40, 7}}, PLACE_OWN, {{0}}, EIO},
	{__LINE__, {4, 3}, {{1, 100, 40, 7}, {1, 90, 30}}, PLACE_OWN, {{0}}, EIO},
};

/* Make a group of a CPU, whose leader can be read 4 times and the other part twice. */
static struct group *make_offline(size_t i)
{
	struct group *g = calloc(1, sizeof(*g) + 2 * sizeof(g->part[0]));

	assert_non_null(g);
	g->factor = calloc(2, sizeof(*g->factor));
	assert_non_null(g->factor);
	g->n = g->nsel = 2;
	g->ngroups = g->on_cpu = g->plain = 1;
	g->factor[0] = 2;
	g->factor[1] = 1;
	for (unsigned p = 0; p < 2; p++) {
		const size_t size = offline[i].words[p] * sizeof(uint64_t);
		int fd[2];

		/* Each read(2) gets what one write(2) has written. */
		assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fd), 0);
		for (unsigned times = p ? 2 : 4; size && times > 0; times--)
			assert_int_equal(write(fd[1], offline[i].read[p], size), size);
		close(fd[1]);
		g->part[p].fd = fd[0];
		g->part[p].sel = p;
	}
	g->part[1].place = offline[i].place;
	g->named = offline[i].place != PLACE_OWN;
	return g;
}

/*
 * The leader of a group that the kernel took apart returns its own value alone. Values
 * that do not change are those of a CPU that is offline.
 */
static void reads_the_parts_of_a_cpu_that_goes_offline(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(offline) / sizeof(offline[0]); i++) {
		struct group *g = make_offline(i);
		struct count val[2];
		uint64_t on = 0;

		errno = 0;
		const int rc = kernel_group_read(g, val, &on);
		const int good = offline[i].err
					 ? rc == -1 && errno == offline[i].err
					 : rc == 0 && on == 100 &&
						   same(&val[0], &offline[i].val[0]) &&
						   same(&val[1], &offline[i].val[1]);
		if (!good)
			fail_msg("line %d: rc %d, %llu, %llu", offline[i].line, rc,
				 (unsigned long long)val[0].count,
				 (unsigned long long)val[1].count);
		errno = 0;
		if (rc == 0 && (kernel_group_read(g, val, &on) != -1 || errno != ENODEV))
			fail_msg("line %d: the CPU is not offline", offline[i].line);
		kernel_group_close(g);
	}
}

static void closes_and_keeps_errno(void **state)
{
	(void)state;
	struct group *g = make(2);
	const int fd = g->part[2].fd;

	errno = ENODEV;
	kernel_group_close(g);
	kernel_group_close(NULL);
	assert_int_equal(errno, ENODEV);
	assert_int_equal(close(fd), -1);
	assert_int_equal(errno, EBADF);
}

/* A fake kernel, with the events that it was called to open. */
static struct {
	unsigned n;
	uint64_t config[16], period[16];
	int leader[16];
	int id, cpu;	     /* of the last event */
	unsigned long flags; /* of the last event */
	int no_period;	     /* refuses events with a period with this errno; 0: no */
	int nothing;	     /* refuses all events with this errno; 0: no */
} kernel;

static int fake_open(struct perf_event_attr *attr, pid_t tid, int cpu, int group_fd,
		     unsigned long flags)
{
	kernel.id = tid;
	kernel.cpu = cpu;
	kernel.flags = flags;
	assert_in_range(kernel.n, 0, 15);
	kernel.config[kernel.n] = attr->config;
	kernel.period[kernel.n] = attr->sample_period;
	kernel.leader[kernel.n++] = group_fd;
	errno = kernel.nothing				  ? kernel.nothing
		: attr->sample_period && kernel.no_period ? kernel.no_period
							  : 0;
	return errno ? -1 : open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static const struct kernel_env env = {"", fake_open};
static const struct evsel plain = {.factor = 1, .n = 1, .ev = {{.config = {1}}}};
static const struct evsel notifies = {.factor = 1, .n = 1, .ev = {{.config = {2}}}};
static const struct evsel sum = {
	.factor = 1, .n = 2, .ev = {{.config = {3}}, {.config = {4}}}};

/* Its descriptor takes the place of an LWP; a cgroup that does not run is not offline. */
static void events_of_cgroups(void **state)
{
	const struct evsel *const sel[] = {&plain};
	const struct engine_cgroup cgroup = {77, "a/b"};
	struct kernel_open_how m = {.tid = -1, .cpu = 3, .cgroup = &cgroup};
	struct kernel_failure f;

	(void)state;
	struct group *g = kernel_group_open(&env, &m, sel, 1, NULL, &f);
	assert_non_null(g);
	assert_int_equal(kernel.id, 77);
	assert_int_equal(kernel.cpu, 3);
	assert_int_equal(kernel.flags, PERF_FLAG_PID_CGROUP | PERF_FLAG_FD_CLOEXEC);
	assert_true(g->on_cpu && g->idles);
	kernel_group_close(g);
	m.cgroup = NULL;
	g = kernel_group_open(&env, &m, sel, 1, NULL, &f);
	assert_non_null(g);
	assert_int_equal(kernel.id, -1);
	assert_int_equal(kernel.flags, PERF_FLAG_FD_CLOEXEC);
	assert_true(g->on_cpu && !g->idles);
	kernel_group_close(g);
}

static void parts_that_notify_lead_their_groups(void **state)
{
	const struct evsel *const sel[] = {&plain, &sum, &notifies, &notifies};
	const uint64_t after[] = {0, 0, 1000, 7};
	const struct kernel_open_how m = {.after = after, .signo = SIGUSR1};
	struct kernel_failure f;

	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	struct group *g = kernel_group_open(&env, &m, sel, 4, NULL, &f);
	assert_non_null(g);
	assert_int_equal(kernel.n, 5);
	static const uint64_t config[] = {2, 2, 1, 3, 4}, period[] = {1000, 7, 0, 0, 0};
	static const unsigned of[] = {2, 3, 0, 1, 1};
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(kernel.config[i], config[i]);
		assert_int_equal(kernel.period[i], period[i]);
		assert_int_equal(kernel.leader[i], i ? g->part[0].fd : -1);
		assert_int_equal(g->part[i].sel, of[i]);
	}
	struct f_owner_ex owner;
	assert_int_equal(fcntl(g->part[1].fd, F_GETSIG), SIGUSR1);
	assert_int_equal(fcntl(g->part[1].fd, F_GETOWN_EX, &owner), 0);
	assert_int_equal(owner.type, F_OWNER_TID);
	assert_int_equal(owner.pid, gettid());
	assert_int_equal(fcntl(g->part[2].fd, F_GETSIG), 0);
	assert_int_equal(kernel_group_overflowed(g, g->part[4].fd), 1);
	assert_int_equal(kernel_group_overflowed(g, -1), 0);
	/* thaw cannot add an overflow to an evsel, nor remove one */
	assert_int_equal(kernel_group_thaw(g, (const uint64_t[]){0, 5, 1000, 7}), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(kernel_group_thaw(g, (const uint64_t[]){0, 0, 0, 7}), -1);
	assert_int_equal(errno, EINVAL);
	kernel_group_close(g);
}

static const struct {
	int line;
	const struct evsel *sel;
	int no_period, nothing, err, no_interrupt;
} refusals[] = {
	{__LINE__, &notifies, EINVAL, 0, ENOTSUP, 1},
	{__LINE__, &notifies, EOPNOTSUPP, 0, ENOTSUP, 1},
	{__LINE__, &sum, 0, 0, ENOTSUP, 1},
	{__LINE__, &notifies, EACCES, 0, EACCES, 0},
	{__LINE__, &notifies, 0, EINVAL, EINVAL, 0},
	{__LINE__, &notifies, 0, ENOENT, ENOENT, 0},
};

static void reports_events_without_an_interrupt(void **state)
{
	const uint64_t after[] = {1000};
	const struct kernel_open_how m = {.after = after, .signo = SIGUSR1};

	(void)state;
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		struct kernel_failure f;
		memset(&kernel, 0, sizeof(kernel));
		kernel.no_period = refusals[i].no_period;
		kernel.nothing = refusals[i].nothing;
		const int lowest = dup(0);
		close(lowest);
		assert_null(kernel_group_open(&env, &m, &refusals[i].sel, 1, NULL, &f));
		const int err = errno;
		if (err != refusals[i].err || f.no_interrupt != refusals[i].no_interrupt)
			fail_msg("line %d: errno %d, %d", refusals[i].line, err,
				 f.no_interrupt);
		/* no descriptor is left open */
		const int now = dup(0);
		close(now);
		assert_int_equal(now, lowest);
	}
}

static unsigned refused; /* calls of read() that still fail with ECHILD */

ssize_t __real_read(int fd, void *p, size_t size);
ssize_t __wrap_read(int fd, void *p, size_t size);

ssize_t __wrap_read(int fd, void *p, size_t size)
{
	if (!refused)
		return __real_read(fd, p, size);
	refused--;
	errno = ECHILD;
	return -1;
}

/* A group cannot be read while an LWP that has inherited it ends. */
static void waits_for_lwps_that_end(void **state)
{
	static const unsigned times[] = {0, 1, 7};

	(void)state;
	for (unsigned i = 0; i < sizeof times / sizeof times[0]; i++) {
		struct count val[2] = {{0}};
		struct group *g = make(0);

		refused = times[i];
		assert_int_equal(kernel_group_read(g, val, NULL), 0);
		assert_int_equal(refused, 0);
		assert_true(same(&val[0], &cases[0].val[0]));
		kernel_group_close(g);
	}
	/* A refusal that lasts is reported. */
	struct count val[2] = {{0}};
	struct group *g = make(0);
	refused = -1u;
	assert_int_equal(kernel_group_read(g, val, NULL), -1);
	assert_int_equal(errno, ECHILD);
	refused = 0;
	kernel_group_close(g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(adds_up_what_is_read),
		cmocka_unit_test(reads_lists_one_after_the_other),
		cmocka_unit_test(reads_the_parts_of_a_cpu_that_goes_offline),
		cmocka_unit_test(waits_for_lwps_that_end),
		cmocka_unit_test(closes_and_keeps_errno),
		cmocka_unit_test(events_of_cgroups),
		cmocka_unit_test(parts_that_notify_lead_their_groups),
		cmocka_unit_test(reports_events_without_an_interrupt),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
