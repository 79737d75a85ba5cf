/* Damaged files of raw samples, and other files: what is read, and the messages. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "statfile_files.h"

/*
 * Read a golden file that is changed after its first intervals: exactly these intervals
 * are returned, and an error.
 */
static void is_detected(const char *s, size_t n, unsigned whole,
			const struct outcome *good)
{
	struct outcome o;

	read_bytes(s, n, &o);
	assert_int_equal(o.rc, -1);
	assert_int_equal(o.err, EBADMSG);
	assert_int_equal(strncmp(o.why, "line ", 5), 0);
	assert_int_equal(o.intervals, whole);
	assert_int_equal(o.skipped, 0);
	if (o.text.n) {
		assert_int_equal(o.text.n, good->upto[whole]);
		assert_memory_equal(o.text.s, good->text.s, o.text.n);
	}
	free(o.text.s);
}

static void test_cut(void **state)
{
	(void)state;
	struct good g = good_new();

	for (size_t n = 0; n < g.file.n; n++)
		is_detected(g.file.s, n, whole(&g, n), &g.o);
	good_free(&g);
}

/* Each byte in turn is changed, removed or doubled. */
static void test_changed_byte(void **state)
{
	(void)state;
	static const char other[] = "\0\t\n\r 09-%abfxA\x7f\xff";
	struct good g = good_new();
	char *const s = malloc(g.file.n + 1);

	assert_non_null(s);
	for (size_t at = 0; at < g.file.n; at++) {
		memcpy(s, g.file.s, g.file.n);
		for (unsigned bit = 0; bit < 8; bit++) {
			s[at] = (char)(g.file.s[at] ^ 1 << bit);
			is_detected(s, g.file.n, whole(&g, at), &g.o);
		}
		for (unsigned i = 0; i < sizeof other - 1; i++) {
			s[at] = other[i];
			if (s[at] != g.file.s[at])
				is_detected(s, g.file.n, whole(&g, at), &g.o);
		}
		memcpy(s + at, g.file.s + at + 1, g.file.n - at - 1);
		is_detected(s, g.file.n - 1, whole(&g, at), &g.o);
		memcpy(s + at, g.file.s + at, 1);
		memcpy(s + at + 1, g.file.s + at, g.file.n - at);
		/* two newlines are a line more */
		is_detected(s, g.file.n + 1, whole(&g, at + 1), &g.o);
	}
	free(s);
	good_free(&g);
}

/* Return the beginning of line k of the file. */
static size_t line_at(const struct bytes *b, unsigned k)
{
	const char *p = b->s;

	while (k--)
		p = strchr(p, '\n') + 1;
	return (size_t)(p - b->s);
}

/* A line with a valid checksum is missing, or comes twice. */
static void test_changed_lines(void **state)
{
	(void)state;
	struct good g = good_new();
	char *const s = malloc(2 * g.file.n);

	assert_non_null(s);
	for (unsigned k = 0; g.file.s[line_at(&g.file, k)]; k++) {
		const size_t at = line_at(&g.file, k), next = line_at(&g.file, k + 1);

		memcpy(s, g.file.s, at);
		memcpy(s + at, g.file.s + next, g.file.n - next);
		is_detected(s, g.file.n - (next - at), whole(&g, at), &g.o);
		memcpy(s, g.file.s, next);
		memcpy(s + next, g.file.s + at, g.file.n - at);
		is_detected(s, g.file.n + (next - at), whole(&g, next), &g.o);
	}
	/* two files in one */
	memcpy(s, g.file.s, g.file.n);
	memcpy(s + g.file.n, g.file.s, g.file.n);
	is_detected(s, 2 * g.file.n, LEN(intervals), &g.o);
	free(s);
	good_free(&g);
}

/* Bytes after the end, which are a line or not. */
static void test_behind_end(void **state)
{
	(void)state;
	static const struct {
		const char *s;
		size_t n;
	} more[] = {{"x", 1}, {"\n", 1}, {"x\n", 2}, {"", 1}};
	struct good g = good_new();
	char *const s = malloc(g.file.n + 2);

	assert_non_null(s);
	memcpy(s, g.file.s, g.file.n);
	for (size_t i = 0; i < LEN(more); i++) {
		struct outcome o;
		memcpy(s + g.file.n, more[i].s, more[i].n);
		read_bytes(s, g.file.n + more[i].n, &o);
		assert_int_equal(o.rc, -1);
		assert_int_equal(o.intervals, LEN(intervals));
		assert_string_equal(o.why, "line 15: the file goes on after its end");
		free(o.text.s);
	}
	free(s);
	good_free(&g);
}

#define MAGIC	 "cpustat-samples\t1\n"
#define RUN	 "run\t0\t1\t1\n"
#define SET	 "set\t0\t1\tspec\n"
#define REQUEST	 "request\t0\tev\n"
#define START	 MAGIC RUN SET REQUEST
#define INTERVAL "interval\t1\t0\t1\n"
#define VALUE	 "\texact\t1\t=\t1\t="
#define NO_FILE	 "line 1: this is not a file of cpustat's samples"
#define NO_TEXT	 "line 3: field 4 is not a text"
#define NUM(line, field, max) \
	"line " line ": field " field " is not a number of at most " max
#define UINT64	"18446744073709551615"
#define INT64	"9223372036854775807"
#define TOO_BIG "18446744073709551616"

/* Wrong lines with valid checksums, and the messages. */
static const struct {
	int line;	    /* of this case */
	unsigned intervals; /* that are read before the error */
	const char *why, *text;
} wrong[] = {
	{__LINE__, 0, NO_FILE, "x\t1\n"},
	{__LINE__, 0, NO_FILE, "cpustat-samples\t0\n"},
	{__LINE__, 0, NO_FILE, "cpustat-samples\tone\n"},
	{__LINE__, 0,
	 "line 1: the file was made by a newer cpustat: version 2, this one reads 1",
	 "cpustat-samples\t2\n" RUN "what was thought of later\n"},
	{__LINE__, 0, "line 1: the line has more than 2 fields",
	 "cpustat-samples\t1\t1\n"},
	{__LINE__, 0, "line 2: the line does not begin with \"run\"", MAGIC SET},
	{__LINE__, 0, "line 2: field 4 is missing", MAGIC "run\t0\t1\n"},
	{__LINE__, 0, "line 2: the line has more than 4 fields",
	 MAGIC "run\t0\t1\t1\t\n"},
	{__LINE__, 0, "line 2: the number of sets is 0", MAGIC "run\t0\t1\t0\n"},
	{__LINE__, 0, NUM("2", "4", "1024"), MAGIC "run\t0\t1\t1025\n"},
	{__LINE__, 0, NUM("2", "2", INT64), MAGIC "run\t9223372036854775808\t1\t1\n"},
	{__LINE__, 0, NUM("2", "3", INT64), MAGIC "run\t0\t-1\t1\n"},
	{__LINE__, 0, NUM("2", "2", INT64), MAGIC "run\t0x1\t1\n"},
	{__LINE__, 0, "line 3: the line is not that of set 0",
	 MAGIC RUN "set\t1\t1\tspec\n"},
	{__LINE__, 0, NUM("3", "3", "1024"), MAGIC RUN "set\t0\t1025\tspec\n"},
	{__LINE__, 0, "line 3: field 4 is missing", MAGIC RUN "set\t0\t1\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\t%0a\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\t%00\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\t%41\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\tx%\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\tx%0\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\tx\x01\n"},
	{__LINE__, 0, NO_TEXT, MAGIC RUN "set\t0\t1\tx\x7f\n"},
	{__LINE__, 0, "line 4: the line does not begin with \"request\"",
	 MAGIC RUN SET INTERVAL},
	{__LINE__, 0, NUM("4", "2", "4294967295"),
	 MAGIC RUN SET "request\t4294967296\tev\n"},
	{__LINE__, 0, "line 4: field 3 is missing", MAGIC RUN SET "request\t0\n"},
	{__LINE__, 0, "line 4: the line has more than 4 fields",
	 MAGIC RUN SET "request\t0\tev\tnote\t\n"},
	{__LINE__, 0, "line 5: the line does not begin with \"interval\" or \"end\"",
	 START REQUEST},
	{__LINE__, 0, "line 5: the line is missing: the file has no end", START},
	{__LINE__, 0, "line 4: the line is missing: the file was cut before it",
	 MAGIC RUN SET},
	{__LINE__, 0, "line 5: interval 0 comes after interval 0",
	 START "interval\t0\t0\t0\n"},
	{__LINE__, 1, "line 6: interval 4 comes after interval 4",
	 START "interval\t4\t0\t0\n"
	       "interval\t4\t0\t0\n"},
	{__LINE__, 0, NUM("5", "3", "0"), START "interval\t1\t1\t0\n"},
	{__LINE__, 0, NUM("5", "2", UINT64), START "interval\t" TOO_BIG "\t0\t0\n"},
	{__LINE__, 0, NUM("5", "4", "1048576"), START "interval\t1\t0\t1048577\n"},
	{__LINE__, 0, NUM("5", "4", "1048576"), START "interval\t1\t0\t01\n"},
	{__LINE__, 0, NUM("5", "4", "1048576"), START "interval\t1\t0\t+1\n"},
	{__LINE__, 0, NUM("5", "4", "1048576"), START "interval\t1\t0\t\n"},
	{__LINE__, 0, "line 6: the line is missing: the file was cut before it",
	 START INTERVAL},
	{__LINE__, 0, "line 6: the line does not begin with \"cpu\"",
	 START INTERVAL "end\t1\t0\t0\n"},
	{__LINE__, 0, NUM("6", "2", "1048575"),
	 START INTERVAL "cpu\t1048576\t0\t0\t0\t0" VALUE "\n"},
	{__LINE__, 0, NUM("6", "3", "2147483647"),
	 START INTERVAL "cpu\t0\t-2\t0\t0\t0" VALUE "\n"},
	{__LINE__, 0, NUM("6", "4", "2147483647"),
	 START INTERVAL "cpu\t0\t0\t2147483648\t0\t0" VALUE "\n"},
	{__LINE__, 0, NUM("6", "5", INT64),
	 START INTERVAL "cpu\t0\t0\t0\t-1\t0" VALUE "\n"},
	{__LINE__, 0, "line 6: field 7 is not a class",
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\tExact\t1\t=\t1\t=\n"},
	{__LINE__, 0, NUM("6", "8", UINT64),
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\texact\t" TOO_BIG "\t=\t1\t=\n"},
	{__LINE__, 0, NUM("6", "8", UINT64),
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\texact\t-\t-\t1\t=\n"},
	{__LINE__, 0, "line 6: field 8 is not \"-\"",
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\tunavailable\t0\t=\t1\t=\n"},
	{__LINE__, 0, "line 6: field 9 is not \"=\"",
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\texact\t7\t7\t1\t=\n"},
	{__LINE__, 0, "line 6: field 11 is not \"=\"",
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\texact\t7\t=\t1\t1\n"},
	{__LINE__, 0, NUM("6", "8", UINT64),
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\texact\t=\t=\t1\t=\n"},
	{__LINE__, 0, "line 6: field 11 is missing",
	 START INTERVAL "cpu\t0\t0\t0\t0\t0\texact\t1\t=\t1\n"},
	{__LINE__, 0, "line 6: the line has more than 11 fields",
	 START INTERVAL "cpu\t0\t0\t0\t0\t0" VALUE VALUE "\n"},
	{__LINE__, 0, "line 7: CPU 1 comes after CPU 1",
	 START "interval\t1\t0\t2\n"
	       "cpu\t1\t0\t0\t0\t0" VALUE "\n"
	       "cpu\t1\t0\t0\t0\t0" VALUE "\n"},
	{__LINE__, 1,
	 "line 7: the numbers of intervals and samples are not those of the file",
	 START INTERVAL "cpu\t1\t0\t0\t0\t0" VALUE "\n"
			"end\t1\t2\t0\n"},
	{__LINE__, 1,
	 "line 7: the numbers of intervals and samples are not those of the file",
	 START INTERVAL "cpu\t1\t0\t0\t0\t0" VALUE "\n"
			"end\t2\t1\t0\n"},
	{__LINE__, 0, "line 5: field 4 is missing", START "end\t0\t0\n"},
	{__LINE__, 0, "line 5: the line has more than 4 fields",
	 START "end\t0\t0\t0\t0\n"},
	{__LINE__, 0, "line 6: the file goes on after its end",
	 START "end\t0\t0\t0\n"
	       "end\t0\t0\t0\n"},
	{__LINE__, 0, "line 9: the interval has too many values",
	 MAGIC RUN "set\t0\t5\tspec\n" REQUEST REQUEST REQUEST REQUEST REQUEST
		   "interval\t1\t0\t1048576\n"},
};

static void test_wrong(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(wrong); i++) {
		const struct bytes b = sealed(wrong[i].text);
		struct outcome o;

		read_bytes(b.s, b.n, &o);
		if (o.rc != -1 || o.err != EBADMSG || strcmp(o.why, wrong[i].why) ||
		    o.intervals != wrong[i].intervals)
			fail_msg("line %d: %d \"%s\", %u intervals", wrong[i].line, o.rc,
				 o.why, o.intervals);
		free(o.text.s);
		free(b.s);
	}
}

/* Valid checksums of lines with bytes that string literals cannot have. */
static void test_wrong_byte(void **state)
{
	(void)state;
	static const struct {
		const char *text, *why;
		char from, to; /* the last byte from in the last line becomes to */
	} cases[] = {
		{MAGIC RUN, "line 2: the checksum is missing", '\t', ' '},
		{MAGIC RUN "set\t0\t0\tx?\n", NO_TEXT, '?', '\0'},
		{MAGIC RUN "set\t0\t0\t%?0\n", NO_TEXT, '?', '\0'},
		{MAGIC RUN "set\t0\t0\t%0?\n", NO_TEXT, '?', '\0'},
		{MAGIC "run\t0\t1\t1?\n", NUM("2", "4", "1024"), '?', '\0'},
	};

	for (size_t i = 0; i < LEN(cases); i++) {
		const struct bytes b = sealed(cases[i].text);
		char *const sum = b.s + b.n - strlen("12345678\n");
		struct outcome o;

		*strrchr(b.s, cases[i].from) = cases[i].to;
		snprintf(sum, 10, "%08" PRIx32 "\n", crc32(0, b.s, (size_t)(sum - b.s)));
		read_bytes(b.s, b.n, &o);
		assert_string_equal(o.why, cases[i].why);
		free(o.text.s);
		free(b.s);
	}
}

/* A line that is too long, and a file without a newline. */
static void test_endless(void **state)
{
	(void)state;
	struct bytes b = sealed(START);
	struct outcome o;

	b.s = realloc(b.s, b.n + STATFILE_LINE + 1);
	assert_non_null(b.s);
	memset(b.s + b.n, 'x', STATFILE_LINE);
	b.s[b.n + STATFILE_LINE] = '\n';
	read_bytes(b.s, b.n + STATFILE_LINE + 1, &o);
	assert_int_equal(o.err, EBADMSG);
	assert_string_equal(o.why, "line 5: the line has more than 1048576 bytes");
	free(o.text.s);
	free(b.s);

	read_path("/dev/zero", &o);
	assert_int_equal(o.err, EBADMSG);
	assert_string_equal(o.why, "line 1: this is not a file of cpustat's samples");
	free(o.text.s);
}

/* A head that is too long, though each line is valid. */
static void test_endless_head(void **state)
{
	(void)state;
	enum { PIECE = STATFILE_LINE / 2, PIECES = STATFILE_HEAD / PIECE + 1 };
	struct outcome o;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	fputs(MAGIC RUN "set\t0\t64\tspec\n", f);
	for (unsigned i = 0; i < PIECES; i++)
		fprintf(f, "request\t0\t%0*d\n", PIECE, 0);
	assert_int_equal(fclose(f), 0);
	const struct bytes b = sealed(text);
	read_bytes(b.s, b.n, &o);
	assert_int_equal(o.err, EBADMSG);
	assert_non_null(
		strstr(o.why, "more than 16777216 bytes precede the first interval"));
	free(o.text.s);
	free(b.s);
	free(text);
}

/* Large numbers that a file announces take no memory. */
static void test_empty_promises(void **state)
{
	(void)state;
	struct bytes b =
		sealed(MAGIC "run\t0\t1\t1024\n"
			     "set\t0\t1\t\n" REQUEST "set\t1\t1024\t\n" INTERVAL);
	struct outcome o;

	read_bytes(b.s, b.n, &o);
	assert_string_equal(o.why, "line 6: the line does not begin with \"request\"");
	free(o.text.s);
	free(b.s);

	b = sealed(START "interval\t1\t0\t1048576\n");
	const struct memory m = memory_new(b.s, b.n);
	const size_t before = in_use();
	char why[64];
	struct statfile_reader *r = statfile_open(m.path, why, sizeof why);
	const struct cpu_interval *i;
	assert_non_null(r);
	assert_int_equal(statfile_read(r, &i, why, sizeof why), -1);
	assert_true(in_use() - before < 1 << 20);
	statfile_close(r);
	close(m.fd);
	free(b.s);
}

static void test_no_file(void **state)
{
	(void)state;
	struct outcome o;

	read_path("/nonexistent/file", &o);
	assert_int_equal(o.err, ENOENT);
	assert_string_equal(o.why, "No such file or directory");
	free(o.text.s);
	read_path("/", &o);
	assert_int_equal(o.err, EISDIR);
	assert_string_equal(o.why, "Is a directory");
	free(o.text.s);
	read_path("/dev/null", &o);
	assert_int_equal(o.err, EBADMSG);
	assert_string_equal(o.why, "line 1: the line is missing: the file is empty");
	free(o.text.s);
}

/* Standard input that delivers one byte at a time. */
static void test_pipe(void **state)
{
	(void)state;
	struct good g = good_new();
	struct outcome o;
	int fd[2];

	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	const pid_t pid = fork();
	assert_int_not_equal(pid, -1);
	if (!pid) {
		for (size_t i = 0; i < g.file.n; i++)
			if (write(fd[1], g.file.s + i, 1) != 1)
				_exit(1);
		_exit(0);
	}
	close(fd[1]);
	const int in = dup(STDIN_FILENO);
	assert_int_equal(dup2(fd[0], STDIN_FILENO), STDIN_FILENO);
	close(fd[0]);
	read_path("-", &o);
	/* standard input is not closed */
	assert_int_not_equal(fcntl(STDIN_FILENO, F_GETFD), -1);
	if (in != -1) {
		dup2(in, STDIN_FILENO);
		close(in);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_int_equal(o.rc, 0);
	assert_string_equal(o.text.s, g.o.text.s);
	free(o.text.s);
	good_free(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_changed_byte),
		cmocka_unit_test(test_changed_lines),
		cmocka_unit_test(test_behind_end),
		cmocka_unit_test(test_wrong),
		cmocka_unit_test(test_wrong_byte),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_endless_head),
		cmocka_unit_test(test_empty_promises),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
