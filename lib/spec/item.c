#include "spec/item.h"

#include <string.h>

#include <libcpc.h>

#define DIGITS "0123456789"

/* Return the length of a "picN=" at the beginning of s, or 0. */
static size_t pic_prefix(const char *s)
{
	if (strncmp(s, "pic", 3))
		return 0;
	const size_t digits = strspn(s + 3, DIGITS);
	return digits && s[3 + digits] == '=' ? 3 + digits + 1 : 0;
}

/*
 * Return the end of the item at s: a comma or the end of the text. A comma inside of the
 * "/.../" of an event's name ("cpu/event=0x3c,umask=1/") does not end the item. In a
 * breakpoint ("mem:0x401136/8:rw", perf-record(1)) and in the value of a token '/' has no
 * meaning.
 */
static const char *item_end(const char *s, const char **open)
{
	const char *p = s + pic_prefix(s);
	const int token = p == s && s[strcspn(s, ":/=,")] == '=';

	*open = NULL;
	if (token || !strncmp(p, "mem:", 4))
		return s + strcspn(s, ",");
	for (; *p && (*p != ',' || *open); p++)
		if (*p == '/')
			*open = *open ? NULL : p;
	return p;
}

int span_fits_event(struct span s)
{
	const char *const eq = memchr(s.s, '=', s.len);
	int slashes = 0;

	for (const char *p = s.s; eq && p < eq; p++) {
		if (*p == ':')
			return 1;
		slashes += *p == '/';
	}
	return !eq || slashes % 2;
}

struct item item_cut(const char *s, const char **open)
{
	const struct span all = {s, item_end(s, open) - s};
	struct item it = {.all = all, .key = all};

	if (!pic_prefix(s) && span_fits_event(all))
		return it;
	it.key.len = (const char *)memchr(s, '=', all.len) - s;
	it.value.s = s + it.key.len + 1;
	it.value.len = all.len - it.key.len - 1;
	return it;
}

int span_is(struct span s, const char *word)
{
	return s.len == strlen(word) && !memcmp(s.s, word, s.len);
}

int span_copy(struct span s, char *buf, size_t size)
{
	if (s.len >= size)
		return 0;
	memcpy(buf, s.s, s.len);
	buf[s.len] = '\0';
	return 1;
}

struct span span_stem(struct span s)
{
	while (s.len && s.s[s.len - 1] >= '0' && s.s[s.len - 1] <= '9')
		s.len--;
	return s;
}

int span_number(struct span s)
{
	int n = 0;

	if (s.len < 1 || s.len > SPAN_DIGITS || span_stem(s).len ||
	    (s.len > 1 && *s.s == '0'))
		return -1;
	for (size_t i = 0; i < s.len; i++)
		n = n * 10 + s.s[i] - '0';
	return n;
}

int span_shown(struct span s)
{
	return s.len < CPC_MAX_EVENT_LEN ? (int)s.len : CPC_MAX_EVENT_LEN - 1;
}
