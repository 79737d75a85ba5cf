/* Tests the processor model on patterns and traces whose counts are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "machines.h"
#include "pair.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

enum { BASE = 0x10000000 };

static struct pair p;

/* Reads "name=count ..." into counters; all others become 0. */
static void read_counts(const char *text, uint64_t *count, int line)
{
	char name[32];
	unsigned long long n;
	int used;

	memset(count, 0, SIM_NCOUNTERS * sizeof(*count));
	for (; sscanf(text, " %31[a-z0-9_]=%llu%n", name, &n, &used) == 2; text += used) {
		unsigned i = 0;

		while (i < SIM_NCOUNTERS && strcmp(sim_vocab[i].name, name) != 0)
			i++;
		if (i == SIM_NCOUNTERS)
			fail_msg("line %d: no counter %s", line, name);
		count[i] = n;
	}
	if (*text)
		fail_msg("line %d: bad counts at: %s", line, text);
}

/* Checks that the model and the reference both have these counts. */
static void check(const char *counts, int line)
{
	uint64_t want[SIM_NCOUNTERS];
	char text[2000];

	read_counts(counts, want, line);
	if (pair_difference(p.got, want, text, sizeof(text)))
		fail_msg("line %d: the model has%s", line, text);
	if (pair_difference(p.want, want, text, sizeof(text)))
		fail_msg("line %d: the reference has%s", line, text);
}

static void start(const char *machine, unsigned parts, int line)
{
	const struct machine *m = machines_find(machine);

	if (!m)
		fail_msg("line %d: no machine %s", line, machine);
	assert_int_equal(pair_open(&p, m, parts), 0);
}

/* ---- Patterns of accesses, with the counters that the caller counts */

static void load(uint64_t addr, unsigned size)
{
	pair_load(&p, addr, size);
	p.got[CTR_LOAD]++;
	p.got[CTR_D1_RD]++;
	p.want[CTR_LOAD]++;
	p.want[CTR_D1_RD]++;
}

static void store(uint64_t addr, unsigned size)
{
	pair_store(&p, addr, size);
	p.got[CTR_STORE]++;
	p.got[CTR_D1_WR]++;
	p.want[CTR_STORE]++;
	p.want[CTR_D1_WR]++;
}

/* Loads of 8 bytes over 64 KB, at a stride of 32 bytes. */
static void read_64k(const struct machine *m)
{
	(void)m;
	for (unsigned i = 0; i < 65536; i += 32)
		load(BASE + i, 8);
}

static void read_64k_twice(const struct machine *m)
{
	read_64k(m);
	read_64k(m);
}

static void write_64k(const struct machine *m)
{
	(void)m;
	for (unsigned i = 0; i < 65536; i += 8)
		store(BASE + i, 8);
}

/* At a stride of 32 bytes: writes 64 KB, then reads the next 64 KB. */
static void write_then_read(const struct machine *m)
{
	(void)m;
	for (unsigned i = 0; i < 65536; i += 32)
		store(BASE + i, 8);
	for (unsigned i = 0; i < 65536; i += 32)
		load(BASE + 65536 + i, 8);
}

/* 100 rounds over one line more than L1D has ways, all in one set: LRU never hits. */
static void ways_and_one(const struct machine *m)
{
	for (unsigned i = 0; i < 100; i++)
		for (unsigned k = 0; k <= m->d1.ways; k++)
			load(BASE + k * (m->d1.size / m->d1.ways), 8);
}

static void across_lines(const struct machine *m)
{
	(void)m;
	for (unsigned i = 0; i < 10; i++)
		load(BASE + 60, 32);
}

/* 1000 pages of the machine's size; an entry of a joint TLB maps two pages. */
static void pages_twice(const struct machine *m)
{
	const unsigned page = m->joint ? m->dtlb.page / 2 : m->dtlb.page;

	for (unsigned i = 0; i < 2000; i++)
		load(BASE + (uint64_t)(i % 1000) * page, 8);
}

static const struct {
	int line;
	const char *machine;
	void (*pattern)(const struct machine *m);
	const char *counts;
} patterns[] = {
	{__LINE__, "r10000", read_64k,
	 "d1_rd=2048 d1_rd_miss=2048 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=512 l2_rd_ref=2048 load=2048"},
	{__LINE__, "r10000", read_64k_twice,
	 "d1_rd=4096 d1_rd_miss=4096 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=512 l2_rd_ref=4096 load=4096"},
	{__LINE__, "r10000", write_64k,
	 "d1_wb_qw=2048 d1_wr=8192 d1_wr_miss=2048 dtlb1_miss=2 "
	 "dtlb_miss=2 l2_wr_miss=512 l2_wr_ref=2048 st_excl_clean=512 "
	 "store=8192"},
	{__LINE__, "r10000", write_then_read,
	 "d1_rd=2048 d1_rd_miss=2048 d1_wb_qw=4096 d1_wr=2048 "
	 "d1_wr_miss=2048 dtlb1_miss=4 dtlb_miss=4 l2_rd_miss=512 "
	 "l2_rd_ref=2048 l2_wr_miss=512 l2_wr_ref=2048 load=2048 "
	 "st_excl_clean=512 store=2048"},
	{__LINE__, "r10000", ways_and_one,
	 "d1_rd=300 d1_rd_miss=300 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=3 l2_rd_ref=300 load=300"},
	{__LINE__, "r10000", across_lines,
	 "d1_rd=20 d1_rd_miss=2 dtlb1_miss=1 dtlb_miss=1 l2_rd_miss=1 "
	 "l2_rd_ref=2 load=10"},
	/* Replacement by the way table keeps some lines in L2; LRU would keep none. */
	{__LINE__, "r10000", pages_twice,
	 "d1_rd=2000 d1_rd_miss=2000 dtlb1_miss=1000 dtlb_miss=1000 "
	 "l2_rd_miss=1808 l2_rd_ref=2000 load=2000 way_miss_d=88"},
	{__LINE__, "r12000", read_64k,
	 "d1_rd=2048 d1_rd_miss=2048 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=512 l2_rd_ref=2048 load=2048"},
	{__LINE__, "r12000", read_64k_twice,
	 "d1_rd=4096 d1_rd_miss=4096 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=512 l2_rd_ref=4096 load=4096"},
	{__LINE__, "r12000", write_64k,
	 "d1_wb_qw=2048 d1_wr=8192 d1_wr_miss=2048 dtlb1_miss=2 "
	 "dtlb_miss=2 l2_wr_miss=512 l2_wr_ref=2048 st_excl_clean=512 "
	 "store=8192"},
	{__LINE__, "r12000", write_then_read,
	 "d1_rd=2048 d1_rd_miss=2048 d1_wb_qw=4096 d1_wr=2048 "
	 "d1_wr_miss=2048 dtlb1_miss=4 dtlb_miss=4 l2_rd_miss=512 "
	 "l2_rd_ref=2048 l2_wr_miss=512 l2_wr_ref=2048 load=2048 "
	 "st_excl_clean=512 store=2048"},
	{__LINE__, "r12000", ways_and_one,
	 "d1_rd=300 d1_rd_miss=300 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=3 l2_rd_ref=300 load=300"},
	{__LINE__, "r12000", across_lines,
	 "d1_rd=20 d1_rd_miss=2 dtlb1_miss=1 dtlb_miss=1 l2_rd_miss=1 "
	 "l2_rd_ref=2 load=10"},
	{__LINE__, "r12000", pages_twice,
	 "d1_rd=2000 d1_rd_miss=2000 dtlb1_miss=1000 dtlb_miss=1000 "
	 "l2_rd_miss=1616 l2_rd_ref=2000 load=2000 way_miss_d=152"},
	{__LINE__, "ultrasparc2", read_64k,
	 "d1_rd=2048 d1_rd_miss=2048 dtlb1_miss=8 dtlb_miss=8 "
	 "l2_rd_miss=1024 l2_rd_ref=2048 load=2048"},
	{__LINE__, "ultrasparc2", read_64k_twice,
	 "d1_rd=4096 d1_rd_miss=4096 dtlb1_miss=8 dtlb_miss=8 "
	 "l2_rd_miss=1024 l2_rd_ref=4096 load=4096"},
	{__LINE__, "ultrasparc2", write_64k,
	 "d1_wr=8192 d1_wr_miss=8192 dtlb1_miss=8 dtlb_miss=8 "
	 "l2_wr_miss=1024 l2_wr_ref=4096 st_excl_clean=1024 store=8192"},
	{__LINE__, "ultrasparc2", write_then_read,
	 "d1_rd=2048 d1_rd_miss=2048 d1_wr=2048 d1_wr_miss=2048 "
	 "dtlb1_miss=16 dtlb_miss=16 l2_rd_miss=1024 l2_rd_ref=2048 "
	 "l2_wr_miss=1024 l2_wr_ref=2048 load=2048 st_excl_clean=1024 "
	 "store=2048"},
	{__LINE__, "ultrasparc2", ways_and_one,
	 "d1_rd=200 d1_rd_miss=200 dtlb1_miss=2 dtlb_miss=2 "
	 "l2_rd_miss=2 l2_rd_ref=200 load=200"},
	{__LINE__, "ultrasparc2", across_lines,
	 "d1_rd=20 d1_rd_miss=2 dtlb1_miss=1 dtlb_miss=1 l2_rd_miss=2 "
	 "l2_rd_ref=2 load=10"},
	{__LINE__, "ultrasparc2", pages_twice,
	 "d1_rd=2000 d1_rd_miss=2000 dtlb1_miss=2000 dtlb_miss=2000 "
	 "l2_rd_miss=2000 l2_rd_ref=2000 load=2000"},
	{__LINE__, "ultrasparc3", read_64k,
	 "d1_rd=2048 d1_rd_miss=2048 dtlb1_miss=8 dtlb_miss=8 "
	 "l2_rd_miss=1024 l2_rd_ref=2048 load=2048"},
	{__LINE__, "ultrasparc3", read_64k_twice,
	 "d1_rd=4096 d1_rd_miss=2048 dtlb1_miss=8 dtlb_miss=8 "
	 "l2_rd_miss=1024 l2_rd_ref=2048 load=4096"},
	{__LINE__, "ultrasparc3", write_64k,
	 "d1_wr=8192 d1_wr_miss=8192 dtlb1_miss=8 dtlb_miss=8 "
	 "l2_wr_miss=1024 l2_wr_ref=1024 st_excl_clean=128 store=8192"},
	{__LINE__, "ultrasparc3", write_then_read,
	 "d1_rd=2048 d1_rd_miss=2048 d1_wr=2048 d1_wr_miss=2048 "
	 "dtlb1_miss=16 dtlb_miss=16 l2_rd_miss=1024 l2_rd_ref=2048 "
	 "l2_wr_miss=1024 l2_wr_ref=1024 load=2048 st_excl_clean=128 "
	 "store=2048"},
	{__LINE__, "ultrasparc3", ways_and_one,
	 "d1_rd=500 d1_rd_miss=500 dtlb1_miss=5 dtlb_miss=5 "
	 "l2_rd_miss=5 l2_rd_ref=500 load=500"},
	{__LINE__, "ultrasparc3", across_lines,
	 "d1_rd=20 d1_rd_miss=2 dtlb1_miss=1 dtlb_miss=1 l2_rd_miss=2 "
	 "l2_rd_ref=2 load=10"},
	{__LINE__, "ultrasparc3", pages_twice,
	 "d1_rd=2000 d1_rd_miss=2000 dtlb1_miss=2000 dtlb_miss=2000 "
	 "l2_rd_miss=1000 l2_rd_ref=2000 load=2000"},
	{__LINE__, "itanium2", read_64k,
	 "d1_rd=2048 d1_rd_miss=1024 dtlb1_miss=16 dtlb_miss=4 "
	 "l2_rd_miss=512 l2_rd_ref=1024 l3_rd_miss=512 load=2048"},
	{__LINE__, "itanium2", read_64k_twice,
	 "d1_rd=4096 d1_rd_miss=2048 dtlb1_miss=16 dtlb_miss=4 "
	 "l2_rd_miss=512 l2_rd_ref=2048 l3_rd_miss=512 load=4096"},
	{__LINE__, "itanium2", write_64k,
	 "d1_wr=8192 d1_wr_miss=8192 dtlb1_miss=16 dtlb_miss=4 "
	 "l2_wr_miss=512 l2_wr_ref=8192 l3_wr_miss=512 "
	 "st_excl_clean=512 store=8192"},
	{__LINE__, "itanium2", write_then_read,
	 "d1_rd=2048 d1_rd_miss=1024 d1_wr=2048 d1_wr_miss=2048 "
	 "dtlb1_miss=32 dtlb_miss=8 l2_rd_miss=512 l2_rd_ref=1024 "
	 "l2_wr_miss=512 l2_wr_ref=2048 l3_rd_miss=512 l3_wr_miss=512 "
	 "load=2048 st_excl_clean=512 store=2048"},
	{__LINE__, "itanium2", ways_and_one,
	 "d1_rd=500 d1_rd_miss=500 dtlb1_miss=5 dtlb_miss=2 "
	 "l2_rd_miss=5 l2_rd_ref=500 l3_rd_miss=5 load=500"},
	{__LINE__, "itanium2", across_lines,
	 "d1_rd=20 d1_rd_miss=2 dtlb1_miss=1 dtlb_miss=1 l2_rd_miss=1 "
	 "l2_rd_ref=2 l3_rd_miss=1 load=10"},
	{__LINE__, "itanium2", pages_twice,
	 "d1_rd=2000 d1_rd_miss=2000 dtlb1_miss=2000 dtlb_miss=2000 "
	 "l2_rd_miss=2000 l2_rd_ref=2000 l3_rd_miss=2000 load=2000"},
	{__LINE__, "generic", read_64k,
	 "d1_rd=2048 d1_rd_miss=1024 dtlb1_miss=16 dtlb_miss=16 "
	 "l2_rd_miss=1024 l2_rd_ref=1024 l3_rd_miss=1024 load=2048"},
	{__LINE__, "generic", read_64k_twice,
	 "d1_rd=4096 d1_rd_miss=2048 dtlb1_miss=16 dtlb_miss=16 "
	 "l2_rd_miss=1024 l2_rd_ref=2048 l3_rd_miss=1024 load=4096"},
	{__LINE__, "generic", write_64k,
	 "d1_wb_qw=1024 d1_wr=8192 d1_wr_miss=1024 dtlb1_miss=16 "
	 "dtlb_miss=16 l2_wr_miss=1024 l2_wr_ref=1024 l3_wr_miss=1024 "
	 "st_excl_clean=1024 store=8192"},
	{__LINE__, "generic", write_then_read,
	 "d1_rd=2048 d1_rd_miss=1024 d1_wb_qw=4096 d1_wr=2048 "
	 "d1_wr_miss=1024 dtlb1_miss=32 dtlb_miss=32 l2_rd_miss=1024 "
	 "l2_rd_ref=1024 l2_wr_miss=1024 l2_wr_ref=1024 "
	 "l3_rd_miss=1024 l3_wr_miss=1024 load=2048 st_excl_clean=1024 "
	 "store=2048"},
	{__LINE__, "generic", ways_and_one,
	 "d1_rd=1300 d1_rd_miss=1300 dtlb1_miss=13 dtlb_miss=13 "
	 "l2_rd_miss=13 l2_rd_ref=1300 l3_rd_miss=13 load=1300"},
	{__LINE__, "generic", across_lines,
	 "d1_rd=20 d1_rd_miss=2 dtlb1_miss=1 dtlb_miss=1 l2_rd_miss=2 "
	 "l2_rd_ref=2 l3_rd_miss=2 load=10"},
	{__LINE__, "generic", pages_twice,
	 "d1_rd=2000 d1_rd_miss=2000 dtlb1_miss=2000 dtlb_miss=1000 "
	 "l2_rd_miss=2000 l2_rd_ref=2000 l3_rd_miss=1000 load=2000"},
};

static void test_patterns(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(patterns); i++) {
		start(patterns[i].machine, PAIR_ALL, patterns[i].line);
		patterns[i].pattern(p.ref.m);
		check(patterns[i].counts, patterns[i].line);
		pair_close(&p);
	}
}

/* ---- Traces worked out by hand, without the counters that the caller counts */

/*
 * Does one operation of a trace. "loads ADDRESS STRIDE N" are N loads; "cpu N" switches
 * to CPU N; "ext N" adds what others caused in CPU N; "clear" resets all counts.
 */
static void operate(const char *text, int line)
{
	char op[16] = "";
	unsigned long long a = 0, b = 0, c = 0;
	const int n = sscanf(text, " %15[a-z] %lli %lli %lli", op, (long long *)&a,
			     (long long *)&b, (long long *)&c);

	if (strcmp(op, "load") == 0 && n == 3)
		pair_load(&p, a, (unsigned)b);
	else if (strcmp(op, "store") == 0 && n == 3)
		pair_store(&p, a, (unsigned)b);
	else if (strcmp(op, "loads") == 0 && n == 4)
		for (unsigned i = 0; i < c; i++)
			pair_load(&p, a + i * b, 8);
	else if (strcmp(op, "fetch") == 0 && n == 2)
		pair_fetch(&p, a);
	else if (strcmp(op, "prefetch") == 0 && n == 2)
		pair_prefetch(&p, a, 0);
	else if (strcmp(op, "prefetchw") == 0 && n == 2)
		pair_prefetch(&p, a, 1);
	else if (strcmp(op, "taken") == 0 && n == 2)
		pair_cond(&p, a, 1);
	else if (strcmp(op, "not") == 0 && n == 2)
		pair_cond(&p, a, 0);
	else if (strcmp(op, "jump") == 0 && n == 3)
		pair_indirect(&p, a, b);
	else if (strcmp(op, "call") == 0 && n == 2)
		pair_call(&p, a);
	else if (strcmp(op, "return") == 0 && n == 2)
		pair_return(&p, a);
	else if (strcmp(op, "cpu") == 0 && n == 2)
		assert_int_equal(pair_switch_cpu(&p, (unsigned)a), 0);
	else if (strcmp(op, "ext") == 0 && n == 2)
		pair_collect_external(&p, (unsigned)a);
	else if (strcmp(op, "clear") == 0 && n == 1) {
		memset(p.got, 0, sizeof(p.got));
		memset(p.want, 0, sizeof(p.want));
	} else
		fail_msg("line %d: bad operation: %s", line, text);
}

static const struct {
	int line;
	const char *machine;
	unsigned parts;
	const char *trace, *counts;
} traces[] = {
	/*
	 * The way table: of two lines of one set the second fills the way that is not
	 * predicted; each hit in the other way flips the bit.
	 */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; load 0x1200000 8; fetch 0x1000000; fetch 0x1200000; "
	 "load 0x1000020 8; load 0x1000040 8",
	 "d1_rd_miss=4 l2_rd_ref=4 l2_rd_miss=2 i1_miss=2 way_miss_i=2 way_miss_d=1"},
	/*
	 * 8192 bits for 16384 sets: a line in another set, 1 MB away, has the same bit.
	 */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; load 0x1200000 8; load 0x1100000 8; load 0x1100020 8; "
	 "load 0x1000020 8; load 0x1100040 8",
	 "d1_rd_miss=6 l2_rd_ref=6 l2_rd_miss=3 way_miss_d=2"},
	/* The table selects the victim: the third line fills the way not predicted. */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; load 0x1200000 8; load 0x1000020 8; load 0x1400000 8; clear; "
	 "load 0x1000040 8",
	 "d1_rd_miss=1 l2_rd_ref=1 way_miss_d=1"},
	/* L2 is inclusive: data that replace a line in L2 remove it from L1I, too. */
	{__LINE__, "r10000", SIM_CACHES,
	 "fetch 0x1000000; load 0x1200000 8; load 0x1400000 8; fetch 0x1000000; "
	 "load 0x1200000 8; fetch 0x1000000",
	 "i1_miss=2 l2_i_miss=2 d1_rd_miss=3 l2_rd_ref=3 l2_rd_miss=3"},
	/* L2 is not inclusive: of 9 lines of a set of 8 the first is still in L1I. */
	{__LINE__, "itanium2", SIM_CACHES,
	 "fetch 0x1000000; loads 0x1008000 0x8000 8; fetch 0x1000000",
	 "i1_miss=1 l2_i_miss=1 l3_i_miss=1 d1_rd_miss=8 l2_rd_ref=8 l2_rd_miss=8 "
	 "l3_rd_miss=8"},
	/* A dirty line leaves L2 and L1D: write-backs of 128 and of 32 bytes. */
	{__LINE__, "r10000", SIM_CACHES,
	 "store 0x1000000 8; load 0x1200000 8; load 0x1400000 8",
	 "d1_wr_miss=1 l2_wr_ref=1 l2_wr_miss=1 st_excl_clean=1 d1_rd_miss=2 l2_rd_ref=2 "
	 "l2_rd_miss=2 d1_wb_qw=2 l2_wb=1 l2_wb_qw=8"},
	/*
	 * A dirty line leaves only L1D; L2 has it dirty already. A store to a clean line.
	 */
	{__LINE__, "r10000", SIM_CACHES,
	 "store 0x1000000 8; load 0x1004000 8; load 0x1008000 8; store 0x1000000 8; "
	 "store 0x1008000 8",
	 "d1_wr_miss=2 l2_wr_ref=2 l2_wr_miss=1 st_excl_clean=2 d1_rd_miss=2 l2_rd_ref=2 "
	 "l2_rd_miss=2 d1_wb_qw=2 d1_upg=1"},
	{__LINE__, "r10000", SIM_CACHES,
	 "prefetch 0x1000000; load 0x1000000 8; prefetchw 0x1000000; store 0x1000000 8",
	 "d1_pf_miss=1 l2_rd_ref=1 l2_rd_miss=1 st_excl_clean=1 d1_upg=1"},
	/* A page that the TLB lacks: the R10000 drops the prefetch, others translate. */
	{__LINE__, "r10000", SIM_CACHES | SIM_TLBS,
	 "prefetch 0x1000000; load 0x1000000 8; prefetch 0x1000080",
	 "dtlb1_miss=1 dtlb_miss=1 d1_rd_miss=1 d1_pf_miss=1 l2_rd_ref=2 l2_rd_miss=2"},
	{__LINE__, "generic", SIM_CACHES | SIM_TLBS,
	 "prefetch 0x1000000; load 0x1000000 8",
	 "dtlb1_miss=1 dtlb_miss=1 d1_pf_miss=1 l2_rd_ref=1 l2_rd_miss=1 l3_rd_miss=1"},
	{__LINE__, "generic", SIM_TLBS, "prefetch 0x1000000", "dtlb1_miss=1 dtlb_miss=1"},
	/* A dirty line leaves L2 for L3, and L3 after 16 other lines of its set. */
	{__LINE__, "generic", SIM_CACHES,
	 "store 0x4000000 8; loads 0x4010000 0x10000 16; loads 0x4200000 0x200000 16",
	 "d1_wr_miss=1 l2_wr_ref=1 l2_wr_miss=1 l3_wr_miss=1 st_excl_clean=1 d1_wb_qw=4 "
	 "d1_rd_miss=32 l2_rd_ref=32 l2_rd_miss=32 l3_rd_miss=32 l2_wb=1 l2_wb_qw=4 "
	 "l3_wb=1"},

	/* L1D lines of two sub-blocks, and an access that needs both. */
	{__LINE__, "ultrasparc2", SIM_CACHES,
	 "load 0x1000000 8; load 0x1000010 8; load 0x1000008 16; load 0x1000028 16",
	 "d1_rd_miss=3 l2_rd_ref=3 l2_rd_miss=1"},
	/* A store merges with the one before in the same 16 bytes. */
	{__LINE__, "ultrasparc2", SIM_CACHES,
	 "store 0x1000000 8; store 0x1000008 8; store 0x1000010 8; store 0x1000000 8; "
	 "store 0x1000038 16",
	 "d1_wr=1 d1_wr_miss=6 l2_wr_ref=5 l2_wr_miss=2 st_excl_clean=2"},
	/* L2 lines of 512 bytes with sub-blocks of 64 are written back as a whole. */
	{__LINE__, "ultrasparc3", SIM_CACHES,
	 "load 0x1000000 8; load 0x1000040 8; store 0x1000040 8; store 0x1000080 8; "
	 "load 0x1400000 8; load 0x1800000 8; load 0x1000000 8",
	 "d1_rd_miss=5 l2_rd_ref=5 l2_rd_miss=5 d1_wr_miss=1 l2_wr_ref=2 l2_wr_miss=1 "
	 "st_excl_clean=1 l2_wb=1 l2_wb_qw=32"},

	/* A clean line that another CPU reads: one intervention, and both share it. */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; cpu 1; load 0x1000000 8; ext 0",
	 "d1_rd_miss=2 l2_rd_ref=2 l2_rd_miss=2 ext_itv=1"},
	/* Then the second CPU stores: the first loses the line and must read it again. */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; cpu 1; load 0x1000000 8; ext 0; clear; store 0x1000000 8; "
	 "ext 0",
	 "d1_upg=1 st_excl_shared=1 ext_inv=1"},
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; cpu 1; load 0x1000000 8; store 0x1000000 8; cpu 0; ext 0; "
	 "clear; load 0x1000000 8; ext 1",
	 "d1_rd_miss=1 l2_rd_ref=1 l2_rd_miss=1 ext_itv=1 d1_wb_qw=2 l2_wb=1 l2_wb_qw=8"},
	/* Another CPU reads a dirty line; the owner of the line counts the costs. */
	{__LINE__, "r10000", SIM_CACHES,
	 "store 0x1000000 8; cpu 1; clear; load 0x1000000 8",
	 "d1_rd_miss=1 l2_rd_ref=1 l2_rd_miss=1"},
	{__LINE__, "r10000", SIM_CACHES,
	 "store 0x1000000 8; cpu 1; load 0x1000000 8; clear; ext 0; ext 1",
	 "ext_itv=1 d1_wb_qw=2 l2_wb=1 l2_wb_qw=8"},
	/* The owner keeps the line, clean: a load hits, a store makes it exclusive. */
	{__LINE__, "r10000", SIM_CACHES,
	 "store 0x1000000 8; cpu 1; load 0x1000000 8; cpu 0; ext 0; clear; "
	 "load 0x1000000 8; store 0x1000000 8; ext 1",
	 "d1_upg=1 st_excl_shared=1 ext_inv=1"},
	/* Another CPU writes a dirty line. */
	{__LINE__, "r10000", SIM_CACHES,
	 "store 0x1000000 8; cpu 1; clear; store 0x1000000 8; ext 0",
	 "d1_wr_miss=1 l2_wr_ref=1 l2_wr_miss=1 st_excl_clean=1 ext_itv=1 d1_wb_qw=2 "
	 "l2_wb=1 l2_wb_qw=8"},
	/* Two CPUs share the line, and a third writes. */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; cpu 1; load 0x1000000 8; cpu 2; ext 0; clear; "
	 "store 0x1000000 8; ext 0; ext 1",
	 "d1_wr_miss=1 l2_wr_ref=1 l2_wr_miss=1 st_excl_clean=1 ext_inv=2"},
	/* A line that was shared, and is now only here: no CPU to invalidate. */
	{__LINE__, "r10000", SIM_CACHES,
	 "load 0x1000000 8; cpu 1; load 0x1000000 8; cpu 0; load 0x1200000 8; "
	 "load 0x1400000 8; cpu 1; ext 0; clear; store 0x1000000 8; ext 0",
	 "d1_upg=1 st_excl_shared=1"},
	/* Another CPU writes to code. */
	{__LINE__, "r10000", SIM_CACHES,
	 "fetch 0x1000000; cpu 1; store 0x1000000 8; cpu 0; ext 0; clear; "
	 "fetch 0x1000000; ext 1",
	 "i1_miss=1 l2_i_miss=1 ext_itv=1 d1_wb_qw=2 l2_wb=1 l2_wb_qw=8"},
	/* Another CPU's write empties L1D also if L2 is not inclusive; L3 is shared. */
	{__LINE__, "itanium2", SIM_CACHES,
	 "load 0x1000000 8; cpu 1; store 0x1000000 8; cpu 0; ext 0; clear; "
	 "load 0x1000000 8; ext 1",
	 "d1_rd_miss=1 l2_rd_ref=1 l2_rd_miss=1 ext_itv=1 l2_wb=1 l2_wb_qw=8"},

	/* An entry maps an even and an odd page of 16 KB, of data and of code. */
	{__LINE__, "r10000", SIM_TLBS,
	 "load 0x1000000 8; load 0x1004000 8; load 0x1008000 8; fetch 0x1004000; "
	 "fetch 0x1010000; load 0x1010000 8",
	 "dtlb1_miss=2 dtlb_miss=2 itlb1_miss=1 itlb_miss=1"},
	/* 64 entries: the oldest is replaced although it was used last. */
	{__LINE__, "r10000", SIM_TLBS,
	 "loads 0x1000000 0x8000 64; load 0x1000000 8; load 0x1200000 8; "
	 "load 0x1000000 8",
	 "dtlb1_miss=66 dtlb_miss=66"},
	/* Two levels, of 4 KB and 16 KB pages; the last load spans two pages. */
	{__LINE__, "itanium2", SIM_TLBS,
	 "load 0x1000000 8; load 0x1001000 8; fetch 0x2000000; fetch 0x2001000; "
	 "load 0x1001ffc 8",
	 "dtlb1_miss=3 dtlb_miss=1 itlb1_miss=2 itlb_miss=1"},

	/* Two bits, at first weakly not taken; the lowest two bits of pc do not count. */
	{__LINE__, "r10000", SIM_BRANCHES,
	 "not 0x1000; taken 0x1000; taken 0x1004; taken 0x1000; not 0x1007; not 0x1000; "
	 "not 0x1000",
	 "br_misp_tk=2 br_misp_nt=2"},
	/* Branches 4 KB apart share one of 512 entries, but none of 2048. */
	{__LINE__, "r10000", SIM_BRANCHES, "taken 0x1000; taken 0x1000; taken 0x2000",
	 "br_misp_tk=1"},
	{__LINE__, "r12000", SIM_BRANCHES, "taken 0x1000; taken 0x1000; taken 0x2000",
	 "br_misp_tk=2"},
	/* 8 bits of history: each of the first 9 branches has a new history and entry. */
	{__LINE__, "itanium2", SIM_BRANCHES,
	 "taken 0x10; taken 0x10; taken 0x10; taken 0x10; taken 0x10; taken 0x10; "
	 "taken 0x10; taken 0x10; taken 0x10; taken 0x10",
	 "br_misp_tk=9"},
	/* A stack of four entries: of five calls the first is lost. */
	{__LINE__, "ultrasparc2", SIM_TARGETS,
	 "call 1; call 2; call 3; call 4; call 5; return 5; return 4; return 3; "
	 "return 2; return 1; call 6; return 7; return 6",
	 "br_misp_ret=3"},
	{__LINE__, "r10000", SIM_TARGETS, "call 1; call 2; return 2; return 1",
	 "br_misp_ret=1"},
	/* A cache of 512 targets; a machine without one. */
	{__LINE__, "ultrasparc2", SIM_TARGETS,
	 "jump 0x1000 0x20; jump 0x1000 0x20; jump 0x1200 0x20; jump 0x1000 0x30; "
	 "jump 0x1001 0x20",
	 "br_misp_ind=3"},
	{__LINE__, "r10000", SIM_TARGETS, "jump 0x1000 0x20; jump 0x1000 0x20",
	 "br_misp_ind=2"},
	/* Parts that are off do not count. */
	{__LINE__, "generic", 0,
	 "load 0x1000000 64; store 0x103c 8; fetch 0; taken 0; jump 0 1; return 1", ""},
};

static void test_traces(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(traces); i++) {
		const char *s = traces[i / 2].trace;
		char text[64];
		int used;

		start(traces[i / 2].machine, traces[i / 2].parts, traces[i / 2].line);
		p.fast = i % 2;
		for (; sscanf(s, "%63[^;]%n", text, &used) == 1; s += *s == ';') {
			operate(text, traces[i / 2].line);
			s += used;
		}
		check(traces[i / 2].counts, traces[i / 2].line);
		pair_close(&p);
	}
}

/* Number of allocations that succeed before one fails. */
static unsigned allocations_left;

static void *alloc_limited(size_t size)
{
	return allocations_left-- ? pair_alloc(size) : (allocations_left = 0, NULL);
}

/* After a failed allocation nothing has changed: CPU 0 runs on and counts. */
static void test_no_memory(void **state)
{
	(void)state;
	memset(&p, 0, sizeof(p));
	allocations_left = 0;
	assert_int_equal(sim_open(&p.model, machines_find("generic"), PAIR_ALL, p.got,
				  alloc_limited, pair_fetched),
			 -1);
	assert_int_equal(sim_open(&p.model, machines_find("generic"), PAIR_ALL, p.got,
				  pair_alloc, pair_fetched),
			 0);
	sim_load(&p.model, BASE, 8);
	p.model.alloc = alloc_limited;
	assert_int_equal(sim_switch_cpu(&p.model, 1), -1);
	sim_load(&p.model, BASE, 8);
	assert_int_equal(p.got[CTR_D1_RD_MISS], 1);
	assert_int_equal(sim_switch_cpu(&p.model, SIM_MAXCPUS), -1);
	pair_close(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_traces),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
