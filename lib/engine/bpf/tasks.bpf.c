/*
 * Programs that run in the kernel, by BPF. They count events of each LWP of a tree of
 * processes with counters that each CPU has for all LWPs: what the counters of a CPU have
 * counted while an LWP was on it belongs to the LWP.
 *
 * The kernel accepts only programs whose every access it can prove to be valid. So loops
 * have a fixed number of turns, and each branch that an unused event would take is
 * removed by the kernel, which knows the config.
 */
#include <linux/bpf.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "engine/bpf/life.h"

#define PROGRAM(name)                                                     \
	static __attribute__((section("program/" #name), used)) int name( \
		struct bpf_raw_tracepoint_args *a)
#define INLINE static inline __attribute__((always_inline))
/* The compiler must not move accesses to memory across this line. */
#define BARRIER __asm__ volatile("" ::: "memory")
/* The loop is unrolled; unused turns go away when the kernel loads the program. */
#define EACH_PART(i)                                                             \
	_Pragma("clang loop unroll(full)") for (__u32 i = 0; i < BPF_MOST_PARTS; \
						i++) if (i < config.nparts)
#define HELPER(name) (void *)(long)BPF_FUNC_##name

static void *(*const map_lookup)(void *map, const void *key) = HELPER(map_lookup_elem);
static long (*const map_update)(void *map, const void *key, const void *value,
				__u64 flags) = HELPER(map_update_elem);
static long (*const map_delete)(void *map, const void *key) = HELPER(map_delete_elem);
static __u64 (*const ktime_ns)(void) = HELPER(ktime_get_ns);
static __u64 (*const current_task)(void) = HELPER(get_current_task);
static long (*const current_name)(void *buf, __u32 size) = HELPER(get_current_comm);
static __u32 (*const this_cpu)(void) = HELPER(get_smp_processor_id);
static long (*const read_kernel)(void *to, __u32 size,
				 const void *from) = HELPER(probe_read_kernel);
static long (*const read_user)(void *to, __u32 size,
			       const void *from) = HELPER(probe_read_user);
static long (*const read_counter)(void *map, __u64 index, struct bpf_perf_event_value *v,
				  __u32 size) = HELPER(perf_event_read_value);
static void *(*const ring_reserve)(void *ring, __u64 size,
				   __u64 flags) = HELPER(ringbuf_reserve);
static long (*const ring_output)(void *ring, void *data, __u64 size,
				 __u64 flags) = HELPER(ringbuf_output);
static void (*const ring_submit)(void *data, __u64 flags) = HELPER(ringbuf_submit);

/* The loader puts the maps of these names in their places (object.h). */
struct map {
	int unused;
};
#define MAP __attribute__((section("maps"))) struct map
MAP counters; /* descriptors of events: [event][CPU] */
MAP cpus;     /* a struct bpf_cpu of each CPU */
MAP sums;     /* a struct bpf_sums of each CPU */
MAP blank;    /* a struct bpf_task of each CPU, whose counts are 0 */
MAP tasks;    /* struct bpf_task by address */
MAP scratch;  /* a record with arguments of each CPU */
MAP spill;    /* records with arguments by seq */
MAP ring;     /* of struct bpf_life */
const volatile struct bpf_config config = {0};
struct bpf_state state = {0};

INLINE struct bpf_cpu *cpu_here(void)
{
	const __u32 zero = 0;

	return map_lookup(&cpus, &zero);
}

/* Read counter i of this CPU. Returns 0 if the CPU does not have it, or not any more. */
INLINE int read_value(const struct bpf_cpu *c, __u32 i, struct bpf_perf_event_value *v)
{
	return (c->has >> i & 1) && !c->came_back &&
	       read_counter(&counters, i * config.ncpus + this_cpu(), v, sizeof *v) == 0;
}

/* A counted LWP comes to this CPU after an LWP that is not counted: note the counters. */
INLINE void mark(struct bpf_cpu *c)
{
	struct bpf_perf_event_value v;

	EACH_PART(i)
	if (read_value(c, i, &v)) {
		c->val[i].count = v.counter;
		c->val[i].enabled = v.enabled;
		c->val[i].running = v.running;
	}
}

INLINE void add(struct bpf_value *to, const struct bpf_value *v)
{
	to->count += v->count;
	to->enabled += v->enabled;
	to->running += v->running;
}

/*
 * Add event i to the LWP that is on this CPU. The kernel counts the switch from an LWP
 * after this program has run, so that the program counts it itself.
 */
INLINE void charge_part(struct bpf_task *t, struct bpf_cpu *c, struct bpf_sums *s,
			__u32 i, int leaves)
{
	struct bpf_perf_event_value v;

	if (!read_value(c, i, &v)) {
		if (!(c->lacks >> i & 1)) {
			t->life.missing |= 1u << i;
			s->missing |= 1u << i;
		}
		return;
	}
	const struct bpf_value d = {.count = config.switches >> i & 1
						     ? (__u64)leaves
						     : v.counter - c->val[i].count,
				    .enabled = v.enabled - c->val[i].enabled,
				    .running = v.running - c->val[i].running};
	c->val[i].count = v.counter;
	c->val[i].enabled = v.enabled;
	c->val[i].running = v.running;
	if (t->before_exec)
		return;
	add(&t->life.val[i], &d);
	add(&s->val[i], &d);
}

/* Add to the LWP that is on this CPU what the CPU has counted since it came. */
INLINE void charge(struct bpf_task *t, struct bpf_cpu *c, int leaves)
{
	const __u32 zero = 0;
	struct bpf_sums *s = map_lookup(&sums, &zero);

	if (!s)
		return;
	EACH_PART(i)
	charge_part(t, c, s, i, leaves);
	current_name(t->life.name, sizeof t->life.name);
}

INLINE void copy(struct bpf_life *to, const struct bpf_life *from, int with_values)
{
	to->seq = from->seq;
	to->ns = from->ns;
	to->kind = from->kind;
	to->pid = from->pid;
	to->tid = from->tid;
	to->parent_pid = from->parent_pid;
	to->parent_tid = from->parent_tid;
	to->missing = from->missing;
	__builtin_memcpy(to->name, from->name, sizeof to->name);
	if (!with_values)
		return;
	EACH_PART(i)
	{
		to->val[i].count = from->val[i].count;
		to->val[i].enabled = from->val[i].enabled;
		to->val[i].running = from->val[i].running;
	}
}

INLINE void number(struct bpf_life *life, __u32 kind)
{
	life->kind = kind;
	life->ns = ktime_ns();
	life->seq = __sync_fetch_and_add(&state.seq, 1);
}

/* Returns a copy of a record in the scratch memory of this CPU. */
INLINE struct bpf_life *copy_to_scratch(const struct bpf_life *life, int with_values)
{
	const __u32 zero = 0;
	struct bpf_life *to = map_lookup(&scratch, &zero);

	if (to)
		copy(to, life, with_values);
	else
		__sync_fetch_and_add(&state.lost, 1);
	return to;
}

/* The ring is full: the record goes to the map of those that have spilled over. */
INLINE void spill_over(const struct bpf_life *in_scratch)
{
	const __u64 seq = in_scratch->seq;

	if (map_update(&spill, &seq, in_scratch, BPF_ANY))
		__sync_fetch_and_add(&state.lost, 1);
	else
		__sync_fetch_and_add(&state.spilled, 1);
}

/* Give the reader a record that has its number. */
INLINE void send(const struct bpf_life *life, int with_values)
{
	struct bpf_life *to;

	if (with_values)
		to = ring_reserve(&ring, config.size, 0);
	else
		to = ring_reserve(&ring, __builtin_offsetof(struct bpf_life, val), 0);
	if (to) {
		copy(to, life, with_values);
		ring_submit(to, BPF_RB_NO_WAKEUP);
		return;
	}
	to = copy_to_scratch(life, with_values);
	if (to)
		spill_over(to);
}

/*
 * Read the arguments of the program that the current LWP has executed. Its stack begins
 * with their number, the address of the first and more addresses, each in a word of the
 * program: of 64 bits, or of 32, so that the first 64 bits have both.
 */
INLINE void read_args(struct bpf_args *to, __u64 binprm)
{
	__u64 stack = 0, end = 0, count = 0, from = 0;

	to->n = 0;
	to->count = 0;
	read_kernel(&stack, sizeof stack, (const void *)(binprm + config.exec_stack));
	read_kernel(&end, sizeof end, (const void *)(binprm + config.exec_end));
	if (read_user(&count, sizeof count, (const void *)stack))
		return;
	from = count >> 32;
	if (!from && read_user(&from, sizeof from, (const void *)(stack + 8)))
		return;
	__u64 n = end - from;
	if (n > sizeof to->text)
		n = sizeof to->text;
	if (read_user(to->text, n, (const void *)from))
		return;
	to->n = n;
	to->count = (__u32)count;
}

/* Give the reader a record of an exec. */
INLINE void send_exec(const struct bpf_life *life, __u64 binprm)
{
	struct bpf_life *to = copy_to_scratch(life, 1);

	if (!to)
		return;
	read_args((struct bpf_args *)((char *)to + config.size), binprm);
	if (ring_output(&ring, to, config.size + sizeof(struct bpf_args),
			BPF_RB_NO_WAKEUP))
		spill_over(to);
}

/* An LWP leaves this CPU, and another comes. */
PROGRAM(sched_switch)
{
	const __u64 before = a->args[1], after = a->args[2];
	struct bpf_task *t = map_lookup(&tasks, &before);

	if (!t && !map_lookup(&tasks, &after))
		return 0;
	struct bpf_cpu *c = cpu_here();
	if (c && t)
		charge(t, c, 1);
	else if (c)
		mark(c);
	return 0;
}

/* The id of an LWP, and the address of its namespace at the depth of the reader's. */
struct id {
	__u64 ns;
	__u32 nr;
};

INLINE struct id id_of(__u64 task)
{
	struct id id = {0};
	__u64 pid = 0;
	__u32 level = 0;

	read_kernel(&pid, sizeof pid, (const void *)(task + config.task_pid));
	read_kernel(&level, sizeof level, (const void *)(pid + config.pid_level));
	if (level < state.level)
		return id;
	const __u64 number = pid + config.pid_numbers + state.level * config.number_size;
	read_kernel(&id.nr, sizeof id.nr, (const void *)number);
	read_kernel(&id.ns, sizeof id.ns, (const void *)(number + config.number_ns));
	return id;
}

/* An LWP was created by the current one, and has not run yet. */
PROGRAM(task_newtask)
{
	const __u32 zero = 0;
	const __u64 child = a->args[0], me = current_task();
	const int is_thread = (a->args[1] & CLONE_THREAD) != 0;
	const struct bpf_task *parent = map_lookup(&tasks, &me);
	struct bpf_task *t = map_lookup(&blank, &zero);

	if (!t)
		return 0;
	if (!parent) {
		const struct id holder = id_of(me);

		if (holder.nr != config.holder || holder.ns != state.ns)
			return 0;
	}
	t->life.tid = id_of(child).nr;
	t->life.pid = is_thread && parent ? parent->life.pid : t->life.tid;
	t->life.parent_pid = parent ? parent->life.pid : 0;
	t->life.parent_tid = parent ? parent->life.tid : 0;
	t->before_exec = !parent;
	current_name(t->life.name, sizeof t->life.name);
	if (parent)
		number(&t->life,
		       a->args[1] & CLONE_VFORK ? BPF_LIFE_VFORK : BPF_LIFE_BIRTH);
	if ((!parent || is_thread || config.follow_fork) &&
	    map_update(&tasks, &child, t, BPF_ANY))
		__sync_fetch_and_add(&state.uncounted, 1);
	else if (parent)
		send(&t->life, 0);
	return 0;
}

INLINE void clear(struct bpf_life *life)
{
	life->missing = 0;
	EACH_PART(i)
	{
		life->val[i].count = 0;
		life->val[i].enabled = 0;
		life->val[i].running = 0;
	}
}

/* The program tick, which can interrupt another program, does nothing until release(). */
INLINE void hold(struct bpf_cpu *c)
{
	c->busy = 1;
	BARRIER;
}

INLINE void release(struct bpf_cpu *c)
{
	BARRIER;
	c->busy = 0;
}

/*
 * Returns the LWP that is on this CPU, with its counts up to now, if it is counted. What
 * belongs to the LWP is then held until release().
 */
INLINE struct bpf_task *begin_change(__u64 me, struct bpf_cpu *c)
{
	struct bpf_task *t = map_lookup(&tasks, &me);

	if (!t || !c)
		return 0;
	hold(c);
	charge(t, c, 0);
	return t;
}

/* The current LWP has executed a program, and all others of its process have ended. */
PROGRAM(sched_process_exec)
{
	const __u64 me = current_task();
	struct bpf_cpu *c = cpu_here();
	struct bpf_task *t = begin_change(me, c);

	if (!t)
		return 0;
	t->life.tid = t->life.pid;
	number(&t->life, BPF_LIFE_EXEC);
	send_exec(&t->life, a->args[2]);
	clear(&t->life);
	if (!t->before_exec && !config.follow_exec)
		map_delete(&tasks, &me);
	else
		t->before_exec = 0;
	release(c);
	return 0;
}

/* The current LWP ends; its id is not used again before. */
PROGRAM(sched_process_exit)
{
	const __u64 me = current_task();
	struct bpf_cpu *c = cpu_here();
	struct bpf_task *t = begin_change(me, c);

	(void)a;
	if (!t)
		return 0;
	number(&t->life, BPF_LIFE_END);
	send(&t->life, 1);
	map_delete(&tasks, &me);
	release(c);
	return 0;
}

/*
 * A step of the CPU a->args[0] towards the state a->args[1]; the step leads to or from
 * the state a->args[2]. The last steps up run on the CPU itself, before any LWP does.
 * When a CPU goes offline the kernel stops its counters for ever, but they can be read
 * as before.
 */
PROGRAM(cpuhp_enter)
{
	struct bpf_cpu *c = cpu_here();

	if (c && (__u32)a->args[0] == this_cpu() && (int)a->args[1] >= (int)a->args[2])
		c->came_back = 1;
	return 0;
}

/*
 * The reader runs this on each CPU: bring the counts of the LWP there up to date. The
 * program may have interrupted another that is doing so.
 */
PROGRAM(tick)
{
	const __u64 me = current_task();
	struct bpf_task *t = map_lookup(&tasks, &me);
	struct bpf_cpu *c = cpu_here();

	(void)a;
	if (t && c && !c->busy)
		charge(t, c, 0);
	return 0;
}

/* The reader runs this itself, before the other programs run. */
PROGRAM(enrol)
{
	__u64 pid = 0;
	__u32 level = 0;

	(void)a;
	read_kernel(&pid, sizeof pid, (const void *)(current_task() + config.task_pid));
	read_kernel(&level, sizeof level, (const void *)(pid + config.pid_level));
	state.level = level;
	state.ns = id_of(current_task()).ns;
	return 0;
}
