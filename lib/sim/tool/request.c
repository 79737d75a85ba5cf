/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/syscall.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"

#include "sim/shared/pages.h"
#include "sim/shared/requests.h"
#include "sim/tool/model.h"
#include "sim/tool/run.h"
#include "sim/tool/sample.h"
#include "sim/tool/tool.h"

/* Can the program write n elements of this size at p? */
static int is_writable(UWord p, UWord n, SizeT size)
{
	return n && n <= (1 << 20) &&
	       VG_(am_is_valid_for_client)(p, n * size, VKI_PROT_READ | VKI_PROT_WRITE);
}

static UWord read_counts(ThreadId tid, UWord buf, UWord n)
{
	n = n < SIM_NCOUNTERS ? n : SIM_NCOUNTERS;
	if (!is_writable(buf, n, sizeof(uint64_t)))
		return 0;
	return run_counts(tid, (uint64_t *)buf, n);
}

static UWord add_counters(uint64_t mask)
{
	if (!run_head())
		return 0;
	if (!(mask & ~tool.requested))
		return 1;
	if (model_request(mask))
		return 0;
	tool_retranslate();
	return 1;
}

static UWord copy_machine(UWord buf)
{
	const struct pages_head *const head = run_head();

	if (!head || !is_writable(buf, 1, sizeof *tool.machine))
		return 0;
	VG_(memcpy)((void *)buf, tool.machine, sizeof *tool.machine);
	return head->chosen ? 2 : 1;
}

static UWord read_records(ThreadId tid, UWord id, UWord buf, UWord max)
{
	max = max < SIM_RECORDS ? max : SIM_RECORDS;
	if (!is_writable(buf, max, sizeof(struct sim_record)))
		return 0;
	return sample_read(tid, id, (struct sim_record *)buf, max);
}

static Bool request(ThreadId tid, UWord *arg, UWord *result)
{
	switch (arg[0]) {
	case SIM_REQUEST_VERSION:
		*result = PAGES_VERSION;
		return True;
	case SIM_REQUEST_READ:
		*result = read_counts(tid, arg[1], arg[2]);
		return True;
	case SIM_REQUEST_ADD:
		*result = add_counters(arg[1]);
		return True;
	case SIM_REQUEST_MACHINE:
		*result = copy_machine(arg[1]);
		return True;
	case SIM_REQUEST_SAMPLE_OPEN:
		*result = sample_open(tid, arg[1], arg[2]);
		return True;
	case SIM_REQUEST_SAMPLE_READ:
		*result = read_records(tid, arg[1], arg[2], arg[3]);
		return True;
	case SIM_REQUEST_SAMPLE_LOST:
		*result = sample_lost(tid, arg[1]);
		return True;
	case SIM_REQUEST_SAMPLE_PERIOD:
		*result = sample_period(tid, arg[1], arg[2]);
		return True;
	case SIM_REQUEST_SAMPLE_PAUSE:
	case SIM_REQUEST_SAMPLE_RESUME:
		*result = sample_pause(tid, arg[1], arg[0] == SIM_REQUEST_SAMPLE_PAUSE);
		return True;
	case SIM_REQUEST_SAMPLE_CLOSE:
		*result = sample_close(tid, arg[1]);
		return True;
	default:
		return False;
	}
}

void request_set_up(void)
{
	VG_(needs_client_requests)(request);
}
