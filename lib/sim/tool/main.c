/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulator as a Valgrind tool: its options, and its registration with the core. */
#include "sim/tool/tool.h"

#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"

#include "sim/shared/pages.h"
#include "sim/tool/instr.h"
#include "sim/tool/model.h"
#include "sim/tool/quantum.h"
#include "sim/tool/record.h"
#include "sim/tool/run.h"
#include "sim/tool/schedule.h"
#include "sim/tool/syscall.h"
#include "sim/tool/turn.h"
#include "sim/virtual/features.h"
#include "sim/virtual/name.h"

static const HChar *records; /* path of the records file, or NULL */

static Bool option(const HChar *arg)
{
	const HChar *level;

	if VG_STR_CLO (arg, "--cpc-pages", tool.pages) {
	} else if VG_STR_CLO (arg, "--cpc-records", records) {
	} else if VG_STR_CLO (arg, "--cpc-reproducible", level) {
		return features_set(level) == 0;
	} else {
		return False;
	}
	return True;
}

static void usage(void)
{
	VG_(printf)
	("    --cpc-pages=FILE   simulate the machine of FILE, publish counts there\n"
	 "    --cpc-records=FILE   record events there\n"
	 "    --cpc-reproducible=v1|v2|v3   run the program the same everywhere\n");
}

static void debug_usage(void)
{
}

static void start(void)
{
	name_process();
	if (!tool.pages)
		tool_die("cannot start without this option", "--cpc-pages");
	const struct pages_head *const head = run_open();
	model_open(head ? &head->machine : NULL);
	if (head && records)
		record_open(records);
	schedule_set_up();
	quantum_open();
	/* The program's clock counts instructions. */
	const uint64_t needed = features_level() ? UINT64_C(1) << CTR_INSN : 0;
	if (model_request(needed | (head ? head->requested : 0)))
		tool_die("out of memory to simulate machine", tool.machine->name);
}

static void fini(UNUSED Int status)
{
	run_end();
}

static void set_up(void)
{
	/* Each translated block is one basic block, so that every branch is seen. */
	VG_(clo_vex_control).iropt_unroll_thresh = 0;
	VG_(clo_vex_control).guest_chase = False;
	VG_(details_name)("cpcsim");
	VG_(details_version)(VERSION);
	VG_(details_description)("OpenCPC's simulated processors");
	VG_(details_copyright_author)("The OpenCPC authors");
	VG_(details_bug_reports_to)("the OpenCPC authors");
	VG_(details_avg_translation_sizeB)(400);
	VG_(basic_tool_funcs)(start, instr_block, fini);
	VG_(needs_command_line_options)(option, usage, debug_usage);
	run_set_up();
	request_set_up();
	syscall_set_up();
	turn_set_up();
}

VG_DETERMINE_INTERFACE_VERSION(set_up)
