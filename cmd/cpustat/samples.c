#include "samples.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/outfile.h"
#include "suite/cpus/view.h"

struct samples {
	int fd, error;
	int waits;	     /* records are collected in text, and are not written yet */
	struct textbuf text; /* its memory is used again */
	off_t complete;	     /* the length of the file before the last write */
	struct sink *sink;
	const struct row_set *const *set;
	int64_t unix_ns; /* the start of the run */
};

static int fail(struct samples *s, int error)
{
	s->error = error;
	/* A part of an interval is removed; a pipe keeps what it has taken. */
	if (ftruncate(s->fd, s->complete) == -1)
		errno = error;
	return -1;
}

static int write_all(struct samples *s, const char *text, size_t size)
{
	for (size_t done = 0; done < size;) {
		const ssize_t n = write(s->fd, text + done, size - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			return fail(s, errno);
	}
	s->complete += (off_t)size;
	return 0;
}

/* Take a record from the sink; text NULL means that memory ran out. */
static int take(void *arg, const char *text, size_t n)
{
	struct samples *s = arg;

	if (s->error)
		return -1;
	if (!text)
		return fail(s, ENOMEM);
	if (!s->waits)
		return write_all(s, text, n);
	textbuf_put(&s->text, text, n);
	return 0;
}

static int add_sink(struct samples *s, int cgroups)
{
	const struct row_style style = {.format = TEXT_JSON,
					.scope = ROW_CPUS,
					.cgroups = cgroups != 0,
					.tick = 1};
	const struct sink_output out = {s, take};

	s->sink = sink_lines(&style, 0, out);
	return s->sink ? 0 : -1;
}

struct samples *samples_open(const char *path, int cgroups,
			     const struct row_set *const *set, int64_t unix_ns)
{
	struct samples *s = calloc(1, sizeof *s);

	if (!s)
		return NULL;
	*s = (struct samples){.fd = -1, .set = set, .unix_ns = unix_ns};
	if (add_sink(s, cgroups) == 0)
		s->fd = outfile_open(path, 0);
	if (s->fd != -1)
		return s;
	const int e = errno;
	samples_close(s);
	errno = e;
	return NULL;
}

int samples_lock(const struct samples *s)
{
	return outfile_lock(s->fd);
}

struct sink *samples_sink(const struct samples *s)
{
	return s->sink;
}

int samples_put(struct samples *s, const struct cpu_interval *i)
{
	s->waits = 1;
	for (unsigned k = 0; k < i->n && !s->error; k++) {
		const struct row row =
			cpu_view_sample(i, &i->sample[k], s->set[i->set], s->unix_ns);

		s->sink->row(s->sink, &row);
	}
	s->waits = 0;
	if (!s->error && s->text.failed)
		fail(s, ENOMEM);
	if (!s->error)
		write_all(s, s->text.s, s->text.len);
	s->text.len = 0;
	return s->error;
}

int samples_close(struct samples *s)
{
	if (!s)
		return 0;
	/* A network file system may report write errors only now. */
	if (s->fd != -1 && close(s->fd) == -1 && !s->error)
		s->error = errno;
	const int error = s->error;
	if (s->sink)
		s->sink->free(s->sink);
	free(s->text.s);
	free(s);
	return error;
}
