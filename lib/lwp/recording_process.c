/* Recordings: the facts and the rings of a process that is running or stopped. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lwp.h>
#include "base/bytes.h"
#include "base/file.h"
#include "lwp/arena.h"
#include "lwp/mappings.h"
#include "lwp/recording.h"

#define PAGE 4096

/* The longest auxiliary vector and command that are kept. */
enum { AUXV_MAX = 1024, COMMAND_MAX = 65536 };

static char *copy(struct recording *r, const char *s, size_t n)
{
	char *p = arena_alloc(&r->owner, n + 1, 1);

	return p ? memcpy(p, s, n) : NULL;
}

/* Read a whole file of /proc, whose size is not known. Returns its length, or -1. */
static ssize_t read_whole(struct recording *r, const char *path, const char **text)
{
	size_t n = 0, size = 1 << 16;
	char *buf = malloc(size);
	const int fd = buf ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	ssize_t got = fd < 0 ? -1 : 1;

	while (got > 0 && (got = read(fd, buf + n, size - n - 1)) > 0) {
		n += (size_t)got;
		if (n + 1 < size)
			continue;
		char *grown = realloc(buf, size *= 2);
		if (!grown)
			got = -1;
		else
			buf = grown;
	}
	if (got == 0 && !(*text = copy(r, buf, n)))
		got = -1;
	const int error = errno;
	if (fd >= 0)
		close(fd);
	free(buf);
	errno = error;
	return got == 0 ? (ssize_t)n : -1;
}

/* Replace in place the newlines that the kernel wrote as \012. */
static const char *unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; from++) {
		if (strncmp(from, "\\012", 4) == 0) {
			*to++ = '\n';
			from += 3;
		} else {
			*to++ = *from;
		}
	}
	*to = '\0';
	return path;
}

/* A line of /proc/PID/maps: start-end perms offset device inode path. */
static void read_mapping(struct recording *r, char *line)
{
	struct recording_mapping *m = &r->mapping[r->nmapping];
	int path = 0;

	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %*s %*s %n", &m->start,
		   &m->end, &m->offset, &path) < 3 ||
	    !path || m->end <= m->start)
		return;
	m->path = line[path] ? unescape(line + path) : NULL;
	r->nmapping++;
}

static int read_mappings(struct recording *r)
{
	char path[64];
	const char *text;
	size_t lines = 1;

	snprintf(path, sizeof path, "/proc/%d/maps", (int)r->pid);
	if (read_whole(r, path, &text) == -1)
		return -1;
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		lines++;
	r->mapping = arena_alloc(&r->owner, lines, sizeof *r->mapping);
	if (!r->mapping)
		return -1;
	char *rest = (char *)text;
	for (char *line; (line = strsep(&rest, "\n"));)
		read_mapping(r, line);
	return 0;
}

/* Read the first page of each mapped ELF file from the memory of the process. */
static int read_heads(struct recording *r)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/mem", (int)r->pid);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	/* Without the right to read the memory, the build ids are not known. */
	if (fd < 0)
		return 0;
	int status = 0;
	for (size_t i = 0; i < r->nmapping && status == 0; i++) {
		struct recording_mapping *m = &r->mapping[i];
		char page[PAGE];

		if (!m->path || m->offset || (*m->path != '/' && *m->path != '['))
			continue;
		const ssize_t n = pread(fd, page, sizeof page, (off_t)m->start);
		if (n < 4 || memcmp(page, "\177ELF", 4) != 0)
			continue;
		const char *kept = copy(r, page, (size_t)n);
		if (kept)
			recording_set_head(m, (const uint8_t *)kept, (size_t)n);
		else
			status = -1;
	}
	close(fd);
	mappings_share_build_ids(r);
	return status;
}

static int read_threads(struct recording *r)
{
	char path[64], name[64];
	struct dirent **d;

	snprintf(path, sizeof path, "/proc/%d/task", (int)r->pid);
	const int n = file_list(path, &d);
	r->thread = arena_alloc(&r->owner, (size_t)n, sizeof *r->thread);
	for (int i = 0; i < n && r->thread; i++) {
		struct recording_thread *t = &r->thread[r->nthread];
		ssize_t size =
			file_read(name, sizeof name, "%s/%s/comm", path, d[i]->d_name);

		t->tid = atoi(d[i]->d_name);
		if (size < 0 || t->tid <= 0)
			continue;
		t->name = copy(r, name, strcspn(name, "\n"));
		r->nthread++;
	}
	file_list_free(d, n);
	return r->thread ? 0 : -1;
}

/* Read the words of the command, the path of the program and the auxiliary vector. */
static int read_program(struct recording *r)
{
	char buf[COMMAND_MAX], path[64];

	snprintf(path, sizeof path, "/proc/%d/exe", (int)r->pid);
	ssize_t n = readlink(path, buf, sizeof buf);
	if (n > 0 && !(r->program = copy(r, buf, (size_t)n)))
		return -1;
	n = file_read(buf, sizeof buf, "/proc/%d/cmdline", (int)r->pid);
	while (n > 0 && !buf[n - 1])
		n--;
	for (ssize_t i = 0; i < n; i++)
		buf[i] = buf[i] ? buf[i] : ' ';
	if (n > 0 && !(r->command = copy(r, buf, (size_t)n)))
		return -1;
	n = file_read(buf, AUXV_MAX, "/proc/%d/auxv", (int)r->pid);
	if (n > 0 && !(r->auxv = (const uint8_t *)copy(r, buf, (size_t)n)))
		return -1;
	r->auxv_size = r->auxv ? (size_t)n : 0;
	return 0;
}

int recording_of_process(struct recording *r, pid_t pid)
{
	*r = (struct recording){
		.pid = pid,
		.event_offset = LWP_EVENT_OFFSET,
		.event_size = LWP_EVENT_SIZE,
	};
	if (read_mappings(r) == 0 && read_heads(r) == 0 && read_threads(r) == 0 &&
	    read_program(r) == 0)
		return 0;
	const int error = errno;
	recording_free(r);
	errno = error;
	return -1;
}

/* An LWPCB has at most 255 quadwords (CPUID 8000_001C EBX). */
enum { BLOCK_MAX = 255 * 8 };

/* Read up to n bytes of the memory of a process. Returns how many could be read. */
static size_t read_memory(int fd, uint64_t address, void *p, size_t n)
{
	size_t done = 0;
	ssize_t got;

	while (done < n &&
	       (got = pread(fd, (char *)p + done, n - done, (off_t)(address + done))) > 0)
		done += (size_t)got;
	return done;
}

/*
 * The program may have read records while the ring was copied, and LWP may have written
 * into their slots: the oldest record is where tail is now, if that is between the old
 * tail and head, or there is none.
 */
static void update_tail(uint8_t *block, uint32_t tail, uint32_t size)
{
	const uint32_t old = bytes_get32(block + LWP_BLOCK_TAIL);
	const uint32_t head = bytes_get32(block + LWP_BLOCK_HEAD);

	if (tail == old || !size || old >= size || tail >= size || head >= size)
		return;
	const uint32_t read = (tail + size - old) % size;
	const uint32_t used = (head + size - old) % size;
	bytes_put32(block + LWP_BLOCK_TAIL, read > used ? head : tail);
}

static int copy_ring(struct recording *r, int fd, struct recording_ring *ring)
{
	uint8_t tail[4];

	uint8_t *block = arena_alloc(&r->owner, BLOCK_MAX, 1);
	if (!block)
		return -1;
	ring->block = block;
	ring->block_size = read_memory(fd, ring->cb, block, BLOCK_MAX);
	if (ring->block_size < LWP_BLOCK_FIXED) {
		errno = ENOENT;
		return -1;
	}
	ring->base = bytes_get64(block + LWP_BLOCK_BASE);
	const uint32_t size = bytes_get32(block + LWP_BLOCK_SIZE) & 0x0fffffff;
	uint8_t *bytes = arena_alloc(&r->owner, size, 1);
	if (!bytes)
		return -1;
	ring->bytes = bytes;
	ring->size = read_memory(fd, ring->base, bytes, size);
	if (read_memory(fd, ring->cb + LWP_BLOCK_TAIL, tail, sizeof tail) == sizeof tail)
		update_tail(block, bytes_get32(tail), size);
	return 0;
}

int recording_copy_rings(struct recording *r, const uint64_t *cb, size_t ncb, char *why,
			 size_t n)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/mem", (int)r->pid);
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, n, "its memory cannot be read: %s", strerror(errno));
		return -1;
	}
	r->ring = arena_alloc(&r->owner, ncb, sizeof *r->ring);
	int status = r->ring ? 0 : -1;
	for (size_t i = 0; i < ncb && status == 0; i++) {
		r->ring[i].cb = cb[i];
		status = copy_ring(r, fd, &r->ring[i]);
		r->nring += status == 0;
	}
	const int error = errno;
	if (status == -1 && error == ENOENT)
		snprintf(why, n,
			 "it has no memory at %#" PRIx64 ", where an LWPCB was "
			 "expected",
			 cb[r->nring]);
	else if (status == -1)
		snprintf(why, n, "%s", strerror(error));
	close(fd);
	errno = error;
	return status;
}
