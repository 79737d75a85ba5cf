#include "irix/stats.h"

#include <string.h>

enum { MAX_TERMS = 6 };

/*
 * A factor and the event whose count is multiplied with the factor; 0 ends a list of
 * terms.
 */
struct term {
	unsigned event;
	int factor;
};

/* The ways to compute a statistic from the quotient q of two sums of terms. */
enum form {
	Q,
	Q_LESS_1,
	ONE_LESS_Q,
	Q_PER_SECOND, /* the denominator is cycles: q in millions per second */
	Q_OF_COSTS /* q, where the numerator's counts are multiplied with typical costs */
};

struct formula {
	const char *label;
	enum form form;
	struct term num[MAX_TERMS], den[MAX_TERMS];
	const char *unit; /* NULL: a ratio */
	const char *cpu;  /* the only processor with this statistic, or NULL */
};

/*
 * L1 lines have 32 bytes, L2 lines 128 and quadwords 16; a madd is one instruction. SGI's
 * program computed "Graduated loads & stores/floating point instruction" from issued
 * loads and stores; here graduated loads and stores are used, as the label says.
 */
static const struct formula formulas[] = {
	{.label = "Graduated instructions/cycle",
	 .form = Q,
	 .num = {{15, 1}},
	 .den = {{0, 1}}},
	{.label = "Graduated floating point instructions/cycle",
	 .form = Q,
	 .num = {{21, 1}},
	 .den = {{0, 1}}},
	{.label = "Graduated loads & stores/cycle",
	 .form = Q,
	 .num = {{18, 1}, {19, 1}},
	 .den = {{0, 1}}},
	{.label = "Graduated loads & stores/floating point instruction",
	 .form = Q,
	 .num = {{18, 1}, {19, 1}},
	 .den = {{21, 1}}},
	{.label = "Mispredicted branches/Decoded branches",
	 .form = Q,
	 .num = {{24, 1}},
	 .den = {{6, 1}},
	 .cpu = "r10000"},
	{.label = "Mispredicted branches/Resolved conditional branches",
	 .form = Q,
	 .num = {{24, 1}},
	 .den = {{6, 1}},
	 .cpu = "r12000"},
	{.label = "Graduated loads/Issued loads",
	 .form = Q,
	 .num = {{18, 1}},
	 .den = {{2, 1}},
	 .cpu = "r10000"},
	{.label = "Graduated loads /Decoded loads ( and prefetches )",
	 .form = Q,
	 .num = {{18, 1}},
	 .den = {{2, 1}, {16, 1}},
	 .cpu = "r12000"},
	{.label = "Graduated stores/Issued stores",
	 .form = Q,
	 .num = {{19, 1}},
	 .den = {{3, 1}},
	 .cpu = "r10000"},
	{.label = "Graduated stores/Decoded stores",
	 .form = Q,
	 .num = {{19, 1}},
	 .den = {{3, 1}},
	 .cpu = "r12000"},
	{.label = "Data mispredict/Data scache hits",
	 .form = Q,
	 .num = {{27, 1}},
	 .den = {{25, 1}, {26, -1}}},
	{.label = "Instruction mispredict/Instruction scache hits",
	 .form = Q,
	 .num = {{11, 1}},
	 .den = {{9, 1}, {10, -1}}},
	{.label = "L1 Cache Line Reuse",
	 .form = Q_LESS_1,
	 .num = {{18, 1}, {19, 1}},
	 .den = {{25, 1}}},
	{.label = "L2 Cache Line Reuse",
	 .form = Q_LESS_1,
	 .num = {{25, 1}},
	 .den = {{26, 1}}},
	{.label = "L1 Data Cache Hit Rate",
	 .form = ONE_LESS_Q,
	 .num = {{25, 1}},
	 .den = {{18, 1}, {19, 1}}},
	{.label = "L2 Data Cache Hit Rate",
	 .form = ONE_LESS_Q,
	 .num = {{26, 1}},
	 .den = {{25, 1}}},
	{.label = "Time accessing memory/Total time",
	 .form = Q_OF_COSTS,
	 .num = {{18, 1}, {19, 1}, {25, 1}, {26, 1}, {23, 1}},
	 .den = {{0, 1}}},
	{.label = "Time not making progress (probably waiting on memory) / Total time",
	 .form = ONE_LESS_Q,
	 .num = {{14, 1}},
	 .den = {{0, 1}}},
	{.label = "L1--L2 bandwidth used (MB/s, average per process)",
	 .form = Q_PER_SECOND,
	 .num = {{25, 32}, {22, 16}},
	 .den = {{0, 1}},
	 .unit = "MB/s"},
	{.label = "Memory bandwidth used (MB/s, average per process)",
	 .form = Q_PER_SECOND,
	 .num = {{26, 128}, {7, 16}},
	 .den = {{0, 1}},
	 .unit = "MB/s"},
	{.label = "MFLOPS (average per process)",
	 .form = Q_PER_SECOND,
	 .num = {{21, 1}},
	 .den = {{0, 1}},
	 .unit = "1e6/s"},
	{.label = "Cache misses in flight per cycle (average)",
	 .form = Q,
	 .num = {{4, 1}},
	 .den = {{0, 1}},
	 .cpu = "r12000"},
	{.label = "Prefetch cache miss rate",
	 .form = Q,
	 .num = {{17, 1}},
	 .den = {{16, 1}},
	 .cpu = "r12000"},
};

/* The input of a formula. */
struct input {
	const struct costs *costs;
	const struct irix_counts *counts;
	struct irix_stat *stat; /* the result */
};

/*
 * The R10000 counts cycles and graduated instructions on either counter, as two events
 * each: if one of the two was not counted, the other is used.
 */
static int find_count(const struct input *in, unsigned event, double *v)
{
	const uint32_t known = in->counts->known;
	const int twins = strcmp(in->costs->cpu, "r10000") == 0;

	if (twins && !(known >> event & 1) && (event == 0 || event == 15))
		event = event == 0 ? 16 : 17;
	*v = (double)in->counts->value[event];
	in->stat->events |= UINT32_C(1) << event;
	return known >> event & 1;
}

static int sum(const struct input *in, const struct term *t, enum form form, double *s)
{
	*s = 0;
	for (; t->factor; t++) {
		const uint64_t cost = in->costs->cost[t->event].typical;
		double v;

		if (!find_count(in, t->event, &v))
			return 0;
		if (form == Q_OF_COSTS) {
			if (cost == COST_UNKNOWN)
				return 0;
			v *= (double)cost / 1e6;
		}
		*s += t->factor * v;
	}
	return 1;
}

/*
 * Event 14 counts cycles with progress on an R10000 from revision 3 on. It stays 0 on
 * earlier revisions and on the R12000, where the time without progress is not known.
 */
static int is_meaningful(const struct formula *f, double num, double den)
{
	return den > 0 && (f->num[0].event != 14 || (num > 0 && num <= den));
}

static int compute(const struct input *in, const struct formula *f)
{
	double num, den, *v = &in->stat->value;

	*in->stat =
		(struct irix_stat){.label = f->label, .unit = f->unit ? f->unit : "1"};
	if (!sum(in, f->num, f->form, &num) || !sum(in, f->den, Q, &den) ||
	    !is_meaningful(f, num, den))
		return 0;
	const double q = num / den;
	switch (f->form) {
	case Q:
	case Q_OF_COSTS:
		*v = q;
		break;
	case Q_LESS_1:
		*v = q - 1;
		break;
	case ONE_LESS_Q:
		*v = 1 - q;
		break;
	case Q_PER_SECOND:
		*v = q * (double)in->costs->hz / 1e6;
		break;
	}
	/* larger values come from a nonsensical cost or clock rate */
	return *v < 1e12;
}

unsigned irix_stats(const struct costs *costs, const struct irix_counts *counts,
		    struct irix_stat *stat)
{
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
		const struct formula *f = &formulas[i];

		if (f->cpu && strcmp(f->cpu, costs->cpu) != 0)
			continue;
		const struct input in = {costs, counts, &stat[n]};
		n += (unsigned)compute(&in, f);
	}
	return n;
}
