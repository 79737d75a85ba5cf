/*
 * Tests contention: scripts of CPUs whose turns are known, with the counts that
 * arithmetic gives, and that turns do not depend on when the caches are enabled.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machines.h"
#include "pair.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { BASE = 0x1000000, TURNS = 1000 };

static struct pair p;
static unsigned reports; /* calls of contended() */

static void contended(void)
{
	reports++;
}

static void start(const char *machine)
{
	assert_int_equal(pair_open(&p, machines_find(machine), SIM_CACHES), 0);
	p.model.sharing.contended = contended;
	reports = 0;
}

/* ---- Two CPUs with known turns */

/* An access of a CPU's script, in each of its turns. */
struct step {
	char op; /* 'l': load, 's': store, 0: no more */
	unsigned offset;
	unsigned times;
};

static const struct contention {
	int line;
	struct step script[2][3]; /* of CPU 0 and of CPU 1 */
	/*
	 * Counts in TURNS turns of each CPU. A line that has moved once moves to and fro
	 * from its second transfer on.
	 */
	unsigned itv, inv, shared, reports;
} contentions[] = {
	/* Neighbours in a line: each turn but the first takes the line from the other. */
	{__LINE__,
	 {{{'s', 0, 50}}, {{'s', 8, 50}}},
	 .itv = 2 * TURNS - 1,
	 .reports = 2 * TURNS - 2},
	/* A read before the write: the other CPU keeps the line until the write. */
	{__LINE__,
	 {{{'l', 0, 1}, {'s', 0, 1}}, {{'l', 0, 1}, {'s', 0, 1}}},
	 .itv = 2 * TURNS - 1,
	 .inv = 2 * TURNS - 1,
	 .shared = 2 * TURNS - 1,
	 .reports = 2 * TURNS - 2},
	/* One writes, one reads: the write takes the line, the read shares it. */
	{__LINE__,
	 {{{'s', 0, 1}}, {{'l', 0, 1}}},
	 .itv = TURNS,
	 .inv = TURNS - 1,
	 .shared = TURNS - 1,
	 .reports = 2 * TURNS - 2},
	/* Lines of their own, and a line that both only read. */
	{__LINE__, {{{'s', 0, 50}}, {{'s', 1024, 50}}}, .itv = 0},
	{__LINE__, {{{'l', 0, 50}}, {{'l', 8, 50}}}, .itv = 1},
	/* Two lines that both write move apart from each other. */
	{__LINE__,
	 {{{'s', 0, 10}, {'s', 1024, 10}}, {{'s', 0, 10}, {'s', 1024, 10}}},
	 .itv = 2 * (2 * TURNS - 1),
	 .reports = 2 * (2 * TURNS - 2)},
};

static void run_script(const struct step *step, unsigned n)
{
	for (unsigned i = 0; i < n && step[i].op; i++)
		for (unsigned k = 0; k < step[i].times; k++)
			if (step[i].op == 'l')
				pair_load(&p, BASE + step[i].offset, 8);
			else
				pair_store(&p, BASE + step[i].offset, 8);
}

static void check(int line, const char *machine, const char *who, const uint64_t *count,
		  const struct contention *c)
{
	if (count[CTR_EXT_ITV] != c->itv || count[CTR_EXT_INV] != c->inv ||
	    count[CTR_ST_EXCL_SHARED] != c->shared)
		fail_msg("line %d, %s: the %s has %u interventions, %u invalidations, %u "
			 "stores to shared lines",
			 line, machine, who, (unsigned)count[CTR_EXT_ITV],
			 (unsigned)count[CTR_EXT_INV],
			 (unsigned)count[CTR_ST_EXCL_SHARED]);
}

static void test_turns(void **state)
{
	static const char *const names[] = {"r10000", "ultrasparc2", "generic"};

	(void)state;
	for (unsigned i = 0; i < COUNT(contentions) * COUNT(names); i++) {
		const struct contention *const c = &contentions[i / COUNT(names)];
		const char *const machine = names[i % COUNT(names)];

		start(machine);
		for (unsigned turn = 0; turn < 2 * TURNS; turn++) {
			assert_int_equal(pair_switch_cpu(&p, turn % 2), 0);
			p.model.sharing.turn++;
			run_script(c->script[turn % 2], COUNT(c->script[0]));
		}
		pair_collect_external(&p, 0);
		pair_collect_external(&p, 1);
		check(c->line, machine, "model", p.got, c);
		check(c->line, machine, "reference", p.want, c);
		if (reports != c->reports)
			fail_msg("line %d, %s: %u reports", c->line, machine, reports);
		pair_close(&p);
	}
}

/* A hand-over in one direction is not contention: a line moves once in many turns. */
static void test_hand_over(void **state)
{
	(void)state;
	start("r10000");
	assert_int_equal(pair_switch_cpu(&p, 1), 0);
	for (unsigned i = 0; i < TURNS; i++) {
		for (unsigned cpu = 0; cpu < 2; cpu++) {
			assert_int_equal(pair_switch_cpu(&p, cpu), 0);
			p.model.sharing.turn++;
			pair_store(&p, BASE + 128 * (uint64_t)i, 8);
		}
	}
	assert_int_equal(reports, 0);
	pair_close(&p);
}

/* ---- The same reports, whatever the caches contain */

/* Two models of one machine: in the first the caches are enabled from the start. */
static struct sim warm, cold;
static unsigned warm_reports, cold_reports;

static void warm_contended(void)
{
	warm_reports++;
}

static void cold_contended(void)
{
	cold_reports++;
}

static uint64_t next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A random access to one of some lines, more than a small cache holds. */
static void access(uint64_t random)
{
	const uint64_t addr = BASE + (random >> 8) % 4096 * 32;

	if (random % 4 == 0) {
		sim_store(&warm, addr, 8);
		sim_store(&cold, addr, 8);
	} else if (random % 64 == 1) {
		sim_fetch(&warm, addr);
		sim_fetch(&cold, addr);
	} else {
		sim_load(&warm, addr, 8);
		sim_load(&cold, addr, 8);
	}
}

static void one_machine(const struct machine *m)
{
	static uint64_t got[SIM_NCOUNTERS];
	uint64_t random = 88172645463325252;

	assert_int_equal(sim_open(&warm, m, SIM_CACHES, got, pair_alloc, pair_fetched),
			 0);
	assert_int_equal(sim_open(&cold, m, 0, got, pair_alloc, pair_fetched), 0);
	warm.sharing.contended = warm_contended;
	cold.sharing.contended = cold_contended;
	warm_reports = cold_reports = 0;
	for (unsigned i = 0; i < 20000; i++)
		access(next(&random));
	assert_int_equal(sim_enable(&cold, SIM_CACHES), 0);
	for (unsigned turn = 0; turn < 3000; turn++) {
		const unsigned cpu = (unsigned)(next(&random) % 3);

		assert_int_equal(sim_switch_cpu(&warm, cpu), 0);
		assert_int_equal(sim_switch_cpu(&cold, cpu), 0);
		warm.sharing.turn++;
		cold.sharing.turn++;
		for (unsigned i = 0; i < 50; i++) {
			access(next(&random));
			if (warm_reports != cold_reports)
				fail_msg("%s, turn %u: %u reports and %u", m->name, turn,
					 warm_reports, cold_reports);
		}
	}
	assert_true(warm_reports > 1000);
}

/* The caches are small, so that the two models have different lines all the time. */
static void test_caches(void **state)
{
	(void)state;
	for (unsigned i = 0; machines_at(i); i++) {
		struct machine small = *machines_at(i);

		if (!small.l2.inclusive)
			continue;
		small.l2.size = small.l2.line * small.l2.ways * 16;
		while (small.d1.size > small.l2.size / 2)
			small.d1.size /= 2;
		while (small.i1.size > small.l2.size / 2)
			small.i1.size /= 2;
		one_machine(&small);
		one_machine(machines_at(i));
		while (pair_memory.n)
			free(pair_memory.p[--pair_memory.n]);
	}
}

/* Memory runs out: known lines are still tracked, others are ignored. */
static void *no_memory(size_t size)
{
	(void)size;
	return NULL;
}

static void test_no_memory(void **state)
{
	struct sharing s = {.turn = 1, .alloc = pair_alloc, .contended = contended};

	(void)state;
	reports = 0;
	sharing_access(&s, 1, 1, 2, 1);
	s.alloc = no_memory;
	for (uint64_t line = 0; line < 10000; line++)
		sharing_access(&s, line, 1, 2, 1);
	assert_true(s.used < s.size);
	for (unsigned i = 0; i < 4; i++) {
		s.turn++;
		sharing_access(&s, 1, i & 1, 2, 1);
	}
	assert_int_equal(reports, 4);
	free(pair_memory.p[--pair_memory.n]);

	struct sharing none = {.turn = 1, .alloc = no_memory, .contended = contended};
	sharing_access(&none, 1, 1, 2, 1);
	assert_int_equal(none.used, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_hand_over),
		cmocka_unit_test(test_caches),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
