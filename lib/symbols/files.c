#include "symbols/files.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char deleted[] = " (deleted)";

int files_is_deleted(const char *path)
{
	const size_t n = strlen(path), suffix = sizeof(deleted) - 1;

	return n > suffix && !strcmp(path + n - suffix, deleted);
}

static __attribute__((format(printf, 1, 2))) char *name_file(const char *format, ...)
{
	char *name;
	va_list args;
	int n;

	va_start(args, format);
	n = vasprintf(&name, format, args);
	va_end(args);
	return n < 0 ? NULL : name;
}

static char *nowhere(void)
{
	return strdup("");
}

/* Write the bytes of a build id as text. */
static const char *id_text(const struct build_id *id, char text[2 * BUILD_ID_MAX + 1])
{
	for (size_t i = 0; i < id->size; i++)
		sprintf(text + 2 * i, "%02x", id->bytes[i]);
	text[2 * id->size] = '\0';
	return text;
}

/* A file below /usr/lib/debug that is found by its build id. */
static char *by_id(const struct files_query *q, const char *suffix)
{
	char text[2 * BUILD_ID_MAX + 1];

	if (q->id->size < 2)
		return nowhere();
	id_text(q->id, text);
	return name_file("%s/usr/lib/debug/.build-id/%.2s/%s%s", q->root, text, text + 2,
			 suffix);
}

/* A file that debuginfod has downloaded. See debuginfod-find(1) for the variables. */
static char *in_cache(const struct files_query *q, unsigned which, const char *file)
{
	static const char *const variables[] = {"DEBUGINFOD_CACHE_PATH", "XDG_CACHE_HOME",
						"HOME", "HOME"};
	static const char *const folders[] = {"", "/debuginfod_client",
					      "/.cache/debuginfod_client",
					      "/.debuginfod_client_cache"};
	const char *const base = secure_getenv(variables[which]);
	char text[2 * BUILD_ID_MAX + 1];

	if (!base || !*base || q->id->size < 2)
		return nowhere();
	return name_file("%s%s/%s/%s", base, folders[which], id_text(q->id, text), file);
}

char *files_image(const struct files_query *q, unsigned i)
{
	const int is_deleted = files_is_deleted(q->path);
	const size_t n = strlen(q->path) - (is_deleted ? sizeof(deleted) - 1 : 0);

	switch (i) {
	case 0:
		return q->pid ? name_file("/proc/%d/map_files/%jx-%jx", (int)q->pid,
					  (uintmax_t)q->start, (uintmax_t)q->end)
			      : nowhere();
	case 1:
		return q->pid && !is_deleted
			       ? name_file("/proc/%d/root%s", (int)q->pid, q->path)
			       : nowhere();
	case 2:
		/* A file of the same name as a deleted one is told by its build id. */
		return !is_deleted || q->id->size
			       ? name_file("%s%.*s", q->root, (int)n, q->path)
			       : nowhere();
	case 3:
		return by_id(q, "");
	case 4:
	case 5:
	case 6:
	case 7:
		return in_cache(q, i - 4, "executable");
	}
	return NULL;
}

/* The places of .gnu_debuglink, as gdb has them. */
static char *by_link(const struct files_query *q, const char *before, const char *after)
{
	const char *const slash = strrchr(q->path, '/');

	/* The name is from the file, which may be malformed on purpose. */
	if (!q->debuglink || strchr(q->debuglink, '/') || !slash)
		return nowhere();
	return name_file("%s%s%.*s%s/%s", q->root, before, (int)(slash - q->path),
			 q->path, after, q->debuglink);
}

char *files_debug(const struct files_query *q, unsigned i)
{
	switch (i) {
	case 0:
		return by_id(q, ".debug");
	case 1:
		return by_link(q, "", "");
	case 2:
		return by_link(q, "", "/.debug");
	case 3:
		return by_link(q, "/usr/lib/debug", "");
	case 4:
	case 5:
	case 6:
	case 7:
		return in_cache(q, i - 4, "debuginfo");
	}
	return NULL;
}

int files_open(const char *name)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && (fstat(fd, &st) || !S_ISREG(st.st_mode))) {
		close(fd);
		errno = ENOENT;
		return -1;
	}
	return fd;
}

int files_crc(int fd, uint32_t *crc)
{
	unsigned char buf[65536];
	off_t at = 0;
	ssize_t n;

	*crc = 0;
	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		*crc = lzma_crc32(buf, n, *crc);
		at += n;
	}
	return n < 0 ? -1 : 0;
}
