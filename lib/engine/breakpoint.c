#include "engine/breakpoint.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "engine/why.h"

static const char prefix[] = "mem:";

static const struct {
	const char *text;
	enum engine_access access;
} accesses[] = {
	{"x", ENGINE_EXECUTE},
	{"r", ENGINE_READ},
	{"w", ENGINE_WRITE},
	{"rw", ENGINE_READ_WRITE},
};

/* Names of C, of C++ as the linker knows them, and of compilers ("hit.part.0"). */
static int begins_name(char c)
{
	return isalpha((unsigned char)c) || (c && strchr("_.$", c)) || (c & 0x80);
}

int breakpoint_is(const char *name)
{
	return strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

int breakpoint_is_named(const char *name)
{
	return breakpoint_is(name) && begins_name(name[sizeof(prefix) - 1]);
}

/* Unlike strtoull(3), accept no signs and blanks: a number begins with a digit. */
static int parse_number(const char **p, uint64_t *val)
{
	if (!isdigit((unsigned char)**p))
		return -1;
	char *end;
	errno = 0;
	*val = strtoull(*p, &end, 0);
	*p = end;
	return errno ? -1 : 0;
}

static int parse_place(const char **p, struct breakpoint *b)
{
	if (!begins_name(**p))
		return parse_number(p, &b->address);
	b->symbol = *p;
	b->symbol_size = strcspn(*p, "/:");
	*p += b->symbol_size;
	return 0;
}

static enum engine_access parse_access(const char *text)
{
	for (size_t i = 0; i < sizeof(accesses) / sizeof(accesses[0]); i++)
		if (strcmp(text, accesses[i].text) == 0)
			return accesses[i].access;
	return ENGINE_ANY;
}

int breakpoint_parse(const char *name, struct breakpoint *b, struct why *why)
{
	const char *p = name + sizeof(prefix) - 1;

	*b = (struct breakpoint){0};
	if (parse_place(&p, b))
		return why_refuse(why, EINVAL,
				  "%s: no 64-bit address and no name after 'mem:'; the "
				  "form is mem:ADDR[/LEN][:x|r|w|rw] or "
				  "mem:NAME[/LEN][:x|r|w|rw]",
				  name);
	b->has_length = *p == '/';
	if (b->has_length) {
		p++;
		if (parse_number(&p, &b->length))
			return why_refuse(why, EINVAL, "%s: no length after '/'", name);
	}
	if (*p == ':') {
		b->access = parse_access(++p);
		if (b->access == ENGINE_ANY)
			return why_refuse(why, EINVAL,
					  "%s: unknown access '%s'; use x, r, w or rw",
					  name, p);
		p += strlen(p);
	}
	if (*p)
		return why_refuse(why, EINVAL, "%s: unexpected '%s' at the end", name, p);
	return 0;
}
