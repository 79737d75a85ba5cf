/*
 * Reads any bytes as a file of records, and joins the runs in it. The first line is the
 * text of --by. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "suite/by/by.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "suite/by/check.h"
#include "suite/by/read.h"
#include "suite/by/table.h"

static void say(void *arg, const char *text)
{
	(void)arg;
	check(!strchr(text, '\n'), "a note is one line");
	check_printable(text, strlen(text));
}

static void put_tables(const struct by *b)
{
	static const enum text_format formats[] = {TEXT_PLAIN, TEXT_CSV, TEXT_JSON};

	for (unsigned i = 0; i < sizeof formats / sizeof formats[0]; i++) {
		struct textbuf text = {0};

		check(by_table(b, formats[i], &text) == 0, "there is enough memory");
		if (formats[i] == TEXT_PLAIN)
			check_printable(text.s, text.len);
		free(text.s);
	}
}

/* The records of a file count once, however often it is read. */
static void join(struct by *b, const char *text, size_t size)
{
	char path[64], why[512];
	const int fd = memfd_create("records", MFD_CLOEXEC);

	check(fd >= 0 && write(fd, text, size) == (ssize_t)size,
	      "there is enough memory");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	for (unsigned i = 0; i < 2; i++)
		if (by_file(b, path, why, sizeof why) == -1)
			check(*why != '\0', "an error has words");
	check(by_check(b, say, NULL) >= 0, "there is enough memory");
	put_tables(b);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = string_of(data, size), *rest = memchr(text, '\n', size);
	struct by b = {.label = NULL};

	if (rest) {
		*rest++ = '\0';
		if (by_parse(&b, text) == 0)
			join(&b, rest, size - (size_t)(rest - text));
	}
	by_free(&b);
	free(text);
	return 0;
}
