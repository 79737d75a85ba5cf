/* The tables of the options of lwprec and its subcommands. */
#ifndef LWPREC_OPTIONS_TABLE_H
#define LWPREC_OPTIONS_TABLE_H

#include "common/options_table.h"

/* The values of the long options that lwprec alone has. */
enum {
	/* where recordings come from (inputs.h) */
	INPUT_EVENT_OFFSET = OPTIONS_END,
	INPUT_EVENT_SIZE,
	INPUT_HEAD,
	INPUT_LWPCB,
	INPUT_RAW,
	INPUT_TAIL,
	/* which records are used (filters.h) */
	FILTER_ADDRESS,
	FILTER_CORE,
	FILTER_EVENT,
	FILTER_FLAGS,
	FILTER_IP,
	FILTER_LATENCY,
	FILTER_MODULE,
	FILTER_SOURCE,
	FILTER_SYMBOL,
	FILTER_TID,
	/* of some subcommands */
	LWPREC_ALL,
	LWPREC_BY,
	LWPREC_CFG,
	LWPREC_CONSUME,
	LWPREC_COUNT,
	LWPREC_CPUID,
	LWPREC_EMULATE,
	LWPREC_FOLLOW,
	LWPREC_LINE_SIZE,
	LWPREC_MANGLED,
	LWPREC_MSR,
	LWPREC_RECORDS,
	LWPREC_SOURCES
};

extern const struct options_command lwprec_command;
extern const struct options_command lwprec_annotate;
extern const struct options_command lwprec_caps;
extern const struct options_command lwprec_decode;
extern const struct options_command lwprec_diff;
extern const struct options_command lwprec_record;
extern const struct options_command lwprec_report;
extern const struct options_command lwprec_scan;

#endif
