/*
 * What cpc_event_status() answers, and that it is what requests, binds and lists of
 * events answer.
 */
#include <opencpc.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_engine.h"
#include "reported.h"
#include "suite/tell/list.h"

static const struct {
	int line;
	const char *event;
	cpc_class_t quality;
	int error, cpu_error;
	const char *title, *note, *reason;
} cases[] = {
	{__LINE__, "own_alpha", CPC_EXACT, 0, 0, "first", "", ""},
	{__LINE__, "OWN_ALPHA", CPC_UNAVAILABLE, EINVAL, EINVAL, "", "",
	 "Unknown event: OWN_ALPHA; did you mean 'own_alpha'?"},
	{__LINE__, "own_beta", CPC_APPROXIMATE, 0, 0, "", "as ~own_beta", ""},
	{__LINE__, "own_gamma", CPC_UNAVAILABLE, EACCES, EACCES, "", "",
	 "gamma: not here, look elsewhere"},
	{__LINE__, "own_epsilon", CPC_UNAVAILABLE, ENOENT, ENOENT, "", "",
	 "epsilon: this machine does not have it"},
	{__LINE__, "own_delta_lwp", CPC_EXACT, 0, EACCES, "", "", ""},
	{__LINE__, "own_delta_cpu", CPC_EXACT, EINVAL, 0, "", "",
	 "delta: not here, look elsewhere"},
	{__LINE__, "refused", CPC_UNAVAILABLE, ENOENT, ENOENT, "", "",
	 "refused: not here, look elsewhere"},
	{__LINE__, "page-faults", CPC_EXACT, 0, 0, "Page faults", "", ""},
	{__LINE__, "us12::DC_rd", CPC_EXACT, 0, 0, "Data cache reads", "", ""},
	{__LINE__, "", CPC_UNAVAILABLE, EINVAL, EINVAL, "", "", "Unknown event: "},
	{__LINE__, "own_\033[31m", CPC_EXACT, 0, 0, "", "", ""},
	{__LINE__, "no\nsuch", CPC_UNAVAILABLE, EINVAL, EINVAL, "", "",
	 "Unknown event: no?such"},
};

static void answers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		cpc_t *cpc = fake_session(NULL);
		cpc_event_status_t st;

		memset(&st, 'x', sizeof st);
		cpc_seterrhndlr(cpc, remember);
		reported.calls = 0;
		if (cpc_event_status(cpc, cases[i].event, &st) != 0 ||
		    strcmp(st.engine, "fake") != 0 || st.quality != cases[i].quality ||
		    st.error != cases[i].error || st.cpu_error != cases[i].cpu_error ||
		    strcmp(st.title, cases[i].title) != 0 ||
		    strcmp(st.note, cases[i].note) != 0 ||
		    strcmp(st.reason, cases[i].reason) != 0 ||
		    !*st.cpu_reason != !st.cpu_error || reported.calls)
			fail_msg("line %d: %s, %s, %d, %d, '%s', '%s', '%s', '%s'",
				 cases[i].line, st.engine, cpc_class_name(st.quality),
				 st.error, st.cpu_error, st.title, st.note, st.reason,
				 st.cpu_reason);
		assert_int_equal(fake.evsels, 0);
		cpc_close(cpc);
	}
}

static void refuses_bad_arguments(void **state)
{
	cpc_t *cpc = fake_session(NULL);
	char name[2 * CPC_MAX_EVENT_LEN];
	cpc_event_status_t st;

	(void)state;
	FAILS(cpc_event_status(NULL, "own_alpha", &st), EINVAL);
	FAILS(cpc_event_status(cpc, NULL, &st), EINVAL);
	FAILS(cpc_event_status(cpc, "own_alpha", NULL), EINVAL);
	memset(name, 'n', sizeof name);
	name[sizeof name - 1] = '\0';
	assert_int_equal(cpc_event_status(cpc, name, &st), 0);
	assert_int_equal(st.error, EINVAL);
	assert_string_equal(st.reason, "Unknown event: the event name is too long");
	cpc_close(cpc);
	FAILS(cpc_event_status(cpc, "own_alpha", &st), EINVAL);
}

/* A trial for which memory or descriptors did not suffice gives no answer. */
static void reports_shortages(void **state)
{
	static const int err[] = {ENOMEM, EMFILE, ENFILE};
	cpc_t *cpc = fake_session(NULL);
	cpc_event_status_t st;

	(void)state;
	for (size_t i = 0; i < sizeof err / sizeof err[0]; i++) {
		fake.gamma_errno = err[i];
		FAILS(cpc_event_status(cpc, "own_gamma", &st), err[i]);
		assert_int_equal(st.error, err[i]);
		assert_string_equal(st.reason, "gamma: not here, look elsewhere");
		assert_int_equal(st.quality, CPC_UNAVAILABLE);
	}
	cpc_close(cpc);
}

/* A session that does not look names up cannot count breakpoints at names. */
static void knows_who_looks_names_up(void **state)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel");
	cpc_event_status_t st;

	(void)state;
	assert_int_equal(cpc_event_status(cpc, "mem:main:x", &st), 0);
	assert_int_equal(st.error, EINVAL);
	assert_non_null(strstr(st.reason, "only cputrack and perfex look names up"));
	cpc->places = 1;
	assert_int_equal(cpc_event_status(cpc, "mem:main:x", &st), 0);
	assert_null(strstr(st.reason, "look names up"));
	cpc_close(cpc);
}

/* A session whose events are compared, and the status of one event. */
struct agreement {
	cpc_t *cpc;
	const char *event;
	const struct evtab *tab;
	unsigned n, listed;
	int binds; /* also bind each event to the caller */
	cpc_event_status_t st;
};

/* The name of an event may be looked up as that of another one. */
static int is_found(const struct agreement *a, const struct evtab *tab, const char *event)
{
	struct resolved m;

	return resolve_name(&a->cpc->scope, event, &m) == 0 &&
	       (m.tab == tab || a->cpc->scope.cpu);
}

static void compare_entry(struct agreement *a, const struct list_entry *e)
{
	const cpc_event_status_t *st = &a->st;

	if (!is_found(a, evtab_find(e->source), e->name))
		return;
	assert_int_equal(cpc_event_status(a->cpc, e->name, &a->st), 0);
	const char *how = st->error ? st->reason : st->note;
	/* The list is about programs; the status has the class on CPUs, too. */
	const cpc_class_t class = st->error ? CPC_UNAVAILABLE : st->quality;
	a->listed++;
	if (!e->engine != (st->error != 0) || e->class != class ||
	    strcmp(e->how ? e->how : "", how) != 0 ||
	    strcmp(e->title ? e->title : "", st->title) != 0)
		fail_msg("%s: the list says %s, %s, %s, '%s', '%s'; the status %d, %s, "
			 "'%s', '%s'",
			 e->name, e->source, e->engine ? e->engine : "-",
			 cpc_class_name(e->class), e->how, e->title, st->error,
			 cpc_class_name(class), how, st->title);
}

static void compare_list(struct agreement *a, const char *word)
{
	struct words *words = words_new(1, &word);
	const struct list_query q = {.words = words, .all = 1};
	struct list l = {0};

	assert_non_null(words);
	list_find(&l, a->cpc, &q);
	assert_int_equal(list_end(&l, &q), 0);
	for (unsigned i = 0; i < l.n; i++)
		compare_entry(a, &l.entry[i]);
	list_free(&l);
	words_free(words);
}

/* Compare the status with what a request, and a bind of the request, answer. */
static void compare_bind(struct agreement *a)
{
	cpc_set_t *set = cpc_set_create(a->cpc);
	const int index =
		cpc_set_add_request(a->cpc, set, a->event, 0, CPC_COUNT_USER, 0, NULL);
	const int err = index == -1 ? errno : 0;

	if (err ? a->st.error != err || strcmp(reported.text, a->st.reason) != 0
		: !a->st.error && strcmp(cpc_request_note(a->cpc, set, index)
						 ? cpc_request_note(a->cpc, set, index)
						 : "",
					 a->st.note) != 0)
		fail_msg("%s: the request says %d, %s; the status %d, %s", a->event, err,
			 reported.text, a->st.error, a->st.reason);
	if (index == 0 && a->binds) {
		const int bound = cpc_bind_curlwp(a->cpc, set, 0) ? errno : 0;

		if (bound != a->st.error ||
		    (bound && strcmp(reported.text, a->st.reason) != 0))
			fail_msg("%s: the bind says %d, %s; the status %d, %s", a->event,
				 bound, reported.text, a->st.error, a->st.reason);
	}
	cpc_set_destroy(a->cpc, set);
}

static int is_tracepoint(const struct agreement *a)
{
	return !a->tab && strchr(a->event, ':') && !strstr(a->event, "::");
}

static void compare(void *arg, const struct evtab *tab, const char *event,
		    const char *title)
{
	struct agreement *a = arg;

	(void)title;
	if (!is_found(a, tab, event))
		return;
	a->event = event;
	a->tab = tab;
	a->n++;
	if (cpc_event_status(a->cpc, event, &a->st) == -1)
		fail_msg("%s: %s", event, strerror(errno));
	/* The kernel takes long to close a tracepoint, and there are thousands. */
	if (!is_tracepoint(a))
		compare_bind(a);
}

/* All names of a session have one answer. */
static void agree_in(const char *cpu, const char *engine, int binds)
{
	struct agreement a = {.cpc = cpc_open_cpu(CPC_VER_CURRENT, cpu, engine),
			      .binds = binds};

	assert_non_null(a.cpc);
	cpc_seterrhndlr(a.cpc, remember);
	resolve_walk(&a.cpc->scope, &a, compare);
	assert_true(a.n > 0);
	compare_list(&a, "*");
	assert_true(a.listed > 0);
	cpc_close(a.cpc);
}

/* Names that no walk visits. */
static void agree_on_typed_names(void)
{
	static const char *const names[] = {
		"mem:0x1000:x", "mem:main:x", "us3::EC_ref", "cpu/event=0xc0/",
		"r1a8",		"faults",     "PAPI_TOT_CYC"};
	struct agreement a = {.cpc = cpc_open_cpu(CPC_VER_CURRENT, NULL, "kernel"),
			      .binds = 1};

	cpc_seterrhndlr(a.cpc, remember);
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		a.event = names[i];
		assert_int_equal(cpc_event_status(a.cpc, names[i], &a.st), 0);
		compare_bind(&a);
		compare_list(&a, names[i]);
	}
	assert_true(a.listed >= 5);
	cpc_close(a.cpc);
}

static void agree(void **state)
{
	(void)state;
	agree_on_typed_names();
	for (unsigned i = 0; evtabs[i]; i++) {
		agree_in(evtabs[i]->name, "kernel", 1);
		agree_in(evtabs[i]->name, "sim", 0);
	}
	agree_in(NULL, "kernel", 1);
	agree_in(NULL, "sim", 0);
}

struct titles {
	unsigned n, titled;
	char name[2][64], title[2][64]; /* of the first event and of the last */
};

static void note_title(void *arg, const char *event, const char *title)
{
	struct titles *t = arg;
	const unsigned at = t->n++ > 0;

	snprintf(t->name[at], sizeof t->name[at], "%s", event);
	snprintf(t->title[at], sizeof t->title[at], "%s", title ? title : "-");
	t->titled += title != NULL;
}

static void count_event(void *arg, const char *event)
{
	(void)event;
	++*(unsigned *)arg;
}

static const struct {
	int line;
	const char *cpu, *name[2], *title[2];
} title_cases[] = {
	{__LINE__,
	 NULL,
	 {"cpu-clock", "refused"},
	 {"Time on the processor, ns (CPU clock)", "-"}},
	{__LINE__,
	 "us12",
	 {"Cycle_cnt", "PAPI_ca_snp"},
	 {"Cycles", "Requests for snoops"}},
};

static void walks_titles(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof title_cases / sizeof title_cases[0]; i++) {
		cpc_t *cpc = fake_session(title_cases[i].cpu);
		struct titles t = {0};
		unsigned n = 0;

		cpc_walk_titles(cpc, &t, note_title);
		cpc_walk_events_all(cpc, &n, count_event);
		if (title_cases[i].cpu)
			cpc_walk_generic_events_all(cpc, &n, count_event);
		if (t.n != n || t.titled < 2)
			fail_msg("line %d: %u of %u", title_cases[i].line, t.n, n);
		for (unsigned at = 0; at < 2; at++)
			if (strcmp(t.name[at], title_cases[i].name[at]) != 0 ||
			    strcmp(t.title[at], title_cases[i].title[at]) != 0)
				fail_msg("line %d: %s: %s", title_cases[i].line,
					 t.name[at], t.title[at]);
		errno = 0;
		cpc_walk_titles(cpc, &t, NULL);
		assert_int_equal(errno, EINVAL);
		cpc_close(cpc);
		errno = 0;
		cpc_walk_titles(NULL, &t, note_title);
		assert_int_equal(errno, EINVAL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers),
		cmocka_unit_test(refuses_bad_arguments),
		cmocka_unit_test(reports_shortages),
		cmocka_unit_test(knows_who_looks_names_up),
		cmocka_unit_test(agree),
		cmocka_unit_test(walks_titles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
