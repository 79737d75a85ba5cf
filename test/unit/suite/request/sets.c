#include "suite/request/sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cpc/assign.h"
#include "fake_engine.h"

static unsigned nmessages;
static char message[1024];

static void remember(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn;
	(void)subcode;
	nmessages++;
	vsnprintf(message, sizeof message, fmt, ap);
	message[strcspn(message, "\n")] = '\0';
}

static struct sets *make_sets(const char *cpu)
{
	cpc_t *cpc = fake_session(cpu);

	cpc_seterrhndlr(cpc, remember);
	nmessages = 0;
	struct sets *sets = sets_new(cpc);
	assert_non_null(sets);
	return sets;
}

static void free_sets(struct sets *sets)
{
	cpc_t *cpc = sets->cpc;

	sets_free(sets);
	assert_ptr_equal(cpc->owned.next, &cpc->owned);
	assert_int_equal(fake.evsels, 0);
	cpc_close(cpc);
}

static const struct {
	int line;
	const char *cpu, *spec;
	unsigned n;
	struct {
		const char *event;
		unsigned pic, flags;
	} want[4];
} good[] = {
	{__LINE__, "us3", "", 0, {{0}}},
	{__LINE__, "us3", "DC_rd", 1, {{"DC_rd", 0, CPC_COUNT_USER}}},
	{__LINE__,
	 "us3",
	 "Cycle_cnt,EC_misses",
	 2,
	 {{"Cycle_cnt", 0, CPC_COUNT_USER}, {"EC_misses", 1, CPC_COUNT_USER}}},
	/* requests are in the order of the counters, not of the text */
	{__LINE__,
	 "us3",
	 "pic1=Instr_cnt,pic0=Cycle_cnt",
	 2,
	 {{"Cycle_cnt", 0, CPC_COUNT_USER}, {"Instr_cnt", 1, CPC_COUNT_USER}}},
	{__LINE__,
	 "us3",
	 "sys,pic0=DC_rd,pic1=EC_misses,nouser1",
	 2,
	 {{"DC_rd", 0, CPC_COUNT_USER | CPC_COUNT_SYSTEM},
	  {"EC_misses", 1, CPC_COUNT_SYSTEM}}},
	{__LINE__, "us3", "pic1=0", 1, {{"0", 1, CPC_COUNT_USER}}},
	{__LINE__,
	 "opteron_k8",
	 "DC_miss,DC_miss,pic3=DC_access,",
	 3,
	 {{"DC_miss", 0, CPC_COUNT_USER},
	  {"DC_miss", 1, CPC_COUNT_USER},
	  {"DC_access", 3, CPC_COUNT_USER}}},
	{__LINE__,
	 NULL,
	 "task-clock,own_beta,nouser",
	 2,
	 {{"task-clock", 0, 0}, {"own_beta", 1, 0}}},
};

static void parses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct sets *sets = make_sets(good[i].cpu);
		char err[256] = "junk";

		const int rc = sets_add(sets, good[i].spec, err, sizeof err);
		if (rc || *err || sets->n != 1 || sets->member[0].show.n != good[i].n ||
		    strcmp(sets->member[0].show.spec, good[i].spec) != 0)
			fail_msg("line %d: %d, '%s'", good[i].line, rc, err);
		const struct requests *r = sets->member[0].set->reqs;
		assert_int_equal(r->n, good[i].n);
		for (unsigned k = 0; k < r->n; k++) {
			const struct row_set *show = &sets->member[0].show;

			if (strcmp(show->event[k], good[i].want[k].event) != 0 ||
			    show->pic[k] != good[i].want[k].pic ||
			    strcmp(r->req[k].name, good[i].want[k].event) != 0 ||
			    r->req[k].flags != good[i].want[k].flags ||
			    r->req[k].can != UINT64_C(1) << show->pic[k])
				fail_msg("line %d: request %u: %s on %u, flags %#x",
					 good[i].line, k, show->event[k], show->pic[k],
					 r->req[k].flags);
		}
		free_sets(sets);
	}
}

/* Names of the engine have the units of the generic events of Linux. */
static void units(void **state)
{
	static const struct {
		int line;
		const char *cpu, *event, *want;
	} cases[] = {
		{__LINE__, "us3", "Cycle_cnt", "cycles"},
		{__LINE__, "us3", "DC_rd", "1"},
		{__LINE__, "sparc64_vi", "cycle_counts", "cycles"},
		{__LINE__, NULL, "own_alpha", "1"},
		{__LINE__, NULL, "cycles", "cycles"},
		{__LINE__, NULL, "cpu-cycles", "cycles"},
		{__LINE__, NULL, "linux::cycles", "cycles"},
		{__LINE__, NULL, "instructions", "1"},
		{__LINE__, NULL, "perf::CYCLES", "cycles"},
		{__LINE__, NULL, "perf::INSTRUCTIONS", "1"},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sets *sets = make_sets(cases[i].cpu);
		char err[256];

		if (sets_add(sets, cases[i].event, err, sizeof err) == -1)
			fail_msg("line %d: %s", cases[i].line, err);
		if (strcmp(sets->member[0].show.unit[0], cases[i].want) != 0)
			fail_msg("line %d: %s", cases[i].line,
				 sets->member[0].show.unit[0]);
		free_sets(sets);
	}
}

/* The fake engine leaves the modes as they were requested. */
static void modes(void **state)
{
	static const char *const want[] = {"user", "sys", "user+sys", ""};
	struct sets *sets = make_sets(NULL);
	char err[256];

	(void)state;
	assert_int_equal(sets_add(sets,
				  "own_alpha,own_alpha,nouser1,sys1,own_alpha,sys2,own_"
				  "alpha,nouser3",
				  err, sizeof err),
			 0);
	for (unsigned i = 0; i < 4; i++)
		assert_string_equal(sets->member[0].show.mode[i], want[i]);
	free_sets(sets);
}

/* Programs of the kernel divide counts of CPUs among LWPs. */
static void cpus(void **state)
{
	static const struct {
		int line;
		const char *first, *second;
		int want;
	} cases[] = {
		{__LINE__, "own_alpha", "own_alpha,own_trace:one", 1},
		{__LINE__, "own_alpha", "own_alpha,own_alpha,sys1", 0},
		{__LINE__, "own_alpha,nouser,sys", "own_alpha", 0},
		{__LINE__, "own_alpha", "own_trace:one,sys", 1},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sets *sets = make_sets(NULL);
		char err[256];

		if (sets_add(sets, cases[i].first, err, sizeof err) == -1 ||
		    sets_add(sets, cases[i].second, err, sizeof err) == -1)
			fail_msg("line %d: %s", cases[i].line, err);
		if (sets_suit_cpus(sets) != cases[i].want)
			fail_msg("line %d: not %d", cases[i].line, cases[i].want);
		fake.breakpoints = 1;
		assert_int_equal(sets_suit_cpus(sets), 0);
		fake.breakpoints = 0;
		free_sets(sets);
	}
}

/* Requests have their attributes in the order of the text; notes name the real event. */
static void attributes(void **state)
{
	struct sets *sets = make_sets("opteron_k8");
	char err[256];

	(void)state;
	assert_int_equal(sets_add(sets,
				  "DC_miss,edge0,DC_refill_from_L2,umask1=0x1f,cmask=2",
				  err, sizeof err),
			 0);
	const struct request *r = sets->member[0].set->reqs->req;
	assert_int_equal(r[0].nattrs, 2);
	assert_string_equal(r[0].attrs[0].ca_name, "edge");
	assert_int_equal(r[0].attrs[0].ca_val, 1);
	assert_string_equal(r[0].attrs[1].ca_name, "cmask");
	assert_int_equal(r[0].attrs[1].ca_val, 2);
	assert_int_equal(r[1].nattrs, 2);
	assert_string_equal(r[1].attrs[0].ca_name, "umask");
	assert_int_equal(r[1].attrs[0].ca_val, 0x1f);
	assert_string_equal(sets->member[0].show.attrs[0], "edge=1,cmask=2");
	assert_string_equal(sets->member[0].show.attrs[1], "umask=31,cmask=2");
	free_sets(sets);
	sets = make_sets(NULL);
	assert_int_equal(sets_add(sets, "own_alpha,own_beta", err, sizeof err), 0);
	assert_null(sets->member[0].show.note[0]);
	assert_string_equal(sets->member[0].show.attrs[0], "");
	assert_string_equal(sets->member[0].show.note[1], "as ~own_beta");
	free_sets(sets);
}

static const struct {
	int line;
	const char *cpu, *spec, *err; /* the whole message */
} bad[] = {
	{__LINE__, "us3", "DC_rd,DC_wrr",
	 "bad token 'DC_wrr' (column 7); did you mean 'DC_wr' or 'DC_rd'?\n"
	 "\tDC_rd,DC_wrr\n"
	 "\t      ^"},
	{__LINE__, "us3", "qqqqqqqqqqqq",
	 "bad token 'qqqqqqqqqqqq' (column 1)\n"
	 "\tqqqqqqqqqqqq\n"
	 "\t^"},
	/* The message has only the part around the mistake if the text is long. */
	{__LINE__, "us3",
	 "nouser,nouser,nouser,nouser,nouser,nouser,nouser,nouser,nous"
	 "er,nouser,nouser,nouser,qqqqqqqqqqqq,sys,sys,sys,sys,sys,sys"
	 ",sys,sys,sys,sys,sys,sys,sys,sys,sys,sys,sys,sys,sys,sys,Instr_cnt",
	 "bad token 'qqqqqqqqqqqq' (column 85)\n"
	 "\t...user,nouser,nouser,nouser,nouser,nouser,nouser,"
	 "qqqqqqqqqqqq,sys,sys,sys,...\n"
	 "\t                                                  ^"},
	{__LINE__, "us3", "pic0=DC_rdd",
	 "pic0 cannot measure event 'DC_rdd' on this cpu (column 6); did you mean "
	 "'DC_rd'?\n"
	 "\tpic0=DC_rdd\n"
	 "\t     ^"},
	{__LINE__, "us3", "pic1=DC_rd",
	 "pic1 cannot measure event 'DC_rd' on this cpu; the event can be counted on "
	 "pic0 (column 6)\n"
	 "\tpic1=DC_rd\n"
	 "\t     ^"},
	{__LINE__, "us3", "DC_rd,pic0=Cycle_cnt",
	 "repeated 'pic0' token; pic0 already counts 'DC_rd' (column 7)\n"
	 "\tDC_rd,pic0=Cycle_cnt\n"
	 "\t      ^"},
	{__LINE__, "us3", "pic0=",
	 "missing 'pic0' value (column 1)\n"
	 "\tpic0=\n"
	 "\t^"},
	{__LINE__, "us3", "pic1=Cycle_cnt,Instr_cnt",
	 "bad token 'Instr_cnt'; only pic0 and pic1 can count it, and "
	 "an event without picN= goes above all used counters: write pic0=Instr_cnt "
	 "(column 16)\n"
	 "\tpic1=Cycle_cnt,Instr_cnt\n"
	 "\t               ^"},
	{__LINE__, "us3", "DC_rd,DC_wr",
	 "bad token 'DC_wr'; only pic0 can count it, and pic0 "
	 "already counts 'DC_rd' (column 7)\n"
	 "\tDC_rd,DC_wr\n"
	 "\t      ^"},
	{__LINE__, "us3", "pic2=DC_rd",
	 "bad token 'pic2=DC_rd'; counters are numbered from 0 to 1 (column 1)\n"
	 "\tpic2=DC_rd\n"
	 "\t^"},
	{__LINE__, "us3", "DC_rd,picnum=0",
	 "bad token 'picnum=0'; write picN=event to choose a counter (column 7)\n"
	 "\tDC_rd,picnum=0\n"
	 "\t      ^"},
	{__LINE__, "us3", "DC_rd=3",
	 "bad token 'DC_rd=3'; 'DC_rd' is an event and takes no value (column 1)\n"
	 "\tDC_rd=3\n"
	 "\t^"},
	{__LINE__, "us3", "DC_rd,,",
	 "bad token '' (column 7)\n"
	 "\tDC_rd,,\n"
	 "\t      ^"},
	{__LINE__, "opteron_k8", "DC_miss,umask=x",
	 "invalid value 'x' for attribute 'umask' (column 15)\n"
	 "\tDC_miss,umask=x\n"
	 "\t              ^"},
	{__LINE__, "opteron_k8", "DC_miss,umask=",
	 "invalid value '' for attribute 'umask' (column 15)\n"
	 "\tDC_miss,umask=\n"
	 "\t              ^"},
	{__LINE__, "opteron_k8", "DC_miss,edge,edge0",
	 "attribute 'edge' is given twice for pic0 (column 14)\n"
	 "\tDC_miss,edge,edge0\n"
	 "\t             ^"},
	{__LINE__, NULL, "own_alpha,owm_beta",
	 "bad token 'owm_beta' (column 11); did you mean 'own_beta'?\n"
	 "\town_alpha,owm_beta\n"
	 "\t          ^"},
	{__LINE__, NULL, "own_pmu/a,b",
	 "there is no closing '/' in 'own_pmu/a,b' (column 8)\n"
	 "\town_pmu/a,b\n"
	 "\t       ^"},
};

/* A message, the specification, and a caret under the mistake; no set is added. */
static void explains(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct sets *sets = make_sets(bad[i].cpu);
		char err[1024] = "", small[20];

		errno = 0;
		const int rc = sets_add(sets, bad[i].spec, err, sizeof err);
		if (rc != -1 || errno != EINVAL || strcmp(err, bad[i].err) != 0 ||
		    nmessages || sets->n)
			fail_msg("line %d: %d, errno %d: %s", bad[i].line, rc, errno,
				 err);
		assert_int_equal(sets_add(sets, bad[i].spec, small, sizeof small), -1);
		assert_memory_equal(small, bad[i].err, sizeof small - 1);
		assert_int_equal(strlen(small), sizeof small - 1);
		free_sets(sets);
	}
}

/* The session's handler receives the message if a valid event cannot be counted. */
static void refused(void **state)
{
	struct sets *sets = make_sets(NULL);
	char err[256] = "junk";

	(void)state;
	assert_int_equal(sets_add(sets, "own_alpha", err, sizeof err), 0);
	errno = 0;
	assert_int_equal(sets_add(sets, "own_beta,refused", err, sizeof err), -1);
	assert_int_equal(errno, ENOENT);
	assert_string_equal(err, "");
	assert_int_equal(nmessages, 1);
	assert_string_equal(message, "refused: not here, look elsewhere");
	assert_int_equal(sets->n, 1);
	assert_int_equal(fake.evsels, 1);
	free_sets(sets);
	sets = make_sets("opteron_k8");
	errno = 0;
	assert_int_equal(sets_add(sets, "DC_miss,cmask=256", err, sizeof err), -1);
	assert_int_equal(errno, EINVAL);
	assert_string_equal(err, "");
	assert_string_equal(message, "Attribute out of range: cmask");
	free_sets(sets);
}

/*
 * Itanium 2: its rules assign the counters. Events that cannot be counted together are
 * refused when the set is bound.
 */
static const struct {
	int line;
	const char *spec;
	const char *pics; /* events and counters in order, or the message of binding */
} ruled[] = {
	{__LINE__, "CPU_CYCLES,NOPS_RETIRED", "CPU_CYCLES=4 NOPS_RETIRED=5 "},
	{__LINE__, "LOADS_RETIRED", "LOADS_RETIRED=5 "},
	{__LINE__, "L1D_READ_MISSES_ALL,L2_REFERENCES",
	 "L2_REFERENCES=4 L1D_READ_MISSES_ALL=5 "},
	{__LINE__, "CPU_CYCLES,L2_REFERENCES,NOPS_RETIRED",
	 "L2_REFERENCES=4 CPU_CYCLES=5 NOPS_RETIRED=6 "},
	{__LINE__, "pic7=CPU_CYCLES,L3_MISSES,L2_FORCE_RECIRC_ANY",
	 "L2_FORCE_RECIRC_ANY=4 L3_MISSES=5 CPU_CYCLES=7 "},
	{__LINE__, "pic6=L1D_READ_MISSES_ALL,L1D_READ_MISSES_RSE_FILL",
	 "L1D_READ_MISSES_RSE_FILL=5 L1D_READ_MISSES_ALL=6 "},
	{__LINE__, "L1D_READ_MISSES_ALL,CPU_CYCLES,LOADS_RETIRED",
	 "Hardware resource unavailable: L1D_READ_MISSES_ALL (group L1D, set 1) and "
	 "LOADS_RETIRED (set 3): events of one group can be counted together only if "
	 "they are of one set"},
	{__LINE__, "L2_FORCE_RECIRC_ANY,L2_FORCE_RECIRC_L1W",
	 "Hardware resource unavailable: L2_FORCE_RECIRC_ANY and L2_FORCE_RECIRC_L1W: "
	 "each can be counted only on counter 4"},
};

static void by_rules(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof ruled / sizeof ruled[0]; i++) {
		struct sets *sets = make_sets("itanium2");
		char err[256], got[sizeof message] = "";

		if (sets_add(sets, ruled[i].spec, err, sizeof err) == -1)
			fail_msg("line %d: %s", ruled[i].line, err);
		const struct requests *r = sets->member[0].set->reqs;
		if (assign_counters(sets->cpc, "test", sets->member[0].set) == -1)
			snprintf(got, sizeof got, "%s", message);
		for (unsigned k = 0; r->assigned && k < r->n; k++) {
			assert_int_equal(r->req[k].pic, sets->member[0].show.pic[k]);
			snprintf(got + strlen(got), sizeof got - strlen(got), "%s=%u ",
				 r->req[k].name, r->req[k].pic);
		}
		if (strcmp(got, ruled[i].pics) != 0 || nmessages == (unsigned)r->assigned)
			fail_msg("line %d: %s", ruled[i].line, got);
		free_sets(sets);
	}
}

/* Attributes of the whole set go to all requests. */
static void set_attributes(void **state)
{
	struct sets *sets = make_sets("itanium2");
	char err[512];

	(void)state;
	assert_int_equal(sets_add(sets,
				  "CPU_CYCLES,irange=0x10-0x20,thres5=3,NOPS_RETIRED,"
				  "irange=0x30-0x40,opcm8=m:1:0",
				  err, sizeof err),
			 0);
	const struct request *r = sets->member[0].set->reqs->req;
	const uint64_t want[] = {0x10, 0x20, 0x30, 0x40};
	for (unsigned i = 0; i < 2; i++) {
		unsigned n = 0, opcm8 = 0;

		for (unsigned k = 0; k < r[i].nattrs; k++) {
			const cpc_attr_t *a = &r[i].attrs[k];

			if (strcmp(a->ca_name, "irange") == 0)
				assert_int_equal(a->ca_val, want[n++]);
			if (strcmp(a->ca_name, "opcm8") == 0)
				opcm8 += a->ca_val == UINT64_C(0x8000000200000000);
			if (strcmp(a->ca_name, "thres") == 0)
				assert_int_equal(a->ca_val, i ? 3 : 0);
		}
		assert_int_equal(n, 4);
		assert_int_equal(opcm8, 1);
		assert_int_equal(r[i].nattrs, 5 + i);
	}
	assert_int_equal(sets_add(sets, "CPU_CYCLES,inv4", err, sizeof err), -1);
	assert_string_equal(
		err, "bad token 'inv4'; attribute 'inv' applies to the whole set and "
		     "takes no counter number (column 12)\n"
		     "\tCPU_CYCLES,inv4\n"
		     "\t           ^");
	assert_int_equal(sets_add(sets, "CPU_CYCLES,plm=16", err, sizeof err), -1);
	assert_string_equal(message, "Attribute out of range: plm");
	free_sets(sets);
}

/* Sets stay in the order of the options. */
static void keeps_order(void **state)
{
	static const char *const specs[] = {"DC_rd", "EC_misses", "", "DC_rd",
					    "Cycle_cnt,Instr_cnt"};
	struct sets *sets = make_sets("us3");
	char err[256];

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(sets_add(sets, specs[i], err, sizeof err), 0);
	assert_int_equal(sets->n, 5);
	for (unsigned i = 0; i < 5; i++)
		assert_string_equal(sets->member[i].show.spec, specs[i]);
	free_sets(sets);
	sets_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parses),	  cmocka_unit_test(modes),
		cmocka_unit_test(units),	  cmocka_unit_test(attributes),
		cmocka_unit_test(explains),	  cmocka_unit_test(refused),
		cmocka_unit_test(keeps_order),	  cmocka_unit_test(by_rules),
		cmocka_unit_test(set_attributes), cmocka_unit_test(cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
