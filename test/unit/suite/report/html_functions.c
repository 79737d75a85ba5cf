/* The functions of runs in a page of HTML, of hostile records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/report/reports.h"

#define LINE(kind) "{'schema':2,'record':'" kind "','run':'a'"
#define RUN	   LINE("run") ",'tool':'t','engine':'sim','reproducible':'v2'}\n"
#define END	   LINE("end") ",'status':0}\n"
#define SERIES(n, values)                                                        \
	LINE("series")                                                           \
	",'series':" n ",'command':'c" n "','events':[{'name':'e','mode':'user'" \
	",'unit':'1','kind':'count','class':'simulated','values':[" values "]}]}\n"
#define FUNCTION(n, name, counts) \
	LINE("function") ",'series':" n ",'function':'" name "','counts':[" counts "]}\n"
#define COMPARISON(a, b) \
	LINE("comparison") ",'reference':" a ",'candidate':" b ",'confidence':0.95}\n"
#define ROW(name, cells) "<tr><th scope=\"row\">" name "</th>" cells "</tr>\n"
#define N(text)		 "<td class=\"n\">" text "</td>"
#define W(text)		 "<td>" text "</td>"

static const struct {
	int line;
	const char *baseline, *records;
	const char *has, *has_too;
	const char *lacks; /* or NULL */
} cases[] = {
	/* No counts by function, on one side or on both. */
	{__LINE__, NULL, RUN SERIES("0", "1") END, "</html>", "", "Functions"},
	{__LINE__, RUN SERIES("0", "1,1,1") END,
	 RUN SERIES("0", "2,2,2") FUNCTION("0", "f", "2") END,
	 "Comparison with saved runs", "", "Functions"},
	{__LINE__, NULL,
	 RUN SERIES("0", "1,1,1") FUNCTION("0", "f", "1") SERIES("1", "2,2,2")
		 COMPARISON("0", "1") END,
	 "Comparison", "", "Functions"},
	/* An event that was not counted by function. */
	{__LINE__, NULL, RUN SERIES("0", "1") FUNCTION("0", "f", "null") END, "</html>",
	 "", "Functions"},
	/* One command. */
	{__LINE__, NULL,
	 RUN SERIES("0", "4") FUNCTION("0", "f", "3") FUNCTION("0", "g", "1") END,
	 ROW("f", N("3") N("75.00 %")) ROW("g", N("1") N("25.00 %"))
		 ROW("all functions", N("4") N("100.00 %")),
	 "<h4>e (user)</h4>", "other"},
	/* A whole of nothing has no shares. */
	{__LINE__, NULL, RUN SERIES("0", "0") FUNCTION("0", "f", "0") END,
	 "<tbody>\n" ROW("all functions", N("0") N("")), "", "All functions"},
	{__LINE__, NULL, RUN SERIES("0", "1") FUNCTION("0", "f", "1e300") END,
	 N("1e+300") N("100.00 %"), "", NULL},
	/* Names with markup and control characters. */
	{__LINE__, NULL,
	 RUN SERIES("0", "1") FUNCTION("0", "</table>\\u0007\\n<b x=\\\"y\\\">&", "1")
		 END,
	 "&lt;/table&gt;??&lt;b x=", "", "</table>?"},
	/* A file, with a function that it lacks and one that it has alone. */
	{__LINE__,
	 RUN SERIES("0", "9,9,9") FUNCTION("0", "f", "5") FUNCTION("0", "old", "5") END,
	 RUN SERIES("0", "12,12,12") FUNCTION("0", "f", "6") FUNCTION("0", "new", "6")
		 END,
	 ROW("new", N("0") N("6") N("+60.00 %") W("new"))
		 ROW("old", N("5") N("0") N("-50.00 %") W("only saved"))
			 ROW("f", N("5") N("6") N("+10.00 %") W("")) ROW(
				 "all functions", N("10") N("12") N("+20.00 %") W("")),
	 "<p>Against <code>base</code></p>\n<h4>e (user)</h4>", "only in"},
	/* Small changes are one row. */
	{__LINE__,
	 RUN SERIES("0", "9,9,9") FUNCTION("0", "f", "1000") FUNCTION("0", "g", "1") END,
	 RUN SERIES("0", "12,12,12") FUNCTION("0", "f", "2000") FUNCTION("0", "g", "2")
		 END,
	 ROW("1 other", N("") N("") N("+0.10 %") W("")), "1,000", NULL},
	/* From nothing there is no percentage. */
	{__LINE__, RUN SERIES("0", "9,9,9") FUNCTION("0", "f", "0") END,
	 RUN SERIES("0", "12,12,12") FUNCTION("0", "f", "6") END,
	 ROW("f", N("0") N("6") N("+6") W("")), "", NULL},
	/* The one more run of each is the same, although the others are not. */
	{__LINE__, NULL,
	 RUN SERIES("0", "9,9,9") FUNCTION("0", "f", "5") SERIES("1", "12,12,12")
		 FUNCTION("1", "f", "5") COMPARISON("0", "1") END,
	 "<tbody>\n" ROW("all functions",
			 N("5") N("5") N("+0.00 %") W("the same in each function")),
	 "", "A is "},
	/* Several references: the page says which one A is. */
	{__LINE__, NULL,
	 RUN SERIES("0", "9,9,9") FUNCTION("0", "f", "5") SERIES("1", "8,8,8")
		 FUNCTION("1", "f", "4") SERIES("2", "12,12,12") FUNCTION("2", "f", "6")
			 COMPARISON("0", "2") COMPARISON("1", "2") END,
	 "<p>A is A1, <code>c0</code></p>\n<h4>e (user)</h4>",
	 "<p>A is A2, <code>c1</code></p>\n<h4>e (user)</h4>", "only in"},
};

static void pages(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct reported o = {.format = "html", .baseline = cases[i].baseline};

		reports_make(&o, cases[i].records);
		const char *text = strstr(o.text, "<main>");
		if (o.rc || !strstr(text, cases[i].has) ||
		    !strstr(text, cases[i].has_too) ||
		    (cases[i].lacks && strstr(text, cases[i].lacks)))
			fail_msg("line %d: %s, \"%s\"", cases[i].line, o.why, text);
		reports_end(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
