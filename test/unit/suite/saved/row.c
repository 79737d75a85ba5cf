/* Saved rows: what is taken of hostile records, and which are malformed. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/saved/row.h"

static void describe_values(char *text, size_t size, const struct row *r)
{
	for (unsigned i = 0; r->set && i < r->set->n; i++) {
		const cpc_value_t *v = &r->value[i];

		records_put(text, size, " %s=", r->set->event[i]);
		if (v->quality == CPC_UNAVAILABLE)
			records_put(text, size, "-");
		else
			records_put(text, size, "%" PRIu64 "/%" PRIu64 "/%s", v->value,
				    v->count, cpc_class_name(v->quality));
	}
}

static void describe(char *text, size_t size, const struct saved_row *s)
{
	const struct row *r = &s->row;
	static const char *const kinds[] = {[ROW_VALUES] = "values",
					    [ROW_FORK] = "fork",
					    [ROW_EXEC] = "exec",
					    [ROW_TOTAL] = "total",
					    [ROW_STATISTIC] = "statistic"};

	records_put(text, size, "%s %s", kinds[r->kind], r->word);
	if (r->cgroup)
		records_put(text, size, " %s scope %d id %d", r->cgroup, s->scope, r->id);
	else if (s->scope == ROW_LWPS)
		records_put(text, size, " %d/%d/%d%s", r->pid, (int)r->lwp, r->tid,
			    r->tree ? " tree" : "");
	else
		records_put(text, size, " scope %d id %d core %d socket %d of %u",
			    s->scope, r->id, r->core, r->socket, r->cpus);
	if (r->kind == ROW_FORK)
		records_put(text, size, " child %d", r->child);
	if (r->kind == ROW_EXEC)
		records_put(text, size, " %s", records_or(r->cmd));
	if (r->kind == ROW_STATISTIC)
		records_put(text, size, " %s %s %g %s of %u", r->statistic->name,
			    r->statistic->unit, r->statistic->value,
			    cpc_class_name(r->statistic->quality), r->statistic->n);
	if (s->has_tick)
		records_put(text, size, " tick %" PRIu64, r->tick);
	describe_values(text, size, r);
}

#define TIMES "'time_ns':1,'unix_ns':2"
#define CPU   TIMES ",'what':'tick','scope':'cpu','id':3,'cpus':1"
#define LWP   TIMES ",'what':'tick','scope':'lwp','pid':5,'lwp':1,'tid':6"
#define GROUP TIMES ",'what':'tick','scope':'cgroup','id':'/a','cpus':2"
#define TIMED "'enabled_ns':9,'running_ns':9"
#define ONE   "{'value':4,'count':4,'class':'exact'," TIMED "}"

/* Set 0 is empty, set 1 has the event e, and set 2 the events f and g. */
static const struct {
	int line;
	enum saved_kind kind;
	const char *record;
	const char *want; /* NULL: the record is malformed */
} cases[] = {
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':1,'values':[" ONE "]}",
	 "values tick 5/1/6 e=4/4/exact"},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':0,'values':[]}", "values tick 5/1/6"},
	/* Sets and values that do not fit. */
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':3,'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':4294967296,'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':-1,'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':1,'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':1,'values':{}}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':0,'values':null}", "values tick 5/1/6"},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':1,'values':[" ONE "," ONE "]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':2,'values':[" ONE ",null]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" LWP ",'set':1,'values':[{}]}", NULL},
	/* Mixed classes; a value without one of the classes is not available. */
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':2,'values':[{'value':1,'count':2,'class':'approximate'," TIMED
	 "},{'value':null,'class':'unavailable'," TIMED "}]}",
	 "values tick 5/1/6 f=1/2/approximate g=-"},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':2,'values':[{'value':1,'count':2,'class':'Exact'," TIMED
	 "},{'value':7,'count':7," TIMED "}]}",
	 "values tick 5/1/6 f=- g=-"},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':1,'values':[{'value':18446744073709551615,"
	 "'count':18446744073709551615,'class':'exact'," TIMED "}]}",
	 "values tick 5/1/6 e=18446744073709551615/18446744073709551615/exact"},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':1,'values':[{'value':18446744073709551616,'count':1,"
	 "'class':'exact'," TIMED "}]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':1,'values':[{'value':-1,'count':1,'class':'exact'," TIMED "}]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':1,'values':[{'value':1,'class':'exact'," TIMED "}]}", NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':1,'values':[{'value':1,'count':1,'class':'exact'}]}", NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" LWP ",'set':0,'tsc':18446744073709551615,'values':[]}",
	 "values tick 5/1/6 tick 18446744073709551615"},
	/* Times. */
	{__LINE__, SAVED_SAMPLE,
	 "{'time_ns':-1,'unix_ns':2,'what':'tick','scope':'lwp','pid':5,'set':0,"
	 "'values':[]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{'time_ns':1,'unix_ns':9223372036854775808,'what':'tick','scope':'lwp',"
	 "'pid':5,'set':0,'values':[]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE, "{'what':'tick','scope':'lwp','pid':5}", NULL},
	/* Who was counted. */
	{__LINE__, SAVED_SAMPLE, "{" TIMES ",'what':'tick','set':0,'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE, "{" TIMES ",'scope':'lwp','pid':5,'set':0,'values':[]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'\\u001b','scope':'process','pid':2147483647,"
	 "'set':0,'values':[]}",
	 "values \033 2147483647/0/0"},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'lwp','pid':2147483648,'set':0,'values':[]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'lwp','pid':0,'set':0,'values':[]}", NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'thread','pid':5,'set':0,'values':[]}", NULL},
	{__LINE__, SAVED_TOTAL,
	 "{" TIMES ",'what':'exit','scope':'tree','pid':5,'set':0,'values':[]}",
	 "values exit 5/0/0 tree"},
	{__LINE__, SAVED_TOTAL,
	 "{" TIMES ",'what':'rest','scope':'tree','pid':5,'set':0,'values':[]}",
	 "values rest 5/0/0"},
	{__LINE__, SAVED_SAMPLE, "{" CPU ",'set':0,'values':[],'core':1,'socket':null}",
	 "values tick scope 1 id 3 core 1 socket -1 of 1"},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'bin','id':-4,'cpus':2,'set':0,'values':[]}",
	 "values tick scope 4 id -1 core -1 socket -1 of 2"},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'cpu','id':3,'cpus':0,'set':0,'values':[]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'cpu','id':3,'set':0,'values':[]}", NULL},
	{__LINE__, SAVED_TOTAL,
	 "{" TIMES ",'what':'total','scope':'all','cpus':4,'set':0,'values':[]}",
	 "total total scope 1 id -1 core -1 socket -1 of 4"},
	/* Cgroups, as a whole or on a CPU, which has a core and a socket, too. */
	{__LINE__, SAVED_SAMPLE, "{" GROUP ",'set':0,'values':[]}",
	 "values tick /a scope 5 id -1"},
	{__LINE__, SAVED_TOTAL, "{" GROUP ",'set':0,'values':[]}",
	 "total tick /a scope 5 id -1"},
	{__LINE__, SAVED_SAMPLE,
	 "{" GROUP ",'cpu':7,'core':3,'socket':0,'set':0,'values':[]}",
	 "values tick /a scope 1 id 7"},
	{__LINE__, SAVED_SAMPLE, "{" GROUP ",'socket':1,'set':0,'values':[]}",
	 "values tick /a scope 3 id 1"},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'cgroup','id':3,'cpus':2,'set':0,'values':[]}",
	 NULL},
	{__LINE__, SAVED_SAMPLE,
	 "{" TIMES ",'what':'tick','scope':'cgroup','id':'/','set':0,'values':[]}", NULL},
	/* Without values: a fork, or the exec of a command that may not be known. */
	{__LINE__, SAVED_EVENT, "{" LWP ",'child':9}", "fork tick 5/1/6 child 9"},
	{__LINE__, SAVED_EVENT, "{" LWP ",'child':-9,'command':'a\\tb'}",
	 "exec tick 5/1/6 a\tb"},
	{__LINE__, SAVED_EVENT, "{" LWP "}", "exec tick 5/1/6 -"},
	{__LINE__, SAVED_EVENT, "{" CPU "}", NULL},
	{__LINE__, SAVED_EVENT, "{" GROUP "}", NULL},
	/* Statistics. */
	{__LINE__, SAVED_STATISTIC,
	 "{" LWP ",'name':'n','unit':'1','value':-2.5,'class':'exact','of':['e','f']}",
	 "statistic statistic 5/1/6 n 1 -2.5 exact of 2"},
	{__LINE__, SAVED_STATISTIC, "{" LWP ",'name':'n','unit':'1'}",
	 "statistic statistic 5/1/6 n 1 0 unavailable of 0"},
	{__LINE__, SAVED_STATISTIC, "{" LWP ",'name':'n','unit':'1','value':1e12}", NULL},
	{__LINE__, SAVED_STATISTIC, "{" LWP ",'name':'n','unit':'1','value':-1e12}",
	 NULL},
	{__LINE__, SAVED_STATISTIC, "{" LWP ",'name':'n','value':1}", NULL},
	{__LINE__, SAVED_STATISTIC, "{" LWP ",'unit':'1','value':1}", NULL},
	{__LINE__, SAVED_STATISTIC, "{" LWP ",'name':'n','unit':'1','of':['e',2]}", NULL},
	{__LINE__, SAVED_STATISTIC, "{'name':'n','unit':'1','value':1}", NULL},
	{__LINE__, SAVED_SAMPLE, "null", NULL},
	{__LINE__, SAVED_SAMPLE, "[]", NULL},
};

/* One row takes all records, so that nothing of a record is left in the next one. */
static void rows(void **state)
{
	struct scan of_sets = {.node = NULL}, scan = {.node = NULL};
	struct saved_sets sets = {0};
	struct saved_row row = {.value = NULL};

	(void)state;
	assert_int_equal(
		saved_sets_read(&sets,
				records_node(&of_sets, "{'sets':[{'requests':[]},"
						       "{'requests':[{'name':'e'}]},"
						       "{'requests':[{'name':'f'},"
						       "{'name':'g'}]}]}")),
		0);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const struct saved_line line = {
			.kind = cases[i].kind,
			.json = records_node(&scan, cases[i].record)};
		char text[512] = "";

		errno = 0;
		const int rc = saved_row_read(&row, &line, &sets);
		if (rc == 0)
			describe(text, sizeof text, &row);
		if (rc != (cases[i].want ? 0 : -1) || (rc == -1 && errno != EINVAL) ||
		    (rc == 0 && strcmp(text, cases[i].want) != 0))
			fail_msg("line %d: %d, \"%s\"", cases[i].line, rc, text);
	}
	saved_row_free(&row);
	saved_sets_free(&sets);
	scan_free(&scan);
	scan_free(&of_sets);
}

/* The names of a statistic are at most 100. */
static void names_of_a_statistic(void **state)
{
	struct scan scan = {.node = NULL};
	struct saved_row row = {.value = NULL};
	const struct saved_sets none = {0};

	(void)state;
	for (unsigned n = 99; n <= 101; n++) {
		char record[1024] = "{" LWP ",'name':'n','unit':'1','of':['e'";

		for (unsigned i = 1; i < n; i++)
			strcat(record, ",'e'");
		strcat(record, "]}");
		const struct saved_line line = {.kind = SAVED_STATISTIC,
						.json = records_node(&scan, record)};
		assert_int_equal(saved_row_read(&row, &line, &none), n <= 100 ? 0 : -1);
	}
	saved_row_free(&row);
	scan_free(&scan);
}

static void classes(void **state)
{
	(void)state;
	for (cpc_class_t c = CPC_EXACT; c <= CPC_UNAVAILABLE; c++)
		assert_int_equal(saved_class(cpc_class_name(c)), c);
	assert_int_equal(saved_class(NULL), CPC_UNAVAILABLE);
	assert_int_equal(saved_class(""), CPC_UNAVAILABLE);
	assert_int_equal(saved_class("exact "), CPC_UNAVAILABLE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows),
		cmocka_unit_test(names_of_a_statistic),
		cmocka_unit_test(classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
