/*
 * Programs that run in the kernel, by BPF. They count events of each LWP of a tree of
 * processes with counters that each CPU has for all LWPs: what the counters of a CPU have
 * counted while an LWP was on it belongs to the LWP.
 *
 * The kernel accepts only programs whose every access it can prove to be valid. So loops
 * have as many turns as there are events, a number that the kernel reads in the config.
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
/*
 * A change of values begins or ends. Only the CPU on which an LWP is changes its values.
 * An exchange is in order with all accesses to memory before and after it.
 */
#define CHANGE(values) __sync_lock_test_and_set(&(values)->changes, (values)->changes + 1)
/* The compiler must not replace the mask by a branch. */
#define NOT_A_BRANCH(mask) __asm__ volatile("" : "+r"(mask))
/*
 * Do a statement for each event i. The compiler leaves the loop as it is: the kernel
 * loads a loop much faster than a copy of the statement for each event that there may be.
 */
#define EACH_PART(i) \
	_Pragma("clang loop unroll(disable)") for (__u32 i = 0; i < config.nparts; i++)
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
static long (*const ring_output)(void *ring, void *data, __u64 size,
				 __u64 flags) = HELPER(ringbuf_output);

/* The loader puts the maps of these names in their places (object.h). */
struct map {
	int unused;
};
#define MAP __attribute__((section("maps"))) struct map
MAP counters; /* descriptors of events: [event][CPU] */
MAP cpus;     /* a struct bpf_cpu of each CPU */
MAP blank;    /* a struct bpf_task of each CPU, whose counts are 0 */
MAP tasks;    /* struct bpf_task by address */
MAP ring;     /* of struct bpf_life */
MAP spilled;  /* by number: copies of tasks whose records the ring had no room for */
const volatile struct bpf_config config = {0};
struct bpf_state state = {0};

INLINE struct bpf_cpu *cpu_here(void)
{
	const __u32 zero = 0;

	return map_lookup(&cpus, &zero);
}

INLINE void add(struct bpf_value *to, const struct bpf_value *v)
{
	to->count += v->count;
	to->enabled += v->enabled;
	to->running += v->running;
}

INLINE void keep(struct bpf_value *v, __u64 mask)
{
	v->count &= mask;
	v->enabled &= mask;
	v->running &= mask;
}

/*
 * Read counter i of this CPU: *v is what it has counted since it was read last. Returns
 * all bits; if the CPU does not have the counter, or not any more, *v and the bits are 0.
 *
 * The kernel, which follows each branch of a program before it accepts it, takes less
 * time for masks than for branches.
 */
INLINE __u64 read_value(struct bpf_cpu *c, __u32 i, struct bpf_value *v)
{
	struct bpf_value *const last = &c->part[i].last;
	struct bpf_perf_event_value now;
	const long rc =
		read_counter(&counters, i * config.ncpus + this_cpu(), &now, sizeof now);
	__u64 mask = ~(__u64)(rc >> 63) & ~c->came_back;

	NOT_A_BRANCH(mask);
	v->count = now.counter - last->count;
	v->enabled = now.enabled - last->enabled;
	v->running = now.running - last->running;
	keep(v, mask);
	add(last, v);
	return mask;
}

/* A counted LWP comes to this CPU after an LWP that is not counted: note the counters. */
INLINE void mark(struct bpf_cpu *c)
{
	struct bpf_value v;

	EACH_PART(i)
	read_value(c, i, &v);
}

/*
 * Add event i to the LWP that is on this CPU. seen: all bits if it is known when the LWP
 * came; or 0. The kernel counts the switch from an LWP after this program has run, so
 * that the program counts it itself. Nothing is counted, nor missing, before the command
 * has executed its program.
 */
INLINE void charge_part(struct bpf_task *t, struct bpf_cpu *c, __u32 i, int leaves,
			__u64 seen)
{
	struct bpf_value v;
	const __u64 mask = read_value(c, i, &v) & seen;
	const __u64 counted = t->before_exec - 1;
	const __u32 missing = (__u32)(~mask & counted) & ~c->lacks & 1u << i;

	if (config.switches >> i & 1)
		v.count = (__u64)leaves & mask;
	keep(&v, mask);
	t->life.missing |= missing;
	c->missing |= missing;
	keep(&v, counted);
	add(&t->life.val[i], &v);
	add(&c->part[i].sum, &v);
}

/*
 * Add to the LWP me, which is on this CPU, what the CPU has counted since it came. If its
 * coming was not reported, the counts may be those of others, too.
 */
INLINE void charge(struct bpf_task *t, struct bpf_cpu *c, __u64 me, int leaves)
{
	__u64 seen = (__u64)(c->here != me) - 1;

	NOT_A_BRANCH(seen);
	CHANGE(c);
	EACH_PART(i)
	charge_part(t, c, i, leaves, seen);
	CHANGE(c);
	__sync_fetch_and_add(&state.unseen, ~seen & 1);
	c->here = me;
	current_name(t->life.name, sizeof t->life.name);
}

INLINE void number(struct bpf_life *life, __u32 kind)
{
	life->kind = kind;
	life->ns = ktime_ns();
	life->seq = __sync_fetch_and_add(&state.seq, 1);
}

/*
 * Give the reader a record that has its number: the first bytes of t->life. If the ring
 * is full, a copy of t waits in a map of its own, so that new LWPs have room: what they
 * count is in the sums of all LWPs even if their records are lost.
 */
INLINE void send(struct bpf_task *t, __u64 size)
{
	if (!ring_output(&ring, &t->life, size, BPF_RB_NO_WAKEUP))
		return;
	if (map_update(&spilled, &t->life.seq, t, BPF_ANY))
		__sync_fetch_and_add(&state.lost, 1);
	else
		__sync_fetch_and_add(&state.spilled, 1);
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

/* What the reader runs, which can interrupt a program, does nothing until release(). */
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
 * An LWP leaves this CPU, and another comes. The reader also runs this on each CPU, with
 * zeros: bring the counts of the LWP there up to date. The program may then have
 * interrupted another that is doing so.
 */
PROGRAM(sched_switch)
{
	const int leaves = a->args[1] != 0;
	const __u64 before = leaves ? a->args[1] : current_task(), after = a->args[2];
	struct bpf_task *t = map_lookup(&tasks, &before);
	struct bpf_cpu *c = cpu_here();

	if (!c || (!leaves && (c->busy || c->here != before)))
		return 0;
	if (t) {
		CHANGE(t);
		charge(t, c, before, leaves);
		CHANGE(t);
	} else if (map_lookup(&tasks, &after))
		mark(c);
	if (leaves)
		c->here = after;
	return 0;
}

/*
 * The switch to the current LWP is complete. A kernel can hide an LWP, as that of a
 * virtual machine may hide an agent of its host: it does not report the switch from the
 * LWP. Few kernels have this tracepoint.
 */
PROGRAM(sched_exit_tp)
{
	const __u64 me = current_task();
	struct bpf_cpu *c = cpu_here();

	(void)a;
	if (!c || c->here == me || !map_lookup(&tasks, &me))
		return 0;
	hold(c);
	mark(c);
	c->here = me;
	release(c);
	return 0;
}

/*
 * Returns the address of the id of an LWP, and of the namespace of the id, at the depth
 * of the reader's namespace; 0 if the LWP has no id there.
 */
INLINE __u64 id_of(__u64 task)
{
	__u64 pid = 0;
	__u32 level = 0;

	read_kernel(&pid, sizeof pid, (const void *)(task + config.task_pid));
	read_kernel(&level, sizeof level, (const void *)(pid + config.pid_level));
	if (level < state.level)
		return 0;
	return pid + config.pid_numbers + state.level * config.number_size;
}

INLINE __u32 nr_of(__u64 id)
{
	__u32 nr = 0;

	read_kernel(&nr, sizeof nr, (const void *)id);
	return nr;
}

INLINE __u64 namespace_of(__u64 id)
{
	__u64 ns = 0;

	read_kernel(&ns, sizeof ns, (const void *)(id + config.number_ns));
	return ns;
}

INLINE int is_holder(__u64 task)
{
	const __u64 id = id_of(task);

	return nr_of(id) == config.holder && namespace_of(id) == state.ns;
}

/* An LWP was created by the current one, and has not run yet. */
PROGRAM(task_newtask)
{
	const __u32 zero = 0;
	const __u64 child = a->args[0], me = current_task();
	const int is_thread = (a->args[1] & CLONE_THREAD) != 0;
	const struct bpf_task *parent = map_lookup(&tasks, &me);
	struct bpf_task *t = map_lookup(&blank, &zero);
	__u32 parent_pid = 0, parent_tid = 0;

	if (parent) {
		parent_pid = parent->life.pid;
		parent_tid = parent->life.tid;
	} else if (!is_holder(me))
		return 0;
	if (!t)
		return 0;
	t->life.tid = nr_of(id_of(child));
	t->life.pid = is_thread && parent_pid ? parent_pid : t->life.tid;
	t->life.parent_pid = parent_pid;
	t->life.parent_tid = parent_tid;
	t->before_exec = !parent_pid;
	current_name(t->life.name, sizeof t->life.name);
	if (parent_pid)
		number(&t->life,
		       a->args[1] & CLONE_VFORK ? BPF_LIFE_VFORK : BPF_LIFE_BIRTH);
	if ((!parent_pid || is_thread || config.follow_fork) &&
	    map_update(&tasks, &child, t, BPF_ANY))
		__sync_fetch_and_add(&state.uncounted, 1);
	else if (parent_pid)
		send(t, __builtin_offsetof(struct bpf_life, val));
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
	CHANGE(t);
	charge(t, c, me, 0);
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
	read_args((struct bpf_args *)((char *)&t->life + config.size), a->args[2]);
	send(t, config.size + sizeof(struct bpf_args));
	clear(&t->life);
	const int is_left = !t->before_exec && !config.follow_exec;
	t->before_exec = 0;
	CHANGE(t);
	if (is_left)
		map_delete(&tasks, &me);
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
	send(t, config.size);
	CHANGE(t);
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
		c->came_back = ~0ull;
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
	state.ns = namespace_of(id_of(current_task()));
	return 0;
}
