/* Fuzzer: the text of /proc/PID/maps, lines of a JIT's map, and names to demangle. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/demangle.h"
#include "symbols/jit.h"
#include "symbols/symbols.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_lines(const char *text)
{
	struct jit j = {0};
	struct strings strings = {0};

	while (*text) {
		const size_t n = strcspn(text, "\n");
		char *const line = strndup(text, n);

		if (!line || jit_add(&j, line))
			abort();
		demangle(line, &strings);
		free(line);
		text += n + (text[n] == '\n');
	}
	if (!jit_finish(&j))
		jit_find(&j, 0x1000);
	jit_free(&j);
	strings_free(&strings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* No file exists below this root. */
	struct symbols *const s =
		symbols_new(&(struct symbols_options){.root = "/dev/null"});
	char *const text = malloc(size + 1);
	struct symbols_frame frame[4];
	struct symbols_object o;
	const char *why;

	if (!s || !text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	if (symbols_map_text(s, text))
		abort();
	for (uint64_t a = 0; a < 0x10000; a += 0xfff) {
		symbols_code(s, a, frame, 4);
		symbols_data(s, a, &o);
	}
	symbols_find(s, "main", &o);
	symbols_problem(s, 0, &why);
	symbols_free(s);
	read_lines(text);
	free(text);
	return 0;
}
