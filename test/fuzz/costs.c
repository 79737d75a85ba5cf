/*
 * Parse any text as a cost table: it is refused with a line number and a message, or the
 * text of the table parses as the same table. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include <errno.h>
#include <string.h>

#include "fuzz.h"
#include "irix/costs.h"

static int same(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct costs_error e = {0, ""};
	struct costs *c = costs_parse((const char *)data, size, &e);

	if (!c) {
		check(errno == ENOMEM || (e.line > 0 && *e.text),
		      "a refusal has a line number and a message");
		return 0;
	}
	char *text = costs_text(c);
	check(text != NULL, "costs_text() has enough memory");
	struct costs *again = costs_parse(text, strlen(text), &e);
	check(again != NULL, "the text of a table is parsed");
	check(same(c->cpu, again->cpu) && same(c->system, again->system) &&
		      c->hz == again->hz && same(c->synthetic, again->synthetic) &&
		      memcmp(c->cost, again->cost, sizeof c->cost) == 0,
	      "the text gives the same table");
	costs_free(again);
	costs_free(c);
	free(text);
	return 0;
}
