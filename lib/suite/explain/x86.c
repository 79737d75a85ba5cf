#include "suite/explain/x86.h"

#include <stddef.h>

/* All counters that a table can have. */
#define ALL UINT64_MAX

/* Pentium, appendix A of volume 3: CC is what is counted, bit 2 of it clocks. */
static const struct reg_field p5_cesr_fields[] = {
	{"ES0", 0, 6},
	{"CC0_OS", 6, 1},
	{"CC0_USR", 7, 1},
	{"CC0_CLK", 8, 1},
	{"PC0", 9, 1},
	{"ES1", 16, 6},
	{"CC1_OS", 22, 1},
	{"CC1_USR", 23, 1},
	{"CC1_CLK", 24, 1},
	{"PC1", 25, 1},
	{0},
};

static const struct explain_part p5_parts[] = {
	{.field = "ES0", .from = FROM_CODE, .pics = 1},
	{.field = "CC0_OS", .from = FROM_SYSTEM, .pics = 1},
	{.field = "CC0_USR", .from = FROM_USER, .pics = 1},
	{.field = "CC0_CLK", .from = FROM_IF, .key = "noedge", .pics = 1},
	{.field = "PC0", .from = FROM_IF, .key = "pc", .pics = 1},
	{.field = "ES1", .from = FROM_CODE, .pics = 2},
	{.field = "CC1_OS", .from = FROM_SYSTEM, .pics = 2},
	{.field = "CC1_USR", .from = FROM_USER, .pics = 2},
	{.field = "CC1_CLK", .from = FROM_IF, .key = "noedge", .pics = 2},
	{.field = "PC1", .from = FROM_IF, .key = "pc", .pics = 2},
	{0},
};

const struct explain_kind explain_p5[] = {
	{.name = "CTR",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 3,
	 .space = "MSR",
	 .base = 0x12,
	 .step = 1},
	{.name = "CESR",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 3,
	 .space = "MSR",
	 .base = 0x11,
	 .field = p5_cesr_fields,
	 .part = p5_parts},
	{0},
};

/* PerfEvtSel of the P6 family, IA32_PERFEVTSEL, PerfEvtSel of AMD: one layout. */
static const struct reg_field evtsel_fields[] = {
	{"event", 0, 8},
	{"umask", 8, 8},
	{"usr", 16, 1},
	{"os", 17, 1},
	{"edge", 18, 1},
	{"pc", 19, 1},
	{"int", 20, 1},
	{"en", 22, 1},
	{"inv", 23, 1},
	{"cmask", 24, 8},
	{0},
};

/* Bit 22 of the first enables both. Edges are counted unless noedge. */
static const struct explain_part p6_parts[] = {
	{.field = "event", .from = FROM_NUM, .pics = 1},
	{.field = "umask", .from = FROM_ATTR, .key = "umask", .pics = 1},
	{.field = "usr", .from = FROM_USER, .pics = 1},
	{.field = "os", .from = FROM_SYSTEM, .pics = 1},
	{.field = "edge", .from = FROM_UNLESS, .key = "noedge", .pics = 1},
	{.field = "pc", .from = FROM_IF, .key = "pc", .pics = 1},
	{.field = "int", .from = FROM_IF, .key = "int", .pics = 1},
	{.field = "en", .from = FROM_CONST, .val = 1},
	{.field = "inv", .from = FROM_IF, .key = "inv", .pics = 1},
	{.field = "cmask", .from = FROM_ATTR, .key = "cmask", .pics = 1},
	{0},
};

static const struct explain_part p6_parts1[] = {
	{.field = "event", .from = FROM_NUM},
	{.field = "umask", .from = FROM_ATTR, .key = "umask"},
	{.field = "usr", .from = FROM_USER},
	{.field = "os", .from = FROM_SYSTEM},
	{.field = "edge", .from = FROM_UNLESS, .key = "noedge"},
	{.field = "pc", .from = FROM_IF, .key = "pc"},
	{.field = "int", .from = FROM_IF, .key = "int"},
	{.field = "inv", .from = FROM_IF, .key = "inv"},
	{.field = "cmask", .from = FROM_ATTR, .key = "cmask"},
	{0},
};

const struct explain_kind explain_p6[] = {
	{.name = "PerfCtr",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 3,
	 .space = "MSR",
	 .base = 0xc1,
	 .step = 1},
	{.name = "PerfEvtSel0",
	 .of = OF_SELF,
	 .per = 2,
	 .pics = 3,
	 .space = "MSR",
	 .base = 0x186,
	 .field = evtsel_fields,
	 .part = p6_parts},
	{.name = "PerfEvtSel",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 2,
	 .space = "MSR",
	 .base = 0x186,
	 .step = 1,
	 .field = evtsel_fields,
	 .part = p6_parts1},
	{0},
};

static const struct explain_part evtsel_parts[] = {
	{.field = "event", .from = FROM_NUM},
	{.field = "umask", .from = FROM_ATTR, .key = "umask"},
	{.field = "usr", .from = FROM_USER},
	{.field = "os", .from = FROM_SYSTEM},
	{.field = "edge", .from = FROM_IF, .key = "edge"},
	{.field = "pc", .from = FROM_IF, .key = "pc"},
	{.field = "en", .from = FROM_CONST, .val = 1},
	{.field = "inv", .from = FROM_IF, .key = "inv"},
	{.field = "cmask", .from = FROM_ATTR, .key = "cmask"},
	{0},
};

/* AMD 26094, 10.2: any of four, bit 20 is off since nobody wants an interrupt. */
const struct explain_kind explain_k8[] = {
	{.name = "PERFCTR",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 0xf,
	 .space = "MSR",
	 .base = 0xc0010004,
	 .step = 1},
	{.name = "PERFEVTSEL",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 0xf,
	 .space = "MSR",
	 .base = 0xc0010000,
	 .step = 1,
	 .field = evtsel_fields,
	 .part = evtsel_parts},
	{0},
};

/* Intel 64 SDM volume 3B, architectural monitoring version 2: counters 2 to 4 are fixed. */
static const struct reg_field fixed_ctrl_fields[] = {
	{"os0", 0, 1},	{"usr0", 1, 1}, {"pmi0", 3, 1}, {"os1", 4, 1},	 {"usr1", 5, 1},
	{"pmi1", 7, 1}, {"os2", 8, 1},	{"usr2", 9, 1}, {"pmi2", 11, 1}, {0},
};

static const struct reg_field global_ctrl_fields[] = {
	{"pmc0", 0, 1},	   {"pmc1", 1, 1},    {"fixed0", 32, 1},
	{"fixed1", 33, 1}, {"fixed2", 34, 1}, {0},
};

static const struct explain_part core2_parts[] = {
	{.field = "os0", .from = FROM_SYSTEM, .pics = 4},
	{.field = "usr0", .from = FROM_USER, .pics = 4},
	{.field = "os1", .from = FROM_SYSTEM, .pics = 8},
	{.field = "usr1", .from = FROM_USER, .pics = 8},
	{.field = "os2", .from = FROM_SYSTEM, .pics = 16},
	{.field = "usr2", .from = FROM_USER, .pics = 16},
	{0},
};

static const struct explain_part core2_parts1[] = {
	{.field = "pmc0", .from = FROM_CONST, .val = 1, .pics = 1},
	{.field = "pmc1", .from = FROM_CONST, .val = 1, .pics = 2},
	{.field = "fixed0", .from = FROM_CONST, .val = 1, .pics = 4},
	{.field = "fixed1", .from = FROM_CONST, .val = 1, .pics = 8},
	{.field = "fixed2", .from = FROM_CONST, .val = 1, .pics = 16},
	{0},
};

const struct explain_kind explain_core2[] = {
	{.name = "IA32_PMC",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 3,
	 .space = "MSR",
	 .base = 0xc1,
	 .step = 1},
	{.name = "IA32_PERFEVTSEL",
	 .of = OF_CPU,
	 .per = 1,
	 .pics = 3,
	 .space = "MSR",
	 .base = 0x186,
	 .step = 1,
	 .field = evtsel_fields,
	 .part = evtsel_parts},
	{.name = "IA32_FIXED_CTR0",
	 .of = OF_SELF,
	 .per = 1,
	 .pics = 4,
	 .space = "MSR",
	 .base = 0x309},
	{.name = "IA32_FIXED_CTR1",
	 .of = OF_SELF,
	 .per = 1,
	 .pics = 8,
	 .space = "MSR",
	 .base = 0x30a},
	{.name = "IA32_FIXED_CTR2",
	 .of = OF_SELF,
	 .per = 1,
	 .pics = 16,
	 .space = "MSR",
	 .base = 0x30b},
	{.name = "IA32_FIXED_CTR_CTRL",
	 .of = OF_SELF,
	 .per = 5,
	 .pics = 0x1c,
	 .space = "MSR",
	 .base = 0x38d,
	 .field = fixed_ctrl_fields,
	 .part = core2_parts},
	{.name = "IA32_PERF_GLOBAL_CTRL",
	 .of = OF_SELF,
	 .per = 5,
	 .pics = 0x1f,
	 .space = "MSR",
	 .base = 0x38f,
	 .field = global_ctrl_fields,
	 .part = core2_parts1},
	{0},
};

/*
 * IA-32 Intel Architecture Software Developer's Manual, volume 3, 15.10: the thread is
 * thread 0, whose bits are the only ones without Hyper-Threading; bits 16 and 17 of a CCCR
 * must be set then. threshold and tag are off where they are 0.
 */
static const struct reg_field escr_fields[] = {
	{"T1_USR", 0, 1},      {"T1_OS", 1, 1},		{"T0_USR", 2, 1},
	{"T0_OS", 3, 1},       {"tag_enable", 4, 1},	{"tag_value", 5, 4},
	{"event_mask", 9, 16}, {"event_select", 25, 6}, {0},
};

static const struct reg_field cccr_fields[] = {
	{"enable", 12, 1},
	{"escr_select", 13, 3},
	{"active_thread", 16, 2},
	{"compare", 18, 1},
	{"complement", 19, 1},
	{"threshold", 20, 4},
	{"edge", 24, 1},
	{"force_ovf", 25, 1},
	{"ovf_pmi_t0", 26, 1},
	{"ovf_pmi_t1", 27, 1},
	{"cascade", 30, 1},
	{"ovf", 31, 1},
	{0},
};

static const struct explain_part p4_parts[] = {
	{.field = "T0_USR", .from = FROM_USER},
	{.field = "T0_OS", .from = FROM_SYSTEM},
	{.field = "tag_enable", .from = FROM_IF, .key = "tag"},
	{.field = "tag_value", .from = FROM_ATTR, .key = "tag"},
	{.field = "event_mask", .from = FROM_ATTR, .key = "emask"},
	{.field = "event_select", .from = FROM_NUM},
	{0},
};

static const struct explain_part p4_parts1[] = {
	{.field = "enable", .from = FROM_CONST, .val = 1},
	{.field = "escr_select", .from = FROM_ESCR, .key = "select"},
	{.field = "active_thread", .from = FROM_CONST, .val = 3},
	{.field = "compare", .from = FROM_IF, .key = "compare"},
	{.field = "complement", .from = FROM_IF, .key = "complement"},
	{.field = "threshold", .from = FROM_ATTR, .key = "threshold"},
	{.field = "edge", .from = FROM_IF, .key = "edge"},
	{0},
};

const struct explain_kind explain_p4[] = {
	{.name = "", .of = OF_PIC, .per = 1, .pics = ALL, .space = "MSR", .key = "msr"},
	{.name = "ESCR ",
	 .of = OF_ESCR,
	 .per = 1,
	 .pics = ALL,
	 .space = "MSR",
	 .key = "msr",
	 .field = escr_fields,
	 .part = p4_parts},
	{.name = "CCCR of ",
	 .of = OF_PIC,
	 .per = 1,
	 .pics = ALL,
	 .space = "MSR",
	 .key = "cccr",
	 .field = cccr_fields,
	 .part = p4_parts1},
	{0},
};
