#include "suite/explain/sparc_mips.h"

#include <stddef.h>
#include <string.h>

#include "suite/explain/x86.h"

/* All counters that a table can have. */
#define ALL UINT64_MAX

/*
 * MIPS R10000 Microprocessor User's Manual, 14.20: the control register of a counter. Its
 * low half is what r10k_evcntrs(5) calls hwperf_spec. System mode is all that is not user
 * mode. The event field of the R12000 has a bit more.
 */
static const struct explain_part r10k_control[] = {
	{.field = "event", .from = FROM_COL, .key = "hw"},
	{.field = "IE", .from = FROM_CONST},
	{.field = "U", .from = FROM_USER},
	{.field = "S", .from = FROM_SYSTEM},
	{.field = "K", .from = FROM_SYSTEM},
	{.field = "EXL", .from = FROM_SYSTEM},
	{0},
};

static const struct reg_field r10k_fields[] = {
	{"event", 5, 4}, {"IE", 4, 1},	{"U", 3, 1}, {"S", 2, 1},
	{"K", 1, 1},	 {"EXL", 0, 1}, {0},
};

static const struct reg_field r12k_fields[] = {
	{"event", 5, 5}, {"IE", 4, 1},	{"U", 3, 1}, {"S", 2, 1},
	{"K", 1, 1},	 {"EXL", 0, 1}, {0},
};

static const struct explain_kind r10k[] = {
	{.name = "counter", .of = OF_CPU, .per = 1, .pics = ALL},
	{.name = "control",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = ALL,
	 .field = r10k_fields,
	 .part = r10k_control},
	{0},
};

static const struct explain_kind r12k[] = {
	{.name = "counter", .of = OF_CPU, .per = 1, .pics = ALL},
	{.name = "control",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = ALL,
	 .field = r12k_fields,
	 .part = r10k_control},
	{0},
};

/* UltraSPARC-I/II User's Manual, appendix on performance instrumentation. */
static const struct reg_field us12_pcr_fields[] = {
	{"PRIV", 0, 1}, {"ST", 1, 1}, {"UT", 2, 1}, {"S0", 4, 4}, {"S1", 11, 4}, {0},
};

static const struct explain_part us12_parts[] = {
	{.field = "PRIV", .from = FROM_CONST},
	{.field = "ST", .from = FROM_SYSTEM},
	{.field = "UT", .from = FROM_USER},
	{.field = "S0", .from = FROM_CODE, .pics = 1},
	{.field = "S1", .from = FROM_CODE, .pics = 2},
	{0},
};

static const struct explain_kind us12[] = {
	{.name = "%pcr",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 3,
	 .field = us12_pcr_fields,
	 .part = us12_parts},
	{0},
};

/*
 * UltraSPARC III Cu User's Manual: a counter that no event has is parked on an instruction
 * that no program uses, SW_count_0 and SW_count_1.
 */
static const struct reg_field us3_pcr_fields[] = {
	{"PRIV", 0, 1}, {"ST", 1, 1}, {"UT", 2, 1}, {"SL", 4, 6}, {"SU", 11, 6}, {0},
};

static const struct explain_part us3_parts[] = {
	{.field = "PRIV", .from = FROM_CONST},
	{.field = "ST", .from = FROM_SYSTEM},
	{.field = "UT", .from = FROM_USER},
	{.field = "SL",
	 .from = FROM_CODE,
	 .pics = 1,
	 .idle = 0x14,
	 .idle_word = "parked"},
	{.field = "SU",
	 .from = FROM_CODE,
	 .pics = 2,
	 .idle = 0x1c,
	 .idle_word = "parked"},
	{0},
};

static const struct explain_kind us3[] = {
	{.name = "%pcr",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 3,
	 .field = us3_pcr_fields,
	 .part = us3_parts},
	{0},
};

/* UltraSPARC T1 Supplement: counter 1 has instructions alone, and nothing to select. */
static const struct reg_field t1_pcr_fields[] = {
	{"PRIV", 0, 1}, {"ST", 1, 1},  {"UT", 2, 1}, {"SL", 4, 3},
	{"OV0", 8, 1},	{"OV1", 9, 1}, {0},
};

static const struct explain_part t1_parts[] = {
	{.field = "PRIV", .from = FROM_CONST},
	{.field = "ST", .from = FROM_SYSTEM},
	{.field = "UT", .from = FROM_USER},
	{.field = "SL", .from = FROM_CODE, .pics = 1},
	{0},
};

static const struct explain_kind t1[] = {
	{.name = "%pcr",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 3,
	 .field = t1_pcr_fields,
	 .part = t1_parts},
	{0},
};

/* UltraSPARC T2 Supplement: a group and a mask of its events for each counter. */
static const struct reg_field t2_pcr_fields[] = {
	{"PRIV", 0, 1},	  {"ST", 1, 1},	   {"UT", 2, 1},   {"HT", 3, 1},
	{"TOE", 4, 2},	  {"MASK0", 6, 8}, {"SL0", 14, 4}, {"OV0", 18, 1},
	{"MASK1", 19, 8}, {"SL1", 27, 4},  {"OV1", 31, 1}, {0},
};

static const struct explain_part t2_parts[] = {
	{.field = "ST", .from = FROM_SYSTEM},
	{.field = "UT", .from = FROM_USER},
	{.field = "SL0", .from = FROM_NUM, .val = 8, .pics = 1},
	{.field = "MASK0", .from = FROM_NUM, .pics = 1},
	{.field = "MASK0", .from = FROM_ATTR, .key = "emask", .pics = 1},
	{.field = "SL1", .from = FROM_NUM, .val = 8, .pics = 2},
	{.field = "MASK1", .from = FROM_NUM, .pics = 2},
	{.field = "MASK1", .from = FROM_ATTR, .key = "emask", .pics = 2},
	{0},
};

static const struct explain_kind t2[] = {
	{.name = "%pcr",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 3,
	 .field = t2_pcr_fields,
	 .part = t2_parts},
	{0},
};

/* SPARC64 VI Extensions: %pcr is written once for each pair of counters, which SC selects. */
static const struct reg_field s64_pcr_fields[] = {
	{"PRIV", 0, 1}, {"ST", 1, 1},  {"UT", 2, 1},	{"ULRO", 3, 1}, {"SL", 4, 6},
	{"SU", 11, 6},	{"SC", 18, 3}, {"OVRO", 26, 1}, {"OVF", 32, 8}, {0},
};

static const struct explain_part s64_parts[] = {
	{.field = "PRIV", .from = FROM_CONST},
	{.field = "ST", .from = FROM_SYSTEM},
	{.field = "UT", .from = FROM_USER},
	{.field = "SC", .from = FROM_UNIT},
	{.field = "SL", .from = FROM_NUM, .pics = 1},
	{.field = "SU", .from = FROM_NUM, .pics = 2},
	{0},
};

static const struct explain_kind s64[] = {
	{.name = "%pcr",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 0xff,
	 .field = s64_pcr_fields,
	 .part = s64_parts},
	{0},
};

/*
 * AMD 43724, the control block: LWPINS (counter 0) has no flag and no counter. The
 * intervals stand behind each other in the block, their begin is LwpEventOffset of CPUID.
 */
static const struct reg_field lwp_flags_fields[] = {
	{"VAL", 1, 1}, {"IRE", 2, 1}, {"BRE", 3, 1},  {"DME", 4, 1},
	{"CNH", 5, 1}, {"RNH", 6, 1}, {"INT", 31, 1}, {0},
};

static const struct explain_part lwp_parts[] = {
	{.field = "VAL", .from = FROM_CONST, .val = 1, .pics = 0x02},
	{.field = "IRE", .from = FROM_CONST, .val = 1, .pics = 0x04},
	{.field = "BRE", .from = FROM_CONST, .val = 1, .pics = 0x08},
	{.field = "DME", .from = FROM_CONST, .val = 1, .pics = 0x10},
	{.field = "CNH", .from = FROM_CONST, .val = 1, .pics = 0x20},
	{.field = "RNH", .from = FROM_CONST, .val = 1, .pics = 0x40},
	{0},
};

static const struct explain_kind lwp[] = {
	{.name = "EventInterval", .of = OF_CPU, .per = 1, .pics = 0x7e},
	{.name = "EventCounter", .of = OF_CPU, .per = 1, .pics = 0x7e},
	{.name = "LWPCB.Flags",
	 .of = OF_SELF,
	 .per = 7,
	 .pics = 0x7f,
	 .space = "LWPCB offset",
	 .field = lwp_flags_fields,
	 .part = lwp_parts},
	{0},
};

static const struct explain_cpu cpus[] = {
	{{"r10000"}, .kind = r10k},
	{{"r12000"}, .kind = r12k},
	{{"us12"}, .kind = us12},
	{{"us3", "us3plus", "us3i", "us4plus"}, .kind = us3},
	{{"ultrasparc_t1"}, .kind = t1},
	{{"ultrasparc_t2"}, .kind = t2},
	{{"sparc64_vi"}, .kind = s64},
	{{"p5mmx"}, .kind = explain_p5},
	{{"p6"}, .kind = explain_p6},
	{{"p4"}, .kind = explain_p4},
	{{"opteron_k8"}, .kind = explain_k8},
	{{"core2"}, .kind = explain_core2},
	{{"lwp"}, "LWP counts user mode alone", lwp},
};

const struct explain_cpu *explain_cpu_find(const char *table)
{
	for (unsigned i = 0; i < sizeof cpus / sizeof cpus[0]; i++)
		for (unsigned k = 0; k < sizeof cpus[i].table / sizeof cpus[i].table[0];
		     k++)
			if (cpus[i].table[k] && strcmp(cpus[i].table[k], table) == 0)
				return &cpus[i];
	return NULL;
}
