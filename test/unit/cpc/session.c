#include <libcpc.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "breakpoints.h"
#include "cpc/place.h"
#include "cpc/session.h"
#include "fake_engine.h"
#include "pctx/table.h"
#include "reported.h"

enum { TID = 4242, USER = CPC_COUNT_USER, SYS = CPC_COUNT_SYSTEM };

static cpc_t *session(const char *cpu)
{
	cpc_t *cpc = fake_session(cpu);

	cpc_seterrhndlr(cpc, remember);
	memset(&reported, 0, sizeof reported);
	return cpc;
}

/*
 * A process with one LWP that exists in the table only: the engine of these tests looks
 * at its tid and nothing else.
 */
static pctx_t *process(void)
{
	struct tracer *t = tracer_new(0, 0, NULL);

	assert_non_null(t);
	t->root = proc_new(t, TID, NULL);
	lwp_join(lwp_new(t, TID, LWP_ANNOUNCED), t->root);
	return t->root;
}

static int add(cpc_t *cpc, cpc_set_t *set, const char *event)
{
	return cpc_set_add_request(cpc, set, event, 0, USER, 0, NULL);
}

static int add_on(cpc_t *cpc, cpc_set_t *set, const char *event, uint64_t pic)
{
	cpc_attr_t attr = {(char[]){"picnum"}, pic};

	return cpc_set_add_request(cpc, set, event, 0, USER, 1, &attr);
}

#define IS_NULL(call, err)                      \
	do {                                    \
		errno = 0;                      \
		assert_null(call);              \
		assert_int_equal(errno, (err)); \
	} while (0)

static void opens(void **state)
{
	(void)state;
	IS_NULL(cpc_open(CPC_VER_NONE), EINVAL);
	IS_NULL(cpc_open(CPC_VER_CURRENT + 1), EINVAL);
	IS_NULL(cpc_open_cpu(CPC_VER_CURRENT, "us99", NULL), EINVAL);
	IS_NULL(cpc_open_cpu(CPC_VER_CURRENT, "", NULL), EINVAL);
	IS_NULL(cpc_open_cpu(CPC_VER_CURRENT, NULL, "none"), EINVAL);
	IS_NULL(cpc_open_cpu(CPC_VER_CURRENT, NULL, ""), EINVAL);
	for (unsigned i = 0; i < 3; i++) {
		cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, i ? "us3" : NULL,
					  i == 0   ? NULL
					  : i == 1 ? "auto"
						   : "kernel");
		assert_non_null(cpc);
		assert_int_equal(cpc_npic(cpc), i ? 2 : 256);
		assert_int_equal(cpc_caps(cpc),
				 CPC_CAP_OVERFLOW_INTERRUPT | CPC_CAP_OVERFLOW_PRECISE |
					 CPC_CAP_SMPL | CPC_CAP_OVERFLOW_SMPL);
		assert_int_equal(cpc_close(cpc), 0);
	}
	assert_int_equal(cpc_close(NULL), 0);
}

static void names_of_session(void **state)
{
	cpc_t *host = session(NULL);

	(void)state;
	assert_string_equal(cpc_cciname(host), "Fake");
	assert_int_equal(cpc_npic(host), FAKE_NPIC);
	assert_non_null(strstr(cpc_cpuref(host), "perf_event_open(2)"));
	cpc_close(host);
	cpc_t *cpc = session("us12");
	assert_string_equal(cpc_cciname(cpc), "UltraSPARC I&II");
	assert_string_equal(cpc_cpuref(cpc), evtab_find("us12")->cpuref);
	cpc_close(cpc);
}

static const struct {
	int line;
	const char *cpu, *event;
	unsigned flags;
	const char *attr; /* or NULL */
	uint64_t val;
	int err; /* 0: the request is accepted */
	int subcode;
	const char *text;
} requests[] = {
	{__LINE__, "us3", "DC_rd", USER, NULL, 0, 0, 0, NULL},
	{__LINE__, "us3", "DC_rd", 0, NULL, 0, 0, 0, NULL},
	{__LINE__, "us3", "0x9", USER | SYS, NULL, 0, 0, 0, NULL},
	{__LINE__, "us12", "PAPI_tot_cyc", USER, NULL, 0, 0, 0, NULL},
	{__LINE__, "us3", "DC_rd", USER, "picnum", 0, 0, 0, NULL},
	{__LINE__, "us3", "DC_rd", USER, "picnum", 1, EINVAL, CPC_PIC_NOT_CAPABLE,
	 "Counter cannot count requested event: DC_rd"},
	{__LINE__, "us3", "DC_rd", USER, "picnum", 2, EINVAL, CPC_INVALID_PICNUM,
	 "Invalid counter number: DC_rd"},
	{__LINE__, "us3", "DC_rd", USER, "picnum", UINT64_MAX, EINVAL, CPC_INVALID_PICNUM,
	 "Invalid counter number: DC_rd"},
	{__LINE__, "us3", "DC_rdd", USER, NULL, 0, EINVAL, CPC_INVALID_EVENT,
	 "Unknown event: DC_rdd; did you mean 'DC_rd'?"},
	{__LINE__, "us3", "qqqqqqqq", USER, NULL, 0, EINVAL, CPC_INVALID_EVENT,
	 "Unknown event: qqqqqqqq"},
	{__LINE__, "us3", "DC_rd", USER, "edge", 1, EINVAL, CPC_INVALID_ATTRIBUTE,
	 "Unknown attribute: edge"},
	{__LINE__, "us3", "DC_rd", USER | 0x80, NULL, 0, EINVAL, CPC_REQ_INVALID_FLAGS,
	 "Invalid flags in a request: DC_rd"},
	{__LINE__, "us3", "DC_rd", USER | SYS | CPC_COUNT_HV, NULL, 0, EACCES,
	 CPC_HV_NO_ACCESS,
	 "Hypervisor event access denied: DC_rd: Linux does not tell whether this "
	 "machine can count its hypervisor; leave CPC_COUNT_HV out"},
	{__LINE__, "us3", "DC_rd", 0x20, NULL, 0, EINVAL, CPC_REQ_INVALID_FLAGS,
	 "Invalid flags in a request: DC_rd"},
	{__LINE__, "opteron_k8", "DC_access", USER, "cmask", 0xff, 0, 0, NULL},
	{__LINE__, "opteron_k8", "DC_access", USER, "cmask", 0x100, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE, "Attribute out of range: cmask"},
	{__LINE__, "opteron_k8", "DC_access", USER, "edge", 2, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE, "Attribute out of range: edge"},
	{__LINE__, "opteron_k8", "DC_access", USER, "edge", 0, 0, 0, NULL},
	{__LINE__, "opteron_k8", "DC_access", USER, "Edge", 1, EINVAL,
	 CPC_INVALID_ATTRIBUTE, "Unknown attribute: Edge"},
	{__LINE__, "opteron_k8", "DC_access", USER, "", 1, EINVAL, CPC_INVALID_ATTRIBUTE,
	 "Unknown attribute: "},
	{__LINE__, "opteron_k8", "DC_refill_from_L2", USER, "umask", 0x1f, 0, 0, NULL},
	{__LINE__, "opteron_k8", "DC_refill_from_L2", USER, "umask", 0x20, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE,
	 "Attribute out of range: umask: DC_refill_from_L2 takes only bits of 0x1f"},
	{__LINE__, "opteron_k8", "DC_access", USER, "umask", 1, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE,
	 "Attribute out of range: umask: DC_access takes only bits of 0"},
	{__LINE__, "opteron_k8", "0x42", USER, "umask", 0x3f, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE,
	 "Attribute out of range: umask: 0x42 takes only bits of 0x1f"},
	{__LINE__, "opteron_k8", "PAPI_l1_ldm", USER, "umask", 0x3f, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE,
	 "Attribute out of range: umask: PAPI_l1_ldm takes only bits of 0x1f"},
	{__LINE__, "ultrasparc_t2", "IC_miss", USER, "emask", 0x33, 0, 0, NULL},
	{__LINE__, "ultrasparc_t2", "IC_miss", USER, "emask", 0x37, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE,
	 "Attribute out of range: emask: IC_miss takes only bits of 0x33"},
	{__LINE__, "p4", "branch_retired", USER, "emask", 0xf, 0, 0, NULL},
	{__LINE__, "p4", "branch_retired", USER, "emask", 0x10, EINVAL,
	 CPC_ATTRIBUTE_OUT_OF_RANGE,
	 "Attribute out of range: emask: branch_retired takes only bits of 0xf"},
	{__LINE__, "p4", "branch_retired", USER, "tag", 15, 0, 0, NULL},
	{__LINE__, NULL, "own_alpha", USER, "cmask", UINT64_MAX, 0, 0, NULL},
	{__LINE__, NULL, "own_alpha", USER, "umask", 1, EINVAL, CPC_INVALID_ATTRIBUTE,
	 "Unknown attribute: umask"},
	{__LINE__, NULL, "own_alpha", USER, "picnum", FAKE_NPIC, EINVAL,
	 CPC_INVALID_PICNUM, "Invalid counter number: own_alpha"},
	{__LINE__, NULL, "task-clock", USER, "picnum", FAKE_NPIC - 1, 0, 0, NULL},
	{__LINE__, NULL, "refused", USER, NULL, 0, ENOENT, CPC_REFUSED,
	 "refused: not here, look elsewhere"},
	{__LINE__, NULL, "own_epsilon", USER, NULL, 0, ENOENT, CPC_REFUSED,
	 "epsilon: this machine does not have it"},
};

static void takes_requests(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		cpc_t *cpc = session(requests[i].cpu);
		cpc_set_t *set = cpc_set_create(cpc);
		char name[32];
		cpc_attr_t attr = {name, requests[i].val};

		snprintf(name, sizeof name, "%s",
			 requests[i].attr ? requests[i].attr : "");
		errno = 0;
		const int r = cpc_set_add_request(cpc, set, requests[i].event, 0,
						  requests[i].flags,
						  requests[i].attr != NULL, &attr);
		const int e = r == -1 ? errno : 0;
		const int wrong_words =
			requests[i].err &&
			(reported.calls != 1 || reported.subcode != requests[i].subcode ||
			 strcmp(reported.text, requests[i].text) != 0 ||
			 strcmp(reported.fn, "cpc_set_add_request") != 0);
		if (e != requests[i].err || (!e && (r != 0 || reported.calls)) ||
		    wrong_words)
			fail_msg("line %d: %d, errno %d, %u calls, subcode %d, %s: '%s'",
				 requests[i].line, r, e, reported.calls, reported.subcode,
				 reported.fn, reported.text);
		/*
		 * A refused request leaves nothing behind: the next request gets its
		 * index.
		 */
		assert_int_equal(fake.evsels, e ? 0 : 1);
		assert_int_equal(add(cpc, set,
				     requests[i].cpu
					     ? evtab_find(requests[i].cpu)->ev->name
					     : "own_alpha"),
				 e ? 0 : 1);
		cpc_close(cpc);
		assert_int_equal(fake.evsels, 0);
	}
}

struct walked {
	unsigned n;
	struct {
		int index;
		char event[32];
		uint64_t preset;
		uint_t flags;
		int nattrs;
		char attr[32], last[32];
		uint64_t val, lastval;
	} request[8];
};

static void never_request(void *arg, int index, const char *event, uint64_t preset,
			  uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	(void)arg, (void)index, (void)event, (void)preset;
	(void)flags, (void)nattrs, (void)attrs;
	fail();
}

static void never_name(void *arg, const char *name)
{
	(void)arg;
	fail_msg("%s", name);
}

static void never_pic_name(void *arg, uint_t picno, const char *name)
{
	(void)arg;
	fail_msg("%u, %s", picno, name);
}

#define SETS_EINVAL(call)                        \
	do {                                     \
		errno = 0;                       \
		(void)(call);                    \
		assert_int_equal(errno, EINVAL); \
	} while (0)

/* NULL as a session, as a set, and as a function. */
static void null_handles(void **state)
{
	cpc_t *cpc = session(NULL), *other = cpc_open(CPC_VER_CURRENT);
	cpc_set_t *set = cpc_set_create(cpc), *foreign = cpc_set_create(other);
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	pctx_t *pctx = process();

	(void)state;
	FAILS(cpc_seterrhndlr(NULL, remember), EINVAL);
	SETS_EINVAL(assert_int_equal(cpc_npic(NULL), 0));
	SETS_EINVAL(assert_int_equal(cpc_caps(NULL), 0));
	IS_NULL(cpc_cciname(NULL), EINVAL);
	IS_NULL(cpc_cpuref(NULL), EINVAL);
	IS_NULL(cpc_set_create(NULL), EINVAL);
	IS_NULL(cpc_set_dup(NULL, set), EINVAL);
	IS_NULL(cpc_set_dup(cpc, NULL), EINVAL);
	FAILS(cpc_set_destroy(NULL, set), EINVAL);
	FAILS(cpc_set_destroy(cpc, NULL), EINVAL);
	SETS_EINVAL(cpc_walk_requests(NULL, set, NULL, never_request));
	SETS_EINVAL(cpc_walk_requests(cpc, NULL, NULL, never_request));
	SETS_EINVAL(cpc_walk_requests(cpc, foreign, NULL, never_request));
	SETS_EINVAL(cpc_walk_requests(cpc, set, NULL, NULL));
	IS_NULL(cpc_request_note(cpc, NULL, 0), EINVAL);
	IS_NULL(cpc_request_note(NULL, set, 0), EINVAL);
	IS_NULL(cpc_request_note(cpc, foreign, 0), EINVAL);
	FAILS(cpc_bind_pctx(NULL, pctx, 1, set, 0), EINVAL);
	FAILS(cpc_bind_pctx(cpc, NULL, 1, set, 0), EINVAL);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, NULL, 0), EINVAL);
	FAILS(cpc_unbind(NULL, set), EINVAL);
	FAILS(cpc_unbind(cpc, NULL), EINVAL);
	FAILS(cpc_set_sample(NULL, set, buf), EINVAL);
	FAILS(cpc_set_sample(cpc, NULL, buf), EINVAL);
	FAILS(cpc_set_sample(cpc, set, NULL), EINVAL);
	cpc_cpus(NULL, NULL);
	assert_int_equal(reported.calls, 0);
	cpc_close(cpc);
	cpc_close(other);
	tracer_free(pctx->t);
}

static void null_names(void **state)
{
	cpc_t *cpc = session(NULL);
	uint64_t pics;
	char text[8] = "x";

	(void)state;
	SETS_EINVAL(cpc_walk_events_all(NULL, NULL, never_name));
	SETS_EINVAL(cpc_walk_events_all(cpc, NULL, NULL));
	SETS_EINVAL(cpc_walk_events_pic(NULL, 0, NULL, never_pic_name));
	SETS_EINVAL(cpc_walk_events_pic(cpc, 0, NULL, NULL));
	SETS_EINVAL(cpc_walk_generic_events_all(NULL, NULL, never_name));
	SETS_EINVAL(cpc_walk_generic_events_all(cpc, NULL, NULL));
	SETS_EINVAL(cpc_walk_generic_events_pic(NULL, 0, NULL, never_pic_name));
	SETS_EINVAL(cpc_walk_generic_events_pic(cpc, 0, NULL, NULL));
	SETS_EINVAL(cpc_walk_attrs(NULL, NULL, never_name));
	SETS_EINVAL(cpc_walk_attrs(cpc, NULL, NULL));
	SETS_EINVAL(cpc_walk_attrs_common(NULL, NULL, CPC_TARGET_SMPL, never_name));
	SETS_EINVAL(cpc_walk_attrs_common(cpc, NULL, CPC_TARGET_SMPL, NULL));
	FAILS(cpc_event_pics(NULL, "own_alpha", &pics), EINVAL);
	FAILS(cpc_event_pics(cpc, NULL, &pics), EINVAL);
	FAILS(cpc_event_pics(cpc, "own_alpha", NULL), EINVAL);
	assert_true(cpc_event_takes_counter(NULL, "task-clock"));
	assert_true(cpc_event_takes_counter(cpc, NULL));
	assert_string_equal(cpc_suggest(NULL, "own_alphb", text, sizeof text), "");
	assert_string_equal(cpc_suggest(cpc, NULL, text, sizeof text), "");
	assert_string_equal(cpc_suggest(cpc, "own_alphb", NULL, 100), "");
	assert_string_equal(cpc_suggest(cpc, "own_alphb", text, 0), "");
	assert_int_equal(reported.calls, 0);
	cpc_close(cpc);
}

/*
 * A name of 10,000 bytes: by itself, after the name of a table, and as the name of a
 * table.
 */
static void long_names(void **state)
{
	static const char *const begin[] = {"", "us3::", "mem:0x", "own_", "cpu/", "0x"};
	static const char *const cpus[] = {NULL, "us3", "p4"};
	char *name = malloc(10001), near[CPC_MAX_EVENT_LEN];
	uint64_t pics;

	(void)state;
	for (size_t i = 0; i < sizeof begin / sizeof *begin * 3; i++) {
		cpc_t *cpc = session(cpus[i % 3]);

		memset(name, '1', 10000);
		name[10000] = '\0';
		memcpy(name, begin[i / 3], strlen(begin[i / 3]));
		IS_NULL(cpc_open_cpu(CPC_VER_CURRENT, name, NULL), EINVAL);
		IS_NULL(cpc_open_cpu(CPC_VER_CURRENT, NULL, name), EINVAL);
		FAILS(add(cpc, cpc_set_create(cpc), name), EINVAL);
		assert_int_equal(reported.calls, 1);
		/* The engine of these tests knows every name that begins so. */
		if (strcmp(begin[i / 3], "own_") != 0)
			FAILS(cpc_event_pics(cpc, name, &pics), EINVAL);
		cpc_suggest(cpc, name, near, sizeof near);
		cpc_close(cpc);
	}
	free(name);
}

/* The message names the requests that clash as far as it has room. */
static void long_clash(void **state)
{
	char name[CPC_MAX_EVENT_LEN] = "own_";
	cpc_t *cpc = session(NULL);
	cpc_set_t *set = cpc_set_create(cpc);
	pctx_t *pctx = process();

	(void)state;
	memset(name + 4, 'x', sizeof name - 5);
	for (int i = 0; i <= FAKE_NPIC; i++)
		assert_int_equal(add(cpc, set, name), i);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 0), EINVAL);
	assert_int_equal(reported.subcode, CPC_RESOURCE_UNAVAIL);
	assert_non_null(strstr(reported.text, " requests, and there are "));

	cpc_attr_t first = {(char[]){"picnum"}, 0};
	set = cpc_set_create(cpc);
	for (int i = 0; i < 2; i++)
		assert_int_equal(
			cpc_set_add_request(cpc, set, name, 0, CPC_COUNT_USER, 1, &first),
			i);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 0), EINVAL);
	assert_int_equal(reported.subcode, CPC_RESOURCE_UNAVAIL);
	assert_non_null(strstr(reported.text, "xxx cannot be counted together"));
	cpc_close(cpc);
	tracer_free(pctx->t);
}

static void note_request(void *arg, int index, const char *event, uint64_t preset,
			 uint_t flags, int nattrs, const cpc_attr_t *attrs)
{
	struct walked *w = arg;

	w->request[w->n].index = index;
	snprintf(w->request[w->n].event, sizeof w->request[0].event, "%s", event);
	w->request[w->n].preset = preset;
	w->request[w->n].flags = flags;
	w->request[w->n].nattrs = nattrs;
	if (nattrs) {
		snprintf(w->request[w->n].attr, sizeof w->request[0].attr, "%s",
			 attrs[0].ca_name);
		w->request[w->n].val = attrs[0].ca_val;
		snprintf(w->request[w->n].last, sizeof w->request[0].last, "%s",
			 attrs[nattrs - 1].ca_name);
		w->request[w->n].lastval = attrs[nattrs - 1].ca_val;
	}
	w->n++;
}

/*
 * The newest request comes first, with its attributes in their order; names and
 * attributes were copied.
 */
static void walks_requests(void **state)
{
	char event[] = "own_alpha", name[] = "edge";
	cpc_attr_t attr = {name, 17};
	struct walked w = {0};
	cpc_t *cpc = session(NULL);
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	assert_int_equal(cpc_set_add_request(cpc, set, event, 99, SYS, 1, &attr), 0);
	memset(event, 'x', 9);
	memset(name, 'x', 4);
	assert_int_equal(add(cpc, set, "own_beta"), 1);
	assert_int_equal(add(cpc, set, "task-clock"), 2);
	cpc_walk_requests(cpc, set, &w, note_request);
	assert_int_equal(w.n, 3);
	for (int i = 0; i < 3; i++)
		assert_int_equal(w.request[i].index, 2 - i);
	assert_string_equal(w.request[0].event, "task-clock");
	assert_string_equal(w.request[1].event, "own_beta");
	assert_int_equal(w.request[1].flags, USER);
	assert_int_equal(w.request[1].nattrs, 0);
	assert_string_equal(w.request[2].event, "own_alpha");
	assert_int_equal(w.request[2].preset, 99);
	assert_int_equal(w.request[2].flags, SYS);
	assert_int_equal(w.request[2].nattrs, 1);
	assert_string_equal(w.request[2].attr, "edge");
	assert_int_equal(w.request[2].val, 17);
	assert_null(cpc_request_note(cpc, set, 0));
	assert_string_equal(cpc_request_note(cpc, set, 1), "as ~own_beta");
	assert_null(cpc_request_note(cpc, set, 3));
	assert_null(cpc_request_note(cpc, set, -1));
	cpc_close(cpc);
}

/* The counter that a request chose is its last attribute; the last choice counts. */
static void walks_picnum(void **state)
{
	cpc_attr_t attrs[] = {
		{(char[]){"picnum"}, 1}, {(char[]){"edge"}, 17}, {(char[]){"picnum"}, 0}};
	struct walked w = {0};
	cpc_t *cpc = session(NULL);
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	assert_int_equal(cpc_set_add_request(cpc, set, "own_alpha", 0, USER, 1, attrs),
			 0);
	assert_int_equal(cpc_set_add_request(cpc, set, "own_alpha", 0, USER, 3, attrs),
			 1);
	cpc_walk_requests(cpc, set, &w, note_request);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.request[0].nattrs, 2);
	assert_string_equal(w.request[0].attr, "edge");
	assert_string_equal(w.request[0].last, "picnum");
	assert_int_equal(w.request[0].lastval, 0);
	assert_int_equal(w.request[1].nattrs, 1);
	assert_string_equal(w.request[1].last, "picnum");
	assert_int_equal(w.request[1].lastval, 1);
	cpc_close(cpc);
}

static void foreign(void **state)
{
	cpc_t *mine = session(NULL), *other = session(NULL);
	cpc_set_t *set = cpc_set_create(other), *own = cpc_set_create(mine);
	pctx_t *pctx = process();

	(void)state;
	assert_int_equal(add(other, set, "own_alpha"), 0);
	assert_int_equal(add(mine, own, "own_alpha"), 0);
	cpc_buf_t *buf = cpc_buf_create(other, set), *ownbuf = cpc_buf_create(mine, own);
	FAILS(cpc_set_destroy(mine, set), EINVAL);
	FAILS(add(mine, set, "own_beta"), EINVAL);
	IS_NULL(cpc_set_dup(mine, set), EINVAL);
	IS_NULL(cpc_buf_create(mine, set), EINVAL);
	FAILS(cpc_buf_destroy(mine, buf), EINVAL);
	FAILS(cpc_bind_pctx(mine, pctx, 1, set, 0), EINVAL);
	assert_int_equal(cpc_bind_pctx(other, pctx, 1, set, 0), 0);
	assert_int_equal(cpc_bind_pctx(mine, pctx, 1, own, 0), 0);
	FAILS(cpc_set_sample(mine, set, ownbuf), EINVAL);
	FAILS(cpc_set_sample(mine, own, buf), EINVAL);
	FAILS(cpc_unbind(mine, set), EINVAL);
	assert_int_equal(reported.calls, 0);
	assert_int_equal(fake.groups, 2);
	cpc_close(mine);
	cpc_close(other);
	assert_int_equal(fake.groups, 0);
	assert_int_equal(fake.evsels, 0);
	tracer_free(pctx->t);
}

static const struct {
	int line;
	const char *cpu;
	struct {
		const char *event;
		int pic; /* -1: any */
		unsigned flags;
	} request[4];
	int subcode; /* 0: the bind succeeds */
	const char *text;
} binds[] = {
	{__LINE__, "us3", {{"DC_rd", -1, USER}, {"EC_misses", -1, USER}}, 0, NULL},
	{__LINE__, "us3", {{"Cycle_cnt", -1, USER}, {"DC_rd", -1, USER}}, 0, NULL},
	{__LINE__, "us3", {{"Cycle_cnt", 1, USER}, {"Instr_cnt", -1, USER}}, 0, NULL},
	{__LINE__, "us3", {{"Cycle_cnt", 1, 0}, {"Instr_cnt", -1, 0}}, 0, NULL},
	{__LINE__,
	 "us3",
	 {{"DC_rd", -1, USER}, {"IC_ref", -1, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: DC_rd and IC_ref cannot be counted together"},
	{__LINE__,
	 "us3",
	 {{"Cycle_cnt", -1, USER}, {"DC_rd", -1, USER}, {"Instr_cnt", -1, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: Cycle_cnt, DC_rd and Instr_cnt cannot be "
	 "counted together"},
	{__LINE__,
	 "us3",
	 {{"EC_misses", -1, USER}, {"DC_rd", -1, USER}, {"IC_ref", -1, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: DC_rd and IC_ref cannot be counted together"},
	{__LINE__,
	 "us3",
	 {{"Cycle_cnt", 1, USER}, {"Instr_cnt", 1, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: Cycle_cnt and Instr_cnt cannot be counted "
	 "together"},
	{__LINE__,
	 "us3",
	 {{"Cycle_cnt", -1, USER}, {"Instr_cnt", -1, USER | SYS}},
	 CPC_CONFLICTING_REQS,
	 "Requests conflict with each other: Cycle_cnt and Instr_cnt must count the same "
	 "modes on UltraSPARC III"},
	{__LINE__,
	 "us3",
	 {{"Cycle_cnt", -1, 0}, {"Instr_cnt", -1, USER}},
	 CPC_CONFLICTING_REQS,
	 "Requests conflict with each other: Cycle_cnt and Instr_cnt must count the same "
	 "modes on UltraSPARC III"},
	{__LINE__,
	 "opteron_k8",
	 {{"DC_access", -1, USER}, {"DC_miss", -1, SYS}},
	 0,
	 NULL},
	{__LINE__, NULL, {{"own_alpha", -1, USER}, {"own_alpha", 0, SYS}}, 0, NULL},
	{__LINE__,
	 "p4",
	 {{"branch_retired", 12, USER}, {"branch_retired", 14, SYS}},
	 0,
	 NULL},
	{__LINE__,
	 "p4",
	 {{"branch_retired", 12, USER}, {"branch_retired", 13, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: branch_retired and branch_retired need the same "
	 "ESCR (CRU2)"},
	{__LINE__,
	 "p4",
	 {{"tc_ms_xfer", -1, USER},
	  {"x87_assist", -1, USER},
	  {"PAPI_br_ins", -1, USER},
	  {"machine_clear", -1, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: x87_assist, PAPI_br_ins and machine_clear need "
	 "the same ESCRs (CRU2, CRU3)"},
	{__LINE__,
	 "p4",
	 {{"branch_retired", 12, USER}, {"uop_type", 12, USER}},
	 CPC_RESOURCE_UNAVAIL,
	 "Hardware resource unavailable: branch_retired and uop_type cannot be counted "
	 "together"},
};

/*
 * Returns 1 if two requests have the same counter, or one has a counter that cannot count
 * it.
 */
static int assignment_is_wrong(const cpc_set_t *set)
{
	uint64_t used = 0;

	for (unsigned i = 0; i < set->reqs->n; i++) {
		const uint64_t bit = UINT64_C(1) << set->reqs->req[i].pic;

		if (used & bit || !(set->reqs->req[i].can & bit))
			return 1;
		used |= bit;
	}
	return 0;
}

static void assigns_counters(void **state)
{
	pctx_t *pctx = process();

	(void)state;
	for (size_t i = 0; i < sizeof binds / sizeof binds[0]; i++) {
		cpc_t *cpc = session(binds[i].cpu);
		cpc_set_t *set = cpc_set_create(cpc);

		for (unsigned k = 0; k < 4 && binds[i].request[k].event; k++) {
			const int pic = binds[i].request[k].pic;
			cpc_attr_t attr = {(char[]){"picnum"}, (uint64_t)pic};

			assert_int_equal(cpc_set_add_request(cpc, set,
							     binds[i].request[k].event, 0,
							     binds[i].request[k].flags,
							     pic >= 0, &attr),
					 k);
		}
		errno = 0;
		const int rc = cpc_bind_pctx(cpc, pctx, 1, set, 0);
		const int bad =
			binds[i].subcode
				? rc != -1 || errno != EINVAL || reported.calls != 1 ||
					  reported.subcode != binds[i].subcode ||
					  strcmp(reported.text, binds[i].text) != 0 ||
					  strcmp(reported.fn, "cpc_bind_pctx") != 0
				: rc != 0 || reported.calls || assignment_is_wrong(set);
		if (bad)
			fail_msg("line %d: %d, subcode %d, '%s'", binds[i].line, rc,
				 reported.subcode, reported.text);
		cpc_close(cpc);
	}
	tracer_free(pctx->t);
}

static void binds_and_unbinds(void **state)
{
	cpc_t *cpc = session(NULL);
	pctx_t *pctx = process();
	cpc_set_t *set = cpc_set_create(cpc), *empty = cpc_set_create(cpc);

	(void)state;
	assert_int_equal(add(cpc, set, "own_alpha"), 0);
	cpc_buf_t *buf = cpc_buf_create(cpc, set), *small = cpc_buf_create(cpc, empty);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, empty, 0), EINVAL);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 1), EINVAL);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, CPC_BIND_TREE | 2), EINVAL);
	FAILS(cpc_bind_pctx(cpc, pctx, 2, set, 0), ESRCH);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	FAILS(cpc_set_sample(cpc, set, buf), EINVAL);
	assert_int_equal(reported.calls, 0);
	fake.bind_errno = EMFILE;
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 0), EMFILE);
	assert_int_equal(reported.subcode, CPC_REFUSED);
	assert_string_equal(reported.text, "bind: not here, look elsewhere");

	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	assert_int_equal(fake.tid, TID);
	assert_int_equal(fake.tree, 0);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, CPC_BIND_TREE), 0);
	assert_int_equal(fake.tree, 1);
	assert_int_equal(fake.groups, 1);
	FAILS(add(cpc, set, "own_beta"), EINVAL);
	FAILS(cpc_set_sample(cpc, set, small), EINVAL);
	fake.val[0].count = 7;
	fake.ns = 8;
	fake.on = 9;
	assert_int_equal(cpc_set_sample(cpc, set, buf), 0);
	uint64_t v;
	assert_int_equal(cpc_buf_get(cpc, buf, 0, &v), 0);
	assert_int_equal(v, 7);
	assert_int_equal(cpc_buf_hrtime(cpc, buf), 8);
	assert_int_equal(cpc_buf_tick(cpc, buf), 27);
	/* A bind that fails still undoes the bind from before. */
	fake.bind_errno = EPERM;
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 0), EPERM);
	assert_int_equal(fake.groups, 0);
	FAILS(cpc_set_sample(cpc, set, buf), EINVAL);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	FAILS(cpc_unbind(cpc, set), EINVAL);
	assert_int_equal(fake.groups, 0);
	/* A set that is not bound can grow; its counters are then assigned again. */
	assert_int_equal(add_on(cpc, set, "own_beta", 0), 1);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	assert_int_equal(set->reqs->req[0].pic, 1);
	FAILS(cpc_set_sample(cpc, set, buf), EINVAL);
	cpc_close(cpc);
	assert_int_equal(fake.groups, 0);
	tracer_free(pctx->t);
}

/* There are at most 64 counters, so a set binds at most 64 requests. */
static void many_requests(void **state)
{
	cpc_t *cpc = session("software");
	pctx_t *pctx = process();
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	for (int i = 0; i < 32; i++)
		assert_int_equal(add(cpc, set, "page-faults"), i);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	assert_int_equal(add(cpc, set, "page-faults"), 32);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 0), EINVAL);
	assert_int_equal(reported.subcode, CPC_RESOURCE_UNAVAIL);
	for (int i = 33; i < 65; i++)
		assert_int_equal(add(cpc, set, "page-faults"), i);
	FAILS(cpc_bind_pctx(cpc, pctx, 1, set, 0), EINVAL);
	cpc_close(cpc);
	tracer_free(pctx->t);
}

static void duplicates(void **state)
{
	cpc_t *cpc = session(NULL);
	pctx_t *pctx = process();
	cpc_set_t *set = cpc_set_create(cpc);
	struct walked w = {0};

	(void)state;
	assert_int_equal(add(cpc, set, "own_alpha"), 0);
	assert_int_equal(add(cpc, set, "own_beta"), 1);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	cpc_set_t *dup = cpc_set_dup(cpc, set), *third = cpc_set_dup(cpc, dup);
	assert_int_equal(fake.evsels, 2);
	FAILS(cpc_unbind(cpc, dup), EINVAL);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, dup, 0), 0);
	assert_int_equal(fake.groups, 2);
	assert_int_equal(cpc_unbind(cpc, set), 0);
	assert_int_equal(fake.groups, 1);
	FAILS(add(cpc, set, "own_alpha"), EINVAL);
	FAILS(add(cpc, third, "own_alpha"), EINVAL);
	/*
	 * A buf of one set also serves its duplicates; the requests live as long as the
	 * last object that uses them.
	 */
	cpc_buf_t *buf = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_set_sample(cpc, dup, buf), 0);
	assert_int_equal(cpc_set_destroy(cpc, set), 0);
	cpc_walk_requests(cpc, third, &w, note_request);
	assert_int_equal(w.n, 2);
	assert_int_equal(cpc_set_destroy(cpc, dup), 0);
	assert_int_equal(fake.groups, 0);
	assert_int_equal(add(cpc, third, "own_alpha"), 2);
	assert_int_equal(cpc_set_destroy(cpc, third), 0);
	cpc_value_t v;
	assert_int_equal(cpc_buf_value(cpc, buf, 1, &v), 0);
	assert_int_equal(v.quality, CPC_APPROXIMATE);
	FAILS(cpc_buf_value(cpc, buf, 2, &v), EINVAL);
	assert_int_equal(cpc_buf_destroy(cpc, buf), 0);
	assert_int_equal(fake.evsels, 0);
	cpc_close(cpc);
	tracer_free(pctx->t);
}

/* A set that has a buf can still grow; the buf is then too small. */
static void grows_after_buf(void **state)
{
	cpc_t *cpc = session(NULL);
	pctx_t *pctx = process();
	cpc_set_t *set = cpc_set_create(cpc);

	(void)state;
	assert_int_equal(add(cpc, set, "own_alpha"), 0);
	cpc_buf_t *before = cpc_buf_create(cpc, set);
	assert_int_equal(add(cpc, set, "own_beta"), 1);
	cpc_buf_t *after = cpc_buf_create(cpc, set);
	assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, set, 0), 0);
	FAILS(cpc_set_sample(cpc, set, before), EINVAL);
	assert_int_equal(cpc_set_sample(cpc, set, after), 0);
	cpc_close(cpc);
	tracer_free(pctx->t);
}

/*
 * cpc_close() frees everything in any state; sanitizers see what the fake engine does not
 * count.
 */
static void closes(void **state)
{
	pctx_t *pctx = process();
	cpc_t *cpc = session(NULL);

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		cpc_set_t *set = cpc_set_create(cpc);

		assert_int_equal(add(cpc, set, "own_alpha"), 0);
		assert_int_equal(add_on(cpc, set, "own_beta", 3), 1);
		assert_non_null(cpc_buf_create(cpc, set));
		assert_non_null(cpc_buf_create(cpc, set));
		cpc_set_t *dup = cpc_set_dup(cpc, set);
		if (i & 1)
			assert_int_equal(cpc_bind_pctx(cpc, pctx, 1, dup, 0), 0);
		if (i & 2)
			assert_int_equal(cpc_set_destroy(cpc, set), 0);
	}
	cpc_close(cpc);
	assert_int_equal(fake.evsels, 0);
	assert_int_equal(fake.groups, 0);
	assert_int_equal(fake.closed, 1);
	tracer_free(pctx->t);
}

/* Without a handler of the caller, messages go to standard error. */
static void default_handler(void **state)
{
	cpc_t *cpc = session("us3");
	cpc_set_t *set = cpc_set_create(cpc);
	char text[256] = "";
	FILE *f = tmpfile();

	(void)state;
	assert_non_null(f);
	cpc_seterrhndlr(cpc, NULL);
	fflush(stderr);
	const int saved = dup(STDERR_FILENO);
	dup2(fileno(f), STDERR_FILENO);
	errno = 0;
	const int rc = add(cpc, set, "DC_rdd");
	const int e = errno;
	fflush(stderr);
	dup2(saved, STDERR_FILENO);
	close(saved);
	rewind(f);
	const size_t n = fread(text, 1, sizeof text - 1, f);
	fclose(f);
	assert_int_equal(rc, -1);
	assert_int_equal(e, EINVAL);
	assert_int_equal(reported.calls, 0);
	assert_true(n > 0);
	assert_string_equal(
		text, "libcpc: cpc_set_add_request: Unknown event: DC_rdd; did you mean "
		      "'DC_rd'?\n");
	cpc_close(cpc);
}

struct names {
	unsigned n, repeated;
	uint_t picno;
	char *name[8192];
};

static void note_name(void *arg, const char *name)
{
	struct names *l = arg;

	for (unsigned i = 0; i < l->n; i++)
		l->repeated += strcmp(l->name[i], name) == 0;
	assert_true(l->n < sizeof l->name / sizeof l->name[0]);
	l->name[l->n++] = strdup(name);
}

static void note_pic_name(void *arg, uint_t picno, const char *name)
{
	assert_int_equal(picno, ((struct names *)arg)->picno);
	note_name(arg, name);
}

static void clear(struct names *l)
{
	for (unsigned i = 0; i < l->n; i++)
		free(l->name[i]);
	*l = (struct names){0};
}

/*
 * Each table is walked in its order, by counter and as a whole; a walk by counter offers
 * what that counter can count.
 */
static void walks_events(void **state)
{
	struct names l = {0};

	(void)state;
	for (unsigned t = 0; evtabs[t]; t++) {
		const struct evtab *tab = evtabs[t];
		cpc_t *cpc = session(tab->name);

		cpc_walk_events_all(cpc, &l, note_name);
		if (l.repeated || l.n != tab->n)
			fail_msg("%s: %u names, %u repeated", tab->name, l.n, l.repeated);
		for (unsigned i = 0; i < l.n; i++)
			assert_string_equal(l.name[i], tab->ev[i].name);
		clear(&l);
		for (l.picno = 0; l.picno < tab->npic; l.picno++) {
			const uint_t picno = l.picno;
			unsigned next = 0;

			cpc_walk_events_pic(cpc, l.picno, &l, note_pic_name);
			for (unsigned i = 0; i < tab->n; i++)
				if (tab->ev[i].pics >> l.picno & 1)
					assert_string_equal(l.name[next++],
							    tab->ev[i].name);
			assert_int_equal(next, l.n);
			clear(&l);
			l.picno = picno;
			cpc_walk_generic_events_pic(cpc, l.picno, &l, note_pic_name);
			for (unsigned i = 0; i < l.n; i++) {
				uint64_t pics = 0;

				assert_int_equal(cpc_event_pics(cpc, l.name[i], &pics),
						 0);
				assert_true(pics >> l.picno & 1);
			}
			clear(&l);
			l.picno = picno;
		}
		errno = 0;
		cpc_walk_events_pic(cpc, tab->npic, &l, note_pic_name);
		assert_int_equal(errno, EINVAL);
		errno = 0;
		cpc_walk_generic_events_pic(cpc, UINT32_MAX, &l, note_pic_name);
		assert_int_equal(errno, EINVAL);
		assert_int_equal(l.n, 0);
		cpc_walk_generic_events_all(cpc, &l, note_name);
		assert_int_equal(l.n, tab->ngeneric);
		assert_int_equal(l.repeated, 0);
		clear(&l);
		cpc_close(cpc);
	}
}

/*
 * Without a table, the software events come first, then the names of the engine, then the
 * PAPI_* names that the engine counts.
 */
static void walks_host(void **state)
{
	const struct evtab *software = evtab_find("software"),
			   *generic = evtab_find("generic");
	struct names l = {0};
	cpc_t *cpc = session(NULL);

	(void)state;
	cpc_walk_events_all(cpc, &l, note_name);
	assert_int_equal(l.n, software->n + 4);
	assert_string_equal(l.name[0], software->ev[0].name);
	assert_string_equal(l.name[software->n], "own_alpha");
	clear(&l);
	l.picno = FAKE_NPIC - 1;
	cpc_walk_events_pic(cpc, l.picno, &l, note_pic_name);
	assert_int_equal(l.n, software->n + 4);
	clear(&l);
	cpc_walk_generic_events_all(cpc, &l, note_name);
	assert_int_equal(l.n, generic->n);
	assert_int_equal(fake.evsels, 0);
	clear(&l);
	cpc_walk_attrs(cpc, &l, note_name);
	assert_int_equal(l.n, 3);
	assert_string_equal(l.name[0], "edge");
	assert_string_equal(l.name[2], "picnum");
	clear(&l);
	cpc_close(cpc);
	cpc = session("opteron_k8");
	cpc_walk_attrs(cpc, &l, note_name);
	assert_int_equal(l.n, 6);
	assert_string_equal(l.name[4], "umask");
	assert_string_equal(l.name[5], "picnum");
	clear(&l);
	cpc_close(cpc);
	cpc = cpc_open(CPC_VER_CURRENT);
	cpc_walk_events_all(cpc, &l, note_name);
	assert_true(l.n > software->n);
	assert_int_equal(l.repeated, 0);
	clear(&l);
	cpc_close(cpc);
}

static void count_cpu(void *arg, const char *cpu, const char *title)
{
	unsigned *n = arg;

	assert_string_equal(cpu, evtabs[*n]->name);
	assert_string_equal(title, evtabs[*n]->title);
	++*n;
}

static void looks_up(void **state)
{
	cpc_t *cpc = session("us3"), *host = session(NULL);
	uint64_t pics = 0;
	unsigned n = 0;
	char buf[64];

	(void)state;
	assert_int_equal(cpc_event_pics(cpc, "EC_misses", &pics), 0);
	assert_int_equal(pics, 2);
	FAILS(cpc_event_pics(cpc, "task-clock", &pics), EINVAL);
	assert_false(cpc_event_takes_counter(host, "task-clock"));
	assert_true(cpc_event_takes_counter(host, "own_alpha"));
	assert_false(cpc_event_takes_counter(host, "own_trace"));
	assert_int_equal(fake.evsels, 0);
	assert_true(cpc_event_takes_counter(host, "refused"));
	assert_true(cpc_event_takes_counter(cpc, "EC_misses"));
	assert_true(cpc_event_takes_counter(host, "no such event"));
	assert_string_equal(cpc_suggest(cpc, "ec_misses", buf, sizeof buf),
			    "did you mean 'EC_misses'?");
	assert_string_equal(cpc_suggest(cpc, "ec_misses", buf, 5), "did ");
	cpc_cpus(&n, count_cpu);
	assert_null(evtabs[n]);
	cpc_close(cpc);
	cpc_close(host);
}

/* Opens a session for the engine, and checks that the session says so. */
static void open_engine(void *arg, const char *engine, const char *title)
{
	char *names = arg;
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, engine);

	assert_non_null(cpc);
	assert_string_equal(cpc_engine_name(cpc), engine);
	assert_true(*title);
	strcat(strcat(names, engine), " ");
	cpc_close(cpc);
}

static void lists_engines(void **state)
{
	char names[64] = "";
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "auto");

	(void)state;
	cpc_engines(names, open_engine);
	assert_string_equal(names, "kernel sim ");
	cpc_engines(NULL, NULL);
	assert_string_equal(cpc_engine_name(cpc), "kernel");
	cpc_close(cpc);
	errno = 0;
	assert_null(cpc_engine_name(NULL));
	assert_int_equal(errno, EINVAL);
}

/* The function whose calls are counted, by its address. */
static __attribute__((noinline)) void hit(void)
{
	__asm__ volatile("" ::: "memory");
}

enum { HITS = 1234, CHILD_HITS = 4321, LATE_HITS = 10 };

/* Wait until go is readable, then call hit() here and in a child, and once more here. */
static void program(int go)
{
	char c;

	if (read(go, &c, 1) != 1)
		_exit(1);
	for (int i = 0; i < HITS; i++)
		hit();
	const pid_t pid = fork();
	if (pid == 0) {
		for (int i = 0; i < CHILD_HITS; i++)
			hit();
		_exit(0);
	}
	int st;
	if (pid == -1 || waitpid(pid, &st, 0) != pid || st)
		_exit(1);
	for (int i = 0; i < LATE_HITS; i++)
		hit();
	_exit(0);
}

struct counting {
	cpc_t *cpc;
	cpc_set_t *lwp, *tree;
	int go;
	uint64_t lwp_hits, tree_hits;
	cpc_class_t class;
	int status;
};

static int on_init(pctx_t *pctx, pid_t pid, id_t lwpid, void *arg)
{
	struct counting *c = arg;

	(void)pid;
	if (cpc_bind_pctx(c->cpc, pctx, lwpid, c->lwp, 0) == -1 ||
	    cpc_bind_pctx(c->cpc, pctx, lwpid, c->tree, CPC_BIND_TREE) == -1)
		return -1;
	return write(c->go, "", 1) == 1 ? 0 : -1;
}

/* The LWP has ended; its counters can still be read. */
static void on_exit_process(pctx_t *pctx, pid_t pid, id_t lwpid, int status, void *arg)
{
	struct counting *c = arg;
	cpc_buf_t *buf = cpc_buf_create(c->cpc, c->lwp);
	cpc_value_t v;

	(void)pctx;
	(void)pid;
	(void)lwpid;
	c->status = status;
	assert_int_equal(cpc_set_sample(c->cpc, c->lwp, buf), 0);
	assert_true(cpc_buf_hrtime(c->cpc, buf) > 0);
	assert_int_equal(cpc_buf_value(c->cpc, buf, 0, &v), 0);
	c->lwp_hits = v.value;
	c->class = v.quality;
	assert_int_equal(cpc_set_sample(c->cpc, c->tree, buf), 0);
	assert_int_equal(cpc_buf_get(c->cpc, buf, 0, &c->tree_hits), 0);
}

static void counts_exactly(void **state)
{
	struct counting c = {.status = -1};
	char event[64];
	int go[2];

	(void)state;
	need_breakpoints();
	assert_int_equal(pipe(go), 0);
	fflush(NULL);
	const pid_t pid = fork();
	if (pid == 0)
		program(go[0]);
	c.go = go[1];
	c.cpc = cpc_open(CPC_VER_CURRENT);
	c.lwp = cpc_set_create(c.cpc);
	snprintf(event, sizeof event, "mem:%#lx:x", (unsigned long)(uintptr_t)hit);
	assert_int_equal(add(c.cpc, c.lwp, event), 0);
	c.tree = cpc_set_dup(c.cpc, c.lwp);
	pctx_t *pctx = pctx_capture(pid, &c, 0, NULL);
	assert_non_null(pctx);
	assert_int_equal(pctx_set_events(pctx, PCTX_INIT_LWP_EVENT, on_init,
					 PCTX_SYSC_EXIT_EVENT, on_exit_process,
					 PCTX_NULL_EVENT),
			 0);
	assert_int_equal(pctx_run(pctx, 0, 0, NULL), 0);
	assert_int_equal(c.status, 0);
	assert_int_equal(c.lwp_hits, HITS + LATE_HITS);
	assert_int_equal(c.tree_hits, HITS + CHILD_HITS + LATE_HITS);
	assert_int_equal(c.class, CPC_EXACT);
	assert_int_equal(cpc_unbind(c.cpc, c.lwp), 0);
	pctx_release(pctx);
	cpc_close(c.cpc);
	close(go[0]);
	close(go[1]);
}

/* What the engine of a session, or no session, cannot do. */
static void refuses_what_the_engine_cannot(void **state)
{
	static const char *const set[] = {"d1.size=8K"};
	const struct engine_machine m = {.nset = 1, .set = set};
	const struct engine_place place = {.address = 8};
	cpc_t *cpc = session(NULL);
	cpc_set_t *unbound = cpc_set_create(cpc);

	(void)state;
	FAILS(session_machine(cpc, &m), ENOTSUP);
	assert_string_equal(reported.text, "the engine fake does not simulate a machine");
	FAILS(cpc_place(cpc, unbound, 0, &place), EINVAL);
	errno = 0;
	assert_int_equal(cpc_run_failed(NULL), 0);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(_lwp_self(), syscall(SYS_gettid));
	cpc_close(cpc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(opens),
		cmocka_unit_test(names_of_session),
		cmocka_unit_test(takes_requests),
		cmocka_unit_test(walks_requests),
		cmocka_unit_test(walks_picnum),
		cmocka_unit_test(foreign),
		cmocka_unit_test(null_handles),
		cmocka_unit_test(null_names),
		cmocka_unit_test(long_names),
		cmocka_unit_test(long_clash),
		cmocka_unit_test(assigns_counters),
		cmocka_unit_test(binds_and_unbinds),
		cmocka_unit_test(many_requests),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(grows_after_buf),
		cmocka_unit_test(closes),
		cmocka_unit_test(default_handler),
		cmocka_unit_test(walks_events),
		cmocka_unit_test(walks_host),
		cmocka_unit_test(looks_up),
		cmocka_unit_test(lists_engines),
		cmocka_unit_test(counts_exactly),
		cmocka_unit_test(refuses_what_the_engine_cannot),
	};

	alarm(30);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
