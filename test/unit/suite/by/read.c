/* Files that are joined: which values they give to which key, and which are left out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/by/read.h"

/* Writes "event mode scope nth: key=value class ...; " for each row. */
static void describe(char *text, size_t size, const struct by *b)
{
	static const char *const problems[BY_PROBLEMS] = {
		[BY_KILLED] = "killed",	  [BY_PROVISIONAL] = "provisional",
		[BY_KEYLESS] = "keyless", [BY_TWICE] = "twice",
		[BY_SHARED] = "shared",	  [BY_SERIES] = "series",
		[BY_ORPHANS] = "orphans"};

	for (unsigned i = 0; i < b->values.ids.n; i++) {
		const struct values_row *row = &b->values.row[i];

		records_put(text, size, "%s%s%s%s%s:", row->field[VALUES_EVENT],
			    *row->field[VALUES_NTH] ? " " : "", row->field[VALUES_NTH],
			    *row->field[VALUES_CGROUP] ? " " : "",
			    row->field[VALUES_CGROUP]);
		for (unsigned k = 0; k < b->values.keys.n && k < row->cells; k++) {
			const struct values_cell *c = &row->cell[k];
			const char *key = b->values.keys.entry[k]->text;

			if (c->has_value)
				records_put(text, size, " %s=%Lg %s", key, c->value,
					    cpc_class_name(c->quality));
		}
		records_put(text, size, "; ");
	}
	for (unsigned i = 0; i < BY_PROBLEMS; i++)
		if (b->found[i].n)
			records_put(text, size, "%s %u ", problems[i], b->found[i].n);
}

#define RUN(id, rank)                                                            \
	"{'schema':2,'record':'run','run':'" id "','tool':'t','engine':'kernel'" \
	",'host':'h" id "','rank':" rank ",'label':{'k':'v" id "'}"              \
	",'sets':[{'requests':[{'name':'e'}]}]}\n"
#define LINE(kind, id) "{'schema':2,'record':'" kind "','run':'" id "'"
#define TOTAL(id, value, class)                                                      \
	LINE("total", id)                                                            \
	",'scope':'tree','what':'exit','set':0,'values':[{'name':'e','value':" value \
	",'class':'" class "'}]}\n"
#define CGROUP(id, path, value) \
	LINE("total", id)       \
	",'scope':'cgroup','id':" path ",'set':0,'values':[" value "]}\n"
#define E1		"{'name':'e','value':1,'class':'exact'}"
#define E2		"{'name':'e','value':2,'class':'exact'}"
#define END(id)		LINE("end", id) ",'status':0}\n"
#define PROVISIONAL(id) LINE("end", id) ",'provisional':true}\n"

static const struct {
	int line;
	const char *by, *text;
	const char *want;
	const char *why; /* NULL: the file is read to its end */
} cases[] = {
	{__LINE__, "rank", RUN("a", "3") TOTAL("a", "7", "exact") END("a"),
	 "e: 3=7 exact; ", NULL},
	{__LINE__, "host", RUN("a", "3") TOTAL("a", "7", "exact") END("a"),
	 "e: ha=7 exact; ", NULL},
	{__LINE__, "label:k", RUN("a", "3") TOTAL("a", "7", "exact") END("a"),
	 "e: va=7 exact; ", NULL},
	{__LINE__, "label:x", RUN("a", "3") TOTAL("a", "7", "exact") END("a"),
	 "keyless 1 ", NULL},
	{__LINE__, "rank", RUN("a", "null") TOTAL("a", "7", "exact") END("a"),
	 "keyless 1 ", NULL},
	{__LINE__, "rank", RUN("a", "4294967296") TOTAL("a", "7", "exact") END("a"),
	 "keyless 1 ", NULL},
	/* Two runs at a time, and two of one rank, whose counts are added. */
	{__LINE__, "rank",
	 RUN("a", "0") RUN("b", "1") TOTAL("b", "2", "exact")
		 TOTAL("a", "1", "approximate") END("b") END("a"),
	 "e: 0=1 approximate 1=2 exact; ", NULL},
	{__LINE__, "rank",
	 RUN("a", "0") TOTAL("a", "1", "exact") END("a") RUN("b", "0")
		 TOTAL("b", "2", "approximate") END("b"),
	 "e: 0=3 approximate; shared 1 ", NULL},
	/* Sums beyond 2^64-1 are exact. */
	{__LINE__, "rank",
	 RUN("a", "0") TOTAL("a", "18446744073709551615", "exact")
		 TOTAL("a", "18446744073709551615", "exact") END("a"),
	 "e: 0=3.68935e+19 exact; ", NULL},
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "18446744073709551616", "exact"),
	 "killed 1 ", "line 2: the record is malformed"},
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "-1", "exact"), "killed 1 ",
	 "line 2: the record is malformed"},
	/* Values that are not available, or of a class that is not known. */
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "null", "unavailable") END("a"),
	 "e:; ", NULL},
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "7", "EXACT") END("a"), "e:; ", NULL},
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "null", "exact") END("a"),
	 "killed 1 ", "line 2: the record is malformed"},
	/* The same run again, whether it has ended or not. */
	{__LINE__, "rank",
	 RUN("a", "0") TOTAL("a", "1", "exact") END("a") RUN("a", "0")
		 TOTAL("a", "1", "exact") END("a"),
	 "e: 0=1 exact; twice 1 ", NULL},
	{__LINE__, "rank",
	 RUN("a", "0") TOTAL("a", "1", "exact") RUN("a", "0") TOTAL("a", "1", "exact")
		 END("a"),
	 "e: 0=1 exact; killed 1 twice 1 ", NULL},
	/* Records without the first one of their run. */
	{__LINE__, "rank", TOTAL("x", "1", "exact") TOTAL("y", "1", "exact") END("x"),
	 "orphans 2 ", NULL},
	/* What comes after a provisional report takes its place. */
	{__LINE__, "rank",
	 RUN("a", "0") TOTAL("a", "1", "exact") PROVISIONAL("a") TOTAL("a", "9", "exact")
		 END("a"),
	 "e: 0=9 exact; ", NULL},
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "1", "exact") PROVISIONAL("a"),
	 "e: 0=1 exact; provisional 1 ", NULL},
	{__LINE__, "rank", RUN("a", "0") TOTAL("a", "1", "exact"),
	 "e: 0=1 exact; killed 1 ", NULL},
	/* Faults. */
	{__LINE__, "rank", "", "", "it has no records"},
	{__LINE__, "rank", "\n \n", "", "it has no records"},
	{__LINE__, "rank", LINE("run", "a") "}\n", "", "line 1: the record is malformed"},
	{__LINE__, "rank", RUN("a", "0") "{'schema':3,'record':'end','run':'a'}\n",
	 "killed 1 ",
	 "line 2 is a record of schema 3; this version reads records up to schema 2"},
	{__LINE__, "rank", RUN("a", "0") LINE("total", "a"), "killed 1 ",
	 "line 2 is cut off: the file ends in the middle of it"},
	{__LINE__, "rank", RUN("a", "0") LINE("total", "a") ",'set':1,'values':[]}\n",
	 "killed 1 ", "line 2: the record is malformed"},
	{__LINE__, "rank", RUN("a", "0") LINE("total", "a") ",'set':0,'values':[]}\n",
	 "killed 1 ", "line 2: the record is malformed"},
	{__LINE__, "rank",
	 RUN("a", "0")
		 LINE("total", "a") ",'set':0,'values':[{'value':1,'class':'exact'}]}\n",
	 "killed 1 ", "line 2: the record is malformed"},
	/* CPUs and LWPs have the host before them, and must have a number. */
	{__LINE__, "cpu",
	 RUN("a", "0") LINE("sample",
			    "a") ",'scope':'cpu','id':2147483647,'set':0,'values':[" E1
				 "]}\n" END("a"),
	 "e: ha/2147483647=1 exact; ", NULL},
	{__LINE__, "cpu",
	 RUN("a", "0") LINE("sample", "a") ",'scope':'cpu','id':2147483648,'set':0,"
					   "'values':[{'name':'e'}]}\n",
	 "killed 1 ", "line 2: the record is malformed"},
	{__LINE__, "lwp",
	 RUN("a", "0")
		 LINE("total", "a") ",'scope':'lwp','pid':1,'tid':7,'set':0,'values':[" E1
				    "]}\n" END("a"),
	 "e: ha/1.7=1 exact; ", NULL},
	{__LINE__, "lwp",
	 RUN("a", "0")
		 LINE("total",
		      "a") ",'scope':'lwp','pid':1,'set':0,'values':[{'name':'e'}]}\n",
	 "killed 1 ", "line 2: the record is malformed"},
	/* Each cgroup has a row of its own. */
	{__LINE__, "rank",
	 RUN("a", "0") CGROUP("a", "'/x'", E1) CGROUP("a", "7", E2) END("a"),
	 "e /x: 0=1 exact; e: 0=2 exact; ", NULL},
};

static void files(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char path[64], why[256] = "", text[1024] = "";
		struct by b = {.label = NULL};
		const int fd = records_file(cases[i].text, path, sizeof path);

		assert_int_equal(by_parse(&b, cases[i].by), 0);
		const int rc = by_file(&b, path, why, sizeof why);
		describe(text, sizeof text, &b);
		if (rc != (cases[i].why ? -1 : 0) ||
		    (rc == -1 && strcmp(why, cases[i].why) != 0) ||
		    strcmp(text, cases[i].want) != 0)
			fail_msg("line %d: %d, %s, \"%s\"", cases[i].line, rc, why, text);
		assert_null(b.open);
		by_free(&b);
		close(fd);
	}
}

static void a_missing_file(void **state)
{
	struct by b = {.kind = BY_RANK};
	char why[64];

	(void)state;
	assert_int_equal(by_file(&b, "/nonexistent/file", why, sizeof why), -1);
	assert_string_equal(why, "No such file or directory");
	by_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files),
		cmocka_unit_test(a_missing_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
