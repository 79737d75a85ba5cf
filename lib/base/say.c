#include "base/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void say_add(char *buf, size_t size, const char *fmt, ...)
{
	const size_t len = strlen(buf);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + len, size - len, fmt, ap);
	va_end(ap);
}

void say_set(char *buf, size_t size, uint64_t set,
	     const char *(*name)(const void *arg, unsigned member), const void *arg)
{
	for (const char *sep = ""; set; set &= set - 1) {
		say_add(buf, size, "%s%s", sep,
			name(arg, (unsigned)__builtin_ctzll(set)));
		sep = __builtin_popcountll(set) == 2 ? " and " : ", ";
	}
}
