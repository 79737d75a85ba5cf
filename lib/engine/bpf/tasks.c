#include "engine/bpf/tasks.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/bpf/copies.h"
#include "engine/bpf/host.h"
#include "engine/bpf/object.h"
#include "engine/bpf/order.h"
#include "engine/bpf/sys.h"
#include "engine/why.h"

enum {
	/* bytes for each CPU, up to room for the ends of 5000 LWPs with 4 events */
	RING_PER_CPU = 1 << 18,
	RING_MOST = 1 << 20,
	MOST_TASKS = 1 << 17,  /* LWPs that live at a time */
	MOST_SPILLED = 1 << 16 /* records that wait while the ring is full */
};

enum { COUNTERS, CPUS, BLANK, TASKS, RING, SPILLED, CONFIG, STATE, NMAPS };

enum program {
	SWITCH,
	NEW,
	EXEC,
	EXIT,
	HOTPLUG,
	SWITCHED,
	NATTACHED,
	ENROL = NATTACHED,
	NPROGRAMS
};

/* The tracepoints and the programs that run there have the same names. */
static const char *const program_name[NPROGRAMS] = {
	[SWITCH] = "sched_switch",
	[NEW] = "task_newtask",
	[EXEC] = "sched_process_exec",
	[EXIT] = "sched_process_exit",
	[HOTPLUG] = "cpuhp_enter",
	[SWITCHED] = "sched_exit_tp",
	[ENROL] = "enrol",
};

struct bpf_tasks {
	struct bpf_config config;
	unsigned possible; /* CPUs for which the kernel has values */
	size_t life_size;  /* of a struct bpf_life with nparts values */
	size_t task_size;  /* of a struct bpf_task with nparts values and arguments */
	size_t cpu_size;   /* of a struct bpf_cpu with nparts parts */
	int map[NMAPS];
	int program[NPROGRAMS];
	int link[NATTACHED];
	unsigned char *online; /* [ncpus] */
	/* the ring: its size, pages of the reader and of the writer, and the data */
	size_t ring_size;
	uint64_t *tail;
	const uint64_t *head;
	const unsigned char *data;
	struct bpf_order order;
	uint64_t spilled, lost, uncounted, unseen; /* of struct bpf_state */
};

static void close_all(int *fd, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

void bpf_tasks_close(struct bpf_tasks *t)
{
	const int e = errno;

	if (!t)
		return;
	close_all(t->link, NATTACHED);
	close_all(t->program, NPROGRAMS);
	if (t->tail)
		munmap(t->tail, page_size());
	if (t->head)
		munmap((void *)t->head, page_size() + 2 * t->ring_size);
	close_all(t->map, NMAPS);
	bpf_order_free(&t->order);
	free(t->online);
	free(t);
	errno = e;
}

/*
 * Each place in a hash costs time at the start of a run. The kernel has no more LWPs than
 * ids.
 */
static unsigned most_tasks(void)
{
	const unsigned long ids = bpf_host_ids();

	return ids > 0 && ids < MOST_TASKS ? (unsigned)ids : MOST_TASKS;
}

static int make_maps(struct bpf_tasks *t, struct why *why)
{
	const unsigned task = (unsigned)t->task_size, cpu = (unsigned)t->cpu_size;
	const unsigned events = t->config.nparts * t->config.ncpus;
	const struct bpf_sys_map map[NMAPS] = {
		[COUNTERS] = {BPF_MAP_TYPE_PERF_EVENT_ARRAY, 4, 4, events, 0},
		[CPUS] = {BPF_MAP_TYPE_PERCPU_ARRAY, 4, cpu, 1, 0},
		[BLANK] = {BPF_MAP_TYPE_PERCPU_ARRAY, 4, task, 1, 0},
		[TASKS] = {BPF_MAP_TYPE_HASH, 8, task, most_tasks(), BPF_F_NO_PREALLOC},
		[RING] = {BPF_MAP_TYPE_RINGBUF, 0, 0, (unsigned)t->ring_size, 0},
		[SPILLED] = {BPF_MAP_TYPE_HASH, 8, task, MOST_SPILLED, BPF_F_NO_PREALLOC},
		[CONFIG] = {BPF_MAP_TYPE_ARRAY, 4, sizeof(struct bpf_config), 1,
			    BPF_F_RDONLY_PROG},
		[STATE] = {BPF_MAP_TYPE_ARRAY, 4, sizeof(struct bpf_state), 1, 0},
	};

	for (unsigned i = 0; i < NMAPS; i++) {
		t->map[i] = bpf_sys_map(&map[i]);
		if (t->map[i] == -1)
			return why_refuse(why, errno,
					  "cannot create a map for BPF programs: %s",
					  strerror(errno));
	}
	return 0;
}

/* Give the programs the events of each CPU. Returns -1 with errno. */
static int put_counters(struct bpf_tasks *t, const struct bpf_tasks_how *how)
{
	const uint32_t zero = 0;
	unsigned char *cpus = calloc(t->possible, t->cpu_size);
	int rc = cpus ? 0 : -1;

	for (uint32_t i = 0; rc == 0 && i < how->nparts * how->ncpus; i++) {
		const unsigned cpu = i % how->ncpus, part = i / how->ncpus;
		struct bpf_cpu *c = (struct bpf_cpu *)(cpus + cpu * t->cpu_size);

		t->online[cpu] |= how->fd[i] >= -1;
		if (how->fd[i] == -1)
			c->lacks |= 1u << part;
		if (how->fd[i] < 0)
			continue;
		rc = bpf_sys_update(t->map[COUNTERS], &i, &how->fd[i]);
	}
	if (rc == 0)
		rc = bpf_sys_update(t->map[CPUS], &zero, cpus);
	free(cpus);
	if (rc == 0)
		rc = bpf_sys_update(t->map[CONFIG], &zero, &t->config);
	return rc == 0 ? bpf_sys_freeze(t->map[CONFIG]) : -1;
}

/* Load a program once more, for the last words of the kernel about it. */
static int refuse_program(const char *name, const uint64_t *instruction, size_t n,
			  struct why *why)
{
	enum { LOG = 1 << 16 };
	const int e = errno;
	const char *last = "";
	char *log = calloc(1, LOG);
	const int fd = log ? bpf_sys_load(name, instruction, n, log, LOG) : -1;

	if (fd >= 0)
		close(fd);
	/* The last line has statistics; it is the only one if the load succeeds. */
	for (char *line = log ? strtok(log, "\n") : NULL; line; line = strtok(NULL, "\n"))
		if (strncmp(line, "processed ", 10) != 0)
			last = line;
	why_refuse(why, e, "this kernel rejects the BPF program %s: %s%s%.300s", name,
		   strerror(e), *last ? ": " : "", last);
	free(log);
	return -1;
}

static int load_programs(struct bpf_tasks *t, struct why *why)
{
	const struct bpf_object_map map[NMAPS] = {
		[COUNTERS] = {"counters", 0, t->map[COUNTERS]},
		[CPUS] = {"cpus", 0, t->map[CPUS]},
		[BLANK] = {"blank", 0, t->map[BLANK]},
		[TASKS] = {"tasks", 0, t->map[TASKS]},
		[RING] = {"ring", 0, t->map[RING]},
		[SPILLED] = {"spilled", 0, t->map[SPILLED]},
		[CONFIG] = {"config", 1, t->map[CONFIG]},
		[STATE] = {"state", 1, t->map[STATE]},
	};
	size_t size, n;
	const unsigned char *object = bpf_object_built_in(&size);

	for (unsigned i = 0; i < NPROGRAMS; i++) {
		uint64_t *code =
			bpf_object_program(object, size, program_name[i], map, NMAPS, &n);

		if (!code)
			return why_refuse(why, errno, "the BPF program %s is damaged: %s",
					  program_name[i], strerror(errno));
		t->program[i] = bpf_sys_load(program_name[i], code, n, NULL, 0);
		if (t->program[i] == -1)
			refuse_program(program_name[i], code, n, why);
		free(code);
		if (t->program[i] == -1)
			return -1;
	}
	return 0;
}

static int map_ring(struct bpf_tasks *t)
{
	const size_t page = page_size();
	void *tail =
		mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, t->map[RING], 0);
	/* The data follow twice, so that a record at the end of the ring is whole. */
	void *head = mmap(NULL, page + 2 * t->ring_size, PROT_READ, MAP_SHARED,
			  t->map[RING], (off_t)page);

	t->tail = tail == MAP_FAILED ? NULL : tail;
	t->head = head == MAP_FAILED ? NULL : head;
	if (!t->tail || !t->head)
		return -1;
	t->data = (const unsigned char *)head + page;
	return 0;
}

static int attach(struct bpf_tasks *t, struct why *why)
{
	if (map_ring(t) == -1)
		return why_refuse(why, errno, "cannot map the ring of BPF programs: %s",
				  strerror(errno));
	if (bpf_sys_run(t->program[ENROL], -1, NULL, 0) == -1)
		return why_refuse(why, errno, "cannot run a BPF program: %s",
				  strerror(errno));
	for (unsigned i = 0; i < NATTACHED; i++) {
		t->link[i] = bpf_sys_attach(program_name[i], t->program[i]);
		/* Without it, LWPs that follow a hidden LWP have no counts. */
		if (t->link[i] == -1 && (i != SWITCHED || errno != ENOENT))
			return why_refuse(why, errno,
					  "cannot attach a BPF program to the "
					  "tracepoint %s: %s",
					  program_name[i], strerror(errno));
	}
	return 0;
}

static struct bpf_tasks *new_tasks(const struct bpf_tasks_how *how)
{
	const size_t values = how->nparts * sizeof(struct bpf_value);
	struct bpf_tasks *t = calloc(1, sizeof *t);

	if (!t)
		return NULL;
	t->life_size = offsetof(struct bpf_life, val) + values;
	t->order.size = t->life_size + sizeof(struct bpf_args);
	t->task_size = offsetof(struct bpf_task, life) + t->order.size;
	t->cpu_size = offsetof(struct bpf_cpu, part[how->nparts]);
	t->ring_size = RING_PER_CPU;
	while (t->ring_size < RING_MOST &&
	       t->ring_size < how->ncpus * (size_t)RING_PER_CPU)
		t->ring_size *= 2;
	t->config = (struct bpf_config){
		.nparts = how->nparts,
		.ncpus = how->ncpus,
		.size = (uint32_t)t->life_size,
		.switches = how->switches,
		.holder = (uint32_t)how->holder,
		.follow_fork = how->follow_fork != 0,
		.follow_exec = how->follow_exec != 0,
	};
	for (unsigned i = 0; i < NMAPS; i++)
		t->map[i] = -1;
	for (unsigned i = 0; i < NPROGRAMS; i++)
		t->program[i] = -1;
	for (unsigned i = 0; i < NATTACHED; i++)
		t->link[i] = -1;
	t->possible = bpf_host_cpus();
	if (t->possible < how->ncpus)
		t->possible = how->ncpus;
	t->online = calloc(how->ncpus, 1);
	if (t->online)
		return t;
	bpf_tasks_close(t);
	return NULL;
}

struct bpf_tasks *bpf_tasks_open(const struct bpf_tasks_how *how, struct why *why)
{
	struct bpf_tasks *t = new_tasks(how);

	if (!t) {
		why_refuse(why, ENOMEM, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (bpf_host_offsets(&t->config, why) == 0 && make_maps(t, why) == 0) {
		if (put_counters(t, how) == -1)
			why_refuse(why, errno, "cannot fill a map for BPF programs: %s",
				   strerror(errno));
		else if (load_programs(t, why) == 0 && attach(t, why) == 0)
			return t;
	}
	bpf_tasks_close(t);
	return NULL;
}

/* Take the records that are complete out of the ring. */
static void drain_ring(struct bpf_tasks *t)
{
	const uint64_t head = __atomic_load_n(t->head, __ATOMIC_ACQUIRE);
	uint64_t tail = *t->tail;

	while (tail < head) {
		const unsigned char *record = t->data + (tail & (t->ring_size - 1));
		const uint32_t len =
			__atomic_load_n((const uint32_t *)record, __ATOMIC_ACQUIRE);

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		if (!(len & BPF_RINGBUF_DISCARD_BIT))
			bpf_order_take(&t->order, record + BPF_RINGBUF_HDR_SZ, len);
		tail += ((len & ~BPF_RINGBUF_DISCARD_BIT) + BPF_RINGBUF_HDR_SZ + 7) &
			~UINT64_C(7);
		__atomic_store_n(t->tail, tail, __ATOMIC_RELEASE);
	}
}

/* Take a record that the ring had no room for. */
static int take_spilled(void *tasks, uint64_t key, const void *value)
{
	struct bpf_tasks *t = tasks;
	const struct bpf_task *task = value;

	if (bpf_sys_delete(t->map[SPILLED], &key) == -1)
		return -1;
	bpf_order_take(&t->order, &task->life, t->order.size);
	return 0;
}

/* What cannot be read now is read the next time. */
static void drain_spilled(struct bpf_tasks *t, uint64_t spilled, int all)
{
	if (spilled == t->spilled)
		return;
	if (bpf_sys_each(t->map[SPILLED], t->task_size, t, take_spilled) == 0)
		t->spilled = spilled;
	else
		t->order.lost += all != 0;
}

static void read_state(struct bpf_tasks *t, struct bpf_state *state)
{
	const uint32_t zero = 0;

	if (bpf_sys_lookup(t->map[STATE], &zero, state) == -1)
		*state = (struct bpf_state){.spilled = t->spilled,
					    .lost = t->lost,
					    .uncounted = t->uncounted,
					    .unseen = t->unseen};
	t->lost = state->lost;
	t->uncounted = state->uncounted;
	t->unseen = state->unseen;
}

void bpf_tasks_read(struct bpf_tasks *t, int all, void *arg,
		    void (*fn)(void *arg, const struct bpf_life *life))
{
	struct bpf_state state;

	drain_ring(t);
	read_state(t, &state);
	drain_spilled(t, state.spilled, all);
	bpf_order_emit(&t->order,
		       all			 ? BPF_ORDER_SKIP_ALL
		       : t->lost || t->uncounted ? BPF_ORDER_SKIP_OLD
						 : BPF_ORDER_WAIT,
		       arg, fn);
}

const struct bpf_args *bpf_tasks_args(const struct bpf_tasks *t,
				      const struct bpf_life *life)
{
	if (life->kind != BPF_LIFE_EXEC)
		return NULL;
	return (const struct bpf_args *)((const char *)life + t->life_size);
}

/* Bring the counts of LWPs that run now up to date. */
static void update(const struct bpf_tasks *t)
{
	static const uint64_t nobody[3] = {0};

	for (unsigned cpu = 0; cpu < t->config.ncpus; cpu++)
		if (t->online[cpu])
			bpf_sys_run(t->program[SWITCH], (int)cpu, nobody, sizeof nobody);
}

static int compare_ids(const void *a, const void *b)
{
	const struct bpf_task *x = a, *y = b;

	if (x->life.pid != y->life.pid)
		return x->life.pid > y->life.pid ? 1 : -1;
	return (x->life.tid > y->life.tid) - (x->life.tid < y->life.tid);
}

int bpf_tasks_living(struct bpf_tasks *t, void *arg,
		     void (*fn)(void *arg, const struct bpf_life *life))
{
	size_t n;

	update(t);
	unsigned char *const tasks = bpf_copies_hash(t->map[TASKS], t->task_size, &n);
	if (!tasks)
		return -1;
	qsort(tasks, n, t->task_size, compare_ids);
	for (size_t i = 0; i < n; i++) {
		const struct bpf_task *task =
			(const struct bpf_task *)(tasks + i * t->task_size);

		if (!task->before_exec && task->life.seq < t->order.next)
			fn(arg, &task->life);
	}
	free(tasks);
	return 0;
}

int bpf_tasks_total(struct bpf_tasks *t, struct bpf_value *val, uint32_t *missing)
{
	const unsigned nparts = t->config.nparts;

	update(t);
	unsigned char *const cpus =
		bpf_copies_cpus(t->map[CPUS], t->cpu_size, t->possible);
	if (!cpus)
		return -1;
	/* The sums have LWPs whose records are lost, but not LWPs that have no place. */
	*missing = t->uncounted ? UINT32_MAX : 0;
	memset(val, 0, nparts * sizeof *val);
	for (unsigned cpu = 0; cpu < t->possible; cpu++) {
		const struct bpf_cpu *c = (struct bpf_cpu *)(cpus + cpu * t->cpu_size);

		*missing |= c->missing;
		for (unsigned i = 0; i < nparts; i++) {
			val[i].count += c->part[i].sum.count;
			val[i].enabled += c->part[i].sum.enabled;
			val[i].running += c->part[i].sum.running;
		}
	}
	free(cpus);
	return 0;
}

uint64_t bpf_tasks_lost(const struct bpf_tasks *t)
{
	return t->lost + t->uncounted + t->order.lost;
}

int bpf_tasks_unseen(const struct bpf_tasks *t)
{
	return t->unseen > 0;
}

int bpf_tasks_uncounted(const struct bpf_tasks *t)
{
	return t->uncounted > 0;
}
