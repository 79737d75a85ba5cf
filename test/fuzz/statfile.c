/*
 * Read any bytes as a file of raw samples. If the first byte is 'L', each line gets a
 * valid checksum. Intervals that were read can be written, and give the same bytes. Build
 * with clang -fsanitize=fuzzer,address,undefined.
 */
#include "suite/cpus/statfile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "suite/cpus/crc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

/* A file in memory, which all runs use. */
struct memory {
	int fd;
	char path[64];
};

static struct memory in, out;
static struct statfile_crc table;

static void memory_init(struct memory *m)
{
	if (*m->path)
		return;
	m->fd = memfd_create("statfile", MFD_CLOEXEC);
	check(m->fd != -1, "there is enough memory");
	snprintf(m->path, sizeof m->path, "/proc/self/fd/%d", m->fd);
}

static void put(FILE *f, uint32_t *crc, const char *s, size_t n)
{
	*crc = statfile_crc(&table, *crc, s, n);
	check(fwrite(s, 1, n, f) == n, "there is enough memory");
}

/* Write the lines of s with checksums, and the rest after the last newline. */
static void put_lines(FILE *f, const char *s, size_t n)
{
	uint32_t crc = 0;
	const char *newline;

	while ((newline = memchr(s, '\n', n))) {
		char sum[10];
		put(f, &crc, s, (size_t)(newline - s));
		put(f, &crc, "\t", 1);
		snprintf(sum, sizeof sum, "%08" PRIx32 "\n", crc);
		put(f, &crc, sum, 9);
		n -= (size_t)(newline - s) + 1;
		s = newline + 1;
	}
	put(f, &crc, s, n);
}

/* Write all that is read to out. Returns 0 at the end of the file, or -1. */
static int copy(struct statfile_reader *r)
{
	struct statfile_writer *w = statfile_create(out.path, statfile_head(r));
	const struct cpu_interval *i;
	char why[256];
	int rc;

	check(w != NULL, "a head that was read can be written");
	while ((rc = statfile_read(r, &i, why, sizeof why)) == 1)
		check(!statfile_write(w, i), "an interval that was read can be written");
	if (rc == 0) {
		check(!statfile_end(w, statfile_skipped(r)),
		      "an end that was read can be written");
		return 0;
	}
	check(errno == EBADMSG && !strncmp(why, "line ", 5),
	      "the error is EBADMSG with a line number");
	statfile_drop(w);
	return -1;
}

static void run(const char *s, size_t n)
{
	char why[256];

	check(!ftruncate(in.fd, 0) && pwrite(in.fd, s, n, 0) == (ssize_t)n,
	      "there is enough memory");
	struct statfile_reader *r = statfile_open(in.path, why, sizeof why);
	if (!r) {
		check(errno == EBADMSG && !strncmp(why, "line ", 5),
		      "the error is EBADMSG with a line number");
		return;
	}
	const int rc = copy(r);
	statfile_close(r);

	const off_t size = lseek(out.fd, 0, SEEK_END);
	check(size >= 0 && (size_t)size <= n, "the copy is not longer");
	check(rc == -1 || (size_t)size == n, "the copy is complete");
	char *const copied = malloc((size_t)size);
	check(copied && pread(out.fd, copied, (size_t)size, 0) == size,
	      "there is enough memory");
	check(!memcmp(copied, s, (size_t)size), "the copy has the same bytes");
	free(copied);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	memory_init(&in);
	memory_init(&out);
	statfile_crc_init(&table);

	char *s = NULL;
	size_t n;
	FILE *f = open_memstream(&s, &n);
	check(f != NULL, "there is enough memory");
	if (data[0] == 'L')
		put_lines(f, (const char *)data + 1, size - 1);
	else
		check(fwrite(data + 1, 1, size - 1, f) == size - 1,
		      "there is enough memory");
	check(fclose(f) == 0, "there is enough memory");
	run(s, n);
	free(s);
	return 0;
}
