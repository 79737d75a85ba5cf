/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/tool/run.h"

#include "pub_tool_aspacemgr.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_threadstate.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"

#include "sim/guard/failure.h"
#include "sim/guard/forged.h"
#include "sim/model/model.h"
#include "sim/record/events.h"
#include "sim/shared/pages.h"
#include "sim/tool/model.h"
#include "sim/tool/record.h"
#include "sim/tool/sample.h"
#include "sim/tool/start.h"
#include "sim/virtual/clock.h"
#include "sim/virtual/name.h"

/* Functions of the core that its headers for tools do not declare. */
extern SysRes VG_(am_shared_mmap_file_float_valgrind)(SizeT length, UInt prot, Int fd,
						      Off64T offset);
extern Int VG_(safe_fd)(Int oldfd);

enum { MAX_THREADS = 16384 }; /* the core's default limit is lower */

/* An LWP, by its ThreadId, which the core uses again. */
struct thread {
	int used;
	int row; /* row of the page; -1: none was left */
	unsigned cpu;
	struct model_string string; /* state of an interrupted string instruction */
};

static struct {
	int fd;
	struct pages_head *head;
	struct pages_page *page;
	struct pages_page
		unpublished; /* used if the file has no page left or cannot be opened */
	struct thread thread[MAX_THREADS];
	unsigned lwps[SIM_MAXCPUS]; /* LWPs on each simulated CPU */
	unsigned last;		    /* ThreadId that ran last; 0: none */
	unsigned ncpus;		    /* simulated CPUs that were ever used */
	HChar argv0[PAGES_NAME];    /* name to restore; "": none */
	int started;		    /* the program has begun */
	/* The order in which rows ended: the value of clock at the end of each. */
	uint32_t ended[PAGES_ROWS];
	uint32_t clock;
} run;

static void *map(uint64_t offset, SizeT size)
{
	const SysRes r = VG_(am_shared_mmap_file_float_valgrind)(
		VG_PGROUNDUP(size), VKI_PROT_READ | VKI_PROT_WRITE, run.fd,
		(Off64T)offset);

	return sr_isError(r) ? NULL : (void *)sr_Res(r);
}

/* Ends the rows of the LWPs that an exec ended: all but the row of pid (0: of none). */
static void end_other_rows(int32_t pid)
{
	for (unsigned i = 0; i < run.page->nrows && i < PAGES_ROWS; i++)
		if (run.page->row[i].state == ROW_RUNNING && run.page->row[i].tid != pid)
			run.page->row[i].state = ROW_ENDED;
}

/* Opens page n. If that fails, or n is -1, the counts stay unpublished. */
static void open_page(int64_t n)
{
	const int32_t pid = VG_(getpid)();

	run.page = n < 0 ? NULL : map(pages_offset(n), sizeof *run.page);
	if (!run.page)
		run.page = &run.unpublished;
	failure_use(run.page);
	clock_use(&run.page->total[CTR_INSN], &run.page->clock);
	pages_begin(run.page);
	const char *argv0 = n == 0 && run.page->state == PAGE_NONE ? run.head->argv0
								   : run.page->argv0;
	VG_(strncpy)(run.argv0, argv0, sizeof run.argv0 - 1);
	if (run.page->state == PAGE_RUNNING) {
		run.page->execs++;
		end_other_rows(pid);
	}
	run.page->notes &= ~(uint32_t)PAGE_NOTE_STARTING;
	run.page->pid = pid;
	run.page->state = PAGE_RUNNING;
	pages_end(run.page);
}

/* Returns the page that this process had before an exec, a new page, or -1. */
static int64_t find_page(void)
{
	const int32_t pid = VG_(getpid)();
	const int64_t n = pages_find(run.head, pid);

	return n >= 0 ? n : pages_claim(run.head, pid);
}

const struct pages_head *run_open(void)
{
	struct vg_stat st;
	const SysRes r = VG_(open)(tool.pages, VKI_O_RDWR, 0);

	/*
	 * Either the engine has ended, and no process reads the counts; or the process
	 * now has another user, who may not open the file. The program runs on,
	 * unpublished.
	 */
	if (sr_isError(r) && (sr_Err(r) == VKI_ENOENT || sr_Err(r) == VKI_EACCES)) {
		open_page(-1);
		return NULL;
	}
	if (sr_isError(r))
		tool_die("cannot open the pages file", tool.pages);
	run.fd = VG_(safe_fd)((Int)sr_Res(r));
	if (VG_(fstat)(run.fd, &st) || st.size < (Long)pages_offset(PAGES_MAX))
		tool_die("not a pages file", tool.pages);
	run.head = map(0, sizeof *run.head);
	if (!run.head)
		tool_die("cannot map the pages file", tool.pages);
	if (!pages_valid(run.head, SIM_NCOUNTERS))
		tool_die("pages file of another version of the simulator", tool.pages);
	open_page(find_page());
	return run.head;
}

const struct pages_head *run_head(void)
{
	return run.head;
}

void run_note(uint32_t notes, Addr pc)
{
	pages_begin(run.page);
	run.page->notes |= notes;
	if (pc)
		run.page->note_pc = pc;
	pages_end(run.page);
}

/* Returns a row for tid: its own, an unused one, the one that ended first, or -1. */
static int choose_row(int32_t tid)
{
	struct pages_page *const p = run.page;
	int row = -1;

	for (unsigned i = 0; i < p->nrows && i < PAGES_ROWS; i++)
		if (p->row[i].tid == tid)
			return (int)i;
	if (p->nrows < PAGES_ROWS)
		return (int)p->nrows++;
	for (int i = 0; i < PAGES_ROWS; i++)
		if (p->row[i].state == ROW_ENDED &&
		    (row < 0 || run.ended[i] < run.ended[row]))
			row = i;
	return row;
}

static void assign_row(struct thread *t, int32_t tid)
{
	pages_begin(run.page);
	t->row = choose_row(tid);
	if (t->row < 0) {
		run.page->notes |= PAGE_NOTE_ROWS;
	} else {
		struct pages_row *const row = &run.page->row[t->row];
		if (row->tid != tid)
			VG_(memset)(row->count, 0, sizeof row->count);
		row->tid = tid;
		row->state = ROW_RUNNING;
	}
	pages_end(run.page);
}

/* Returns the CPU with the fewest LWPs; of several, the lowest. */
static unsigned assign_cpu(void)
{
	unsigned best = 0;

	for (unsigned i = 0; i < SIM_MAXCPUS; i++)
		if (run.lwps[i] < run.lwps[best])
			best = i;
	run.lwps[best]++;
	if (best >= run.ncpus)
		run.ncpus = best + 1;
	return best;
}

void run_exec(Addr argv)
{
	name_save(argv, run.page->argv0);
}

int run_has(Int pid)
{
	return run.head && pages_find(run.head, pid) >= 0;
}

const HChar *run_native(const HChar *path)
{
	pages_begin(run.page);
	run.page->state = PAGE_NATIVE;
	run.page->notes |= PAGE_NOTE_TRACED;
	end_other_rows(0);
	pages_end(run.page);
	return run.page->argv0[0] ? run.page->argv0 : path;
}

/* Moves the counts to a row (-1: no row) and to the total. */
static void publish_counts(int row)
{
	pages_begin(run.page);
	for (uint64_t left = tool.requested; left; left &= left - 1) {
		const int c = __builtin_ctzll(left);
		run.page->total[c] += tool.count[c];
		if (row >= 0)
			run.page->row[row].count[c] += tool.count[c];
	}
	pages_end(run.page);
	VG_(memset)(tool.count, 0, sizeof tool.count);
}

/* Completes tool.count before it is read or reset. */
static void settle(ThreadId tid)
{
	tool_settle(tid);
	model_settle();
}

/* Collects what other CPUs caused in the CPU of this LWP. */
static void collect_external(const struct thread *t)
{
	if (run.ncpus == 1)
		return;
	record_begin(0);
	model_collect_external(t->cpu);
	record_end();
}

static void begin_thread(struct thread *t, Addr pc)
{
	t->used = 1;
	t->cpu = assign_cpu();
	t->string = MODEL_NO_STRING;
	assign_row(t, VG_(gettid)());
	/* no branch leads to the first line */
	tool.count[CTR_I1_REF]++;
	record_count(CTR_I1_REF, pc);
}

static void start_client(ThreadId tid, UNUSED ULong blocks)
{
	struct thread *const t = &run.thread[tid];

	if (!t->used)
		begin_thread(t, VG_(get_IP)(tid));
	if (!run.started) {
		run.started = 1;
		start_program(tid, run.argv0);
	}
	if (run.last != tid) {
		if (model_switch_cpu(t->cpu))
			tool_die("out of memory to simulate machine", tool.machine->name);
		model_string = t->string;
		run.last = tid;
	}
	if (events.on)
		events_start(tid, t->cpu);
	sample_start(tid);
}

static void stop_client(ThreadId tid, UNUSED ULong blocks)
{
	struct thread *const t = &run.thread[tid];

	settle(tid);
	sample_stop(tid);
	collect_external(t);
	publish_counts(t->row);
	t->string = model_string;
}

unsigned run_counts(ThreadId tid, uint64_t *count, unsigned n)
{
	const int row = run.thread[tid].row;
	unsigned i;

	for (i = 0; i < n && i < SIM_NCOUNTERS; i++)
		count[i] = row < 0 ? 0 : run.page->row[row].count[i];
	return i;
}

void run_end_thread(ThreadId tid)
{
	struct thread *const t = &run.thread[tid];

	if (!t->used)
		return;
	settle(tid);
	collect_external(t);
	publish_counts(t->row);
	if (t->row >= 0) {
		pages_begin(run.page);
		run.page->row[t->row].state = ROW_ENDED;
		pages_end(run.page);
		run.ended[t->row] = ++run.clock;
	}
	sample_end(tid);
	if (events.on)
		events_end(tid);
	run.lwps[t->cpu]--;
	t->used = 0;
	run.last = run.last == tid ? 0 : run.last;
}

void run_end(void)
{
	for (unsigned i = 0; i < MAX_THREADS; i++)
		if (run.thread[i].used)
			run_end_thread(i);
	pages_begin(run.page);
	run.page->state = PAGE_ENDED;
	pages_end(run.page);
}

/* In the child of fork(2): keeps one LWP, and starts with no counts. */
static void forked(ThreadId tid)
{
	const uint64_t now = clock_passed();
	const uint32_t inherited = run.page->notes & PAGE_NOTE_SECCOMP;

	for (unsigned i = 0; i < MAX_THREADS; i++) {
		if (!run.thread[i].used || i == tid)
			continue;
		run.thread[i].used = 0;
		run.lwps[run.thread[i].cpu]--;
	}
	for (unsigned cpu = 0; cpu < run.ncpus; cpu++)
		model_collect_external(cpu);
	settle(tid);
	VG_(memset)(tool.count, 0, sizeof tool.count);
	if (run.page != &run.unpublished)
		VG_(am_munmap_valgrind)((Addr)run.page, VG_PGROUNDUP(sizeof *run.page));
	VG_(memset)(&run.unpublished, 0, sizeof run.unpublished);
	open_page(run.head ? pages_claim(run.head, VG_(getpid)()) : -1);
	clock_pass(now);
	run_note(inherited, 0);
	sample_forked();
	forged_forget(0);
	if (events.on)
		events_forked(tid);
	assign_row(&run.thread[tid], VG_(gettid)());
}

void run_set_up(void)
{
	VG_(track_start_client_code)(start_client);
	VG_(track_stop_client_code)(stop_client);
	VG_(atfork)(NULL, NULL, forked);
}
