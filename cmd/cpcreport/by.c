#include "by.h"

#include <err.h>
#include <stdlib.h>

#include "common/message.h"
#include "common/status.h"
#include "suite/by/by.h"
#include "suite/by/check.h"
#include "suite/by/read.h"
#include "suite/by/table.h"

static int read_files(struct by *b, char **path)
{
	int status = 0;

	for (; *path; path++) {
		char why[512];

		if (by_file(b, *path, why, sizeof why) == 0)
			continue;
		warnx("cannot read '%s': %s", *path, why);
		status = EXIT_TOOL;
	}
	return status;
}

static void say_failure(void *arg, const char *text)
{
	(void)arg;
	warnx("%s", text);
}

/* What is missing is a note, or with --strict a failure. */
static int check(struct by *b, int is_strict)
{
	const int n = by_check(b, is_strict ? say_failure : message_note, NULL);

	if (n == -1)
		warnx("out of memory");
	return n == -1 || (n > 0 && is_strict) ? EXIT_TOOL : 0;
}

static int write_table(const struct by *b, enum text_format format, struct out *out)
{
	struct textbuf text = {0};

	if (b->values.ids.n == 0) {
		warnx("the files have no counts of %s", by_word(b, 1));
		return EXIT_TOOL;
	}
	const int rc = by_table(b, format, &text);
	if (rc == 0)
		out_text(out, textbuf_end(&text));
	else {
		free(text.s);
		out_text(out, NULL);
	}
	return 0;
}

int by_report(const struct options *o, struct out *out)
{
	struct by b = o->by;
	int status = read_files(&b, o->file);
	const int failed = write_table(&b, o->by_format, out);
	const int incomplete = check(&b, o->shared.strict);

	if (failed || incomplete)
		status = EXIT_TOOL;
	by_free(&b);
	return status;
}
