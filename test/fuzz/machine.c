/*
 * Parse any text as a machine, with changes: lines at its start that begin with "!". It
 * is refused with messages, or the model represents the machine, and the text with the
 * changes is the same machine. Build with clang -fsanitize=fuzzer,address,undefined.
 */
#include <errno.h>
#include <string.h>

#include "engine/machine.h"
#include "fuzz.h"
#include "sim/model/model.h"

enum { MOST_CHANGES = 8, MOST_MESSAGES = 21 };

static void message(void *arg, const char *text)
{
	(void)arg;
	check(*text && !strchr(text, '\n') && !strchr(text, '\033'),
	      "a message is a line of text");
}

static void fault(void *arg, const char *key, const char *text)
{
	(void)arg;
	fprintf(stderr, "%s: %s\n", key, text ? text : "range");
}

/* Take the changes from the start of the text. Returns their number. */
static unsigned take_changes(char **text, char **set)
{
	unsigned n = 0;

	while (**text == '!' && n < MOST_CHANGES) {
		char *end = strchr(*text, '\n');

		set[n++] = *text + 1;
		*text = end ? end + 1 : *text + strlen(*text);
		if (end)
			*end = '\0';
	}
	return n;
}

static void *allocated;

/* Only the CPU is allocated, as no part is simulated. */
static void *alloc(size_t size)
{
	check(!allocated, "one allocation");
	return allocated = calloc(1, size);
}

static uint64_t no_fetch(void)
{
	return 0;
}

static void check_machine(const struct machine_source *source, const struct machine *m)
{
	static uint64_t count[SIM_NCOUNTERS];
	struct machine_mistakes to = {NULL, message, 0};
	struct sim *sim = malloc(sizeof *sim);
	struct machine again;

	check(machine_check(m, NULL, fault) == 0,
	      "a machine that was parsed has no faults");
	check(sim && sim_open(sim, m, 0, count, alloc, no_fetch) == 0,
	      "the model has the machine");
	free(allocated);
	allocated = NULL;
	free(sim);
	char *text = machine_edit(source, m, "changed");
	check(text != NULL, "machine_edit() has enough memory");
	const struct machine_source edited = {
		.path = "edited", .text = text, .len = strlen(text)};
	check(machine_parse(&edited, &again, &to) == 0, "the changed text is parsed");
	check(machine_hash(m) == machine_hash(&again) &&
		      strcmp(m->title, again.title) == 0,
	      "the changed text gives the same machine");
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine_mistakes to = {NULL, message, 0};
	char *copy = malloc(size + 1), *text = copy, *set[MOST_CHANGES];
	struct machine m;

	check(copy != NULL, "memory");
	memcpy(copy, data, size);
	copy[size] = '\0';
	const unsigned n = take_changes(&text, set);
	const struct machine_source source = {
		.path = "text",
		.text = text,
		.len = size - (size_t)(text - copy),
		.changes = {n, (const char *const *)set},
	};
	const int rc = machine_parse(&source, &m, &to);
	check(rc == 0 ? to.n == 0 : to.n > 0 && errno == EINVAL,
	      "a refusal has messages, and a machine has none");
	check(to.n <= MOST_MESSAGES, "the messages are limited");
	if (rc == 0)
		check_machine(&source, &m);
	machine_check_changes(&source.changes, &to);
	free(copy);
	return 0;
}
