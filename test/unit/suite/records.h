/*
 * Records for tests, from text. To be included once in a program. JSON in the text may
 * have single quotation marks in the place of double ones.
 */
#ifndef RECORDS_H
#define RECORDS_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "suite/saved/lines.h"
#include "suite/saved/scan.h"

/* Returns a copy of the text with double quotation marks, for free(). */
static inline char *records_quoted(const char *text)
{
	char *copy = strdup(text);

	assert_non_null(copy);
	for (char *c = copy; *c; c++)
		if (*c == '\'')
			*c = '"';
	return copy;
}

/* Returns the value that the text has, which is in *s; an array around it allows any. */
static inline const struct saved_node *records_node(struct scan *s, const char *text)
{
	char around[4096];
	const int n = snprintf(around, sizeof around, "[%s]", text);

	assert_true(n > 0 && n < (int)sizeof around);
	char *json = records_quoted(around);
	if (scan_text(s, json, strlen(json)) == -1)
		fail_msg("%s: %s at byte %zu", json, s->error, s->at);
	free(json);
	return saved_first(s->node);
}

/* Makes a file of the text, and its path. Returns its descriptor, for close(). */
static inline int records_file(const char *text, char *path, size_t size)
{
	char *json = records_quoted(text);
	const int fd = memfd_create("records", MFD_CLOEXEC);

	assert_true(fd >= 0 && write(fd, json, strlen(json)) == (ssize_t)strlen(json));
	snprintf(path, size, "/proc/self/fd/%d", fd);
	free(json);
	return fd;
}

/* Appends to text, which has size bytes. */
__attribute__((format(printf, 3, 4))) static inline void records_put(char *text,
								     size_t size,
								     const char *fmt, ...)
{
	const size_t len = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	const int n = vsnprintf(text + len, size - len, fmt, ap);
	va_end(ap);
	assert_true(n >= 0 && (size_t)n < size - len);
}

/* Returns the text, or "-" for NULL. */
static inline const char *records_or(const char *text)
{
	return text ? text : "-";
}

#endif
