/* The sets of a saved run: what is taken of requests, and which are malformed. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "suite/records.h"

#include "suite/saved/sets.h"

/* Writes each request as "event,note,mode,attrs,unit,pic,number,label;". */
static void describe(char *text, size_t size, const struct row_set *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		char pic[16] = "-", number[16] = "-";

		if (s->pic)
			snprintf(pic, sizeof pic, "%u", s->pic[i]);
		if (s->number)
			snprintf(number, sizeof number, "%d", s->number[i]);
		records_put(text, size, "%s,%s,%s,%s,%s,%s,%s,%s;", s->event[i],
			    records_or(s->note[i]),
			    records_or(s->mode ? s->mode[i] : NULL),
			    records_or(s->attrs[i]), records_or(s->unit[i]), pic, number,
			    records_or(s->label ? s->label[i] : NULL));
	}
}

static const struct {
	int line;
	const char *requests;
	const char *want; /* NULL: the requests are malformed */
} cases[] = {
	{__LINE__, "[]", ""},
	{__LINE__, "null", NULL},
	{__LINE__, "{}", NULL},
	{__LINE__, "'name'", NULL},
	{__LINE__, "[null]", NULL},
	{__LINE__, "[[]]", NULL},
	{__LINE__, "['name']", NULL},
	{__LINE__, "[{}]", NULL},
	{__LINE__, "[{'name':null}]", NULL},
	{__LINE__, "[{'name':7}]", NULL},
	{__LINE__, "[{'name':'a'},{}]", NULL},
	{__LINE__, "[{'name':''}]", ",-,-,-,-,-,-,-;"},
	{__LINE__, "[{'name':'a'},[],{'name':'b'}]", NULL},
	/* The texts are kept as they are. */
	{__LINE__,
	 "[{'name':'\\u001b[31m\\u202e','how':'\\r',"
	 "'mode':'user','attrs':'','unit':'ns'}]",
	 "\033[31m\342\200\256,\r,user,,ns,-,-,-;"},
	{__LINE__, "[{'name':'a','note':'n'},{'name':'b','note':'n','how':'h'}]",
	 "a,n,-,-,-,-,-,-;b,h,-,-,-,-,-,-;"},
	{__LINE__, "[{'name':'a','how':1,'note':[],'mode':{},'attrs':2,'unit':true}]",
	 "a,-,-,-,-,-,-,-;"},
	/* A mode that one of the requests lacks. */
	{__LINE__, "[{'name':'a','mode':'none'},{'name':'b'}]",
	 "a,-,,-,-,-,-,-;b,-,-,-,-,-,-,-;"},
	/* Counters are those of all requests, or of none. */
	{__LINE__, "[{'name':'a','pic':1},{'name':'b','pic':4294967295}]",
	 "a,-,-,-,-,1,-,-;b,-,-,-,-,4294967295,-,-;"},
	{__LINE__, "[{'name':'a','pic':1e0}]", "a,-,-,-,-,1,-,-;"},
	{__LINE__, "[{'name':'a','pic':1},{'name':'b','pic':4294967296}]",
	 "a,-,-,-,-,-,-,-;b,-,-,-,-,-,-,-;"},
	{__LINE__, "[{'name':'a','pic':-1}]", "a,-,-,-,-,-,-,-;"},
	{__LINE__, "[{'name':'a','pic':0.5}]", "a,-,-,-,-,-,-,-;"},
	{__LINE__, "[{'name':'a','pic':'0'}]", "a,-,-,-,-,-,-,-;"},
	/* The first request tells whether the run is one of perfex. */
	{__LINE__, "[{'name':'a','number':31,'label':'L'},{'name':'b','number':32}]",
	 "a,-,-,-,-,-,31,L;b,-,-,-,-,-,-1,-;"},
	{__LINE__, "[{'name':'a'},{'name':'b','number':1,'label':'L'}]",
	 "a,-,-,-,-,-,-,-;b,-,-,-,-,-,-,-;"},
	{__LINE__, "[{'name':'a','number':null}]", "a,-,-,-,-,-,-1,-;"},
};

static void requests_of_a_set(void **state)
{
	struct scan scan = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct saved_sets sets = {0};
		char text[512] = "";

		errno = 0;
		const int rc = saved_sets_add(
			&sets, records_node(&scan, cases[i].requests), "spec");
		if (rc == 0)
			describe(text, sizeof text, sets.each[0]);
		if (rc != (cases[i].want ? 0 : -1) || (rc == -1 && errno != EINVAL) ||
		    (rc == 0 && strcmp(text, cases[i].want) != 0))
			fail_msg("line %d: %d, \"%s\"", cases[i].line, rc, text);
		saved_sets_free(&sets);
		assert_int_equal(sets.n, 0);
	}
	scan_free(&scan);
}

static const struct {
	int line;
	const char *run;
	int n; /* of the sets; -1: the record is malformed */
} runs[] = {
	{__LINE__, "{}", 0},
	{__LINE__, "null", 0},
	{__LINE__, "{'sets':null}", 0},
	{__LINE__, "{'sets':{'requests':[]}}", 0},
	{__LINE__, "{'sets':[]}", 0},
	{__LINE__, "{'sets':[{'requests':[]},{'requests':[{'name':'a'}],'spec':7}]}", 2},
	{__LINE__, "{'sets':[{'requests':[]},{}]}", -1},
	{__LINE__, "{'sets':[null]}", -1},
	{__LINE__, "{'sets':[[]]}", -1},
	{__LINE__, "{'sets':[{'requests':[{'name':'a'}]},{'requests':[{'nam':'a'}]}]}",
	 -1},
};

static void sets_of_a_run(void **state)
{
	struct scan scan = {.node = NULL};

	(void)state;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		struct saved_sets sets = {0};
		const int rc = saved_sets_read(&sets, records_node(&scan, runs[i].run));

		if (rc != (runs[i].n < 0 ? -1 : 0) ||
		    (rc == 0 && sets.n != (unsigned)runs[i].n))
			fail_msg("line %d: %d, %u sets", runs[i].line, rc, sets.n);
		for (unsigned k = 0; rc == 0 && k < sets.n; k++)
			assert_ptr_equal(sets.each[k], &sets.set[k]);
		saved_sets_free(&sets);
	}
	scan_free(&scan);
}

/* Appends n times the text, with commas between. */
static char *repeated(const char *begin, const char *text, unsigned n, const char *end)
{
	struct textbuf b = {0};

	textbuf_str(&b, begin);
	for (unsigned i = 0; i < n; i++) {
		textbuf_str(&b, i ? "," : "");
		textbuf_str(&b, text);
	}
	textbuf_str(&b, end);
	char *s = textbuf_end(&b);
	assert_non_null(s);
	return s;
}

/* Files cannot make a reader allocate without bound. */
static void too_many_are_malformed(void **state)
{
	static const struct {
		int line;
		const char *begin, *text, *end;
		unsigned n;
		int rc;
	} t[] = {
		{__LINE__, "{\"sets\":[", "{\"requests\":[]}", "]}", 4096, 0},
		{__LINE__, "{\"sets\":[", "{\"requests\":[]}", "]}", 4097, -1},
		{__LINE__, "{\"sets\":[{\"requests\":[", "{\"name\":\"a\"}", "]}]}",
		 10000, 0},
		{__LINE__, "{\"sets\":[{\"requests\":[", "{\"name\":\"a\"}", "]}]}",
		 10001, -1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct scan scan = {.node = NULL};
		struct saved_sets sets = {0};
		char *text = repeated(t[i].begin, t[i].text, t[i].n, t[i].end);

		assert_int_equal(scan_text(&scan, text, strlen(text)), 0);
		if (saved_sets_read(&sets, scan.node) != t[i].rc)
			fail_msg("line %d", t[i].line);
		saved_sets_free(&sets);
		scan_free(&scan);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(requests_of_a_set),
		cmocka_unit_test(sets_of_a_run),
		cmocka_unit_test(too_many_are_malformed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
