/* Reports about hostile files of records: what is shown, and what is said of faults. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/report/reports.h"

#define LINE(kind, id) "{'schema':2,'record':'" kind "','run':'" id "'"
#define RUN(id)                                              \
	LINE("run", id)                                      \
	",'tool':'t','engine':'kernel','command':'c " id "'" \
	",'sets':[{'requests':[{'name':'e','pic':0,'mode':'user'}]}]}\n"
#define END(id) LINE("end", id) ",'time_ns':9,'status':0}\n"
#define SERIES(id, n, event, values)                                                  \
	LINE("series", id)                                                            \
	",'series':" n ",'command':'s" n "','events':[{'name':'" event                \
	"','mode':'user','unit':'1','kind':'count','class':'exact','values':[" values \
	"]}]}\n"
#define COMPARISON(id, a, b) \
	LINE("comparison", id) ",'reference':" a ",'candidate':" b ",'confidence':0.95}\n"
#define FUNCTION(id, n, counts) \
	LINE("function", id) ",'series':" n ",'function':'f','counts':" counts "}\n"
#define ROW(id, who)                                                 \
	LINE("total", id)                                            \
	",'time_ns':5,'unix_ns':6,'what':'exit'," who ",'set':0,"    \
	"'values':[{'name':'e','value':7,'count':7,'class':'exact'," \
	"'enabled_ns':1,'running_ns':1}]}\n"
#define OF_TREE	   "'scope':'tree','pid':5"
#define OF_PROCESS "'scope':'process','pid':5"
#define OF_CGROUP  "'scope':'cgroup','id':'/x','cpus':1"

#define MALFORMED(n) "line " n ": the record is malformed"

static const struct {
	int line;
	const char *format, *records;
	const char *why;   /* "": the file is shown to its end */
	const char *has;   /* a part of the text */
	const char *lacks; /* or NULL */
	unsigned shown, incomplete;
} cases[] = {
	{__LINE__, "text", "", "it has no records", "", NULL, 0, 0},
	{__LINE__, "text", RUN("a") END("a"), "its records have no counts", "", NULL, 0,
	 0},
	{__LINE__, "text", RUN("a"), "its records have no counts", "", NULL, 0, 0},
	/* What belongs to a run that the file does not have. */
	{__LINE__, "text",
	 SERIES("x", "0", "e", "1") COMPARISON("x", "0", "1") FUNCTION("x", "0", "[1]")
		 LINE("gate", "x") "}\n" END("x"),
	 "its records have no counts", "", NULL, 0, 0},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1,2,3") END("a"), "",
	 "s0,e,user,1,count,exact,3,2,1.5,2.5,1,3,,,,,,,,,\n", NULL, 1, 0},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1,2,3"), "", "s0,e,user", NULL,
	 1, 1},
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "18446744073709551615,null") END("a"), "",
	 "s0,e,user,1,count,unavailable,2,,,,,,,,", NULL, 1, 0},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "\\u001b[31m,\\n", "1") END("a"), "",
	 "s0,\"?[31m,?\",user", "\033", 1, 0},
	{__LINE__, "text", RUN("a") SERIES("a", "0", "\\u001b[31m", "1") END("a"), "",
	 "?[31m (user)", "\033", 1, 0},
	/* Series that are malformed; what came before is shown. */
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "-1") END("a"), MALFORMED("2"),
	 "", NULL, 0, 0},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1") SERIES("a", "0", "e", "2"),
	 MALFORMED("3"), "s0,e,user,1,count,exact,1,1,", NULL, 1, 1},
	{__LINE__, "csv", RUN("a") LINE("series", "a") ",'command':'c','events':[]}\n",
	 MALFORMED("2"), "", NULL, 0, 0},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "") END("a"), "",
	 "s0,e,user,1,count,", NULL, 1, 0},
	/* Comparisons of series that are no pairs. */
	{__LINE__, "text",
	 RUN("a") SERIES("a", "0", "e", "1,1") SERIES("a", "1", "e", "2,2")
		 COMPARISON("a", "0", "1") END("a"),
	 "", "e (user)            1            2     +100 %", NULL, 1, 0},
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "1,1") SERIES("a", "1", "e", "2")
		 COMPARISON("a", "0", "1"),
	 MALFORMED("4"), "s1,e,", NULL, 1, 1},
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "1") SERIES("a", "1", "f", "2")
		 COMPARISON("a", "0", "1"),
	 MALFORMED("4"), "s1,f,", NULL, 1, 1},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1") COMPARISON("a", "0", "1"),
	 MALFORMED("3"), "s0,e,", NULL, 1, 1},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1") COMPARISON("a", "-1", "0"),
	 MALFORMED("3"), "s0,e,", NULL, 1, 1},
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "1")
		 LINE("comparison", "a") ",'baseline':'f','reference':null}\n" END("a"),
	 "", "s0,e,", NULL, 1, 0},
	/* Functions. */
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "1") FUNCTION("a", "0", "[7]") END("a"), "",
	 "\n\ncommand,reference,event,mode,function,module,source,a,b,change,share\n"
	 "s0,,e,user,f,,,,7,,1\n",
	 NULL, 1, 0},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1") FUNCTION("a", "1", "[7]"),
	 MALFORMED("3"), "s0,e,", "function", 1, 1},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1") FUNCTION("a", "0", "[7,8]"),
	 MALFORMED("3"), "s0,e,", NULL, 1, 1},
	{__LINE__, "csv", RUN("a") SERIES("a", "0", "e", "1") FUNCTION("a", "0", "['7']"),
	 MALFORMED("3"), "s0,e,", NULL, 1, 1},
	/* A run that begins again: its first copy has no end. */
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "1") RUN("a") SERIES("a", "0", "e", "2") END("a"),
	 "", "s0,e,user,1,count,exact,1,1,", NULL, 2, 1},
	/* Two runs at a time, the second of which ends first. */
	{__LINE__, "csv",
	 RUN("a") RUN("b") SERIES("a", "0", "e", "1") SERIES("b", "3", "e", "2") END("b")
		 END("a"),
	 "", "s3,e,user,1,count,exact,1,2,2,2,2,2,,,,,,,,,\ns0,e,user", NULL, 2, 0},
	/* The end of a provisional report is none. */
	{__LINE__, "csv",
	 RUN("a") SERIES("a", "0", "e", "1") LINE("end", "a") ",'provisional':true}\n",
	 "", "s0,e,", NULL, 1, 1},
	/* Rows. */
	{__LINE__, "text", RUN("a") ROW("a", OF_TREE) END("a"), "", "e ", "incomplete", 1,
	 0},
	{__LINE__, "text", RUN("a") ROW("a", OF_TREE), "",
	 "incomplete: the run has no last record; it was killed, or goes on", NULL, 1, 1},
	{__LINE__, "text", ROW("x", OF_TREE), "",
	 "records of the run x, whose first record is in another file", "incomplete", 1,
	 0},
	{__LINE__, "csv", RUN("a") ROW("a", OF_PROCESS) ROW("a", OF_CGROUP),
	 MALFORMED("3"), ",5,", NULL, 1, 1},
	{__LINE__, "csv", RUN("a") ROW("a", "'scope':'process','pid':0"), MALFORMED("2"),
	 "", NULL, 0, 0},
	{__LINE__, "html", RUN("a") ROW("a", OF_CGROUP) END("a"), "",
	 "<th scope=\"row\">/x</th>", "<svg", 1, 0},
	{__LINE__, "json", RUN("a") ROW("a", OF_TREE) END("a"), "", "\"record\":\"end\"",
	 NULL, 1, 0},
	/* JSON is the lines of the file, up to the one that is malformed. */
	{__LINE__, "json", RUN("a") SERIES("a", "0", "e", "-1") END("a"), MALFORMED("2"),
	 "\"record\":\"run\"", "\"record\":\"end\"", 0, 0},
};

static void files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct reported o = {.format = cases[i].format};

		reports_make(&o, cases[i].records);
		if (strcmp(o.why, cases[i].why) != 0 || o.rc != (*o.why ? -1 : 0) ||
		    !strstr(o.text, cases[i].has) ||
		    (cases[i].lacks && strstr(o.text, cases[i].lacks)) ||
		    o.r.shown != cases[i].shown || o.r.incomplete != cases[i].incomplete)
			fail_msg("line %d: %s, %u shown, %u incomplete, \"%s\"",
				 cases[i].line, o.why, o.r.shown, o.r.incomplete, o.text);
		assert_string_equal(o.said, "");
		reports_end(&o);
	}
}

/* A format without rows says so once for each run, and reads on. */
static void rows_that_cannot_be_shown(void **state)
{
	struct reported o = {.format = "markdown"};

	(void)state;
	reports_make(&o, RUN("a") ROW("a", OF_TREE) ROW("a", OF_TREE) RUN("b")
				 SERIES("b", "0", "e", "1") END("a") END("b"));
	assert_int_equal(o.rc, 0);
	assert_int_equal(o.r.unknown, 1);
	assert_int_equal(o.r.shown, 2);
	assert_non_null(strstr(o.said, "as markdown, which has tables of repeated runs"));
	assert_ptr_equal(strchr(o.said, '|'), o.said + strlen(o.said) - 1);
	assert_non_null(strstr(o.text, "`s0`"));
	reports_end(&o);
}

static void writers(void **state)
{
	(void)state;
	for (unsigned i = 0; report_writers[i]; i++)
		assert_ptr_equal(report_writer(report_writers[i]->name),
				 report_writers[i]);
	assert_null(report_writer(""));
	assert_null(report_writer("TEXT"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files),
		cmocka_unit_test(rows_that_cannot_be_shown),
		cmocka_unit_test(writers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
