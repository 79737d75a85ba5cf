/* The facts about a saved run, and how it ended: what is taken of hostile records. */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/saved/run.h"

static void describe(char *text, size_t size, const struct saved_run *r)
{
	const struct record_run *run = &r->run;

	records_put(text, size, "%s %s %s %s %s %s", records_or(run->row.id),
		    records_or(run->tool), records_or(run->engine),
		    records_or(run->row.host), records_or(run->row.rank),
		    records_or(run->command));
	records_put(text, size, " %" PRId64 " %" PRId64 " sets %u", run->row.unix_ns,
		    run->interval_ns, run->nsets);
	if (r->has_cgroups)
		records_put(text, size, " cgroups %u", r->cgroup_width);
	if (run->nsets)
		records_put(text, size, " of %u", run->set[0]->n);
}

/* What each record of a run needs. */
#define NEEDED "'run':'r','tool':'t','engine':'kernel'"
#define SETS2  "'sets':[{'requests':[]},{'requests':[]}]"

static const struct {
	int line;
	const char *record;
	const char *want; /* NULL: the record is malformed */
} cases[] = {
	{__LINE__, "{" NEEDED "}", "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "null", NULL},
	{__LINE__, "[]", NULL},
	{__LINE__, "{}", NULL},
	{__LINE__, "{'tool':'t','engine':'e'}", NULL},
	{__LINE__, "{'run':'r','engine':'e'}", NULL},
	{__LINE__, "{'run':'r','tool':'t'}", NULL},
	{__LINE__, "{'run':1,'tool':'t','engine':'e'}", NULL},
	{__LINE__, "{'run':'r','tool':null,'engine':'e'}", NULL},
	{__LINE__, "{'run':'r','tool':'t','engine':['e']}", NULL},
	/* Empty texts are texts, and control characters are kept. */
	{__LINE__, "{'run':'','tool':'','engine':'','host':'\\u0007','command':'a\\nb'}",
	 "   \a - a\nb 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'rank':4294967295}",
	 "r t kernel - 4294967295 - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'rank':4294967296}", "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'rank':-1}", "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'rank':'0'}", "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'rank':0.0}", "r t kernel - 0 - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'start_unix_ns':9223372036854775807}",
	 "r t kernel - - - 9223372036854775807 0 sets 0"},
	{__LINE__, "{" NEEDED ",'start_unix_ns':9223372036854775808}",
	 "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'start_unix_ns':1e300,'interval_ns':-5}",
	 "r t kernel - - - 0 0 sets 0"},
	/* The turn of all sets is a number, too. */
	{__LINE__, "{" NEEDED ",'interval_ns':9223372036854775807}",
	 "r t kernel - - - 0 9223372036854775807 sets 0"},
	{__LINE__, "{" NEEDED "," SETS2 ",'interval_ns':4611686018427387903}",
	 "r t kernel - - - 0 4611686018427387903 sets 2 of 0"},
	{__LINE__, "{" NEEDED "," SETS2 ",'interval_ns':4611686018427387904}", NULL},
	{__LINE__, "{" NEEDED ",'sets':[{'requests':[{'name':'e'}]},{'requests':[{}]}]}",
	 NULL},
	{__LINE__, "{" NEEDED ",'sets':[{'requests':[{'name':'e'}]}]}",
	 "r t kernel - - - 0 0 sets 1 of 1"},
	/* A run of cgroups has an array of paths, which may be empty. */
	{__LINE__, "{" NEEDED ",'cgroups':null}", "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'cgroups':{}}", "r t kernel - - - 0 0 sets 0"},
	{__LINE__, "{" NEEDED ",'cgroups':[]}", "r t kernel - - - 0 0 sets 0 cgroups 0"},
	{__LINE__, "{" NEEDED ",'cgroups':['/\\u00e9\\u00e9','/',null,7,[]]}",
	 "r t kernel - - - 0 0 sets 0 cgroups 3"},
};

static void facts_of_a_run(void **state)
{
	struct scan scan = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct saved_run run;
		char text[512] = "";

		errno = 0;
		const int rc = saved_run_read(&run, records_node(&scan, cases[i].record));
		if (rc == 0)
			describe(text, sizeof text, &run);
		if (rc != (cases[i].want ? 0 : -1) || (rc == -1 && errno != EINVAL) ||
		    (rc == 0 && strcmp(text, cases[i].want) != 0))
			fail_msg("line %d: %d, \"%s\"", cases[i].line, rc, text);
		saved_run_free(&run);
		assert_null(run.record);
	}
	scan_free(&scan);
}

/* The run keeps what it needs of the record. */
static void the_record_may_go(void **state)
{
	struct scan scan = {.node = NULL};
	struct saved_run run;
	char text[128] = "";

	(void)state;
	assert_int_equal(
		saved_run_read(&run, records_node(&scan, "{" NEEDED ",'host':'h'}")), 0);
	records_node(&scan, "['x','xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx']");
	scan_free(&scan);
	describe(text, sizeof text, &run);
	assert_string_equal(text, "r t kernel h - - 0 0 sets 0");
	saved_run_free(&run);
}

static void guesses(void **state)
{
	static const struct {
		int line;
		const char *row, *want;
	} t[] = {
		{__LINE__, "{'run':'r','values':[{'name':'e'}]}",
		 "r - - - - - 0 0 sets 1 of 1"},
		{__LINE__, "{'run':'r','values':[]}", "r - - - - - 0 0 sets 1 of 0"},
		{__LINE__, "{'run':'r','values':[{'name':null}]}", NULL},
		{__LINE__, "{'run':'r','values':{'name':'e'}}", NULL},
		{__LINE__, "{'run':'r'}", NULL},
	};
	struct scan scan = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct saved_run run;
		char text[128] = "";
		const int rc = saved_run_guess(&run, records_node(&scan, t[i].row));

		if (rc == 0)
			describe(text, sizeof text, &run);
		if (rc != (t[i].want ? 0 : -1) ||
		    (rc == 0 && strcmp(text, t[i].want) != 0))
			fail_msg("line %d: %d, \"%s\"", t[i].line, rc, text);
		saved_run_free(&run);
	}
	scan_free(&scan);
}

static const struct {
	int line;
	const char *record;
	const char *want; /* time, status, signal, skipped; end of the command; use */
} ends[] = {
	{__LINE__, "{}", "0 0 0 0"},
	{__LINE__, "null", "0 0 0 0"},
	{__LINE__, "{'time_ns':9223372036854775807,'status':3,'skipped':7}",
	 "9223372036854775807 3 0 7"},
	{__LINE__, "{'time_ns':9223372036854775808,'status':-1,'skipped':1e99}",
	 "0 0 0 0"},
	{__LINE__, "{'status':259,'signal':1.5,'time_ns':'9'}", "0 3 0 0"},
	{__LINE__, "{'command_status':0}", "0 0 0 0 command 0"},
	{__LINE__, "{'command_status':127,'status':125}", "0 125 0 0 command 127"},
	{__LINE__, "{'command_status':null}", "0 0 0 0"},
	{__LINE__, "{'command_signal':9}", "0 0 0 0 killed by 9"},
	{__LINE__, "{'command_signal':0,'signal':2,'user_ns':1}", "0 0 2 0 use 1 0 0"},
	{__LINE__, "{'command_signal':-9}", "0 0 0 0"},
	/* Older files have the signal of the command or of the measurement alone. */
	{__LINE__, "{'signal':15}", "0 0 15 0"},
	{__LINE__, "{'signal':15,'user_ns':1}", "0 0 15 0 killed by 15 use 1 0 0"},
	{__LINE__, "{'user_ns':5,'system_ns':6,'peak_rss_bytes':7}", "0 0 0 0 use 5 6 7"},
	{__LINE__, "{'user_ns':0}", "0 0 0 0 use 0 0 0"},
	/* The other times say nothing without that of the user. */
	{__LINE__, "{'user_ns':-1,'system_ns':6}", "0 0 0 0"},
};

static void ends_of_a_run(void **state)
{
	struct scan scan = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
		struct record_end end;
		struct record_use use;
		char text[256] = "";

		saved_run_end(&end, &use, records_node(&scan, ends[i].record));
		records_put(text, sizeof text, "%" PRId64 " %d %d %" PRIu64, end.ns,
			    end.status, end.signal, end.skipped);
		if (end.command_signal)
			records_put(text, sizeof text, " killed by %d",
				    end.command_signal);
		else if (end.has_ended)
			records_put(text, sizeof text, " command %d", end.command_status);
		if (end.use)
			records_put(text, sizeof text,
				    " use %" PRId64 " %" PRId64 " %" PRId64,
				    end.use->user_ns, end.use->system_ns,
				    end.use->peak_bytes);
		if (strcmp(text, ends[i].want) != 0)
			fail_msg("line %d: \"%s\"", ends[i].line, text);
	}
	scan_free(&scan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts_of_a_run),
		cmocka_unit_test(the_record_may_go),
		cmocka_unit_test(guesses),
		cmocka_unit_test(ends_of_a_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
