/*
 * Parses any text as an expression over the model's counters: it is refused with EINVAL,
 * or it has a value that depends on the counters that it needs alone. The first byte
 * gives the counts. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include "engine/sim/expression.h"

#include <errno.h>
#include <string.h>

#include "engine/machine.h"
#include "fuzz.h"

static void message(void *arg, const char *text)
{
	(void)arg;
	fprintf(stderr, "%s\n", text);
}

static const struct machine *machine(unsigned number)
{
	static struct machine m[8];
	static unsigned n;

	while (n < 8 && machine_texts[n].name) {
		struct machine_mistakes to = {NULL, message, 0};
		const struct machine_choice choice = {.name = machine_texts[n].name};

		check(machine_open(&choice, &m[n++], NULL, &to) == 0,
		      "a built-in machine");
	}
	return &m[number % n];
}

/* Returns the text of an expression, which the caller frees. */
static char *text_of(const struct sim_expression *x)
{
	char *const text = calloc(x->n + 1, 64);
	size_t at = 0;

	check(text != NULL, "there is enough memory");
	for (unsigned i = 0; i < x->n; i++)
		at += (size_t)snprintf(text + at, 64, "%s%s",
				       x->term[i].minus ? "-" : (i ? "+" : ""),
				       sim_vocab[x->term[i].counter].name);
	return x->n ? text : strcpy(text, "0");
}

static void check_value(const struct sim_expression *x, const struct machine *m,
			unsigned seed)
{
	uint64_t count[SIM_NCOUNTERS], same[SIM_NCOUNTERS] = {0};
	const uint64_t needs = sim_expression_needs(x, m);

	for (unsigned i = 0; i < SIM_NCOUNTERS; i++) {
		count[i] = (uint64_t)seed * (i + 1) * 1000003 % 1000000007;
		if (needs >> i & 1)
			same[i] = count[i];
	}
	const uint64_t value = sim_expression_value(x, m, count);
	check(value == sim_expression_value(x, m, same),
	      "the value depends on the counters that it needs");
	check(x->n || value == 0, "an expression without terms is 0");
	check(value <= UINT64_C(1) << 60, "the value is not negative");
	sim_expression_wants_l3(x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sim_expression x, again;

	if (!size)
		return 0;
	char *const text = string_of(data + 1, size - 1);
	errno = 0;
	if (sim_expression_parse(text, &x) == 0) {
		char *const own = text_of(&x);

		check(strcmp(own, text) == 0, "the text of an expression is the same");
		check(sim_expression_parse(own, &again) == 0 && again.n == x.n &&
			      memcmp(again.term, x.term, x.n * sizeof *x.term) == 0,
		      "the text gives the same expression");
		check_value(&x, machine(data[0]), data[0] + 1);
		free(own);
	} else {
		check(errno == EINVAL, "errno is EINVAL");
	}
	free(text);
	return 0;
}
