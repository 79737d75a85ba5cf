/*
 * Reads any bytes as a file of the samples of CPUs, and merges the samples. What was read
 * is written as records: these are read without an error, and give the same records.
 * Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "suite/saved/intervals.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "fuzz.h"
#include "suite/cpus/view.h"
#include "suite/row/json.h"

/* What was read, as records, and its sums. */
struct copy {
	const struct saved_run *run;
	struct row_style style;
	struct textbuf text;
	uint64_t records;
	struct cpu_view *view;
};

static int begin(void *arg, const struct saved_run *run)
{
	struct copy *c = arg;
	const struct cpu_view_options options = {.scope = run->has_cgroups ? ROW_CGROUPS
									   : ROW_SOCKETS,
						 .cgroups = run->has_cgroups};
	char why[128];

	c->run = run;
	c->style = (struct row_style){.format = TEXT_JSON,
				      .scope = ROW_CPUS,
				      .cgroups = run->has_cgroups ? 1 : 0,
				      .tick = 1,
				      .run = &run->run.row};
	c->view = cpu_view_new(&options, run->sets.each, run->sets.n, why, sizeof why);
	check(c->view != NULL, "there is enough memory");
	record_begin(&c->text, &run->run);
	c->records = 1;
	return 0;
}

static int interval(void *arg, const struct cpu_interval *i)
{
	struct copy *c = arg;
	unsigned n;

	check(i->n > 0, "an interval has samples");
	for (unsigned k = 0; k < i->n; k++) {
		const struct row row =
			cpu_view_sample(i, &i->sample[k], c->run->sets.each[i->set], 0);

		row_put(&c->text, &c->style, &row);
		c->records++;
	}
	check(cpu_view_rows(c->view, i, &n) == 0 && n > 0 && n <= i->n,
	      "samples are merged");
	for (unsigned k = 0; k < n; k++)
		check(cpu_view_row(c->view, k)->cpus > 0, "a row is of some CPU");
	return 0;
}

static void ended(void *arg, const char *cgroup)
{
	struct copy *c = arg;
	const unsigned at = cpu_view_cgroup(c->view, cgroup);

	check(at != -1u, "a cgroup that ends had samples");
	cpu_view_drop_cgroup(c->view, at);
}

/* Read text into *c, and write the end of the run. Returns whether it was read. */
static int copy(struct copy *c, const void *text, size_t size)
{
	const struct saved_intervals_taker to = {c, begin, interval, ended};
	struct saved_intervals s = {.text = NULL};
	const struct record_end end = {0};
	char path[64], why[256];
	const int fd = memfd_create("records", MFD_CLOEXEC);

	check(fd >= 0 && write(fd, text, size) == (ssize_t)size,
	      "there is enough memory");
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	const int rc = saved_intervals_read(&s, path, &to, why, sizeof why);
	check(rc == 0 || *why != '\0', "an error has words");
	if (rc == -1)
		check_printable(why, strlen(why));
	if (c->run)
		record_end(&c->text, &c->run->run.row, &end, c->records + 1);
	cpu_view_free(c->view);
	saved_intervals_free(&s);
	close(fd);
	return rc == 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct copy first = {.run = NULL}, second = {.run = NULL};

	copy(&first, data, size);
	if (first.run) {
		check(copy(&second, first.text.s, first.text.len),
		      "records that were written are read");
		check(first.text.len == second.text.len &&
			      memcmp(first.text.s, second.text.s, first.text.len) == 0,
		      "the records are the same");
	}
	free(first.text.s);
	free(second.text.s);
	return 0;
}
