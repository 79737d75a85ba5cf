/*
 * Sinks of lines: what they write when, and the records of a run, as jansson reads them.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "suite/record/sink.h"

/* The calls of a sink's output. */
struct written {
	unsigned n;
	char text[8][4096];
	int error; /* errno of the next calls, or 0 */
};

static int write_text(void *arg, const char *text, size_t n)
{
	struct written *w = arg;

	if (w->error) {
		errno = w->error;
		return -1;
	}
	assert_non_null(text);
	assert_true(w->n < 8 && n < sizeof w->text[0]);
	memcpy(w->text[w->n], text, n);
	w->text[w->n++][n] = '\0';
	return 0;
}

static const char *const names[] = {"a", "\xff\""};
static const unsigned pics[] = {0, 1};
static const char *const modes[] = {"user", ""};
static const char *const units[] = {"1", "ns"};
static const struct row_set set = {
	.spec = "a,b", .n = 2, .event = names, .pic = pics, .mode = modes, .unit = units};
static const struct row_set *const sets[] = {&set};
static const cpc_value_t value[] = {
	{UINT64_MAX, UINT64_MAX, 1, 1, CPC_EXACT},
	{3, 3, 9, 0, CPC_UNAVAILABLE},
};
static const struct row tick = {.ns = 7,
				.pid = 4,
				.tid = 5,
				.lwp = 2,
				.word = "tick",
				.set = &set,
				.value = value};

static char *words[] = {"tool", "\xc3(", NULL};
static const struct record_host host = {.name = "h",
					.kernel = "6.1",
					.cpu_model = "X \"Y\"",
					.cpus = 2,
					.paranoid = -1,
					.cwd = "/tmp"};
static const struct launcher launcher = {
	.family = "PMI", .rank = 3, .size = 4, .local = -1, .step = -1, .job = "\x01"};

static struct record_run run_of(const struct labels *l)
{
	return (struct record_run){
		.row = {"h:1:1000", "h", "3", 1000},
		.tool = "cputrack",
		.version = "0",
		.argv = words,
		.command = "x",
		.label = l,
		.host = &host,
		.launcher = &launcher,
		.engine = "kernel",
		.interval_ns = 5,
		.nsets = 1,
		.set = sets,
	};
}

static struct sink *sink_of(enum text_format format, int title, struct written *w)
{
	const struct row_style style = {.format = format};
	struct sink *s = sink_lines(&style, title, (struct sink_output){w, write_text});

	assert_non_null(s);
	return s;
}

/* Run a sink to its end. */
static void fill(struct sink *s, const struct record_run *run)
{
	assert_int_equal(s->begin(s, run), 0);
	assert_int_equal(s->row(s, &tick), 0);
	assert_int_equal(s->row(s, &tick), 0);
	assert_int_equal(s->flush(s), 0);
	const struct record_use use = {
		.user_ns = 1500000000, .system_ns = 7, .peak_bytes = 4096};
	assert_int_equal(s->end(s, &(struct record_end){.ns = 9,
							.status = 143,
							.signal = 15,
							.skipped = 2,
							.has_ended = 1,
							.command_status = 7,
							.use = &use}),
			 0);
	s->free(s);
}

static json_t *parse(const char *text)
{
	json_error_t error;
	json_t *o = json_loads(text, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL,
			       &error);

	if (!o)
		fail_msg("%s: %s", error.text, text);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	return o;
}

static void same(const char *text, const char *want)
{
	json_t *got = parse(text), *o = parse(want);

	if (!json_equal(got, o))
		fail_msg("%s\nnot %s", text, want);
	json_decref(got);
	json_decref(o);
}

/* Each record is written at once, by one call. */
static void test_json(void **state)
{
	static const char sample[] =
		"{\"schema\":2,\"record\":\"sample\",\"run\":\"h:1:1000\",\"time_ns\":7,"
		"\"unix_ns\":1007,\"scope\":\"lwp\",\"pid\":4,\"lwp\":2,\"tid\":5,"
		"\"name\":null,"
		"\"what\":\"tick\",\"set\":0,\"tsc\":null,\"values\":[{\"pic\":0,"
		"\"name\":\"a\",\"mode\":\"user\",\"unit\":\"1\","
		"\"value\":18446744073709551615,\"count\":18446744073709551615,"
		"\"enabled_ns\":1,\"running_ns\":1,\"class\":\"exact\",\"note\":null},"
		"{\"pic\":1,\"name\":\"\xef\xbf\xbd\\\"\",\"mode\":\"none\","
		"\"unit\":\"ns\",\"value\":null,\"count\":null,\"enabled_ns\":9,"
		"\"running_ns\":0,\"class\":\"unavailable\",\"note\":null}]}\n";
	struct labels l = {0};
	struct written w = {0};

	(void)state;
	labels_add(&l, "k=\xff");
	const struct record_run run = run_of(&l);
	fill(sink_of(TEXT_JSON, 0, &w), &run);
	labels_free(&l);
	assert_int_equal(w.n, 4);
	same(w.text[0],
	     "{\"schema\":2,\"record\":\"run\",\"run\":\"h:1:1000\","
	     "\"tool\":\"cputrack\",\"version\":\"0\",\"host\":\"h\","
	     "\"start_unix_ns\":1000,\"argv\":[\"tool\","
	     "\"\xef\xbf\xbd(\"],\"command\":\"x\",\"label\":{\"k\":\"\xef\xbf\xbd\"},"
	     "\"launcher\":\"PMI\",\"job\":\"\\u0001\",\"step\":null,\"rank\":3,"
	     "\"size\":4,\"local\":null,\"engine\":\"kernel\",\"model\":null,"
	     "\"reproducible\":null,"
	     "\"cwd\":\"/tmp\","
	     "\"kernel\":\"6.1\",\"cpu_model\":\"X \\\"Y\\\"\","
	     "\"cpus\":2,\"governor\":null,\"turbo\":false,\"paranoid\":-1,"
	     "\"interval_ns\":5,\"sets\":[{\"set\":0,\"spec\":\"a,b\",\"requests\":["
	     "{\"pic\":0,\"name\":\"a\",\"mode\":\"user\",\"unit\":\"1\",\"attrs\":null,"
	     "\"how\":null},{\"pic\":1,\"name\":\"\xef\xbf\xbd\\\"\",\"mode\":\"none\","
	     "\"unit\":\"ns\",\"attrs\":null,\"how\":null}]}]}\n");
	/* jansson compares large counts as doubles; the text has all digits. */
	same(w.text[1], sample);
	assert_non_null(strstr(w.text[1], "\"count\":18446744073709551615,"));
	assert_string_equal(w.text[1], w.text[2]);
	same(w.text[3],
	     "{\"schema\":2,\"record\":\"end\",\"run\":\"h:1:1000\",\"time_ns\":9,"
	     "\"unix_ns\":1009,\"status\":143,\"signal\":15,\"provisional\":false,"
	     "\"records\":4,\"skipped\":2,\"user_ns\":1500000000,\"system_ns\":7,"
	     "\"peak_rss_bytes\":4096,\"command_status\":7,\"command_signal\":null}\n");
}

/* Facts that are not known are null. */
static void test_nothing_known(void **state)
{
	static const struct record_host none = {.paranoid = INT_MIN, .turbo = -1};
	const struct record_run run = {.row.id = ":0:0", .host = &none};
	struct written w = {0};

	(void)state;
	fill(sink_of(TEXT_JSON, 0, &w), &run);
	same(w.text[0],
	     "{\"schema\":2,\"record\":\"run\",\"run\":\":0:0\",\"tool\":null,"
	     "\"version\":null,\"host\":null,\"start_unix_ns\":0,\"argv\":null,"
	     "\"command\":null,\"label\":{},\"launcher\":null,\"job\":null,\"step\":null,"
	     "\"rank\":null,\"size\":null,\"local\":null,\"engine\":null,\"model\":null,"
	     "\"reproducible\":null,"
	     "\"cwd\":null,\"kernel\":null,\"cpu_model\":null,\"cpus\":null,"
	     "\"governor\":null,\"turbo\":null,\"paranoid\":null,"
	     "\"interval_ns\":null,\"sets\":[]}\n");
}

/* A run of cgroups has their paths; a run from a file has the text of its record. */
static void test_cgroups_and_text(void **state)
{
	static const char *const path[] = {"a/b", "\xff"};
	struct record_run run = {.row.id = ":0:0", .cgroup = path, .ncgroups = 2};
	struct written w = {0}, again = {0};

	(void)state;
	fill(sink_of(TEXT_JSON, 0, &w), &run);
	assert_non_null(
		strstr(w.text[0], "\"cgroups\":[\"a/b\",\"\xef\xbf\xbd\"],\"sets\":"));
	run.text = "{\"any\":\"text\"}";
	fill(sink_of(TEXT_JSON, 0, &again), &run);
	assert_string_equal(again.text[0], "{\"any\":\"text\"}\n");
}

/* Text and CSV are written by flush(), and have no first and last record. */
static void test_lines(void **state)
{
	const struct record_run run = run_of(NULL);
	struct written w = {0};

	(void)state;
	fill(sink_of(TEXT_PLAIN, 1, &w), &run);
	assert_int_equal(w.n, 2);
	assert_string_equal(w.text[0], "   time lwp      event      pic0      pic1 \n");
	assert_string_equal(w.text[1],
			    "  0.000   2       tick 18446744073709551615         - \n"
			    "  0.000   2       tick 18446744073709551615         - \n");
	w.n = 0;
	fill(sink_of(TEXT_CSV, 0, &w), &run);
	assert_int_equal(w.n, 1);
	assert_non_null(strstr(w.text[0], ",unavailable,,,,h,3,none,\n"));
}

/* A provisional end has no status, and is not among the records of the later end. */
static void test_provisional(void **state)
{
	const struct record_run run = run_of(NULL);
	struct written w = {0};
	struct sink *s = sink_of(TEXT_JSON, 0, &w);

	(void)state;
	assert_int_equal(s->begin(s, &run), 0);
	s->provisional(s);
	assert_int_equal(s->row(s, &tick), 0);
	assert_int_equal(s->end(s, &(struct record_end){.ns = 9, .provisional = 1}), 0);
	same(w.text[2],
	     "{\"schema\":2,\"record\":\"end\",\"run\":\"h:1:1000\",\"time_ns\":9,"
	     "\"unix_ns\":1009,\"status\":null,\"signal\":null,\"provisional\":true,"
	     "\"records\":3,\"skipped\":0,\"user_ns\":null,\"system_ns\":null,"
	     "\"peak_rss_bytes\":null,\"command_status\":null,"
	     "\"command_signal\":null}\n");
	assert_int_equal(s->end(s, &(struct record_end){.ns = 9}), 0);
	assert_non_null(strstr(w.text[3], "\"provisional\":false,\"records\":2,"));
	s->free(s);
}

static void test_error(void **state)
{
	const struct record_run run = run_of(NULL);
	struct written w = {.error = ENOSPC};

	(void)state;
	for (int f = TEXT_PLAIN; f <= TEXT_JSON; f++) {
		struct sink *s = sink_of((enum text_format)f, 1, &w);

		errno = 0;
		assert_int_equal(s->begin(s, &run), -1);
		assert_int_equal(errno, ENOSPC);
		s->free(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_nothing_known),
		cmocka_unit_test(test_cgroups_and_text),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_provisional),
		cmocka_unit_test(test_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
