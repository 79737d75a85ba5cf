/* Tests of the simulation engine that need no simulator: expressions, tables, pages. */
#include "engine/engine.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/sim/encode.h"
#include "engine/sim/group.h"
#include "engine/sim/locate.h"
#include "engine/sim/run.h"
#include "engine/sim/sampling.h"
#include "table/table.h"

/* A machine of round numbers: 2 instructions a cycle. */
static const struct machine plain = {.name = "plain",
				     .width = 2,
				     .npenalties = 7,
				     .penalty = {{CTR_I1_MISS, COST_FETCH, 10},
						 {CTR_L2_I_MISS, COST_FETCH, 100},
						 {CTR_D1_RD_MISS, COST_LOAD, 7.5},
						 {CTR_L2_RD_MISS, COST_LOAD, 80},
						 {CTR_DTLB_MISS, COST_TLB, 30},
						 {CTR_BR_MISP_TK, COST_BR, 5},
						 {CTR_D1_WB_QW, COST_WB, 2}}};

static const struct {
	int line;
	const char *text;
	unsigned nterms; /* UINT32_MAX: the text is refused */
	uint64_t value, needs;
} exprs[] = {
#define N(c) (UINT64_C(1) << CTR_##c)
	{__LINE__, "0", 0, 0, 0},
	{__LINE__, "insn", 1, 1000, N(INSN)},
	{__LINE__, "load+i1_miss", 2, 703, N(LOAD) | N(I1_MISS)},
	{__LINE__, "load-i1_miss", 2, 697, N(LOAD) | N(I1_MISS)},
	{__LINE__, "i1_miss-load", 2, 0, N(LOAD) | N(I1_MISS)},
	{__LINE__, "load+load-insn", 3, 400, N(LOAD) | N(INSN)},
	/* 11205 / 16 = 700.3 */
	{__LINE__, "sched16", 1, 11205, N(SCHED16)},
	{__LINE__, "est_base", 1, 700, N(SCHED16)},
	{__LINE__, "est_fetch", 1, 3 * 10 + 2 * 100, N(I1_MISS) | N(L2_I_MISS)},
	/* 5 * 7.5 = 37.5, 1 * 80 */
	{__LINE__, "est_load", 1, 118, N(D1_RD_MISS) | N(L2_RD_MISS)},
	{__LINE__, "est_mem", 1, 2 * 100 + 80, N(L2_I_MISS) | N(L2_RD_MISS)},
	{__LINE__, "est_tlb+est_br+est_wb", 3, 30 + 5 + 8,
	 N(DTLB_MISS) | N(BR_MISP_TK) | N(D1_WB_QW)},
	/* the sum is rounded, not its parts: 700.3 + 230 + 117.5 + 43 */
	{__LINE__, "cycles_est", 1, 1091,
	 N(SCHED16) | N(I1_MISS) | N(L2_I_MISS) | N(D1_RD_MISS) | N(L2_RD_MISS) |
		 N(DTLB_MISS) | N(BR_MISP_TK) | N(D1_WB_QW)},
	{__LINE__, "", UINT32_MAX, 0, 0},
	{__LINE__, "insm", UINT32_MAX, 0, 0},
	{__LINE__, "insn+", UINT32_MAX, 0, 0},
	{__LINE__, "+insn", UINT32_MAX, 0, 0},
	{__LINE__, "insn*2", UINT32_MAX, 0, 0},
	{__LINE__, "insn+0", UINT32_MAX, 0, 0},
	{__LINE__, "fp+fp+fp+fp+fp+fp+fp+fp+fp+fp+fp+fp+fp", UINT32_MAX, 0, 0},
#undef N
};

static void computes(void **state)
{
	static const uint64_t count[SIM_NCOUNTERS] = {
		[CTR_SCHED16] = 11205, [CTR_INSN] = 1000,   [CTR_LOAD] = 700,
		[CTR_I1_MISS] = 3,     [CTR_L2_I_MISS] = 2, [CTR_D1_RD_MISS] = 5,
		[CTR_L2_RD_MISS] = 1,  [CTR_DTLB_MISS] = 1, [CTR_BR_MISP_TK] = 1,
		[CTR_D1_WB_QW] = 4,
	};

	(void)state;
	for (size_t i = 0; i < sizeof exprs / sizeof exprs[0]; i++) {
		struct sim_expression x;

		errno = 0;
		if (exprs[i].nterms == UINT32_MAX) {
			if (sim_expression_parse(exprs[i].text, &x) != -1 ||
			    errno != EINVAL)
				fail_msg("line %d: accepted", exprs[i].line);
			continue;
		}
		if (sim_expression_parse(exprs[i].text, &x) == -1 ||
		    x.n != exprs[i].nterms)
			fail_msg("line %d: refused", exprs[i].line);
		const uint64_t value = sim_expression_value(&x, &plain, count);
		if (value != exprs[i].value ||
		    sim_expression_needs(&x, &plain) != exprs[i].needs)
			fail_msg("line %d: %lu", exprs[i].line, (unsigned long)value);
	}
}

/* Each row with an expression is encoded; each other row is refused with a reason. */
static void encodes_all_tables(void **state)
{
	unsigned n = 0;

	(void)state;
	for (unsigned t = 0; evtabs[t]; t++)
		for (unsigned i = 0; i < evtabs[t]->n; i++) {
			const struct event *row = &evtabs[t]->ev[i];
			const struct engine_request req = {.name = row->name,
							   .row = row,
							   .tab = evtabs[t],
							   .flags = CPC_COUNT_USER};
			struct sim_machine m = {0};
			struct why why = {""};

			struct evsel *s = sim_encode(&m, &req, &why);
			if (!s == !!row->sim)
				fail_msg("%s::%s: %s", evtabs[t]->name, row->name,
					 why.text);
			if (!s && !*why.text)
				fail_msg("%s::%s: no reason", evtabs[t]->name, row->name);
			n += s != NULL;
			sim_encode_drop(s);
			assert_int_equal(m.users, 0);
			sim_machine_free(&m);
		}
	assert_true(n > 300);
}

static struct evsel *encode(struct sim_machine *m, const char *table, const char *name,
			    unsigned flags, struct why *why)
{
	const struct evtab *tab = table ? evtab_find(table) : NULL;
	const struct engine_request req = {.name = name,
					   .row = tab ? evtab_name(tab, name) : NULL,
					   .tab = tab,
					   .flags = flags};

	errno = 0;
	why->text[0] = '\0';
	return sim_encode(m, &req, why);
}

static const struct {
	int line;
	const char *first_table, *first; /* encoded before, or NULL */
	const char *table, *name;
	unsigned flags;
	int err;
	cpc_class_t class;
	const char *text; /* part of the note or the refusal */
} requests[] = {
	{__LINE__, NULL, NULL, NULL, "insn", CPC_COUNT_USER, 0, CPC_SIMULATED, "exact"},
	{__LINE__, NULL, NULL, NULL, "d1_rd_miss", CPC_COUNT_USER, 0, CPC_SIMULATED,
	 "the generic model: modelled"},
	{__LINE__, NULL, NULL, NULL, "cycles_est", CPC_COUNT_USER, 0, CPC_ESTIMATED,
	 "schedule of the code and a table of costs"},
	{__LINE__, NULL, NULL, "us3", "Instr_cnt", CPC_COUNT_USER, 0, CPC_SIMULATED,
	 "ultrasparc3 model: exact"},
	{__LINE__, NULL, NULL, "us3", "Cycle_cnt", CPC_COUNT_USER, 0, CPC_ESTIMATED,
	 "ultrasparc3 model from a schedule of the code and a table of costs"},
	{__LINE__, NULL, NULL, "us3", "Dispatch0_mispred", CPC_COUNT_USER, 0,
	 CPC_ESTIMATED, "ultrasparc3 model from a table of costs"},
	{__LINE__, NULL, NULL, NULL, "sched16", CPC_COUNT_USER, 0, CPC_ESTIMATED,
	 "generic model from a schedule of the code"},
	{__LINE__, NULL, NULL, "us3", "SW_count_0", CPC_COUNT_USER, 0, CPC_SIMULATED,
	 "as 0"},
	{__LINE__, NULL, NULL, NULL, "bogus", CPC_COUNT_USER, ENOENT, 0, "bogus"},
	{__LINE__, NULL, NULL, "us3", "PC_port0_rd", CPC_COUNT_USER, ENOTSUP, 0,
	 "prefetch cache not modelled"},
	{__LINE__, NULL, NULL, "software", "page-faults", CPC_COUNT_USER, ENOTSUP, 0,
	 "not simulated"},
	{__LINE__, NULL, NULL, "opteron_k8", "DC_access", CPC_COUNT_USER, ENOTSUP, 0,
	 "no model"},
	{__LINE__, NULL, NULL, NULL, "insn", CPC_COUNT_SYSTEM, ENOTSUP, 0, "user mode"},
	{__LINE__, NULL, NULL, NULL, "insn", CPC_COUNT_USER | CPC_COUNT_SYSTEM, ENOTSUP,
	 0, "user mode"},
	/* a session has one machine; exact counters belong to all machines */
	{__LINE__, "us3", "Instr_cnt", "us3plus", "Instr_cnt", CPC_COUNT_USER, 0,
	 CPC_SIMULATED, "ultrasparc3"},
	{__LINE__, "us3", "Instr_cnt", "r10000", "0", CPC_COUNT_USER, EINVAL, 0,
	 "r10000 model, events before it on the ultrasparc3 model"},
	{__LINE__, "us3", "Instr_cnt", NULL, "br_cond", CPC_COUNT_USER, 0, CPC_SIMULATED,
	 ""},
	{__LINE__, NULL, "br_cond", "us3", "Instr_cnt", CPC_COUNT_USER, 0, CPC_SIMULATED,
	 ""},
	{__LINE__, "us3", "Instr_cnt", NULL, "d1_rd", CPC_COUNT_USER, EINVAL, 0,
	 "d1_rd is simulated on the generic model"},
	{__LINE__, NULL, "d1_rd", "us3", "Instr_cnt", CPC_COUNT_USER, EINVAL, 0,
	 "events before it on the generic model"},
	{__LINE__, NULL, NULL, NULL, "l3_wb", CPC_COUNT_USER, 0, CPC_SIMULATED, ""},
	{__LINE__, NULL, NULL, "us3", "PAPI_l3_tcm", CPC_COUNT_USER, ENOENT, 0, ""},
};

static void encodes(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		const char *name = requests[i].name;
		struct sim_machine m = {0};
		struct why why;
		struct evsel *first = NULL;

		if (requests[i].first) {
			first = encode(&m, requests[i].first_table, requests[i].first,
				       CPC_COUNT_USER, &why);
			assert_non_null(first);
		}
		if (strcmp(name, "0") == 0)
			name = evtab_num(evtab_find(requests[i].table), 15)->name;
		struct evsel *s =
			encode(&m, requests[i].table, name, requests[i].flags, &why);
		const int e = s ? 0 : errno;
		const char *text = s ? s->note : why.text;
		if (e != requests[i].err || !strstr(text, requests[i].text) ||
		    (s && s->class != requests[i].class))
			fail_msg("line %d: errno %d, %s", requests[i].line, e, text);
		sim_encode_drop(s);
		sim_encode_drop(first);
		assert_int_equal(m.users, 0);
		sim_machine_free(&m);
	}
}

/* Cycles are the counters that events/sim.vocab estimates. */
static void sources(void **state)
{
	static const struct {
		const char *table, *name;
		enum source want;
	} cases[] = {
		{NULL, "insn", SOURCE_COUNTER},	    {NULL, "d1_rd_miss", SOURCE_COUNTER},
		{NULL, "sched16", SOURCE_COUNTER},  {NULL, "est_base", SOURCE_COSTS},
		{NULL, "cycles_est", SOURCE_COSTS}, {NULL, "est_mem", SOURCE_COSTS},
		{"us3", "Cycle_cnt", SOURCE_COSTS}, {"us3", "Instr_cnt", SOURCE_COUNTER},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct sim_machine m = {0};
		struct why why;
		struct evsel *s =
			encode(&m, cases[i].table, cases[i].name, CPC_COUNT_USER, &why);

		if (!s || sim_encode_source(s) != cases[i].want)
			fail_msg("%s: %s", cases[i].name, s ? "wrong" : why.text);
		sim_encode_drop(s);
		sim_machine_free(&m);
	}
}

/* Each call fails with ENOTSUP and a reason that says what cannot be had. */
static void refuses(int line, int failed, const struct why *why, const char *text)
{
	if (!failed || errno != ENOTSUP || !strstr(why->text, text))
		fail_msg("line %d: errno %d: %s", line, errno, why->text);
}

static void refuses_what_the_model_lacks(void **state)
{
	cpc_attr_t attr = {.ca_name = "zebra", .ca_val = 1};
	const struct engine_request with = {
		.name = "insn", .flags = CPC_COUNT_USER, .nattrs = 1, .attrs = &attr};
	struct sim_machine m = {.model = &plain, .users = 1, .given = 1, .chosen = 1};
	struct why why = {""};

	(void)state;
	refuses(__LINE__, !sim_encode(&m, &with, &why), &why, "attribute 'zebra'");
	refuses(__LINE__, !encode(&m, NULL, "l3_wb", CPC_COUNT_USER, &why), &why,
		"the plain model has no third cache level");
}

static void samples_single_counters_of_simulated_programs(void **state)
{
	const struct engine_request sum = {.name = "cycles_est", .flags = CPC_COUNT_USER},
				    one = {.name = "load", .flags = CPC_COUNT_USER};
	const struct engine_sampling how = {.signo = 10};
	struct sim_run run = {.pages.fd = -1};
	struct why why = {""};

	(void)state;
	refuses(__LINE__, !sim_sampling_encode(&run, &sum, 0, &why), &why,
		"only of a single counter");
	struct evsel *s = sim_sampling_encode(&run, &one, 0, &why);
	assert_non_null(s);
	refuses(__LINE__, sim_sampling_probe(&run, s, &why) == 0, &why,
		"only a simulated program");
	refuses(__LINE__, !sim_sampling_open(s, &how, &why), &why, "no signals");
	sim_encode_drop(s);
	sim_machine_free(&run.machine);
}

static void counts_no_cpus(void **state)
{
	const struct engine_request one = {.name = "load", .flags = CPC_COUNT_USER};
	struct why why = {""};
	struct engine *e = engine_sim.open(&why);

	(void)state;
	assert_non_null(e);
	struct evsel *s = engine_sim.encode(e, &one, &why);
	assert_non_null(s);
	refuses(__LINE__, engine_sim.probe(e, s, 1, &why) == -1, &why,
		"counts programs, not CPUs");
	engine_sim.drop(s);
	engine_sim.close(e);
}

/* A run whose pages the test writes as the simulator does. */
struct bench {
	struct sim_run run;
	struct evsel *sel[2];
	struct group *g;
	struct why why;
	struct pages_head *head;
};

static struct bench *begin(void)
{
	struct bench *b = calloc(1, sizeof *b);
	const struct sim_pages_run of = {0x3f, "", &plain, 0};

	assert_non_null(b);
	b->run.pages.fd = -1;
	b->sel[0] = encode(&b->run.machine, NULL, "load", CPC_COUNT_USER, &b->why);
	b->sel[1] = encode(&b->run.machine, NULL, "store", CPC_COUNT_USER, &b->why);
	assert_non_null(b->sel[0]);
	assert_non_null(b->sel[1]);
	assert_int_equal(sim_pages_make(&b->run.pages, &of), 0);
	b->head = mmap(NULL, PAGES_HEAD_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED,
		       b->run.pages.fd, 0);
	assert_true(b->head != MAP_FAILED);
	return b;
}

static void end(struct bench *b)
{
	sim_group_unbind(b->g);
	for (unsigned i = 0; i < 2; i++)
		sim_encode_drop(b->sel[i]);
	munmap(b->head, PAGES_HEAD_SIZE);
	sim_pages_free(&b->run.pages);
	sim_machine_free(&b->run.machine);
	free(b);
}

static void bind(struct bench *b, pid_t tid, int tree)
{
	const struct target t = {.tid = tid, .pid = tid, .tree = tree};

	b->g = sim_group_bind(&b->run, &t, (const struct evsel *const *)b->sel, 2,
			      &b->why);
	if (!b->g)
		fail_msg("bind: %s", b->why.text);
}

/* Add a page for pid, which the caller unmaps. */
static struct pages_page *add_page(struct bench *b, pid_t pid)
{
	const uint32_t n = b->head->npages++;
	struct pages_page *p =
		mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED, b->run.pages.fd,
		     PAGES_HEAD_SIZE + (off_t)n * PAGES_PAGE_SIZE);

	assert_true(p != MAP_FAILED);
	p->pid = pid;
	p->state = PAGE_RUNNING;
	b->head->pid[n] = pid;
	return p;
}

static void publish(struct pages_page *p, unsigned row, pid_t tid, uint64_t n)
{
	p->seq++;
	if (row >= p->nrows)
		p->nrows = row + 1;
	p->row[row].tid = tid;
	p->row[row].state = ROW_RUNNING;
	for (unsigned i = 0; i < SIM_NCOUNTERS; i++) {
		p->total[i] += n - p->row[row].count[i];
		p->row[row].count[i] = n;
	}
	p->row[row].count[CTR_STORE] = n / 2;
	p->seq++;
}

/* Returns the loads so far, or UINT64_MAX if they are not known. */
static uint64_t loads(struct bench *b)
{
	struct count val[2];
	int64_t ns = 0;
	uint64_t on = 0;

	assert_int_equal(sim_group_read(b->g, val, &ns, &on), 0);
	assert_true(ns > 0);
	if (val[0].running == 0)
		return val[0].enabled ? UINT64_MAX : 0;
	assert_int_equal(val[0].running, val[0].enabled);
	return val[0].count;
}

/* Counts of an LWP: before it begins, while it runs, and after a later bind. */
static void reads_an_lwp(void **state)
{
	struct bench *b = begin();

	(void)state;
	bind(b, getpid(), 0);
	usleep(1);
	assert_int_equal(loads(b), 0);
	struct pages_page *p = add_page(b, getpid());
	assert_int_equal(loads(b), 0);
	publish(p, 0, getpid() + 1, 40);
	assert_int_equal(loads(b), 0);
	publish(p, 40, getpid(), 10);
	assert_int_equal(loads(b), 10);
	publish(p, 40, getpid(), 25);
	assert_int_equal(loads(b), 25);
	/* after an exec the counts continue; a new group begins with 0 */
	sim_group_unbind(b->g);
	bind(b, getpid(), 0);
	usleep(1);
	assert_int_equal(loads(b), 0);
	publish(p, 40, getpid(), 31);
	assert_int_equal(loads(b), 6);
	/* a program that is not simulated has no counts */
	p->state = PAGE_NATIVE;
	assert_true(loads(b) == UINT64_MAX);
	munmap(p, sizeof *p);
	end(b);
}

/* The counts of an LWP that ended without a page are unknown. */
static void has_no_counts_without_a_page(void **state)
{
	struct bench *b = begin();
	const pid_t pid = fork();
	int go[2];

	(void)state;
	if (pid == 0) {
		pause();
		_exit(0);
	}
	assert_int_equal(pipe(go), 0);
	bind(b, pid, 0);
	usleep(1);
	assert_int_equal(loads(b), 0);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(loads(b) == UINT64_MAX);
	close(go[0]);
	close(go[1]);
	end(b);
}

/* A later process with the same pid has another page. */
static void distinguishes_processes_by_page(void **state)
{
	struct bench *b = begin();
	struct pages_page *old = add_page(b, getpid());

	(void)state;
	publish(old, 0, getpid(), 1000);
	old->state = PAGE_ENDED;
	bind(b, getpid(), 0);
	usleep(1);
	assert_int_equal(loads(b), 0);
	struct pages_page *p = add_page(b, getpid());
	publish(p, 0, getpid(), 5);
	assert_int_equal(loads(b), 5);
	munmap(old, sizeof *old);
	munmap(p, sizeof *p);
	end(b);
}

static void sums_a_tree(void **state)
{
	struct bench *b = begin();

	(void)state;
	bind(b, getpid(), 1);
	usleep(1);
	assert_int_equal(loads(b), 0);
	for (int i = 0; i < 3; i++) {
		struct pages_page *p = add_page(b, 100000 + i);

		publish(p, 0, 100000 + i, 7);
		publish(p, 1, 200000 + i, 2);
		munmap(p, sizeof *p);
	}
	assert_int_equal(loads(b), 3 * 9);
	end(b);
}

/* The user's processes may write anything into the pages. */
static void survives_malformed_pages(void **state)
{
	struct bench *b = begin();
	struct pages_page *p = add_page(b, getpid());

	(void)state;
	publish(p, 0, getpid(), 9);
	bind(b, getpid(), 0);
	usleep(1);
	p->nrows = UINT32_MAX;
	p->row[0].tid = 0;
	loads(b);
	p->row[0].tid = getpid();
	/* counts that decrease */
	publish(p, 0, getpid(), 3);
	loads(b);
	/* an update that never ends: the writer is dead or stopped */
	p->seq |= 1;
	publish(p, 0, getpid(), 12);
	p->seq |= 1;
	loads(b);
	b->head->npages = UINT32_MAX;
	loads(b);
	memset(b->head->pid, 0xff, sizeof b->head->pid);
	loads(b);
	munmap(p, sizeof *p);
	/* the file ends before the row of the LWP */
	struct sim_page page;
	uint64_t count[PAGES_COUNTERS];
	unsigned hint = 0;
	assert_int_equal(sim_pages_row(&b->run.pages, 0, getpid(), &hint, &page, count),
			 1);
	assert_int_equal(
		ftruncate(b->run.pages.fd,
			  PAGES_HEAD_SIZE + (off_t)offsetof(struct pages_page, row)),
		0);
	assert_int_equal(sim_pages_row(&b->run.pages, 0, getpid(), &hint, &page, count),
			 0);
	assert_int_equal(ftruncate(b->run.pages.fd, 100), 0);
	loads(b);
	sim_group_unbind(b->g);
	bind(b, getpid(), 1);
	loads(b);
	end(b);
}

static void refuses_targets(void **state)
{
	static const struct {
		struct target t;
		int err;
		const char *text;
	} cases[] = {
		{{.tid = -1}, ENOTSUP, "a CPU cannot be simulated"},
		{{.tid = 0}, ENOTSUP, "start it under"},
		{{.tid = 1}, ENOTSUP, "a running process cannot be simulated"},
	};
	struct sim_run run = {.pages.fd = -1};
	struct why why;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct evsel *s =
			encode(&run.machine, NULL, "insn", CPC_COUNT_USER, &why);
		const struct evsel *const sel[] = {s};

		assert_null(sim_group_bind(&run, &cases[i].t, sel, 1, &why));
		assert_int_equal(errno, cases[i].err);
		assert_non_null(strstr(why.text, cases[i].text));
		sim_encode_drop(s);
	}
}

/* Only an LWP that has ended is ESRCH: here no file of /proc can be opened. */
static void binds_without_descriptors(void **state)
{
	struct bench *b = begin();
	struct rlimit before, none;
	const pid_t child = fork();

	(void)state;
	if (child == 0)
		_exit(0);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = before;
	none.rlim_cur = 0;
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
	bind(b, getpid(), 0);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	const struct target gone = {.tid = child, .pid = child};
	assert_null(sim_group_bind(&b->run, &gone, (const struct evsel *const *)b->sel, 2,
				   &b->why));
	assert_int_equal(errno, ESRCH);
	assert_non_null(strstr(b->why.text, "does not exist any more"));
	end(b);
}

static unsigned notes_seen;
static char note_text[512];

static void keep_note(void *arg, const char *text)
{
	assert_ptr_equal(arg, &notes_seen);
	notes_seen++;
	snprintf(note_text, sizeof note_text, "%s", text);
}

/* The process of the page has ended, and the simulator has ended it. */
static void reports_failures(struct bench *b, struct pages_page *p)
{
	p->notes = PAGE_NOTE_STARTING;
	assert_int_equal(sim_run_failed(&b->run), 1);
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 1);
	assert_non_null(strstr(note_text, "before the program that it executed"));
	p->notes = PAGE_NOTE_GAVE_UP;
	assert_int_equal(sim_run_failed(&b->run), 1);
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 1);
	assert_non_null(strstr(note_text, "ended it: no reason is known; what it did"));
	/* the program may have written there */
	snprintf(p->reason, sizeof p->reason, "so\033[2J");
	sim_run_notes(&b->run, &notes_seen, keep_note);
	assert_non_null(strstr(note_text, "ended it: so?[2J; what it did"));
	memset(p->reason, 'x', sizeof p->reason);
	sim_run_notes(&b->run, &notes_seen, keep_note);
	assert_non_null(strstr(note_text, "xxx; what it did since its last system call"));
	p->notes = PAGE_NOTE_CLONE | PAGE_NOTE_GAVE_UP;
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 2);
	/* it runs still, or has ended by itself */
	p->notes = PAGE_NOTE_STARTING;
	p->pid = getpid();
	assert_int_equal(sim_run_failed(&b->run), 0);
	p->pid = b->head->pid[0];
	p->state = PAGE_ENDED;
	assert_int_equal(sim_run_failed(&b->run), 0);
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 0);
}

static void reports_notes(void **state)
{
	struct bench *b = begin();
	struct pages_page *p = add_page(b, getpid());

	(void)state;
	notes_seen = 0;
	/* the simulator has a page, but the program has not begun */
	assert_int_equal(sim_run_failed(&b->run), 1);
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 1);
	assert_non_null(strstr(note_text, "before the program could start"));
	p->nrows = 1;
	notes_seen = 0;
	assert_int_equal(sim_run_failed(&b->run), 0);
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 0);
	p->notes = PAGE_NOTE_AVX512;
	p->note_pc = 0x1234;
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 1);
	assert_non_null(strstr(note_text, "AVX-512"));
	assert_non_null(strstr(note_text, "0x1234"));
	p->notes = PAGE_NOTE_32BIT | PAGE_NOTE_SETID | PAGE_NOTE_ROWS;
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 3);
	assert_int_equal(notes_seen, 4);
	/* the process is gone, but its page says that it runs */
	p->notes = 0;
	const pid_t pid = fork();
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	p->pid = b->head->pid[0] = pid;
	assert_int_equal(sim_run_notes(&b->run, &notes_seen, keep_note), 1);
	assert_non_null(strstr(note_text, "killed"));
	assert_int_equal(sim_run_failed(&b->run), 0);
	reports_failures(b, p);
	munmap(p, sizeof *p);
	end(b);
}

/* Programs are found as exec finds them; some cannot be simulated. */
static void finds_programs(void **state)
{
	static const unsigned char elf32[64] = {0x7f, 'E', 'L',	     'F',     1,
						1,    1,   [16] = 2, [18] = 3};
	const char *was = getenv("PATH");
	char *path = strdup(was ? was : "/bin:/usr/bin");
	char dir[] = "/tmp/sim-engine.XXXXXX", found[PATH_MAX];
	struct why why;
	static const struct {
		const char *name, *text;
		mode_t mode;
		int err;
		const char *says;
	} files[] = {
		{"plain", "#!/bin/sh\n", 0755, 0, NULL},
		{"twice", "#! plain -x\n", 0755, 0, NULL},
		{"words", "echo\n", 0755, 0, NULL},
		{"noexec", "#!/bin/sh\n", 0644, EACCES, "Permission"},
		{"setid", "#!/bin/sh\n", 04755, ENOTSUP, "set-id or privileged"},
		{"lost", "#!/nonexistent/sh\n", 0755, ENOENT, "nonexistent"},
		{"loop", "#! loop\n", 0755, ELOOP, "loop"},
		{"elf32", NULL, 0755, ENOTSUP, "not for x86-64"},
		{"absent", "", 0, ENOENT, "cannot find"},
	};

	(void)state;
	assert_non_null(path);
	assert_non_null(mkdtemp(dir));
	assert_int_equal(chdir(dir), 0);
	setenv("PATH", dir, 1);
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		FILE *f = files[i].mode ? fopen(files[i].name, "w") : NULL;

		if (f) {
			if (files[i].text)
				fputs(files[i].text, f);
			else
				fwrite(elf32, 1, sizeof elf32, f);
			fclose(f);
			assert_int_equal(chmod(files[i].name, files[i].mode), 0);
		}
		errno = 0;
		why.text[0] = '\0';
		const int e = sim_locate_program(files[i].name, found, &why) ? errno : 0;
		const int says = !files[i].says || strstr(why.text, files[i].says);
		if (e != files[i].err || !says)
			print_error("%s: errno %d, %s\n", files[i].name, e, why.text);
		assert_int_equal(e, files[i].err);
		assert_true(says);
	}
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
		unlink(files[i].name);
	assert_int_equal(chdir("/"), 0);
	assert_int_equal(rmdir(dir), 0);
	setenv("PATH", path, 1);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(computes),
		cmocka_unit_test(encodes_all_tables),
		cmocka_unit_test(encodes),
		cmocka_unit_test(sources),
		cmocka_unit_test(refuses_what_the_model_lacks),
		cmocka_unit_test(samples_single_counters_of_simulated_programs),
		cmocka_unit_test(counts_no_cpus),
		cmocka_unit_test(reads_an_lwp),
		cmocka_unit_test(has_no_counts_without_a_page),
		cmocka_unit_test(distinguishes_processes_by_page),
		cmocka_unit_test(sums_a_tree),
		cmocka_unit_test(survives_malformed_pages),
		cmocka_unit_test(refuses_targets),
		cmocka_unit_test(binds_without_descriptors),
		cmocka_unit_test(reports_notes),
		cmocka_unit_test(finds_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
