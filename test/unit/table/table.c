#include "table/table.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

typedef unsigned long long ull;

/* The tables in their documented order, and their sizes. */
static const struct {
	int line;
	const char *name, *title;
	unsigned npic, width, n, ngeneric, nattrs;
	int samemode;
} tables[] = {
	{__LINE__, "generic", "Generic events", 32, 64, 104, 0, 0, 0},
	{__LINE__, "linux", "Linux generic hardware events", 32, 64, 21, 0, 0, 0},
	{__LINE__, "software", "Linux software events", 32, 64, 14, 0, 0, 0},
	{__LINE__, "us12", "UltraSPARC I&II", 2, 32, 22, 14, 0, 1},
	{__LINE__, "us3", "UltraSPARC III", 2, 32, 66, 20, 0, 1},
	{__LINE__, "us3plus", "UltraSPARC III+ & IV", 2, 32, 70, 20, 0, 1},
	{__LINE__, "us3i", "UltraSPARC IIIi & IIIi+", 2, 32, 64, 20, 0, 1},
	{__LINE__, "us4plus", "UltraSPARC IV+", 2, 32, 101, 23, 0, 1},
	{__LINE__, "ultrasparc_t1", "UltraSPARC T1", 2, 32, 9, 7, 0, 1},
	{__LINE__, "ultrasparc_t2", "UltraSPARC T2", 2, 32, 39, 14, 1, 1},
	{__LINE__, "sparc64_vi", "SPARC64 VI", 8, 32, 33, 9, 0, 1},
	{__LINE__, "r10000", "MIPS R10000", 2, 32, 32, 0, 0, 0},
	{__LINE__, "r12000", "MIPS R12000", 2, 32, 32, 0, 0, 0},
	{__LINE__, "itanium2", "Itanium 2", 8, 47, 497, 0, 24, 0},
	{__LINE__, "p6", "Pentium Pro with MMX, Pentium II", 2, 40, 78, 31, 6, 0},
	{__LINE__, "p5mmx", "Pentium with MMX", 2, 40, 74, 0, 2, 0},
	{__LINE__, "p4", "Pentium 4", 18, 40, 39, 13, 6, 0},
	{__LINE__, "opteron_k8", "AMD Opteron & Athlon64", 4, 48, 89, 31, 5, 0},
	/* 120 events of the general counters, 3 of the fixed ones */
	{__LINE__, "core2", "Core Microarchitecture", 5, 40, 123, 24, 5, 0},
	{__LINE__, "lwp", "AMD Lightweight Profiling", 7, 26, 7, 0, 0, 0},
};

static void test_order_and_sizes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(tables); i++) {
		const struct evtab *t = evtabs[i];

		if (!t)
			fail_msg("line %d: only %zu tables", tables[i].line, i);
		if (strcmp(t->name, tables[i].name) || strcmp(t->title, tables[i].title))
			fail_msg("line %d: %s \"%s\"", tables[i].line, t->name, t->title);
		if (t->npic != tables[i].npic || t->width != tables[i].width ||
		    t->n != tables[i].n || t->ngeneric != tables[i].ngeneric ||
		    t->nattrs != tables[i].nattrs || t->samemode != tables[i].samemode)
			fail_msg("line %d: %u %u %u %u %u %d", tables[i].line, t->npic,
				 t->width, t->n, t->ngeneric, t->nattrs, t->samemode);
		if (evtab_find(t->name) != t)
			fail_msg("line %d: not found", tables[i].line);
		if (strncmp(t->cpuref, "See ", 4) || strlen(t->cpuref) >= 1024)
			fail_msg("line %d: cpuref \"%s\"", tables[i].line, t->cpuref);
	}
	assert_null(evtabs[COUNT(tables)]);
	assert_null(evtab_find("us"));
	assert_null(evtab_find("US3"));
}

static const struct {
	int line;
	const char *tab, *name, *native, *attr;
	uint64_t val;
} generics[] = {
	{__LINE__, "us12", "PAPI_l2_tca", "EC_ref", NULL, 0},
	{__LINE__, "us4plus", "PAPI_l3_tcm", "L3_miss", NULL, 0},
	{__LINE__, "ultrasparc_t2", "PAPI_tlb_tm", "TLB_miss", NULL, 0},
	{__LINE__, "p6", "PAPI_tot_cyc", "cpu_clk_unhalted", NULL, 0},
	{__LINE__, "p6", "PAPI_l2_tca", "l2_rqsts", "umask", 0xf},
	{__LINE__, "p4", "PAPI_l2_tcm", "BSQ_cache_reference", "emask", 0x500},
	{__LINE__, "opteron_k8", "PAPI_l1_ldm", "DC_refill_from_L2", "umask", 0xe},
	{__LINE__, "core2", "PAPI_tot_cyc", "0x3c", "umask", 0},
	{__LINE__, "core2", "PAPI_l1_dcm", "0xcb", "umask", 1},
};

static void test_generic_spots(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(generics); i++) {
		const struct evgeneric *g =
			evtab_generic(evtab_find(generics[i].tab), generics[i].name);

		if (!g || strcmp(g->native, generics[i].native) ||
		    g->val != generics[i].val || !g->attr != !generics[i].attr ||
		    (g->attr && strcmp(g->attr, generics[i].attr)))
			fail_msg("line %d: %s", generics[i].line, g ? g->native : "none");
	}
	assert_null(evtab_generic(evtab_find("ultrasparc_t1"), "PAPI_tot_cyc"));
}

static const struct {
	int line;
	const char *tab, *name;
	uint64_t max;
	enum evform form;
	int of_set;
	unsigned times;
} attrs[] = {
	{__LINE__, "p5mmx", "noedge", 1, FORM_NUMBER, 0, 1},
	{__LINE__, "p5mmx", "pc", 1, FORM_NUMBER, 0, 1},
	{__LINE__, "p6", "int", 1, FORM_NUMBER, 0, 1},
	{__LINE__, "p6", "cmask", 0xff, FORM_NUMBER, 0, 1},
	{__LINE__, "p4", "threshold", 15, FORM_NUMBER, 0, 1},
	{__LINE__, "p4", "tag", 15, FORM_NUMBER, 0, 1},
	{__LINE__, "p4", "emask", 0xffff, FORM_NUMBER, 0, 1},
	{__LINE__, "opteron_k8", "umask", 0xff, FORM_NUMBER, 0, 1},
	{__LINE__, "opteron_k8", "inv", 1, FORM_NUMBER, 0, 1},
	{__LINE__, "core2", "edge", 1, FORM_NUMBER, 0, 1},
	{__LINE__, "core2", "pc", 1, FORM_NUMBER, 0, 1},
	{__LINE__, "ultrasparc_t2", "emask", 0xff, FORM_NUMBER, 0, 1},
	{__LINE__, "itanium2", "thres", 7, FORM_NUMBER, 0, 1},
	{__LINE__, "itanium2", "opcm8", UINT64_MAX, FORM_OPCODE, 1, 1},
	{__LINE__, "itanium2", "irange", UINT64_MAX, FORM_RANGE, 1, 4},
	{__LINE__, "itanium2", "dear_umask", 15, FORM_NUMBER, 1, 1},
};

static void test_attrs(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(attrs); i++) {
		const struct evattr *a =
			evtab_attr(evtab_find(attrs[i].tab), attrs[i].name);

		if (!a || a->max != attrs[i].max || a->form != attrs[i].form ||
		    a->of_set != attrs[i].of_set || a->times != attrs[i].times)
			fail_msg("line %d: %llu", attrs[i].line, a ? (ull)a->max : 0);
	}
	assert_null(evtab_attr(evtab_find("opteron_k8"), "noedge"));
}

/*
 * A row, and one of its columns. The keys "host" and "sim" stand for the fields hostkey
 * and sim.
 */
static const struct {
	int line;
	const char *tab, *name;
	unsigned num;
	uint64_t pics;
	const char *key, *text; /* text NULL: the row has no such column */
} facts[] = {
	{__LINE__, "us12", "Cycle_cnt", 0, 3, "code1", "0x00"},
	{__LINE__, "us12", "EC_ref", 0xc, 1, "code0", "0x0c"},
	{__LINE__, "us12", "EC_ref", 0xc, 1, "host", "l2_ref"},
	{__LINE__, "us12", "EC_ref", 0xc, 1, "sim", "i1_miss+l2_rd_ref+l2_wr_ref"},
	{__LINE__, "us12", "EC_hit", 0xc, 2, "code0", NULL},
	{__LINE__, "us12", "EC_hit", 0xc, 2, "code1", "0x0c"},
	{__LINE__, "us12", "DC_wr_hit", 0xa, 2, "host", "none"},
	{__LINE__, "us12", "DC_wr_hit", 0xa, 2, "hostnote", "no CPU counts store hits"},
	{__LINE__, "us12", "Dispatch0_FP_use", 3, 2, "sim", NULL},
	{__LINE__, "us3", "EC_snoop_inv", 0xe, 1, "sim", "ext_inv"},
	{__LINE__, "us3", "SI_snoop", 0x11, 1, "host", "snoop"},
	{__LINE__, "us3", "FM_pipe_completion", 0x27, 2, "host", "fp_mul"},
	{__LINE__, "us3plus", "EC_miss_mtag_remote", 0x1b, 3, "code1", "0x28"},
	{__LINE__, "us3plus", "EC_miss_remote", 0x29, 2, "host", NULL},
	{__LINE__, "us3i", "MC_page_close_stall", 0x23, 2, "host", NULL},
	{__LINE__, "us3i", "IC_miss", 8, 2, "host", "i1_miss"},
	{__LINE__, "us4plus", "SW_count_NOP", 0x14, 3, "code1", "0x1c"},
	{__LINE__, "us4plus", "L2L3_snoop_cb_sh", 0x37, 2, "code1", "0x37"},
	{__LINE__, "us4plus", "DTLB_miss", 0x12, 2, "sim", "dtlb_miss"},
	{__LINE__, "ultrasparc_t1", "Instr_cnt", 0, 2, "host", "insn"},
	{__LINE__, "ultrasparc_t1", "L2_dmiss_ld", 7, 1, "host", NULL},
	{__LINE__, "ultrasparc_t2", "TLB_miss", 0xb0c, 3, "emask_valid", "0x0c"},
	{__LINE__, "ultrasparc_t2", "MD5_SHA-1_SHA-256_op", 0x608, 3, "emask_valid",
	 "0x3f"},
	{__LINE__, "sparc64_vi", "cycle_counts", 0, 0xff, "host", "cycles"},
	{__LINE__, "sparc64_vi", "write_if_uTLB", 0x20, 0xa, "host", NULL},
	{__LINE__, "sparc64_vi", "trap_IMMU_miss", 0x16, 0x80, "host", NULL},
	{__LINE__, "r10000", "INST_GRAD1", 17, 2, "sim", "insn+int_muldiv"},
	{__LINE__, "r10000", "L2D_MISS", 26, 2, "hw", "10"},
	{__LINE__, "r10000", "BR_DECODED", 6, 1, "oprofile", "BRANCHES_RESOLVED"},
	{__LINE__, "r10000", "SCACHE_ECC", 8, 1, "host", "none"},
	{__LINE__, "r12000", "PREF_EXECUTED", 16, 2, "hw", "16"},
	{__LINE__, "r12000", "FU_PROGRESS_CYC", 14, 1, "oprofile", NULL},
	{__LINE__, "r12000", "MHT_OCCUPANCY", 4, 1, "sim", "est_fetch+est_load"},
	{__LINE__, "itanium2", "CPU_CYCLES", 0x12, 0xf0, "host", "cycles"},
	{__LINE__, "itanium2", "DATA_EAR_ALAT", 0xc8, 0xf0, "dear", "alat"},
	{__LINE__, "itanium2", "L1I_EAR_TLB_ALL", 0x43, 0xf0, "iear", "tlb"},
	{__LINE__, "itanium2", "BRANCH_EVENT", 0x11, 0xf0, "btb", ""},
	{__LINE__, "itanium2", "L2_OZQ_CANCELS1_REL", 0xac, 0xf0, "cancel_excl", ""},
	{__LINE__, "itanium2", "L1I_PREFETCHES", 0x44, 0xf0, "irange_prefetch", ""},
	{__LINE__, "itanium2", "IA64_INST_RETIRED", 8, 0xf0, "irange_inst_retired", ""},
	{__LINE__, "p6", "flops", 0xc1, 1, "host", "fp_ops"},
	{__LINE__, "p6", "l2_rqsts", 0x2e, 3, "host", NULL},
	{__LINE__, "p5mmx", "taken_br", 0x32, 2, "code1", "0x32"},
	{__LINE__, "p4", "branch_retired", 6, 0x1f000, "escr", "CRU2,CRU3"},
	{__LINE__, "p4", "x87_assist", 3, 0x3f000, "cccr_select", "5"},
	{__LINE__, "p4", "64bit_MMX_uop", 2, 0xf00, "emask_valid", "0x8000"},
	{__LINE__, "opteron_k8", "BU_cpu_clk_unhalted", 0x76, 0xf, "host", "cycles"},
	{__LINE__, "opteron_k8", "NB_ECC_errors", 0xe8, 0xf, "umask_valid", "0x80"},
	{__LINE__, "core2", "inst_retired", 0xc0, 3, "host", "insn"},
	{__LINE__, "core2", "mem_load_retired", 0xcb, 1, "priv", NULL},
	{__LINE__, "core2", "bus_trans_any", 0x70, 3, "priv", "0xa000"},
	{__LINE__, "core2", "cpu_clk_unhalted.core", 0, 8, "fixed", "1"},
	{__LINE__, "generic", "PAPI_l1_dcm", 38, 0xffffffff, "host", "d1_miss"},
	{__LINE__, "generic", "PAPI_bru_idl", 7, 0xffffffff, "sim", NULL},
	{__LINE__, "software", "context-switches", 3, 0xffffffff, "sw", "3"},
	{__LINE__, "software", "cs", 3, 0xffffffff, "sw", "3"},
	{__LINE__, "software", "cgroup-switches", 11, 0xffffffff, "sw", "11"},
	{__LINE__, "lwp", "LwpDME", 4, 0x10, "flag", "4"},
	{__LINE__, "lwp", "LwpINS", 255, 1, "flag", NULL},
};

/* The text of a column or field, "" for a flag, NULL if the row has no such column. */
static const char *row_text(const struct event *ev, const char *key)
{
	if (strcmp(key, "host") == 0)
		return ev->hostkey;
	if (strcmp(key, "sim") == 0)
		return ev->sim;
	const struct evcol *col = evtab_col(ev, key);

	if (!col)
		return NULL;
	if (!col->text)
		return col->num == 1 ? "" : "flag without 1";
	if (isdigit((unsigned char)*col->text) &&
	    strtoull(col->text, NULL, 0) != col->num)
		return "number and text differ";
	return col->text;
}

static void test_facts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(facts); i++) {
		const struct event *ev =
			evtab_name(evtab_find(facts[i].tab), facts[i].name);

		if (!ev)
			fail_msg("line %d: not found", facts[i].line);
		if (ev->num != facts[i].num || ev->pics != facts[i].pics)
			fail_msg("line %d: number %#x, counters %#llx", facts[i].line,
				 ev->num, (ull)ev->pics);

		const char *text = row_text(ev, facts[i].key);
		if (!text != !facts[i].text || (text && strcmp(text, facts[i].text)))
			fail_msg("line %d: %s is %s", facts[i].line, facts[i].key, text);
	}
}

static void test_host_of_keys(void **state)
{
	(void)state;
	const struct event *ev = evtab_name(evtab_find("us3"), "Cycle_cnt");
	assert_string_equal(ev->host, "perf::CYCLES");
	assert_string_equal(ev->unit, "cycles");
	ev = evtab_name(evtab_find("us12"), "EC_wb");
	assert_string_equal(ev->host,
			    "~L2_TRANS:L2_WB|~L2_LINES_OUT:NON_SILENT|~L2D_CACHE_WB");
	ev = evtab_name(evtab_find("us3"), "SI_snoop");
	assert_string_equal(ev->hostkey, "snoop");
	assert_null(ev->unit);
	assert_null(ev->host);
}

static void test_software(void **state)
{
	const struct evtab *t = evtab_find("software");

	(void)state;
	assert_int_equal(t->n, 14);
	for (unsigned i = 0; i < t->n; i++)
		assert_int_equal(evtab_col(&t->ev[i], "sw")->num, t->ev[i].num);
	assert_null(evtab_name(t, "dummy"));
}

static void test_lookups(void **state)
{
	const struct evtab *t = evtab_find("us12");

	(void)state;
	assert_string_equal(evtab_num(t, 0xc)->name, "EC_ref"); /* EC_hit is 0xc too */
	assert_null(evtab_num(t, 0x40));
	assert_null(evtab_name(t, "ec_ref"));
	assert_null(evtab_name(t, "EC_re"));
	assert_null(evtab_generic(t, "EC_ref"));
	assert_null(evtab_col(evtab_name(t, "EC_ref"), "code"));
	assert_null(t->dispatch);
	assert_string_equal(evtab_find("itanium2")->dispatch, "pfm_dispatch_events");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order_and_sizes),
		cmocka_unit_test(test_generic_spots),
		cmocka_unit_test(test_attrs),
		cmocka_unit_test(test_facts),
		cmocka_unit_test(test_host_of_keys),
		cmocka_unit_test(test_software),
		cmocka_unit_test(test_lookups),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
