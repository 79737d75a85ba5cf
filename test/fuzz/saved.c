/*
 * Reads any bytes as a file of saved runs, and judges and prints what was read. The first
 * line is a list of limits and the words of a command. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "suite/series/saved.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/shell.h"
#include "fuzz.h"
#include "suite/series/gate.h"
#include "suite/series/json.h"
#include "suite/series/table.h"

static void check_words(const char *text)
{
	char **word = shell_words(text);
	size_t len = 0;

	for (unsigned i = 0; word && word[i]; i++)
		len += strlen(word[i]) + 1;
	check(len <= strlen(text) + 1, "words are not longer than their text");
	free(word);
}

/* Judge the runs by themselves: nothing has changed. */
static void judge(const struct saved *s, const struct gate *g)
{
	struct textbuf b = {0};
	const struct row_run run = {.id = ""};
	struct cells c;

	check(table_put_runs(&b, &s->series.runs, 1) == 0, "there is enough memory");
	check(series_json_runs(&b, &run, 0, &s->series.runs, &s->was.facts, NULL) == 0,
	      "there is enough memory");
	gate_cells_begin(&c);
	for (unsigned i = 0; i < g->n; i++) {
		const int event = runs_find(&s->series.runs, g->limit[i].event, NULL);

		if (event < 0)
			continue;
		const unsigned e = (unsigned)event;
		const enum gate_result result =
			gate_ranges(&g->limit[i], &s->series.runs, e, &s->series.runs, e);
		check(result != GATE_FAIL, "the same runs exceed no limit");
		gate_cells_add(&c, &g->limit[i], result,
			       &(struct gate_evidence){.was = &s->series.runs,
						       .now = &s->series.runs,
						       .was_event = e,
						       .event = e});
	}
	gate_put(&b, &c);
	cells_free(&c);
	char *text = textbuf_end(&b);
	check(text != NULL, "there is enough memory");
	check_printable(text, strlen(text));
	free(text);
}

static void read_saved(const char *text, size_t size, const struct gate *g)
{
	char path[64], err[256];
	struct saved s;
	const int fd = memfd_create("saved", MFD_CLOEXEC);

	check(fd >= 0 && write(fd, text, size) == (ssize_t)size,
	      "there is enough memory");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	err[0] = '\0';
	if (saved_read(&s, path, err, sizeof err) == 0) {
		check(s.series.runs.command && s.series.runs.nevents > 0,
		      "a series has events");
		judge(&s, g);
	} else {
		check(err[0] != '\0', "an error has words");
	}
	saved_free(&s);
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = string_of(data, size), *rest = memchr(text, '\n', size);
	const char *bad;
	struct gate g = {0};

	if (rest)
		*rest++ = '\0';
	if (gate_add(&g, text, &bad) == 0)
		check(g.n > 0, "a text has limits");
	check_words(text);
	if (rest)
		read_saved(rest, size - (size_t)(rest - text), &g);
	gate_free(&g);
	free(text);
	return 0;
}
