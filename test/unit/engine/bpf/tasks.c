/*
 * Counts by programs in the kernel: which LWPs are counted, and what they have where a
 * CPU does not have all events. The counted processes execute this file.
 */
#include "engine/bpf/tasks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/cpulist.h"
#include "engine/bpf/host.h"

enum { PARTS = 2, MOST_LIVES = 8, FAULTS = 2000 };

/* Orders to a counted program, which answers each when it is done. */
enum { BEGIN = 'b', TOUCH = 'f', THREAD = 't', PROCESS = 'p', EXEC = 'e', SPIN = 's' };

static void touch_pages(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *p = mmap(NULL, FAULTS * page, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise((char *)p, FAULTS * page, MADV_NOHUGEPAGE) == -1)
		return;
	for (unsigned i = 0; i < FAULTS; i++)
		p[i * page] = 1;
}

/* A process that ends with the program that has created it. */
static int sleep_with(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent)
		pause();
	return 1;
}

static void *sleep_on(void *arg)
{
	pause();
	return arg;
}

/* Wait for an order; after SPIN without leaving the CPU. Returns 0 if there is none. */
static int next_order(char *order)
{
	ssize_t n;

	do
		n = read(0, order, 1);
	while (n == -1 && errno == EAGAIN);
	return n == 1;
}

/* The main() of a counted program. */
static int program(char **argv)
{
	const pid_t self = getpid();
	char order = BEGIN;
	pthread_t thread;

	do {
		if (order == TOUCH)
			touch_pages();
		else if (order == THREAD)
			pthread_create(&thread, NULL, sleep_on, NULL);
		else if (order == PROCESS && fork() == 0)
			return sleep_with(self);
		else if (order == EXEC)
			return execv("/proc/self/exe", argv);
		else if (order == SPIN)
			fcntl(0, F_SETFL, O_NONBLOCK);
		if (write(1, &order, 1) != 1)
			return 1;
	} while (next_order(&order));
	return 0;
}

/* A process that is counted. */
struct counted {
	pid_t pid;
	int to, from;
};

/* Give an order; returns when it is done. */
static void give(const struct counted *c, char order)
{
	assert_int_equal(write(c->to, &order, 1), 1);
	assert_int_equal(read(c->from, &order, 1), 1);
}

static void move_to(pid_t pid, int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((size_t)cpu, &set);
	assert_int_equal(sched_setaffinity(pid, sizeof set, &set), 0);
}

/* Create a process that executes the program at its first order. */
static void start(struct counted *c)
{
	static char *const argv[] = {"program", "of two words", NULL};
	int in[2], out[2];
	char order;

	assert_int_equal(pipe2(in, O_CLOEXEC), 0);
	assert_int_equal(pipe2(out, O_CLOEXEC), 0);
	c->pid = fork();
	assert_true(c->pid != -1);
	if (c->pid == 0) {
		dup2(in[0], 0);
		dup2(out[1], 1);
		/* Without this the process would not end with its parent. */
		close(in[1]);
		if (read(0, &order, 1) == 1)
			execv("/proc/self/exe", argv);
		_exit(1);
	}
	close(in[0]);
	close(out[1]);
	c->to = in[1];
	c->from = out[0];
}

static void finish(const struct counted *c)
{
	close(c->to);
	assert_int_equal(waitpid(c->pid, NULL, 0), c->pid);
	close(c->from);
}

/* A measurement. */
struct run {
	struct bpf_tasks *tasks;
	struct bpf_tasks_how how;
	struct cpulist online, allowed;
	int *fd; /* [PARTS][ncpus] */
	/* what the last call has reported */
	unsigned n;
	struct bpf_life life[MOST_LIVES];
	struct bpf_args args; /* of the last exec */
};

static int open_event(int cpu)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof attr,
				       .config = PERF_COUNT_SW_PAGE_FAULTS,
				       .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
						      PERF_FORMAT_TOTAL_TIME_RUNNING};

	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
			    PERF_FLAG_FD_CLOEXEC);
}

static void close_events(struct run *r)
{
	for (unsigned i = 0; i < PARTS * r->how.ncpus; i++)
		if (r->fd[i] >= 0)
			close(r->fd[i]);
	free(r->fd);
	cpulist_free(&r->online);
	cpulist_free(&r->allowed);
}

static void skip_because(struct run *r, const char *why)
{
	close_events(r);
	print_message("%s\n", why);
	skip();
}

/* Open two events on each CPU, both of page faults. Children of this process count. */
static void prepare(struct run *r)
{
	struct why why;

	*r = (struct run){.how = {.nparts = PARTS,
				  .holder = getpid(),
				  .follow_fork = 1,
				  .follow_exec = 1}};
	assert_int_equal(cpulist_read(&r->online, "", "online"), 0);
	assert_int_equal(cpulist_allowed(&r->allowed), 0);
	r->how.ncpus = (unsigned)r->online.cpu[r->online.n - 1] + 1;
	r->how.fd = r->fd = malloc(PARTS * r->how.ncpus * sizeof *r->fd);
	for (unsigned i = 0; i < PARTS * r->how.ncpus; i++)
		r->fd[i] = -2;
	if (bpf_host_check(&why) == -1)
		skip_because(r, why.text);
	for (unsigned i = 0; i < PARTS * r->online.n; i++) {
		const int cpu = r->online.cpu[i % r->online.n];
		const int fd = open_event(cpu);

		if (fd == -1)
			skip_because(r, "this process may not count on CPUs");
		r->fd[i / r->online.n * r->how.ncpus + (unsigned)cpu] = fd;
	}
}

/* A descriptor of bpf_tasks_how for an event that is not open on the second CPU. */
static void take_away(struct run *r, unsigned part, int why)
{
	if (r->allowed.n < 2)
		skip_because(r, "there is one CPU only");
	int *const fd = &r->fd[part * r->how.ncpus + (unsigned)r->allowed.cpu[1]];
	close(*fd);
	*fd = why;
}

static void begin(struct run *r)
{
	struct why why;

	r->tasks = bpf_tasks_open(&r->how, &why);
	if (!r->tasks)
		skip_because(r, why.text);
}

static void end(struct run *r)
{
	bpf_tasks_close(r->tasks);
	close_events(r);
}

static void note(void *run, const struct bpf_life *life)
{
	struct run *r = run;
	const struct bpf_args *args = bpf_tasks_args(r->tasks, life);

	assert_in_range(r->n, 0, MOST_LIVES - 1);
	/* A record ends with the value of the last event: the array may be longer. */
	memcpy(&r->life[r->n++], life, offsetof(struct bpf_life, val[PARTS]));
	if (args)
		r->args = *args;
}

/* This process may run on all CPUs on which it could run before. */
static void run_anywhere(const struct run *r)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	for (unsigned i = 0; i < r->allowed.n; i++)
		CPU_SET((size_t)r->allowed.cpu[i], &set);
	assert_int_equal(sched_setaffinity(0, sizeof set, &set), 0);
}

/* Returns how many records came. */
static unsigned read_all(struct run *r)
{
	r->n = 0;
	bpf_tasks_read(r->tasks, 1, r, note);
	return r->n;
}

static void note_living(void *run, const struct bpf_life *life)
{
	struct run *r = run;

	assert_in_range(r->n, 0, MOST_LIVES - 1);
	memcpy(&r->life[r->n++], life, offsetof(struct bpf_life, val[PARTS]));
}

/* Returns how many LWPs live. */
static unsigned living(struct run *r)
{
	r->n = 0;
	assert_int_equal(bpf_tasks_living(r->tasks, r, note_living), 0);
	return r->n;
}

/* Returns the sum of the first event over all LWPs. */
static uint64_t total(const struct run *r, uint32_t missing)
{
	struct bpf_value val[PARTS];
	uint32_t really;

	assert_int_equal(bpf_tasks_total(r->tasks, val, &really), 0);
	assert_int_equal(really, missing);
	return val[0].count;
}

static void lwps_are_counted_from_their_exec_on(void **state)
{
	static const char words[] = "program\0of two words";
	struct counted c;
	struct run r;

	(void)state;
	prepare(&r);
	begin(&r);
	start(&c);
	assert_int_equal(read_all(&r), 0);
	assert_int_equal(living(&r), 0);
	give(&c, BEGIN);
	/* bpf_tasks_living() leaves an LWP out until its exec has been read. */
	assert_int_equal(living(&r), 0);
	assert_int_equal(read_all(&r), 1);
	assert_int_equal(r.life[0].kind, BPF_LIFE_EXEC);
	assert_int_equal(r.life[0].pid, c.pid);
	assert_int_equal(r.life[0].val[0].count, 0);
	assert_int_equal(r.life[0].val[0].enabled, 0);
	assert_int_equal(r.args.count, 2);
	assert_memory_equal(r.args.text, words, sizeof words);
	assert_int_equal(living(&r), 1);
	assert_int_equal(r.life[0].tid, c.pid);

	/* What an LWP has counted that stays on its CPU, without a switch to another. */
	move_to(c.pid, r.allowed.cpu[r.allowed.n - 1]);
	move_to(0, r.allowed.cpu[0]);
	give(&c, SPIN);
	give(&c, TOUCH);
	assert_true(total(&r, 0) >= FAULTS);
	give(&c, TOUCH);
	assert_int_equal(living(&r), 1);
	assert_true(r.life[0].val[0].count >= 2 * FAULTS);

	finish(&c);
	assert_int_equal(living(&r), 0);
	assert_int_equal(read_all(&r), 1);
	assert_int_equal(r.life[0].kind, BPF_LIFE_END);
	assert_int_equal(r.life[0].missing, 0);
	assert_int_equal(r.life[0].val[0].count, total(&r, 0));
	assert_int_equal(r.life[0].val[0].count, r.life[0].val[1].count);
	assert_int_equal(living(&r), 0);
	assert_int_equal(bpf_tasks_lost(r.tasks), 0);
	run_anywhere(&r);
	end(&r);
}

static void living_lwps_are_in_the_order_of_their_ids(void **state)
{
	struct counted first, second;
	struct run r;

	(void)state;
	prepare(&r);
	begin(&r);
	start(&first);
	give(&first, BEGIN);
	assert_int_equal(read_all(&r), 1);
	start(&second);
	assert_int_equal(living(&r), 1);
	give(&second, BEGIN);
	/* The id of this thread is higher than that of the second process. */
	give(&first, THREAD);
	assert_int_equal(read_all(&r), 2);
	assert_int_equal(r.life[1].kind, BPF_LIFE_BIRTH);
	assert_int_equal(r.life[1].pid, first.pid);
	assert_int_equal(r.life[1].parent_tid, first.pid);
	assert_int_equal(living(&r), 3);
	for (unsigned i = 1; i < 3; i++) {
		const struct bpf_life *l = &r.life[i];

		assert_true(l[-1].pid < l->pid ||
			    (l[-1].pid == l->pid && l[-1].tid < l->tid));
	}
	finish(&first);
	finish(&second);
	end(&r);
}

static void only_what_is_wanted_is_followed(void **state)
{
	static const struct {
		int line, follow_fork, follow_exec;
		char order;
		unsigned living;
	} cases[] = {
		{__LINE__, 1, 1, PROCESS, 2}, {__LINE__, 0, 1, PROCESS, 1},
		{__LINE__, 0, 1, THREAD, 2},  {__LINE__, 1, 1, EXEC, 1},
		{__LINE__, 1, 0, EXEC, 0},
	};
	struct counted c;
	struct run r;

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		prepare(&r);
		r.how.follow_fork = cases[i].follow_fork;
		r.how.follow_exec = cases[i].follow_exec;
		begin(&r);
		start(&c);
		give(&c, BEGIN);
		give(&c, cases[i].order);
		/* A birth is reported, whether the LWP is followed or not. */
		if (read_all(&r) != 2)
			fail_msg("case of line %d: %u records", cases[i].line, r.n);
		if (living(&r) != cases[i].living)
			fail_msg("case of line %d: %u LWPs", cases[i].line, r.n);
		finish(&c);
		end(&r);
	}
}

/* CPUs can have cores of several kinds, which do not count the same events. */
static void an_event_that_a_cpu_lacks_is_zero_there(void **state)
{
	struct counted c;
	struct run r;

	(void)state;
	prepare(&r);
	take_away(&r, 1, -1);
	begin(&r);
	start(&c);
	move_to(c.pid, r.allowed.cpu[1]);
	give(&c, BEGIN);
	give(&c, TOUCH);
	finish(&c);
	assert_int_equal(read_all(&r), 2);
	assert_int_equal(r.life[1].kind, BPF_LIFE_END);
	assert_int_equal(r.life[1].missing, 0);
	assert_true(r.life[1].val[0].count >= FAULTS);
	assert_int_equal(r.life[1].val[1].count, 0);
	assert_int_equal(r.life[1].val[1].enabled, 0);
	assert_true(total(&r, 0) >= FAULTS);
	end(&r);
}

/* A CPU without open events stands for one that comes online. */
static void what_ran_on_a_cpu_that_came_online_is_missing(void **state)
{
	const uint32_t all = (1u << PARTS) - 1;
	struct counted c;
	struct run r;

	(void)state;
	prepare(&r);
	for (unsigned part = 0; part < PARTS; part++)
		take_away(&r, part, -2);
	begin(&r);
	start(&c);
	move_to(c.pid, r.allowed.cpu[1]);
	give(&c, BEGIN);
	give(&c, TOUCH);
	move_to(c.pid, r.allowed.cpu[0]);
	give(&c, EXEC);
	give(&c, TOUCH);
	finish(&c);
	assert_int_equal(read_all(&r), 3);
	/* Before its first exec the LWP is not counted, so that nothing is missing. */
	assert_int_equal(r.life[0].missing, 0);
	assert_int_equal(r.life[1].kind, BPF_LIFE_EXEC);
	assert_int_equal(r.life[1].missing, all);
	/* The next program has run on the other CPU only. */
	assert_int_equal(r.life[2].kind, BPF_LIFE_END);
	assert_int_equal(r.life[2].missing, 0);
	assert_true(r.life[2].val[0].count >= FAULTS);
	assert_true(total(&r, all) >= FAULTS);
	assert_false(bpf_tasks_unseen(r.tasks));
	end(&r);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lwps_are_counted_from_their_exec_on),
		cmocka_unit_test(living_lwps_are_in_the_order_of_their_ids),
		cmocka_unit_test(only_what_is_wanted_is_followed),
		cmocka_unit_test(an_event_that_a_cpu_lacks_is_zero_there),
		cmocka_unit_test(what_ran_on_a_cpu_that_came_online_is_missing),
	};

	/* A sanitizer would create a thread at exit(3). */
	if (argc > 1)
		_exit(program(argv));
	return cmocka_run_group_tests_name("engine/bpf/tasks", tests, NULL, NULL);
}
