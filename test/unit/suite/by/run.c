/* The values of a run, which its key gets when the run ends. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/by/run.h"

/* Writes "event,mode,unit,engine,model,scope,nth=value class; " for each row of key 0. */
static void describe(char *text, size_t size, const struct by *b)
{
	for (unsigned i = 0; i < b->values.ids.n; i++) {
		const struct values_row *row = &b->values.row[i];

		for (unsigned k = 0; k < VALUES_FIELDS; k++)
			if (k != VALUES_CGROUP)
				records_put(text, size, "%s%s", k ? "," : "",
					    row->field[k]);
		if (row->cells && row->cell[0].has_value)
			records_put(text, size, "=%.1Lf %s", row->cell[0].value,
				    cpc_class_name(row->cell[0].quality));
		records_put(text, size, "; ");
	}
}

#define RUN(sets) "{'engine':'sim','model':'m','host':'h','sets':[" sets "]}"
#define TOTAL(set, values) \
	"{'scope':'tree','what':'exit','set':" set ",'values':[" values "]}"
#define E      "{'name':'e'}"
#define E_USER "{'name':'e','mode':'user'}"
#define VALUE(name, value, class) \
	"{'name':'" name "','value':" value ",'class':'" class "'}"
#define EVENT(median, class) "{'name':'e','median':" median ",'class':'" class "'}"

static const struct {
	int line;
	const char *run, *record[3];
	const char *want; /* NULL: the last record is malformed */
} cases[] = {
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("0", VALUE("e", "5", "exact"))},
	 "e,,,sim,m,tree,=5.0 exact; "},
	/* The name of a value need not be that of the request. */
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("0", VALUE("\\u0001", "5", "exact"))},
	 "\001,,,sim,m,tree,=5.0 exact; "},
	/* The same event twice is two rows, also in two sets; not with another mode. */
	{__LINE__,
	 RUN("{'requests':[" E "," E_USER "," E "]},{'requests':[" E "]}"),
	 {TOTAL("0", VALUE("e", "1", "exact") "," VALUE("e", "2", "exact") "," VALUE(
			     "e", "3", "exact")),
	  TOTAL("1", VALUE("e", "4", "exact"))},
	 "e,,,sim,m,tree,=3.0 exact; e,,,sim,m,tree,2=3.0 exact; "
	 "e,,,sim,m,tree,3=4.0 exact; "},
	/* Values of several records are added, and have the worst class. */
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("0", VALUE("e", "18446744073709551615", "exact")),
	  TOTAL("0", VALUE("e", "null", "unavailable")),
	  TOTAL("0", VALUE("e", "18446744073709551615", "approximate"))},
	 "e,,,sim,m,tree,=36893488147419103230.0 approximate; "},
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("0", VALUE("e", "null", "unavailable"))},
	 "e,,,sim,m,tree,; "},
	/* The row "rest" belongs to the processes. */
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {"{'scope':'process','what':'exit','set':0,'values':[" VALUE("e", "1",
								      "exact") "]}",
	  "{'scope':'tree','what':'rest','set':0,'values':[" VALUE("e", "2",
								   "exact") "]}"},
	 "e,,,sim,m,process,=3.0 exact; "},
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {"{'set':0,'values':[" VALUE("e", "1", "exact") "]}"},
	 "e,,,sim,m,,=1.0 exact; "},
	/* Sets and values that do not fit. */
	{__LINE__, RUN(""), {TOTAL("0", "")}, NULL},
	{__LINE__, RUN("{'requests':[]}"), {TOTAL("0", "")}, ""},
	{__LINE__, RUN("{}"), {TOTAL("0", "")}, ""},
	{__LINE__, RUN("null,7"), {TOTAL("1", "")}, ""},
	{__LINE__, RUN("{'requests':[" E "]}"), {TOTAL("0", "")}, NULL},
	{__LINE__, RUN("{'requests':[" E "]}"), {TOTAL("1", "")}, NULL},
	{__LINE__, RUN("{'requests':[" E "]}"), {TOTAL("4294967296", "")}, NULL},
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("-1", VALUE("e", "1", "exact"))},
	 NULL},
	{__LINE__, RUN("{'requests':[" E "]}"), {TOTAL("0", "7")}, NULL},
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("0", "{'value':1,'class':'exact'}")},
	 NULL},
	{__LINE__,
	 RUN("{'requests':[" E "]}"),
	 {TOTAL("0", VALUE("e", "1.5", "exact"))},
	 NULL},
	{__LINE__, RUN("{'requests':[" E "]}"), {"{'set':0}"}, NULL},
	/* Medians have fractions; other numbers than medians are of no use. */
	{__LINE__,
	 RUN(""),
	 {"{'series':0,'events':[" EVENT("2.5", "exact") "]}"},
	 "e,,,sim,m,series,=2.5 exact; "},
	{__LINE__,
	 RUN(""),
	 {"{'series':1,'events':[" EVENT("18446744073709551615", "exact") "]}"},
	 "e,,,sim,m,series,2=18446744073709551616.0 exact; "},
	{__LINE__,
	 RUN(""),
	 {"{'series':0,'events':[" EVENT("null", "exact") "," EVENT("'3'", "exact") "]}"},
	 "e,,,sim,m,series,; "},
	{__LINE__,
	 RUN(""),
	 {"{'series':0,'events':[" EVENT("1", "other") "]}"},
	 "e,,,sim,m,series,; "},
	{__LINE__,
	 RUN(""),
	 {"{'series':0,'events':[{'median':1,'class':'exact'}]}"},
	 NULL},
	{__LINE__, RUN(""), {"{'series':0}"}, ""},
	{__LINE__, RUN(""), {"{'series':0,'events':{}}"}, ""},
	{__LINE__, RUN(""), {"{'events':[]}"}, NULL},
	{__LINE__, RUN(""), {"{'series':2147483648,'events':[]}"}, NULL},
	{__LINE__, RUN(""), {"{'series':-1,'events':[]}"}, NULL},
};

/* Adds the records to the run. Returns 0, or -1 if the last one is malformed. */
static int add(struct by *b, struct by_run *run, const char *const record[3])
{
	struct scan scan = {.node = NULL};
	int rc = 0;

	for (unsigned i = 0; i < 3 && record[i]; i++) {
		const int is_series =
			strstr(record[i], "'events'") || strstr(record[i], "'series'");

		assert_int_equal(rc, 0);
		errno = 0;
		rc = (is_series ? by_run_series
				: by_run_values)(b, run, records_node(&scan, record[i]));
		assert_true(rc == 0 || errno == EINVAL);
	}
	scan_free(&scan);
	return rc;
}

static void values_of_a_run(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scan scan = {.node = NULL};
		struct by b = {.kind = BY_RANK};
		struct by_run *run = by_run_new(records_node(&scan, cases[i].run));
		char text[512] = "";

		assert_non_null(run);
		scan_free(&scan);
		assert_int_equal(values_key(&b.values, "0", &run->key), 0);
		run->has_key = 1;
		const int rc = add(&b, run, cases[i].record);
		assert_int_equal(by_run_commit(&b, run, "f"), 0);
		describe(text, sizeof text, &b);
		if (rc != (cases[i].want ? 0 : -1) ||
		    (rc == 0 && strcmp(text, cases[i].want) != 0))
			fail_msg("line %d: %d, \"%s\"", cases[i].line, rc, text);
		by_run_free(run);
		by_free(&b);
	}
}

/* A second series of a key is left out; a run without a key gives nothing. */
static void medians_are_not_added(void **state)
{
	static const char *const series[3] = {
		"{'series':0,'events':[" EVENT("2", "exact") "]}"};
	struct scan scan = {.node = NULL};
	struct by b = {.kind = BY_RANK};
	char text[256] = "";

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct by_run *run = by_run_new(records_node(&scan, RUN("")));

		assert_non_null(run);
		assert_int_equal(values_key(&b.values, "0", &run->key), 0);
		run->has_key = i < 2;
		assert_int_equal(add(&b, run, series), 0);
		assert_int_equal(by_run_commit(&b, run, i ? "second" : "first"), 0);
		by_run_free(run);
	}
	describe(text, sizeof text, &b);
	assert_string_equal(text, "e,,,sim,m,series,=2.0 exact; ");
	assert_int_equal(b.found[BY_SERIES].n, 1);
	assert_string_equal(b.found[BY_SERIES].path, "second");
	by_free(&b);
	scan_free(&scan);
}

static void runs_that_are_malformed(void **state)
{
	static const struct {
		int line;
		const char *record;
		int is_run;
	} t[] = {
		{__LINE__, "{'engine':'kernel'}", 1},
		{__LINE__, "{'engine':'kernel','sets':{},'model':7,'host':[]}", 1},
		{__LINE__, "{'engine':null}", 0},
		{__LINE__, "{'engine':1}", 0},
		{__LINE__, "{}", 0},
		{__LINE__, "[]", 0},
		{__LINE__, "null", 0},
	};
	struct scan scan = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		errno = 0;
		struct by_run *run = by_run_new(records_node(&scan, t[i].record));

		if (!run != !t[i].is_run || (!run && errno != EINVAL))
			fail_msg("line %d: errno %d", t[i].line, errno);
		if (run)
			by_run_free(run);
	}
	scan_free(&scan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_of_a_run),
		cmocka_unit_test(medians_are_not_added),
		cmocka_unit_test(runs_that_are_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
