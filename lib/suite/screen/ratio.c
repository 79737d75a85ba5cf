#include "suite/screen/ratio.h"

#include <string.h>

/* How the number is computed from a count and the count that it relates to. */
enum form { QUOTIENT, PERCENT, PER_THOUSAND };

/* The generic events of perf_event_open(2), by the names of perf-list(1). */
static const struct rule {
	const char *name, *of;
	enum form form;
	const char *words;
} rules[] = {
	{"instructions", "cycles", QUOTIENT, "per cycle"},
	{"cycles", "task-clock", QUOTIENT, "GHz"},
	{"cpu-cycles", "task-clock", QUOTIENT, "GHz"},
	{"branches", "instructions", PERCENT, "% of instructions"},
	{"branch-instructions", "instructions", PERCENT, "% of instructions"},
	{"branch-misses", "branches", PERCENT, "% of branches"},
	{"branch-misses", "branch-instructions", PERCENT, "% of branches"},
	{"cache-references", "instructions", PER_THOUSAND, "per 1000 instructions"},
	{"cache-misses", "cache-references", PERCENT, "% of cache-references"},
	{"L1-dcache-load-misses", "L1-dcache-loads", PERCENT, "% of L1-dcache-loads"},
	{"L1-icache-load-misses", "L1-icache-loads", PERCENT, "% of L1-icache-loads"},
	{"LLC-load-misses", "LLC-loads", PERCENT, "% of LLC-loads"},
	{"LLC-store-misses", "LLC-stores", PERCENT, "% of LLC-stores"},
	{"dTLB-load-misses", "dTLB-loads", PERCENT, "% of dTLB-loads"},
	{"iTLB-load-misses", "iTLB-loads", PERCENT, "% of iTLB-loads"},
};

/* Append a number with about three significant digits. */
static void put_number(struct textbuf *b, double v)
{
	if (v >= 100)
		textbuf_num(b, (uint64_t)(v + 0.5), 0);
	else if (v >= 10)
		textbuf_decimal(b, v, 1, 0);
	else if (v >= 0.1 || v == 0)
		textbuf_decimal(b, v, 2, 0);
	else
		textbuf_decimal(b, v, 4, 0);
}

static int is_clock(const struct ratio_count *c)
{
	return strcmp(c->name, "task-clock") == 0 || strcmp(c->name, "cpu-clock") == 0;
}

/* Both counts are of the same modes. The clock of a task runs in user and system mode. */
static int is_comparable(const struct ratio_count *a, const struct ratio_count *of)
{
	if (is_clock(of))
		return a->mode && strcmp(a->mode, "user+sys") == 0;
	return a->mode == of->mode || (a->mode && of->mode && !strcmp(a->mode, of->mode));
}

/* Returns the count of this name that count i can be divided by, or NULL. */
static const struct ratio_count *find(const struct ratio_run *run, unsigned i,
				      const char *name)
{
	for (unsigned k = 0; k < run->n; k++) {
		const struct ratio_count *of = &run->count[k];

		if (strcmp(of->name, name) == 0 && of->value->value > 0 &&
		    of->value->quality != CPC_UNAVAILABLE &&
		    is_comparable(&run->count[i], of))
			return of;
	}
	return NULL;
}

/* Returns 1 if a rule of the table fits count i. */
static int put_related(struct textbuf *b, const struct ratio_run *run, unsigned i)
{
	static const double factor[] = {
		[QUOTIENT] = 1, [PERCENT] = 100, [PER_THOUSAND] = 1000};

	for (unsigned r = 0; r < sizeof rules / sizeof rules[0]; r++) {
		const struct rule *rule = &rules[r];
		const struct ratio_count *of;

		if (strcmp(run->count[i].name, rule->name) != 0)
			continue;
		of = find(run, i, rule->of);
		if (!of)
			continue;
		put_number(b, factor[rule->form] * (double)run->count[i].value->value /
				      (double)of->value->value);
		textbuf_char(b, ' ');
		textbuf_str(b, rule->words);
		return 1;
	}
	return 0;
}

/* The counts of a model have no relation to the time that the simulator takes. */
static int has_rate(const struct ratio_count *c)
{
	return c->value->quality != CPC_SIMULATED && c->value->quality != CPC_ESTIMATED &&
	       c->unit && strcmp(c->unit, "1") == 0;
}

void ratio_put(struct textbuf *b, const struct ratio_run *run, unsigned i)
{
	const struct ratio_count *c = &run->count[i];
	const double value = (double)c->value->value;

	if (c->value->quality == CPC_UNAVAILABLE || put_related(b, run, i) ||
	    run->wall_ns <= 0)
		return;
	if (is_clock(c)) {
		put_number(b, value / (double)run->wall_ns);
		textbuf_str(b, " CPUs used");
	} else if (has_rate(c) && value > 0) {
		put_number(b, value * 1e9 / (double)run->wall_ns);
		textbuf_str(b, " per second");
	}
}
