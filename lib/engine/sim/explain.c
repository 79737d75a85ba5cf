#include "engine/sim/explain.h"

#include <stdio.h>

#include "engine/sim/encode.h"

/* As in column sim=. */
static void write_expression(const struct sim_expr *x, char *buf, size_t size)
{
	size_t len = 0;

	snprintf(buf, size, "0");
	for (unsigned i = 0; i < x->n && len < size; i++) {
		const char *sep = x->term[i].minus ? "-" : i ? "+" : "";
		const int n = snprintf(buf + len, size - len, "%s%s", sep,
				       sim_vocab[x->term[i].counter].name);

		len += n > 0 ? (size_t)n : 0;
	}
}

void sim_explain(const struct evsel *s, void *arg,
		 void (*fn)(void *arg, const struct engine_part *p))
{
	char text[512];
	const struct engine_part part = {.name = "model", .from = text};

	write_expression(&s->x, text, sizeof text);
	fn(arg, &part);
}
