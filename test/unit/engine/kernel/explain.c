#include "engine/kernel/explain.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/kernel/pfm.h"
#include "engine/kernel/select.h"
#include "table/table.h"

/* Append a part to a text, as a line "NAME FROM: FIELD=VALUE(WORD) ...". */
static void note(void *arg, const struct engine_part *p)
{
	char *text = arg;

	sprintf(text + strlen(text), "%s %s:", p->name, p->from ? p->from : "-");
	for (unsigned i = 0; i < p->n; i++) {
		sprintf(text + strlen(text), " %s=%#llx", p->field[i].name,
			(unsigned long long)p->field[i].value);
		if (p->field[i].word)
			sprintf(text + strlen(text), "(%s)", p->field[i].word);
	}
	strcat(text, "\n");
}

static struct evsel *draft(const struct engine_request *req, char *text, struct why *why)
{
	struct evsel *s = kernel_explain_draft("", NULL, 0, req, why);

	*text = '\0';
	if (s)
		kernel_explain(s, text, note);
	return s;
}

static void explains_own_events(void **state)
{
	struct engine_request req = {.name = "page-faults",
				     .flags = CPC_COUNT_USER | CPC_COUNT_SYSTEM};
	char text[4096];
	struct why why;

	(void)state;
	struct evsel *s = draft(&req, text, &why);
	assert_string_equal(text,
			    "perf_event_attr -: type=0x1(PERF_TYPE_SOFTWARE) config=0x2 "
			    "config1=0 config2=0 exclude_user=0 exclude_kernel=0 "
			    "exclude_hv=0 exclude_host=0 exclude_guest=0 precise_ip=0\n");
	kernel_evsel_free(s);

	req = (struct engine_request){.name = "mem:0x1000/4:rw", .flags = CPC_COUNT_USER};
	s = draft(&req, text, &why);
	assert_string_equal(text,
			    "perf_event_attr -: type=0x5(PERF_TYPE_BREAKPOINT) config=0 "
			    "bp_addr=0x1000 bp_len=0x4 exclude_user=0 exclude_kernel=0x1 "
			    "exclude_hv=0x1 exclude_host=0 exclude_guest=0 precise_ip=0 "
			    "bp_type=0x3\n");
	kernel_evsel_free(s);
}

/*
 * A row of a table: the first candidate that can be encoded, a part for each of its
 * terms.
 */
static void explains_a_row(void **state)
{
	const struct event row = {
		.name = "both",
		.host = "NO_SUCH_EVENT|~2*perf::CYCLES+perf::INSTRUCTIONS"};
	const struct engine_request req = {
		.name = "both", .row = &row, .flags = CPC_COUNT_SYSTEM};
	char text[4096];
	struct why why;

	(void)state;
	struct evsel *s = draft(&req, text, &why);
	assert_non_null(s);
	assert_string_equal(s->note, "as ~2*perf::CYCLES+perf::INSTRUCTIONS");
	assert_int_equal(s->class, CPC_APPROXIMATE);
	assert_non_null(strstr(text, "config=0 "));
	assert_non_null(strstr(text, "\nperf_event_attr -: type=0(PERF_TYPE_HARDWARE) "
				     "config=0x1 config1=0 config2=0 exclude_user=0x1 "));
	kernel_evsel_free(s);
}

/* opens() of struct select_env: every event can be opened. */
static int opens(void *arg, const struct evsel *s, struct why *why)
{
	(void)arg;
	(void)s;
	(void)why;
	return 0;
}

/* libpfm4's events of other processors can be explained, but not counted. */
static void explains_other_processors(void **state)
{
	const struct engine_request req = {.name = "core::INST_RETIRED:LOADS:c=2",
					   .flags = CPC_COUNT_USER};
	const struct engine_request none = {.name = "core::NO_SUCH_EVENT",
					    .flags = CPC_COUNT_USER};
	const struct event row = {.name = "row", .host = "core::INST_RETIRED:LOADS"};
	const struct engine_request of_row = {
		.name = "row", .row = &row, .flags = req.flags};
	const struct select_env senv = {.root = "", .opens = opens};
	struct kernel_event ev;
	char text[4096];
	struct why why;

	(void)state;
	if (!kernel_pfm_foreign("core::INST_RETIRED", NULL))
		skip(); /* libpfm4 lacks the tables of x86, or this processor is a Core */
	struct evsel *s = draft(&req, text, &why);
	assert_non_null(s);
	assert_non_null(strstr(text, "core::INST_RETIRED:LOADS:"));
	assert_non_null(strstr(text, "type=0x4(PERF_TYPE_RAW) config=0x20001c0 "));
	kernel_evsel_free(s);
	assert_int_equal(kernel_pfm_encode(req.name, req.flags, &ev, &why), 0);
	assert_true(ev.foreign);
	errno = 0;
	assert_null(kernel_select(&senv, &req, &why));
	assert_int_equal(errno, ENOENT);
	errno = 0;
	assert_null(kernel_select(&senv, &of_row, &why));
	assert_int_equal(errno, ENOENT);
	errno = 0;
	assert_null(draft(&none, text, &why));
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(explains_own_events),
		cmocka_unit_test(explains_a_row),
		cmocka_unit_test(explains_other_processors),
	};

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	return cmocka_run_group_tests_name("explain_kernel", tests, NULL, NULL);
}
