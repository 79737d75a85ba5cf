/*
 * Reads any bytes as a file of records, and reports about what was read in each format.
 * Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "suite/report/report.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

/* The argument of a report: all of its text. */
static int keep(void *arg, const char *text, size_t n)
{
	check(text != NULL, "there is enough memory");
	textbuf_put(arg, text, n);
	return 0;
}

static void note(void *arg, const char *text)
{
	(void)arg;
	check_printable(text, strlen(text));
}

static void report(const char *path, const struct report_writer *writer, int chart)
{
	const struct gate gate = {0};
	struct textbuf all = {0};
	struct report r = {
		.writer = writer,
		.out = {&all, keep},
		.chart = chart,
		.frame = {.rows = 24, .columns = 80},
		.note = note,
		.warn = note,
		.gate = &gate,
	};
	char why[256];

	check(report_begin(&r) == 0, "a report begins");
	if (report_file(&r, path, why, sizeof why) == -1) {
		check(*why != '\0', "an error has words");
		check_printable(why, strlen(why));
	}
	check(report_end(&r) == 0, "a report ends");
	char *text = textbuf_end(&all);
	check(text != NULL, "there is enough memory");
	/* JSON is what the file has. */
	if (writer->rows)
		check_printable(text, strlen(text));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	const int fd = memfd_create("records", MFD_CLOEXEC);

	check(fd >= 0 && write(fd, data, size) == (ssize_t)size,
	      "there is enough memory");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (unsigned i = 0; report_writers[i]; i++)
		report(path, report_writers[i], 0);
	report(path, report_writers[0], 1);
	close(fd);
	return 0;
}
