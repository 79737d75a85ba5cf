/* CPC_HW_SMPL requests on breakpoints and page faults, whose number is known. */
#include <libcpc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "fake_engine.h"
#include "reported.h"

enum { USER = CPC_COUNT_USER, SMPL = CPC_HW_SMPL, EMT = CPC_OVF_NOTIFY_EMT };

#define EVERY(n) (UINT64_MAX - ((n)-1))

static cpc_t *session(void)
{
	cpc_t *cpc = cpc_open(CPC_VER_CURRENT);

	assert_non_null(cpc);
	cpc_seterrhndlr(cpc, remember);
	memset(&reported, 0, sizeof reported);
	return cpc;
}

/* The breakpoint is at the first instruction of this function. */
__attribute__((noinline, aligned(64))) static void hit(void)
{
	__asm__ volatile("nop");
}

static void hits(unsigned n)
{
	while (n--)
		hit();
}

static const char *at_hit(void)
{
	static char name[64];

	snprintf(name, sizeof name, "mem:%p:x", (void *)(uintptr_t)hit);
	return name;
}

static int add(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t preset,
	       uint_t flags, uint64_t nrecs)
{
	const cpc_attr_t attr = {(char[]){"smpl_nrecs"}, nrecs};
	const int i = cpc_set_add_request(cpc, set, event, preset, USER | flags,
					  (flags & SMPL) != 0, &attr);
	if (i == -1)
		fail_msg("%s: %s", event, reported.text);
	return i;
}

static uint_t records(cpc_t *cpc, cpc_buf_t *buf, int index)
{
	uint_t n = 12345;

	assert_int_equal(cpc_buf_smpl_rec_count(cpc, buf, index, &n), 0);
	return n;
}

static uint64_t item(cpc_t *cpc, cpc_buf_t *buf, int index, uint_t record, int item)
{
	uint64_t v = 0;

	assert_int_equal(cpc_buf_smpl_get_item(cpc, buf, index, record, item, &v), 0);
	return v;
}

static uint64_t value(cpc_t *cpc, cpc_buf_t *buf, int index)
{
	uint64_t v = 0;

	assert_int_equal(cpc_buf_get(cpc, buf, index, &v), 0);
	return v;
}

#define IS_NULL(call, err)                      \
	do {                                    \
		errno = 0;                      \
		assert_null(call);              \
		assert_int_equal(errno, (err)); \
	} while (0)

/* The names that a walk has offered. */
struct list {
	unsigned n;
	char name[32][32];
	int index[32];
};

static void note_name(void *arg, const char *name)
{
	struct list *l = arg;

	if (l->n < 32)
		snprintf(l->name[l->n], sizeof l->name[0], "%s", name);
	l->n++;
}

static void note_on_pic(void *arg, uint_t picno, const char *name)
{
	assert_int_equal(picno, 3);
	note_name(arg, name);
}

static void note_item(void *arg, const char *name, int index)
{
	struct list *l = arg;

	l->index[l->n] = index;
	note_name(arg, name);
}

static void note_item_of(void *arg, cpc_set_t *set, int request, const char *name,
			 int index)
{
	assert_non_null(set);
	assert_int_equal(request, 1);
	note_item(arg, name, index);
}

static int has(const struct list *l, const char *name)
{
	for (unsigned i = 0; i < l->n && i < 32; i++)
		if (strcmp(l->name[i], name) == 0)
			return 1;
	return 0;
}

static void tells_what_there_is(void **state)
{
	cpc_t *cpc = session();
	struct list events = {0}, pic = {0}, counted = {0}, attrs = {0}, items = {0};

	(void)state;
	assert_int_equal(cpc_caps(cpc) & (CPC_CAP_SMPL | CPC_CAP_OVERFLOW_SMPL),
			 CPC_CAP_SMPL | CPC_CAP_OVERFLOW_SMPL);
	assert_int_equal(cpc_smpl_npic(cpc), 32);
	assert_string_equal(cpc_smpl_iname(cpc), "Linux perf_event sampling");
	assert_int_equal(cpc_get_smpl_max_rec_count(cpc), 65536);
	cpc_walk_events_all_common(cpc, &events, CPC_TARGET_SMPL, note_name);
	cpc_walk_events_all_common(cpc, &counted, CPC_TARGET_CPC, note_name);
	cpc_walk_events_pic_common(cpc, 3, &pic, CPC_TARGET_SMPL, note_on_pic);
	assert_true(has(&events, "page_faults") || has(&events, "page-faults"));
	assert_true(counted.n >= events.n);
	assert_int_equal(pic.n, events.n);
	cpc_walk_attrs_common(cpc, &attrs, CPC_TARGET_SMPL, note_name);
	assert_string_equal(attrs.name[0], "smpl_nrecs");
	assert_string_equal(attrs.name[1], "ld_lat_threshold");
	assert_string_equal(attrs.name[attrs.n - 1], "picnum");
	attrs.n = 0;
	cpc_walk_attrs_common(cpc, &attrs, CPC_TARGET_CPC, note_name);
	assert_false(has(&attrs, "smpl_nrecs"));
	cpc_walk_smpl_recitems(cpc, &items, note_item);
	assert_int_equal(items.n, 8);
	assert_string_equal(items.name[0], "pc");
	assert_string_equal(items.name[7], "data_src");
	for (int i = 0; i < 8; i++)
		assert_int_equal(items.index[i], i);
	cpc_close(cpc);
}

static void walks_a_counters_events_for_either_target(void **state)
{
	cpc_t *cpc = session();
	struct list own = {0}, common = {0};

	(void)state;
	cpc_walk_events_pic(cpc, 3, &own, note_on_pic);
	cpc_walk_events_pic_common(cpc, 3, &common, CPC_TARGET_CPC, note_on_pic);
	assert_true(own.n > 0);
	assert_int_equal(common.n, own.n);
	assert_memory_equal(common.name, own.name, sizeof own.name);
	cpc_close(cpc);
}

static void walks_nothing_for_other_targets(void **state)
{
	cpc_t *cpc = session();
	struct list l = {0};

	(void)state;
	for (int target = -1; target <= 4; target++) {
		if (target == CPC_TARGET_CPC || target == CPC_TARGET_SMPL)
			continue;
		errno = 0;
		cpc_walk_events_all_common(cpc, &l, target, note_name);
		assert_int_equal(errno, EINVAL);
		errno = 0;
		cpc_walk_events_pic_common(cpc, 3, &l, target, note_on_pic);
		assert_int_equal(errno, EINVAL);
		errno = 0;
		cpc_walk_attrs_common(cpc, &l, target, note_name);
		assert_int_equal(errno, EINVAL);
	}
	errno = 0;
	cpc_walk_events_pic_common(cpc, 32, &l, CPC_TARGET_SMPL, note_on_pic);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(l.n, 0);
	cpc_close(cpc);
}

static const struct {
	int line;
	const char *event;
	uint64_t preset;
	uint_t flags, nattrs;
	cpc_attr_t attrs[3];
	int err, subcode; /* 0: the request is accepted */
} requests[] = {
#define NRECS(n)                          \
	{                                 \
		(char[]){"smpl_nrecs"}, n \
	}
#define THRESHOLD(n)                            \
	{                                       \
		(char[]){"ld_lat_threshold"}, n \
	}
#define PICNUM(n)                     \
	{                             \
		(char[]){"picnum"}, n \
	}
	{__LINE__, "page-faults", EVERY(1), SMPL, 1, {NRECS(1)}, 0, 0},
	{__LINE__, "page-faults", EVERY(1), SMPL | EMT, 1, {NRECS(65536)}, 0, 0},
	{__LINE__, "page-faults", EVERY(1), SMPL, 2, {PICNUM(31), NRECS(1)}, 0, 0},
	{__LINE__,
	 "page-faults",
	 UINT64_C(1) << 63,
	 SMPL,
	 1,
	 {NRECS(1)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__, "page-faults", (UINT64_C(1) << 63) + 1, SMPL, 1, {NRECS(1)}, 0, 0},
	{__LINE__,
	 "page-faults",
	 0,
	 SMPL,
	 1,
	 {NRECS(1)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 0,
	 {NRECS(1)},
	 EINVAL,
	 CPC_INVALID_ATTRIBUTE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 1,
	 {NRECS(0)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 1,
	 {NRECS(65537)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 1,
	 {NRECS(UINT64_MAX)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 2,
	 {NRECS(1), PICNUM(32)},
	 EINVAL,
	 CPC_INVALID_PICNUM},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 2,
	 {NRECS(1), THRESHOLD(0)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 2,
	 {NRECS(1), THRESHOLD(65536)},
	 EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 2,
	 {NRECS(1), THRESHOLD(9)},
	 EINVAL,
	 CPC_INVALID_ATTRIBUTE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL,
	 2,
	 {NRECS(1), {NULL, 9}},
	 EINVAL,
	 CPC_INVALID_ATTRIBUTE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 0,
	 1,
	 {NRECS(1)},
	 EINVAL,
	 CPC_INVALID_ATTRIBUTE},
	{__LINE__,
	 "page-faults",
	 EVERY(1),
	 SMPL | 0x20,
	 1,
	 {NRECS(1)},
	 EINVAL,
	 CPC_REQ_INVALID_FLAGS},
	{__LINE__,
	 "page_faultz",
	 EVERY(1),
	 SMPL,
	 1,
	 {NRECS(1)},
	 EINVAL,
	 CPC_INVALID_EVENT},
};

static void checks_requests(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		cpc_t *cpc = session();
		cpc_set_t *set = cpc_set_create(cpc);

		errno = 0;
		const int index = cpc_set_add_request(
			cpc, set, requests[i].event, requests[i].preset,
			USER | requests[i].flags, requests[i].nattrs, requests[i].attrs);
		if ((index == -1) != (requests[i].err != 0) ||
		    (index == -1 && errno != requests[i].err) ||
		    reported.subcode != requests[i].subcode)
			fail_msg("line %d: index %d, errno %d, subcode %d: %s",
				 requests[i].line, index, errno, reported.subcode,
				 reported.text);
		cpc_close(cpc);
	}
}

/* Requests that count stand between requests for records: each keeps its index. */
static void samples_and_counts(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set = cpc_set_create(cpc);
	struct list items = {0};

	(void)state;
	need_breakpoints();
	assert_int_equal(add(cpc, set, at_hit(), EVERY(4), SMPL, 100), 0);
	assert_int_equal(add(cpc, set, "page-faults", EVERY(1), SMPL, 100), 1);
	assert_int_equal(add(cpc, set, at_hit(), 1000, 0, 0), 2);
	assert_int_equal(add(cpc, set, "task-clock", EVERY(1000000), SMPL, 50), 3);
	assert_int_equal(add(cpc, set, "page-faults", 0, 0, 0), 4);
	cpc_walk_smpl_recitems_req(cpc, set, 1, &items, note_item_of);
	assert_int_equal(items.n, 5); /* pc tid time addr cpu */
	assert_true(has(&items, "addr") && has(&items, "cpu") && !has(&items, "period"));
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	volatile char *map = mmap(NULL, page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (cpc_bind_curlwp(cpc, set, 0) == -1)
		fail_msg("%s", reported.text);
	hits(42);
	map[7] = 1;
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(records(cpc, buf, 0), 10);
	for (unsigned i = 0; i < 10; i++) {
		uint64_t *rec = cpc_buf_smpl_get_record(cpc, buf, 0, i);

		assert_int_equal(rec[0], (uintptr_t)hit);
		assert_int_equal(item(cpc, buf, 0, i, 0), (uintptr_t)hit);
		assert_int_equal(item(cpc, buf, 0, i, 1), gettid());
		assert_true((int64_t)item(cpc, buf, 0, i, 2) <= cpc_buf_hrtime(cpc, buf));
	}
	unsigned found = 0;
	for (unsigned i = 0; i < records(cpc, buf, 1); i++)
		found += item(cpc, buf, 1, i, 3) == (uintptr_t)&map[7];
	assert_int_equal(found, 1);
	assert_int_equal(value(cpc, buf, 2), 1042);
	assert_true(value(cpc, buf, 4) >= 1);
	assert_true(cpc_buf_tick(cpc, buf) > 0);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	FAILS(cpc_set_sample(cpc, set, buf), EINVAL);
	munmap((void *)map, page);
	cpc_close(cpc);
}

/* Without counters the events of the records give the times. */
static void samples_without_counters(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set = cpc_set_create(cpc);
	uint64_t lost;

	(void)state;
	need_breakpoints();
	add(cpc, set, at_hit(), EVERY(1), SMPL, 10);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	hits(25);
	for (unsigned left = 25;; left -= 10) {
		assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
		assert_int_equal(records(cpc, buf, 0), left < 10 ? left : 10);
		assert_true(cpc_buf_hrtime(cpc, buf) > 0 && cpc_buf_tick(cpc, buf) > 0);
		if (left < 10)
			break;
	}
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(records(cpc, buf, 0), 0);
	hits(2000);
	unsigned n = 0;
	do {
		assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
		n += records(cpc, buf, 0);
	} while (records(cpc, buf, 0) == 10);
	hit();
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	n += records(cpc, buf, 0);
	assert_int_equal(cpc_buf_smpl_lost(cpc, buf, 0, &lost), 0);
	assert_true(lost > 0);
	assert_int_equal(n + lost, 2001);
	cpc_close(cpc);
}

/* The handler does what the third example of cpc_bind_curlwp(3CPC) does. */
static struct {
	cpc_t *cpc;
	cpc_set_t *set;
	cpc_buf_t *buf;
	volatile unsigned calls, bad, records;
	int restart;
} example;

static unsigned drain(void)
{
	unsigned n = 0;
	uint_t count;

	do {
		count = 0;
		if (cpc_set_sample(example.cpc, example.set, example.buf) ||
		    cpc_buf_smpl_rec_count(example.cpc, example.buf, 1, &count))
			example.bad++;
		for (uint_t i = 0; i < count; i++)
			example.bad += cpc_buf_smpl_get_record(example.cpc, example.buf,
							       1, i)[0] != (uintptr_t)hit;
		n += count;
	} while (count == 10);
	return n;
}

static void on_emt(int signo, siginfo_t *si, void *context)
{
	(void)context;
	example.calls++;
	if (signo != SIGEMT || si->si_code != EMT_CPCOVF)
		example.bad++;
	example.bad += cpc_disable(example.cpc) != 0;
	hits(3); /* records that were not read yet */
	example.records += drain();
	example.bad += cpc_enable(example.cpc) != 0;
	if (example.restart)
		example.bad += cpc_set_restart(example.cpc, example.set) != 0;
}

/* On arm64 a signal at a breakpoint makes the LWP hit the breakpoint once more. */
static void drains_in_the_handler(void **state)
{
	struct sigaction sa = {.sa_flags = SA_SIGINFO | SA_RESTART};

	(void)state;
	need_breakpoints();
#if !defined(__x86_64__)
	print_message("breakpoints count signals' returns too\n");
	skip();
#endif
	sa.sa_sigaction = on_emt;
	sigemptyset(&sa.sa_mask);
	assert_int_equal(sigaction(SIGEMT, &sa, NULL), 0);
	for (int restart = 0; restart < 2; restart++) {
		memset(&example, 0, sizeof example);
		example.restart = restart;
		example.cpc = session();
		example.set = cpc_set_create(example.cpc);
		add(example.cpc, example.set, "page-faults", 0, 0, 0);
		add(example.cpc, example.set, at_hit(), EVERY(1), SMPL | EMT, 10);
		add(example.cpc, example.set, at_hit(), 0, 0, 0);
		example.buf = cpc_buf_create(example.cpc, example.set);
		assert_int_equal(cpc_bind_curlwp(example.cpc, example.set, 0), 0);
		hits(1004);
		assert_int_equal(cpc_disable(example.cpc), 0);
		assert_int_equal(example.calls, 100);
		assert_int_equal(example.records, 1000);
		assert_int_equal(drain(), 4);
		assert_int_equal(example.bad, 0);
		assert_int_equal(value(example.cpc, example.buf, 2), restart ? 4 : 1004);
		cpc_close(example.cpc);
	}
	signal(SIGEMT, SIG_DFL);
}

/* A new period is used from the next restart on. */
static void presets_anew(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	need_breakpoints();
	add(cpc, set, at_hit(), EVERY(10), SMPL, 100);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	assert_int_equal(cpc_request_preset(cpc, 0, EVERY(2)), 0);
	hits(20);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(records(cpc, buf, 0), 2);
	assert_int_equal(cpc_set_restart(cpc, set), 0);
	hits(20);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	hits(20);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	assert_int_equal(records(cpc, buf, 0), 10);
	cpc_close(cpc);
}

static void computes_without_records(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set = cpc_set_create(cpc);
	uint64_t lost;

	(void)state;
	need_breakpoints();
	add(cpc, set, at_hit(), EVERY(1), SMPL, 20);
	cpc_buf_t *a = cpc_buf_create(cpc, set), *b = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	hits(7);
	assert_int_equal(cpc_set_sample(cpc, set, a), 0);
	cpc_buf_copy(cpc, b, a);
	assert_int_equal(records(cpc, b, 0), 7);
	assert_int_equal(item(cpc, b, 0, 6, 0), (uintptr_t)hit);
	cpc_buf_copy(cpc, b, b);
	assert_int_equal(records(cpc, b, 0), 7);
	cpc_buf_add(cpc, b, a, a);
	assert_int_equal(records(cpc, b, 0), 0);
	assert_int_equal(records(cpc, a, 0), 7);
	cpc_buf_sub(cpc, a, a, b);
	assert_int_equal(records(cpc, a, 0), 0);
	hits(3);
	assert_int_equal(cpc_set_sample(cpc, set, a), 0);
	cpc_buf_zero(cpc, a);
	assert_int_equal(records(cpc, a, 0), 0);
	assert_int_equal(cpc_buf_smpl_lost(cpc, a, 0, &lost), 0);
	assert_int_equal(lost, 0);
	cpc_close(cpc);
}

/* Bufs with room for other numbers of records have another size. */
static void keeps_sizes_apart(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set[3];
	cpc_buf_t *buf[3];

	(void)state;
	need_breakpoints();
	for (unsigned i = 0; i < 3; i++) {
		set[i] = cpc_set_create(cpc);
		add(cpc, set[i], at_hit(), EVERY(1), i ? SMPL : 0, i * 10);
		buf[i] = cpc_buf_create(cpc, set[i]);
	}
	assert_int_equal(cpc_bind_curlwp(cpc, set[1], 0), 0);
	hits(5);
	FAILS(cpc_set_sample(cpc, set[1], buf[0]), EINVAL);
	FAILS(cpc_set_sample(cpc, set[1], buf[2]), EINVAL);
	assert_int_equal(cpc_set_sample(cpc, set[1], buf[1]), 0);
	assert_int_equal(records(cpc, buf[1], 0), 5);
	cpc_buf_copy(cpc, buf[2], buf[1]);
	cpc_buf_copy(cpc, buf[0], buf[1]);
	cpc_buf_add(cpc, buf[1], buf[2], buf[2]);
	assert_int_equal(records(cpc, buf[2], 0), 0);
	assert_int_equal(records(cpc, buf[1], 0), 5);
	assert_int_equal(value(cpc, buf[0], 0), 0);
	/* a buf of another set with room for as many records */
	cpc_set_t *same = cpc_set_create(cpc);
	add(cpc, same, at_hit(), EVERY(1), SMPL, 10);
	cpc_buf_t *fits = cpc_buf_create(cpc, same);
	cpc_buf_copy(cpc, fits, buf[1]);
	assert_int_equal(records(cpc, fits, 0), 5);
	hits(2);
	assert_int_equal(cpc_set_sample(cpc, set[1], fits), 0);
	assert_int_equal(records(cpc, fits, 0), 2);
	cpc_close(cpc);
}

static void refuses_bad_indices(void **state)
{
	cpc_t *cpc = session(), *other = session();
	cpc_set_t *set = cpc_set_create(cpc);
	cpc_value_t v;
	struct list l = {0};
	uint64_t val;
	uint_t n;

	(void)state;
	need_breakpoints();
	add(cpc, set, at_hit(), 0, 0, 0);
	add(cpc, set, at_hit(), EVERY(1), SMPL, 5);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_curlwp(cpc, set, 0), 0);
	hits(2);
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	for (int i = -1; i <= 2; i++) {
		if (i == 1)
			continue;
		FAILS(cpc_buf_smpl_rec_count(cpc, buf, i, &n), EINVAL);
		FAILS(cpc_buf_smpl_lost(cpc, buf, i, &val), EINVAL);
		FAILS(cpc_buf_smpl_get_item(cpc, buf, i, 0, 0, &val), EINVAL);
		IS_NULL(cpc_buf_smpl_get_record(cpc, buf, i, 0), EINVAL);
		errno = 0;
		cpc_walk_smpl_recitems_req(cpc, set, i, &l, note_item_of);
		assert_int_equal(errno, EINVAL);
	}
	FAILS(cpc_buf_get(cpc, buf, 1, &val), EINVAL);
	FAILS(cpc_buf_set(cpc, buf, 1, 5), EINVAL);
	FAILS(cpc_buf_value(cpc, buf, 1, &v), EINVAL);
	IS_NULL(cpc_buf_smpl_get_record(cpc, buf, 1, 2), EINVAL);
	IS_NULL(cpc_buf_smpl_get_record(cpc, buf, 1, UINT32_MAX), EINVAL);
	FAILS(cpc_buf_smpl_get_item(cpc, buf, 1, 2, 0, &val), EINVAL);
	FAILS(cpc_buf_smpl_get_item(cpc, buf, 1, 0, -1, &val), EINVAL);
	FAILS(cpc_buf_smpl_get_item(cpc, buf, 1, 0, 8, &val), EINVAL);
	FAILS(cpc_buf_smpl_get_item(cpc, buf, 1, 0, 6, &val), EINVAL); /* a hole */
	FAILS(cpc_buf_smpl_rec_count(other, buf, 1, &n), EINVAL);
	FAILS(cpc_buf_smpl_rec_count(cpc, NULL, 1, &n), EINVAL);
	FAILS(cpc_buf_smpl_rec_count(NULL, buf, 1, &n), EINVAL);
	errno = 0;
	cpc_walk_smpl_recitems_req(other, set, 1, &l, note_item_of);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	cpc_walk_smpl_recitems_req(cpc, NULL, 1, &l, note_item_of);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(l.n, 0);
	cpc_close(other);
	cpc_close(cpc);
}

/* A walk shows the attributes of a request in their order, with those of sampling. */
static void note_request(void *arg, int index, const char *event, uint64_t preset,
			 uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	(void)event, (void)preset;
	assert_int_equal(index, 0);
	assert_int_equal(flags, USER | SMPL);
	assert_int_equal(nattrs, 1);
	assert_string_equal(attrs[0].ca_name, "smpl_nrecs");
	assert_int_equal(attrs[0].ca_val, 5);
	++*(int *)arg;
}

static void shows_requests(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set = cpc_set_create(cpc);
	int calls = 0;

	(void)state;
	add(cpc, set, "page-faults", EVERY(1), SMPL, 5);
	cpc_walk_requests(cpc, set, &calls, note_request);
	assert_int_equal(calls, 1);
	cpc_close(cpc);
}

static void is_for_lwps_only(void **state)
{
	cpc_t *cpc = session();
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	add(cpc, set, "page-faults", EVERY(1), SMPL, 5);
	FAILS(cpc_bind_cpu(cpc, 0, set, CPC_FLAGS_NORELE), ENOTSUP);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	cpc_close(cpc);
}

/* An engine that takes no records. */
static void says_that_there_is_none(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	cpc_set_t *set = cpc_set_create(cpc);
	const cpc_attr_t attr = {(char[]){"smpl_nrecs"}, 5};
	struct list l = {0};

	(void)state;
	cpc_seterrhndlr(cpc, remember);
	assert_int_equal(cpc_caps(cpc) & (CPC_CAP_SMPL | CPC_CAP_OVERFLOW_SMPL), 0);
	assert_int_equal(cpc_smpl_npic(cpc), 0);
	assert_int_equal(cpc_get_smpl_max_rec_count(cpc), 0);
	assert_string_equal(cpc_smpl_iname(cpc), "No sampling");
	cpc_walk_smpl_recitems(cpc, &l, note_item);
	cpc_walk_events_all_common(cpc, &l, CPC_TARGET_SMPL, note_name);
	assert_int_equal(l.n, 0);
	FAILS(cpc_set_add_request(cpc, set, "own_alpha", EVERY(1), USER | SMPL, 1, &attr),
	      ENOTSUP);
	cpc_close(cpc);
	assert_int_equal(fake.evsels, 0);
}

static struct evsel *encode_any(struct engine *e, const struct engine_request *req,
				unsigned latency, struct why *why)
{
	(void)latency;
	return fake_encode(e, req, why);
}

static uint64_t give_all_items(struct engine *e, const struct evsel *s, struct why *why)
{
	(void)e, (void)s, (void)why;
	return (1u << ENGINE_NITEMS) - 1;
}

/* The engine offers a name that it does not know. */
static void walk_with_stranger(struct engine *e, const struct engine_walk *w)
{
	(void)e;
	w->name(w->arg, "own_alpha", NULL);
	w->name(w->arg, "stranger", NULL);
	w->name(w->arg, "own_beta", NULL);
}

static void walks_only_names_that_it_knows(void **state)
{
	static const struct engine_records takes = {.encode = encode_any,
						    .probe = give_all_items};
	struct engine_ops ops = fake_ops;
	cpc_t *cpc = fake_session(NULL);
	struct list sampled = {0}, counted = {0};

	(void)state;
	ops.records = &takes;
	ops.walk = walk_with_stranger;
	cpc->scope.ops = &ops;
	cpc_walk_events_all_common(cpc, &counted, CPC_TARGET_CPC, note_name);
	cpc_walk_events_all_common(cpc, &sampled, CPC_TARGET_SMPL, note_name);
	assert_true(has(&counted, "stranger"));
	assert_false(has(&sampled, "stranger"));
	assert_true(has(&sampled, "own_alpha"));
	assert_true(has(&sampled, "own_beta"));
	assert_int_equal(fake.evsels, 0);
	cpc_close(cpc);
}

/* Each turn executes at least two instructions. */
__attribute__((noinline, aligned(64), no_sanitize("address"),
	       no_sanitize("undefined"))) static void
spin(uint64_t turns)
{
	for (volatile uint64_t i = 0; i < turns; i++)
		;
}

static volatile unsigned cycle_calls, cycle_bad, cycle_records, cycle_inside;

static void on_cycles(int signo, siginfo_t *si, void *context)
{
	uint_t count = 0;

	(void)context;
	cycle_calls++;
	cycle_bad += signo != SIGEMT || si->si_code != EMT_CPCOVF;
	cycle_bad += cpc_disable(example.cpc) != 0;
	do {
		cycle_bad += cpc_set_sample(example.cpc, example.set, example.buf) != 0;
		cpc_buf_smpl_rec_count(example.cpc, example.buf, 1, &count);
		for (uint_t i = 0; i < count; i++) {
			const uint64_t pc = cpc_buf_smpl_get_record(example.cpc,
								    example.buf, 1, i)[0];

			cycle_inside +=
				pc >= (uintptr_t)spin && pc < (uintptr_t)spin + 128;
		}
		cycle_records += count;
	} while (count == 50);
	cycle_bad += cpc_enable(example.cpc) != 0;
	cycle_bad += cpc_set_restart(example.cpc, example.set) != 0;
}

/*
 * Cycles are sampled beside a counter of instructions: 40 times 50 records, and none is
 * lost.
 */
static void drains_cycles(void **state)
{
	struct sigaction sa = {.sa_flags = SA_SIGINFO | SA_RESTART};
	uint64_t lost;

	(void)state;
	sa.sa_sigaction = on_cycles;
	sigemptyset(&sa.sa_mask);
	assert_int_equal(sigaction(SIGEMT, &sa, NULL), 0);
	memset(&example, 0, sizeof example);
	example.cpc = session();
	example.set = cpc_set_create(example.cpc);
	add(example.cpc, example.set, "instructions", 0, 0, 0);
	add(example.cpc, example.set, "cycles", EVERY(20000), SMPL | EMT, 50);
	example.buf = cpc_buf_create(example.cpc, example.set);
	if (cpc_bind_curlwp(example.cpc, example.set, 0) == -1)
		fail_msg("%s", reported.text);
	for (unsigned i = 0; i < 2000 && cycle_calls < 40; i++)
		spin(10000);
	assert_int_equal(cpc_disable(example.cpc), 0);
	assert_int_equal(cpc_set_sample(example.cpc, example.set, example.buf), 0);
	assert_int_equal(cpc_buf_smpl_lost(example.cpc, example.buf, 1, &lost), 0);
	print_message("%u signals, %u records, %u of them in the loop\n", cycle_calls,
		      cycle_records, cycle_inside);
	assert_int_equal(cycle_bad, 0);
	assert_int_equal(lost, 0);
	assert_int_equal(cycle_calls, 40);
	assert_true(cycle_records >= 40 * 50);
	assert_true(cycle_inside >= cycle_records / 10 * 9);
	cpc_close(example.cpc);
	signal(SIGEMT, SIG_DFL);
}

int main(void)
{
	const struct CMUnitTest guest_tests[] = {
		cmocka_unit_test(drains_cycles),
	};
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_what_there_is),
		cmocka_unit_test(walks_a_counters_events_for_either_target),
		cmocka_unit_test(walks_nothing_for_other_targets),
		cmocka_unit_test(walks_only_names_that_it_knows),
		cmocka_unit_test(checks_requests),
		cmocka_unit_test(samples_and_counts),
		cmocka_unit_test(samples_without_counters),
		cmocka_unit_test(drains_in_the_handler),
		cmocka_unit_test(presets_anew),
		cmocka_unit_test(computes_without_records),
		cmocka_unit_test(keeps_sizes_apart),
		cmocka_unit_test(refuses_bad_indices),
		cmocka_unit_test(shows_requests),
		cmocka_unit_test(is_for_lwps_only),
		cmocka_unit_test(says_that_there_is_none),
	};

	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	if (!getenv("GUEST"))
		return failed;
	return failed + cmocka_run_group_tests(guest_tests, NULL, NULL);
}
