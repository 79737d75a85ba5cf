/* Formats of other tools, annotated sources, and differences, of made-up recordings. */
#include "suite/profile/export.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "made.h"
#include "suite/profile/annotate.h"
#include "suite/profile/diff.h"
#include "suite/profile/html.h"
#include "suite/profile/intern.h"
#include "suite/profile/markup.h"

#define LEN(a) (sizeof(a) / sizeof(*(a)))

static struct recording_event events[] = {
	{LWP_EVENT_IRE, "ire", "simulated r10000", 1, 100},
	{0, "graduated loads", "simulated <r10000>", 1, 9},
};

static struct recording_count counts[] = {
	{0x1010, 0, 60}, {0x1018, 0, 10}, {0x1190, 0, 20},
	{0x2040, 0, 10}, {0x1010, 1, 4},  {0x1190, 1, 5},
};

static struct recording made_counts(struct recording_count *count, size_t n)
{
	struct recording r = made_recording();

	r.event = events;
	r.nevent = LEN(events);
	r.count = count;
	r.ncount = n;
	return r;
}

static struct profile *make(const struct recording *r, struct profile_input *input)
{
	*input = (struct profile_input){.name = "core", .recording = r};
	struct profile *p = profile_new(input, 1, &(struct profile_options){0});

	assert_non_null(p);
	return p;
}

static struct recording recording;
static struct profile_input input;
static struct profile *profile;

static int open_profile(void **state)
{
	(void)state;
	recording = made_counts(counts, LEN(counts));
	profile = make(&recording, &input);
	return 0;
}

static int close_profile(void **state)
{
	(void)state;
	profile_free(profile);
	return 0;
}

static void test_folded(void **state)
{
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(export_folded(&b, profile, 0), 0);
	char *text = textbuf_end(&b);

	assert_string_equal(text, "one;alpha 70\n"
				  "one;beta;gamma 20\n"
				  "two;two [no symbol] 10\n");
	free(text);
}

static void test_callgrind(void **state)
{
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(export_callgrind(&b, profile), 0);
	char *text = textbuf_end(&b);

	assert_string_equal(text, "# callgrind format\n"
				  "version: 1\n"
				  "creator: lwprec " VERSION "\n"
				  "pid: 100\n"
				  "cmd: one --fast\n"
				  "desc: ire: exact counts, simulated r10000\n"
				  "desc: graduated_loads: exact counts, simulated "
				  "<r10000>\n"
				  "positions: line\n"
				  "events: ire graduated_loads\n"
				  "summary: 100 9\n"
				  "ob=(1) /bin/one\n"
				  "fl=(1) /src/one.c\n"
				  "fn=(1) alpha\n"
				  "11 70 4\n"
				  "ob=(1)\n"
				  "fl=(1)\n"
				  "fn=(2) beta\n"
				  "fi=(2) /src/gamma.h\n"
				  "5 20 5\n"
				  "ob=(2) /lib/two\n"
				  "fl=(3) ???\n"
				  "fn=(3) two [no symbol]\n"
				  "0 10 0\n"
				  "totals: 100 9\n");
	free(text);
}

/* Each sample has the frames of its stack, the outermost first. */
static void test_speedscope(void **state)
{
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(export_speedscope(&b, profile), 0);
	json_t *j = json_loadb(b.s, b.len, 0, NULL);

	assert_non_null(j);
	json_t *frames = json_object_get(json_object_get(j, "shared"), "frames");
	json_t *ire = json_array_get(json_object_get(j, "profiles"), 0);
	json_t *sample = json_array_get(json_object_get(ire, "samples"), 1);
	static const char *const want[] = {"one", "beta", "gamma"};

	assert_int_equal(json_array_size(json_object_get(j, "profiles")), 2);
	assert_int_equal(json_integer_value(json_object_get(ire, "endValue")), 100);
	assert_int_equal(json_array_size(sample), 3);
	for (size_t i = 0; i < 3; i++) {
		const size_t k = (size_t)json_integer_value(json_array_get(sample, i));
		json_t *name = json_object_get(json_array_get(frames, k), "name");

		assert_string_equal(json_string_value(name), want[i]);
	}
	json_decref(j);
	free(b.s);
}

/* Read the field at *at of a protocol buffer: its number, and its value or length. */
static unsigned read_field(const struct textbuf *b, size_t *at, uint64_t *value,
			   const char **bytes)
{
	uint64_t number[2] = {0, 0};

	for (int i = 0; i < 2; i++) {
		unsigned shift = 0;

		do {
			assert_true(*at < b->len);
			number[i] |= (uint64_t)(b->s[*at] & 0x7f) << shift;
			shift += 7;
		} while (b->s[(*at)++] & 0x80);
	}
	*value = number[1];
	*bytes = b->s + *at;
	if ((number[0] & 7) == 2)
		*at += number[1];
	assert_true(*at <= b->len);
	return (unsigned)(number[0] >> 3);
}

/* Protocol buffers: two types, a sample and a location for each instruction. */
static void test_pprof(void **state)
{
	unsigned fields[32] = {0};
	struct textbuf b = {0};
	uint64_t value, strings = 0;
	const char *bytes;

	(void)state;
	assert_int_equal(export_pprof(&b, profile), 0);
	for (size_t at = 0; at < b.len;) {
		const unsigned field = read_field(&b, &at, &value, &bytes);

		assert_true(field < LEN(fields));
		fields[field]++;
		/* The first string is empty, the second the name of the first type. */
		if (field == 6 && ++strings == 1)
			assert_int_equal(value, 0);
		else if (field == 6 && strings == 2)
			assert_memory_equal(bytes, "ire", 3);
	}
	assert_int_equal(fields[1], 2);
	assert_int_equal(fields[2], 4);
	assert_int_equal(fields[3], recording.nmapping);
	assert_int_equal(fields[4], 4);
	/* alpha, gamma, beta, and the code without symbol */
	assert_int_equal(fields[5], 4);
	free(b.s);
}

/* Text from outside stays text, and nothing is loaded from elsewhere. */
static void test_html(void **state)
{
	const struct view *const view = report_view("symbol");
	const struct report r = {&view, 1, {0, 64}, TEXT_PLAIN};
	struct textbuf b = {0};

	(void)state;
	recording.command = "<script>alert('&')</script>";
	assert_int_equal(html_put(&b, profile, &r), 0);
	char *text = textbuf_end(&b);

	assert_null(strstr(text, "<script"));
	assert_non_null(strstr(text, "<title>&lt;script&gt;alert(&#39;&amp;&#39;)"));
	assert_non_null(strstr(text, "simulated &lt;r10000&gt;"));
	assert_null(strstr(text, "src="));
	assert_null(strstr(text, "href="));
	assert_non_null(strstr(text, "<td class=\"n\">70.00</td><td class=\"n\">70</td>"
				     "<td>alpha</td>"));
	free(text);
}

/* The pages with most misses are drawn in the order of their addresses. */
static void test_heat(void **state)
{
	static const uint64_t address[] = {0xc010, 0x8000, 0xc020, 0x8040, 0xb008};
	static const char *const label[] = {">0x8000", ">0xb000", ">0xc000"};
	static struct made_ring memory;
	const struct view *const view = report_view("symbol");
	const struct report report = {&view, 1, {0, 64}, TEXT_PLAIN};
	struct recording r = made_recording();
	struct recording_event event = {LWP_EVENT_DME, "dme", "simulated", 1, UINT64_MAX};
	struct recording_ring ring;
	lwp_record_t record[LEN(address)];
	struct textbuf b = {0};

	(void)state;
	for (size_t i = 0; i < LEN(address); i++)
		record[i] = (lwp_record_t){.id = LWP_EVENT_DME,
					   .ip = 0x1010,
					   .flags = LWP_DME_DAV,
					   .data2 = address[i]};
	made_fill(&memory, &ring, 101, 0, record, LEN(address));
	r.ring = &ring;
	r.nring = 1;
	r.event = &event;
	r.nevent = 1;
	struct profile_input in = {.name = "core", .recording = &r};
	struct profile *p =
		profile_new(&in, 1, &(struct profile_options){.details = PROFILE_TIME});

	assert_non_null(p);
	assert_int_equal(html_put(&b, p, &report), 0);
	char *text = textbuf_end(&b);
	const char *at = strstr(text, "Pages of data over time");

	for (size_t i = 0; at && i < LEN(label); i++)
		at = strstr(at, label[i]);
	assert_non_null(at);
	free(text);
	profile_free(p);
}

/* The areas are as the values, and the boxes fill the whole without overlap. */
static void test_treemap(void **state)
{
	static const uint64_t value[] = {600, 600, 400, 300, 200, 200, 100};
	struct box box[LEN(value)];
	double area = 0;

	(void)state;
	markup_treemap((struct box){0, 0, 600, 400}, value, LEN(value), box);
	for (size_t i = 0; i < LEN(value); i++) {
		const double a = box[i].w * box[i].h, want = (double)value[i] * 100;

		area += a;
		assert_true(a > want - 1 && a < want + 1);
		assert_true(box[i].x >= 0 && box[i].x + box[i].w < 600.01);
		assert_true(box[i].y >= 0 && box[i].y + box[i].h < 400.01);
		for (size_t k = 0; k < i; k++)
			assert_true(box[i].x + 0.01 > box[k].x + box[k].w ||
				    box[k].x + 0.01 > box[i].x + box[i].w ||
				    box[i].y + 0.01 > box[k].y + box[k].h ||
				    box[k].y + 0.01 > box[i].y + box[i].h);
	}
	assert_true(area > 239999 && area < 240001);
}

/* Numbers are given in the order of first use, and stay when the table grows. */
static void test_intern(void **state)
{
	struct intern t = {0};
	char text[16];

	(void)state;
	for (int round = 0; round < 2; round++)
		for (size_t i = 0; i < 1000; i++) {
			snprintf(text, sizeof text, "s%zu", i);
			assert_int_equal(intern(&t, text), i);
		}
	assert_int_equal(t.n, 1000);
	assert_string_equal(t.string[999], "s999");
	intern_free(&t);
}

static char *annotate(const char *function, enum text_format format)
{
	static const char source[] = "1\n2\n3\n4\n5\n6\n7\n8\nnine\n\tten\neleven\n12";
	const struct annotate_source s[] = {
		{"/src/one.c", source, sizeof source - 1},
		{"/src/gamma.h", NULL, 0},
	};
	struct annotation a;
	struct textbuf b = {0};

	if (annotate_make(&a, profile, function) == -1)
		return NULL;
	annotate_put(&b, profile, &a, function, s, LEN(s), format);
	annotate_free(&a);
	return textbuf_end(&b);
}

static void test_annotate(void **state)
{
	char *text = annotate("alpha", TEXT_PLAIN);

	(void)state;
	assert_string_equal(strstr(text, "\nire of"),
			    "\nire of alpha: 70 of 100, exact counts, simulated r10000\n"
			    "graduated loads of alpha: 4 of 9, exact counts, simulated "
			    "<r10000>\n"
			    "\n/src/one.c\n"
			    "percent  ire  percent  graduated loads  line  source\n"
			    "                                           9  nine\n"
			    "                                          10          ten\n"
			    " 100.00   70   100.00                4    11  eleven\n"
			    "                                          12  12\n");
	free(text);
	text = annotate("gamma", TEXT_PLAIN);
	assert_string_equal(strstr(text, "\n\n"),
			    "\n\n/src/gamma.h (the file was not found)\n"
			    "percent  ire  percent  graduated loads  line  source\n"
			    " 100.00   20   100.00                5     5  \n");
	free(text);
	/* The line of the call has what is inlined there. */
	text = annotate("beta", TEXT_CSV);
	assert_string_equal(
		text, "view,event,number,count,percent,file,line,inlined\n"
		      "annotate,ire,exact counts,20,100.00,/src/one.c,44,gamma\n"
		      "annotate,graduated loads,exact counts,5,100.00,/src/one.c,44,"
		      "gamma\n");
	free(text);
	text = annotate("beta", TEXT_PLAIN);
	assert_string_equal(strstr(text, "\n\n"),
			    "\n\n/src/one.c\n"
			    "percent  ire  percent  graduated loads  line  source\n"
			    " 100.00   20   100.00                5    44  "
			    "[inlined: gamma]\n");
	free(text);
	assert_null(annotate("alph", TEXT_PLAIN));
}

/* A line into which two functions are inlined has the names of both, once. */
static void test_inlined(void **state)
{
	static struct recording_count both[] = {
		{0x1190, 0, 1}, {0x1198, 0, 2}, {0x11d0, 0, 3}, {0x11d8, 0, 4}};
	const struct recording r = made_counts(both, LEN(both));
	struct profile *const before = profile;
	struct profile_input in;

	(void)state;
	profile = make(&r, &in);
	char *text = annotate("beta", TEXT_CSV);
	assert_string_equal(text, "view,event,number,count,percent,file,line,inlined\n"
				  "annotate,ire,exact counts,10,100.00,/src/one.c,44,"
				  "\"delta, gamma\"\n");
	free(text);
	profile_free(profile);
	profile = before;
}

/* Modules whose functions have equal values are drawn in the order of the functions. */
static void test_equal_modules(void **state)
{
	static struct recording_count equal[] = {{0x2040, 0, 50}, {0x1010, 0, 50}};
	const struct view *const view = report_view("symbol");
	const struct report report = {&view, 1, {0, 64}, TEXT_PLAIN};
	const struct recording r = made_counts(equal, LEN(equal));
	struct profile_input in;
	struct profile *p = make(&r, &in);
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(html_put(&b, p, &report), 0);
	char *text = textbuf_end(&b);
	const char *at = strstr(text, "Functions of each module");
	assert_non_null(at);
	const char *one = strstr(at, ">one<"), *two = strstr(at, ">two<");
	assert_non_null(one);
	assert_non_null(two);
	assert_true(one < two);
	free(text);
	profile_free(p);
}

/* An event with records and with counts has two metrics, which need two names. */
static void test_metric_names(void **state)
{
	static char ire[] = "ire", dme[] = "dme";
	static const struct {
		int line;
		struct profile_metric metric[2];
		const char *name[2];
	} cases[] = {
		{__LINE__,
		 {{.event = ire, .number = PROFILE_COUNTS},
		  {.event = dme, .number = PROFILE_RECORDS}},
		 {"ire", "dme"}},
		{__LINE__,
		 {{.event = ire, .number = PROFILE_COUNTS},
		  {.event = ire, .number = PROFILE_RECORDS}},
		 {"ire exact counts", "ire records"}},
		/* the other metric is not exported */
		{__LINE__,
		 {{.event = ire, .number = PROFILE_COUNTS},
		  {.event = ire, .number = PROFILE_RECORDS, .covered = 1}},
		 {"ire", "ire records"}},
	};

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++)
		for (unsigned m = 0; m < 2; m++) {
			struct profile p = {
				.metric = (struct profile_metric *)cases[i].metric,
				.nmetric = 2};
			struct textbuf b = {0};

			export_metric_name(&b, &p, m);
			char *name = textbuf_end(&b);
			if (strcmp(name, cases[i].name[m]) != 0)
				fail_msg("line %d: '%s'", cases[i].line, name);
			free(name);
		}
}

/* Of many lines without values between two with values, those near to these are shown. */
static void test_gap(void **state)
{
	static struct recording_count far[] = {{0x1000, 0, 1}, {0x10f0, 0, 3}};
	struct recording r = made_counts(far, LEN(far));
	struct profile_input in;
	struct profile *p = make(&r, &in);
	const struct annotate_source source = {"/src/one.c", NULL, 0};
	struct annotation a;
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(annotate_make(&a, p, "alpha"), 0);
	annotate_put(&b, p, &a, "alpha", &source, 1, TEXT_PLAIN);
	char *text = textbuf_end(&b);

	assert_string_equal(strstr(text, "\n\n/src"),
			    "\n\n/src/one.c (the file was not found)\n"
			    "percent  ire  line  source\n"
			    "  25.00    1    10  \n"
			    "                    ...\n"
			    "  75.00    3    25  \n");
	free(text);
	annotate_free(&a);
	profile_free(p);
}

/* An event whose interval differs between two recordings has no interval of its own. */
static void test_intervals(void **state)
{
	static struct made_ring memory[2];
	static const lwp_record_t record = {.id = LWP_EVENT_DME, .ip = 0x1010};
	struct recording_event event[] = {
		{LWP_EVENT_DME, "dme", "simulated", 10, UINT64_MAX},
		{LWP_EVENT_DME, "dme", "simulated", 20, UINT64_MAX}};
	struct recording_ring ring[2];
	struct recording r[2] = {made_recording(), made_recording()};
	struct profile_input in[2];

	(void)state;
	for (int i = 0; i < 2; i++) {
		made_fill(&memory[i], &ring[i], 101, 0, &record, 1);
		r[i].ring = &ring[i];
		r[i].nring = 1;
		r[i].event = &event[i];
		r[i].nevent = 1;
		in[i] = (struct profile_input){.name = "core", .recording = &r[i]};
	}
	for (size_t n = 1; n <= 2; n++) {
		struct profile *p = profile_new(in, n, &(struct profile_options){0});

		assert_non_null(p);
		assert_int_equal(p->nmetric, 1);
		assert_int_equal(p->metric[0].interval, n == 1 ? 10 : 0);
		assert_int_equal(p->metric[0].total, n == 1 ? 10 : 30);
		profile_free(p);
	}
}

static void test_nearest(void **state)
{
	char text[128];

	(void)state;
	annotate_nearest(profile, "alpah", text, sizeof text);
	assert_string_equal(text, "did you mean 'alpha'?");
	annotate_nearest(profile, "xyz", text, sizeof text);
	assert_string_equal(text, "");
}

static void test_diff(void **state)
{
	static struct recording_count later[] = {
		{0x1014, 0, 40}, {0x1120, 0, 5}, {0x2000, 0, 10}, {0x2300, 0, 2}};
	struct recording r = made_counts(later, LEN(later));
	struct profile_input in;
	struct profile *p = make(&r, &in);
	struct textbuf b = {0};

	(void)state;
	assert_int_equal(diff_put(&b, profile, p, 0, TEXT_PLAIN), 1);
	char *text = textbuf_end(&b);

	assert_string_equal(
		text, "\nire by symbol: before 100 (exact counts, simulated r10000), "
		      "after 57 (exact counts, simulated r10000)\n"
		      "before  after  change  change %  symbol           module\n"
		      "    70     40     -30    -42.86  alpha            one\n"
		      "    20      5     -15    -75.00  beta             one\n"
		      "    10     12      +2     20.00  two [no symbol]  two\n"
		      "\ngraduated loads is only in the first recording.\n");
	free(text);
	b = (struct textbuf){0};
	assert_int_equal(diff_put(&b, profile, p, 1, TEXT_JSON), 1);
	text = textbuf_end(&b);
	assert_string_equal(text,
			    "{\"record\":\"row\",\"view\":\"diff\",\"event\":\"ire\","
			    "\"number_before\":\"exact counts\",\"number_after\":"
			    "\"exact counts\",\"before\":70,\"after\":40,\"change\":"
			    "-30,\"change_percent\":-42.86,\"symbol\":\"alpha\","
			    "\"module\":\"one\"}\n");
	free(text);
	profile_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_folded),	     cmocka_unit_test(test_callgrind),
		cmocka_unit_test(test_speedscope),   cmocka_unit_test(test_pprof),
		cmocka_unit_test(test_heat),	     cmocka_unit_test(test_treemap),
		cmocka_unit_test(test_intern),	     cmocka_unit_test(test_annotate),
		cmocka_unit_test(test_nearest),	     cmocka_unit_test(test_gap),
		cmocka_unit_test(test_inlined),	     cmocka_unit_test(test_equal_modules),
		cmocka_unit_test(test_metric_names), cmocka_unit_test(test_intervals),
		cmocka_unit_test(test_diff),	     cmocka_unit_test(test_html),
	};

	return cmocka_run_group_tests(tests, open_profile, close_profile);
}
