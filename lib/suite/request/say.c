#include "suite/request/say.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void spec_say(struct spec_error *err, const char *fmt, ...)
{
	va_list ap;
	const size_t n = strlen(err->text);

	va_start(ap, fmt);
	vsnprintf(err->text + n, sizeof(err->text) - n, fmt, ap);
	va_end(ap);
}

int spec_shown(struct span s)
{
	return s.len < CPC_MAX_EVENT_LEN ? (int)s.len : CPC_MAX_EVENT_LEN - 1;
}

void spec_say_pics(struct spec_error *err, uint64_t pics, const char *last)
{
	enum { MANY = 5 };
	const int low = __builtin_ctzll(pics), n = __builtin_popcountll(pics);

	if (n >= MANY && pics >> low == UINT64_MAX >> (64 - n)) {
		spec_say(err, "pic%d to pic%d", low, low + n - 1);
		return;
	}
	for (const char *sep = ""; pics; pics &= pics - 1) {
		spec_say(err, "%spic%d", sep, __builtin_ctzll(pics));
		sep = __builtin_popcountll(pics) == 2 ? last : ", ";
	}
}
