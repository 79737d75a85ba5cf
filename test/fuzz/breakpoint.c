/*
 * Parses any text after "mem:" as the name of a breakpoint: it is refused with EINVAL and
 * a message, or the name that is made of its parts is parsed to the same parts. Build
 * with clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/breakpoint.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "engine/engine.h"
#include "fuzz.h"

static const char *access_of(enum engine_access access)
{
	switch (access) {
	case ENGINE_EXECUTE:
		return ":x";
	case ENGINE_READ:
		return ":r";
	case ENGINE_WRITE:
		return ":w";
	case ENGINE_READ_WRITE:
		return ":rw";
	default:
		return "";
	}
}

/* Returns the name that has these parts, which the caller frees. */
static char *name_of(const struct breakpoint *b)
{
	char place[32], length[32] = "", *name;

	snprintf(place, sizeof place, "%#" PRIx64, b->address);
	if (b->has_length)
		snprintf(length, sizeof length, "/%" PRIu64, b->length);
	check(asprintf(&name, "mem:%.*s%s%s",
		       (int)(b->symbol ? b->symbol_size : strlen(place)),
		       b->symbol ? b->symbol : place, length, access_of(b->access)) >= 0,
	      "there is enough memory");
	return name;
}

static void check_parts(const char *name, const struct breakpoint *b)
{
	struct breakpoint again;
	struct why why = {""};
	char *const own = name_of(b);

	check(breakpoint_is_named(name) == (b->symbol != NULL),
	      "a name has a symbol or an address");
	check(!b->symbol || (b->symbol == name + 4 && b->symbol_size > 0 &&
			     b->symbol_size <= strlen(b->symbol) && !b->address),
	      "a symbol is in the name");
	check(b->has_length || !b->length, "no length unless the name has one");
	check(breakpoint_parse(own, &again, &why) == 0, "the parts make a name");
	check(again.address == b->address && again.length == b->length &&
		      again.has_length == b->has_length && again.access == b->access &&
		      again.symbol_size == b->symbol_size &&
		      (!b->symbol ||
		       memcmp(again.symbol, b->symbol, b->symbol_size) == 0),
	      "the name has the same parts");
	free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *const text = string_of(data, size), *name;
	struct breakpoint b;
	struct why why = {""};

	check(asprintf(&name, "mem:%s", text) >= 0, "there is enough memory");
	check(breakpoint_is(name), "a name with the prefix");
	errno = 0;
	if (breakpoint_parse(name, &b, &why) == 0)
		check_parts(name, &b);
	else
		check(errno == EINVAL && *why.text, "a refusal has a message");
	free(name);
	free(text);
	return 0;
}
