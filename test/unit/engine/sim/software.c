/* Tests of software events beside simulated ones: another engine counts them. */
#include "engine/sim/software.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/sim/encode.h"
#include "engine/sim/group.h"
#include "engine/why.h"
#include "table/table.h"

/* An engine that counts each software event as 100 times its number in the set. */
static struct {
	int sessions, evsels, groups; /* that are open */
	int frozen, thawed;
	int refuses, fails; /* errno of bind and of read, or 0 */
	cpc_class_t class;
	unsigned modes;
	enum source source;
	const char *note;
	unsigned n; /* events of the group */
} fake;

static struct engine *fake_open(struct why *why)
{
	(void)why;
	fake.sessions++;
	return (struct engine *)&fake;
}

static void fake_close(struct engine *e)
{
	assert_ptr_equal(e, &fake);
	fake.sessions--;
}

static struct evsel *fake_encode(struct engine *e, const struct engine_request *req,
				 struct why *why)
{
	assert_ptr_equal(e, &fake);
	if (strcmp(req->name, "bpf-output") == 0) {
		why_refuse(why, EACCES, "%s: the kernel's own words", req->name);
		return NULL;
	}
	fake.evsels++;
	return calloc(1, sizeof(struct evsel));
}

static void fake_drop(struct evsel *s)
{
	fake.evsels--;
	free(s);
}

static cpc_class_t fake_class(const struct evsel *s)
{
	(void)s;
	return fake.class;
}

static const char *fake_note(const struct evsel *s)
{
	(void)s;
	return fake.note;
}

static unsigned fake_modes(const struct evsel *s)
{
	(void)s;
	return fake.modes;
}

static enum source fake_source(const struct evsel *s)
{
	(void)s;
	return fake.source;
}

static struct group *fake_bind(struct engine *e, const struct target *t,
			       const struct evsel *const *sel, unsigned n,
			       struct why *why)
{
	(void)t;
	(void)sel;
	assert_ptr_equal(e, &fake);
	if (fake.refuses) {
		why_refuse(why, fake.refuses, "the kernel's own words");
		return NULL;
	}
	fake.groups++;
	fake.n = n;
	return (struct group *)&fake;
}

static int fake_read(struct group *g, struct count *val, int64_t *ns, uint64_t *on)
{
	assert_ptr_equal(g, &fake);
	if (ns)
		*ns = 1;
	if (on)
		*on = 2;
	for (unsigned i = 0; i < fake.n; i++)
		val[i] = (struct count){
			.count = 100 * (i + 1), .enabled = 7, .running = 7};
	errno = fake.fails;
	return fake.fails ? -1 : 0;
}

static void fake_unbind(struct group *g)
{
	assert_ptr_equal(g, &fake);
	fake.groups--;
}

static int fake_freeze(struct group *g)
{
	assert_ptr_equal(g, &fake);
	fake.frozen++;
	return 0;
}

static int fake_thaw(struct group *g, const uint64_t *after)
{
	assert_ptr_equal(g, &fake);
	assert_null(after);
	fake.thawed++;
	return 0;
}

static unsigned fake_descriptors(const struct evsel *const *sel, unsigned n)
{
	(void)sel;
	return 3 * n;
}

static const struct engine_words fake_words = {.note = fake_note, .modes = fake_modes};
static const struct engine_ops fake_ops = {.words = &fake_words,
					   .open = fake_open,
					   .close = fake_close,
					   .encode = fake_encode,
					   .drop = fake_drop,
					   .class = fake_class,
					   .source = fake_source,
					   .bind = fake_bind,
					   .descriptors = fake_descriptors,
					   .read = fake_read,
					   .unbind = fake_unbind,
					   .freeze = fake_freeze,
					   .thaw = fake_thaw};

static struct evsel *encode(struct engine *e, const char *name, struct why *why)
{
	const struct evtab *tab = evtab_find("software");
	const struct event *row = evtab_name(tab, name);
	const struct engine_request req = {.name = name,
					   .flags = CPC_COUNT_USER,
					   .row = row,
					   .tab = row ? tab : NULL};

	return engine_sim.encode(e, &req, why);
}

static struct engine *begin(void)
{
	struct why why;
	struct engine *e = engine_sim.open(&why);

	memset(&fake, 0, sizeof fake);
	assert_non_null(e);
	engine_sim.beside(e, &fake_ops);
	return e;
}

static void is_approximate(void **state)
{
	static const struct {
		int line;
		cpc_class_t class, want;
		unsigned modes;
		enum source source;
		const char *note, *wanted;
	} cases[] = {
		{__LINE__, CPC_EXACT, CPC_APPROXIMATE, CPC_COUNT_USER, SOURCE_SOFTWARE,
		 NULL, "by the kernel: includes the simulator itself"},
		{__LINE__, CPC_APPROXIMATE, CPC_APPROXIMATE, CPC_COUNT_USER,
		 SOURCE_SOFTWARE, "as ~it",
		 "by the kernel: includes the simulator itself; as ~it"},
		{__LINE__, CPC_ESTIMATED, CPC_ESTIMATED, CPC_COUNT_USER, SOURCE_SOFTWARE,
		 NULL, "by the kernel: includes the simulator itself"},
		/* a clock counts without modes; what counts nothing includes nothing */
		{__LINE__, CPC_EXACT, CPC_APPROXIMATE, 0, SOURCE_CLOCK, NULL,
		 "by the kernel: includes the simulator itself"},
		{__LINE__, CPC_EXACT, CPC_EXACT, 0, SOURCE_SOFTWARE, "as 0: no modes",
		 "as 0: no modes"},
	};
	struct engine *e = begin();
	struct why why;

	(void)state;
	assert_int_equal(fake.sessions, 0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		fake.class = cases[i].class;
		fake.modes = cases[i].modes;
		fake.source = cases[i].source;
		fake.note = cases[i].note;
		struct evsel *s = encode(e, "page-faults", &why);

		assert_non_null(s);
		if (engine_sim.class(s) != cases[i].want ||
		    strcmp(engine_sim.words->note(s), cases[i].wanted) != 0)
			fail_msg("line %d: %d, %s", cases[i].line,
				 (int)engine_sim.class(s), engine_sim.words->note(s));
		engine_sim.drop(s);
	}
	assert_int_equal(fake.sessions, 1);
	assert_int_equal(fake.evsels, 0);
	engine_sim.close(e);
	assert_int_equal(fake.sessions, 0);
}

static void refuses(void **state)
{
	struct engine *e = begin();
	struct why why;

	(void)state;
	assert_null(encode(e, "bpf-output", &why));
	assert_int_equal(errno, EACCES);
	assert_string_equal(why.text, "bpf-output: the kernel's own words");
	engine_sim.close(e);
	/* Nothing counts them in a session that nothing was handed to. */
	e = engine_sim.open(&why);
	assert_null(encode(e, "page-faults", &why));
	assert_int_equal(errno, ENOTSUP);
	assert_non_null(strstr(why.text, "are not simulated"));
	engine_sim.close(e);
}

/* A run of the five events, of which the simulator counts the second and the fourth. */
struct bench {
	struct engine *e;
	struct sim_run run;
	struct evsel *sel[5];
};

static void begin_run(struct bench *b)
{
	static const char *const names[] = {"page-faults", "load", "minor-faults", "insn",
					    "task-clock"};
	static const struct machine plain = {.name = "plain", .width = 2};
	const struct sim_pages_run of = {0x3f, "", &plain, 0};
	struct why why;

	*b = (struct bench){.e = begin(), .run.pages.fd = -1};
	b->run.software = (struct sim_software){&fake_ops, (struct engine *)&fake};
	for (unsigned i = 0; i < 5; i++) {
		b->sel[i] = encode(b->e, names[i], &why);
		assert_non_null(b->sel[i]);
	}
	assert_int_equal(sim_pages_make(&b->run.pages, &of), 0);
}

static void end_run(struct bench *b)
{
	for (unsigned i = 0; i < 5; i++)
		engine_sim.drop(b->sel[i]);
	sim_pages_free(&b->run.pages);
	sim_machine_free(&b->run.machine);
	engine_sim.close(b->e);
	assert_int_equal(fake.evsels, 0);
	assert_int_equal(fake.groups, 0);
	assert_int_equal(fake.sessions, 0);
}

static struct group *bind(struct bench *b, unsigned from, unsigned n, struct why *why)
{
	const struct target t = {.tid = getpid(), .pid = getpid()};

	return sim_group_bind(&b->run, &t, (const struct evsel *const *)b->sel + from, n,
			      why);
}

static void reads_both(void **state)
{
	struct count val[5];
	struct bench b;
	struct why why;
	uint64_t on;
	int64_t ns;

	(void)state;
	begin_run(&b);
	struct group *g = bind(&b, 0, 5, &why);
	assert_non_null(g);
	memset(val, 0xff, sizeof val);
	assert_int_equal(sim_group_read(g, val, &ns, &on), 0);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(val[i].count, i % 2 ? 0 : 100 * (i / 2 + 1));
		assert_int_equal(val[i].enabled == 7, i % 2 == 0);
		assert_int_equal(val[i].running, val[i].enabled);
		assert_int_equal(val[i].absent, 0);
	}
	assert_true(ns > 1);
	assert_int_equal(on, 0);
	assert_int_equal(sim_group_freeze(g), 0);
	assert_int_equal(sim_group_freeze(g), 0);
	assert_int_equal(fake.frozen, 1);
	assert_int_equal(sim_group_thaw(g, NULL), 0);
	assert_int_equal(sim_group_thaw(g, NULL), 0);
	assert_int_equal(fake.thawed, 1);
	fake.fails = EIO;
	assert_int_equal(sim_group_read(g, val, &ns, &on), -1);
	assert_int_equal(errno, EIO);
	sim_group_unbind(g);
	end_run(&b);
}

static void binds_what_there_is(void **state)
{
	struct bench b;
	struct why why;

	(void)state;
	begin_run(&b);
	assert_int_equal(engine_sim.descriptors((const struct evsel *const *)b.sel, 5),
			 9);
	assert_int_equal(
		engine_sim.descriptors((const struct evsel *const *)b.sel + 1, 1), 0);
	struct group *g = bind(&b, 1, 1, &why);
	assert_non_null(g);
	assert_int_equal(fake.groups, 0);
	sim_group_unbind(g);
	fake.refuses = EMFILE;
	assert_null(bind(&b, 0, 5, &why));
	assert_int_equal(errno, EMFILE);
	assert_string_equal(why.text, "the kernel's own words");
	end_run(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_approximate),
		cmocka_unit_test(refuses),
		cmocka_unit_test(reads_both),
		cmocka_unit_test(binds_what_there_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
