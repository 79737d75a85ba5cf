#include "sim/model/schedule.h"

enum { SIXTEENTHS = 16, WORD = 8 };

/* b is 0 on a machine without width or units, on which nothing takes time. */
static unsigned divide_up(unsigned a, unsigned b)
{
	return b ? (a + b - 1) / b : 0;
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static unsigned count_bits(uint32_t set)
{
	unsigned n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

static void add_group(struct schedule *s, uint32_t units)
{
	uint32_t ops = 0;

	for (unsigned i = 0; i < s->ngroups; i++)
		if (s->group[i].units == units)
			return;
	if (s->ngroups == SCHEDULE_GROUPS)
		return;
	for (unsigned op = 0; op < MOP_NOPS; op++)
		if (!(s->m->timing[op].units & ~units))
			ops |= 1U << op;
	s->group[s->ngroups].units = units;
	s->group[s->ngroups].ops = ops;
	s->group[s->ngroups++].n = count_bits(units);
}

/*
 * A group of units limits the operations that only its units can do. Unions of the units
 * of two operations limit further if the two share a unit. With more groups than fit,
 * some limits are left out.
 */
void schedule_open(struct schedule *s, const struct machine *m)
{
	s->m = m;
	s->ngroups = 0;
	for (unsigned op = 0; op < MOP_NOPS; op++)
		add_group(s, m->timing[op].units);
	for (unsigned i = 1; i < s->ngroups; i++)
		for (unsigned k = 0; k < i; k++)
			if (s->group[i].units & s->group[k].units)
				add_group(s, s->group[i].units | s->group[k].units);
}

unsigned schedule_passes(const struct schedule *s, unsigned size)
{
	return size ? divide_up(size, larger(s->m->simd, WORD)) : 0;
}

unsigned schedule_operation(const struct schedule *s, enum machine_op op)
{
	const struct timing *t = &s->m->timing[op];

	return divide_up(t->repeat * SIXTEENTHS, count_bits(t->units));
}

unsigned schedule_issue(const struct schedule *s, unsigned n)
{
	return divide_up(n * SIXTEENTHS, s->m->width);
}

/* Returns how many operations of its kind an instruction is. */
static unsigned operations(const struct schedule *s, const struct schedule_insn *x)
{
	return x->bytes ? divide_up(x->bytes, larger(s->m->simd, x->elem)) : 1;
}

/* busy: cycles of each operation; used: bit op: busy[op] is not 0. */
static unsigned busiest_group(const struct schedule *s, const unsigned busy[MOP_NOPS],
			      uint32_t used)
{
	unsigned most = 0;

	for (unsigned i = 0; i < s->ngroups; i++) {
		unsigned sum = 0;

		for (uint32_t left = used & s->group[i].ops; left; left &= left - 1)
			sum += busy[__builtin_ctz(left)];
		if (sum)
			most = larger(most, divide_up(sum * SIXTEENTHS, s->group[i].n));
	}
	return most;
}

/* The time for which the block occupies the units. */
static unsigned occupation(const struct schedule *s, const struct schedule_block *b)
{
	unsigned busy[MOP_NOPS] = {0};
	uint32_t used = 0;

	for (unsigned i = 0; i < b->n; i++) {
		const struct schedule_insn *x = &b->insn[i];

		busy[x->fp ? MOP_LOADFP : MOP_LOAD] += x->loads;
		busy[MOP_STORE] += x->stores;
		if (x->op < MOP_NOPS)
			busy[x->op] += operations(s, x);
	}
	for (unsigned op = 0; op < MOP_NOPS; op++) {
		used |= (uint32_t)(busy[op] > 0) << op;
		busy[op] *= s->m->timing[op].repeat;
	}
	return busiest_group(s, busy, used);
}

/* Latencies of an instruction: of its operation, and of its load. */
struct latency {
	uint16_t op, load;
};

static void find_latencies(const struct schedule *s, const struct schedule_block *b,
			   struct latency *latency)
{
	for (unsigned i = 0; i < b->n; i++) {
		const struct schedule_insn *x = &b->insn[i];
		const struct timing *t = &s->m->timing[x->op];

		latency[i].op = latency[i].load = 0;
		if (x->op < MOP_NOPS)
			latency[i].op = t->latency + (operations(s, x) - 1) * t->repeat;
		if (x->loads)
			latency[i].load =
				s->m->timing[x->fp ? MOP_LOADFP : MOP_LOAD].latency;
	}
}

/*
 * The longest path to the values that are used, plus more; -1: none of them is reached.
 */
static int longest(const struct schedule_uses *uses, unsigned reg, uint64_t reached,
		   const int *path, int more)
{
	int most = uses->regs >> reg & 1 ? 0 : -1;

	for (uint64_t left = uses->insns & reached; left; left &= left - 1) {
		const int p = path[__builtin_ctzll(left)];

		most = p > most ? p : most;
	}
	return most < 0 ? -1 : most + more;
}

/* The longest path from a register's value before the block to its value after it. */
static unsigned carried(const struct schedule_block *b, const struct latency *latency,
			unsigned reg)
{
	int path[SCHEDULE_INSNS];
	uint64_t reached = 0;
	const unsigned last = b->writer[reg] - 1u;

	for (unsigned i = 0; i <= last; i++) {
		const struct schedule_insn *x = &b->insn[i];
		const int op = latency[i].op;
		const int a =
			longest(&x->address, reg, reached, path, op + latency[i].load);
		const int d = longest(&x->data, reg, reached, path, op);

		path[i] = a > d ? a : d;
		reached |= (uint64_t)(path[i] >= 0) << i;
	}
	return reached >> last & 1 ? (unsigned)path[last] * SIXTEENTHS : 0;
}

/* When the results that are used are ready; done: the times of earlier instructions. */
static unsigned ready(const struct schedule_uses *uses, const unsigned *done)
{
	unsigned last = 0;

	for (uint64_t left = uses->insns; left; left &= left - 1)
		last = larger(last, done[__builtin_ctzll(left)]);
	return last;
}

/*
 * The time until the last operation of the block has begun, if each begins when its
 * operands are ready. An operation with a load begins when the value is loaded.
 */
static unsigned longest_in_order(const struct schedule_block *b,
				 const struct latency *latency)
{
	unsigned done[SCHEDULE_INSNS], last = 0;

	for (unsigned i = 0; i < b->n; i++) {
		const struct schedule_insn *x = &b->insn[i];
		unsigned begin = ready(&x->address, done);

		if (x->op < MOP_NOPS)
			begin += latency[i].load;
		begin = larger(begin, ready(&x->data, done));
		last = larger(last, begin);
		done[i] = begin + (x->op < MOP_NOPS ? latency[i].op : latency[i].load);
	}
	return b->n ? (last + 1) * SIXTEENTHS : 0;
}

unsigned schedule_cycles(const struct schedule *s, const struct schedule_block *b)
{
	unsigned most = larger(schedule_issue(s, b->issued), occupation(s, b));
	struct latency latency[SCHEDULE_INSNS];
	uint32_t used = 0;

	find_latencies(s, b, latency);
	if (s->m->in_order)
		most = larger(most, longest_in_order(b, latency));
	for (unsigned i = 0; i < b->n; i++)
		used |= b->insn[i].address.regs | b->insn[i].data.regs;
	for (unsigned reg = 0; reg < SCHEDULE_REGS; reg++)
		if ((used >> reg & 1) && b->writer[reg])
			most = larger(most, carried(b, latency, reg));
	return most;
}
