/*
 * Parses any text as a list of CPUs: it is refused with EINVAL, or its text is the same
 * list. The elements of a list that is accepted are read here in another way. Build with
 * clang -fsanitize=fuzzer,address,undefined.
 */
#include "base/cpulist.h"

#include <errno.h>
#include <string.h>

#include "fuzz.h"

/* Lists with greater numbers take long: most inputs that have one are not run. */
enum { DIGITS = 4, FEW = 8 };

static int is_long(const char *text, size_t size)
{
	while (*text) {
		const size_t n = strspn(text, "0123456789");

		if (n > DIGITS && size > FEW)
			return 1;
		text += n + (text[n] != '\0');
	}
	return 0;
}

/* Returns whether the text of a valid list names the CPU. */
static int is_named(const char *text, long cpu)
{
	char *end = (char *)text;

	for (end += strspn(end, " \t\n"); *end;) {
		const long first = strtol(end, &end, 10);
		const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

		if (cpu >= first && cpu <= last)
			return 1;
		end += strspn(end, ", \t\n");
	}
	return 0;
}

static void check_list(const struct cpulist *l, const char *text)
{
	struct cpulist again;
	char *const own = cpulist_text(l);

	check(own != NULL, "there is enough memory");
	check(cpulist_parse(&again, own) == 0, "the text of a list is parsed");
	check(again.n == l->n &&
		      (!l->n || memcmp(again.cpu, l->cpu, l->n * sizeof *l->cpu) == 0),
	      "the text gives the same list");
	for (unsigned i = 0; i < l->n; i++)
		check(!i || l->cpu[i - 1] < l->cpu[i], "CPUs ascend");
	for (unsigned i = 0; i < l->n && i < 64; i++)
		check(is_named(text, l->cpu[i]), "the text names each CPU");
	for (int cpu = 0; cpu < 64; cpu++)
		check(cpulist_has(l, cpu) == is_named(text, cpu),
		      "a CPU is in the list if the text names it");
	cpulist_free(&again);
	free(own);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *const text = string_of(data, size);
	struct cpulist l;

	if (is_long(text, size)) {
		free(text);
		return -1;
	}
	errno = 0;
	if (cpulist_parse(&l, text) == 0) {
		check_list(&l, text);
		check(cpulist_add(&l, 5) == 0 && cpulist_has(&l, 5),
		      "a CPU that is added is in the list");
	} else {
		check(errno == EINVAL && !l.n && !l.cpu, "a refusal leaves no list");
	}
	cpulist_free(&l);
	free(text);
	return 0;
}
