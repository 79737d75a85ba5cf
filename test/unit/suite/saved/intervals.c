/* The intervals of a file of records: what is taken, and what is said about a fault. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "suite/saved/intervals.h"

/* What was taken, as words; fail: the function that fails. */
#define RIGHT_TO_LEFT "\u202e"

struct taken {
	char text[1024];
	enum { FAIL_NONE, FAIL_BEGIN, FAIL_INTERVAL } fail;
	const char *path; /* of a cgroup of the interval before */
};

__attribute__((format(printf, 2, 3))) static void put(struct taken *t, const char *fmt,
						      ...)
{
	const size_t len = strlen(t->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(t->text + len, sizeof t->text - len, fmt, ap);
	va_end(ap);
}

static int begin(void *arg, const struct saved_run *run)
{
	struct taken *t = arg;

	/* The text is the same JSON value, and has no control characters. */
	assert_null(strpbrk(run->run.text, "\t\r\x7f?"));
	assert_null(strstr(run->run.text, RIGHT_TO_LEFT));
	if (strstr(run->run.text, "\"host\""))
		assert_non_null(
			strstr(run->run.text, "\"host\":\"\\u007fa\\u202eb\\\\\","));
	put(t, "run of %u sets;", run->sets.n);
	if (run->has_cgroups)
		put(t, " paths of %u;", run->cgroup_width);
	return t->fail == FAIL_BEGIN ? -1 : 0;
}

static int interval(void *arg, const struct cpu_interval *i)
{
	struct taken *t = arg;

	put(t, " %" PRIu64 ":", i->number);
	for (unsigned k = 0; k < i->n; k++) {
		const struct cpu_sample *s = &i->sample[k];

		put(t, " %s%d/%d/%d at %" PRId64 " %" PRIu64 "=%" PRIu64 "/%s",
		    s->cgroup ? s->cgroup : "", s->cpu, s->core, s->socket, s->ns,
		    s->tick, s->value[0].value, cpc_class_name(s->value[0].quality));
		if (t->path && s->cgroup && strcmp(t->path, s->cgroup) == 0)
			assert_ptr_equal(t->path, s->cgroup);
		t->path = s->cgroup;
	}
	return t->fail == FAIL_INTERVAL ? -1 : 0;
}

static void ended(void *arg, const char *cgroup)
{
	struct taken *t = arg;

	put(t, " end of %s;", cgroup);
	t->path = NULL;
}

#define BEGIN(kind) "{\"schema\":2,\"record\":\"" kind "\",\"run\":\"x\","
#define SET	    "\"sets\":[{\"set\":0,\"requests\":[{\"pic\":0,\"name\":\"e\"}]}]}\n"
#define RUN	    BEGIN("run") "\"tool\":\"cpustat\",\"engine\":\"kernel\"," SET
#define CGROUPS      \
	BEGIN("run") \
	"\"tool\":\"cpustat\",\"engine\":\"kernel\",\"cgroups\":[\"a\",\"b/cd\"]," SET
#define VALUE(class, value)                                                         \
	"\"values\":[{\"class\":\"" class "\",\"value\":" value ",\"count\":" value \
					  ",\"enabled_ns\":5,\"running_ns\":5}]}\n"
#define ROW(number, ns)                                                     \
	"\"cpus\":1,\"interval\":" #number                                  \
	",\"what\":\"tick\",\"set\":0,\"time_ns\":" #ns ",\"unix_ns\":" #ns \
	",\"tsc\":7,"
#define CPU(number, ns, id, value)                                                     \
	BEGIN("sample")                                                                \
	"\"scope\":\"cpu\",\"id\":" #id ",\"core\":3,\"socket\":null," ROW(number, ns) \
		value
#define CGROUP(number, path, id, value)                         \
	BEGIN("sample")                                         \
	"\"scope\":\"cgroup\",\"id\":\"" path "\",\"cpu\":" #id \
	",\"core\":1,\"socket\":0," ROW(number, 9) value
#define TOTAL	 BEGIN("total") "\"scope\":\"all\",\"id\":null}\n"
#define GONE(id) BEGIN("total") "\"scope\":\"cgroup\",\"id\":\"" id "\"}\n"
#define END(n)	 BEGIN("end") "\"records\":" #n ",\"skipped\":4,\"time_ns\":50}\n"
#define ONE	 VALUE("exact", "1")

static const struct {
	int line;
	const char *text, *taken, *why; /* why NULL: the file is read */
} cases[] = {
	{__LINE__, RUN END(2), "run of 1 sets;", NULL},
	{__LINE__,
	 BEGIN("run") "\"tool\":\r\t\"cpustat\",\"engine\":\r\"kernel\"," SET END(2),
	 "run of 1 sets;", NULL},
	{__LINE__,
	 BEGIN("run") "\"host\":\"\x7f"
		      "a" RIGHT_TO_LEFT
		      "b\\\\\",\"tool\":\"cpustat\",\"engine\":\"kernel\"," SET END(2),
	 "run of 1 sets;", NULL},
	{__LINE__,
	 RUN CPU(1, 9, 0, ONE) CPU(1, 10, 2, VALUE("unavailable", "null"))
		 CPU(3, 11, 0, ONE) TOTAL END(6),
	 "run of 1 sets; 1: 0/3/-1 at 9 7=1/exact 2/3/-1 at 10 7=0/unavailable 3: 0/3/-1 "
	 "at 11 7=1/exact",
	 NULL},
	{__LINE__,
	 CGROUPS CGROUP(1, "a", 0, ONE) CGROUP(1, "a", 1, ONE) CGROUP(1, "b/cd", 0, ONE)
		 GONE("a") GONE("a") CGROUP(2, "b/cd", 0, ONE) CGROUP(3, "a", 0, ONE)
			 GONE("none") GONE("b/cd") END(11),
	 "run of 1 sets; paths of 4; 1: a0/1/0 at 9 7=1/exact a1/1/0 at 9 7=1/exact "
	 "b/cd0/1/0 at 9 7=1/exact end of a; 2: b/cd0/1/0 at 9 7=1/exact 3: a0/1/0 at 9 "
	 "7=1/exact end of b/cd;",
	 NULL},
	{__LINE__, "", "", "the file is empty"},
	{__LINE__, TOTAL, "", "line 1: the file does not begin with the record of a run"},
	{__LINE__, RUN CPU(1, 9, 0, ONE), "run of 1 sets;",
	 "the run has no end: it was killed or could not write; its last interval, of "
	 "which samples may be missing, is left out"},
	{__LINE__, RUN CPU(1, 9, 0, ONE) TOTAL, "run of 1 sets; 1: 0/3/-1 at 9 7=1/exact",
	 "the run has no end: it was killed or could not write; its last interval, of "
	 "which samples may be missing, is left out"},
	{__LINE__, RUN CPU(1, 9, 0, ONE) CPU(1, 9, 0, ONE), "run of 1 sets;",
	 "line 3: CPU 0 comes after CPU 0 in an interval"},
	{__LINE__, CGROUPS CGROUP(1, "b", 0, ONE) CGROUP(1, "a", 1, ONE),
	 "run of 1 sets; paths of 4;",
	 "line 3: cgroup 'a' comes after cgroup 'b' in an interval"},
	{__LINE__, CGROUPS CPU(1, 9, 0, ONE), "run of 1 sets; paths of 4;",
	 "line 2: it is the sample of a whole CPU, which the run does not count"},
	{__LINE__, RUN CPU(2, 9, 0, ONE) CPU(1, 9, 0, ONE),
	 "run of 1 sets; 2: 0/3/-1 at 9 7=1/exact",
	 "line 3: interval 1 comes after interval 2"},
	{__LINE__, RUN END(3), "run of 1 sets;",
	 "line 2: the run has 3 records, but 2 are in the file"},
	{__LINE__, RUN END(2) TOTAL, "run of 1 sets;",
	 "line 3: it comes after the end of the run"},
	{__LINE__, RUN CPU(1, 9, null, ONE), "run of 1 sets;",
	 "line 2: it is not the sample of one CPU; -O saves those of CPUs, and cpcreport "
	 "shows others"},
};

static int read_text(const char *text, struct taken *t, struct record_end *end, char *why,
		     size_t size)
{
	const struct saved_intervals_taker to = {t, begin, interval, ended};
	struct saved_intervals s = {.text = NULL};
	char path[64];
	const int fd = memfd_create("records", MFD_CLOEXEC);

	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	const int rc = saved_intervals_read(&s, path, &to, why, size);
	*end = s.end;
	saved_intervals_free(&s);
	close(fd);
	return rc;
}

static void test_files(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct taken taken = {.text = ""};
		struct record_end end;
		char why[256] = "";
		const int rc = read_text(cases[i].text, &taken, &end, why, sizeof why);

		if (rc != (cases[i].why ? -1 : 0) ||
		    strcmp(taken.text, cases[i].taken) != 0 ||
		    strcmp(why, cases[i].why ? cases[i].why : "") != 0)
			fail_msg("line %d: %d, taken: %s, why: %s", cases[i].line, rc,
				 taken.text, why);
		assert_int_equal(end.skipped, rc == 0 ? 4 : end.skipped);
		assert_int_equal(end.ns, rc == 0 ? 50 : end.ns);
	}
}

/* If a function of the taker fails, no more is read, and there is no message. */
static void test_failures(void **state)
{
	static const char *const taken[] = {
		[FAIL_BEGIN] = "run of 1 sets;",
		[FAIL_INTERVAL] = "run of 1 sets; 1: 0/3/-1 at 9 7=1/exact",
	};

	(void)state;
	for (unsigned i = FAIL_BEGIN; i <= FAIL_INTERVAL; i++) {
		struct taken t = {.fail = i};
		struct record_end end;
		char why[256];

		assert_int_equal(read_text(RUN CPU(1, 9, 0, ONE) CPU(2, 9, 0, ONE) END(4),
					   &t, &end, why, sizeof why),
				 -1);
		assert_string_equal(t.text, taken[i]);
		assert_string_equal(why, "");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
