#include "suite/explain/explain.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

/* The last error that the error handler got. */
static char handled[1024];

static void store_error(const char *fn, int subcode, const char *fmt, va_list ap)
{
	(void)fn;
	(void)subcode;
	vsnprintf(handled, sizeof handled, fmt, ap);
	handled[strcspn(handled, "\n")] = '\0';
}

static int explain(const char *cpu, const char *engine, const char *spec,
		   enum text_format format, char **text, int *works, char err[4096])
{
	const char *const one[] = {spec};
	const struct explain_options options = {
		.choice = {.cpu = cpu, .engine = engine, .nspecs = 1, .spec = one},
		.format = format};

	handled[0] = '\0';
	return explain_sets(&options, store_error, text, works, err, 4096);
}

/* Register values, worked out by hand from the manuals of the processors. */
static const struct {
	int line;
	const char *cpu, *spec;
	const char *has[3]; /* parts of the text */
} words[] = {
	/* hwperf_spec: event << 5 | IE << 4 | U 8, S 4, K 2, EXL 1 */
	{__LINE__, "r10000", "FP_GRAD", {"pic1 FP_GRAD", "control1 = 0xa8\n"}},
	{__LINE__, "r10000", "CYCLES0,sys,nouser", {"control0 = 0x7\n", "U=0 S=1"}},
	{__LINE__, "r10000", "31", {"control1 = 0x1e8\n"}},
	{__LINE__, "r12000", "PREF_EXECUTED", {"control1 = 0x208\n"}},
	/* %pcr: PRIV 1, ST 2, UT 4, selects at 4 and 11; SW_count_1 is 0x1c */
	{__LINE__, "us12", "EC_ref,pic1=EC_hit", {"%pcr = 0x60c4\n"}},
	{__LINE__, "us12", "Cycle_cnt,Instr_cnt,sys", {"%pcr = 0x806\n"}},
	{__LINE__, "us3", "EC_ref", {"%pcr = 0xe0c4\n", "SU=0x1c (parked)"}},
	{__LINE__,
	 "us3",
	 "pic1=Cycle_cnt,nouser,sys",
	 {"%pcr = 0x142\n", "SL=0x14 (parked)"}},
	{__LINE__, "us4plus", "SW_count_NOP", {"%pcr = 0xe144\n"}},
	{__LINE__, "ultrasparc_t1", "DTLB_miss,Instr_cnt", {"%pcr = 0x54\n"}},
	{__LINE__,
	 "ultrasparc_t2",
	 "IC_miss,emask=0x32",
	 {"MASK0=0x33 SL0=3", "%pcr = 0xccc4\n"}},
	{__LINE__, "ultrasparc_t2", "pic1=Instr_cnt", {"%pcr = 0x17e80004\n"}},
	{__LINE__,
	 "sparc64_vi",
	 "pic3=trap_int_level",
	 {"%pcr = 0x4b004\n", "SU=0x16 SC=1"}},
	/* branch_retired needs ESCR CRU2, which serves counters 12, 13 and 16 */
	{__LINE__,
	 "p4",
	 "branch_retired,emask=0xf",
	 {"IQ_COUNTER0 (MSR 0x30c)\n", "ESCR CRU2 (MSR 0x3cc) = 0xc001e04\n",
	  "CCCR of IQ_COUNTER0 (MSR 0x36c) = 0x3b000\n"}},
	{__LINE__,
	 "p4",
	 "pic14=instr_retired,emask=1,tag=5,edge,compare,threshold=3,sys",
	 {"ESCR CRU1 (MSR 0x3b9) = 0x40002bc\n", "(MSR 0x36e) = 0x1379000\n"}},
	{__LINE__, "p4", "PAPI_tot_cyc", {"ESCR FSB0 (MSR 0x3a2) = 0xa000204\n"}},
	{__LINE__,
	 "opteron_k8",
	 "pic3=DC_access",
	 {"PERFEVTSEL3 (MSR 0xc0010003) = 0x410040\n"}},
	{__LINE__, "opteron_k8", "PAPI_l1_ldm,sys", {"(MSR 0xc0010000) = 0x430e42\n"}},
	{__LINE__,
	 "opteron_k8",
	 "DC_access,edge,inv,cmask=2,pc",
	 {"(MSR 0xc0010000) = 0x2cd0040\n", "PERFCTR0 (MSR 0xc0010004)\n"}},
	{__LINE__,
	 "p5mmx",
	 "pic1=data_write,noedge",
	 {"CESR (MSR 0x11) = 0x1810000\n", "CTR1 (MSR 0x13)"}},
	{__LINE__, "p6", "flops", {"PerfEvtSel0 (MSR 0x186) = 0x4500c1\n"}},
	{__LINE__,
	 "p6",
	 "pic1=l2_ld,umask=0xf,noedge,int",
	 {"PerfEvtSel1 (MSR 0x187) = 0x110f29\n",
	  "PerfEvtSel0 (MSR 0x186) = 0x400000\n"}},
	{__LINE__,
	 "core2",
	 "br_inst_retired,umask=0xc,pic3=cpu_clk_unhalted.core,sys3",
	 {"IA32_PERFEVTSEL0 (MSR 0x186) = 0x410cc4\n", "(MSR 0x38d) = 0x30\n",
	  "(MSR 0x38f) = 0x200000001\n"}},
	{__LINE__, "core2", "PAPI_br_ins", {"= 0x410cc4\n"}},
	{__LINE__,
	 "lwp",
	 "LwpDME",
	 {"LWPCB.Flags (LWPCB offset 0x0) = 0x10\n", "EventInterval4\n"}},
	{__LINE__,
	 "lwp",
	 "LwpINS",
	 {"pic0 LwpINS", "LWPCB.Flags (LWPCB offset 0x0) = 0x0\n"}},
	{__LINE__, "itanium2", "CPU_CYCLES", {"pic4 CPU_CYCLES", "PMC4 = 0x1228\n"}},
	{__LINE__, "itanium2", "CPU_CYCLES,sys", {"PMC4 = 0x1229\n"}},
	{__LINE__, "itanium2", "LOADS_RETIRED", {"PMC5 = 0xcd28\n"}},
	{__LINE__,
	 "itanium2",
	 "DATA_EAR_TLB_ALL",
	 {"PMC4 = 0xc828\n", "PMC11 = 0xe0088\n", "PMC12 = 0x0\n"}},
	{__LINE__,
	 "itanium2",
	 "IA64_INST_RETIRED,irange=0x1000-0x1590",
	 {"PMC14 = 0x2d34\n", "IBR1 = 0x8fffffffffff000\n", "before=0 after=0x10\n"}},
};

static void test_words(void **state)
{
	char err[4096], *text;
	int works;

	(void)state;
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		if (explain(words[i].cpu, NULL, words[i].spec, TEXT_PLAIN, &text, &works,
			    err) ||
		    !works)
			fail_msg("line %d: %s%s%s", words[i].line, err, handled,
				 text ? text : "");
		for (unsigned k = 0; k < 3 && words[i].has[k]; k++)
			if (!strstr(text, words[i].has[k]))
				fail_msg("line %d: no '%s' in\n%s", words[i].line,
					 words[i].has[k], text);
		free(text);
	}
}

/* Returns 1 if this process may count context switches, which happen in system mode. */
static int may_count_switches(void)
{
	struct perf_event_attr attr = {.type = PERF_TYPE_SOFTWARE,
				       .size = sizeof attr,
				       .config = PERF_COUNT_SW_CONTEXT_SWITCHES,
				       .disabled = 1};
	const int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd == -1)
		return 0;
	close(fd);
	return 1;
}

/*
 * The attributes of an event are shown whether or not this process may count the event.
 */
static void test_software(void **state)
{
	const int may = may_count_switches();
	char err[4096], *text;
	int works;

	(void)state;
	assert_int_equal(explain("software", NULL, "cs", TEXT_PLAIN, &text, &works, err),
			 0);
	assert_non_null(strstr(text, "type=1 (PERF_TYPE_SOFTWARE) config=3 "));
	assert_non_null(strstr(text, "exclude_kernel=0"));
	assert_int_equal(works, may);
	assert_non_null(strstr(text, may ? "values: exact" : "cannot be counted: cs: "));
	free(text);
}

static const struct {
	int line;
	const char *cpu, *spec, *why;
} clashes[] = {
	{__LINE__, "us3", "EC_ref,DC_rd",
	 "EC_ref and DC_rd can both be counted only on counter 0"},
	{__LINE__, "us3", "EC_ref,sys0,Cycle_cnt",
	 "EC_ref and Cycle_cnt must count the same modes on UltraSPARC III"},
	{__LINE__, "r10000", "0,1", "0 and 1 can both be counted only on counter 0"},
	{__LINE__, "us12", "Cycle_cnt,Instr_cnt,Cycle_cnt",
	 "Cycle_cnt, Instr_cnt and Cycle_cnt can be counted only on counters 0 and 1"},
	{__LINE__, "p4", "pic12=machine_clear,pic13=front_end_event",
	 "machine_clear and front_end_event need the same ESCR (CRU2)"},
	{__LINE__, "lwp", "LwpIRE,sys", "LWP counts only user mode"},
	{__LINE__, "us3", "", "the set has no events"},
	{__LINE__, "itanium2", "L1D_READ_MISSES_ALL,L1D_READS_SET0",
	 "L1D_READ_MISSES_ALL (group L1D, set 1) and L1D_READS_SET0 (set 0): events of "
	 "one group can be counted together only if they are of one set"},
	{__LINE__, "itanium2", "CPU_CYCLES,irange=0x1000-0x1590",
	 "CPU_CYCLES cannot be restricted to ranges of code (irange)"},
	{__LINE__, "itanium2", "CPU_CYCLES,drange=0x1000-0x1590",
	 "CPU_CYCLES cannot be restricted to ranges of data (drange)"},
	{__LINE__, "itanium2", "CPU_CYCLES,opcm8=1",
	 "CPU_CYCLES cannot be restricted to opcodes (opcm8, opcm9)"},
	{__LINE__, "itanium2", "IA64_INST_RETIRED,LOADS_RETIRED,opcm9=1",
	 "LOADS_RETIRED is not IA64_INST_RETIRED, the only event that opcm9 can "
	 "restrict"},
	{__LINE__, "itanium2", "BRANCH_EVENT,DATA_EAR_TLB_ALL",
	 "DATA_EAR_TLB_ALL and BRANCH_EVENT: the data EAR in TLB or ALAT mode"},
	{__LINE__, "itanium2", "CPU_CYCLES,dear_mode=1,btb_tm=1",
	 "dear_mode and btb_*: the data EAR in TLB or ALAT mode"},
	{__LINE__, "itanium2", "IA64_INST_RETIRED,irange=0x1001-0x1590",
	 "irange: start and end must be multiples of 16, the size of a bundle"},
	{__LINE__, "itanium2", "IA64_INST_RETIRED,irange=0x1000-0x1590,fine=0",
	 "irange: each pair of debug registers"},
	{__LINE__, "itanium2",
	 "NOPS_RETIRED,irange=0x1ffffffffffffff0-0x2000000000000010",
	 "irange: the range is too large for one pair of debug registers"},
	{__LINE__, "itanium2", "NOPS_RETIRED,irange=0x1000-0x1020,irange=0x5000-0x7000",
	 "irange: too many ranges: events other than IA64_INST_RETIRED allow at most "
	 "one"},
	{__LINE__, "itanium2",
	 "IA64_INST_RETIRED,irange=0x10-0xfffff0,irange=0x2000000-0x3000000",
	 "irange: the four pairs of instruction debug registers cannot cover these "
	 "ranges"},
	{__LINE__, "itanium2",
	 "LOADS_RETIRED,drange=0x10-0xfffff0,drange=0x2000000-0x3000000",
	 "drange: the four pairs of data debug registers cannot cover these ranges"},
	{__LINE__, "itanium2", "IA64_INST_RETIRED,irange=0x1000-0x1590,opcm9=1",
	 "opcm9 with 1 and 3, but the ranges use others"},
	{__LINE__, "itanium2", "L1I_PREFETCHES,NOPS_RETIRED,irange=0x1000-0x3000",
	 "code only if the other events are IA64_INST_RETIRED"},
	{__LINE__, "itanium2", "LOADS_RETIRED,sys4,NOPS_RETIRED,irange=0x1000-0x3000",
	 "LOADS_RETIRED has privilege levels of its own, but ranges apply to one "
	 "choice of levels only"},
	{__LINE__, "itanium2", "IA64_INST_RETIRED,irange=0x1000-0x2000,fine",
	 "fine: start and end of each irange must be in one page"},
};

static void test_clashes(void **state)
{
	char err[4096], *text;
	int works;

	(void)state;
	for (size_t i = 0; i < sizeof clashes / sizeof clashes[0]; i++) {
		if (explain(clashes[i].cpu, NULL, clashes[i].spec, TEXT_PLAIN, &text,
			    &works, err))
			fail_msg("line %d: %s%s", clashes[i].line, err, handled);
		if (works || !strstr(text, clashes[i].why))
			fail_msg("line %d: works %d, no '%s' in\n%s", clashes[i].line,
				 works, clashes[i].why, text);
		free(text);
	}
}

static const struct {
	int line;
	const char *cpu, *engine, *spec;
	int error;
	const char *err, *handled;
} bad[] = {
	{__LINE__, "us3", NULL, "EC_rex", EINVAL, "bad token 'EC_rex' (column 1)", ""},
	{__LINE__, "us3", NULL, "pic1=EC_ref", EINVAL,
	 "pic1 cannot measure event 'EC_ref'", ""},
	/* these can be counted if the specification names the counters */
	{__LINE__, "us3", NULL, "DC_rd_miss,EC_ref", EINVAL, "write pic0=EC_ref", ""},
	{__LINE__, "opteron_k8", NULL, "DC_access,umask=1", EINVAL, "",
	 "takes only bits of 0"},
	/* an ESCR is missing, not a counter: reported once each event has its counter */
	{__LINE__, "p4", NULL, "pic17=machine_clear,pic16=front_end_event,replay_event",
	 EINVAL, "write pic12=replay_event", ""},
	{__LINE__, NULL, "kernel", "no_such_event", EINVAL, "bad token 'no_such_event'",
	 ""},
	{__LINE__, NULL, "kernel", "cycles:nosuch", EINVAL, "", "cycles:nosuch"},
	{__LINE__, "none", NULL, "cycles", ENODEV, "no event table is named 'none'", ""},
	{__LINE__, "us3", "none", "EC_ref", ENODEV,
	 "no engine is named 'none'; the engines are auto, kernel and sim", ""},
	{__LINE__, NULL, "none", "cs", ENODEV,
	 "no engine is named 'none'; the engines are auto, kernel and sim", ""},
};

static void test_bad(void **state)
{
	char err[4096], *text;
	int works;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const int rc = explain(bad[i].cpu, bad[i].engine, bad[i].spec, TEXT_PLAIN,
				       &text, &works, err);
		const int e = errno;

		if (rc != -1 || e != bad[i].error || text || !strstr(err, bad[i].err) ||
		    !strstr(handled, bad[i].handled))
			fail_msg("line %d: %d, errno %d, err '%s', got '%s', text '%s'",
				 bad[i].line, rc, e, err, handled, text ? text : "");
	}
}

/* A named engine is queried, whether or not the processor has registers. */
static void test_engines(void **state)
{
	char err[4096], *text;
	int works;

	(void)state;
	assert_int_equal(
		explain("r10000", "sim", "INST_GRAD0", TEXT_PLAIN, &text, &works, err),
		0);
	assert_non_null(strstr(text, "control0 = 0x1e8\n"));
	assert_non_null(strstr(text, "model: insn+int_muldiv\n"));
	assert_non_null(strstr(text, "engine sim"));
	free(text);
	assert_int_equal(explain("us12", "kernel", "EC_wb,pic0=EC_ref,sys", TEXT_PLAIN,
				 &text, &works, err),
			 0);
	assert_non_null(strstr(text, "%pcr = "));
	assert_non_null(strstr(text, "engine kernel"));
	free(text);
	assert_int_equal(explain(NULL, "sim", "insn,sys", TEXT_PLAIN, &text, &works, err),
			 0);
	assert_int_equal(works, 0);
	assert_non_null(
		strstr(text, "cannot be counted: insn: the simulation sees user"));
	free(text);
	assert_int_equal(
		explain(NULL, NULL, "mem:0x1000/8:w", TEXT_PLAIN, &text, &works, err), 0);
	assert_non_null(strstr(text, "bp_addr=0x1000 bp_len=8"));
	free(text);
}

/* The line of the text that says where the registers of a processor are documented. */
static const struct {
	int line;
	const char *cpu, *spec, *source; /* NULL: no registers */
} sources[] = {
	{__LINE__, "r10000", "0", "r10k_evcntrs(5), The Control Registers; MIPS R10000"},
	{__LINE__, "r12000", "0", "r10k_evcntrs(5), The Control Registers, with 5 bits"},
	{__LINE__, "us12", "EC_ref", "OpenSolaris kernel module us234_pcbe"},
	{__LINE__, "us3", "EC_ref", "OpenSolaris kernel module us234_pcbe"},
	{__LINE__, "us3plus", "EC_ref", "OpenSolaris kernel module us234_pcbe"},
	{__LINE__, "us3i", "EC_ref", "OpenSolaris kernel module us234_pcbe"},
	{__LINE__, "us4plus", "Cycle_cnt", "OpenSolaris kernel module us234_pcbe"},
	{__LINE__, "ultrasparc_t1", "IC_miss", "from memory; the width of SL"},
	{__LINE__, "ultrasparc_t2", "IC_miss", "from memory"},
	{__LINE__, "sparc64_vi", "cycle_counts", "from memory"},
	{__LINE__, "p5mmx", "data_read", "from memory"},
	{__LINE__, "p6", "flops", "from memory"},
	{__LINE__, "p4", "branch_retired", "from memory; addresses, ESCR selects"},
	{__LINE__, "core2", "baclears", "from memory"},
	{__LINE__, "opteron_k8", "DC_access", "from memory; the addresses from"},
	{__LINE__, "lwp", "LwpIRE", "AMD64 Technology, Lightweight Profiling"},
	{__LINE__, "itanium2", "CPU_CYCLES", "libpfm 3.10, pfmlib_itanium2"},
	/* also for a set that cannot be programmed */
	{__LINE__, "us3", "EC_ref,DC_rd", "OpenSolaris kernel module us234_pcbe"},
	{__LINE__, "software", "cs", NULL},
	{__LINE__, NULL, "cs", NULL},
};

static json_t *load(const char *cpu, const char *spec)
{
	char err[4096], *text;
	json_error_t e;
	int works;

	assert_int_equal(explain(cpu, NULL, spec, TEXT_JSON, &text, &works, err), 0);
	json_t *j = json_loads(text, 0, &e);
	if (!j)
		fail_msg("%s: %s", e.text, text);
	assert_int_equal(json_boolean_value(json_object_get(j, "programmed")), works);
	free(text);
	return j;
}

static void test_json(void **state)
{
	json_t *j = load("opteron_k8", "DC_access,sys");
	const json_t *r = json_array_get(json_object_get(j, "requests"), 0);
	const json_t *item = json_array_get(json_object_get(r, "items"), 1);

	(void)state;
	assert_int_equal(json_integer_value(json_object_get(j, "schema")), 1);
	assert_string_equal(json_string_value(json_object_get(item, "name")),
			    "PERFEVTSEL0");
	assert_string_equal(json_string_value(json_object_get(item, "address")),
			    "0xc0010000");
	assert_string_equal(json_string_value(json_object_get(item, "value")),
			    "0x430040");
	item = json_object_get(item, "fields");
	assert_int_equal(json_integer_value(json_object_get(item, "event")), 0x40);
	assert_true(json_is_null(json_object_get(j, "reason")));
	json_decref(j);

	j = load("itanium2",
		 "LOADS_RETIRED,drange=0x600000000001c000-0x6000000000024000");
	item = json_array_get(json_object_get(j, "shared"), 2);
	assert_string_equal(json_string_value(json_object_get(item, "name")), "DBR0");
	item = json_object_get(json_object_get(item, "fields"), "addr");
	assert_string_equal(json_string_value(item), "0x6000000000020000");
	json_decref(j);

	j = load("us3", "EC_ref,DC_rd");
	assert_string_equal(json_string_value(json_object_get(j, "reason")),
			    "EC_ref and DC_rd can both be counted only on counter 0");
	json_decref(j);
}

static void test_sources(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
		char err[4096], *text, line[128];
		int works;
		json_t *j = load(sources[i].cpu, sources[i].spec);
		const json_t *member = json_object_get(j, "source");
		const char *source = json_string_value(member), *want = sources[i].source;

		if (want ? !source || strncmp(source, want, strlen(want)) != 0
			 : !json_is_null(member))
			fail_msg("line %d: %s", sources[i].line, source);
		assert_int_equal(explain(sources[i].cpu, NULL, sources[i].spec,
					 TEXT_PLAIN, &text, &works, err),
				 0);
		snprintf(line, sizeof line, "\n  register layout: %s\n",
			 source ? source : "");
		if (want ? !strstr(text, line) : strstr(text, "register layout") != NULL)
			fail_msg("line %d: no '%s' in\n%s", sources[i].line, line, text);
		free(text);
		json_decref(j);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),	cmocka_unit_test(test_software),
		cmocka_unit_test(test_clashes), cmocka_unit_test(test_bad),
		cmocka_unit_test(test_engines), cmocka_unit_test(test_json),
		cmocka_unit_test(test_sources),
	};

	return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
