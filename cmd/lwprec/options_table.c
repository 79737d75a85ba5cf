#include "options_table.h"

#include <stddef.h>

/* Each subcommand has this option; it has no more text for --help=all. */
static const struct options_row help[] = {
	{.value = 'h',
	 .name = "help",
	 .help = "print this text",
	 .group = OPTIONS_INFORMATION},
	{0},
};

/* Where recordings come from. */
static const struct options_row inputs[] = {
	{.value = INPUT_EVENT_OFFSET,
	 .name = "event-offset",
	 .arg = "N",
	 .help = "LwpEventOffset; by default the recording's or 128",
	 .group = OPTIONS_INPUT},
	{.value = INPUT_EVENT_SIZE,
	 .name = "event-size",
	 .arg = "N",
	 .help = "LwpEventSize; by default the recording's or 32",
	 .group = OPTIONS_INPUT},
	{.value = INPUT_HEAD,
	 .name = "head",
	 .arg = "N",
	 .help = "with --raw: the next record would be at offset N",
	 .group = OPTIONS_INPUT},
	{.value = INPUT_LWPCB,
	 .name = "lwpcb",
	 .arg = "ADDRESS",
	 .help = "an LWPCB is at this address (of a core or a process); with "
		 "--raw: the file that has the LWPCB",
	 .group = OPTIONS_INPUT,
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = INPUT_RAW,
	 .name = "raw",
	 .help = "the file is the bytes of a ring",
	 .group = OPTIONS_INPUT},
	{.value = INPUT_TAIL,
	 .name = "tail",
	 .arg = "N",
	 .help = "with --raw: the oldest record is at offset N",
	 .group = OPTIONS_INPUT},
	{0},
};

/* Which records are used. */
static const struct options_row filters[] = {
	{.value = FILTER_ADDRESS,
	 .name = "address",
	 .arg = "RANGE",
	 .help = "misses of data in this range of addresses, LOW-HIGH",
	 .group = OPTIONS_FILTERS},
	{.value = FILTER_CORE,
	 .name = "core",
	 .arg = "LIST",
	 .help = "records of these cores",
	 .group = OPTIONS_FILTERS},
	{.value = FILTER_EVENT,
	 .name = "event",
	 .arg = "LIST",
	 .help = "records of these events: val, ire, bre, dme, cnh, rnh, ins "
		 "or ids",
	 .group = OPTIONS_FILTERS,
	 .words = "val ire bre dme cnh rnh ins ids"},
	{.value = FILTER_FLAGS,
	 .name = "flags",
	 .arg = "LIST",
	 .help = "branches that are taken or not-taken, predicted or "
		 "mispredicted, fused; or records that have these bits",
	 .group = OPTIONS_FILTERS,
	 .words = "taken not-taken predicted mispredicted fused"},
	{.value = FILTER_IP,
	 .name = "ip",
	 .arg = "RANGE",
	 .help = "records of instructions in this range of addresses",
	 .group = OPTIONS_FILTERS},
	{.value = FILTER_LATENCY,
	 .name = "latency",
	 .arg = "RANGE",
	 .help = "misses that took this many cycles, LOW-HIGH",
	 .group = OPTIONS_FILTERS},
	{.value = FILTER_MODULE,
	 .name = "module",
	 .arg = "PATTERN",
	 .help = "records of instructions in files that match",
	 .group = OPTIONS_FILTERS},
	{.value = FILTER_SOURCE,
	 .name = "source",
	 .arg = "LIST",
	 .help = "misses served by l3, remote, dram, other, none",
	 .group = OPTIONS_FILTERS,
	 .words = "l3 remote dram other none"},
	{.value = FILTER_SYMBOL,
	 .name = "symbol",
	 .arg = "PATTERN",
	 .help = "records of functions that match",
	 .group = OPTIONS_FILTERS},
	{.value = FILTER_TID,
	 .name = "tid",
	 .arg = "LIST",
	 .help = "records of these threads",
	 .group = OPTIONS_FILTERS},
	{0},
};

static const struct options_row mangled[] = {
	{.value = LWPREC_MANGLED,
	 .name = "mangled",
	 .help = "print names of C++ and Rust as the linker has them",
	 .group = OPTIONS_OUTPUT},
	{0},
};

/* Subcommands that sum records up have these options. */
static const struct options_row records[] = {
	{.value = 'e',
	 .arg = "events",
	 .help = "use these events only, such as ire,dme",
	 .words = "ire bre dme cnh rnh"},
	{.value = 'o',
	 .arg = "file",
	 .help = "write the output to a file",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = LWPREC_RECORDS,
	 .name = "records",
	 .help = "use records also of events that have exact counts",
	 .group = OPTIONS_OUTPUT},
	{0},
};

static const struct options_row decode[] = {
	{.value = 'F',
	 .arg = "fields",
	 .help = "print these fields, such as ip,symbol,latency"},
	{.value = 'n', .help = "print no titles and no comments"},
	{.value = 'o',
	 .arg = "file",
	 .help = "write the lines to a file",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = 'p',
	 .arg = "pid",
	 .help = "decode the rings of a running process",
	 .completion = OPTIONS_COMPLETE_PIDS},
	{.value = OPTIONS_OPERAND,
	 .arg = "file",
	 .help = "a recording, without it lwprec.core; - is standard input",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = LWPREC_ALL,
	 .name = "all",
	 .help = "print also the slots that have no unread record",
	 .group = OPTIONS_OUTPUT},
	{.value = LWPREC_CONSUME,
	 .name = "consume",
	 .help = "with --follow: give the printed slots back to LWP",
	 .group = OPTIONS_OUTPUT},
	{.value = LWPREC_COUNT,
	 .name = "count",
	 .help = "print how many records of each event there are",
	 .group = OPTIONS_OUTPUT},
	{.value = LWPREC_FOLLOW,
	 .name = "follow",
	 .help = "with -p: print records as they come, until the process ends",
	 .group = OPTIONS_OUTPUT},
	{0},
};

static const struct options_row report[] = {
	{.value = 'n',
	 .arg = "rows",
	 .help = "print this many rows of each table, 0 for all"},
	{.value = OPTIONS_OPERAND,
	 .arg = "file",
	 .help = "a recording, without it lwprec.core; - is standard input",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = LWPREC_BY,
	 .name = "by",
	 .arg = "TABLES",
	 .help = "print these tables: symbol, function, module, file, line, "
		 "ip, thread, core, branch, value, source, data, address, "
		 "cacheline, sharing, page, marker; or all",
	 .group = OPTIONS_OUTPUT,
	 .words = "symbol function module file line ip thread core branch value "
		  "source data address cacheline sharing page marker all"},
	{.value = OPTIONS_FORMAT,
	 .name = "format",
	 .arg = "NAME",
	 .help = "print text, csv, json, html; or folded, speedscope, pprof, "
		 "callgrind, which other tools read",
	 .group = OPTIONS_OUTPUT,
	 .words = "text csv json html folded speedscope pprof callgrind"},
	{.value = LWPREC_LINE_SIZE,
	 .name = "line-size",
	 .arg = "N",
	 .help = "a cache line has N bytes (as in the recording, or 64)",
	 .group = OPTIONS_OUTPUT},
	{0},
};

static const struct options_row annotate[] = {
	{.value = OPTIONS_OPERAND,
	 .arg = "file",
	 .help = "a recording",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = OPTIONS_OPERAND,
	 .arg = "function",
	 .help = "the name of a function in it"},
	{.value = LWPREC_SOURCES,
	 .name = "sources",
	 .arg = "FOLDER",
	 .help = "look for source files in this folder too",
	 .group = OPTIONS_OUTPUT,
	 .completion = OPTIONS_COMPLETE_FILES},
	{0},
};

static const struct options_row diff[] = {
	{.value = 'n',
	 .arg = "rows",
	 .help = "print this many rows of each table, 0 for all"},
	{.value = OPTIONS_OPERAND,
	 .arg = "file",
	 .help = "a recording, and then the one after a change",
	 .completion = OPTIONS_COMPLETE_FILES},
	{0},
};

static const struct options_row caps[] = {
	{.value = LWPREC_CFG,
	 .name = "cfg",
	 .arg = "VALUE",
	 .help = "decode this value of the MSR LWP_CFG (0xc0000105)",
	 .group = OPTIONS_INPUT},
	{.value = LWPREC_CPUID,
	 .name = "cpuid",
	 .arg = "LEAF=EAX,EBX,ECX,EDX",
	 .help = "decode these registers, and do not ask this machine; LEAF is "
		 "8000_001C, 8000_0001, D or D.62, all in hexadecimal except "
		 "62; repeat the option for more leaves",
	 .group = OPTIONS_INPUT},
	{.value = LWPREC_MSR,
	 .name = "msr",
	 .arg = "FILE",
	 .help = "read MSRs from FILE; by default from /dev/cpu/0/msr",
	 .group = OPTIONS_INPUT,
	 .completion = OPTIONS_COMPLETE_FILES},
	{0},
};

static const struct options_row record[] = {
	{.value = 'e',
	 .arg = "events",
	 .help = "record these events: ire, bre, dme, cnh, rnh, each with :N "
		 "for a record of every Nth event",
	 .words = "ire bre dme cnh rnh"},
	{.value = 'o',
	 .arg = "file",
	 .help = "write the recording to a file, without -o to lwprec.core; "
		 "other processes and later programs get FILE.PID.N",
	 .completion = OPTIONS_COMPLETE_FILES},
	{.value = LWPREC_EMULATE,
	 .name = "emulate",
	 .arg = "WAY",
	 .optional = 1,
	 .help = "emulate the LWP instructions of the command: preload, in the "
		 "program, or ptrace, from outside",
	 .group = OPTIONS_EVENTS,
	 .words = "preload ptrace"},
	{.value = OPTIONS_ENGINE,
	 .name = "engine",
	 .arg = "NAME",
	 .help = "take the events from sim, the simulator, or from kernel, "
		 "perf events of this machine",
	 .group = OPTIONS_EVENTS,
	 .words = "auto sim kernel"},
	{0},
};

static const struct options_row scan[] = {
	{.value = OPTIONS_OPERAND,
	 .arg = "file",
	 .help = "a program or a library",
	 .completion = OPTIONS_COMPLETE_FILES},
	{0},
};

static const struct options_row subcommands[] = {
	{.value = OPTIONS_OPERAND,
	 .arg = "decode",
	 .help = "print the records of a recording, a core file or a ring"},
	{.value = OPTIONS_OPERAND,
	 .arg = "report",
	 .help = "show where events happened: functions, lines, branches, data"},
	{.value = OPTIONS_OPERAND,
	 .arg = "annotate",
	 .help = "show the source lines of a function with their events"},
	{.value = OPTIONS_OPERAND,
	 .arg = "diff",
	 .help = "compare two recordings, function by function"},
	{.value = OPTIONS_OPERAND,
	 .arg = "record",
	 .help = "run a command and record its events"},
	{.value = OPTIONS_OPERAND,
	 .arg = "caps",
	 .help = "show what LWP can do on this machine"},
	{.value = OPTIONS_OPERAND,
	 .arg = "scan",
	 .help = "list the LWP instructions of a program"},
	{.value = 'h',
	 .name = "help",
	 .help = "print this text, or after a subcommand its text",
	 .group = OPTIONS_INFORMATION},
	{.value = OPTIONS_VERSION,
	 .name = "version",
	 .help = "print the version",
	 .group = OPTIONS_INFORMATION},
	{0},
};

const struct options_command lwprec_annotate = {
	.name = "lwprec",
	.subcommand = "annotate",
	.synopsis = "Usage:\n"
		    "\t%1$s annotate [options] file function\n",
	.hint = "Try '%1$s annotate -h'.\n",
	.see = "lwprec(1)",
	.tables = {records, annotate, mangled, options_format, help, options_every,
		   inputs},
	.permutes = 1,
};

const struct options_command lwprec_caps = {
	.name = "lwprec",
	.subcommand = "caps",
	.synopsis = "Usage:\n"
		    "\t%1$s caps [options]\n",
	.hint = "Try '%1$s caps -h'.\n",
	.see = "lwprec(1)",
	.tables = {caps, options_format, help, options_every},
};

const struct options_command lwprec_decode = {
	.name = "lwprec",
	.subcommand = "decode",
	.synopsis = "Usage:\n"
		    "\t%1$s [decode] [options] [file | -]\n"
		    "\t%1$s [decode] [options] -p pid --lwpcb=ADDR\n",
	.hint = "Try '%1$s decode -h'.\n",
	.see = "lwprec(1)",
	.tables = {decode, mangled, options_format, help, options_every, inputs, filters},
	.permutes = 1,
};

const struct options_command lwprec_diff = {
	.name = "lwprec",
	.subcommand = "diff",
	.synopsis = "Usage:\n"
		    "\t%1$s diff [options] file file\n",
	.hint = "Try '%1$s diff -h'.\n",
	.see = "lwprec(1)",
	.tables = {records, diff, mangled, options_format, help, options_every, inputs},
	.permutes = 1,
};

const struct options_command lwprec_record = {
	.name = "lwprec",
	.subcommand = "record",
	.synopsis = "Usage:\n"
		    "\t%1$s record [options] [--] command [args]\n",
	.hint = "Try '%1$s record -h'.\n",
	.see = "lwprec(1)",
	.tables = {record, options_format, options_simulation, help, options_every},
	.runs_program = 1,
};

const struct options_command lwprec_report = {
	.name = "lwprec",
	.subcommand = "report",
	.synopsis = "Usage:\n"
		    "\t%1$s report [options] [file ...]\n",
	.hint = "Try '%1$s report -h'.\n",
	.see = "lwprec(1)",
	.tables = {records, report, mangled, help, options_every, inputs, filters},
	.permutes = 1,
};

const struct options_command lwprec_scan = {
	.name = "lwprec",
	.subcommand = "scan",
	.synopsis = "Usage:\n"
		    "\t%1$s scan [options] file ...\n",
	.hint = "Try '%1$s scan -h'.\n",
	.see = "lwprec(1)",
	.tables = {scan, mangled, options_format, help, options_every},
};

static const struct options_command *const all[] = {
	&lwprec_decode, &lwprec_report, &lwprec_annotate, &lwprec_diff,
	&lwprec_record, &lwprec_caps,	&lwprec_scan,	  NULL,
};

const struct options_command lwprec_command = {
	.name = "lwprec",
	.subcommands = all,
	.synopsis = "Usage:\n"
		    "\t%1$s [decode] [options] [file]\n"
		    "\t%1$s report [options] file ...\n"
		    "\t%1$s annotate [options] file function\n"
		    "\t%1$s diff [options] file file\n"
		    "\t%1$s record [options] [--] command [args]\n"
		    "\t%1$s caps [options]\n"
		    "\t%1$s scan [options] file ...\n",
	.hint = "Try '%1$s -h' or '%1$s report -h'.\n",
	.see = "lwprec(1)",
	.tables = {subcommands},
};
