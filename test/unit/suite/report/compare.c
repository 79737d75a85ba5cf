/* Comparisons with a file and limits, of runs that are cut, refused or hostile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/report/reports.h"

#define LINE(kind) "{'schema':2,'record':'" kind "','run':'a'"
#define RUN(engine) \
	LINE("run") ",'tool':'t','engine':'" engine "','model':'m','reproducible':'v2'}\n"
#define SIM RUN("sim")
#define END LINE("end") ",'status':0}\n"
#define EVENT(name, kind, values)                                   \
	"{'name':'" name "','mode':'user','unit':'1','kind':'" kind \
	"','class':'simulated'"                                     \
	",'values':[" values "]}"
#define SERIES(n, events) \
	LINE("series") ",'series':" n ",'command':'c','events':[" events "]}\n"
#define PAIR	      LINE("comparison") ",'reference':0,'candidate':1}\n"
#define COUNT(values) EVENT("e", "count", values)
#define GATE(limits)  LINE("gate") ",'baseline':'\\u001b','limits':[" limits "]}\n"
#define OLD	      SIM SERIES("0", COUNT("100,100,100")) END

static const struct {
	int line;
	const char *baseline, *limits, *records;
	int strict;
	const char *said; /* a part; "": nothing is said */
	const char *has;  /* a part of the text */
	int exceeded, refused, unknown;
} cases[] = {
	{__LINE__, OLD, NULL, SIM SERIES("0", COUNT("100,100,100")) END, 0, "", "same", 0,
	 0, 0},
	{__LINE__, OLD, "e=5%", SIM SERIES("0", COUNT("104,104,104")) END, 0, "",
	 "+4.00 %", 0, 0, 0},
	{__LINE__, OLD, "e=5%", SIM SERIES("0", COUNT("106,106,106")) END, 0, "", "FAIL",
	 1, 0, 0},
	{__LINE__, OLD, "-e=5%", SIM SERIES("0", COUNT("94,94,94")) END, 0, "", "FAIL", 1,
	 0, 0},
	/* The ranges overlap the limit: unsure, which only --strict does not accept. */
	{__LINE__, OLD, "e=5%", SIM SERIES("0", COUNT("104,106,106")) END, 0, "",
	 "unsure", 0, 0, 0},
	{__LINE__, OLD, "e=5%", SIM SERIES("0", COUNT("104,106,106")) END, 1, "",
	 "unsure", 0, 0, 1},
	/* From nothing to the largest count, and back. */
	{__LINE__, SIM SERIES("0", COUNT("0,0,0")) END, "e=5%",
	 SIM SERIES("0", COUNT("18446744073709551615,18446744073709551615,"
			       "18446744073709551615")) END,
	 0, "", "FAIL", 1, 0, 0},
	{__LINE__, SIM SERIES("0", COUNT("18446744073709551615")) END, "e=5%",
	 SIM SERIES("0", COUNT("0")) END, 0, "", "\nfew ", 0, 0, 1},
	/* Limits of events that are not there, or that vary from moment to moment. */
	{__LINE__, OLD, "f=5%", SIM SERIES("0", COUNT("1")) END, 0, "--limit: ", "", 0, 1,
	 0},
	{__LINE__, SIM SERIES("0", EVENT("e", "noisy", "1,2,3")) END, "e=5%",
	 SIM SERIES("0", EVENT("e", "noisy", "1,2,3")) END, 0, "--limit: ", "", 0, 1, 0},
	/* Runs that were made in another way. */
	{__LINE__, OLD, NULL, RUN("kernel") SERIES("0", COUNT("100")) END, 0,
	 "'base' cannot be compared with '", "", 0, 0, 1},
	{__LINE__, OLD, "e=5%", RUN("kernel") SERIES("0", COUNT("900")) END, 0,
	 "'base' cannot be compared with '", "", 0, 0, 1},
	/* Runs that were cut, and those without repeated runs. */
	{__LINE__, OLD, "e=5%", SIM SERIES("0", COUNT("900,900,900")), 0,
	 "not gated: the runs were ended early", "incomplete", 0, 0, 1},
	{__LINE__, OLD, "e=5%",
	 SIM SERIES("0", COUNT("900,900,900")) LINE("end") ",'signal':2}\n", 0,
	 "not gated: the runs were ended early", "", 0, 0, 1},
	{__LINE__, OLD, NULL, SIM END, 0,
	 "a run without series of --repeat or --vs cannot be compared", "", 0, 0, 1},
	{__LINE__, NULL, "e=5%", SIM SERIES("0", COUNT("1,1,1")) END, 0,
	 "has no runs of --vs; --baseline=FILE compares with others", "", 0, 0, 1},
	/* The last series is the candidate. */
	{__LINE__, NULL, "e=5%",
	 SIM SERIES("0", COUNT("1,1,1")) SERIES("1", COUNT("2,2,2")) PAIR END, 0, "",
	 "FAIL", 1, 0, 0},
	/* Pairs and a file: the limit holds for both. */
	{__LINE__, SIM SERIES("0", COUNT("2,2,2")) END, "e=5%",
	 SIM SERIES("0", COUNT("1,1,1")) SERIES("1", COUNT("2,2,2")) PAIR END, 0, "",
	 "base", 1, 0, 0},
	/* The limits that the run itself has judged are in its record, or nowhere. */
	{__LINE__, NULL, NULL,
	 SIM SERIES("0", COUNT("1"))
		 GATE("{'name':'e\\n','limit':0.05,'falls':true,'result':'fail'},"
		      "{'name':7,'result':'ok'},{'name':'f','result':'un'},null") END,
	 0, "", "gate of the run against ?\nFAIL   e?  limit -5 %\nun     f  limit 0 %\n",
	 0, 0, 0},
	{__LINE__, NULL, NULL,
	 SIM SERIES("0", COUNT("1")) LINE("gate") ",'limits':7}\n" END, 0, "",
	 "gate of the run\n", 0, 0, 0},
};

static void comparisons(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct reported o = {.format = "text",
				     .baseline = cases[i].baseline,
				     .limits = cases[i].limits,
				     .strict = cases[i].strict};

		reports_make(&o, cases[i].records);
		if (!strstr(o.said, cases[i].said) || (!*cases[i].said && *o.said) ||
		    !strstr(o.text, cases[i].has) || o.r.exceeded != cases[i].exceeded ||
		    o.r.refused != cases[i].refused || o.r.unknown != cases[i].unknown)
			fail_msg("line %d: %s, status %d %d %d, \"%s\"", cases[i].line,
				 o.said, o.r.exceeded, o.r.refused, o.r.unknown, o.text);
		reports_end(&o);
	}
}

/* Each format has the same results, and none changes the status. */
static void formats_agree(void **state)
{
	static const struct {
		const char *format, *has;
	} t[] = {
		{"csv", ",c,0.06000000000000005,true,,,,more,0.05,fail\n"},
		{"json", "\"result\":\"fail\""},
		{"markdown", "**1 of 1 limit exceeded, 0 unsure**\n\n"},
		{"html", "<p class=\"result bad\">1 of 1 limit exceeded, 0 unsure</p>"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct reported o = {.format = t[i].format, .limits = "e=5%"};

		reports_make(&o, SIM SERIES("0", COUNT("100,100,100"))
					 SERIES("1", COUNT("106,106,106")) PAIR END);
		if (!strstr(o.text, t[i].has) || !o.r.exceeded || o.r.unknown)
			fail_msg("%s: \"%s\"", t[i].format, o.text);
		reports_end(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(comparisons),
		cmocka_unit_test(formats_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
