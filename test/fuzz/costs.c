/*
 * Any text as a table of costs: it is refused with a line and words, or it is a table whose
 * own text is the same table. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "irix/costs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(int ok, const char *what)
{
	if (!ok) {
		fprintf(stderr, "invariant: %s\n", what);
		abort();
	}
}

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
		      "a refusal says where and why");
		return 0;
	}
	char *text = costs_text(c);
	check(text != NULL, "memory");
	struct costs *again = costs_parse(text, strlen(text), &e);
	check(again != NULL, "its own text is read");
	check(same(c->cpu, again->cpu) && same(c->system, again->system) &&
		      c->hz == again->hz && same(c->synthetic, again->synthetic) &&
		      memcmp(c->cost, again->cost, sizeof c->cost) == 0,
	      "and is the same table");
	costs_free(again);
	costs_free(c);
	free(text);
	return 0;
}
